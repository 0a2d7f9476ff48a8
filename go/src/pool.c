/* Name lookups and work on the pool. */
#include <stdlib.h>
#include <string.h>

#include "scheduler.h"

/* A lookup may take as long as a name server does: whoever waits may leave, and the callback frees
 * what was found. */
struct lookup {
    go_t* go; /* NULL: nobody waits any more */
    union {
        uv_getaddrinfo_t addresses;
        uv_getnameinfo_t name;
    } request;
    struct addrinfo* found;
};

/* On the stack of who waits. */
struct lookup_wait {
    struct lookup* lookup;
    bool left; /* the lookup is the callback's now */
};

static bool leave_lookup(void* data, int why) {
    struct lookup_wait* wait = data;
    (void)why;
    wait->left = true;
    wait->lookup->go = NULL;
    uv_cancel((uv_req_t*)&wait->lookup->request);
    return true;
}

static void end_lookup(struct lookup* lookup, int status) {
    go_t* go = lookup->go;
    if (go == NULL) {
        uv_freeaddrinfo(lookup->found);
        free(lookup);
        return;
    }
    go__ready(go, status);
    go__run(go->scheduler);
}

static void on_addresses(uv_getaddrinfo_t* request, int status, struct addrinfo* found) {
    struct lookup* lookup = GO_OF(request, struct lookup, request.addresses);
    lookup->found = found;
    end_lookup(lookup, status);
}

static void on_name(uv_getnameinfo_t* request, int status, const char* host, const char* service) {
    (void)host, (void)service;
    end_lookup(GO_OF(request, struct lookup, request.name), status);
}

static int new_lookup(struct go__scheduler* s, struct lookup** lookup) {
    if (s == NULL)
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    *lookup = calloc(1, sizeof(**lookup));
    if (*lookup == NULL)
        return UV_ENOMEM;
    (*lookup)->go = s->current;
    return 0;
}

int go_getaddrinfo(const char* node, const char* service, const struct addrinfo* hints,
                   struct addrinfo** found, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    struct lookup* lookup = NULL;
    int status = new_lookup(s, &lookup);
    *found = NULL;
    if (status != 0)
        return status;
    status =
        uv_getaddrinfo(s->loop, &lookup->request.addresses, on_addresses, node, service, hints);
    struct lookup_wait wait = {lookup, false};
    if (status == 0)
        status = go__suspend(s, "addresses of a name", leave_lookup, &wait, deadline);
    if (wait.left)
        return status;
    *found = lookup->found;
    free(lookup);
    return status;
}

static int copy_text(const char* text, char* to, size_t size) {
    if (to == NULL)
        return 0;
    size_t length = strlen(text);
    if (length >= size)
        return UV_ENOBUFS;
    memcpy(to, text, length + 1);
    return 0;
}

int go_getnameinfo(const struct sockaddr* address, int flags, char* host, size_t host_size,
                   char* service, size_t service_size, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    struct lookup* lookup = NULL;
    int status = new_lookup(s, &lookup);
    if (status != 0)
        return status;
    status = uv_getnameinfo(s->loop, &lookup->request.name, on_name, address, flags);
    struct lookup_wait wait = {lookup, false};
    if (status == 0)
        status = go__suspend(s, "name of an address", leave_lookup, &wait, deadline);
    if (wait.left)
        return status;
    if (status == 0)
        status = copy_text(lookup->request.name.host, host, host_size);
    if (status == 0)
        status = copy_text(lookup->request.name.service, service, service_size);
    free(lookup);
    return status;
}

struct work {
    uv_work_t request;
    void (*fn)(void* arg);
    void* arg;
    go_t* go;
    int why;
};

static void run_work(uv_work_t* request) {
    struct work* work = GO_OF(request, struct work, request);
    work->fn(work->arg);
}

static void on_worked(uv_work_t* request, int status) {
    go_t* go = GO_OF(request, struct work, request)->go;
    go__ready(go, status);
    go__run(go->scheduler);
}

/* The callback comes in any case, and the request is on the stack until then. */
static bool take_back(void* data, int why) {
    struct work* work = data;
    uv_cancel((uv_req_t*)&work->request);
    work->why = why;
    return false;
}

int go_work(void (*fn)(void* arg), void* arg, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    if (s == NULL || fn == NULL)
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    struct work work = {.fn = fn, .arg = arg, .go = s->current};
    int status = uv_queue_work(s->loop, &work.request, run_work, on_worked);
    if (status == 0)
        status = go__suspend(s, "work", take_back, &work, deadline);
    return status == UV_ECANCELED && work.why != 0 ? work.why : status;
}
