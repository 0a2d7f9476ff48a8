/* A thousand jobs for the pool, but only a few at a time, so that file and name requests of the
 * same program still get their turn; the first failure cancels what has not begun. */

#include <stdbool.h>

#include "must.h"

enum { JOBS = 1000, AT_ONCE = 4, BAD = 700 };

typedef struct {
    uv_work_t request;
    int number;
    int result; /* 0, or an error code */
} job;

static uv_loop_t* loop;
static job jobs[JOBS];
static int next;
static int in_flight;
static int done;
static int most_in_flight;
static bool failed;

/* On a pool thread: touches its own job only. */
static void compute(uv_work_t* request) {
    job* mine = (job*)request;
    mine->result = mine->number == BAD ? UV_EINVAL : 0;
}

static void start_more(void);

static void cancel_the_rest(void) {
    for (int i = 0; i < next; i++) {
        int result = uv_cancel((uv_req_t*)&jobs[i].request);
        if (result != UV_EBUSY) /* it runs already, or has ended */
            must(result, "cancel");
    }
}

/* On the loop's thread. A cancelled job comes here too. */
static void on_computed(uv_work_t* request, int status) {
    job* mine = (job*)request;
    in_flight--;
    if (status == UV_ECANCELED)
        return;
    must(status, "work");
    if (mine->result != 0 && !failed) {
        printf("job %d: %s; the rest is not started\n", mine->number, uv_strerror(mine->result));
        failed = true;
        cancel_the_rest();
    }
    if (mine->result == 0)
        done++;
    start_more();
}

static void start_more(void) {
    for (; !failed && in_flight < AT_ONCE && next < JOBS; next++) {
        jobs[next].number = next;
        must(uv_queue_work(loop, &jobs[next].request, compute, on_computed), "queue");
        if (++in_flight > most_in_flight)
            most_in_flight = in_flight;
    }
}

int main(void) {
    loop = uv_default_loop();
    start_more();
    uv_run(loop, UV_RUN_DEFAULT);
    printf("never more than %d at once: %s\n", AT_ONCE, most_in_flight <= AT_ONCE ? "yes" : "no");
    printf("those before it were done: %s\n", done >= BAD && done < JOBS ? "yes" : "no");
    return close_loop(loop);
}
