/* Somebody else's loop turns ours: it sleeps itself, and runs one turn without waiting. */
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

static void on_timer(uv_timer_t* timer) {
    static int calls;
    printf("timer %d\n", ++calls);
    if (calls == 2)
        uv_close((uv_handle_t*)timer, NULL);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_timer_t timer;
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 10, 20);
    while (uv_run(loop, UV_RUN_NOWAIT) != 0) {
        int ms = uv_backend_timeout(loop);
        printf("somebody else sleeps for %d ms\n", ms);
        usleep((unsigned)ms * 1000);
    }
    printf("nothing is left\n");
    return uv_loop_close(loop);
}
