/* `--html`: the page of viewer/ with the recording inside; viewer/DATA.md is the contract. */

#include <inttypes.h>

#include "read/map.h"
#include "read/memory.h"
#include "report/page.h"
#include "report/report.h"

enum { ROWS_PER_BLOCK = 49152, MOST_ROWS = 2000000, MANY_SPANS = 1000000 };

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
    uint32_t* spans; /* one that has the string */
    size_t count;
};

static uint64_t key_of(const struct report* report, const struct span* span) {
    const struct trace_name* name = report_script_name(report, span);
    if (name != NULL)
        return (uint64_t)(name - report->file->names) << 4;
    return span->function != 0 ? span->function << 4 | 8 : 0;
}

/* The span whose function is shown: that of the work, for work. It follows soon, but spans of other
 * threads may stand in between. */
static const struct span* named_span(const struct model* model, const struct span* span) {
    enum { SOON = 4096 };
    const struct span* end = model->spans + model->span_count;
    uint32_t number = (uint32_t)(span - model->spans) + 1;
    if (span->kind != SPAN_WORK || model->is_script)
        return span;
    for (const struct span* next = span + 1; next < end && next < span + SOON; next++)
        if (next->callback == PH_CB_WORK && next->inside == number)
            return next;
    return span;
}

static void collect_strings(const struct report* report, struct strings* strings) {
    const struct model* model = report->model;
    APPEND(strings->spans, strings->count);
    for (size_t i = 0; i < model->span_count; i++) {
        uint64_t key = key_of(report, &model->spans[i]);
        if (key == 0 || map_get(&strings->numbers, key) != 0)
            continue;
        map_put(&strings->numbers, key, (uint32_t)strings->count);
        *APPEND(strings->spans, strings->count) = (uint32_t)i;
    }
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

static void fill_row(const struct report* report, const struct strings* strings,
                     const struct span* span, struct page_row* row) {
    const struct span* named = named_span(report->model, span);
    bool has_type = span->subject != 0 && span->kind != SPAN_PHASE && span->kind != SPAN_TICK;
    *row = (struct page_row){.start = (double)span->start,
                             .duration = (double)(span->end - span->start),
                             .kind = span->kind,
                             .detail = has_type ? report->model->objects[span->subject].type
                                                : span->detail,
                             .track = span->track,
                             .name = map_get(&strings->numbers, key_of(report, named)),
                             .subject = span->subject,
                             .value = value_of(span)};
}

/* Which spans become rows. */
struct choice {
    const struct model* model;
    bool* has_inside; /* by span; NULL: empty phases are shown */
    size_t rows;
    size_t left_out; /* the oldest, because there are too many */
};

/* Shown by another row: the function of a work, and the wake-up that a send caused. And, where
 * there are very many, phases in which nothing happened. */
static bool is_left_out(const struct choice* choice, const struct span* span) {
    const struct model* model = choice->model;
    const struct span* before = span - 1;
    if (span == model->spans)
        return false;
    if (span->kind == SPAN_PHASE && choice->has_inside != NULL)
        return !choice->has_inside[span - model->spans];
    if (span->callback == PH_CB_WORK && span->inside != 0)
        return model->spans[span->inside - 1].kind == SPAN_WORK;
    return span->kind == SPAN_WAKE && span->subject == 0 && before->kind == SPAN_WAKE &&
           before->subject != 0 && before->track == span->track && before->value == span->value;
}

static void choose_rows(struct choice* choice) {
    const struct model* model = choice->model;
    if (model->span_count > MANY_SPANS)
        choice->has_inside = must(calloc(model->span_count, sizeof(bool)));
    for (size_t i = 0; i < model->span_count && choice->has_inside != NULL; i++)
        if (model->spans[i].inside != 0)
            choice->has_inside[model->spans[i].inside - 1] = true;
    for (size_t i = 0; i < model->span_count; i++)
        choice->rows += !is_left_out(choice, &model->spans[i]);
    if (choice->rows > MOST_ROWS)
        choice->left_out = choice->rows - MOST_ROWS;
}

static void write_sentences(const struct report* report, const struct choice* choice, FILE* out) {
    const char* comma = "";
    if (choice->left_out > 0) {
        fprintf(
            out,
            "{\"about\": \"recording\", \"text\": \"The page shows the newest %d of %zu rows; the "
            "report covers all.\"}",
            MOST_ROWS, choice->rows);
        comma = ",\n";
    }
    for (size_t i = 0; i < report->sentence_count; i++, comma = ",\n") {
        const struct sentence* sentence = &report->sentences[i];
        fprintf(out, "%s{\"about\": \"%s\", \"text\": ", comma, sentence->about);
        report_print_json(out, sentence->text);
        if (sentence->span != NULL)
            fprintf(out, ", \"track\": %u, \"start\": %" PRIu64, sentence->span->track,
                    sentence->span->start);
        fputc('}', out);
    }
}

static void write_head(const struct report* report, const struct strings* strings,
                       const struct choice* choice, FILE* out) {
    static const char* const kinds[] = {"loop", "pool", "thread"};
    const struct model* model = report->model;
    const struct ph_trace_header* header = &report->file->header;
    char* command = trace_file_command(report->file);
    fputs("<script type=\"application/json\" id=\"trace-head\">{\"version\": 1, \"program\": ",
          out);
    report_print_json(out, command);
    fprintf(out, ", \"startedAt\": %" PRIu64 ", \"duration\": %" PRIu64 ",\n\"processes\": [{",
            (header->wall_clock + (model->began - header->clock)) / 1000000, model->duration);
    command[strcspn(command, " ")] = '\0';
    const char* slash = strrchr(command, '/');
    fprintf(out, "\"pid\": %u, \"name\": ", header->pid);
    report_print_json(out, slash != NULL ? slash + 1 : command);
    free(command);
    fputs("}],\n\"tracks\": [", out);
    for (size_t i = 0; i < model->track_count; i++) {
        fprintf(out, "%s{\"kind\": \"%s\", \"process\": 0, \"name\": ", i > 0 ? ",\n" : "",
                kinds[model->tracks[i].kind]);
        report_print_json(out, model->tracks[i].name);
        fputs(model->tracks[i].is_main ? ", \"main\": true}" : "}", out);
    }
    fputs("],\n\"types\": [", out);
    for (unsigned i = 0; i < TYPE_COUNT; i++) {
        fputs(i > 0 ? ", " : "", out);
        report_print_json(out, object_type_name(i));
    }
    fputs("],\n\"strings\": [\"\"", out);
    for (size_t i = 1; i < strings->count; i++) {
        fputs(",\n", out);
        write_string(report, &model->spans[strings->spans[i]], out);
    }
    fputs("],\n\"sentences\": [", out);
    write_sentences(report, choice, out);
    fputs("]}</script>\n", out);
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
    if (count == 0)
        return;
    fputs("<script type=\"text/plain\" class=\"trace-rows\">", out);
    write_base64((const unsigned char*)rows, count * sizeof(*rows), out);
    fputs("</script>\n", out);
}

static void write_rows(const struct report* report, const struct strings* strings,
                       const struct choice* choice, FILE* out) {
    const struct model* model = report->model;
    size_t skipped = 0;
    struct page_row* rows = must(malloc(ROWS_PER_BLOCK * sizeof(*rows)));
    size_t count = 0;
    for (size_t i = 0; i < model->span_count; i++) {
        if (is_left_out(choice, &model->spans[i]) || skipped++ < choice->left_out)
            continue;
        fill_row(report, strings, &model->spans[i], &rows[count++]);
        if (count == ROWS_PER_BLOCK) {
            write_block(rows, count, out);
            count = 0;
        }
    }
    write_block(rows, count, out);
    free(rows);
}

bool report_write_html(const struct report* report, FILE* out) {
    struct strings strings = {0};
    struct choice choice = {.model = report->model};
    if (phasor_page_head_size == 0)
        return false;
    choose_rows(&choice);
    collect_strings(report, &strings);
    fwrite(phasor_page_head, 1, phasor_page_head_size, out);
    write_head(report, &strings, &choice, out);
    write_rows(report, &strings, &choice, out);
    fwrite(phasor_page_tail, 1, phasor_page_tail_size, out);
    free(strings.numbers.slots);
    free(strings.spans);
    free(choice.has_inside);
    return true;
}
