/* The loop itself: its iterations, its birth and death, and many watched descriptors. */
#include "common.h"

#include <sys/eventfd.h>

static int left;

static void count_down(uv_idle_t* idle) {
    if (--left == 0)
        uv_idle_stop(idle);
}

static void never(uv_poll_t* poll, int status, int events) {
    (void)poll;
    (void)status;
    (void)events;
    abort();
}

static void iterate(const bench_case* c, int watch_something) {
    uv_loop_t loop;
    uv_idle_t idle;
    uv_poll_t poll;
    MUST(uv_loop_init(&loop) == 0);
    if (watch_something) {
        MUST(uv_poll_init(&loop, &poll, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) == 0);
        MUST(uv_poll_start(&poll, UV_READABLE, never) == 0);
        uv_unref((uv_handle_t*)&poll);
    }
    uv_idle_init(&loop, &idle);
    left = c->count;
    uv_idle_start(&idle, count_down);
    double start = cpu_seconds();
    uv_run(&loop, UV_RUN_DEFAULT);
    report(c, "", "ns/iteration", (cpu_seconds() - start) / c->count * 1e9, "lower");
}

static void idle_alone(const bench_case* c) {
    iterate(c, 0);
}

static void idle_and_watching(const bench_case* c) {
    iterate(c, 1);
}

static void init_and_close(const bench_case* c) {
    uv_loop_t loop;
    double start = cpu_seconds();
    for (int i = 0; i < c->count; i++)
        MUST(uv_loop_init(&loop) == 0 && uv_loop_close(&loop) == 0);
    report(c, "", "us/loop", (cpu_seconds() - start) / c->count * 1e6, "lower");
}

static int seen;

static void saw_event(uv_poll_t* poll, int status, int events) {
    (void)poll;
    seen += status == 0 && events == UV_READABLE;
}

/* In each iteration 1 % are ready. Only uv_run is measured, not the writes and reads around it. */
static void many_polls(const bench_case* c) {
    enum { ITERATIONS = 2000 };
    int ready = c->count / 100;
    uv_loop_t loop;
    uv_poll_t* polls = calloc((size_t)c->count, sizeof(*polls));
    int* fds = calloc((size_t)c->count, sizeof(*fds));
    double spent = 0;
    MUST(uv_loop_init(&loop) == 0);
    for (int i = 0; i < c->count; i++) {
        MUST((fds[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0);
        MUST(uv_poll_init(&loop, &polls[i], fds[i]) == 0);
        MUST(uv_poll_start(&polls[i], UV_READABLE, saw_event) == 0);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    for (int n = 0; n < ITERATIONS; n++) {
        int first = (int)(next_random() % 100);
        for (int i = 0; i < ready; i++)
            MUST(eventfd_write(fds[i * 100 + first], 1) == 0);
        seen = 0;
        double start = cpu_seconds();
        while (seen < ready)
            uv_run(&loop, UV_RUN_ONCE);
        spent += cpu_seconds() - start;
        eventfd_t value;
        for (int i = 0; i < ready; i++)
            MUST(eventfd_read(fds[i * 100 + first], &value) == 0);
    }
    report(c, "", "ns/event", spent / ITERATIONS / ready * 1e9, "lower");
}

static const bench_case cases[] = {
    {"loop-idle", idle_alone, NULL, 2000000, 0, NULL},
    {"loop-idle-watching", idle_and_watching, NULL, 2000000, 0, NULL},
    {"loop-init-close", init_and_close, NULL, 40000, 0, NULL},
    {"poll-10k", many_polls, NULL, 10000, 0, NULL},
};
BENCH_MAIN(cases)
