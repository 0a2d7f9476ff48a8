/* Metrics in the text format that Prometheus reads. */

#include <stdlib.h>

#include "report/metrics.h"

/* A value of a label, or a help text: valid whatever the bytes are. */
static void write_escaped(const char* text, FILE* out) {
    char* safe = NULL;
    size_t size = 0;
    FILE* memory = open_memstream(&safe, &size);
    if (memory == NULL)
        return;
    report_print_safe(memory, text);
    fclose(memory);
    for (const char* c = safe; *c != '\0'; c++)
        if (*c == '\\' || *c == '"')
            fprintf(out, "\\%c", *c);
        else
            fputc(*c, out);
    free(safe);
}

static void write_name(const struct metric* metric, FILE* out) {
    fprintf(out, "%s%s%s%s", metric->name, *metric->unit != '\0' ? "_" : "", metric->unit,
            metric->kind == METRIC_COUNTER ? "_total" : "");
}

/* {loop="main loop",le="0.1"}; nothing if there are none. */
static void write_labels(const struct metric_point* point, const char* last, FILE* out) {
    const char* mark = "{";
    for (size_t i = 0; i <= METRIC_LABELS; i++) {
        struct metric_label label = {last != NULL ? "le" : NULL, last};
        if (i < METRIC_LABELS)
            label = point->labels[i];
        if (label.name == NULL)
            continue;
        fprintf(out, "%s%s=\"", mark, label.name);
        write_escaped(label.value, out);
        fputc('"', out);
        mark = ",";
    }
    fputs(*mark == ',' ? "}" : "", out);
}

static void begin(void* context, const struct metric* metric) {
    static const char* const kinds[] = {"counter", "gauge", "histogram"};
    FILE* out = context;
    fputs("# HELP ", out);
    write_name(metric, out);
    fprintf(out, " %s\n# TYPE ", metric->help);
    write_name(metric, out);
    fprintf(out, " %s\n", kinds[metric->kind]);
}

static void write_line(const struct metric* metric, const char* part,
                       const struct metric_point* point, const char* last, double value,
                       FILE* out) {
    write_name(metric, out);
    fputs(part, out);
    write_labels(point, last, out);
    fprintf(out, " %.12g\n", value);
}

static void point(void* context, const struct metric* metric, const struct metric_point* point) {
    FILE* out = context;
    char bound[32];
    if (metric->kind != METRIC_TIMES) {
        write_line(metric, "", point, NULL, point->value, out);
        return;
    }
    for (size_t i = 0; i < METRIC_BOUNDS; i++) {
        snprintf(bound, sizeof(bound), "%g", (double)metric_bounds[i] / 1e9);
        write_line(metric, "_bucket", point, bound, (double)point->times->up_to[i], out);
    }
    write_line(metric, "_bucket", point, "+Inf", (double)point->times->count, out);
    write_line(metric, "_sum", point, NULL, (double)point->times->sum / 1e9, out);
    write_line(metric, "_count", point, NULL, (double)point->times->count, out);
}

static void end(void* context, const struct metric* metric) {
    (void)context, (void)metric;
}

void metrics_write_prometheus(metric_source* source, const void* context, FILE* out) {
    struct metric_sink sink = {out, begin, point, end};
    source(context, &sink);
}
