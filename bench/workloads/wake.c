/* Wake-ups between threads with uv_async_send. */
#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

enum { THREADS_AT_MOST = 4, BATCH = 100 };

/* One thread, and its side of the conversation with the main loop. */
typedef struct {
    pthread_t thread;
    uv_loop_t loop;
    uv_async_t here;         /* wakes the thread's loop */
    uv_async_t there;        /* wakes the main loop */
    uv_async_t batch[BATCH]; /* so do these */
    atomic_long delivered;
    long count;
} partner;

static partner partners[THREADS_AT_MOST];
static uv_loop_t main_loop;
static atomic_int finished;

static void send_to_main(uv_async_t* here) {
    partner* p = here->data;
    p->count++;
    uv_async_send(&p->there);
}

static void answer_partner(uv_async_t* there) {
    partner* p = there->data;
    if (finished)
        uv_stop(&main_loop);
    else
        uv_async_send(&p->here);
}

static void* run_partner_loop(void* arg) {
    partner* p = arg;
    take_side(1);
    uv_async_send(&p->there);
    uv_run(&p->loop, UV_RUN_DEFAULT);
    return NULL;
}

static void finish(uv_timer_t* timer) {
    (void)timer;
    finished = 1;
}

static void ping_pong(const bench_case* c) {
    uv_timer_t timer;
    long rounds = 0;
    take_side(0);
    MUST(uv_loop_init(&main_loop) == 0);
    for (int i = 0; i < c->count; i++) {
        partner* p = &partners[i];
        p->here.data = p->there.data = p;
        MUST(uv_loop_init(&p->loop) == 0);
        MUST(uv_async_init(&p->loop, &p->here, send_to_main) == 0);
        MUST(uv_async_init(&main_loop, &p->there, answer_partner) == 0);
    }
    uv_timer_init(&main_loop, &timer);
    uv_timer_start(&timer, finish, (uint64_t)(BENCH_WINDOW * 1000), 0);
    double start = wall_seconds(), cpu = cpu_seconds();
    for (int i = 0; i < c->count; i++)
        MUST(pthread_create(&partners[i].thread, NULL, run_partner_loop, &partners[i]) == 0);
    uv_run(&main_loop, UV_RUN_DEFAULT);
    double spent = wall_seconds() - start;
    for (int i = 0; i < c->count; i++)
        rounds += partners[i].count;
    report(c, "", "trips/s", (double)rounds / spent, "higher");
    report(c, "cpu", "us/trip", (cpu_seconds() - cpu) / (double)rounds * 1e6, "lower");
}

static void count_or_stop(uv_async_t* async) {
    partner* p = async->data;
    p->delivered++;
    if (finished)
        uv_stop(&main_loop);
}

static void* flood(void* arg) {
    partner* p = arg;
    take_side(1);
    double end = wall_seconds() + BENCH_WINDOW;
    while (wall_seconds() < end) {
        for (int i = 0; i < 100; i++)
            uv_async_send(&p->there);
        p->count += 100;
    }
    return NULL;
}

static void count_delivery(uv_async_t* async) {
    partner* p = async->data;
    p->delivered++;
}

/* Each send is delivered by itself: no handle is sent again before its callback has run. */
static void* send_batches(void* arg) {
    partner* p = arg;
    take_side(1);
    double end = wall_seconds() + BENCH_WINDOW;
    while (wall_seconds() < end) {
        for (int i = 0; i < BATCH; i++)
            uv_async_send(&p->batch[i]);
        p->count += BATCH;
        while (p->delivered < p->count)
            sched_yield();
    }
    return NULL;
}

static void* wait_for_senders(void* arg) {
    const bench_case* c = arg;
    for (int i = 0; i < c->count; i++)
        pthread_join(partners[i].thread, NULL);
    finished = 1;
    uv_async_send(&partners[0].there);
    return NULL;
}

static void init_one_way(partner* p) {
    MUST(uv_async_init(&main_loop, &p->there, count_or_stop) == 0);
    p->there.data = p;
    for (int i = 0; i < BATCH; i++) {
        MUST(uv_async_init(&main_loop, &p->batch[i], count_delivery) == 0);
        p->batch[i].data = p;
    }
}

typedef void* sender(void* partner);

static void one_way(const bench_case* c, sender* send) {
    pthread_t waiter;
    long sends = 0, deliveries = 0;
    take_side(0);
    MUST(uv_loop_init(&main_loop) == 0);
    for (int i = 0; i < c->count; i++)
        init_one_way(&partners[i]);
    double start = wall_seconds();
    for (int i = 0; i < c->count; i++)
        MUST(pthread_create(&partners[i].thread, NULL, send, &partners[i]) == 0);
    MUST(pthread_create(&waiter, NULL, wait_for_senders, (void*)c) == 0);
    uv_run(&main_loop, UV_RUN_DEFAULT);
    double spent = wall_seconds() - start;
    for (int i = 0; i < c->count; i++) {
        sends += partners[i].count;
        deliveries += partners[i].delivered;
    }
    report(c, "", "wake-ups/s", (double)deliveries / spent, "higher");
    if (deliveries < sends - c->count)
        report(c, "sends", "sends/s", (double)sends / spent, "higher");
}

static void coalescing(const bench_case* c) {
    one_way(c, flood);
}

/* The same without a library: a flag for each sender, and a thread that looks at all of them. */
static struct flag {
    _Alignas(64) atomic_int set;
    long sends;
    long taken;
} flags[THREADS_AT_MOST];

static void* raise_flag(void* arg) {
    struct flag* flag = arg;
    take_side(1);
    double end = wall_seconds() + BENCH_WINDOW;
    while (wall_seconds() < end) {
        for (int i = 0; i < 100; i++)
            if (!atomic_load_explicit(&flag->set, memory_order_relaxed))
                atomic_exchange(&flag->set, 1);
        flag->sends += 100;
    }
    return NULL;
}

static void coalescing_by_hand(const bench_case* c) {
    pthread_t threads[THREADS_AT_MOST];
    long sends = 0, taken = 0;
    take_side(0);
    double start = wall_seconds();
    for (int i = 0; i < c->count; i++)
        MUST(pthread_create(&threads[i], NULL, raise_flag, &flags[i]) == 0);
    while (wall_seconds() < start + BENCH_WINDOW)
        for (int i = 0; i < 100 * c->count; i++) {
            struct flag* flag = &flags[i % c->count];
            if (atomic_load_explicit(&flag->set, memory_order_relaxed))
                flag->taken += atomic_exchange(&flag->set, 0);
        }
    for (int i = 0; i < c->count; i++) {
        pthread_join(threads[i], NULL);
        sends += flags[i].sends;
        taken += flags[i].taken;
    }
    double spent = wall_seconds() - start;
    report(c, "", "wake-ups/s", (double)taken / spent, "higher");
    report(c, "sends", "sends/s", (double)sends / spent, "higher");
}

static void delivered_singly(const bench_case* c) {
    one_way(c, send_batches);
}

enum { SAMPLES = 4000 };
static double samples[SAMPLES];
static double sent_at;
static atomic_int sample_count;

static void take_sample(uv_async_t* async) {
    (void)async;
    samples[sample_count] = wall_seconds() - sent_at;
    if (++sample_count == SAMPLES)
        uv_stop(&main_loop);
}

/* Sleeps between the sends, so that the loop is asleep too when one comes. */
static void* send_now_and_then(void* arg) {
    partner* p = arg;
    struct timespec pause = {0, 50000};
    take_side(1);
    for (int i = 0; i < SAMPLES; i++) {
        nanosleep(&pause, NULL);
        sent_at = wall_seconds();
        uv_async_send(&p->there);
        while (sample_count <= i)
            nanosleep(&pause, NULL);
    }
    return NULL;
}

static void latency(const bench_case* c) {
    partner* p = &partners[0];
    take_side(0);
    MUST(uv_loop_init(&main_loop) == 0);
    MUST(uv_async_init(&main_loop, &p->there, take_sample) == 0);
    MUST(pthread_create(&p->thread, NULL, send_now_and_then, p) == 0);
    uv_run(&main_loop, UV_RUN_DEFAULT);
    pthread_join(p->thread, NULL);
    report_latency(c, samples, SAMPLES);
}

/* The same without a loop: one thread sleeps in epoll_wait, the other writes to its eventfd. */
static int wake_fd;

static void* write_now_and_then(void* arg) {
    struct timespec pause = {0, 50000};
    (void)arg;
    take_side(1);
    for (int i = 0; i < SAMPLES; i++) {
        nanosleep(&pause, NULL);
        sent_at = wall_seconds();
        MUST(eventfd_write(wake_fd, 1) == 0);
        while (sample_count <= i)
            nanosleep(&pause, NULL);
    }
    return NULL;
}

static void latency_by_hand(const bench_case* c) {
    pthread_t thread;
    struct epoll_event event;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    take_side(0);
    MUST((wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0);
    watch(epoll, wake_fd, EPOLLIN | EPOLLET);
    MUST(pthread_create(&thread, NULL, write_now_and_then, NULL) == 0);
    while (sample_count < SAMPLES) {
        MUST(epoll_wait(epoll, &event, 1, -1) == 1);
        samples[sample_count] = wall_seconds() - sent_at;
        sample_count++;
    }
    pthread_join(thread, NULL);
    report_latency(c, samples, SAMPLES);
}

static long callbacks;

static void count_callback(uv_async_t* async) {
    (void)async;
    callbacks++;
}

static void one_among_many(const bench_case* c) {
    uv_async_t* asyncs = calloc((size_t)c->count, sizeof(*asyncs));
    MUST(asyncs != NULL && uv_loop_init(&main_loop) == 0);
    for (int i = 0; i < c->count; i++)
        MUST(uv_async_init(&main_loop, &asyncs[i], count_callback) == 0);
    long sends = 0;
    double start = cpu_seconds(), spent;
    do {
        uv_async_send(&asyncs[next_random() % (uint32_t)c->count]);
        sends++;
        while (callbacks < sends)
            uv_run(&main_loop, UV_RUN_ONCE);
        spent = cpu_seconds() - start;
    } while (spent < BENCH_WINDOW);
    report(c, "", "us/wake", spent / (double)sends * 1e6, "lower");
}

static const bench_case cases[] = {
    {"wake-pingpong-1", ping_pong, NULL, 1, 0, NULL},
    {"wake-pingpong-2", ping_pong, NULL, 2, 0, NULL},
    {"wake-pingpong-4", ping_pong, NULL, 4, 0, NULL},
    {"wake-flood-1", coalescing, coalescing_by_hand, 1, 0, NULL},
    {"wake-flood-2", coalescing, coalescing_by_hand, 2, 0, NULL},
    {"wake-flood-4", coalescing, coalescing_by_hand, 4, 0, NULL},
    {"wake-batch-1", delivered_singly, NULL, 1, 0, NULL},
    {"wake-batch-2", delivered_singly, NULL, 2, 0, NULL},
    {"wake-batch-4", delivered_singly, NULL, 4, 0, NULL},
    {"wake-latency", latency, latency_by_hand, 1, 0, NULL},
    {"wake-among-1M", one_among_many, NULL, 1000000, 0, NULL},
};
BENCH_MAIN(cases)
