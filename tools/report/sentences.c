/* What stands out in a recording, said in plain sentences. */

#include <inttypes.h>
#include <stdarg.h>

#include "read/memory.h"
#include "report/report.h"

enum {
    MOST_BLOCKS = 5,
    BLOCKED_NS = 10000000, /* that a callback may take */
    LATE_NS = 2000000,     /* a timer is up to 1 ms late by its nature */
    STARVED_NS = 10000000, /* that work may wait for a thread */
    MANY_EMPTY_POLLS = 1000,
    MOST_FUNCTIONS = 256, /* that are told apart */
    MOST_STEPS = 50000000 /* for what made timers late */
};

#define FULL_POOL 0.6

__attribute__((format(printf, 4, 5))) static void
say(struct report* report, const char* about, const struct span* span, const char* format, ...) {
    char text[2000];
    va_list args;
    if (report->sentence_count == MOST_SENTENCES)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    report->sentences[report->sentence_count++] =
        (struct sentence){.text = must(strdup(text)), .about = about, .span = span};
}

/* Callbacks of one function that blocked one loop. */
struct block {
    const struct span* worst;
    uint64_t key;
    uint64_t together;
    unsigned times;
    unsigned late_timers;
};

struct blocks {
    struct block* all;
    size_t count;
    uint32_t* of_span; /* by span: the block, + 1 */
    size_t steps;      /* that looking back may still take, over all timers */
};

static uint64_t key_of(const struct report* report, const struct span* span) {
    uint32_t inside = report->named_inside[span - report->model->spans];
    uint32_t name = inside != 0 ? report->model->spans[inside - 1].name : span->name;
    uint64_t key = name != 0 ? name : span->function;
    return (key << 8 | span->callback) * 31 + span->track;
}

static void add_block(const struct report* report, struct blocks* blocks, const struct span* span) {
    uint64_t key = key_of(report, span), taken = span->end - span->start;
    size_t i = 0;
    while (i < blocks->count && blocks->all[i].key != key)
        i++;
    if (i == MOST_FUNCTIONS)
        return;
    struct block* block = i < blocks->count ? &blocks->all[i] : APPEND(blocks->all, blocks->count);
    block->key = key;
    block->times++;
    block->together += taken;
    if (block->worst == NULL || taken > block->worst->end - block->worst->start)
        block->worst = span;
    blocks->of_span[span - report->model->spans] = (uint32_t)(i + 1);
}

/* Of the spans that ran between the moment when the timer was due and its callback, the longest. A
 * timer is called soon after the block has ended, so looking back from it is short. */
static void blame(const struct report* report, struct blocks* blocks, const struct span* timer) {
    const struct span* first = report->model->spans;
    uint64_t due =
        timer->start > (uint64_t)timer->value ? timer->start - (uint64_t)timer->value : 0;
    const struct span* worst = NULL;
    for (const struct span* span = timer; span-- > first && blocks->steps > 0; blocks->steps--) {
        bool blocked = blocks->of_span[span - first] != 0;
        if (span->track != timer->track || (!blocked && span->kind != SPAN_ITERATION))
            continue;
        if (span->end <= due)
            break;
        if (blocked && span->end <= timer->start &&
            (worst == NULL || worst->end - worst->start < span->end - span->start))
            worst = span;
    }
    if (worst != NULL)
        blocks->all[blocks->of_span[worst - first] - 1].late_timers++;
}

static int compare_blocks(const void* a, const void* b) {
    const struct span *x = ((const struct block*)a)->worst, *y = ((const struct block*)b)->worst;
    uint64_t p = x->end - x->start, q = y->end - y->start;
    return (p < q) - (p > q);
}

static void find_blocks(const struct report* report, struct blocks* blocks) {
    const struct model* model = report->model;
    blocks->of_span = must(calloc(model->span_count + 1, sizeof(*blocks->of_span)));
    for (size_t i = 0; i < model->span_count; i++)
        if (report_blocks_loop(report, &model->spans[i]) &&
            model->spans[i].end - model->spans[i].start >= BLOCKED_NS)
            add_block(report, blocks, &model->spans[i]);
    for (size_t i = 0; i < model->span_count && blocks->count > 0; i++)
        if (model->spans[i].callback == PH_CB_TIMER && model->spans[i].value >= LATE_NS)
            blame(report, blocks, &model->spans[i]);
    if (blocks->count > 1)
        qsort(blocks->all, blocks->count, sizeof(*blocks->all), compare_blocks);
}

/* Who blocked, as the rest of a sentence: "the timer callback tick (app.js:3)". */
static void name_blocker(const struct report* report, const struct span* span, char* buffer,
                         size_t size) {
    char label[1400];
    report_label(report, span, label, sizeof(label));
    bool script = span->function != 0 && report_script_name(report, span) != NULL;
    snprintf(buffer, size, "%s%s", script ? "the " : "", label);
}

/* Where ticks took most of the time: ", mostly in the 5000 ticks that followed". */
static void name_ticks(const struct report* report, const struct span* block, char* buffer,
                       size_t size) {
    const struct span* end = report->model->spans + report->model->span_count;
    uint64_t taken = 0;
    size_t ticks = 0, microtasks = 0;
    buffer[0] = '\0';
    for (const struct span* span = block + 1; span < end && span->start < block->end; span++) {
        if (span->kind != SPAN_TICK || span->track != block->track ||
            report->model->spans + span->inside - 1 != block)
            continue;
        taken += span->end - span->start;
        ticks += span->detail == 0;
        microtasks += span->detail != 0;
    }
    size_t count = ticks >= microtasks ? ticks : microtasks;
    if (taken > (block->end - block->start) / 2 && count > 1)
        snprintf(buffer, size, ", mostly in the %zu %s that followed it", count,
                 ticks >= microtasks ? "ticks" : "microtasks");
}

static bool is_outside(const struct report* report, const struct span* span) {
    return span->function == 0 && report_phase(report, span) == PH_PHASE_COUNT;
}

static void say_block(struct report* report, const struct block* block) {
    char worst[32], together[32], name[32], label[1500], times[120] = "", timers[80] = "";
    char ticks[120];
    const struct span* span = block->worst;
    const char* loop = report_loop(report, span->track, name, sizeof(name));
    name_blocker(report, span, label, sizeof(label));
    name_ticks(report, span, ticks, sizeof(ticks));
    report_time(span->end - span->start, worst, sizeof(worst));
    if (block->late_timers > 0)
        snprintf(timers, sizeof(timers), "; %u timer%s late because of it", block->late_timers,
                 block->late_timers == 1 ? " was" : "s were");
    if (block->times > 1)
        snprintf(times, sizeof(times), " (and %u more time%s, %s together)", block->times - 1,
                 block->times == 2 ? "" : "s",
                 report_time(block->together, together, sizeof(together)));
    const char* unfinished =
        span->unfinished ? ", which had not returned when the recording ended" : "";
    if (is_outside(report, span))
        say(report, "blocked", span, "%s took %s at %.3f s, outside of the loop's turns%s%s%s.",
            label, worst, (double)span->start / 1e9, ticks, unfinished, timers);
    else
        say(report, "blocked", span, "%s was blocked %s at %.3f s%s by %s%s%s%s.", loop, worst,
            (double)span->start / 1e9, times, label, ticks, unfinished, timers);
}

static void say_what_blocked(struct report* report) {
    struct blocks blocks = {.steps = MOST_STEPS};
    find_blocks(report, &blocks);
    for (size_t i = 0; i < blocks.count && i < MOST_BLOCKS; i++)
        say_block(report, &blocks.all[i]);
    free(blocks.all);
    free(blocks.of_span);
}

/* An iteration can be long without a long callback in it. */
static void say_what_was_long(struct report* report) {
    char time[32], name[32];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        if (loop->worst_lag < BLOCKED_NS || loop->worst_lag_in_callbacks >= loop->worst_lag / 2)
            continue;
        say(report, "loop", NULL,
            "%s was busy for %s in iteration %" PRIu64 ", but callbacks took less than half of "
            "that: the process may not have had a processor.",
            report_loop(report, loop->track, name, sizeof(name)),
            report_time(loop->worst_lag, time, sizeof(time)), loop->worst_lag_iteration);
    }
}

/* How much of the time from the first request to the last the pool's threads were at work. */
static double pool_load(const struct report* report) {
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = 1; i < report->model->object_count; i++) {
        const struct object* object = &report->model->objects[i];
        if (!object->for_pool || object->born == 0 || object->done == 0)
            continue;
        first = object->born < first ? object->born : first;
        last = object->done > last ? object->done : last;
    }
    double room = last > first ? (double)(last - first) * report->pool.threads : 0;
    return room > 0 ? (double)report->pool.ran.sum / room : 0;
}

static void say_how_the_pool_did(struct report* report) {
    const struct pool_stats* pool = &report->pool;
    char worst[32], median[32];
    if (samples_at(&pool->queued, 1) < STARVED_NS)
        return;
    size_t waited = 0;
    for (size_t i = 0; i < pool->queued.count; i++)
        waited += pool->queued.values[i] >= STARVED_NS;
    bool full = pool_load(report) > FULL_POOL;
    say(report, "pool", NULL,
        "%zu of %" PRIu64 " requests waited 10 ms or more for one of the pool's %u threads, the "
        "longest %s; they ran %s in the median.%s",
        waited, pool->requests, pool->threads,
        report_time(samples_at(&pool->queued, 1), worst, sizeof(worst)),
        report_time(samples_at(&pool->ran, 0.5), median, sizeof(median)),
        full ? " All threads were busy: UV_THREADPOOL_SIZE sets their number." : "");
}

static void say_how_polling_did(struct report* report) {
    char name[32];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        uint64_t turning = loop->waits - loop->blocking_waits;
        if (turning > MANY_EMPTY_POLLS && turning > loop->waits / 2 &&
            loop->events < loop->waits / 10)
            say(report, "loop", NULL,
                "%s turned %" PRIu64 " times without sleeping and found events in %.1f %% of "
                "its polls: an active idle handle (or a pending close) keeps it from sleeping.",
                report_loop(report, loop->track, name, sizeof(name)), turning,
                100.0 * (double)loop->waits_with_events / (double)loop->waits);
    }
}

static void say_what_is_missing(struct report* report) {
    const struct ph_trace_header* header = &report->file->header;
    if (report->loop_count == 0 && !report->file->partial)
        say(report, "recording", NULL, "%s",
            header->status == PH_TRACE_COMPLETE
                ? "No loop has run."
                : "Nothing that its loops may have done is in the file, which is written ten times "
                  "a second.");
    if (header->overwritten > 0 && !report->file->partial)
        say(report, "recording", NULL,
            "The beginning was overwritten to stay within the limit: this is the newest "
            "part.");
    if (report->model->lost > 0)
        say(report, "recording", NULL,
            "%" PRIu64 " events were lost because they came faster than they could be written.",
            report->model->lost);
    if (header->status == PH_TRACE_FAILED)
        say(report, "recording", NULL,
            "The recording ended early because the file could not be written: %s.",
            strerror(header->error < 0 && header->error > -4096 ? -header->error : 0));
    else if (header->status == PH_TRACE_RECORDING && !report->file->partial)
        say(report, "recording", NULL,
            "The recording has no end: the program is still running, was killed, or left "
            "without the usual steps.");
    for (size_t i = 0; i < report->file->problem_count; i++)
        say(report, "recording", NULL, "Damaged: %s.", report->file->problems[i]);
    if (symbols_problem(report->symbols) != NULL)
        say(report, "recording", NULL, "Note: %s.", symbols_problem(report->symbols));
}

void report_add_sentences(struct report* report) {
    say_what_blocked(report);
    say_what_was_long(report);
    say_how_the_pool_did(report);
    say_how_polling_did(report);
    say_what_is_missing(report);
}
