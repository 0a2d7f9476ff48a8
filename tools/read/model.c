#include "read/model.h"

#include "phasor.h"
#include "read/build.h"
#include "read/memory.h"
#include "read/types.h"

static int64_t lateness(const struct thread_state* state, const struct trace_event* event) {
    uint64_t due = state->due * 1000000;
    return state->due != 0 && event->time > due ? (int64_t)(event->time - due) : 0;
}

static void on_callback(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = &b->threads[event->thread];
    uint32_t number = build_callback_object(b, event);
    uint16_t track = event->value == PH_CB_WORK ? build_thread_track(b, event->thread, TRACK_POOL)
                                                : build_loop_track(b, event->loop);
    struct span* span = build_open_span(b, event, SPAN_CALLBACK, track);
    span->function = event->detail;
    span->subject = number;
    span->callback = event->value < PH_CB_COUNT ? (uint8_t)event->value : PH_CB_OTHER;
    if (number != 0 && event->value != PH_CB_WORK && b->model->objects[number].is_request) {
        b->model->objects[number].ended = span->start;
        map_put(&b->objects, event->subject, 0);
    }
    if (event->value == PH_CB_TIMER && state->due_timer == event->subject)
        span->value = lateness(state, event);
    state->due = 0;
}

static void on_iteration(struct builder* b, const struct trace_event* event) {
    uint16_t track = build_loop_track(b, event->loop);
    const struct span* outer = build_top(b, event->thread);
    /* A new iteration of the same loop, outside of its callbacks: the end of the last was lost. */
    if (outer != NULL && outer->track == track && outer->kind != SPAN_CALLBACK &&
        outer->kind != SPAN_TICK && outer->kind != SPAN_MARK)
        build_close_all(b, event);
    b->model->tracks[track].tid = b->model->file->threads[event->thread].tid;
    struct span* span = build_open_span(b, event, SPAN_ITERATION, track);
    span->value = event->detail < INT64_MAX ? (int64_t)event->detail + 1 : INT64_MAX;
}

static void on_loop(struct builder* b, const struct trace_event* event) {
    map_put(&b->loops, event->loop, 0);
    uint16_t track = build_loop_track(b, event->loop);
    b->model->tracks[track].tid = b->model->file->threads[event->thread].tid;
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
    if (span != NULL)
        span->events = event->value & ((1u << PH_ASKED_SHIFT) - 1);
}

static void on_request(struct builder* b, const struct trace_event* event) {
    unsigned type = request_type(event->value & 0xff, event->value >> 8);
    uint32_t number = build_add_object(b, event, true, type);
    uint16_t track = build_track_here(b, event->thread);
    struct span* span = build_add_span(
        b, event, SPAN_SUBMIT, track != NO_TRACK ? track : build_loop_track(b, event->loop));
    span->subject = number;
    b->model->objects[number].submitted_in = span->inside;
}

/* It is not called back, so that this is the last that is heard of it. */
static void on_request_end(struct builder* b, const struct trace_event* event) {
    uint32_t number = map_get(&b->objects, event->subject);
    if (number == 0 || !b->model->objects[number].is_request)
        return;
    struct object* object = &b->model->objects[number];
    object->ended = event->time - b->model->began;
    map_put(&b->objects, event->subject, 0);
    if (object->track != NO_TRACK)
        build_add_span(b, event, SPAN_DONE, object->track)->subject = number;
}

static void on_work(struct builder* b, const struct trace_event* event) {
    uint32_t number = build_work_object(b, event);
    struct object* object = &b->model->objects[number];
    uint64_t time = event->time - b->model->began;
    if (event->type == PH_EV_WORK_SUBMIT) {
        object->for_pool = true;
    } else if (event->type == PH_EV_WORK_CANCEL) {
        object->cancelled = true;
    } else if (event->type == PH_EV_WORK_BEGIN) {
        uint16_t track = build_thread_track(b, event->thread, TRACK_POOL);
        object = &b->model->objects[number];
        object->started = time;
        object->for_pool = true;
        object->pool_track = track;
        build_open_span(b, event, SPAN_WORK, track)->subject = number;
    } else {
        object->done = time;
        build_close_span(b, event, SPAN_WORK);
    }
}

static void on_ring(struct builder* b, const struct trace_event* event) {
    uint32_t number = map_get(&b->objects, event->subject);
    if (number == 0)
        return;
    struct object* object = &b->model->objects[number];
    object->on_ring = true;
    if (event->type == PH_EV_RING_SUBMIT) {
        object->started = event->time - b->model->began;
        return;
    }
    object->done = event->time - b->model->began;
    if (object->track != NO_TRACK)
        build_add_span(b, event, SPAN_DONE, object->track)->subject = number;
}

static void on_handle(struct builder* b, const struct trace_event* event) {
    uint64_t time = event->time - b->model->began;
    if (event->type == PH_EV_HANDLE_OPEN) {
        uint32_t number = build_add_object(b, event, false, handle_type(event->value & 0xff));
        if (event->value & PH_HANDLE_WAS_THERE)
            b->model->objects[number].born = 0;
        else
            build_add_span(b, event, SPAN_BIRTH, build_loop_track(b, event->loop))->subject =
                number;
        return;
    }
    uint32_t number = map_get(&b->objects, event->subject);
    if (number == 0 || b->model->objects[number].is_request)
        return;
    if (event->type == PH_EV_HANDLE_CLOSE)
        build_add_span(b, event, SPAN_CLOSE, build_loop_track(b, event->loop))->subject = number;
    else
        b->model->objects[number].ended = time;
}

static void on_wake(struct builder* b, const struct trace_event* event) {
    uint16_t sender = build_track_here(b, event->thread);
    if (sender == NO_TRACK)
        sender = build_thread_track(b, event->thread, TRACK_THREAD);
    struct span* span = build_add_span(b, event, SPAN_WAKE, build_loop_track(b, event->loop));
    span->value = sender != NO_TRACK ? sender : -1;
    span->inside = 0;
    if (event->type == PH_EV_SEND)
        span->subject = map_get(&b->objects, event->subject);
}

static void on_span(struct builder* b, const struct trace_event* event) {
    uint16_t track = build_track_here(b, event->thread);
    bool tick = event->value == PHASOR_SPAN_TICK || event->value == PHASOR_SPAN_MICROTASK;
    enum span_kind kind = event->value == PHASOR_SPAN_FUNCTION ? SPAN_CALLBACK
                          : tick                               ? SPAN_TICK
                                                               : SPAN_MARK;
    if (event->type == PH_EV_SPAN_END) {
        build_close_span(b, event, kind);
        return;
    }
    if (track == NO_TRACK)
        track = build_thread_track(b, event->thread, TRACK_THREAD);
    struct span* outer = build_top(b, event->thread);
    uint32_t subject = outer != NULL && outer->kind == SPAN_CALLBACK ? outer->subject : 0;
    uint8_t callback = outer != NULL && outer->kind == SPAN_CALLBACK ? outer->callback : 0;
    struct span* span = build_open_span(b, event, kind, track);
    span->name = event->detail < b->model->file->name_count ? (uint32_t)event->detail : 0;
    span->detail = event->value == PHASOR_SPAN_MICROTASK;
    struct thread_state* state = &b->threads[event->thread];
    if (kind == SPAN_CALLBACK) {
        span->subject = subject;
        span->callback = callback;
        span->value = callback == PH_CB_TIMER && state->due_timer == 0 ? lateness(state, event) : 0;
    }
    state->due = 0;
}

/* A request whose end or beginning may be among the lost events must not be taken for another one
 * at the same address. */
static void forget_requests(struct builder* b) {
    for (size_t i = 0; i < b->objects.size; i++) {
        uint32_t number = b->objects.slots[i].value;
        if (number != 0 && b->model->objects[number].is_request)
            b->objects.slots[i].value = 0;
    }
    for (size_t i = 0; i < b->works.size; i++)
        b->works.slots[i].value = 0;
}

static void on_lost(struct builder* b, const struct trace_event* event) {
    uint16_t track = build_track_here(b, event->thread);
    struct trace_event before = *event;
    uint64_t last = b->threads[event->thread].last;
    if (event->type == PH_EV_LOST)
        before.time = last != 0 ? last : event->time;
    build_close_all(b, &before);
    forget_requests(b);
    b->model->lost += event->value;
    if (track == NO_TRACK)
        track = build_thread_track(b, event->thread, TRACK_THREAD);
    struct span* span = build_add_span(b, &before, SPAN_LOST, track);
    span->end = event->time - b->model->began + (event->type == PH_EV_GAP ? event->detail : 0);
    span->value = event->value;
}

static void on_event(struct builder* b, const struct trace_event* event) {
    switch (event->type) {
    case PH_EV_LOST:
    case PH_EV_GAP:
        return on_lost(b, event);
    case PH_EV_LOOP_OPEN:
        return on_loop(b, event);
    case PH_EV_LOOP_CLOSE:
        return map_put(&b->loops, event->loop, 0);
    case PH_EV_ITERATION_BEGIN:
        return on_iteration(b, event);
    case PH_EV_ITERATION_END:
        build_close_span(b, event, SPAN_ITERATION);
        return;
    case PH_EV_PHASE:
        return on_phase(b, event);
    case PH_EV_WAIT_BEGIN:
    case PH_EV_WAIT_END:
        return on_wait(b, event);
    case PH_EV_CALLBACK_BEGIN:
        return on_callback(b, event);
    case PH_EV_CALLBACK_END:
        build_close_span(b, event, SPAN_CALLBACK);
        return;
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
    case PH_EV_SPAN_BEGIN:
    case PH_EV_SPAN_END:
        return on_span(b, event);
    default:
        return;
    }
}

/* The recording may have begun before its first event and ended after its last. */
static void find_bounds(struct model* model) {
    const struct trace_file* file = model->file;
    uint64_t first = file->event_count > 0 ? file->events[0].time : file->header.clock;
    uint64_t last = file->event_count > 0 ? file->events[file->event_count - 1].time : first;
    model->began = file->header.clock <= first ? file->header.clock : first;
    if (file->header.overwritten > 0)
        model->began = first;
    if (file->header.ended > last)
        last = file->header.ended;
    model->duration = last - model->began;
    model->first = file->partial ? first - model->began : 0;
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
    size_t* turns = must(calloc(model->track_count + 1, sizeof(*turns)));
    struct track* main_loop = NULL;
    size_t most = 0;
    for (size_t i = 0; i < model->span_count; i++)
        if (model->spans[i].kind == SPAN_ITERATION && model->spans[i].inside == 0)
            turns[model->spans[i].track]++;
    for (size_t i = 0; i < model->track_count; i++) {
        struct track* track = &model->tracks[i];
        bool on_main = (uint32_t)track->tid == model->file->header.pid;
        size_t weight = turns[i] + 1 + (on_main && turns[i] > 0 ? SIZE_MAX / 2 : 0);
        if (track->kind != TRACK_LOOP || weight <= most)
            continue;
        most = weight;
        main_loop = track;
    }
    free(turns);
    if (main_loop != NULL) {
        main_loop->is_main = true;
        snprintf(main_loop->name, sizeof(main_loop->name), "main loop");
    }
}

void model_build(struct model* model, const struct trace_file* file) {
    *model = (struct model){.file = file};
    struct builder b = {.model = model};
    find_bounds(model);
    APPEND(model->objects, model->object_count);
    b.threads = must(calloc(file->thread_count + 1, sizeof(*b.threads)));
    for (size_t i = 0; i < file->thread_count; i++)
        b.threads[i].track = NO_TRACK;
    for (size_t i = 0; i < file->event_count; i++) {
        on_event(&b, &file->events[i]);
        b.threads[file->events[i].thread].last = file->events[i].time;
    }
    struct trace_event end = {.time = model->began + model->duration};
    for (size_t i = 0; i < file->thread_count; i++) {
        end.thread = (uint16_t)i;
        build_close_all(&b, &end);
    }
    name_other_loops(model);
    name_main_loop(model);
    model_regroup_scripts(model);
    free(b.threads);
    free(b.objects.slots);
    free(b.works.slots);
    free(b.loops.slots);
}

void model_free(struct model* model) {
    free(model->spans);
    free(model->objects);
    free(model->tracks);
}
