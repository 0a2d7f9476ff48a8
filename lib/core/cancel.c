#include "core/parts.h"
#include "uv.h"

int uv_cancel(uv_req_t* req) {
    switch (req->type) {
    case UV_FS:
        return ph_parts.fs_cancel((uv_fs_t*)req);
    case UV_WRITE:
        return ph_parts.write_cancel((uv_write_t*)req);
    case UV_GETADDRINFO:
        return ph_parts.work_cancel(&((uv_getaddrinfo_t*)req)->work_req);
    case UV_GETNAMEINFO:
        return ph_parts.work_cancel(&((uv_getnameinfo_t*)req)->work_req);
    case UV_RANDOM:
        return ph_parts.work_cancel(&((uv_random_t*)req)->work_req);
    case UV_WORK:
        return ph_parts.work_cancel(&((uv_work_t*)req)->work_req);
    default:
        return UV_EINVAL;
    }
}
