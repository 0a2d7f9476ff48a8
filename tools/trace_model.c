#include "trace_model.h"

#include "phasor.h"
#include "trace_map.h"
#include "trace_memory.h"
#include "trace_types.h"

enum { MOST_DEPTH = 64, LARGEST_REQUEST = 512, MOST_SEARCHED = 64 };

/* What is open on a thread, outermost first: numbers of spans. */
struct thread_state {
    uint32_t open[MOST_DEPTH];
    unsigned depth;
    unsigned too_deep;
    uint16_t track;     /* of the thread itself, or NO_TRACK */
    uint64_t last;      /* when it was heard of */
    uint64_t due_timer; /* 0: of a runtime, for the function that it calls next */
    uint64_t due;       /* ms, 0: none */
};

struct builder {
    struct model* model;
    struct thread_state* threads;
    struct map objects;                 /* by address */
    struct map works;                   /* by the address that the pool knows */
    struct map loops;                   /* by address: the track, + 1 */
    unsigned numbers[TRACK_THREAD + 1]; /* of tracks, by kind */
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
    if (kind == TRACK_POOL)
        snprintf(track->name, sizeof(track->name), "pool thread %u", number);
    else if (kind == TRACK_LOOP)
        snprintf(track->name, sizeof(track->name), "loop %u", number);
    else
        snprintf(track->name, sizeof(track->name), "%s %d", name, tid);
    return (uint16_t)(model->track_count - 1);
}

static uint16_t loop_track(struct builder* b, uint64_t loop) {
    uint32_t known = map_get(&b->loops, loop);
    if (known != 0)
        return (uint16_t)(known - 1);
    uint16_t track = add_track(b, TRACK_LOOP, loop, 0, "");
    map_put(&b->loops, loop, track + 1u);
    return track;
}

static uint16_t thread_track(struct builder* b, unsigned thread, enum track_kind kind) {
    struct thread_state* state = &b->threads[thread];
    const struct trace_thread* from = &b->model->file->threads[thread];
    if (state->track == NO_TRACK)
        state->track = add_track(b, kind, 0, from->tid, from->name);
    return state->track;
}

/* Where something that a thread does is shown: the innermost open span's track. */
static uint16_t track_here(struct builder* b, unsigned thread) {
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

static struct span* add_span(struct builder* b, const struct trace_event* event,
                             enum span_kind kind, uint16_t track) {
    struct model* model = b->model;
    const struct thread_state* state = &b->threads[event->thread];
    struct span* span = APPEND(model->spans, model->span_count);
    span->start = span->end = event->time - model->began;
    span->kind = (uint8_t)kind;
    span->track = track;
    span->inside = state->depth > 0 ? state->open[state->depth - 1] + 1 : 0;
    return span;
}

static struct span* open_span(struct builder* b, const struct trace_event* event,
                              enum span_kind kind, uint16_t track) {
    struct thread_state* state = &b->threads[event->thread];
    struct span* span = add_span(b, event, kind, track);
    span->unfinished = true;
    if (state->depth == MOST_DEPTH)
        state->too_deep++;
    else
        state->open[state->depth++] = (uint32_t)(b->model->span_count - 1);
    return span;
}

static struct span* top(struct builder* b, unsigned thread) {
    struct thread_state* state = &b->threads[thread];
    return state->depth > 0 ? &b->model->spans[state->open[state->depth - 1]] : NULL;
}

static void pop(struct builder* b, const struct trace_event* event, bool finished) {
    struct span* span = top(b, event->thread);
    b->threads[event->thread].depth--;
    span->end = event->time - b->model->began;
    span->unfinished = !finished;
}

/* The innermost open span of this kind, as an index into the thread's stack; -1: none. Looks no
 * further out than the iteration that is running. */
static int find_open(struct builder* b, unsigned thread, enum span_kind kind) {
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

/* Ends the innermost span of the kind, and what is still open in it. NULL: there is none. */
static struct span* close_span(struct builder* b, const struct trace_event* event,
                               enum span_kind kind) {
    struct thread_state* state = &b->threads[event->thread];
    if (state->too_deep > 0) {
        state->too_deep--;
        return NULL;
    }
    int at = find_open(b, event->thread, kind);
    if (at < 0)
        return NULL;
    while ((int)state->depth > at + 1)
        pop(b, event, top(b, event->thread)->kind == SPAN_PHASE);
    struct span* span = top(b, event->thread);
    pop(b, event, true);
    return span;
}

static void close_all(struct builder* b, const struct trace_event* event) {
    b->threads[event->thread].too_deep = 0;
    while (b->threads[event->thread].depth > 0)
        pop(b, event, false);
}

/* Objects */

static uint32_t add_object(struct builder* b, const struct trace_event* event, bool is_request,
                           unsigned type) {
    struct model* model = b->model;
    struct object* object = APPEND(model->objects, model->object_count);
    object->address = event->subject;
    object->born = event->time - model->began;
    object->is_request = is_request;
    object->type = (uint8_t)type;
    object->track = event->loop != 0 ? loop_track(b, event->loop) : track_here(b, event->thread);
    object->pool_track = NO_TRACK;
    map_put(&b->objects, event->subject, (uint32_t)(model->object_count - 1));
    return (uint32_t)(model->object_count - 1);
}

/* The request that this address of the pool's lies in. One that is not known (it was submitted
 * before the recording) is made up. */
static uint32_t work_object(struct builder* b, const struct trace_event* event) {
    uint32_t found = event->type != PH_EV_WORK_SUBMIT ? map_get(&b->works, event->subject) : 0;
    for (uint64_t back = 0; found == 0 && back < LARGEST_REQUEST; back += 8) {
        uint32_t number = map_get(&b->objects, event->subject - back);
        if (number != 0 && b->model->objects[number].is_request)
            found = number;
    }
    if (found == 0) {
        found = add_object(b, event, true, 0);
        b->model->objects[found].born = 0;
    }
    map_put(&b->works, event->subject, found);
    return found;
}

/* The object of a callback; made up if the recording began after it. */
static uint32_t callback_object(struct builder* b, const struct trace_event* event) {
    if (event->subject == 0)
        return 0;
    uint32_t number = map_get(&b->objects, event->subject);
    bool is_request = callback_is_of_request(event->value);
    if (number == 0 || b->model->objects[number].is_request != is_request) {
        number = add_object(b, event, is_request, callback_type(event->value));
        b->model->objects[number].born = 0;
    }
    return number;
}

/* Events */

static int64_t lateness(const struct thread_state* state, const struct trace_event* event) {
    uint64_t due = state->due * 1000000;
    return state->due != 0 && event->time > due ? (int64_t)(event->time - due) : 0;
}

static void on_callback(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = &b->threads[event->thread];
    uint32_t number = callback_object(b, event);
    uint16_t track = event->value == PH_CB_WORK ? thread_track(b, event->thread, TRACK_POOL)
                                                : loop_track(b, event->loop);
    struct span* span = open_span(b, event, SPAN_CALLBACK, track);
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
    uint16_t track = loop_track(b, event->loop);
    const struct span* outer = top(b, event->thread);
    /* A new iteration of the same loop, outside of its callbacks: the end of the last was lost. */
    if (outer != NULL && outer->track == track && outer->kind != SPAN_CALLBACK &&
        outer->kind != SPAN_TICK && outer->kind != SPAN_MARK)
        close_all(b, event);
    b->model->tracks[track].tid = b->model->file->threads[event->thread].tid;
    struct span* span = open_span(b, event, SPAN_ITERATION, track);
    span->value = event->detail < INT64_MAX ? (int64_t)event->detail + 1 : INT64_MAX;
}

static void on_loop(struct builder* b, const struct trace_event* event) {
    map_put(&b->loops, event->loop, 0);
    uint16_t track = loop_track(b, event->loop);
    b->model->tracks[track].tid = b->model->file->threads[event->thread].tid;
}

static void on_phase(struct builder* b, const struct trace_event* event) {
    struct thread_state* state = &b->threads[event->thread];
    int at = find_open(b, event->thread, SPAN_ITERATION);
    if (at < 0 || event->value >= PH_PHASE_COUNT)
        return;
    while ((int)state->depth > at + 1)
        pop(b, event, top(b, event->thread)->kind == SPAN_PHASE);
    open_span(b, event, SPAN_PHASE, loop_track(b, event->loop))->detail = (uint8_t)event->value;
}

static void on_wait(struct builder* b, const struct trace_event* event) {
    if (event->type == PH_EV_WAIT_BEGIN) {
        open_span(b, event, SPAN_WAIT, loop_track(b, event->loop))->value = (int32_t)event->value;
        return;
    }
    struct span* span = close_span(b, event, SPAN_WAIT);
    if (span != NULL)
        span->events = event->value;
}

static void on_request(struct builder* b, const struct trace_event* event) {
    unsigned type = request_type(event->value & 0xff, event->value >> 8);
    uint32_t number = add_object(b, event, true, type);
    uint16_t track = track_here(b, event->thread);
    struct span* span =
        add_span(b, event, SPAN_SUBMIT, track != NO_TRACK ? track : loop_track(b, event->loop));
    span->subject = number;
    b->model->objects[number].submitted_in = span->inside;
}

static void on_work(struct builder* b, const struct trace_event* event) {
    uint32_t number = work_object(b, event);
    struct object* object = &b->model->objects[number];
    uint64_t time = event->time - b->model->began;
    if (event->type == PH_EV_WORK_SUBMIT) {
        object->for_pool = true;
    } else if (event->type == PH_EV_WORK_CANCEL) {
        object->cancelled = true;
    } else if (event->type == PH_EV_WORK_BEGIN) {
        uint16_t track = thread_track(b, event->thread, TRACK_POOL);
        object = &b->model->objects[number];
        object->started = time;
        object->for_pool = true;
        object->pool_track = track;
        open_span(b, event, SPAN_WORK, track)->subject = number;
    } else {
        object->done = time;
        close_span(b, event, SPAN_WORK);
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
        add_span(b, event, SPAN_DONE, object->track)->subject = number;
}

static void on_handle(struct builder* b, const struct trace_event* event) {
    uint64_t time = event->time - b->model->began;
    if (event->type == PH_EV_HANDLE_OPEN) {
        uint32_t number = add_object(b, event, false, handle_type(event->value & 0xff));
        if (event->value & PH_HANDLE_WAS_THERE)
            b->model->objects[number].born = 0;
        else
            add_span(b, event, SPAN_BIRTH, loop_track(b, event->loop))->subject = number;
        return;
    }
    uint32_t number = map_get(&b->objects, event->subject);
    if (number == 0 || b->model->objects[number].is_request)
        return;
    if (event->type == PH_EV_HANDLE_CLOSE)
        add_span(b, event, SPAN_CLOSE, loop_track(b, event->loop))->subject = number;
    else
        b->model->objects[number].ended = time;
}

static void on_wake(struct builder* b, const struct trace_event* event) {
    uint16_t sender = track_here(b, event->thread);
    if (sender == NO_TRACK)
        sender = thread_track(b, event->thread, TRACK_THREAD);
    struct span* span = add_span(b, event, SPAN_WAKE, loop_track(b, event->loop));
    span->value = sender != NO_TRACK ? sender : -1;
    span->inside = 0;
    if (event->type == PH_EV_SEND)
        span->subject = map_get(&b->objects, event->subject);
}

static void on_span(struct builder* b, const struct trace_event* event) {
    uint16_t track = track_here(b, event->thread);
    bool tick = event->value == PHASOR_SPAN_TICK || event->value == PHASOR_SPAN_MICROTASK;
    enum span_kind kind = event->value == PHASOR_SPAN_FUNCTION ? SPAN_CALLBACK
                          : tick                               ? SPAN_TICK
                                                               : SPAN_MARK;
    if (event->type == PH_EV_SPAN_END) {
        close_span(b, event, kind);
        return;
    }
    if (track == NO_TRACK)
        track = thread_track(b, event->thread, TRACK_THREAD);
    struct span* outer = top(b, event->thread);
    uint32_t subject = outer != NULL && outer->kind == SPAN_CALLBACK ? outer->subject : 0;
    uint8_t callback = outer != NULL && outer->kind == SPAN_CALLBACK ? outer->callback : 0;
    struct span* span = open_span(b, event, kind, track);
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

static void on_lost(struct builder* b, const struct trace_event* event) {
    uint16_t track = track_here(b, event->thread);
    struct trace_event before = *event;
    before.time =
        b->threads[event->thread].last != 0 ? b->threads[event->thread].last : event->time;
    close_all(b, &before);
    b->model->lost += event->value;
    if (track == NO_TRACK)
        track = thread_track(b, event->thread, TRACK_THREAD);
    struct span* span = add_span(b, &before, SPAN_LOST, track);
    span->end = event->time - b->model->began;
    span->value = event->value;
}

static void on_event(struct builder* b, const struct trace_event* event) {
    switch (event->type) {
    case PH_EV_LOST:
        return on_lost(b, event);
    case PH_EV_LOOP_OPEN:
        return on_loop(b, event);
    case PH_EV_LOOP_CLOSE:
        return map_put(&b->loops, event->loop, 0);
    case PH_EV_ITERATION_BEGIN:
        return on_iteration(b, event);
    case PH_EV_ITERATION_END:
        close_span(b, event, SPAN_ITERATION);
        return;
    case PH_EV_PHASE:
        return on_phase(b, event);
    case PH_EV_WAIT_BEGIN:
    case PH_EV_WAIT_END:
        return on_wait(b, event);
    case PH_EV_CALLBACK_BEGIN:
        return on_callback(b, event);
    case PH_EV_CALLBACK_END:
        close_span(b, event, SPAN_CALLBACK);
        return;
    case PH_EV_TIMER_DUE:
        b->threads[event->thread].due_timer = event->subject;
        b->threads[event->thread].due = event->detail;
        return;
    case PH_EV_REQUEST:
        return on_request(b, event);
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
        return on_span(b, event);
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
        close_all(&b, &end);
    }
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
