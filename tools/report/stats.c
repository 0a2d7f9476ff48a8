/* The numbers of a report. */

#include "read/memory.h"
#include "report/report.h"

void samples_add(struct samples* samples, uint64_t value) {
    *APPEND(samples->values, samples->count) = value;
    samples->sum += value;
}

static int compare_values(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

void samples_sort(struct samples* samples) {
    if (samples->count > 1)
        qsort(samples->values, samples->count, sizeof(*samples->values), compare_values);
}

uint64_t samples_at(const struct samples* samples, double share) {
    if (samples->count == 0)
        return 0;
    size_t index = (size_t)(share * (double)samples->count);
    return samples->values[index < samples->count ? index : samples->count - 1];
}

/* Spans run inside others */

static const struct span* outer_of(const struct report* report, const struct span* span) {
    return span->inside != 0 ? &report->model->spans[span->inside - 1] : NULL;
}

static const struct span* find_outer(const struct report* report, const struct span* span,
                                     enum span_kind kind) {
    for (span = outer_of(report, span); span != NULL && span->kind != kind;)
        span = outer_of(report, span);
    return span;
}

unsigned report_phase(const struct report* report, const struct span* span) {
    const struct span* phase = find_outer(report, span, SPAN_PHASE);
    return phase != NULL ? phase->detail : PH_PHASE_COUNT;
}

static uint64_t length(const struct span* span) {
    return span->end - span->start;
}

static bool is_on_loop(const struct report* report, const struct span* span) {
    return span->track < report->model->track_count &&
           report->model->tracks[span->track].kind == TRACK_LOOP;
}

/* Collecting */

static void add_iteration(struct loop_stats* loop, const struct span* span, uint64_t waited,
                          uint64_t in_callbacks) {
    uint64_t lag = length(span) > waited ? length(span) - waited : 0;
    if (loop->lag.count == 0 || lag > loop->worst_lag) {
        loop->worst_lag = lag;
        loop->worst_lag_iteration = (uint64_t)span->value;
        loop->worst_lag_in_callbacks = in_callbacks;
    }
    samples_add(&loop->lag, lag);
    loop->iterations++;
    loop->time += length(span);
}

static void add_wait(struct loop_stats* loop, const struct span* span) {
    loop->waits++;
    loop->waited += length(span);
    loop->blocking_waits += span->value != 0;
    loop->waits_with_events += span->events > 0;
    loop->events += span->events;
}

/* How long the spans of one kind took, by the spans around them. */
static uint64_t* sum_inside(const struct report* report, enum span_kind kind) {
    const struct model* model = report->model;
    uint64_t* waited = must(calloc(model->span_count + 1, sizeof(*waited)));
    for (size_t i = 0; i < model->span_count; i++) {
        const struct span* span = &model->spans[i];
        if (span->kind != kind ||
            (kind == SPAN_CALLBACK && find_outer(report, span, SPAN_CALLBACK) != NULL))
            continue;
        for (const struct span* outer = outer_of(report, span); outer != NULL;
             outer = outer_of(report, outer))
            waited[outer - model->spans] += length(span);
    }
    return waited;
}

static void add_span(struct report* report, const struct span* span, uint64_t wait,
                     uint64_t in_callbacks, struct loop_stats* loop) {
    if (span->kind == SPAN_ITERATION) {
        add_iteration(loop, span, wait, in_callbacks);
    } else if (span->kind == SPAN_PHASE) {
        loop->phase_time[span->detail] += length(span) > wait ? length(span) - wait : 0;
    } else if (span->kind == SPAN_WAIT) {
        add_wait(loop, span);
    } else if (span->kind == SPAN_WAKE) {
        loop->wakes += span->subject == 0;
    } else if (span->kind == SPAN_TICK) {
        loop->ticks += span->detail == 0;
        loop->microtasks += span->detail != 0;
    } else if (span->kind == SPAN_CALLBACK && span->function != 0) {
        unsigned phase = report_phase(report, span);
        loop->callbacks++;
        if (phase < PH_PHASE_COUNT)
            loop->phase_callbacks[phase]++;
        if (span->callback == PH_CB_TIMER && span->value > 0)
            samples_add(&loop->lateness, (uint64_t)span->value);
    }
}

static void collect_loops(struct report* report) {
    const struct model* model = report->model;
    size_t* index = must(calloc(model->track_count + 1, sizeof(*index)));
    for (size_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].kind == TRACK_LOOP) {
            index[i] = report->loop_count;
            APPEND(report->loops, report->loop_count)->track = (uint16_t)i;
        }
    uint64_t* waited = sum_inside(report, SPAN_WAIT);
    uint64_t* in_callbacks = sum_inside(report, SPAN_CALLBACK);
    for (size_t i = 0; i < model->span_count; i++)
        if (is_on_loop(report, &model->spans[i]))
            add_span(report, &model->spans[i], waited[i], in_callbacks[i],
                     &report->loops[index[model->spans[i].track]]);
    free(waited);
    free(in_callbacks);
    free(index);
    for (size_t i = 1; i < report->loop_count; i++)
        if (model->tracks[report->loops[i].track].is_main) {
            struct loop_stats main_loop = report->loops[i];
            memmove(&report->loops[1], &report->loops[0], i * sizeof(main_loop));
            report->loops[0] = main_loop;
        }
    for (size_t i = 0; i < report->loop_count; i++) {
        samples_sort(&report->loops[i].lag);
        samples_sort(&report->loops[i].lateness);
    }
}

/* Requests whose beginning was not recorded have no times worth counting. */
static void collect_pool(struct report* report) {
    struct pool_stats* pool = &report->pool;
    for (size_t i = 0; i < report->model->track_count; i++)
        pool->threads += report->model->tracks[i].kind == TRACK_POOL;
    for (size_t i = 1; i < report->model->object_count; i++) {
        const struct object* object = &report->model->objects[i];
        pool->on_ring += object->on_ring;
        if (!object->for_pool)
            continue;
        pool->requests++;
        pool->cancelled += object->cancelled;
        if (object->born != 0 && object->started >= object->born)
            samples_add(&pool->queued, object->started - object->born);
        if (object->started != 0 && object->done >= object->started)
            samples_add(&pool->ran, object->done - object->started);
        if (object->done != 0 && object->ended >= object->done)
            samples_add(&pool->returned, object->ended - object->done);
    }
    samples_sort(&pool->queued);
    samples_sort(&pool->ran);
    samples_sort(&pool->returned);
}

static void insert_longest(struct report* report, const struct span* span) {
    size_t at = report->longest_count;
    while (at > 0 && length(report->longest[at - 1]) < length(span))
        at--;
    if (at == LONGEST)
        return;
    size_t moved = report->longest_count < LONGEST ? report->longest_count : LONGEST - 1;
    memmove(&report->longest[at + 1], &report->longest[at],
            (moved - at) * sizeof(report->longest[0])); /* NOLINT: pointers */
    report->longest[at] = span;
    report->longest_count = moved + 1;
}

bool report_blocks_loop(const struct report* report, const struct span* span) {
    return span->kind == SPAN_CALLBACK && is_on_loop(report, span) &&
           find_outer(report, span, SPAN_CALLBACK) == NULL;
}

static void collect_longest(struct report* report) {
    const struct model* model = report->model;
    report->named_inside = must(calloc(model->span_count + 1, sizeof(*report->named_inside)));
    for (size_t i = 0; i < model->span_count; i++) {
        const struct span* span = &model->spans[i];
        const struct span* outer = outer_of(report, span);
        if (span->name != 0 && outer != NULL && outer->kind == SPAN_CALLBACK) {
            uint32_t* inside = &report->named_inside[outer - model->spans];
            if (*inside == 0 || length(&model->spans[*inside - 1]) < length(span))
                *inside = (uint32_t)(i + 1);
        }
        if (report_blocks_loop(report, span))
            insert_longest(report, span);
    }
}

void report_make(struct report* report, const struct model* model, struct symbols* symbols) {
    *report = (struct report){.file = model->file, .model = model, .symbols = symbols};
    report->folder = trace_file_info(model->file, "folder");
    collect_loops(report);
    collect_pool(report);
    collect_longest(report);
    report_add_sentences(report);
}

void report_free(struct report* report) {
    for (size_t i = 0; i < report->loop_count; i++) {
        free(report->loops[i].lag.values);
        free(report->loops[i].lateness.values);
    }
    free(report->loops);
    free(report->pool.queued.values);
    free(report->pool.ran.values);
    free(report->pool.returned.values);
    free(report->named_inside);
    free(report->folder);
    for (size_t i = 0; i < report->sentence_count; i++)
        free(report->sentences[i].text);
}
