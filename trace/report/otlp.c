/* Metrics and spans as OpenTelemetry's JSON: names in camelCase, 64-bit numbers as text, ids in
 * hexadecimal, times in ns since 1970. */

#include <inttypes.h>

#include "read/memory.h"
#include "report/metrics.h"
#include "report/routes.h"

enum {
    LONG_NS = 10000000, /* a callback that is worth a span */
    MOST_SPANS = 10000,
    CUMULATIVE = 2, /* AGGREGATION_TEMPORALITY_CUMULATIVE */
    INTERNAL = 1,   /* SPAN_KIND_INTERNAL */
    SERVER = 2      /* SPAN_KIND_SERVER */
};

struct writer {
    const struct report* report; /* NULL where metrics are of something else */
    const struct metric_origin* origin;
    FILE* out;
    const char* comma;       /* before the next metric, or span */
    const char* point_comma; /* before the next point */
    uint64_t spans;
    uint64_t last_turn; /* the id of the span that was written for it, by start: */
    uint64_t last_start;
};

static void write_attribute(FILE* out, const char* comma, const char* key, const char* value) {
    fprintf(out, "%s{\"key\":\"%s\",\"value\":{\"stringValue\":", comma, key);
    report_print_json(out, value);
    fputs("}}", out);
}

static void write_number(FILE* out, const char* key, uint64_t value) {
    fprintf(out, ",{\"key\":\"%s\",\"value\":{\"intValue\":\"%" PRIu64 "\"}}", key, value);
}

/* Who it is about, and who says it. */
static void write_origin(const struct metric_origin* origin, const char* scope, FILE* out) {
    const char* slash = strrchr(origin->program, '/');
    fputs("{\"resource\":{\"attributes\":[", out);
    write_attribute(out, "", "service.name", slash != NULL ? slash + 1 : origin->program);
    write_attribute(out, ",", "process.command_line", origin->command);
    write_number(out, "process.pid", origin->pid);
    fprintf(out, "]},\"%s\":[{\"scope\":{\"name\":\"phasor\",\"version\":\"" PHASOR_VERSION "\"}",
            scope);
}

/* Metrics */

static void write_dotted(const char* name, FILE* out) {
    for (const char* c = name; *c != '\0'; c++)
        fputc(*c == '_' ? '.' : *c, out);
}

static void begin(void* context, const struct metric* metric) {
    struct writer* to = context;
    fprintf(to->out, "%s{\"name\":\"", to->comma);
    write_dotted(metric->name, to->out);
    fputs("\",\"description\":", to->out);
    report_print_json(to->out, metric->help);
    fprintf(to->out, ",\"unit\":\"%s\",", strcmp(metric->unit, "seconds") == 0 ? "s" : "1");
    if (metric->kind == METRIC_TIMES)
        fprintf(to->out, "\"histogram\":{\"aggregationTemporality\":%d,", CUMULATIVE);
    else if (metric->kind == METRIC_COUNTER)
        fprintf(to->out, "\"sum\":{\"aggregationTemporality\":%d,\"isMonotonic\":true,",
                CUMULATIVE);
    else
        fputs("\"gauge\":{", to->out);
    fputs("\"dataPoints\":[", to->out);
    to->comma = ",";
    to->point_comma = "";
}

static void write_times(const struct metric_times* times, FILE* out) {
    uint64_t before = 0;
    fprintf(out, "\"count\":\"%" PRIu64 "\",\"sum\":%.9f", times->count, (double)times->sum / 1e9);
    if (times->count > 0)
        fprintf(out, ",\"min\":%.9f,\"max\":%.9f", (double)times->least / 1e9,
                (double)times->most / 1e9);
    fputs(",\"bucketCounts\":[", out);
    for (size_t i = 0; i <= METRIC_BOUNDS; i++) {
        uint64_t up_to = i < METRIC_BOUNDS ? times->up_to[i] : times->count;
        fprintf(out, "%s\"%" PRIu64 "\"", i > 0 ? "," : "", up_to - before);
        before = up_to;
    }
    fputs("],\"explicitBounds\":[", out);
    for (size_t i = 0; i < METRIC_BOUNDS; i++)
        fprintf(out, "%s%g", i > 0 ? "," : "", (double)metric_bounds[i] / 1e9);
    fputc(']', out);
}

static void point(void* context, const struct metric* metric, const struct metric_point* point) {
    struct writer* to = context;
    const char* comma = "";
    fprintf(to->out, "%s{\"attributes\":[", to->point_comma);
    to->point_comma = ",";
    for (size_t i = 0; i < METRIC_LABELS && point->labels[i].name != NULL; i++) {
        fprintf(to->out, "%s{\"key\":\"", comma);
        write_dotted(point->labels[i].name, to->out);
        fputs("\",\"value\":{\"stringValue\":", to->out);
        report_print_json(to->out, point->labels[i].value);
        fputs("}}", to->out);
        comma = ",";
    }
    fprintf(to->out, "],\"startTimeUnixNano\":\"%" PRIu64 "\",\"timeUnixNano\":\"%" PRIu64 "\",",
            to->origin->from, to->origin->to);
    if (metric->kind == METRIC_TIMES)
        write_times(point->times, to->out);
    else
        fprintf(to->out, "\"asDouble\":%.12g", point->value);
    fputc('}', to->out);
}

static void end(void* context, const struct metric* metric) {
    (void)metric;
    fputs("]}}", ((struct writer*)context)->out);
}

void metrics_write_otlp(const struct metric_origin* origin, metric_source* source,
                        const void* context, FILE* out) {
    struct writer to = {.origin = origin, .out = out, .comma = ""};
    struct metric_sink sink = {&to, begin, point, end};
    fputs("{\"resourceMetrics\":[", out);
    write_origin(origin, "scopeMetrics", out);
    fputs(",\"metrics\":[", out);
    source(context, &sink);
    fputs("]}]}]}\n", out);
}

/* Spans */

/* The same for a span whichever part of a recording it is read from. */
static uint64_t span_id(const struct report* report, const struct span* span) {
    uint64_t start = report_unix_time(report, span->start);
    uint64_t mixed = (start << 5 | span->kind) * 0x9e3779b97f4a7c15u;
    return (mixed ^ mixed >> 32 ^ (uint64_t)span->track << 48) | 1;
}

/* Where a span stands: in which trace, and below which span of it. */
struct trace_place {
    uint64_t high, low;
    uint64_t parent;
    bool has_parent;
};

/* A recording is one trace. */
static struct trace_place own_trace(const struct report* report, uint64_t parent) {
    const struct ph_trace_header* header = &report->file->header;
    return (struct trace_place){header->wall_clock | 1,
                                (uint64_t)header->pid << 32 | header->parent_pid, parent,
                                parent != 0};
}

/* Up to its attributes, of which the loop is the first. */
static void begin_span(struct writer* to, uint64_t id, struct trace_place place, int kind,
                       const char* name, uint64_t start, uint64_t end, uint16_t track) {
    fprintf(to->out,
            "%s{\"traceId\":\"%016" PRIx64 "%016" PRIx64 "\",\"spanId\":\"%016" PRIx64 "\",",
            to->comma, place.high, place.low, id);
    if (place.has_parent)
        fprintf(to->out, "\"parentSpanId\":\"%016" PRIx64 "\",", place.parent);
    fputs("\"name\":", to->out);
    report_print_json(to->out, name);
    fprintf(to->out,
            ",\"kind\":%d,\"startTimeUnixNano\":\"%" PRIu64 "\",\"endTimeUnixNano\":\"%" PRIu64
            "\",\"attributes\":[",
            kind, report_unix_time(to->report, start), report_unix_time(to->report, end));
    write_attribute(to->out, "", "loop", to->report->model.tracks[track].name);
}

static void end_span(struct writer* to) {
    fputs("]}", to->out);
    to->comma = ",";
    to->spans++;
}

static void write_span(struct writer* to, const struct span* span, uint64_t parent,
                       const char* name) {
    begin_span(to, span_id(to->report, span), own_trace(to->report, parent), INTERNAL, name,
               span->start, span->end, span->track);
    write_number(to->out, "thread.id", (uint64_t)to->report->model.tracks[span->track].tid);
    if (span->has_shares) {
        write_number(to->out, "cpu.on_ns", span->ran);
        write_number(to->out, "cpu.waited_ns", span->queued);
    }
    end_span(to);
}

/* Callbacks that kept a loop for long, inside the turns in which they did. */
static void on_unit(void* context, const struct model* model, const struct span* unit,
                    size_t count) {
    struct writer* to = context;
    char label[1400];
    for (size_t i = 0; i < count && to->spans < MOST_SPANS; i++) {
        const struct span* span = &unit[i];
        const struct span* turn = span_outer_of_kind(unit, span, SPAN_ITERATION);
        if (span->kind != SPAN_CALLBACK || span->end - span->start < LONG_NS ||
            model->tracks[span->track].kind != TRACK_LOOP ||
            span_outer_of_kind(unit, span, SPAN_CALLBACK) != NULL)
            continue;
        if (turn != NULL && (to->last_turn == 0 || to->last_start != turn->start)) {
            snprintf(label, sizeof(label), "turn %" PRId64, turn->value);
            write_span(to, turn, 0, label);
            to->last_turn = span_id(to->report, turn);
            to->last_start = turn->start;
        }
        report_label(to->report, span, label, sizeof(label));
        write_span(to, span, turn != NULL ? to->last_turn : 0, label);
    }
}

/* Requests that took long, or belong to a trace that began elsewhere: in that one. */
static void on_exchange(void* context, const struct model* model, const struct exchange* exchange) {
    struct writer* to = context;
    bool joins = exchange->trace[0] != 0 || exchange->trace[1] != 0;
    struct trace_place place =
        joins ? (struct trace_place){exchange->trace[0], exchange->trace[1], exchange->parent, true}
              : own_trace(to->report, 0);
    struct span span = {.start = exchange->born, .track = (uint16_t)(exchange->number & 0x7fff)};
    (void)model;
    if (exchange->track == NO_TRACK || exchange->ended < exchange->born ||
        (!joins && exchange->ended - exchange->born < LONG_NS) || to->spans >= MOST_SPANS)
        return;
    begin_span(to, span_id(to->report, &span), place, SERVER,
               report_route_name(to->report, exchange->name), exchange->born, exchange->ended,
               exchange->track);
    write_number(to->out, "http.response.status_code", exchange->status);
    write_number(to->out, "phasor.own_ns", exchange->own);
    write_number(to->out, "phasor.loop_waited_ns", exchange->waited);
    write_number(to->out, "phasor.pool_queue_ns", exchange->queued);
    end_span(to);
}

void report_write_otlp_spans(const struct report* report, FILE* out) {
    struct writer to = {.report = report, .out = out, .comma = ""};
    struct model_sink sink = {&to, on_unit, NULL, NULL, on_exchange};
    struct model model;
    char* command = trace_file_command(report->file);
    char* executable = trace_file_info(report->file, "executable");
    struct metric_origin origin = {.program = executable != NULL ? executable : command,
                                   .command = command,
                                   .pid = report->file->header.pid};
    fputs("{\"resourceSpans\":[", out);
    write_origin(&origin, "scopeSpans", out);
    free(command);
    free(executable);
    fputs(",\"spans\":[", out);
    model_run(&model, report->file, report->model.from, report->model.to, &sink);
    model_free(&model);
    fputs("]}]}]}\n", out);
}
