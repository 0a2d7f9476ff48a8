/* Two timers; the loop waits for the one that is referenced. */
#include <stdio.h>
#include <uv.h>

static void on_short(uv_timer_t* timer) {
    (void)timer;
    printf("10 ms, unreferenced\n");
}

static void on_middle(uv_timer_t* timer) {
    (void)timer;
    printf("20 ms: alive while this ran: %d\n", uv_loop_alive(uv_default_loop()));
}

static void on_long(uv_timer_t* timer) {
    (void)timer;
    printf("30 ms, unreferenced\n");
}

int main(void) {
    static const uv_timer_cb callbacks[] = {on_short, on_middle, on_long};
    uv_timer_t timers[3];
    uv_loop_t* loop = uv_default_loop();
    for (int i = 0; i < 3; i++) {
        uv_timer_init(loop, &timers[i]);
        uv_timer_start(&timers[i], callbacks[i], 10 * (unsigned)(i + 1), 0);
    }
    uv_unref((uv_handle_t*)&timers[0]);
    uv_unref((uv_handle_t*)&timers[2]);
    printf("the loop ends with %d\n", uv_run(loop, UV_RUN_DEFAULT));
    return 0;
}
