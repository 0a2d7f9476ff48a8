#ifndef PH_TOOLS_METRICS_H
#define PH_TOOLS_METRICS_H

/* The figures of a report as metrics, each once: what Prometheus and OpenTelemetry are told. */

#include "report/report.h"

enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_TIMES };

/* One value of a metric; a label without a name is not there. */
struct metric_point {
    const char* label;
    const char* label_value;
    const char* second_label;
    const char* second_value;
    double value;                  /* seconds, or a number */
    const struct histogram* times; /* METRIC_TIMES; ns */
};

struct metric {
    const char* name; /* "loop_lag": words with _ between them */
    const char* unit; /* "seconds", "" */
    const char* help;
    enum metric_kind kind;
};

/* The bounds of the buckets that histograms are given in: ns. */
enum { METRIC_BOUNDS = 16 };
extern const uint64_t metric_bounds[METRIC_BOUNDS];

/* Called for each metric, and for each of its points after that. */
struct metric_sink {
    void* context;
    void (*begin)(void* context, const struct metric* metric);
    void (*point)(void* context, const struct metric* metric, const struct metric_point* point);
    void (*end)(void* context, const struct metric* metric);
};

void metrics_give(const struct report* report, const struct metric_sink* sink);

/* For Prometheus: text. */
void report_write_prometheus(const struct report* report, FILE* out);
/* For OpenTelemetry: one JSON object each, in one line. */
void report_write_otlp_metrics(const struct report* report, FILE* out);
void report_write_otlp_spans(const struct report* report, FILE* out);

#endif
