/* The process exits while other threads use loops and the pool. */
// threaded

#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { BUSY_THREADS = 4, CHILDREN = 6 };

static uv_sem_t working;

static void do_nothing(uv_work_t* req) {
    (void)req;
}

/* Loops come and go, with work in the pool or without. */
static void use_loops_for_ever(void* arg) {
    bool with_work = arg != NULL;
    for (int turn = 0;; turn++) {
        uv_loop_t own;
        uv_work_t reqs[4];
        CHECK_OK(uv_loop_init(&own));
        for (int i = 0; with_work && i < 4; i++)
            CHECK_OK(uv_queue_work(&own, &reqs[i], do_nothing, NULL));
        if (with_work)
            uv_cancel((uv_req_t*)&reqs[3]);
        CHECK_OK(uv_run(&own, UV_RUN_DEFAULT));
        CHECK_OK(uv_loop_close(&own));
        if (turn == 1)
            uv_sem_post(&working);
    }
}

/* The C library writes out what is left in its streams when everything else has ended. */
static ssize_t give_threads_time(void* cookie, const char* bytes, size_t size) {
    (void)cookie, (void)bytes;
    usleep(20000);
    return (ssize_t)size;
}

static void exit_while_threads_use_loops(void) {
    uv_thread_t thread;
    FILE* last = fopencookie(NULL, "w", (cookie_io_functions_t){.write = give_threads_time});
    CHECK(last != NULL && fputc('x', last) == 'x');
    alarm(60);
    CHECK_OK(uv_sem_init(&working, 0));
    for (int i = 0; i < BUSY_THREADS; i++)
        CHECK_OK(uv_thread_create(&thread, use_loops_for_ever, i % 2 == 0 ? &working : NULL));
    for (int i = 0; i < BUSY_THREADS; i++)
        uv_sem_wait(&working);
    exit(0);
}

TEST(pool_outlives_the_threads_that_use_it_while_the_process_exits) {
    for (int i = 0; i < CHILDREN; i++)
        test_child_dies(exit_while_threads_use_loops, 0, NULL);
}
