/* `--html`: the page of viewer/ with the recording inside; trace/viewer/DATA.md is the contract. */

#include <inttypes.h>

#include "read/map.h"
#include "read/memory.h"
#include "read/stacks.h"
#include "report/choice.h"
#include "report/page.h"
#include "report/report.h"
#include "report/signals.h"

enum { ROWS_PER_BLOCK = 49152, MANY_SPANS = 1000000, ROW_SHARES = 15, ROW_SAMPLE = 16 };

struct page_row {
    double start;
    double duration;
    uint8_t kind;
    uint8_t detail;
    uint16_t track;
    uint32_t name;
    uint32_t subject;
    int32_t value;
};

_Static_assert(sizeof(struct page_row) == 32, "the page reads rows of 32 bytes");

/* Strings, in the order of their numbers. A name of a runtime has an even key, an address an odd
 * one. */
struct strings {
    struct map numbers;
    struct span* spans; /* one that has the string */
    size_t count;
};

/* What the page is made of: collected in a pass over the file. */
struct page {
    const struct report* report;
    const struct choice* choice;
    struct strings strings;
    struct page_row* rows;
    size_t row_count;
    struct span last;   /* of the unit before */
    bool* has_inside;   /* by span of the unit */
    size_t room;        /* of that */
    bool without_empty; /* phases: where there are very many spans */
    uint32_t* frames;   /* the strings of the stacks' frames */
};

static uint64_t key_of(const struct report* report, const struct span* span) {
    const struct trace_name* name = report_script_name(report, span);
    if (name != NULL)
        return (uint64_t)(name - report->file->names) << 4;
    bool runtime = report->model.is_script && span->kind == SPAN_WORK;
    return span->function != 0 && !runtime ? span->function << 4 | 8 : 0;
}

static uint32_t string_of(struct page* page, const struct span* span) {
    struct strings* strings = &page->strings;
    uint64_t key = key_of(page->report, span);
    uint32_t known = map_get(&strings->numbers, key);
    if (known != 0 || key == 0)
        return known;
    map_put(&strings->numbers, key, (uint32_t)strings->count);
    *APPEND(strings->spans, strings->count) = *span;
    return (uint32_t)(strings->count - 1);
}

static void write_string(const struct report* report, const struct span* span, FILE* out) {
    char buffer[1200];
    report_print_json(out, report_function(report, span, buffer, sizeof(buffer)));
}

static int32_t clamp(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

static int32_t value_of(const struct span* span) {
    if (span->kind == SPAN_WAIT)
        return span->value < 0 ? -1 : clamp(span->value * 1000);
    if (span->kind == SPAN_CALLBACK)
        return clamp(span->value / 1000);
    return clamp(span->value);
}

static void add_row(struct page* page, const struct span* span) {
    bool has_type = span->subject != 0 && span->kind != SPAN_PHASE && span->kind != SPAN_TICK;
    *APPEND(page->rows, page->row_count) =
        (struct page_row){.start = (double)span->start,
                          .duration = (double)(span->end - span->start),
                          .kind = span->kind,
                          .detail = has_type ? span->type : span->detail,
                          .track = span->track,
                          .name = string_of(page, span),
                          .subject = span->subject,
                          .value = value_of(span)};
}

/* How much of a span its thread ran, where that is known well enough. */
static void add_shares(struct page* page, const struct span* span) {
    uint64_t length = span->end - span->start, known = span->ran + span->queued;
    bool wanted = span->kind == SPAN_ITERATION || span->kind == SPAN_CALLBACK ||
                  span->kind == SPAN_WORK || span->kind == SPAN_OUTSIDE;
    if (!span->has_shares || !wanted || length < PH_ACCOUNT_NS)
        return;
    bool has_waits = span->kind == SPAN_ITERATION;
    *APPEND(page->rows, page->row_count) = (struct page_row){
        .start = (double)span->start,
        .duration = (double)span->ran,
        .kind = ROW_SHARES,
        .detail = span->kind,
        .track = span->track,
        .subject = (uint32_t)clamp((int64_t)(span->queued / 1000)),
        .value = has_waits || known > length ? -1 : clamp((int64_t)((length - known) / 1000))};
}

/* Shown by another row: the function of a work, and the wake-up that a send caused. And, where
 * there are very many, phases in which nothing happened. */
static bool is_left_out(const struct page* page, const struct span* unit, const struct span* span) {
    const struct span* before = span > unit ? span - 1 : &page->last;
    const struct span* outer = span_outer(unit, span);
    if (span->kind == SPAN_PHASE && page->without_empty)
        return !page->has_inside[span - unit];
    if (span->callback == PH_CB_WORK && outer != NULL)
        return outer->kind == SPAN_WORK;
    return span->kind == SPAN_WAKE && span->subject == 0 && before->kind == SPAN_WAKE &&
           before->subject != 0 && before->track == span->track && before->value == span->value;
}

static void on_unit(void* context, const struct model* model, const struct span* unit,
                    size_t count) {
    struct page* page = context;
    (void)model;
    if (count > page->room) {
        page->room = count * 2;
        page->has_inside = must(reallocarray(page->has_inside, page->room, sizeof(bool)));
    }
    for (size_t i = 0; i < count; i++)
        page->has_inside[i] = false;
    for (size_t i = 0; i < count; i++)
        if (unit[i].inside != 0)
            page->has_inside[unit[i].inside - 1] = true;
    if (choice_has(page->choice, unit, count))
        for (size_t i = 0; i < count; i++)
            if (!is_left_out(page, unit, &unit[i])) {
                add_row(page, &unit[i]);
                add_shares(page, &unit[i]);
            }
    page->last = unit[count - 1];
}

/* The loop of the thread, or else what stands for it. */
static uint16_t track_of_thread(const struct model* model, int tid) {
    uint16_t found = NO_TRACK;
    for (size_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].tid == tid &&
            (found == NO_TRACK || model->tracks[i].kind == TRACK_LOOP))
            found = (uint16_t)i;
    return found;
}

static void add_samples(struct page* page) {
    const struct model* model = &page->report->model;
    const struct stacks* stacks = page->report->file->stacks;
    for (size_t i = 0; i < stacks->sample_count; i++) {
        const struct stack_sample* sample = &stacks->samples[i];
        uint64_t time = sample->time - model->began;
        uint16_t track = track_of_thread(model, sample->tid);
        if (track != NO_TRACK && sample->time >= model->began && time >= model->from &&
            time <= model->to)
            *APPEND(page->rows, page->row_count) =
                (struct page_row){.start = (double)time,
                                  .duration = (double)sample->weight,
                                  .kind = ROW_SAMPLE,
                                  .track = track,
                                  .value = (int32_t)sample->node};
    }
}

/* Strings for all frames, in `numbers`. */
static uint32_t* frame_strings(struct page* page) {
    const struct stacks* stacks = page->report->file->stacks;
    uint32_t* numbers = must(calloc(stacks->frame_count + 1, sizeof(*numbers)));
    for (size_t i = 0; i < stacks->frame_count; i++) {
        struct span span = {.kind = SPAN_CALLBACK, .called = stacks->frames[i].name};
        numbers[i] = string_of(page, &span);
    }
    return numbers;
}

static void write_stacks(const struct page* page, FILE* out) {
    const struct stacks* stacks = page->report->file->stacks;
    fputs(",\n\"stacks\": [", out);
    for (size_t i = 0; i < stacks->node_count; i++)
        fprintf(out, "%s[%d, %" PRIu32 "]", i > 0 ? ", " : "", (int)stacks->nodes[i].parent,
                page->frames[stacks->nodes[i].frame]);
    fputc(']', out);
}

/* Phases in which there was nothing to do begin where the next one does. */
static int place_of(const struct page_row* row) {
    return row->kind == SPAN_ITERATION ? 0 : row->kind == SPAN_PHASE && row->duration == 0 ? 1 : 2;
}

/* By start; what encloses first. */
static int compare_rows(const void* a, const void* b) {
    const struct page_row *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (place_of(x) != place_of(y))
        return place_of(x) - place_of(y);
    if (x->duration != y->duration)
        return x->duration > y->duration ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static void collect_rows(struct page* page) {
    const struct report* report = page->report;
    struct model_sink sink = {page, on_unit, NULL, NULL, NULL};
    struct model model;
    APPEND(page->strings.spans, page->strings.count);
    page->without_empty = report->span_count > MANY_SPANS;
    model_run(&model, report->file, report->model.from, report->model.to, &sink);
    model_free(&model);
    page->frames = frame_strings(page);
    add_samples(page);
    if (page->row_count > 1)
        qsort(page->rows, page->row_count, sizeof(*page->rows), compare_rows);
}

static void write_tracks(const struct model* model, FILE* out) {
    static const char* const kinds[] = {"loop", "pool", "thread", "task"};
    fputs("\"tracks\": [", out);
    for (size_t i = 0; i < model->track_count; i++) {
        const struct track* track = &model->tracks[i];
        fprintf(out, "%s{\"kind\": \"%s\", \"process\": 0, \"name\": ", i > 0 ? ",\n" : "",
                kinds[track->kind]);
        report_print_json(out, track->name);
        fprintf(out, ", \"tid\": %d, \"thread\": ", track->tid);
        report_print_json(out, track->thread);
        fputs(track->is_main ? ", \"main\": true}" : "}", out);
    }
    fputc(']', out);
}

/* What the page is about, if that is not the whole recording. */
static void write_part(const struct report* report, FILE* out) {
    const struct model* model = &report->model;
    uint64_t from = model->from > model->first ? model->from : model->first;
    if (from > 0)
        fprintf(out, ", \"from\": %" PRIu64, from);
    if (model->to < model->duration)
        fprintf(out, ", \"to\": %" PRIu64, model->to);
}

static void write_end(const struct ph_trace_header* header, FILE* out) {
    if (header->end == PH_END_EXITED)
        fprintf(out, ", \"exit\": {\"code\": %d}", header->end_value);
    else if (header->end == PH_END_SIGNALLED && report_signal_name(header->end_value) != NULL)
        fprintf(out, ", \"exit\": {\"signal\": \"%s\"}", report_signal_name(header->end_value));
}

static void write_process(const struct report* report, FILE* out) {
    const struct ph_trace_header* header = &report->file->header;
    char* command = trace_file_command(report->file);
    fputs("\"program\": ", out);
    report_print_json(out, command);
    fprintf(out,
            ", \"startedAt\": %" PRIu64 ", \"clock\": %" PRIu64 ", \"duration\": %" PRIu64
            ", \"events\": %zu",
            (header->wall_clock + (report->model.began - header->clock)) / 1000000,
            report->model.began, report->model.duration, report->file->event_count);
    write_part(report, out);
    fputs(",\n\"processes\": [{", out);
    command[strcspn(command, " ")] = '\0';
    const char* slash = strrchr(command, '/');
    fprintf(out, "\"pid\": %u, \"parent\": %u, \"name\": ", header->pid, header->parent_pid);
    report_print_json(out, slash != NULL ? slash + 1 : command);
    write_end(header, out);
    fputs("}]", out);
    free(command);
}

static void write_head(const struct page* page, FILE* out) {
    const struct report* report = page->report;
    fputs("<script type=\"application/json\" class=\"trace-head\">{\"version\": 1, ", out);
    write_process(report, out);
    fputs(",\n", out);
    write_tracks(&report->model, out);
    fputs(",\n\"types\": [", out);
    for (unsigned i = 0; i < TYPE_COUNT; i++) {
        fputs(i > 0 ? ", " : "", out);
        report_print_json(out, object_type_name(i));
    }
    fputs("],\n\"strings\": [\"\"", out);
    for (size_t i = 1; i < page->strings.count; i++) {
        fputs(",\n", out);
        write_string(report, &page->strings.spans[i], out);
    }
    fputs("],\n", out);
    report_write_overview(report, out);
    fputs(",\n\"figures\": {", out);
    report_write_figures(report, out);
    fputs("},\n", out);
    report_write_functions(report, out);
    choice_write(page->choice, report, out);
    write_stacks(page, out);
    fputs("}</script>\n", out);
}

static void write_base64(const unsigned char* data, size_t size, FILE* out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                         (left > 2 ? data[i + 2] : 0);
        char text[4] = {digits[group >> 18], digits[group >> 12 & 63],
                        left > 1 ? digits[group >> 6 & 63] : '=',
                        left > 2 ? digits[group & 63] : '='};
        fwrite(text, 1, sizeof(text), out);
    }
}

static void write_block(const struct page_row* rows, size_t count, FILE* out) {
    fputs("<script type=\"text/plain\" class=\"trace-rows\">", out);
    write_base64((const unsigned char*)rows, count * sizeof(*rows), out);
    fputs("</script>\n", out);
}

static void write_rows(const struct page* page, FILE* out) {
    for (size_t i = 0; i < page->row_count; i += ROWS_PER_BLOCK) {
        size_t left = page->row_count - i;
        write_block(page->rows + i, left < ROWS_PER_BLOCK ? left : ROWS_PER_BLOCK, out);
    }
}

void report_write_page_data(const struct report* report, FILE* out) {
    struct choice choice;
    struct page page = {.report = report, .choice = &choice};
    choice_make(&choice, report);
    collect_rows(&page);
    write_head(&page, out);
    write_rows(&page, out);
    free(page.strings.numbers.slots);
    free(page.strings.spans);
    free(page.rows);
    free(page.has_inside);
    free(page.frames);
    choice_free(&choice);
}

bool report_write_html(const struct report* const* reports, size_t count, FILE* out) {
    if (phasor_page_head_size == 0)
        return false;
    fwrite(phasor_page_head, 1, phasor_page_head_size, out);
    for (size_t i = 0; i < count; i++)
        report_write_page_data(reports[i], out);
    fwrite(phasor_page_tail, 1, phasor_page_tail_size, out);
    return true;
}
