/* Turns its loop for a while: timers, work for the pool, files, wake-ups, and one long callback. */
#include <stdlib.h>
#include <uv.h>

enum { ROUNDS = 20, WORKS_PER_ROUND = 3 };

static uv_timer_t ticker;
static uv_timer_t blocker;
static uv_check_t check;
static uv_async_t async;
static int rounds;

static void do_work(uv_work_t* work) {
    (void)work;
    uv_sleep(1);
}

static void after_work(uv_work_t* work, int status) {
    (void)status;
    free(work);
}

static void on_stat(uv_fs_t* request) {
    uv_fs_req_cleanup(request);
    free(request);
}

static void on_check(uv_check_t* handle) {
    (void)handle;
}

static void on_async(uv_async_t* handle) {
    (void)handle;
}

static void on_tick(uv_timer_t* handle) {
    for (int i = 0; i < WORKS_PER_ROUND; i++)
        uv_queue_work(handle->loop, malloc(sizeof(uv_work_t)), do_work, after_work);
    uv_fs_stat(handle->loop, malloc(sizeof(uv_fs_t)), "/", on_stat);
    uv_async_send(&async);
    if (++rounds < ROUNDS)
        return;
    uv_close((uv_handle_t*)handle, NULL);
    uv_close((uv_handle_t*)&check, NULL);
    uv_close((uv_handle_t*)&async, NULL);
}

static void block_the_loop(uv_timer_t* handle) {
    uv_sleep(60);
    uv_close((uv_handle_t*)handle, NULL);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_timer_init(loop, &ticker);
    uv_timer_init(loop, &blocker);
    uv_check_init(loop, &check);
    uv_async_init(loop, &async, on_async);
    uv_check_start(&check, on_check);
    uv_timer_start(&ticker, on_tick, 1, 4);
    uv_timer_start(&blocker, block_the_loop, 20, 0);
    /* Once in between, the program does something of its own. */
    for (int turns = 0; uv_run(loop, UV_RUN_ONCE) != 0; turns++)
        if (turns == 12)
            uv_sleep(25);
    return uv_loop_close(loop);
}
