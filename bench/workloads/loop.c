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

/* The same without a loop: a call through a pointer and a look at the kernel. */
static void watch_by_hand(const bench_case* c) {
    void (*volatile call)(uv_idle_t*) = count_down;
    struct epoll_event events[1024];
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    uv_idle_t unused;
    watch(epoll, eventfd(0, EFD_CLOEXEC), EPOLLIN);
    left = c->count + 1;
    double start = cpu_seconds();
    for (int i = 0; i < c->count; i++) {
        call(&unused);
        MUST(epoll_wait(epoll, events, 1024, 0) == 0);
    }
    report(c, "", "ns/iteration", (cpu_seconds() - start) / c->count * 1e9, "lower");
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

static void run_loop(void* loop, int ready) {
    while (seen < ready)
        uv_run(loop, UV_RUN_ONCE);
}

static void wait_by_hand(void* epoll, int ready) {
    struct epoll_event events[1024];
    while (seen < ready) {
        int n = epoll_wait(*(int*)epoll, events, 1024, -1);
        for (int i = 0; i < n; i++)
            saw_event(NULL, 0, (int)events[i].events);
    }
}

/* In each iteration 1 % are ready. Only `take` is measured, not the writes and reads around it. */
static void make_ready(const bench_case* c, const int* fds, void (*take)(void* from, int ready),
                       void* from) {
    enum { ITERATIONS = 2000 };
    int ready = c->count / 100;
    double spent = 0;
    for (int n = 0; n < ITERATIONS; n++) {
        int first = (int)(next_random() % 100);
        for (int i = 0; i < ready; i++)
            MUST(eventfd_write(fds[i * 100 + first], 1) == 0);
        seen = 0;
        double start = cpu_seconds();
        take(from, ready);
        spent += cpu_seconds() - start;
        eventfd_t value;
        for (int i = 0; i < ready; i++)
            MUST(eventfd_read(fds[i * 100 + first], &value) == 0);
    }
    report(c, "", "ns/event", spent / ITERATIONS / ready * 1e9, "lower");
}

static int* open_events(int count) {
    int* fds = calloc((size_t)count, sizeof(*fds));
    for (int i = 0; i < count; i++)
        MUST((fds[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0);
    return fds;
}

static void many_polls(const bench_case* c) {
    uv_loop_t loop;
    uv_poll_t* polls = calloc((size_t)c->count, sizeof(*polls));
    const int* fds = open_events(c->count);
    MUST(uv_loop_init(&loop) == 0);
    for (int i = 0; i < c->count; i++) {
        MUST(uv_poll_init(&loop, &polls[i], fds[i]) == 0);
        MUST(uv_poll_start(&polls[i], UV_READABLE, saw_event) == 0);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    make_ready(c, fds, run_loop, &loop);
}

static void many_by_hand(const bench_case* c) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    const int* fds = open_events(c->count);
    for (int i = 0; i < c->count; i++)
        watch(epoll, fds[i], EPOLLIN);
    make_ready(c, fds, wait_by_hand, &epoll);
}

static const bench_case cases[] = {
    {"loop-idle", idle_alone, NULL, 2000000, 0, NULL},
    {"loop-idle-watching", idle_and_watching, watch_by_hand, 2000000, 0, NULL},
    {"loop-init-close", init_and_close, NULL, 40000, 0, NULL},
    {"poll-10k", many_polls, many_by_hand, 10000, 0, NULL},
};
BENCH_MAIN(cases)
