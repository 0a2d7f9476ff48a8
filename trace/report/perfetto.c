/* `--perfetto`: the JSON format that ui.perfetto.dev and chrome://tracing read. Times are in µs. */

#include <inttypes.h>

#include "read/memory.h"
#include "report/profile.h"
#include "report/report.h"
#include "report/routes.h"

struct writer {
    const struct report* report;
    FILE* out;
    bool first;
    unsigned last_row; /* of stacks, that has its name */
};

/* Begins one event, up to its name. */
static void begin(struct writer* to, char phase, unsigned track, uint64_t time) {
    fprintf(to->out, "%s\n{\"ph\": \"%c\", \"pid\": %u, \"tid\": %u, \"ts\": %.3f, \"name\": ",
            to->first ? "" : ",", phase, to->report->file->header.pid, track + 1,
            (double)time / 1e3);
    to->first = false;
}

static void write_tracks(struct writer* to) {
    const struct model* model = &to->report->model;
    char* command = trace_file_command(to->report->file);
    begin(to, 'M', 0, 0);
    fputs("\"process_name\", \"args\": {\"name\": ", to->out);
    report_print_json(to->out, command);
    fputs("}}", to->out);
    free(command);
    for (size_t i = 0; i < model->track_count; i++) {
        begin(to, 'M', (unsigned)i, 0);
        fputs("\"thread_name\", \"args\": {\"name\": ", to->out);
        report_print_json(to->out, model->tracks[i].name);
        fputs("}}", to->out);
        begin(to, 'M', (unsigned)i, 0);
        fprintf(to->out, "\"thread_sort_index\", \"args\": {\"sort_index\": %zu}}", i);
    }
}

static void write_name(struct writer* to, const struct span* span) {
    char label[1400];
    switch (span->kind) {
    case SPAN_ITERATION:
        fprintf(to->out, "\"iteration %" PRId64 "\"", span->value);
        return;
    case SPAN_PHASE:
        fprintf(to->out, "\"%s\"", phase_name(span->detail));
        return;
    case SPAN_WAIT:
        fputs("\"wait\"", to->out);
        return;
    case SPAN_OUTSIDE:
        fputs("\"outside of uv_run\"", to->out);
        return;
    case SPAN_CALLBACK:
        report_label(to->report, span, label, sizeof(label));
        report_print_json(to->out, label);
        return;
    case SPAN_TICK:
    case SPAN_MARK:
        report_print_json(to->out, report_function(to->report, span, label, sizeof(label)));
        return;
    default:
        report_print_json(to->out, object_type_name(span->type));
    }
}

static void write_arguments(struct writer* to, const struct span* span) {
    if (span->kind == SPAN_WAIT)
        fprintf(to->out, ", \"args\": {\"planned ms\": %" PRId64 ", \"events\": %u}", span->value,
                span->events);
    else if (span->kind == SPAN_CALLBACK && span->callback == PH_CB_TIMER)
        fprintf(to->out, ", \"args\": {\"late us\": %.3f}", (double)span->value / 1e3);
}

/* Arrows from where a request was submitted to where it ran and where it was called back. */
static void write_flow(struct writer* to, const struct span* span) {
    char phase = span->kind == SPAN_SUBMIT                            ? 's'
                 : span->kind == SPAN_WORK                            ? 't'
                 : span->kind == SPAN_CALLBACK && span->function != 0 ? 'f'
                                                                      : 0;
    if (span->subject == 0 || !span->of_request || phase == 0 ||
        (phase == 'f' && span->callback == PH_CB_WORK))
        return;
    begin(to, phase, span->track, span->start);
    fprintf(to->out, "\"request\", \"cat\": \"request\", \"id\": %u%s}", span->subject,
            phase == 'f' ? ", \"bp\": \"e\"" : "");
}

static void write_span(struct writer* to, const struct span* span) {
    static const char* const categories[] = {
        [SPAN_ITERATION] = "iteration", [SPAN_PHASE] = "phase",    [SPAN_WAIT] = "wait",
        [SPAN_CALLBACK] = "callback",   [SPAN_TICK] = "tick",      [SPAN_WORK] = "work",
        [SPAN_SUBMIT] = "submit",       [SPAN_DONE] = "done",      [SPAN_WAKE] = "wake-up",
        [SPAN_BIRTH] = "birth",         [SPAN_CLOSE] = "close",    [SPAN_LOST] = "lost",
        [SPAN_MARK] = "mark",           [SPAN_OUTSIDE] = "outside"};
    bool instant = span->kind >= SPAN_SUBMIT && span->kind <= SPAN_CLOSE;
    begin(to, instant ? 'i' : 'X', span->track, span->start);
    if (instant || span->kind == SPAN_LOST)
        fprintf(to->out, "\"%s %s\"", categories[span->kind], object_type_name(span->type));
    else
        write_name(to, span);
    fprintf(to->out, ", \"cat\": \"%s\"", categories[span->kind]);
    if (instant)
        fputs(", \"s\": \"t\"", to->out);
    else
        fprintf(to->out, ", \"dur\": %.3f", (double)(span->end - span->start) / 1e3);
    write_arguments(to, span);
    fputc('}', to->out);
    write_flow(to, span);
}

static void on_unit(void* context, const struct model* model, const struct span* unit,
                    size_t count) {
    (void)model;
    for (size_t i = 0; i < count; i++)
        write_span(context, &unit[i]);
}

/* Rows of their own, below the others: one for each thread that has stacks. */

enum { FIRST_STACK_ROW = 1 << 20 };

static void write_stack_slice(void* context, int tid, const char* function, uint64_t start,
                              uint64_t end) {
    struct writer* to = context;
    unsigned row = FIRST_STACK_ROW + (unsigned)tid;
    if (to->last_row != row) {
        begin(to, 'M', row, 0);
        fprintf(to->out, "\"thread_name\", \"args\": {\"name\": \"stacks of thread %d\"}}", tid);
        to->last_row = row;
    }
    begin(to, 'X', row, start);
    report_print_json(to->out, function);
    fprintf(to->out, ", \"cat\": \"stack\", \"dur\": %.3f}", (double)(end - start) / 1e3);
}

/* Requests overlap: each is a row of its own as long as it lasts. */
static void on_exchange(void* context, const struct model* model, const struct exchange* exchange) {
    struct writer* to = context;
    const uint64_t times[] = {exchange->born,
                              exchange->ended != 0 ? exchange->ended : model->duration};
    for (int i = 0; i < 2; i++) {
        begin(to, "be"[i], exchange -> track, times[i]);
        report_print_json(to->out, report_route_name(to->report, exchange->name));
        fprintf(to->out, ", \"cat\": \"http\", \"id\": %u", exchange->number);
        if (i == 1)
            fprintf(to->out, ", \"args\": {\"status\": %u, \"own us\": %.3f}", exchange->status,
                    (double)exchange->own / 1e3);
        fputc('}', to->out);
    }
}

/* The tracks are those of the pass before. */
void report_write_perfetto(const struct report* report, FILE* out) {
    struct writer to = {report, out, true, 0};
    struct model_sink sink = {&to, on_unit, NULL, NULL, on_exchange};
    struct model model;
    fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", out);
    write_tracks(&to);
    model_run(&model, report->file, report->model.from, report->model.to, &sink);
    model_free(&model);
    report_give_stack_slices(report, write_stack_slice, &to);
    fputs("\n]}\n", out);
}
