/* `--json`: the report for programs. Times are in ns. */

#include <inttypes.h>

#include "read/memory.h"
#include "report/report.h"
#include "report/routes.h"

static void write_samples(const char* name, const struct histogram* samples, FILE* out) {
    fprintf(out,
            "\"%s\": {\"count\": %" PRIu64 ", \"median\": %" PRIu64 ", \"p99\": %" PRIu64
            ", \"worst\": %" PRIu64 ", \"sum\": %" PRIu64 "}",
            name, samples->count, histogram_at(samples, 0.5), histogram_at(samples, 0.99),
            samples->most, samples->sum);
}

/* When the longest callbacks of a loop began, and what they took. */
static void write_longest_of(const struct loop_stats* loop, FILE* out) {
    fputs(",\n    \"longest\": [", out);
    for (size_t i = 0; i < loop->longest_count; i++) {
        const struct span* span = &loop->longest[i].span;
        fprintf(out, "%s{\"start\": %" PRIu64 ", \"duration\": %" PRIu64 "}", i > 0 ? ", " : "",
                span->start, span->end - span->start);
    }
    fputc(']', out);
}

static void write_loop(const struct report* report, const struct loop_stats* loop, FILE* out) {
    uint64_t busy = loop->time > loop->waited ? loop->time - loop->waited : 0;
    fprintf(out, "{\"name\": ");
    report_print_json(out, report->model.tracks[loop->track].name);
    fprintf(out,
            ", \"track\": %u, \"thread\": %d, \"utilisation\": %.6f, \"busy\": %" PRIu64
            ", \"waiting\": %" PRIu64 ", \"iterations\": %" PRIu64 ", \"callbacks\": %" PRIu64
            ", \"ticks\": %" PRIu64 ", \"microtasks\": %" PRIu64 ", \"worstIteration\": %" PRId64
            ",\n    \"phases\": {",
            loop->track, report->model.tracks[loop->track].tid, report_utilisation(loop), busy,
            loop->waited, loop->iterations, loop->callbacks, loop->ticks, loop->microtasks,
            loop->worst_lag.value);
    for (unsigned i = 0; i < PH_PHASE_COUNT; i++)
        fprintf(out, "%s\"%s\": {\"time\": %" PRIu64 ", \"callbacks\": %" PRIu64 "}",
                i > 0 ? ", " : "", phase_name(i), loop->phase_time[i], loop->phase_callbacks[i]);
    fprintf(out, "},\n    ");
    write_samples("lag", &loop->lag, out);
    fprintf(out, ", ");
    write_samples("timerLateness", &loop->lateness, out);
    fprintf(out,
            ",\n    \"outside\": {\"count\": %" PRIu64 ", \"sum\": %" PRIu64 ", \"worst\": %" PRIu64
            "}, \"processor\": {\"known\": %" PRIu64 ", \"on\": %" PRIu64
            ", \"waitedFor\": %" PRIu64 "}",
            loop->outside_count, loop->outside, loop->outside_worst.end - loop->outside_worst.start,
            loop->accounted, loop->ran, loop->queued);
    write_longest_of(loop, out);
    report_write_start_up(report, loop, out);
    fprintf(out,
            ",\n    \"polls\": {\"count\": %" PRIu64 ", \"askedToSleep\": %" PRIu64
            ", \"withEvents\": %" PRIu64 ", \"events\": %" PRIu64 ", \"wakeUps\": %" PRIu64 "}}",
            loop->waits, loop->blocking_waits, loop->waits_with_events, loop->events, loop->wakes);
}

/* Of a function that a runtime has named: the parts, with the whole path. */
static void write_place(const struct trace_name* name, FILE* out) {
    if (name == NULL)
        return;
    fputs(", \"name\": ", out);
    report_print_json(out, name->function != NULL ? name->function : "");
    fputs(", \"file\": ", out);
    report_print_json(out, name->file != NULL ? name->file : "");
    fprintf(out, ", \"line\": %u", name->line);
}

static void write_shares(const struct span* span, FILE* out) {
    if (span->has_shares)
        fprintf(out, ", \"onCpu\": %" PRIu64 ", \"waitedForCpu\": %" PRIu64, span->ran,
                span->queued);
}

static void write_longest(const struct report* report, FILE* out) {
    char name[1200];
    for (size_t i = 0; i < report->longest_count; i++) {
        const struct span* span = &report->longest[i].span;
        fprintf(out,
                "%s\n    {\"start\": %" PRIu64 ", \"duration\": %" PRIu64
                ", \"finished\": %s, \"kind\": \"uv_%s\", \"phase\": \"%s\", \"loop\": ",
                i > 0 ? "," : "", span->start, span->end - span->start,
                span->unfinished ? "false" : "true", callback_name(span->callback),
                phase_name(report->longest[i].phase));
        report_print_json(out, report->model.tracks[span->track].name);
        fprintf(out, ", \"function\": ");
        report_print_json(out, report_function(report, span, name, sizeof(name)));
        write_place(report_script_name(report, span), out);
        write_shares(span, out);
        fputc('}', out);
    }
}

static void write_head(const struct report* report, FILE* out) {
    static const char* const statuses[] = {"recording", "complete", "failed"};
    const struct ph_trace_header* header = &report->file->header;
    char* command = trace_file_command(report->file);
    fprintf(out, "{\n  \"program\": ");
    report_print_json(out, command);
    free(command);
    fprintf(out,
            ",\n  \"pid\": %u, \"parent\": %u, \"startedAt\": %" PRIu64 ", \"duration\": %" PRIu64
            ", \"status\": \"%s\",\n  \"events\": %zu, \"lost\": %" PRIu64
            ", \"overwritten\": %s, \"damaged\": %s, \"end\": ",
            header->pid, header->parent_pid, header->wall_clock / 1000000, report->model.duration,
            header->status <= PH_TRACE_FAILED ? statuses[header->status] : "unknown",
            report->file->event_count, report->model.lost,
            header->overwritten > 0 ? "true" : "false", report->file->damaged ? "true" : "false");
    if (header->end == PH_END_EXITED || header->end == PH_END_SIGNALLED)
        fprintf(out, "{\"%s\": %d}", header->end == PH_END_EXITED ? "status" : "signal",
                header->end_value);
    else
        fputs(header->end == PH_END_GONE ? "\"gone\"" : "null", out);
}

void report_write_figures(const struct report* report, FILE* out) {
    const struct pool_stats* pool = &report->pool;
    fprintf(out, "\"loops\": [");
    for (size_t i = 0; i < report->loop_count; i++) {
        fputs(i > 0 ? ",\n   " : "\n   ", out);
        write_loop(report, &report->loops[i], out);
    }
    fprintf(out,
            "],\n  \"pool\": {\"threads\": %u, \"requests\": %" PRIu64 ", \"cancelled\": %" PRIu64
            ", \"onRing\": %" PRIu64 ",\n    ",
            pool->threads, pool->requests, pool->cancelled, pool->on_ring);
    write_samples("queueWait", &pool->queued, out);
    fputs(", ", out);
    write_samples("ran", &pool->ran, out);
    fputs(", ", out);
    write_samples("wayBack", &pool->returned, out);
    fputs(",\n    ", out);
    report_write_pool_users(report, out);
    fputc('}', out);
}

/* By stacks that were taken in calls that were not long. */
static void write_inside(const struct report* report, const struct function_stats* function,
                         FILE* out) {
    char name[1200];
    if (function->stacks == 0)
        return;
    fprintf(out, ", \"stacks\": %u, \"inside\": [", function->stacks);
    for (size_t i = 0; i < MOST_INSIDE && function->inside[i].name != 0; i++) {
        fputs(i > 0 ? ", {\"function\": " : "{\"function\": ", out);
        report_print_json(out, report_name(report, function->inside[i].name, name, sizeof(name)));
        fprintf(out, ", \"stacks\": %u}", function->inside[i].stacks);
    }
    fputc(']', out);
}

static void write_function(const struct report* report, const struct function_stats* function,
                           FILE* out) {
    char name[1200];
    const struct span* worst = &function->worst.span;
    fputs("{\"function\": ", out);
    report_print_json(out, report_function(report, worst, name, sizeof(name)));
    write_place(report_script_name(report, worst), out);
    fprintf(out,
            ", \"kind\": \"uv_%s\", \"track\": %u, \"calls\": %" PRIu64 ", \"total\": %" PRIu64
            ", \"median\": %" PRIu64 ", \"p99\": %" PRIu64 ", \"worst\": %" PRIu64
            ", \"worstAt\": %" PRIu64,
            callback_name(worst->callback), worst->track, function->time.count, function->time.sum,
            histogram_at(&function->time, 0.5), histogram_at(&function->time, 0.99),
            function->time.most, worst->start);
    if (function->accounted > 0)
        fprintf(out, ", \"onCpu\": %" PRIu64 ", \"waitedForCpu\": %" PRIu64, function->on_cpu,
                function->queued);
    else
        fputs(", \"onCpu\": null", out);
    write_inside(report, function, out);
    fputc('}', out);
}

void report_write_functions(const struct report* report, FILE* out) {
    size_t count;
    struct function_stats* functions = report_merge_functions(report, &count);
    fputs("\"functions\": [", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", out);
        write_function(report, &functions[i], out);
    }
    fputc(']', out);
    report_free_functions(functions, count);
}

void report_write_json(const struct report* report, FILE* out) {
    write_head(report, out);
    fputs(",\n  ", out);
    report_write_figures(report, out);
    fputs(",\n  ", out);
    report_write_functions(report, out);
    fputs(",\n  ", out);
    report_write_routes_json(report, out);
    fputs(",\n  ", out);
    report_write_alive_json(report, out);
    fputs(",\n  ", out);
    report_write_stacks(report, out);
    fprintf(out, ",\n  \"longest\": [");
    write_longest(report, out);
    fprintf(out, "],\n  \"sentences\": [");
    for (size_t i = 0; i < report->sentence_count; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", out);
        report_print_json(out, report->sentences[i].text);
    }
    fprintf(out, "],\n  \"failed\": [");
    for (size_t i = 0; i < report->failure_count; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", out);
        report_print_json(out, report->failures[i]);
    }
    fprintf(out, "]\n}\n");
}
