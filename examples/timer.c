/* A timer that repeats until it has been called three times. Stopped, it no longer keeps the loop
 * alive, so uv_run returns; closed, its memory is ours again. */

#include "must.h"

static void on_close(uv_handle_t* handle) {
    (void)handle;
    printf("closed: its memory may be used for something else\n");
}

static void on_timer(uv_timer_t* timer) {
    int* calls = timer->data;
    printf("call %d\n", ++*calls);
    if (*calls == 3)
        must(uv_timer_stop(timer), "timer: stop");
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_timer_t timer;
    int calls = 0;
    must(uv_timer_init(loop, &timer), "timer");
    timer.data = &calls;
    uint64_t begin = uv_now(loop);
    must(uv_timer_start(&timer, on_timer, 20, 10), "timer: start");
    uv_run(loop, UV_RUN_DEFAULT);
    printf("after 20 + 10 + 10 ms or a little more: %s\n",
           uv_now(loop) - begin >= 40 ? "yes" : "no");
    uv_close((uv_handle_t*)&timer, on_close);
    uv_run(loop, UV_RUN_DEFAULT);
    return close_loop(loop);
}
