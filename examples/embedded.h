/* What the loop does in the three examples that embed it: a timer ticks, then the pool works. */

#include "must.h"

static uv_timer_t timer;
static uv_work_t job;

static void add_up(uv_work_t* req) {
    long sum = 0;
    for (int i = 1; i <= 1000; i++)
        sum += i;
    req->data = (void*)sum;
}

static void on_sum(uv_work_t* req, int status) {
    must(status, "work");
    printf("the pool: %ld\n", (long)req->data);
    uv_close((uv_handle_t*)&timer, NULL);
}

static void on_tick(uv_timer_t* handle) {
    static int ticks;
    printf("the loop's timer: %d\n", ++ticks);
    if (ticks < 3)
        return;
    must(uv_timer_stop(handle), "stop");
    must(uv_queue_work(handle->loop, &job, add_up, on_sum), "work");
}

static void start_embedded(uv_loop_t* loop) {
    must(uv_timer_init(loop, &timer), "timer");
    must(uv_timer_start(&timer, on_tick, 10, 10), "start");
}

/* A run that finds nothing to do is no harm, but an embedder that only spins does something wrong.
 */
static void say_runs(int runs) {
    puts(runs < 100 ? "it ran when there was something to do" : "it ran all the time");
}
