#include "read/model.h"

#include <uv.h>

#include "phasor.h"
#include "read/build.h"
#include "read/memory.h"
#include "read/stream.h"
#include "read/types.h"

static int64_t lateness(const struct thread_state* state, const struct trace_event* event) {
    uint64_t due = state->due * 1000000;
    return state->due != 0 && event->time > due ? (int64_t)(event->time - due) : 0;
}

static void on_callback(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = &b->threads[event->thread];
    uint32_t place = build_callback_object(b, event);
    uint16_t track = event->value == PH_CB_WORK ? build_thread_track(b, event->thread, TRACK_POOL)
                                                : build_loop_track(b, event->loop);
    struct span* span = build_open_span(b, event, SPAN_CALLBACK, track);
    span->function = event->detail;
    build_set_subject(b, span, place);
    span->callback = event->value < PH_CB_COUNT ? (uint8_t)event->value : PH_CB_OTHER;
    exchanges_callback_begins(b, event, place, span);
    span->maker = place != 0 && b->objects[place].is_request ? b->objects[place].maker_name : 0;
    if (place != 0 && event->value != PH_CB_WORK && b->objects[place].is_request) {
        b->objects[place].ended = span->start;
        build_end_request(b, place);
    }
    if (event->value == PH_CB_TIMER && state->due_timer == event->subject)
        span->value = lateness(state, event);
    state->due = 0;
}

static void on_callback_end(struct builder* b, const struct trace_event* event) {
    exchanges_callback_ends(b, event->thread, build_close_span(b, event, SPAN_CALLBACK));
}

static void on_run_end(struct builder* b, const struct trace_event* event) {
    if (event->value != 0)
        outside_begins(b, event);
    else
        outside_has_no_turn_left(b, event);
}

static void on_iteration_end(struct builder* b, const struct trace_event* event) {
    const struct span* span = build_close_span(b, event, SPAN_ITERATION);
    if (span != NULL && span->detail != UV_RUN_DEFAULT)
        outside_begins(b, event);
}

static void on_iteration(struct builder* b, const struct trace_event* event) {
    uint16_t track = build_loop_track(b, event->loop);
    outside_ends(b, event, track);
    const struct span* outer = build_top(b, event->thread);
    /* A new iteration of the same loop, outside of its callbacks: the end of the last was lost. */
    if (outer != NULL && outer->track == track && outer->kind != SPAN_CALLBACK &&
        outer->kind != SPAN_TICK && outer->kind != SPAN_MARK)
        build_close_all(b, event);
    build_set_thread(b, track, event->thread);
    struct span* span = build_open_span(b, event, SPAN_ITERATION, track);
    span->value = event->detail < INT64_MAX ? (int64_t)event->detail + 1 : INT64_MAX;
    span->detail = event->value & PH_TURN_MODE;
}

static void on_loop(struct builder* b, const struct trace_event* event) {
    map_put(&b->loops, event->loop, 0);
    uint16_t track = build_loop_track(b, event->loop);
    build_set_thread(b, track, event->thread);
    outside_begins_before(b, event, track);
}

static void on_loop_close(struct builder* b, const struct trace_event* event) {
    outside_closes(b, event);
    map_put(&b->loops, event->loop, 0);
}

static void on_phase(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = &b->threads[event->thread];
    int at = build_find_open(b, event->thread, SPAN_ITERATION);
    if (at < 0 || event->value >= PH_PHASE_COUNT)
        return;
    while ((int)state->depth > at + 1)
        build_pop(b, event, build_top(b, event->thread)->kind == SPAN_PHASE);
    build_open_span(b, event, SPAN_PHASE, build_loop_track(b, event->loop))->detail =
        (uint8_t)event->value;
}

static void on_wait(struct builder* b, const struct trace_event* event) {
    if (event->type == PH_EV_WAIT_BEGIN) {
        build_open_span(b, event, SPAN_WAIT, build_loop_track(b, event->loop))->value =
            (int32_t)event->value;
        return;
    }
    struct span* span = build_close_span(b, event, SPAN_WAIT);
    if (span == NULL)
        return;
    if (span->track != NO_TRACK)
        b->model->tracks[span->track].waited += span->end - span->start;
    span->events = event->value & ((1u << PH_ASKED_SHIFT) - 1);
    span->calls =
        event->value >> PH_ASKED_SHIFT != 0 ? (uint16_t)((event->value >> PH_ASKED_SHIFT) - 1) : 1;
}

static void on_request(struct builder* b, const struct trace_event* event) {
    unsigned type = request_type(event->value & 0xff, event->value >> 8);
    uint32_t place = build_add_object(b, event, true, type);
    uint16_t track = build_track_here(b, event->thread);
    struct span* span = build_add_span(
        b, event, SPAN_SUBMIT, track != NO_TRACK ? track : build_loop_track(b, event->loop));
    build_set_subject(b, span, place);
}

static void on_request_name(struct builder* b, const struct trace_event* event) {
    uint32_t place = build_find_object(b, event, true);
    if (event->detail >= b->model->file->name_count)
        return;
    /* Or what comes next at this address is meant. */
    if (place != 0 && b->objects[place].purpose == 0 && b->objects[place].done == 0)
        b->objects[place].purpose = (uint32_t)event->detail;
    else
        map_put(&b->purposes, event->subject, (uint32_t)event->detail);
}

static void add_done(struct builder* b, const struct trace_event* event, uint32_t place) {
    if (b->objects[place].track != NO_TRACK)
        build_set_subject(b, build_add_span(b, event, SPAN_DONE, b->objects[place].track), place);
}

/* It is not called back, so that this is the last that is heard of it. */
static void on_request_end(struct builder* b, const struct trace_event* event) {
    uint32_t place = build_find_object(b, event, true);
    if (place == 0)
        return;
    b->objects[place].ended = event->time - b->model->began;
    add_done(b, event, place);
    build_end_request(b, place);
}

static void on_work(struct builder* b, const struct trace_event* event) {
    uint32_t place = build_work_object(b, event);
    uint64_t time = event->time - b->model->began;
    if (event->type == PH_EV_WORK_BEGIN) {
        uint16_t track = build_thread_track(b, event->thread, TRACK_POOL);
        b->objects[place].started = time;
        b->objects[place].for_pool = true;
        b->objects[place].pool_track = track;
        build_set_subject(b, build_open_span(b, event, SPAN_WORK, track), place);
    } else if (event->type == PH_EV_WORK_END) {
        b->objects[place].done = time;
        build_close_span(b, event, SPAN_WORK);
    } else if (event->type == PH_EV_WORK_SUBMIT) {
        b->objects[place].for_pool = true;
        b->objects[place].started = b->objects[place].done = 0;
    } else {
        b->objects[place].cancelled = true;
    }
}

static void on_ring(struct builder* b, const struct trace_event* event) {
    uint32_t place = build_find_object(b, event, true);
    if (place == 0)
        return;
    b->objects[place].on_ring = true;
    if (event->type == PH_EV_RING_SUBMIT) {
        b->objects[place].started = event->time - b->model->began;
        return;
    }
    b->objects[place].done = event->time - b->model->began;
    add_done(b, event, place);
}

static void on_handle(struct builder* b, const struct trace_event* event) {
    if (event->type == PH_EV_HANDLE_OPEN) {
        uint32_t place = build_add_object(b, event, false, handle_type(event->value & 0xff));
        if (event->value & PH_HANDLE_WAS_THERE)
            b->objects[place].born = 0;
        else
            build_set_subject(
                b, build_add_span(b, event, SPAN_BIRTH, build_loop_track(b, event->loop)), place);
        return;
    }
    uint32_t place = build_find_object(b, event, false);
    if (event->type == PH_EV_HANDLE_CLOSE)
        outside_closes(b, event);
    if (place == 0)
        return;
    if (event->type == PH_EV_HANDLE_CLOSE)
        build_set_subject(b, build_add_span(b, event, SPAN_CLOSE, build_loop_track(b, event->loop)),
                          place);
    else
        b->objects[place].ended = event->time - b->model->began;
}

static void on_wake(struct builder* b, const struct trace_event* event) {
    uint16_t sender = build_track_here(b, event->thread);
    if (sender == NO_TRACK)
        sender = build_thread_track(b, event->thread, TRACK_THREAD);
    struct span* span = build_add_span(b, event, SPAN_WAKE, build_loop_track(b, event->loop));
    span->value = sender != NO_TRACK ? sender : -1;
    span->inside = 0;
    if (event->type == PH_EV_SEND)
        build_set_subject(b, span, build_find_object(b, event, false));
}

static void on_span(struct builder* b, const struct trace_event* event) {
    uint16_t track = build_track_here(b, event->thread);
    bool tick = event->value == PHASOR_SPAN_TICK || event->value == PHASOR_SPAN_MICROTASK;
    enum span_kind kind = event->value == PHASOR_SPAN_FUNCTION ? SPAN_CALLBACK
                          : tick                               ? SPAN_TICK
                                                               : SPAN_MARK;
    if (event->type == PH_EV_SPAN_END) {
        const struct span* ended = build_close_span(b, event, kind);
        /* What was put off for a request, in a callback that is not for it. */
        if (ended != NULL && kind == SPAN_CALLBACK)
            exchanges_callback_ends(b, event->thread, ended);
        return;
    }
    if (track == NO_TRACK)
        track = build_thread_track(b, event->thread, TRACK_THREAD);
    const struct span* top = build_top(b, event->thread);
    struct span outer = top != NULL ? *top : (struct span){0};
    struct span* span = build_open_span(b, event, kind, track);
    span->name = event->detail < b->model->file->name_count ? (uint32_t)event->detail : 0;
    span->detail = event->value == PHASOR_SPAN_MICROTASK;
    struct thread_state* state = &b->threads[event->thread];
    if (kind == SPAN_CALLBACK && outer.kind == SPAN_CALLBACK) {
        span->subject = outer.subject;
        span->type = outer.type;
        span->of_request = outer.of_request;
        span->callback = outer.callback;
        span->exchange = outer.exchange;
        span->route = outer.route;
        span->maker = outer.maker;
        if (outer.callback == PH_CB_TIMER && state->due_timer == 0)
            span->value = lateness(state, event);
    }
    if (kind == SPAN_CALLBACK)
        later_begins(b, event->thread, span);
    state->due = 0;
}

static void on_account(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = &b->threads[event->thread];
    shares_account(&state->shares, event, event->time, state->marks, state->depth);
}

/* It does not care about what is around it. */
static void on_mark(struct builder* b, const struct trace_event* event) {
    uint16_t track = build_track_here(b, event->thread);
    if (track == NO_TRACK)
        track = build_thread_track(b, event->thread, TRACK_THREAD);
    struct span* span = build_add_span(b, event, SPAN_MARK, track);
    span->start -= event->subject < span->start ? event->subject : span->start;
    span->inside = 0;
    span->name = event->detail < b->model->file->name_count ? (uint32_t)event->detail : 0;
    span->detail = event->value <= UINT8_MAX ? (uint8_t)event->value : 0;
}

/* What was open has ended at some time in the gap: it gets the time that is certain. */
static void on_lost(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = &b->threads[event->thread];
    uint16_t track = build_track_here(b, event->thread);
    struct trace_event before = *event;
    if (event->type == PH_EV_LOST && state->last != 0)
        before.time = state->last;
    build_close_all(b, &before);
    build_give_unit(b, event->thread, true);
    state->due = 0;
    outside_is_lost(b, event);
    b->model->lost += event->value;
    if (track == NO_TRACK)
        track = build_thread_track(b, event->thread, TRACK_THREAD);
    struct span* span = build_add_span(b, &before, SPAN_LOST, track);
    span->end = event->time - b->model->began;
    if (event->type == PH_EV_GAP)
        span->end += event->detail < b->model->duration - span->end
                         ? event->detail
                         : b->model->duration - span->end;
    span->value = event->value;
}

static void on_rarer_event(struct builder* b, const struct trace_event* event) {
    switch (event->type) {
    case PH_EV_SPAN_BEGIN:
    case PH_EV_SPAN_END:
        return on_span(b, event);
    case PH_EV_RUN_END:
        return on_run_end(b, event);
    case PH_EV_ACCOUNT:
        return on_account(b, event);
    case PH_EV_MARK:
        return on_mark(b, event);
    case PH_EV_REQUEST_NAME:
        return on_request_name(b, event);
    case PH_EV_TASK:
        return tasks_event(b, event);
    case PH_EV_LATER:
        return later_event(b, event);
    case PH_EV_HTTP_REQUEST:
    case PH_EV_HTTP_PARENT:
    case PH_EV_HTTP_ANSWER:
        return exchanges_event(b, event);
    default:
        return;
    }
}

static void on_event(struct builder* b, const struct trace_event* event) {
    switch (event->type) {
    case PH_EV_LOST:
    case PH_EV_GAP:
        return on_lost(b, event);
    case PH_EV_LOOP_OPEN:
        return on_loop(b, event);
    case PH_EV_LOOP_CLOSE:
        return on_loop_close(b, event);
    case PH_EV_ITERATION_BEGIN:
        return on_iteration(b, event);
    case PH_EV_ITERATION_END:
        return on_iteration_end(b, event);
    case PH_EV_PHASE:
        return on_phase(b, event);
    case PH_EV_WAIT_BEGIN:
    case PH_EV_WAIT_END:
        return on_wait(b, event);
    case PH_EV_CALLBACK_BEGIN:
        return on_callback(b, event);
    case PH_EV_CALLBACK_END:
        return on_callback_end(b, event);
    case PH_EV_TIMER_DUE:
        b->threads[event->thread].due_timer = event->subject;
        b->threads[event->thread].due = event->detail;
        return;
    case PH_EV_REQUEST:
        return on_request(b, event);
    case PH_EV_REQUEST_END:
        return on_request_end(b, event);
    case PH_EV_WORK_SUBMIT:
    case PH_EV_WORK_BEGIN:
    case PH_EV_WORK_END:
    case PH_EV_WORK_CANCEL:
        return on_work(b, event);
    case PH_EV_RING_SUBMIT:
    case PH_EV_RING_DONE:
        return on_ring(b, event);
    case PH_EV_SEND:
    case PH_EV_WAKE:
        return on_wake(b, event);
    case PH_EV_HANDLE_OPEN:
    case PH_EV_HANDLE_CLOSE:
    case PH_EV_HANDLE_CLOSED:
        return on_handle(b, event);
    default:
        return on_rarer_event(b, event);
    }
}

/* The recording may have begun before its first event and ended after its last. When it could not
 * be written any more, nothing is known about the time after the last event. */
void model_bounds(const struct trace_file* file, uint64_t* began, uint64_t* duration) {
    uint64_t first = file->event_count > 0 ? file->first_time : file->header.clock;
    uint64_t last = file->event_count > 0 ? file->last_time : first;
    *began =
        file->header.clock <= first && file->header.overwritten == 0 ? file->header.clock : first;
    if (file->header.ended > last && file->header.status != PH_TRACE_FAILED)
        last = file->header.ended;
    *duration = last - *began;
}

static const struct trace_thread* thread_of(const struct trace_file* file, int tid) {
    for (size_t i = 0; i < file->thread_count; i++)
        if (file->threads[i].tid == tid)
            return &file->threads[i];
    return NULL;
}

/* A thread that has another name than the main one was given it: "loop 2 (server)". */
static void name_other_loops(struct model* model) {
    const struct trace_thread* first = thread_of(model->file, (int)model->file->header.pid);
    for (size_t i = 0; i < model->track_count; i++) {
        struct track* track = &model->tracks[i];
        const struct trace_thread* thread =
            track->kind == TRACK_LOOP ? thread_of(model->file, track->tid) : NULL;
        if (thread == NULL || first == NULL || thread == first || thread->name[0] == '\0' ||
            strcmp(thread->name, first->name) == 0)
            continue;
        snprintf(track->name, sizeof(track->name), "loop %u (%s)", track->number, thread->name);
    }
}

/* The main loop is the one on the main thread that turned most often, or, if none ran there, the
 * one that turned most often anywhere. A loop that turns inside of something else (a child process
 * that is waited for) is not the one that people mean. */
static void name_main_loop(struct model* model) {
    struct track* main_loop = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < model->track_count; i++) {
        struct track* track = &model->tracks[i];
        bool on_main = (uint32_t)track->tid == model->file->header.pid && track->turns > 0;
        uint64_t weight = track->turns + 1 + (on_main ? UINT64_MAX / 2 : 0);
        if (track->kind != TRACK_LOOP || weight <= most)
            continue;
        most = weight;
        main_loop = track;
    }
    if (main_loop != NULL) {
        main_loop->is_main = true;
        snprintf(main_loop->name, sizeof(main_loop->name), "main loop");
    }
}

static void free_builder(struct builder* b) {
    for (size_t i = 0; i < b->model->file->thread_count; i++) {
        free(b->threads[i].spans);
        free(b->threads[i].marks);
    }
    free(b->threads);
    free(b->objects);
    free(b->places.slots);
    free(b->works.slots);
    free(b->purposes.slots);
    free(b->loops.slots);
    free(b->regrouping.of);
    free(b->openings);
    tasks_free(&b->tasks);
    exchanges_free(&b->exchanges);
    later_free(&b->laters);
}

void model_run(struct model* model, struct trace_file* file, uint64_t from, uint64_t to,
               const struct model_sink* sink) {
    bool names_timers = scripts_are_timers(file);
    *model = (struct model){.file = file,
                            .from = from,
                            .to = to,
                            .is_script = !names_timers && scripts_are_in(file),
                            .names_timers = names_timers};
    struct builder b = {.model = model, .sink = sink, .regrouping.only_timers = names_timers};
    struct trace_stream* stream = trace_stream_open(file);
    const struct trace_event* event;
    model_bounds(file, &model->began, &model->duration);
    model->first = file->partial && file->event_count > 0 ? file->first_time - model->began : 0;
    b.threads = must(calloc(file->thread_count + 1, sizeof(*b.threads)));
    for (size_t i = 0; i < file->thread_count; i++)
        b.threads[i].track = NO_TRACK;
    while ((event = trace_stream_next(stream)) != NULL) {
        on_event(&b, event);
        build_give_unit(&b, event->thread, false);
        b.threads[event->thread].last = event->time;
    }
    trace_stream_close(stream);
    struct trace_event end = {.time = model->began + model->duration};
    for (size_t i = 0; i < file->thread_count; i++) {
        end.thread = (uint16_t)i;
        build_close_all(&b, &end);
        outside_is_over(&b, &end);
        build_give_unit(&b, (unsigned)i, true);
    }
    tasks_end(&b);
    exchanges_end(&b);
    outside_has_not_turned(&b, &end);
    build_end_all_objects(&b);
    name_other_loops(model);
    name_main_loop(model);
    free_builder(&b);
}

void model_free(struct model* model) {
    free(model->tracks);
}
