#include "read/build.h"

#include "read/memory.h"
#include "read/stacks.h"
#include "read/types.h"

enum {
    MOST_SEARCHED = 64,
    MOST_FOLLOWING = 1 << 16 /* spans of a function outside of all turns, and of its ticks */
};

/* Tracks */

/* When there are too many, the last one stands for the rest. */
static uint16_t add_track(struct builder* b, enum track_kind kind, uint64_t loop, int tid,
                          const char* name) {
    struct model* model = b->model;
    if (model->track_count >= MOST_TRACKS)
        return (uint16_t)(model->track_count - 1);
    unsigned number = ++b->numbers[kind];
    struct track* track = APPEND(model->tracks, model->track_count);
    track->kind = kind;
    track->loop = loop;
    track->tid = tid;
    track->number = number;
    snprintf(track->thread, sizeof(track->thread), "%s", name);
    if (kind == TRACK_POOL)
        snprintf(track->name, sizeof(track->name), "pool thread %u", number);
    else if (kind == TRACK_LOOP)
        snprintf(track->name, sizeof(track->name), "loop %u", number);
    else if (kind == TRACK_TASK)
        snprintf(track->name, sizeof(track->name), "%s", name);
    else
        snprintf(track->name, sizeof(track->name), "%s %d", name, tid);
    return (uint16_t)(model->track_count - 1);
}

uint16_t build_loop_track(struct builder* b, uint64_t loop) {
    uint32_t known = map_get(&b->loops, loop);
    if (known != 0)
        return (uint16_t)(known - 1);
    uint16_t track = add_track(b, TRACK_LOOP, loop, 0, "");
    map_put(&b->loops, loop, track + 1u);
    return track;
}

uint16_t build_task_track(struct builder* b, const char* name) {
    bool has_name = name != NULL && name[0] != '\0';
    return add_track(b, TRACK_TASK, 0, -1, has_name ? name : "(no name)");
}

void build_set_thread(struct builder* b, uint16_t track, unsigned thread) {
    const struct trace_thread* from = &b->model->file->threads[thread];
    struct track* to = &b->model->tracks[track];
    if (to->tid == from->tid)
        return;
    to->tid = from->tid;
    memcpy(to->thread, from->name, sizeof(to->thread));
}

uint16_t build_thread_track(struct builder* b, unsigned thread, enum track_kind kind) {
    struct thread_state* state = &b->threads[thread];
    const struct trace_thread* from = &b->model->file->threads[thread];
    if (state->track == NO_TRACK)
        state->track = add_track(b, kind, 0, from->tid, from->name);
    return state->track;
}

uint16_t build_track_here(struct builder* b, unsigned thread) {
    const struct thread_state* state = &b->threads[thread];
    if (state->depth > 0)
        return state->spans[state->open[state->depth - 1]].track;
    if (state->track != NO_TRACK)
        return state->track;
    for (size_t i = 0; i < b->model->track_count && i < MOST_SEARCHED; i++) {
        const struct track* track = &b->model->tracks[i];
        if (track->kind == TRACK_LOOP && track->tid == b->model->file->threads[thread].tid)
            return (uint16_t)i;
    }
    return NO_TRACK;
}

/* Spans */

struct span* build_add_span(struct builder* b, const struct trace_event* event, enum span_kind kind,
                            uint16_t track) {
    struct thread_state* state = &b->threads[event->thread];
    if (state->span_count == state->room) {
        state->room = state->room == 0 ? 16 : state->room * 2;
        state->spans = must(reallocarray(state->spans, state->room, sizeof(*state->spans)));
    }
    struct span* span = &state->spans[state->span_count++];
    *span = (struct span){.start = event->time - b->model->began,
                          .end = event->time - b->model->began,
                          .inside = state->depth > 0 ? state->open[state->depth - 1] + 1 : 0,
                          .track = track,
                          .kind = (uint8_t)kind};
    return span;
}

struct span* build_open_span(struct builder* b, const struct trace_event* event,
                             enum span_kind kind, uint16_t track) {
    struct thread_state* state = &b->threads[event->thread];
    if (state->depth == 0 && kind != SPAN_TICK)
        build_give_unit(b, event->thread, true);
    struct span* span = build_add_span(b, event, kind, track);
    span->unfinished = true;
    if (state->depth == MOST_DEPTH)
        state->too_deep++;
    else {
        if (state->marks == NULL)
            state->marks = must(calloc(MOST_DEPTH, sizeof(*state->marks)));
        state->marks[state->depth] = shares_mark(&state->shares, event->time);
        state->open[state->depth++] = (uint32_t)(state->span_count - 1);
    }
    return span;
}

struct span* build_top(struct builder* b, unsigned thread) {
    struct thread_state* state = &b->threads[thread];
    return state->depth > 0 ? &state->spans[state->open[state->depth - 1]] : NULL;
}

void build_set_shares(struct span* span, const struct shares* shares,
                      const struct shares_mark* mark, uint64_t time) {
    struct share share = shares_since(shares, mark, time);
    span->has_shares = share.known && share.waits_known;
    span->ran = share.ran;
    span->queued = share.waited;
    span->ran_before = mark->ran;
    span->queued_before = mark->waited > mark->called ? mark->waited - mark->called : 0;
}

void build_pop(struct builder* b, const struct trace_event* event, bool finished) {
    struct thread_state* state = &b->threads[event->thread];
    struct span* span = build_top(b, event->thread);
    const struct shares_mark* mark = &state->marks[--state->depth];
    uint64_t end = event->time - b->model->began;
    span->end = end > span->start ? end : span->start; /* a damaged file may say otherwise */
    span->unfinished = !finished;
    if (span->kind == SPAN_WAIT)
        shares_slept(&state->shares, mark, event->time);
    else
        build_set_shares(span, &state->shares, mark, event->time);
}

int build_find_open(struct builder* b, unsigned thread, enum span_kind kind) {
    const struct thread_state* state = &b->threads[thread];
    for (int i = (int)state->depth - 1; i >= 0; i--) {
        enum span_kind open = state->spans[state->open[i]].kind;
        if (open == kind)
            return i;
        if (open == SPAN_ITERATION)
            break;
    }
    return -1;
}

struct span* build_close_span(struct builder* b, const struct trace_event* event,
                              enum span_kind kind) {
    struct thread_state* state = &b->threads[event->thread];
    if (state->too_deep > 0) {
        state->too_deep--;
        return NULL;
    }
    int at = build_find_open(b, event->thread, kind);
    if (at < 0)
        return NULL;
    while ((int)state->depth > at + 1)
        build_pop(b, event, build_top(b, event->thread)->kind == SPAN_PHASE);
    struct span* span = build_top(b, event->thread);
    build_pop(b, event, true);
    return span;
}

void build_close_all(struct builder* b, const struct trace_event* event) {
    b->threads[event->thread].too_deep = 0;
    while (b->threads[event->thread].depth > 0)
        build_pop(b, event, false);
}

/* Units */

/* A callback without a name is called what ran in it; work has the function that it ran. */
static void name_spans(struct span* spans, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct span* span = &spans[i];
        struct span* outer = span->inside != 0 ? &spans[span->inside - 1] : NULL;
        if (outer == NULL)
            continue;
        if (outer->kind == SPAN_WORK && span->callback == PH_CB_WORK && outer->function == 0)
            outer->function = span->function;
        if (span->name == 0 || outer->kind != SPAN_CALLBACK)
            continue;
        const struct span* longest = outer->longest != 0 ? &spans[outer->longest - 1] : NULL;
        if (longest == NULL || longest->end - longest->start < span->end - span->start)
            outer->longest = (uint32_t)(i + 1);
    }
    for (size_t i = 0; i < count; i++)
        spans[i].called = spans[i].name == 0 && spans[i].longest != 0
                              ? spans[spans[i].longest - 1].name
                              : spans[i].name;
}

static bool is_wanted(const struct model* model, const struct thread_state* state) {
    uint64_t from = state->spans[0].start, to = 0;
    for (size_t i = 0; i < state->span_count; i++)
        if (state->spans[i].inside == 0 && state->spans[i].end > to)
            to = state->spans[i].end;
    return from < model->to && to >= model->from;
}

void build_give_unit(struct builder* b, unsigned thread, bool last) {
    struct thread_state* state = &b->threads[thread];
    struct model* model = b->model;
    if (state->depth > 0 || state->span_count == 0)
        return;
    const struct span* first = &state->spans[0];
    bool ticks_may_follow =
        model->is_script && first->kind == SPAN_CALLBACK && first->function == 0;
    if (!last && ticks_may_follow && state->span_count < MOST_FOLLOWING)
        return;
    if (first->kind == SPAN_ITERATION)
        model->tracks[first->track].turns++;
    if (is_wanted(model, state)) {
        size_t count = state->span_count;
        if (model->is_script || model->names_timers)
            count = scripts_regroup(&b->regrouping, state->spans, count);
        name_spans(state->spans, count);
        if (model->file->stacks != NULL)
            stacks_name_spans(model->file->stacks, model, state->spans, count);
        if (count > 0)
            b->sink->unit(b->sink->context, model, state->spans, count);
    }
    state->span_count = 0;
}
