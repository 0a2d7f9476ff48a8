/* The thread pool: work that does nothing, and name resolution. */
#include "common.h"

enum { IN_FLIGHT_AT_MOST = 128, TRIPS = 20000, RESTED_TRIPS = 300, LOOKUPS = 10000 };

static uv_loop_t loop;
static uv_work_t works[IN_FLIGHT_AT_MOST];
static long done;
static double end, began, samples[TRIPS];

static void do_nothing(uv_work_t* work) {
    (void)work;
}

static void queue_again(uv_work_t* work, int status) {
    static int finished;
    MUST(status == 0);
    if (++done % 256 == 0 && wall_seconds() >= end)
        finished = 1;
    if (!finished)
        MUST(uv_queue_work(&loop, work, do_nothing, queue_again) == 0);
}

static void throughput(const bench_case* c) {
    MUST(uv_loop_init(&loop) == 0);
    double start = wall_seconds(), cpu = cpu_seconds();
    end = start + BENCH_WINDOW;
    for (int i = 0; i < c->count; i++)
        MUST(uv_queue_work(&loop, &works[i], do_nothing, queue_again) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    report(c, "", "works/s", (double)done / (wall_seconds() - start), "higher");
    report(c, "cpu", "us/work", (cpu_seconds() - cpu) / (double)done * 1e6, "lower");
}

static void next_trip(uv_work_t* work, int status) {
    double now = wall_seconds();
    MUST(status == 0);
    if (began > 0)
        samples[done++] = now - began;
    if (done < TRIPS) {
        began = wall_seconds();
        MUST(uv_queue_work(&loop, work, do_nothing, next_trip) == 0);
    }
}

static void round_trip(const bench_case* c) {
    MUST(uv_loop_init(&loop) == 0);
    double cpu = cpu_seconds();
    next_trip(&works[0], 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    cpu = cpu_seconds() - cpu;
    report_latency(c, samples, TRIPS);
    report(c, "cpu", "us/trip", cpu / TRIPS * 1e6, "lower");
}

/* Back-to-back trips find threads that may still be awake; after a pause they are asleep. */
static uv_timer_t pause_timer;

static void start_rested_trip(uv_timer_t* timer);

static void rested_trip_done(uv_work_t* work, int status) {
    (void)work;
    MUST(status == 0);
    samples[done++] = wall_seconds() - began;
    if (done < RESTED_TRIPS)
        uv_timer_start(&pause_timer, start_rested_trip, 2, 0);
}

static void start_rested_trip(uv_timer_t* timer) {
    (void)timer;
    began = wall_seconds();
    MUST(uv_queue_work(&loop, &works[0], do_nothing, rested_trip_done) == 0);
}

static void rested_round_trip(const bench_case* c) {
    MUST(uv_loop_init(&loop) == 0);
    uv_timer_init(&loop, &pause_timer);
    double cpu = cpu_seconds();
    start_rested_trip(&pause_timer);
    uv_run(&loop, UV_RUN_DEFAULT);
    cpu = cpu_seconds() - cpu;
    report_latency(c, samples, RESTED_TRIPS);
    report(c, "cpu", "us/trip", cpu / RESTED_TRIPS * 1e6, "lower");
}

static void next_lookup(uv_getaddrinfo_t* request, int status, struct addrinfo* found) {
    static const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    double now = wall_seconds();
    MUST(status == 0);
    uv_freeaddrinfo(found);
    if (began > 0)
        samples[done++] = now - began;
    if (done < LOOKUPS) {
        began = wall_seconds();
        MUST(uv_getaddrinfo(&loop, request, next_lookup, "localhost", NULL, &hints) == 0);
    }
}

static void resolve(const bench_case* c) {
    static uv_getaddrinfo_t request;
    MUST(uv_loop_init(&loop) == 0);
    double cpu = cpu_seconds();
    next_lookup(&request, 0, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    cpu = cpu_seconds() - cpu;
    report_latency(c, samples, LOOKUPS);
    report(c, "cpu", "us/lookup", cpu / LOOKUPS * 1e6, "lower");
}

static const bench_case cases[] = {
    {"work-throughput", throughput, NULL, IN_FLIGHT_AT_MOST, 0, NULL},
    {"work-roundtrip", round_trip, NULL, 1, 0, NULL},
    {"work-roundtrip-rested", rested_round_trip, NULL, 1, 0, NULL},
    {"getaddrinfo", resolve, NULL, 1, 0, NULL},
};
BENCH_MAIN(cases)
