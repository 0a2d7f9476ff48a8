#include "fs/request.h"

#include <string.h>

#include "base/alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/parts.h"
#include "core/request.h"
#include "fs/operations.h"
#include "thread/pool.h"

int ph_fs_begin(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, uv_fs_cb cb) {
    if (req == NULL)
        return UV_EINVAL;
    req->type = UV_FS;
    req->fs_type = type;
    req->loop = loop;
    req->cb = cb;
    req->result = 0;
    req->ptr = NULL;
    req->path = NULL;
    req->new_path = NULL;
    req->bufs = NULL;
    req->nbufs = 0;
    req->work_req.work = NULL;
    return cb != NULL && loop == NULL ? UV_EINVAL : 0;
}

int ph_fs_begin_file(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, uv_file file, uv_fs_cb cb) {
    int err = ph_fs_begin(loop, req, type, cb);
    if (err == 0)
        req->file = file;
    return err;
}

int ph_fs_begin_path(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, const char* path,
                     uv_fs_cb cb) {
    int err = ph_fs_begin(loop, req, type, cb);
    if (err != 0)
        return err;
    if (path == NULL)
        return UV_EINVAL;
    req->path = cb != NULL ? ph_strdup(path) : path;
    return req->path != NULL ? 0 : UV_ENOMEM;
}

/* Both copies share one block, which belongs to `path`. */
int ph_fs_begin_two_paths(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, const char* path,
                          const char* new_path, uv_fs_cb cb) {
    int err = ph_fs_begin(loop, req, type, cb);
    if (err != 0)
        return err;
    if (path == NULL || new_path == NULL)
        return UV_EINVAL;
    if (cb == NULL) {
        req->path = path;
        req->new_path = new_path;
        return 0;
    }
    size_t size = strlen(path) + 1;
    size_t new_size = strlen(new_path) + 1;
    char* block = ph_malloc(size + new_size);
    if (block == NULL)
        return UV_ENOMEM;
    req->new_path = memcpy(block + size, new_path, new_size);
    req->path = memcpy(block, path, size);
    return 0;
}

static bool owns_path(const uv_fs_t* req) {
    return req->cb != NULL || req->fs_type == UV_FS_MKDTEMP || req->fs_type == UV_FS_MKSTEMP;
}

static void drop_arguments(uv_fs_t* req) {
    if (req->path != NULL && owns_path(req))
        ph_free((char*)req->path);
    req->path = NULL;
    req->new_path = NULL;
    if (req->bufs != req->inline_bufs && req->fs_type != UV_FS_READDIR)
        ph_free(req->bufs);
    req->bufs = NULL;
}

int ph_fs_set_bufs(uv_fs_t* req, const uv_buf_t* bufs, unsigned int nbufs) {
    if (bufs == NULL || nbufs == 0)
        return UV_EINVAL;
    uv_buf_t* copy = req->inline_bufs;
    if (nbufs > sizeof(req->inline_bufs) / sizeof(*copy))
        copy = ph_malloc(nbufs * sizeof(*copy));
    if (copy == NULL)
        return UV_ENOMEM;
    req->bufs = memcpy(copy, bufs, nbufs * sizeof(*copy));
    req->nbufs = nbufs;
    return 0;
}

int ph_fs_begin_template(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, const char* tpl,
                         uv_fs_cb cb) {
    int err = ph_fs_begin(loop, req, type, cb);
    if (err != 0)
        return err;
    if (tpl == NULL)
        return UV_EINVAL;
    req->path = ph_strdup(tpl);
    return req->path != NULL ? 0 : UV_ENOMEM;
}

static uv_fs_t* request_of(struct uv__work* work) {
    return PH_CONTAINER_OF(work, uv_fs_t, work_req);
}

static void run_request(struct uv__work* work) {
    ph_fs_perform(request_of(work));
}

static void end_request(struct uv__work* work, int status) {
    uv_fs_t* req = request_of(work);
    if (status != 0)
        req->result = status;
    ph_request_end(req->loop);
    PH_DISPATCH(req->loop, req, req->cb, req);
}

int ph_fs_start(uv_fs_t* req) {
    if (req->cb == NULL) {
        ph_fs_perform(req);
        return (int)req->result;
    }
    ph_request_init(req->loop, req, UV_FS);
    int err = ph_work_submit(req->loop, &req->work_req, PH_WORK_FAST, run_request, end_request);
    if (err != 0) {
        ph_request_refuse(req->loop, req);
        drop_arguments(req);
    }
    return err;
}

int ph_fs_cancel(uv_fs_t* req) {
    if (req->cb == NULL)
        return UV_EBUSY;
    return ph_work_cancel(&req->work_req);
}

void uv_fs_req_cleanup(uv_fs_t* req) {
    if (req == NULL)
        return;
    if (req->fs_type == UV_FS_READDIR)
        ph_fs_free_dirents(req);
    else if (req->fs_type != UV_FS_OPENDIR && req->ptr != &req->statbuf)
        ph_free(req->ptr);
    req->ptr = NULL;
    drop_arguments(req);
}

uv_fs_type uv_fs_get_type(const uv_fs_t* req) {
    return req->fs_type;
}

ssize_t uv_fs_get_result(const uv_fs_t* req) {
    return req->result;
}

int uv_fs_get_system_error(const uv_fs_t* req) {
    return -(int)req->result;
}

void* uv_fs_get_ptr(const uv_fs_t* req) {
    return req->ptr;
}

const char* uv_fs_get_path(const uv_fs_t* req) {
    return req->path;
}

uv_stat_t* uv_fs_get_statbuf(uv_fs_t* req) {
    return &req->statbuf;
}
