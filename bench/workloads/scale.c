/* The cost of one thing among many: a timer, a wake-up, a ready descriptor. CPU time throughout. */
#include "common.h"

#include <sys/eventfd.h>

static long calls;

static void on_timer(uv_timer_t* timer) {
    (void)timer;
}

static void* allocate(int count, size_t size) {
    void* memory = mmap(NULL, (size_t)count * size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    MUST(memory != MAP_FAILED);
    return memory;
}

/* Restarts random timers of which none comes due. */
static void among_timers(const bench_case* c) {
    enum { CHANGES = 200000 };
    uv_loop_t loop;
    uv_timer_t* timers = allocate(c->count, sizeof(*timers));
    MUST(uv_loop_init(&loop) == 0);
    for (int i = 0; i < c->count; i++) {
        uv_timer_init(&loop, &timers[i]);
        uv_timer_start(&timers[i], on_timer, 60000 + next_random() % 60000, 0);
    }
    const choice* choices = draw_choices(CHANGES, (uint32_t)c->count, 60000);
    double start = cpu_seconds();
    for (int i = 0; i < CHANGES; i++)
        uv_timer_start(&timers[choices[i].which], on_timer, 60000 + choices[i].how, 0);
    report(c, "", "ns/restart", (cpu_seconds() - start) / CHANGES * 1e9, "lower");
}

/* No timers: moves a random record of the same size from one linked list to the end of another. A
 * timer that can be restarted and keeps the order of starting has to do at least this. */
typedef struct link {
    struct link *next, *prev;
    char rest[sizeof(uv_timer_t) - 2 * sizeof(void*)];
} link_t;

static void append(link_t* list, link_t* item) {
    item->next = list;
    item->prev = list->prev;
    list->prev->next = item;
    list->prev = item;
}

static void move_links(const bench_case* c) {
    enum { CHANGES = 200000, LISTS = 256 };
    static link_t lists[LISTS];
    link_t* links = allocate(c->count, sizeof(*links));
    for (int i = 0; i < LISTS; i++)
        lists[i].next = lists[i].prev = &lists[i];
    for (int i = 0; i < c->count; i++)
        append(&lists[next_random() % LISTS], &links[i]);
    const choice* choices = draw_choices(CHANGES, (uint32_t)c->count, LISTS);
    double start = cpu_seconds();
    for (int i = 0; i < CHANGES; i++) {
        link_t* item = &links[choices[i].which];
        item->prev->next = item->next;
        item->next->prev = item->prev;
        append(&lists[choices[i].how], item);
    }
    report(c, "", "ns/restart", (cpu_seconds() - start) / CHANGES * 1e9, "lower");
}

static void on_async(uv_async_t* async) {
    (void)async;
    calls++;
}

static void among_asyncs(const bench_case* c) {
    uv_loop_t loop;
    uv_async_t* asyncs = allocate(c->count, sizeof(*asyncs));
    MUST(uv_loop_init(&loop) == 0);
    for (int i = 0; i < c->count; i++)
        MUST(uv_async_init(&loop, &asyncs[i], on_async) == 0);
    long sends = 0;
    double start = cpu_seconds(), spent;
    do {
        uv_async_send(&asyncs[next_random() % (uint32_t)c->count]);
        sends++;
        while (calls < sends)
            uv_run(&loop, UV_RUN_ONCE);
        spent = cpu_seconds() - start;
    } while (spent < 0.1);
    report(c, "", "ns/wake", spent / (double)sends * 1e9, "lower");
}

static void on_poll(uv_poll_t* poll, int status, int events) {
    eventfd_t value;
    MUST(status == 0 && events == UV_READABLE);
    MUST(eventfd_read(poll->io_watcher.fd, &value) == 0);
    calls++;
}

/* The same without a loop. */
static void among_descriptors_by_hand(const bench_case* c) {
    enum { EVENTS = 50000 };
    int* fds = allocate(c->count, sizeof(*fds));
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event events[1024];
    for (int i = 0; i < c->count; i++) {
        MUST((fds[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0);
        watch(epoll, fds[i], EPOLLIN);
    }
    double start = cpu_seconds();
    for (int i = 0; i < EVENTS; i++) {
        eventfd_t value;
        MUST(eventfd_write(fds[next_random() % (uint32_t)c->count], 1) == 0);
        MUST(epoll_wait(epoll, events, 1024, -1) == 1);
        MUST(eventfd_read(events[0].data.fd, &value) == 0);
    }
    report(c, "", "ns/event", (cpu_seconds() - start) / EVENTS * 1e9, "lower");
}

static void among_descriptors(const bench_case* c) {
    enum { EVENTS = 50000 };
    uv_loop_t loop;
    uv_poll_t* polls = allocate(c->count, sizeof(*polls));
    MUST(uv_loop_init(&loop) == 0);
    for (int i = 0; i < c->count; i++) {
        int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        MUST(fd >= 0 && uv_poll_init(&loop, &polls[i], fd) == 0);
        MUST(uv_poll_start(&polls[i], UV_READABLE, on_poll) == 0);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    double start = cpu_seconds();
    for (int i = 0; i < EVENTS; i++) {
        MUST(eventfd_write(polls[next_random() % (uint32_t)c->count].io_watcher.fd, 1) == 0);
        while (calls <= i)
            uv_run(&loop, UV_RUN_ONCE);
    }
    report(c, "", "ns/event", (cpu_seconds() - start) / EVENTS * 1e9, "lower");
}

static const bench_case cases[] = {
    {"scale-timers-10", among_timers, move_links, 10, 0, NULL},
    {"scale-timers-1000", among_timers, move_links, 1000, 0, NULL},
    {"scale-timers-100000", among_timers, move_links, 100000, 0, NULL},
    {"scale-timers-1000000", among_timers, move_links, 1000000, 3, NULL},
    {"scale-timers-10000000", among_timers, move_links, 10000000, 1, NULL},
    {"scale-asyncs-10", among_asyncs, NULL, 10, 0, NULL},
    {"scale-asyncs-1000", among_asyncs, NULL, 1000, 0, NULL},
    {"scale-asyncs-100000", among_asyncs, NULL, 100000, 0, NULL},
    {"scale-asyncs-1000000", among_asyncs, NULL, 1000000, 3, NULL},
    {"scale-descriptors-10", among_descriptors, among_descriptors_by_hand, 10, 0, NULL},
    {"scale-descriptors-100", among_descriptors, among_descriptors_by_hand, 100, 0, NULL},
    {"scale-descriptors-1000", among_descriptors, among_descriptors_by_hand, 1000, 0, NULL},
    {"scale-descriptors-10000", among_descriptors, among_descriptors_by_hand, 10000, 0, NULL},
};
BENCH_MAIN(cases)
