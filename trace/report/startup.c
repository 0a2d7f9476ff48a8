/* What a program does before the first turn of its loop, and after the last one. */

#include <inttypes.h>

#include "read/memory.h"
#include "read/stacks.h"
#include "report/report.h"

enum {
    MOST_FILES = 64,
    SHOWN_FILES = 3,
    LONG_NS = 10000000,       /* that may go on after the last turn */
    LONG_START_NS = 100000000 /* engines need some time to get going */
};

/* What the stacks say of a file: the time in which its code was the innermost of the program. */
struct file_time {
    const char* path;
    uint64_t time;
};

struct file_times {
    struct file_time of[MOST_FILES];
    size_t count;
    uint64_t total;
};

static uint64_t length(const struct span* span) {
    return span->end - span->start;
}

/* The file of the program's innermost function; NULL: none is on the stack. */
static const char* file_of(const struct stacks* stacks, const struct stack_sample* sample) {
    for (uint32_t at = sample->node; at != NO_NODE; at = stacks->nodes[at].parent) {
        const struct stack_frame* frame = &stacks->frames[stacks->nodes[at].frame];
        if (frame->own && frame->engine)
            return stacks->file->names[frame->name].file;
    }
    return NULL;
}

static void add_time(struct file_times* times, const char* path, uint64_t time) {
    size_t i = 0;
    while (i < times->count && strcmp(times->of[i].path, path) != 0)
        i++;
    if (i == MOST_FILES)
        return;
    if (i == times->count)
        times->of[times->count++] = (struct file_time){.path = path};
    times->of[i].time += time;
}

static int compare_times(const void* a, const void* b) {
    const struct file_time *x = a, *y = b;
    return (x->time < y->time) - (x->time > y->time);
}

static struct file_times sum_files(const struct report* report, const struct span* span) {
    const struct stacks* stacks = report->file->stacks;
    struct file_times times = {0};
    size_t count;
    const struct stack_sample* samples =
        stacks_between(stacks, report->model.tracks[span->track].tid,
                       report->model.began + span->start, report->model.began + span->end, &count);
    for (size_t i = 0; i < count; i++) {
        const char* path = file_of(stacks, &samples[i]);
        times.total += samples[i].weight;
        if (path != NULL)
            add_time(&times, path, samples[i].weight);
    }
    if (times.count > 1)
        qsort(times.of, times.count, sizeof(times.of[0]), compare_times);
    return times;
}

/* Only where the recording began with the process, and this is its main loop. */
uint64_t report_before(const struct report* report, const struct loop_stats* loop) {
    char* text = trace_file_info(report->file, "began");
    uint64_t began = text != NULL ? strtoull(text, NULL, 10) : 0;
    uint64_t clock = report->file->header.clock;
    free(text);
    bool known = began != 0 && began < clock && report->model.tracks[loop->track].is_main;
    return known ? clock - began : 0;
}

/* A thread may make several loops, of which one is what it is there for. */
static bool is_of_thread(const struct report* report, const struct loop_stats* loop) {
    const struct track* own = &report->model.tracks[loop->track];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* other = &report->loops[i];
        const struct track* track = &report->model.tracks[other->track];
        if (other != loop && track->tid == own->tid && !own->is_main &&
            (track->is_main || other->iterations > loop->iterations))
            return false;
    }
    return true;
}

static bool has_start_up(const struct report* report, const struct loop_stats* loop) {
    return loop->start_up != NULL && is_of_thread(report, loop);
}

/* "430 ms in app.js, 90 ms in lib/parse.js" */
static void name_files(const struct report* report, const struct file_times* times, char* buffer,
                       size_t size) {
    char time[32];
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < times->count && i < SHOWN_FILES; i++) {
        if (times->of[i].time * 20 < times->total || used >= size)
            break;
        used += (size_t)snprintf(buffer + used, size - used, "%s%s in %s", i > 0 ? ", " : "",
                                 report_time(times->of[i].time, time, sizeof(time)),
                                 report_path(report, times->of[i].path));
    }
}

void report_describe_start_up(const struct report* report, const struct loop_stats* loop,
                              char* buffer, size_t size) {
    const struct span* span = loop->start_up;
    char whole[32], made[32], files[200];
    buffer[0] = '\0';
    if (!has_start_up(report, loop))
        return;
    uint64_t before = report_before(report, loop);
    struct file_times times = sum_files(report, span);
    name_files(report, &times, files, sizeof(files));
    report_time(before + length(span), whole, sizeof(whole));
    if (before > 0)
        snprintf(buffer, size,
                 "%s from the start of the process to the first turn, %s of it before "
                 "the loop was made%s%s",
                 whole, report_time(before, made, sizeof(made)), *files != '\0' ? ", " : "", files);
    else
        snprintf(buffer, size, "%s from the making of the loop to its first turn%s%s", whole,
                 *files != '\0' ? ", " : "", files);
}

void report_write_start_up(const struct report* report, const struct loop_stats* loop, FILE* out) {
    const struct span* span = loop->start_up;
    if (!has_start_up(report, loop))
        return;
    struct file_times times = sum_files(report, span);
    fprintf(out,
            ",\n    \"startUp\": {\"start\": %" PRIu64 ", \"duration\": %" PRIu64
            ", \"beforeRecording\": %" PRIu64 ", \"files\": [",
            span->start, length(span), report_before(report, loop));
    for (size_t i = 0; i < times.count; i++) {
        fputs(i > 0 ? ", {\"file\": " : "{\"file\": ", out);
        report_print_json(out, times.of[i].path);
        fprintf(out, ", \"time\": %" PRIu64 "}", times.of[i].time);
    }
    fputs("]}", out);
}

/* An engine needs some time for itself, at both ends: only the program's functions are named. */
static bool name_who(const struct report* report, const struct span* span, char* buffer,
                     size_t size) {
    report_name_culprit(report, span, buffer, size);
    return stacks_is_own(report->file->stacks, span->culprit) && *buffer != '\0';
}

static void say_before(struct report* report, const struct loop_stats* loop) {
    const struct span* span = loop->start_up;
    char name[32], time[32], inside[1300], timers[80] = "", shares[80];
    if (!has_start_up(report, loop) || report_own_time(span) < LONG_NS ||
        (report_own_time(span) < LONG_START_NS && loop->start_up_late == 0))
        return;
    if (!name_who(report, span, inside, sizeof(inside)))
        inside[0] = '\0';
    report_name_shares(span, shares, sizeof(shares));
    if (loop->start_up_late > 0)
        snprintf(timers, sizeof(timers), "; %" PRIu64 " timer%s late because of it",
                 loop->start_up_late, loop->start_up_late == 1 ? " was" : "s were");
    report_say(report, "blocked", span, "%s %s%s%s%s%s.%s",
               report_loop(report, loop->track, name, sizeof(name)),
               span->unfinished ? "has not turned once: the program was busy for "
                                : "turned for the first time after ",
               report_time(report_own_time(span), time, sizeof(time)),
               *inside != '\0' ? ", mostly " : "", inside, timers, shares);
}

static void say_after(struct report* report, const struct loop_stats* loop) {
    const struct span* span = loop->wind_down;
    char name[32], time[32], inside[1300];
    if (span == NULL || report_own_time(span) < LONG_NS ||
        !name_who(report, span, inside, sizeof(inside)))
        return;
    report_say(report, "blocked", span,
               "%s had nothing left to do at %.3f s, and the program went on for %s, mostly %s.",
               report_loop(report, loop->track, name, sizeof(name)), (double)span->start / 1e9,
               report_time(report_own_time(span), time, sizeof(time)), inside);
}

/* A runtime of which functions are known tells that better: see say_what_blocked. */
void report_say_start_up(struct report* report) {
    for (size_t i = 0; i < report->loop_count && !report->model.is_script; i++) {
        size_t before = report->sentence_count;
        say_before(report, &report->loops[i]);
        if (report->sentence_count > before)
            report->sentences[before].stack =
                report_heaviest_stack(report, report->loops[i].start_up);
        before = report->sentence_count;
        say_after(report, &report->loops[i]);
        if (report->sentence_count > before)
            report->sentences[before].stack =
                report_heaviest_stack(report, report->loops[i].wind_down);
    }
}
