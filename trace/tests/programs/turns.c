/* Turns a loop whose phases all have something to do, at times inside of its own callbacks, and
 * prints how often it did. */
#include <stdio.h>
#include <uv.h>

static uv_timer_t timer;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static int rounds;
static int idles;
static int inside;

static void on_idle(uv_idle_t* handle) {
    if (++idles == 20)
        uv_idle_stop(handle);
}

static void on_prepare(uv_prepare_t* handle) {
    (void)handle;
}

static void on_check(uv_check_t* handle) {
    if (inside)
        uv_stop(handle->loop);
}

static void on_timer(uv_timer_t* handle) {
    int round = ++rounds;
    if (round == 1)
        uv_run(handle->loop, UV_RUN_NOWAIT);
    if (round == 2) {
        inside = 1;
        uv_run(handle->loop, UV_RUN_DEFAULT);
        inside = 0;
    }
    if (round < 6)
        return;
    uv_close((uv_handle_t*)handle, NULL);
    uv_close((uv_handle_t*)&idle, NULL);
    uv_close((uv_handle_t*)&prepare, NULL);
    uv_close((uv_handle_t*)&check, NULL);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_metrics_t metrics;
    uv_timer_init(loop, &timer);
    uv_idle_init(loop, &idle);
    uv_prepare_init(loop, &prepare);
    uv_check_init(loop, &check);
    uv_idle_start(&idle, on_idle);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    uv_timer_start(&timer, on_timer, 1, 2);
    while (uv_run(loop, UV_RUN_DEFAULT) != 0)
        continue;
    uv_metrics_info(loop, &metrics);
    printf("%d\n", (int)metrics.loop_count);
    return uv_loop_close(loop);
}
