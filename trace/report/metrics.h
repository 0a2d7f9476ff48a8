#ifndef PH_TOOLS_METRICS_H
#define PH_TOOLS_METRICS_H

/* The figures of a report as metrics, each once: what Prometheus and OpenTelemetry are told. */

#include "report/report.h"

enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_TIMES };

/* The bounds of the buckets that durations are given in: ns. */
enum { METRIC_BOUNDS = 16, METRIC_LABELS = 3 };
extern const uint64_t metric_bounds[METRIC_BOUNDS];

/* Durations, ns. */
struct metric_times {
    uint64_t count;
    uint64_t sum;
    uint64_t least;
    uint64_t most;
    uint64_t up_to[METRIC_BOUNDS]; /* how many are at most that long */
};

struct metric_label {
    const char* name; /* NULL: there is none */
    const char* value;
};

/* One value of a metric. */
struct metric_point {
    struct metric_label labels[METRIC_LABELS];
    double value;                     /* seconds, or a number */
    const struct metric_times* times; /* METRIC_TIMES */
};

struct metric {
    const char* name; /* "phasor_loop_lag": words with _ between them */
    const char* unit; /* "seconds", "ratio", "" */
    const char* help;
    enum metric_kind kind;
};

/* Called for each metric, and for each of its points after that. */
struct metric_sink {
    void* context;
    void (*begin)(void* context, const struct metric* metric);
    void (*point)(void* context, const struct metric* metric, const struct metric_point* point);
    void (*end)(void* context, const struct metric* metric);
};

/* Whoever has figures gives them. */
typedef void metric_source(const void* context, const struct metric_sink* sink);
void metrics_write_prometheus(metric_source* source, const void* context, FILE* out);

/* Of which process they are, and of which time: ns since 1970. */
struct metric_origin {
    const char* program; /* a path */
    const char* command;
    uint32_t pid;
    uint64_t from;
    uint64_t to;
};
void metrics_write_otlp(const struct metric_origin* origin, metric_source* source,
                        const void* context, FILE* out);

/* For Prometheus: text. */
void report_write_prometheus(const struct report* report, FILE* out);
/* For OpenTelemetry: one JSON object each, in one line. */
void report_write_otlp_metrics(const struct report* report, FILE* out);
/* ns since 1970, of a time of the report's. */
uint64_t report_unix_time(const struct report* report, uint64_t time);
void report_write_otlp_spans(const struct report* report, FILE* out);

#endif
