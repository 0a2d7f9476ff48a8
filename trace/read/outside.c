/* What a program does outside of uv_run: it is in no callback, but the loop stands still. */

#include "read/build.h"
#include "read/memory.h"

enum { LEAST_OUTSIDE = 1000 /* ns: less is a program that only turns its loop */ };

static struct thread_state* thread_of(struct builder* b, const struct trace_event* event) {
    return &b->threads[event->thread];
}

static struct span* add(struct builder* b, const struct trace_event* event, uint16_t track,
                        const struct shares_mark* since, enum outside where) {
    uint64_t began = b->model->began;
    if (since->time > event->time || event->time - since->time < LEAST_OUTSIDE)
        return NULL;
    build_give_unit(b, event->thread, true);
    struct span* span = build_add_span(b, event, SPAN_OUTSIDE, track);
    span->start = since->time > began ? since->time - began : 0;
    span->detail = (uint8_t)where;
    build_set_shares(span, &thread_of(b, event)->shares, since, event->time);
    return span;
}

static void add_and_give(struct builder* b, const struct trace_event* event, uint16_t track,
                         const struct shares_mark* since, enum outside where) {
    add(b, event, track, since, where);
    build_give_unit(b, event->thread, true);
}

void outside_begins(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = thread_of(b, event);
    if (state->depth > 0)
        return;
    state->left_loop = event->loop;
    state->left = shares_mark(&state->shares, event->time);
}

void outside_begins_before(struct builder* b, const struct trace_event* event, uint16_t track) {
    struct thread_state* state = thread_of(b, event);
    while (b->opening_count <= track)
        APPEND(b->openings, b->opening_count);
    b->openings[track] = (struct opening){.since = shares_mark(&state->shares, event->time),
                                          .gaps = state->gaps,
                                          .thread = state->depth == 0 ? event->thread + 1u : 0};
}

void outside_has_no_turn_left(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = thread_of(b, event);
    state->left_loop = 0;
    if (state->depth > 0)
        return;
    state->dry_loop = event->loop;
    state->dry = shares_mark(&state->shares, event->time);
}

static void end_before(struct builder* b, const struct trace_event* event, uint16_t track) {
    if (track >= b->opening_count)
        return;
    struct opening opening = b->openings[track];
    b->openings[track].thread = 0;
    if (opening.thread == event->thread + 1u && opening.gaps == thread_of(b, event)->gaps &&
        thread_of(b, event)->depth == 0)
        add_and_give(b, event, track, &opening.since, OUTSIDE_BEFORE);
}

/* What the program did since uv_run returned. */
void outside_ends(struct builder* b, const struct trace_event* event, uint16_t track) {
    struct thread_state* state = thread_of(b, event);
    bool returned = state->left_loop == event->loop && event->loop != 0 && state->depth == 0;
    bool may_wait = (event->value & PH_TURN_IS_EMBEDDED) != 0;
    state->left_loop = 0;
    if (returned)
        add_and_give(b, event, track, &state->left, may_wait ? OUTSIDE_MAY_WAIT : OUTSIDE_BETWEEN);
    end_before(b, event, track);
    if (state->dry_loop == event->loop && state->depth == 0)
        outside_closes(b, event);
}

void outside_closes(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = thread_of(b, event);
    if (state->dry_loop == 0 || state->depth > 0)
        return;
    add_and_give(b, event, build_loop_track(b, state->dry_loop), &state->dry, OUTSIDE_AFTER);
    state->dry_loop = 0;
}

void outside_is_lost(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = thread_of(b, event);
    state->left_loop = state->dry_loop = 0;
    state->gaps++;
}

void outside_is_over(struct builder* b, const struct trace_event* event) {
    outside_closes(b, event);
}

void outside_has_not_turned(struct builder* b, const struct trace_event* end) {
    for (size_t i = 0; i < b->opening_count; i++) {
        struct opening opening = b->openings[i];
        struct trace_event event = *end;
        if (opening.thread == 0 || opening.gaps != b->threads[opening.thread - 1].gaps)
            continue;
        event.thread = (uint16_t)(opening.thread - 1);
        struct span* span = add(b, &event, (uint16_t)i, &opening.since, OUTSIDE_BEFORE);
        if (span != NULL)
            span->unfinished = true;
        build_give_unit(b, event.thread, true);
    }
}
