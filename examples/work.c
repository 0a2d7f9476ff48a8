/* Work that would block the loop goes to the pool; the loop turns meanwhile. */

#include "must.h"

enum { JOBS = 3 };

typedef struct {
    uv_work_t request;
    unsigned n;
    unsigned long result;
} job;

static uv_timer_t heartbeat;
static int beats;
static int left = JOBS;

/* On a pool thread: it may take its time, and must not touch the loop. */
static void count_primes(uv_work_t* request) {
    job* mine = (job*)request;
    for (unsigned n = 2; n < mine->n; n++) {
        unsigned divisor = 2;
        while (divisor * divisor <= n && n % divisor != 0)
            divisor++;
        if (divisor * divisor > n)
            mine->result++;
    }
}

/* On the loop's thread again, in the poll phase. */
static void on_counted(uv_work_t* request, int status) {
    (void)request;
    must(status, "work");
    left--;
}

static void on_beat(uv_timer_t* timer) {
    beats++;
    if (left == 0)
        uv_close((uv_handle_t*)timer, NULL);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    job jobs[JOBS] = {{.n = 1000}, {.n = 100000}, {.n = 500000}};
    must(uv_timer_init(loop, &heartbeat), "timer");
    must(uv_timer_start(&heartbeat, on_beat, 0, 1), "timer: start");
    for (int i = 0; i < JOBS; i++)
        must(uv_queue_work(loop, &jobs[i].request, count_primes, on_counted), "queue");
    uv_run(loop, UV_RUN_DEFAULT);
    for (int i = 0; i < JOBS; i++)
        printf("%lu primes below %u\n", jobs[i].result, jobs[i].n);
    printf("the loop turned meanwhile: %s\n", beats > 1 ? "yes" : "no");
    return close_loop(loop);
}
