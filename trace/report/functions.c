/* What each function took, and which of its calls blocked a loop. */

#include "read/memory.h"
#include "read/stacks.h"
#include "report/report.h"

enum {
    MOST_FUNCTIONS = 4096, /* that are told apart; the last one stands for the rest */
    BLOCKED_NS = 10000000, /* that a callback may take */
    LATE_NS = 2000000,     /* a timer is up to 1 ms late by its nature */
    RECENT = 256
};

/* The last callbacks that blocked a loop, for the timers that were late because of them. */
struct recent {
    struct {
        uint64_t start, end;
        uint32_t function;
    } blocks[RECENT];
    uint64_t count;
};

static uint64_t length(const struct span* span) {
    return span->end - span->start;
}

/* Work that a runtime has named is told apart by that, as it is all one function of the runtime's.
 */
static uint64_t key_of(const struct span* span) {
    uint64_t name =
        span->callback == PH_CB_WORK && span->purpose != 0 ? span->purpose : span->called;
    uint64_t function = name != 0 ? name << 1 | 1 : span->function << 1;
    uint64_t key = (function << 8 | span->callback) * 0x9e3779b97f4a7c15u + span->track;
    return key != 0 ? key : 1;
}

static struct function_stats* find_function(struct report* report, const struct span* span) {
    uint64_t key = key_of(span);
    uint32_t known = map_get(&report->function_index, key);
    if (known != 0)
        return &report->functions[known - 1];
    if (report->function_count == MOST_FUNCTIONS)
        return &report->functions[MOST_FUNCTIONS - 1];
    struct function_stats* function = APPEND(report->functions, report->function_count);
    function->key = key;
    map_put(&report->function_index, key, (uint32_t)report->function_count);
    return function;
}

/* Where ticks took most of the time, how many there were. Waiting for a processor, which may have
 * been in a tick or not, does not count. */
static void count_ticks(const struct span* unit, size_t count, struct moment* moment,
                        const struct span* span) {
    uint64_t taken = 0;
    for (const struct span* inner = span + 1; inner < unit + count && inner->start < span->end;
         inner++) {
        if (inner->kind != SPAN_TICK || span_outer(unit, inner) != span)
            continue;
        taken += length(inner);
        moment->ticks += inner->detail == 0;
        moment->microtasks += inner->detail != 0;
    }
    if (taken <= report_own_time(span) / 2)
        moment->ticks = moment->microtasks = 0;
}

static struct moment moment_of(const struct span* unit, const struct span* span) {
    return (struct moment){.span = *span, .phase = report_phase(unit, span)};
}

static void insert_longest(struct moment longest[LONGEST], size_t* count, const struct span* unit,
                           const struct span* span) {
    size_t at = *count;
    while (at > 0 && length(&longest[at - 1].span) < length(span))
        at--;
    if (at == LONGEST)
        return;
    size_t moved = *count < LONGEST ? *count : LONGEST - 1;
    memmove(&longest[at + 1], &longest[at], (moved - at) * sizeof(longest[0]));
    longest[at] = moment_of(unit, span);
    *count = moved + 1;
}

/* It was not the function that took so long: its thread had no processor. */
static void add_starved(struct loop_stats* loop, const struct span* unit, const struct span* span) {
    if (loop->starved == 0 || span->queued > loop->starved_worst.span.queued)
        loop->starved_worst = moment_of(unit, span);
    loop->starved++;
    loop->starved_time += span->queued;
}

static void add_block(struct report* report, struct function_stats* function,
                      const struct span* unit, size_t count, const struct span* span,
                      struct loop_stats* loop) {
    function->has_callers |=
        function->blocked > 0 && span->caller != function->blocked_worst.span.caller;
    if (function->blocked == 0 ||
        report_own_time(span) > report_own_time(&function->blocked_worst.span)) {
        function->blocked_worst = moment_of(unit, span);
        count_ticks(unit, count, &function->blocked_worst, span);
    }
    function->blocked++;
    function->blocked_time += report_own_time(span);
    if (loop->recent == NULL)
        loop->recent = must(calloc(1, sizeof(*loop->recent)));
    size_t place = loop->recent->count++ % RECENT;
    loop->recent->blocks[place].start = span->start;
    loop->recent->blocks[place].end = span->end;
    loop->recent->blocks[place].function = (uint32_t)(function - report->functions);
}

/* The one with most stacks is the first. */
static void add_inside(struct function_stats* function, uint32_t name, uint32_t stacks) {
    struct inside* inside = function->inside;
    size_t at = 0;
    while (at < MOST_INSIDE && inside[at].name != name && inside[at].name != 0)
        at++;
    if (at == MOST_INSIDE)
        return;
    struct inside found = {name, inside[at].stacks + stacks};
    for (; at > 0 && inside[at - 1].stacks < found.stacks; at--)
        inside[at] = inside[at - 1];
    inside[at] = found;
}

/* Whom an engine ran in it, where it was not long and a stack was taken all the same. */
static void add_stacks(const struct report* report, struct function_stats* function,
                       const struct span* span) {
    enum { MOST_LOOKED_AT = 16 };
    const struct stacks* stacks = report->file->stacks;
    size_t count;
    if (span->called != 0 || report->model.is_script || length(span) < STACKS_BRIEF_NS ||
        report_own_time(span) >= STACKS_LONG_NS)
        return;
    const struct stack_sample* samples =
        stacks_between(stacks, report->model.tracks[span->track].tid,
                       report->model.began + span->start, report->model.began + span->end, &count);
    for (size_t i = 0; i < count && i < MOST_LOOKED_AT; i++) {
        if (samples[i].late)
            continue;
        uint32_t name = stacks_entry(stacks, &samples[i]);
        if (name != 0)
            add_inside(function, name, 1);
        function->stacks++;
    }
}

static struct function_stats* add_call(struct report* report, const struct span* unit, size_t count,
                                       const struct span* span, struct loop_stats* loop) {
    struct function_stats* function = find_function(report, span);
    uint64_t taken = length(span);
    if (function->time.count == 0 || taken > function->time.most)
        function->worst = moment_of(unit, span);
    histogram_add(&function->time, taken);
    report_add_waits(&function->waits, taken, span->has_shares ? span->queued : 0);
    function->accounted += span->has_shares ? taken : 0;
    function->on_cpu += span->has_shares ? span->ran : 0;
    function->queued += span->has_shares ? span->queued : 0;
    if (loop == NULL)
        return function;
    add_stacks(report, function, span);
    insert_longest(report->longest, &report->longest_count, unit, span);
    insert_longest(loop->longest, &loop->longest_count, unit, span);
    if (report_own_time(span) >= BLOCKED_NS)
        add_block(report, function, unit, count, span, loop);
    else if (taken >= BLOCKED_NS)
        add_starved(loop, unit, span);
    return function;
}

/* Of the blocks between the moment when the timer was due and its callback, the longest. */
static void blame(struct report* report, struct loop_stats* loop, const struct span* timer) {
    static const struct recent none;
    const struct recent* recent = loop->recent != NULL ? loop->recent : &none;
    uint64_t due =
        timer->start > (uint64_t)timer->value ? timer->start - (uint64_t)timer->value : 0;
    uint64_t worst = 0;
    uint32_t function = 0;
    for (uint64_t i = recent->count; i-- > 0 && recent->count - i <= RECENT;) {
        size_t place = i % RECENT;
        uint64_t start = recent->blocks[place].start, end = recent->blocks[place].end;
        if (end <= due)
            break;
        if (end <= timer->start && end - start > worst) {
            worst = end - start;
            function = recent->blocks[place].function;
        }
    }
    if (worst > 0)
        report->functions[function].late_timers++;
    else if (loop->start_up != NULL && loop->start_up->end > due)
        loop->start_up_late++;
}

/* A loop does not sleep while it has idle handles, immediates, closed handles or timers that are
 * due. Events and mail are reasons that come from elsewhere. */
static bool keeps_turning(const struct span* span) {
    return span->callback == PH_CB_IDLE || span->callback == PH_CB_PREPARE ||
           span->callback == PH_CB_CHECK || span->callback == PH_CB_TIMER ||
           span->callback == PH_CB_CLOSE;
}

static bool is_spin(const struct span* unit, size_t count) {
    if (unit->kind != SPAN_ITERATION || unit->unfinished)
        return false;
    for (size_t i = 1; i < count; i++) {
        const struct span* span = &unit[i];
        if ((span->kind == SPAN_WAIT && (span->value != 0 || span->events > 0)) ||
            (span->kind == SPAN_CALLBACK && !keeps_turning(span)))
            return false;
    }
    return true;
}

void report_add_functions(struct report* report, const struct span* unit, size_t count,
                          const uint32_t* loop_of_track) {
    bool spins = is_spin(unit, count) && loop_of_track[unit->track] != 0;
    if (spins) {
        struct loop_stats* loop = &report->loops[loop_of_track[unit->track] - 1];
        loop->spins++;
        loop->spin_time += length(unit);
    }
    for (size_t i = 0; i < count; i++) {
        const struct span* span = &unit[i];
        if (span->kind != SPAN_CALLBACK)
            continue;
        uint32_t number = loop_of_track[span->track];
        struct loop_stats* loop = number != 0 ? &report->loops[number - 1] : NULL;
        if (loop != NULL && span->callback == PH_CB_TIMER && span->value >= LATE_NS)
            blame(report, loop, span);
        if (span_outer_of_kind(unit, span, SPAN_CALLBACK) == NULL &&
            (loop != NULL || span->callback == PH_CB_WORK))
            add_call(report, unit, count, span, loop)->spins += spins;
    }
}

/* The table */

static void merge_into(struct function_stats* to, const struct function_stats* from) {
    if (to->time.count == 0 || from->time.most > to->time.most)
        to->worst = from->worst;
    histogram_merge(&to->time, &from->time);
    if (from->waits != NULL) {
        if (to->waits == NULL)
            to->waits = must(calloc(1, sizeof(*to->waits)));
        histogram_merge(&to->waits->with, &from->waits->with);
        histogram_merge(&to->waits->without, &from->waits->without);
    }
    to->on_cpu += from->on_cpu;
    to->queued += from->queued;
    to->accounted += from->accounted;
    for (size_t i = 0; i < MOST_INSIDE && from->inside[i].name != 0; i++)
        add_inside(to, from->inside[i].name, from->inside[i].stacks);
    to->stacks += from->stacks;
}

static int compare_totals(const void* a, const void* b) {
    const struct function_stats *x = a, *y = b;
    return x->time.sum != y->time.sum ? (x->time.sum < y->time.sum) - (x->time.sum > y->time.sum)
                                      : (x->key > y->key) - (x->key < y->key);
}

struct function_stats* report_merge_functions(const struct report* report, size_t* count) {
    struct function_stats* merged = NULL;
    struct map index = {0};
    *count = 0;
    for (size_t i = 0; i < report->function_count; i++) {
        struct span span = report->functions[i].worst.span;
        span.track = 0;
        uint64_t key = key_of(&span);
        uint32_t known = map_get(&index, key);
        if (known == 0) {
            APPEND(merged, *count)->key = key;
            known = (uint32_t)*count;
            map_put(&index, key, known);
        }
        merge_into(&merged[known - 1], &report->functions[i]);
    }
    free(index.slots);
    if (*count > 1)
        qsort(merged, *count, sizeof(*merged), compare_totals);
    return merged;
}

void report_free_functions(struct function_stats* functions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        histogram_free(&functions[i].time);
        report_free_waits(functions[i].waits);
    }
    free(functions);
}
