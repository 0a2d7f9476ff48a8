#include "report/metrics.h"

#include <stdlib.h>

enum {
    MOST_FUNCTIONS = 50 /* by total; each makes a row of numbers in a system of many machines */
};

const uint64_t metric_bounds[METRIC_BOUNDS] = {
    100000,   250000,    500000,    1000000,   2500000,    5000000,    10000000,   25000000,
    50000000, 100000000, 250000000, 500000000, 1000000000, 2500000000, 5000000000, 10000000000};

/* What is told of each loop. */
enum loop_metric {
    LOOP_ITERATIONS,
    LOOP_BUSY,
    LOOP_WAITING,
    LOOP_OUTSIDE,
    LOOP_LAG,
    LOOP_LATENESS,
    LOOP_METRICS
};

static const struct metric loop_metrics[LOOP_METRICS] = {
    {"phasor_loop_iterations", "", "Turns of the loop.", METRIC_COUNTER},
    {"phasor_loop_busy", "seconds", "Time in which the loop was not waiting for events.",
     METRIC_COUNTER},
    {"phasor_loop_waiting", "seconds", "Time in which the loop waited for events.", METRIC_COUNTER},
    {"phasor_loop_outside", "seconds", "Time outside of uv_run, between turns.", METRIC_COUNTER},
    {"phasor_loop_lag", "seconds",
     "Per turn, what was not waiting: how long an event may have to wait.", METRIC_TIMES},
    {"phasor_timer_lateness", "seconds", "From the moment when a timer was due to its callback.",
     METRIC_TIMES}};

static const struct metric callbacks_metric = {
    "phasor_loop_callbacks", "", "Callbacks by the phase of the loop in which they ran.",
    METRIC_COUNTER};
static const struct metric pool_metrics[] = {
    {"phasor_pool_queue_wait", "seconds", "Requests to the thread pool: from submission to start.",
     METRIC_TIMES},
    {"phasor_pool_ran", "seconds", "Requests to the thread pool: on their thread.", METRIC_TIMES},
    {"phasor_pool_way_back", "seconds",
     "Requests to the thread pool: from the end to the callback.", METRIC_TIMES}};
static const struct metric function_metric = {
    "phasor_callback", "seconds", "Callbacks by function, those that took most of the time.",
    METRIC_TIMES};
static const struct metric lost_metric = {"phasor_events_lost", "",
                                          "Events that are not in the recording.", METRIC_COUNTER};
static const struct metric length_metric = {"phasor_recording", "seconds",
                                            "How long the recording is.", METRIC_GAUGE};

static struct metric_times times_of(const struct histogram* histogram) {
    struct metric_times times = {
        histogram->count, histogram->sum, histogram->least, histogram->most, {0}};
    for (size_t i = 0; i < METRIC_BOUNDS; i++)
        times.up_to[i] = histogram_up_to(histogram, metric_bounds[i]);
    return times;
}

static void give_loop_point(const struct loop_stats* loop, enum loop_metric which,
                            const struct metric_sink* sink, struct metric_point* point) {
    uint64_t busy = loop->time > loop->waited ? loop->time - loop->waited : 0;
    const double values[LOOP_METRICS] = {[LOOP_ITERATIONS] = (double)loop->iterations,
                                         [LOOP_BUSY] = (double)busy / 1e9,
                                         [LOOP_WAITING] = (double)loop->waited / 1e9,
                                         [LOOP_OUTSIDE] = (double)loop->outside / 1e9};
    point->value = values[which];
    struct metric_times times = times_of(which == LOOP_LATENESS ? &loop->lateness : &loop->lag);
    point->times = &times;
    sink->point(sink->context, &loop_metrics[which], point);
}

static void give_callbacks(const struct report* report, const struct metric_sink* sink) {
    sink->begin(sink->context, &callbacks_metric);
    for (size_t i = 0; i < report->loop_count; i++)
        for (unsigned k = 0; k < PH_PHASE_COUNT; k++) {
            const char* name = report->model.tracks[report->loops[i].track].name;
            struct metric_point point = {.labels = {{"loop", name}, {"phase", phase_name(k)}},
                                         .value = (double)report->loops[i].phase_callbacks[k]};
            sink->point(sink->context, &callbacks_metric, &point);
        }
    sink->end(sink->context, &callbacks_metric);
}

static void give_functions(const struct report* report, const struct metric_sink* sink) {
    char name[1200];
    size_t count;
    struct function_stats* functions = report_merge_functions(report, &count);
    sink->begin(sink->context, &function_metric);
    for (size_t i = 0; i < count && i < MOST_FUNCTIONS; i++) {
        const struct span* span = &functions[i].worst.span;
        const char* function = report_function(report, span, name, sizeof(name));
        struct metric_times times = times_of(&functions[i].time);
        struct metric_point point = {
            .labels = {{"function", function}, {"kind", callback_name(span->callback)}},
            .times = &times};
        sink->point(sink->context, &function_metric, &point);
    }
    sink->end(sink->context, &function_metric);
    report_free_functions(functions, count);
}

static void give_one(const struct metric_sink* sink, const struct metric* metric, double value,
                     const struct histogram* histogram) {
    struct metric_times times = {0};
    if (histogram != NULL)
        times = times_of(histogram);
    struct metric_point point = {.value = value, .times = &times};
    sink->begin(sink->context, metric);
    sink->point(sink->context, metric, &point);
    sink->end(sink->context, metric);
}

static void give_report(const void* context, const struct metric_sink* sink) {
    const struct report* report = context;
    give_one(sink, &length_metric, (double)report_duration(report) / 1e9, NULL);
    give_one(sink, &lost_metric, (double)report->model.lost, NULL);
    for (unsigned which = 0; which < LOOP_METRICS && report->loop_count > 0; which++) {
        sink->begin(sink->context, &loop_metrics[which]);
        for (size_t i = 0; i < report->loop_count; i++) {
            const char* name = report->model.tracks[report->loops[i].track].name;
            struct metric_point point = {.labels = {{"loop", name}}};
            give_loop_point(&report->loops[i], which, sink, &point);
        }
        sink->end(sink->context, &loop_metrics[which]);
    }
    if (report->loop_count > 0)
        give_callbacks(report, sink);
    give_one(sink, &pool_metrics[0], 0, &report->pool.queued);
    give_one(sink, &pool_metrics[1], 0, &report->pool.ran);
    give_one(sink, &pool_metrics[2], 0, &report->pool.returned);
    if (report->function_count > 0)
        give_functions(report, sink);
}

void report_write_prometheus(const struct report* report, FILE* out) {
    metrics_write_prometheus(give_report, report, out);
}

uint64_t report_unix_time(const struct report* report, uint64_t time) {
    const struct ph_trace_header* header = &report->file->header;
    return header->wall_clock + (report->model.began - header->clock) + time;
}

void report_write_otlp_metrics(const struct report* report, FILE* out) {
    char* command = trace_file_command(report->file);
    char* executable = trace_file_info(report->file, "executable");
    const struct model* model = &report->model;
    uint64_t from = model->from > model->first ? model->from : model->first;
    struct metric_origin origin = {.program = executable != NULL ? executable : command,
                                   .command = command,
                                   .pid = report->file->header.pid,
                                   .from = report_unix_time(report, from),
                                   .to = report_unix_time(report, from + report_duration(report))};
    metrics_write_otlp(&origin, give_report, report, out);
    free(command);
    free(executable);
}
