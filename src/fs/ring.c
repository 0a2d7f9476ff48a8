#include "core/parts.h"
#include "thread/pool.h"

void ph_ring_close(uv_loop_t* loop) {
    ph_pool_release(loop);
}

int ph_ring_fork(uv_loop_t* loop) {
    (void)loop;
    return 0;
}
