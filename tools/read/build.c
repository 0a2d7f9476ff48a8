#include "read/build.h"

#include "read/memory.h"
#include "read/types.h"

enum { LARGEST_REQUEST = 512, MOST_SEARCHED = 64 };

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
    if (kind == TRACK_POOL)
        snprintf(track->name, sizeof(track->name), "pool thread %u", number);
    else if (kind == TRACK_LOOP)
        snprintf(track->name, sizeof(track->name), "loop %u", number);
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
        return b->model->spans[state->open[state->depth - 1]].track;
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
    struct model* model = b->model;
    const struct thread_state* state = &b->threads[event->thread];
    struct span* span = APPEND(model->spans, model->span_count);
    span->start = span->end = event->time - model->began;
    span->kind = (uint8_t)kind;
    span->track = track;
    span->inside = state->depth > 0 ? state->open[state->depth - 1] + 1 : 0;
    return span;
}

struct span* build_open_span(struct builder* b, const struct trace_event* event,
                             enum span_kind kind, uint16_t track) {
    struct thread_state* state = &b->threads[event->thread];
    struct span* span = build_add_span(b, event, kind, track);
    span->unfinished = true;
    if (state->depth == MOST_DEPTH)
        state->too_deep++;
    else
        state->open[state->depth++] = (uint32_t)(b->model->span_count - 1);
    return span;
}

struct span* build_top(struct builder* b, unsigned thread) {
    struct thread_state* state = &b->threads[thread];
    return state->depth > 0 ? &b->model->spans[state->open[state->depth - 1]] : NULL;
}

void build_pop(struct builder* b, const struct trace_event* event, bool finished) {
    struct span* span = build_top(b, event->thread);
    b->threads[event->thread].depth--;
    span->end = event->time - b->model->began;
    span->unfinished = !finished;
}

int build_find_open(struct builder* b, unsigned thread, enum span_kind kind) {
    const struct thread_state* state = &b->threads[thread];
    for (int i = (int)state->depth - 1; i >= 0; i--) {
        enum span_kind open = b->model->spans[state->open[i]].kind;
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

/* Objects */

uint32_t build_add_object(struct builder* b, const struct trace_event* event, bool is_request,
                          unsigned type) {
    struct model* model = b->model;
    struct object* object = APPEND(model->objects, model->object_count);
    object->address = event->subject;
    object->born = event->time - model->began;
    object->is_request = is_request;
    object->type = (uint8_t)type;
    object->track =
        event->loop != 0 ? build_loop_track(b, event->loop) : build_track_here(b, event->thread);
    object->pool_track = NO_TRACK;
    map_put(&b->objects, event->subject, (uint32_t)(model->object_count - 1));
    return (uint32_t)(model->object_count - 1);
}

uint32_t build_work_object(struct builder* b, const struct trace_event* event) {
    uint32_t found = event->type != PH_EV_WORK_SUBMIT ? map_get(&b->works, event->subject) : 0;
    for (uint64_t back = 0; found == 0 && back < LARGEST_REQUEST; back += 8) {
        uint32_t number = map_get(&b->objects, event->subject - back);
        if (number != 0 && b->model->objects[number].is_request)
            found = number;
    }
    if (found == 0) {
        found = build_add_object(b, event, true, 0);
        b->model->objects[found].born = 0;
    }
    map_put(&b->works, event->subject, found);
    return found;
}

uint32_t build_callback_object(struct builder* b, const struct trace_event* event) {
    if (event->subject == 0)
        return 0;
    uint32_t number = map_get(&b->objects, event->subject);
    bool is_request = callback_is_of_request(event->value);
    if (number == 0 || b->model->objects[number].is_request != is_request) {
        number = build_add_object(b, event, is_request, callback_type(event->value));
        b->model->objects[number].born = 0;
    }
    return number;
}
