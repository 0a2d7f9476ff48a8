/* Names and addresses, looked up by the C library on the thread pool, or at once when there is no
 * callback. */

#include <netdb.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/request.h"
#include "net/idna.h"
#include "thread/pool.h"

/* `err` is from getaddrinfo or getnameinfo, called just now: errno is still theirs. */
static int translate(int err) {
    switch (err) {
    case 0:
        return 0;
    case EAI_ADDRFAMILY:
        return UV_EAI_ADDRFAMILY;
    case EAI_AGAIN:
        return UV_EAI_AGAIN;
    case EAI_BADFLAGS:
        return UV_EAI_BADFLAGS;
    case EAI_CANCELED:
        return UV_EAI_CANCELED;
    case EAI_FAMILY:
        return UV_EAI_FAMILY;
    case EAI_MEMORY:
        return UV_EAI_MEMORY;
    case EAI_NODATA:
        return UV_EAI_NODATA;
    case EAI_NONAME:
        return UV_EAI_NONAME;
    case EAI_OVERFLOW:
        return UV_EAI_OVERFLOW;
    case EAI_SERVICE:
        return UV_EAI_SERVICE;
    case EAI_SOCKTYPE:
        return UV_EAI_SOCKTYPE;
    case EAI_SYSTEM:
        return errno != 0 ? ph_errno() : UV_EAI_FAIL;
    default:
        return UV_EAI_FAIL;
    }
}

/* The request's one allocation: the hints, then the two texts. */
struct question {
    struct addrinfo hints;
    char texts[];
};

static void look_up_name(struct uv__work* work) {
    uv_getaddrinfo_t* req = PH_CONTAINER_OF(work, uv_getaddrinfo_t, work_req);
    int err = getaddrinfo(req->hostname, req->service, req->hints, &req->addrinfo);
    req->retcode = translate(err);
    if (err != 0)
        req->addrinfo = NULL;
}

static void forget_question(uv_getaddrinfo_t* req) {
    ph_free(req->room.reserved[0]);
    req->room.reserved[0] = NULL;
    req->hints = NULL;
    req->hostname = NULL;
    req->service = NULL;
}

static void name_looked_up(struct uv__work* work, int status) {
    uv_getaddrinfo_t* req = PH_CONTAINER_OF(work, uv_getaddrinfo_t, work_req);
    ph_request_end(req->loop);
    forget_question(req);
    if (status == UV_ECANCELED)
        req->retcode = UV_EAI_CANCELED;
    PH_DISPATCH(req->loop, req, req->cb, req, req->retcode, req->addrinfo);
}

static char* append_text(char** end, const char* text, size_t size) {
    char* copy = *end;
    if (text == NULL)
        return NULL;
    memcpy(copy, text, size);
    *end += size;
    return copy;
}

static int keep_question(uv_getaddrinfo_t* req, const char* hostname, const char* service,
                         const struct addrinfo* hints) {
    size_t hostname_size = hostname != NULL ? strlen(hostname) + 1 : 0;
    size_t service_size = service != NULL ? strlen(service) + 1 : 0;
    struct question* question = ph_malloc(sizeof(*question) + hostname_size + service_size);
    if (question == NULL)
        return UV_ENOMEM;
    char* end = question->texts;
    req->room.reserved[0] = question;
    req->hostname = append_text(&end, hostname, hostname_size);
    req->service = append_text(&end, service, service_size);
    req->hints = NULL;
    if (hints != NULL) {
        question->hints = *hints;
        req->hints = &question->hints;
    }
    return 0;
}

int uv_getaddrinfo(uv_loop_t* loop, uv_getaddrinfo_t* req, uv_getaddrinfo_cb cb,
                   const char* hostname, const char* service, const struct addrinfo* hints) {
    char ascii[PH_HOST_NAME_SIZE];
    if (req == NULL || (hostname == NULL && service == NULL))
        return UV_EINVAL;
    int err = hostname != NULL ? ph_idna_to_ascii(hostname, ascii, sizeof(ascii)) : 0;
    if (err < 0)
        return err;
    err = keep_question(req, hostname != NULL ? ascii : NULL, service, hints);
    if (err != 0)
        return err;
    req->type = UV_GETADDRINFO;
    req->loop = loop;
    req->cb = cb;
    req->addrinfo = NULL;
    req->retcode = 0;
    if (cb == NULL) {
        look_up_name(&req->work_req);
        forget_question(req);
        return req->retcode;
    }
    ph_request_init(loop, req, UV_GETADDRINFO);
    err = ph_work_submit(loop, &req->work_req, PH_WORK_SLOW, look_up_name, name_looked_up);
    if (err != 0) {
        ph_request_refuse(loop, req);
        forget_question(req);
    }
    return err;
}

void uv_freeaddrinfo(struct addrinfo* ai) {
    if (ai != NULL)
        freeaddrinfo(ai);
}

static void look_up_address(struct uv__work* work) {
    uv_getnameinfo_t* req = PH_CONTAINER_OF(work, uv_getnameinfo_t, work_req);
    socklen_t size = req->storage.ss_family == AF_INET ? sizeof(struct sockaddr_in)
                                                       : sizeof(struct sockaddr_in6);
    req->retcode =
        translate(getnameinfo((struct sockaddr*)&req->storage, size, req->host, sizeof(req->host),
                              req->service, sizeof(req->service), req->flags));
}

static void address_looked_up(struct uv__work* work, int status) {
    uv_getnameinfo_t* req = PH_CONTAINER_OF(work, uv_getnameinfo_t, work_req);
    ph_request_end(req->loop);
    if (status == UV_ECANCELED)
        req->retcode = UV_EAI_CANCELED;
    bool found = req->retcode == 0;
    PH_DISPATCH(req->loop, req, req->getnameinfo_cb, req, req->retcode, found ? req->host : NULL,
                found ? req->service : NULL);
}

int uv_getnameinfo(uv_loop_t* loop, uv_getnameinfo_t* req, uv_getnameinfo_cb getnameinfo_cb,
                   const struct sockaddr* addr, int flags) {
    if (req == NULL || addr == NULL)
        return UV_EINVAL;
    if (addr->sa_family == AF_INET)
        memcpy(&req->storage, addr, sizeof(struct sockaddr_in));
    else if (addr->sa_family == AF_INET6)
        memcpy(&req->storage, addr, sizeof(struct sockaddr_in6));
    else
        return UV_EINVAL;
    req->type = UV_GETNAMEINFO;
    req->loop = loop;
    req->getnameinfo_cb = getnameinfo_cb;
    req->flags = flags;
    req->retcode = 0;
    if (getnameinfo_cb == NULL) {
        look_up_address(&req->work_req);
        return req->retcode;
    }
    ph_request_init(loop, req, UV_GETNAMEINFO);
    int err =
        ph_work_submit(loop, &req->work_req, PH_WORK_SLOW, look_up_address, address_looked_up);
    if (err != 0)
        ph_request_refuse(loop, req);
    return err;
}
