#include "fs/ring.h"

#include "core/parts.h"
#include "thread/pool.h"

void ph_ring_forget(uv_fs_t* req) {
    (void)req;
}

bool ph_ring_start(uv_fs_t* req) {
    (void)req;
    return false;
}

bool ph_ring_owns(const uv_fs_t* req) {
    (void)req;
    return false;
}

int ph_ring_cancel(uv_fs_t* req) {
    (void)req;
    return UV_EBUSY;
}

void ph_ring_close(uv_loop_t* loop) {
    ph_pool_release(loop);
}

int ph_ring_fork(uv_loop_t* loop) {
    (void)loop;
    return 0;
}
