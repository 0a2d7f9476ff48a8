/* What stands out in a recording, said in plain sentences. */

#include <inttypes.h>
#include <stdarg.h>

#include "report.h"
#include "trace_memory.h"

enum {
    MOST_BLOCKS = 5,
    BLOCKED_NS = 10000000, /* that a callback may take */
    LATE_NS = 2000000,     /* a timer is up to 1 ms late by its nature */
    STARVED_NS = 10000000, /* that work may wait for a thread */
    MANY_EMPTY_POLLS = 1000
};

__attribute__((format(printf, 2, 3))) static void say(struct report* report, const char* format,
                                                      ...) {
    char text[2000];
    va_list args;
    if (report->sentence_count == MOST_SENTENCES)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    report->sentences[report->sentence_count++] = must(strdup(text));
}

/* Timers of the same loop that came due during the span. */
static unsigned count_late_timers(const struct report* report, const struct span* block) {
    unsigned count = 0;
    for (size_t i = (size_t)(block - report->model->spans); i < report->model->span_count; i++) {
        const struct span* span = &report->model->spans[i];
        if (span->kind != SPAN_CALLBACK || span->callback != PH_CB_TIMER ||
            span->track != block->track || span->value < LATE_NS)
            continue;
        uint64_t due = span->start - (uint64_t)span->value;
        count += due >= block->start && due < block->end;
    }
    return count;
}

static void say_what_blocked(struct report* report) {
    char time[32], label[1400];
    for (size_t i = 0; i < report->longest_count && i < MOST_BLOCKS; i++) {
        const struct span* span = report->longest[i];
        uint64_t taken = span->end - span->start;
        if (taken < BLOCKED_NS)
            return;
        unsigned late = count_late_timers(report, span);
        const char* loop = report->model->tracks[span->track].name;
        report_label(report, span, label, sizeof(label));
        char timers[80] = "";
        if (late > 0)
            snprintf(timers, sizeof(timers), "; %u timer%s late because of it", late,
                     late == 1 ? " was" : "s were");
        say(report, "The %s was blocked %s at %.3f s by %s%s%s.",
            report->loop_count > 1 ? loop : "loop", report_time(taken, time, sizeof(time)),
            (double)span->start / 1e9, label,
            span->unfinished ? ", which had not returned when the recording ended" : "", timers);
    }
}

/* An iteration can be long without a long callback in it. */
static void say_what_was_long(struct report* report) {
    char time[32];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        uint64_t worst = samples_at(&loop->lag, 1);
        uint64_t longest =
            report->longest_count > 0 ? report->longest[0]->end - report->longest[0]->start : 0;
        if (worst >= BLOCKED_NS && longest < worst / 2)
            say(report,
                "Iteration %" PRIu64 " of the %s was busy for %s with many callbacks, none of them "
                "long.",
                loop->worst_lag_iteration, report->model->tracks[loop->track].name,
                report_time(worst, time, sizeof(time)));
    }
}

static void say_how_the_pool_did(struct report* report) {
    const struct pool_stats* pool = &report->pool;
    char worst[32], median[32];
    if (samples_at(&pool->queued, 1) < STARVED_NS)
        return;
    size_t waited = 0;
    for (size_t i = 0; i < pool->queued.count; i++)
        waited += pool->queued.values[i] >= STARVED_NS;
    say(report,
        "The thread pool was short of threads: %zu of %" PRIu64
        " requests waited 10 ms or more for one of its %u threads, the longest %s (they ran %s in "
        "the median). UV_THREADPOOL_SIZE sets their number.",
        waited, pool->requests, pool->threads,
        report_time(samples_at(&pool->queued, 1), worst, sizeof(worst)),
        report_time(samples_at(&pool->ran, 0.5), median, sizeof(median)));
}

static void say_how_polling_did(struct report* report) {
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        const char* name = report->model->tracks[loop->track].name;
        uint64_t turning = loop->waits - loop->blocking_waits;
        if (turning > MANY_EMPTY_POLLS && turning > loop->waits / 2 &&
            loop->events < loop->waits / 10)
            say(report,
                "The %s turned %" PRIu64 " times without sleeping and found events in %.1f %% of "
                "its polls: an active idle handle (or a pending close) keeps it from sleeping.",
                name, turning, 100.0 * (double)loop->waits_with_events / (double)loop->waits);
    }
}

static void say_what_is_missing(struct report* report) {
    const struct ph_trace_header* header = &report->file->header;
    if (report->loop_count == 0)
        say(report, "No loop has run.");
    if (header->overwritten > 0)
        say(report, "The beginning was overwritten to stay within the limit: this is the newest "
                    "part.");
    if (report->model->lost > 0)
        say(report,
            "%" PRIu64 " events were lost because they came faster than they could be written.",
            report->model->lost);
    if (header->status == PH_TRACE_FAILED)
        say(report, "The recording ended early because the file could not be written: %s.",
            strerror(header->error < 0 && header->error > -4096 ? -header->error : 0));
    else if (header->status == PH_TRACE_RECORDING)
        say(report, "The recording has no end: the program is still running, was killed, or left "
                    "without the usual steps.");
    for (size_t i = 0; i < report->file->problem_count; i++)
        say(report, "Damaged: %s.", report->file->problems[i]);
    if (symbols_problem(report->symbols) != NULL)
        say(report, "Note: %s.", symbols_problem(report->symbols));
}

void report_add_sentences(struct report* report) {
    say_what_blocked(report);
    say_what_was_long(report);
    say_how_the_pool_did(report);
    say_how_polling_did(report);
    report->first_note = report->sentence_count;
    say_what_is_missing(report);
}
