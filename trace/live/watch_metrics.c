/* What is counted of the loops that are watched: under OpenTelemetry's names for the event loop of
 * Node, and our own for what it has none for. */

#include <math.h>

#include "live/post.h"
#include "live/watch_inside.h"
#include "read/memory.h"
#include "report/metrics.h"

/* Of the last 10 to 20 s. */
enum recent_metric {
    DELAY_MIN,
    DELAY_MAX,
    DELAY_MEAN,
    DELAY_STDDEV,
    DELAY_P50,
    DELAY_P90,
    DELAY_P99,
    UTILIZATION,
    RECENT_METRICS
};

static const struct metric recent_metrics[RECENT_METRICS] = {
    {"nodejs_eventloop_delay_min", "seconds", "Event loop minimum delay.", METRIC_GAUGE},
    {"nodejs_eventloop_delay_max", "seconds", "Event loop maximum delay.", METRIC_GAUGE},
    {"nodejs_eventloop_delay_mean", "seconds", "Event loop mean delay.", METRIC_GAUGE},
    {"nodejs_eventloop_delay_stddev", "seconds", "Event loop standard deviation delay.",
     METRIC_GAUGE},
    {"nodejs_eventloop_delay_p50", "seconds", "Event loop 50 percentile delay.", METRIC_GAUGE},
    {"nodejs_eventloop_delay_p90", "seconds", "Event loop 90 percentile delay.", METRIC_GAUGE},
    {"nodejs_eventloop_delay_p99", "seconds", "Event loop 99 percentile delay.", METRIC_GAUGE},
    {"nodejs_eventloop_utilization", "ratio", "Event loop utilization.", METRIC_GAUGE}};

static const struct metric time_metric = {
    "nodejs_eventloop_time", "seconds",
    "Cumulative duration of time the event loop has been in each state.", METRIC_COUNTER};

enum total_metric { TOTAL_ITERATIONS, TOTAL_STALLS, TOTAL_STALLED, TOTAL_LAG, TOTAL_METRICS };

static const struct metric total_metrics[TOTAL_METRICS] = {
    {"phasor_loop_iterations", "", "Turns of the loop.", METRIC_COUNTER},
    {"phasor_loop_stalls", "", "Turns that kept the loop busy for longer than the limit.",
     METRIC_COUNTER},
    {"phasor_loop_stalled", "seconds", "Time in those turns, without the waiting.", METRIC_COUNTER},
    {"phasor_loop_lag", "seconds",
     "Per turn, what was not waiting: how long an event may have to wait.", METRIC_TIMES}};

static const struct metric moments_metric = {
    "phasor_watch_moments", "", "Stalls of which a recording was kept.", METRIC_COUNTER};
static const struct metric missed_metric = {
    "phasor_watch_missed", "", "Times that events were overwritten before they were counted.",
    METRIC_COUNTER};

/* Which processes' figures are given. */
struct chosen {
    const struct watch* watch;
    const struct watched* only; /* NULL: of all */
};

static double in_seconds(uint64_t ns) {
    return (double)ns / 1e9;
}

static double recent_value(const struct followed_loop* loop, enum recent_metric which) {
    uint64_t active = loop->recent_active[0] + loop->recent_active[1];
    uint64_t idle = loop->recent_idle[0] + loop->recent_idle[1];
    if (which == UTILIZATION)
        return active + idle > 0 ? (double)active / (double)(active + idle) : 0;
    struct histogram times = follow_recent(loop);
    double count = times.count > 0 ? (double)times.count : 1;
    double mean = in_seconds(times.sum) / count;
    double variance = (loop->squares[0] + loop->squares[1]) / count - mean * mean;
    const double values[RECENT_METRICS] = {[DELAY_MIN] = in_seconds(times.least),
                                           [DELAY_MAX] = in_seconds(times.most),
                                           [DELAY_MEAN] = mean,
                                           [DELAY_STDDEV] = sqrt(variance > 0 ? variance : 0),
                                           [DELAY_P50] = in_seconds(histogram_at(&times, 0.5)),
                                           [DELAY_P90] = in_seconds(histogram_at(&times, 0.9)),
                                           [DELAY_P99] = in_seconds(histogram_at(&times, 0.99))};
    histogram_free(&times);
    return values[which];
}

typedef void give_loop(const struct followed_loop* loop, unsigned which,
                       const struct metric* metric, struct metric_point* point,
                       const struct metric_sink* sink);

static void give_recent(const struct followed_loop* loop, unsigned which,
                        const struct metric* metric, struct metric_point* point,
                        const struct metric_sink* sink) {
    point->value = recent_value(loop, which);
    sink->point(sink->context, metric, point);
}

static void give_time(const struct followed_loop* loop, unsigned which, const struct metric* metric,
                      struct metric_point* point, const struct metric_sink* sink) {
    (void)which;
    point->labels[2] = (struct metric_label){"nodejs_eventloop_state", "active"};
    point->value = in_seconds(loop->active);
    sink->point(sink->context, metric, point);
    point->labels[2].value = "idle";
    point->value = in_seconds(loop->idle);
    sink->point(sink->context, metric, point);
}

static void give_total(const struct followed_loop* loop, unsigned which,
                       const struct metric* metric, struct metric_point* point,
                       const struct metric_sink* sink) {
    const double values[TOTAL_METRICS] = {[TOTAL_ITERATIONS] = (double)loop->iterations,
                                          [TOTAL_STALLS] = (double)loop->stalls,
                                          [TOTAL_STALLED] = in_seconds(loop->stalled)};
    point->value = values[which];
    point->times = &loop->lag;
    sink->point(sink->context, metric, point);
}

/* One metric, of all loops that are chosen. */
static void give_metric(const struct chosen* chosen, const struct metric* metric, unsigned which,
                        give_loop* give, const struct metric_sink* sink) {
    char pid[16];
    sink->begin(sink->context, metric);
    for (size_t i = 0; i < chosen->watch->count; i++) {
        const struct watched* watched = chosen->watch->all[i];
        if (chosen->only != NULL && chosen->only != watched)
            continue;
        snprintf(pid, sizeof(pid), "%u", watched->follow.header.pid);
        for (size_t k = 0; k < watched->follow.loop_count; k++) {
            const struct followed_loop* loop = &watched->follow.loops[k];
            struct metric_point point = {.labels = {{"pid", pid}, {"loop", loop->name}}};
            give(loop, which, metric, &point, sink);
        }
    }
    sink->end(sink->context, metric);
}

static void give_one(const struct metric* metric, uint64_t value, const struct metric_sink* sink) {
    struct metric_point point = {.value = (double)value};
    sink->begin(sink->context, metric);
    sink->point(sink->context, metric, &point);
    sink->end(sink->context, metric);
}

static void give_all(const void* context, const struct metric_sink* sink) {
    const struct chosen* chosen = context;
    uint64_t missed = 0;
    for (unsigned i = 0; i < RECENT_METRICS; i++)
        give_metric(chosen, &recent_metrics[i], i, give_recent, sink);
    give_metric(chosen, &time_metric, 0, give_time, sink);
    for (unsigned i = 0; i < TOTAL_METRICS; i++)
        give_metric(chosen, &total_metrics[i], i, give_total, sink);
    for (size_t i = 0; i < chosen->watch->count; i++)
        missed += chosen->watch->all[i]->follow.missed;
    give_one(&moments_metric, chosen->watch->moments, sink);
    give_one(&missed_metric, missed, sink);
}

void watch_write_metrics(const struct watch* watch, FILE* out) {
    struct chosen all = {.watch = watch};
    metrics_write_prometheus(give_all, &all, out);
}

void watch_send_metrics(const struct watch* watch) {
    for (size_t i = 0; i < watch->count; i++) {
        const struct watched* watched = watch->all[i];
        struct chosen chosen = {watch, watched};
        struct metric_origin origin = {.program =
                                           watched->program != NULL ? watched->program : "program",
                                       .command = watched->command != NULL ? watched->command : "",
                                       .pid = watched->follow.header.pid,
                                       .from = watch->began,
                                       .to = watch_wall_clock()};
        char error[2400], *text = NULL;
        size_t size = 0;
        FILE* memory = must(open_memstream(&text, &size));
        metrics_write_otlp(&origin, give_all, &chosen, memory);
        fclose(memory);
        if (!post_json(watch->options->otlp, "/v1/metrics", text, size, error, sizeof(error)))
            fprintf(stderr, "phasor watch: %s\n", error);
        free(text);
    }
}
