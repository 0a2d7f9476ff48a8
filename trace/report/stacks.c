/* Stacks of what took long: in words, and for programs. */

#include "read/stacks.h"

#include <inttypes.h>

#include "read/memory.h"
#include "report/report.h"

enum { MOST_SHOWN = 8, MOST_FRAMES = 256, MOST_IN_CIRCLE = 4, LONG_NS = 10000000 };

static const struct stack_sample* samples_of(const struct report* report, const struct span* span,
                                             size_t* count) {
    return stacks_between(report->file->stacks, report->model.tracks[span->track].tid,
                          report->model.began + span->start, report->model.began + span->end,
                          count);
}

/* "in derives (app.js:8) 45 %, executes (app.js:7) 33 %": those that took long themselves. */
static void name_several(const struct report* report, const struct span* span, char* buffer,
                         size_t size) {
    struct stack_share shares[3];
    char name[400];
    size_t samples, used = 0;
    const struct stack_sample* first = samples_of(report, span, &samples);
    size_t count = stacks_shares(report->file->stacks, first, samples, shares, 3);
    for (size_t i = 0; i < count && used < size; i++)
        if (shares[i].share * (double)report_own_time(span) >= LONG_NS)
            used += (size_t)snprintf(
                buffer + used, size - used, "%s%s %.0f %%", used > 0 ? ", " : "in ",
                report_name(report, shares[i].name, name, sizeof(name)), shares[i].share * 100);
}

/* Nothing where it would say the same again, or nothing. */
void report_name_culprit(const struct report* report, const struct span* span, char* buffer,
                         size_t size) {
    char name[1200], entry[1200];
    const char* native = span->native != 0 ? report->file->names[span->native].function : NULL;
    buffer[0] = '\0';
    if (span->culprit == 0 && span->in_native)
        snprintf(buffer, size, "in %s", native != NULL ? native : "native code");
    else if (span->culprit == 0 && span->kind == SPAN_CALLBACK && !report->model.is_script)
        name_several(report, span, buffer, size);
    if (span->culprit == 0 || span->called == span->culprit)
        return;
    const char* function = report_name(report, span->culprit, name, sizeof(name));
    if (strcmp(function, report_function(report, span, entry, sizeof(entry))) == 0) {
        if (span->in_native)
            snprintf(buffer, size, "in %s", native != NULL ? native : "native code");
    } else if (function[0] != '(' || strncmp(function, "(anonymous)", 11) == 0) {
        snprintf(buffer, size, "in %s%s%s", native != NULL ? native : "",
                 native != NULL    ? " in "
                 : span->in_native ? "native code below "
                                   : "",
                 function);
    }
}

void report_name_inside(const struct report* report, const struct function_stats* function,
                        char* buffer, size_t size) {
    char name[400];
    int used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < MOST_INSIDE && function->inside[i].name != 0; i++) {
        if (i == 0)
            used = snprintf(buffer, size, "of %u stack%s", function->stacks,
                            function->stacks == 1 ? "" : "s");
        if (used < 0 || (size_t)used >= size)
            return;
        used += snprintf(buffer + used, size - (size_t)used, "%s%s %.0f %%", i > 0 ? ", " : ": ",
                         report_name(report, function->inside[i].name, name, sizeof(name)),
                         100.0 * function->inside[i].stacks / function->stacks);
    }
}

char* report_heaviest_stack(const struct report* report, const struct span* span) {
    size_t count;
    const struct stack_sample* samples = samples_of(report, span, &count);
    return report_stack(report, samples, count);
}

/* How often the first `length` frames are repeated. */
static size_t count_repeats(const uint32_t* frames, size_t count, size_t length) {
    size_t at = length;
    while (at + length <= count && memcmp(frames, frames + at, length * sizeof(*frames)) == 0)
        at += length;
    return at / length;
}

/* Functions that call themselves, or each other in a circle, are written once: how many frames are
 * in the circle that most of the next ones belong to, and how often it is gone through. */
static size_t find_circle(const uint32_t* frames, size_t count, size_t* repeats) {
    size_t best = 1;
    *repeats = count_repeats(frames, count, 1);
    for (size_t length = 2; length <= MOST_IN_CIRCLE && length * 2 <= count; length++) {
        size_t found = count_repeats(frames, count, length);
        if (found > 1 && found * length > *repeats * best) {
            *repeats = found;
            best = length;
        }
    }
    return best;
}

static void write_frames(const struct report* report, const uint32_t* frames, size_t count,
                         FILE* out) {
    char name[1200];
    for (size_t i = 0; i < count; i++)
        fprintf(
            out, "%s%s", i > 0 ? " < " : "",
            report_name(report, report->file->stacks->frames[frames[i]].name, name, sizeof(name)));
}

static void write_way(const struct report* report, const uint32_t* frames, size_t count,
                      FILE* out) {
    size_t at = 0, repeats;
    for (int i = 0; at < count && i < MOST_SHOWN; i++) {
        size_t length = find_circle(frames + at, count - at, &repeats);
        fputs(i > 0 ? " < " : " ", out);
        fputs(length > 1 ? "[" : "", out);
        write_frames(report, frames + at, length, out);
        fputs(length > 1 ? "]" : "", out);
        if (repeats > 1)
            fprintf(out, " × %zu", repeats);
        at += length * repeats;
    }
    fputs(at < count ? " < ..." : "", out);
}

char* report_stack(const struct report* report, const struct stack_sample* samples, size_t count) {
    const struct stacks* stacks = report->file->stacks;
    uint32_t frames[MOST_FRAMES];
    char* text = NULL;
    size_t length, depth = 0;
    double share;
    uint32_t node = stacks_branch(stacks, samples, count, &share);
    if (node == NO_NODE)
        return NULL;
    FILE* out = must(open_memstream(&text, &length));
    fprintf(out, "%.0f %% of %zu stack%s:", 100 * share, count, count == 1 ? "" : "s");
    for (; node != NO_NODE && depth < MOST_FRAMES; node = stacks->nodes[node].parent)
        frames[depth++] = stacks->nodes[node].frame;
    write_way(report, frames, depth, out);
    fclose(out);
    return must(text);
}

void report_write_stacks(const struct report* report, FILE* out) {
    const struct stacks* stacks = report->file->stacks;
    const char* comma = "";
    char name[1200];
    fputs("\"stacks\": {\"frames\": [", out);
    for (size_t i = 0; i < stacks->node_count; i++) {
        const struct stack_node* node = &stacks->nodes[i];
        fprintf(out, "%s[%" PRId64 ", ", i > 0 ? ",\n    " : "\n    ",
                node->parent == NO_NODE ? -1 : (int64_t)node->parent);
        report_print_json(
            out, report_name(report, stacks->frames[node->frame].name, name, sizeof(name)));
        fputc(']', out);
    }
    fputs("],\n   \"samples\": [", out);
    for (size_t i = 0; i < stacks->sample_count; i++) {
        const struct stack_sample* sample = &stacks->samples[i];
        uint64_t time = sample->time - report->model.began;
        if (sample->time < report->model.began || time < report->model.from ||
            time > report->model.to)
            continue;
        fprintf(out,
                "%s{\"thread\": %d, \"time\": %" PRIu64 ", \"duration\": %" PRIu64
                ", \"frame\": %" PRIu32 "}",
                comma, sample->tid, time, sample->weight, sample->node);
        comma = ",\n    ";
    }
    fputs("]}", out);
}
