/* Timers: starting and firing a million; restarting random ones among many. CPU time throughout. */
#include "common.h"

static int fired;

static void on_timer(uv_timer_t* timer) {
    (void)timer;
    fired++;
}

static uv_timer_t* init_timers(uv_loop_t* loop, int count) {
    size_t bytes = (size_t)count * sizeof(uv_timer_t);
    void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    MUST(memory != MAP_FAILED);
    uv_timer_t* timers = memory;
    MUST(uv_loop_init(loop) == 0);
    for (int i = 0; i < count; i++)
        uv_timer_init(loop, &timers[i]);
    return timers;
}

static void start_and_fire(const bench_case* c) {
    uv_loop_t loop;
    uv_timer_t* timers = init_timers(&loop, c->count);
    double start = cpu_seconds();
    for (int i = 0; i < c->count; i++)
        uv_timer_start(&timers[i], on_timer, 1 + next_random() % 1000, 0);
    double started = cpu_seconds();
    uv_run(&loop, UV_RUN_DEFAULT);
    MUST(fired == c->count);
    report(c, "start", "ns/timer", (started - start) / c->count * 1e9, "lower");
    report(c, "fire", "ns/timer", (cpu_seconds() - started) / c->count * 1e9, "lower");
}

/* Timeouts between one and two minutes: like those of connections, none is due meanwhile. */
enum { SOONEST = 60000, SPREAD = 60000 };

/* One change is a stop and a start, or a start of a running timer. */
static void change_timers(uv_loop_t* loop, uv_timer_t* timers, const choice* choices, int changes) {
    for (int i = 0; i < changes; i++) {
        uv_timer_t* timer = &timers[choices[i].which];
        if (i % 2 == 0)
            uv_timer_stop(timer);
        uv_timer_start(timer, on_timer, SOONEST + choices[i].how, 0);
        if (i % 64 == 0)
            uv_run(loop, UV_RUN_NOWAIT);
    }
}

static void churn(const bench_case* c) {
    int changes = c->count > 1000000 ? 400000 : c->count > 1000 ? 800000 : 4000000;
    uv_loop_t loop;
    uv_timer_t* timers = init_timers(&loop, c->count);
    for (int i = 0; i < c->count; i++)
        uv_timer_start(&timers[i], on_timer, SOONEST + next_random() % SPREAD, 0);
    const choice* choices = draw_choices(changes, (uint32_t)c->count, SPREAD);
    double start = cpu_seconds();
    change_timers(&loop, timers, choices, changes);
    report(c, "", "ns/change", (cpu_seconds() - start) / changes * 1e9, "lower");
}

static const bench_case cases[] = {
    {"timers-1M", start_and_fire, NULL, 1000000, 0, NULL},
    {"timers-churn-1k", churn, NULL, 1000, 0, NULL},
    {"timers-churn-1M", churn, NULL, 1000000, 0, NULL},
    {"timers-churn-10M", churn, NULL, 10000000, 3, NULL},
};
BENCH_MAIN(cases)
