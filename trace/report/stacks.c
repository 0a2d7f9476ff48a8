/* Stacks of what took long: in words, and for programs. */

#include "read/stacks.h"

#include <inttypes.h>

#include "read/memory.h"
#include "report/report.h"

enum { MOST_SHOWN = 8 };

/* Nothing where it would say the same again, or nothing. */
void report_name_culprit(const struct report* report, const struct span* span, char* buffer,
                         size_t size) {
    char name[1200], entry[1200];
    buffer[0] = '\0';
    if (span->culprit == 0 && span->in_native)
        snprintf(buffer, size, "in native code");
    if (span->culprit == 0 || span->called == span->culprit)
        return;
    const char* function = report_name(report, span->culprit, name, sizeof(name));
    if (strcmp(function, report_function(report, span, entry, sizeof(entry))) == 0) {
        if (span->in_native)
            snprintf(buffer, size, "in native code");
    } else if (function[0] != '(' || strncmp(function, "(anonymous)", 11) == 0) {
        snprintf(buffer, size, "in %s%s", span->in_native ? "native code below " : "", function);
    }
}

char* report_heaviest_stack(const struct report* report, const struct span* span) {
    size_t count;
    const struct stack_sample* samples =
        stacks_between(report->file->stacks, report->model.tracks[span->track].tid,
                       report->model.began + span->start, report->model.began + span->end, &count);
    return report_stack(report, samples, count);
}

char* report_stack(const struct report* report, const struct stack_sample* samples, size_t count) {
    const struct stacks* stacks = report->file->stacks;
    char name[1200];
    char* text = NULL;
    size_t length;
    double share;
    uint32_t node = stacks_branch(stacks, samples, count, &share);
    if (node == NO_NODE)
        return NULL;
    FILE* out = must(open_memstream(&text, &length));
    fprintf(out, "%.0f %% of %zu stack%s:", 100 * share, count, count == 1 ? "" : "s");
    for (int i = 0; node != NO_NODE && i < MOST_SHOWN; i++, node = stacks->nodes[node].parent)
        fprintf(out, "%s %s", i > 0 ? " <" : "",
                report_name(report, stacks->frames[stacks->nodes[node].frame].name, name,
                            sizeof(name)));
    fputs(node != NO_NODE ? " < ..." : "", out);
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
