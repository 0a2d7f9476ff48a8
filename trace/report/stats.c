/* The numbers of a report. */

#include "read/lua_names.h"
#include "read/memory.h"
#include "read/source_maps.h"
#include "read/stacks.h"
#include "report/report.h"
#include "report/routes.h"

enum { STARVED_NS = 10000000 /* that work may wait for a thread */ };

/* A report while it is made. */
struct collector {
    struct report* report;
    uint32_t* loop_of_track; /* + 1 */
    size_t track_count;
    uint64_t* waited; /* by span of the unit: how much of it was waiting */
    uint64_t* called; /* and how much callbacks took */
    uint64_t* queued; /* and how long they waited for a processor */
    size_t room;
};

/* Where a recording begins inside of a phase, the kind of a callback tells which one it is. */
static unsigned phase_of_kind(const struct span* span) {
    if (span->kind != SPAN_CALLBACK)
        return PH_PHASE_COUNT;
    switch (span->callback) {
    case PH_CB_TIMER:
        return PH_PHASE_TIMERS;
    case PH_CB_IDLE:
        return PH_PHASE_IDLE;
    case PH_CB_PREPARE:
        return PH_PHASE_PREPARE;
    case PH_CB_CHECK:
        return PH_PHASE_CHECK;
    case PH_CB_CLOSE:
        return PH_PHASE_CLOSING;
    default:
        return PH_PHASE_COUNT;
    }
}

unsigned report_phase(const struct span* unit, const struct span* span) {
    const struct span* phase = span_outer_of_kind(unit, span, SPAN_PHASE);
    return phase != NULL ? phase->detail : phase_of_kind(span);
}

static uint64_t length(const struct span* span) {
    return span->end - span->start;
}

static bool is_on_loop(const struct model* model, const struct span* span) {
    return span->track < model->track_count && model->tracks[span->track].kind == TRACK_LOOP;
}

/* Loops */

static void find_loops(struct collector* c, const struct model* model) {
    struct report* report = c->report;
    while (c->track_count < model->track_count) {
        size_t track = c->track_count;
        *APPEND(c->loop_of_track, c->track_count) = 0;
        if (model->tracks[track].kind != TRACK_LOOP)
            continue;
        APPEND(report->loops, report->loop_count)->track = (uint16_t)track;
        c->loop_of_track[track] = (uint32_t)report->loop_count;
    }
}

void report_add_waits(struct waits** waits, uint64_t time, uint64_t queued) {
    if (queued == 0)
        return;
    if (*waits == NULL)
        *waits = must(calloc(1, sizeof(**waits)));
    histogram_add(&(*waits)->with, time);
    histogram_add(&(*waits)->without, time > queued ? time - queued : 0);
}

void report_free_waits(struct waits* waits) {
    if (waits == NULL)
        return;
    histogram_free(&waits->with);
    histogram_free(&waits->without);
    free(waits);
}

/* How long the spans of one kind took, by the spans around them. A loop that turns inside a
 * callback of another may wait: the other one is busy with it. */
static void sum_inside(const struct span* unit, size_t count, enum span_kind kind, uint64_t* sums,
                       uint64_t* queued) {
    for (size_t i = 0; i < count; i++)
        sums[i] = queued[i] = 0;
    for (size_t i = 0; i < count; i++) {
        const struct span* span = &unit[i];
        if (span->kind != kind ||
            (kind == SPAN_CALLBACK && span_outer_of_kind(unit, span, SPAN_CALLBACK) != NULL))
            continue;
        for (const struct span* outer = span_outer(unit, span); outer != NULL;
             outer = span_outer(unit, outer))
            if (outer->track == span->track) {
                sums[outer - unit] += length(span);
                queued[outer - unit] += span->has_shares ? span->queued : 0;
            }
    }
}

static void add_wait(struct loop_stats* loop, const struct span* span) {
    loop->waits += span->calls;
    loop->waited += length(span);
    loop->blocking_waits += span->value != 0 && span->calls > 0;
    loop->waits_with_events += span->events > 0;
    loop->events += span->events;
}

static void add_callback(struct loop_stats* loop, const struct span* unit,
                         const struct span* span) {
    unsigned phase = report_phase(unit, span);
    loop->callbacks++;
    if (phase < PH_PHASE_COUNT)
        loop->phase_callbacks[phase]++;
    if (span->callback == PH_CB_TIMER && span->value > 0)
        histogram_add(&loop->lateness, (uint64_t)span->value);
}

static void add_shares(struct loop_stats* loop, const struct span* span, uint64_t busy) {
    if (!span->has_shares)
        return;
    loop->accounted += busy;
    uint64_t ran = span->ran < busy ? span->ran : busy;
    loop->ran += ran;
    loop->queued += span->queued < busy - ran ? span->queued : busy - ran;
}

/* A turn inside of a callback of the same loop: its time is that callback's. */
static bool is_nested(const struct span* unit, const struct span* span) {
    for (const struct span* outer = span_outer_of_kind(unit, span, SPAN_CALLBACK); outer != NULL;
         outer = span_outer(unit, outer))
        if (outer->track == span->track && outer->kind == SPAN_ITERATION)
            return true;
    return false;
}

static void add_iteration(struct loop_stats* loop, const struct span* span, uint64_t busy,
                          uint64_t in_callbacks, bool nested) {
    uint64_t lag = busy + loop->outside_before;
    if (loop->lag.count == 0 || lag > loop->lag.most) {
        loop->worst_lag = *span;
        loop->worst_lag_in_callbacks = in_callbacks + loop->outside_before;
    }
    histogram_add(&loop->lag, lag);
    report_add_waits(&loop->lag_waits, lag,
                     loop->queued_before + (span->has_shares ? span->queued : 0));
    loop->iterations++;
    loop->outside_before = loop->queued_before = 0;
    if (nested)
        return;
    loop->time += length(span);
    add_shares(loop, span, busy);
}

/* Where somebody may have waited for the loop's descriptor, only what the thread ran or wanted to
 * run kept the loop from turning. */
static void add_outside(struct loop_stats* loop, const struct span* span) {
    if (span->detail == OUTSIDE_BEFORE || span->detail == OUTSIDE_AFTER) {
        struct span** longest = span->detail == OUTSIDE_BEFORE ? &loop->start_up : &loop->wind_down;
        if (*longest == NULL)
            *longest = must(calloc(1, sizeof(**longest)));
        if (length(span) >= length(*longest))
            **longest = *span;
        return;
    }
    uint64_t kept = span->detail == OUTSIDE_BETWEEN ? length(span)
                    : span->has_shares              ? span->ran + span->queued
                                                    : 0;
    loop->time += length(span);
    loop->waited += length(span) - kept;
    loop->outside += kept;
    loop->outside_count++;
    loop->outside_before += kept;
    loop->queued_before += span->has_shares ? span->queued : 0;
    add_shares(loop, span, kept);
    if (kept > loop->outside_worst.end - loop->outside_worst.start) {
        loop->outside_worst = *span;
        loop->outside_worst.start = span->end - kept;
    }
}

static void add_span(struct collector* c, const struct span* unit, size_t count, size_t at) {
    const struct span* span = &unit[at];
    struct loop_stats* loop = &c->report->loops[c->loop_of_track[span->track] - 1];
    uint64_t busy = length(span) > c->waited[at] ? length(span) - c->waited[at] : 0;
    if (span->kind == SPAN_ITERATION) {
        uint64_t lag = busy + loop->outside_before;
        add_iteration(loop, span, busy, c->called[at], is_nested(unit, span));
        report_add_turn(c->report, loop, unit, count, span, lag);
    } else if (span->kind == SPAN_OUTSIDE) {
        add_outside(loop, span);
    } else if (span->kind == SPAN_PHASE) {
        loop->phase_time[span->detail] += is_nested(unit, span) ? 0 : busy;
        histogram_add(&loop->phase_times[span->detail], busy);
        report_add_waits(&loop->phase_waits[span->detail], busy, c->queued[at]);
    } else if (span->kind == SPAN_WAIT) {
        add_wait(loop, span);
    } else if (span->kind == SPAN_WAKE) {
        loop->wakes += span->subject == 0;
    } else if (span->kind == SPAN_TICK) {
        loop->ticks += span->detail == 0;
        loop->microtasks += span->detail != 0;
    } else if (span->kind == SPAN_CALLBACK && span->function != 0) {
        add_callback(loop, unit, span);
    }
}

static void on_unit(void* context, const struct model* model, const struct span* unit,
                    size_t count) {
    struct collector* c = context;
    struct report* report = c->report;
    find_loops(c, model);
    report_add_waiting(report, unit);
    if (count > c->room) {
        c->room = count * 2;
        c->waited = must(reallocarray(c->waited, c->room, sizeof(*c->waited)));
        c->called = must(reallocarray(c->called, c->room, sizeof(*c->called)));
        c->queued = must(reallocarray(c->queued, c->room, sizeof(*c->queued)));
    }
    sum_inside(unit, count, SPAN_WAIT, c->waited, c->queued);
    sum_inside(unit, count, SPAN_CALLBACK, c->called, c->queued);
    for (size_t i = 0; i < count; i++)
        if (is_on_loop(model, &unit[i]))
            add_span(c, unit, count, i);
    report_add_functions(report, unit, count, c->loop_of_track);
    size_t second = (size_t)(unit->start / report->second_width);
    report->second_rows[second < report->second_count ? second : report->second_count - 1] += count;
    report->span_count += count;
}

/* The pool. Requests whose beginning was not recorded have no times worth counting. */
static void on_request(void* context, const struct model* model, const struct object* object) {
    struct report* report = ((struct collector*)context)->report;
    struct pool_stats* pool = &report->pool;
    (void)model;
    if (object->ended == 0 && object->done == 0 && object->born != 0)
        report_add_open(report, object);
    if (object->for_pool)
        report_add_pool_user(report, object);
    pool->on_ring += object->on_ring;
    if (!object->for_pool)
        return;
    pool->requests++;
    pool->cancelled += object->cancelled;
    if (object->born != 0 && object->started >= object->born) {
        uint64_t queued = object->started - object->born;
        histogram_add(&pool->queued, queued);
        pool->starved += queued >= STARVED_NS;
    }
    if (object->started != 0 && object->done >= object->started)
        histogram_add(&pool->ran, object->done - object->started);
    if (object->done != 0 && object->ended >= object->done)
        histogram_add(&pool->returned, object->ended - object->done);
    if (object->born == 0 || object->done == 0)
        return;
    if (pool->first == 0 || object->born < pool->first)
        pool->first = object->born;
    if (object->done > pool->last)
        pool->last = object->done;
}

static void on_handle(void* context, const struct model* model, const struct object* object) {
    (void)model;
    report_add_open(((struct collector*)context)->report, object);
}

static void on_exchange(void* context, const struct model* model, const struct exchange* exchange) {
    (void)model;
    report_add_exchange(((struct collector*)context)->report, exchange);
}

static void main_loop_first(struct report* report) {
    for (size_t i = 1; i < report->loop_count; i++)
        if (report->model.tracks[report->loops[i].track].is_main) {
            struct loop_stats main_loop = report->loops[i];
            memmove(&report->loops[1], &report->loops[0], i * sizeof(main_loop));
            report->loops[0] = main_loop;
        }
}

void report_make(struct report* report, struct trace_file* file, struct symbols* symbols,
                 uint64_t from, uint64_t to) {
    *report = (struct report){.file = file, .symbols = symbols};
    struct collector c = {.report = report};
    struct model_sink sink = {&c, on_unit, on_request, on_handle, on_exchange};
    report->folder = trace_file_info(file, "folder");
    if (file->stacks == NULL)
        file->stacks = stacks_open(file, symbols);
    if (!file->is_mapped)
        lua_names_apply(file);
    source_maps_apply(file);
    report_begin_seconds(report);
    model_run(&report->model, file, from, to, &sink);
    find_loops(&c, &report->model);
    for (size_t i = 0; i < report->model.track_count; i++)
        report->pool.threads += report->model.tracks[i].kind == TRACK_POOL;
    main_loop_first(report);
    report_add_sentences(report);
    free(c.loop_of_track);
    free(c.waited);
    free(c.called);
    free(c.queued);
}

double report_utilisation(const struct loop_stats* loop) {
    uint64_t busy = loop->time > loop->waited ? loop->time - loop->waited : 0;
    return loop->time > 0 ? (double)busy / (double)loop->time : 0;
}

uint64_t report_duration(const struct report* report) {
    const struct model* model = &report->model;
    uint64_t from = model->from > model->first ? model->from : model->first;
    uint64_t to = model->to < model->duration ? model->to : model->duration;
    return to > from ? to - from : 0;
}

void report_free(struct report* report) {
    for (size_t i = 0; i < report->loop_count; i++) {
        histogram_free(&report->loops[i].lag);
        histogram_free(&report->loops[i].lateness);
        report_free_waits(report->loops[i].lag_waits);
        for (unsigned k = 0; k < PH_PHASE_COUNT; k++) {
            histogram_free(&report->loops[i].phase_times[k]);
            report_free_waits(report->loops[i].phase_waits[k]);
        }
        free(report->loops[i].seconds);
        free(report->loops[i].start_up);
        free(report->loops[i].wind_down);
        free(report->loops[i].recent);
    }
    free(report->loops);
    histogram_free(&report->pool.queued);
    histogram_free(&report->pool.ran);
    histogram_free(&report->pool.returned);
    report_free_functions(report->functions, report->function_count);
    free(report->function_index.slots);
    report_free_routes(report);
    report_free_alikes(&report->alive);
    report_free_alikes(&report->pool_users);
    free(report->outliers);
    free(report->second_rows);
    free(report->folder);
    model_free(&report->model);
    for (size_t i = 0; i < report->failure_count; i++)
        free(report->failures[i]);
    free(report->failures);
    for (size_t i = 0; i < report->sentence_count; i++) {
        free(report->sentences[i].text);
        free(report->sentences[i].stack);
        free(report->sentences[i].strong[0]);
        free(report->sentences[i].strong[1]);
    }
}
