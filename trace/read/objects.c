/* Handles and requests: which of them an address stands for.
 *
 * Addresses are used again, and what would tell of that may be lost. So an address stands for the
 * object that was seen there only if nothing can be missing since then. */

#include "read/build.h"
#include "read/memory.h"
#include "read/types.h"

enum { LARGEST_REQUEST = 512 };

static void forget(struct builder* b, uint32_t place) {
    struct object* object = &b->objects[place];
    if (map_get(&b->places, object->address) == place)
        map_put(&b->places, object->address, 0);
    if (map_get(&b->works, object->work) == place)
        map_put(&b->works, object->work, 0);
    *object = (struct object){.seen = b->free_place};
    b->free_place = place;
}

static bool is_wanted(const struct model* model, const struct object* object) {
    uint64_t from = object->born != 0 ? object->born : object->started;
    uint64_t to = object->ended > object->done ? object->ended : object->done;
    return from < model->to && (to == 0 || to >= model->from);
}

void build_end_request(struct builder* b, uint32_t place) {
    struct object* object = &b->objects[place];
    exchanges_request_ends(b, object);
    if (object->is_request && b->sink->request != NULL && is_wanted(b->model, object))
        b->sink->request(b->sink->context, b->model, object);
    forget(b, place);
}

void build_end_all_objects(struct builder* b) {
    for (size_t i = 1; i < b->place_count; i++) {
        const struct object* object = &b->objects[i];
        if (object->number != 0 && object->is_request)
            build_end_request(b, (uint32_t)i);
        else if (object->number != 0 && object->ended == 0 && b->sink->handle != NULL)
            b->sink->handle(b->sink->context, b->model, object);
    }
}

static uint32_t find_free_place(struct builder* b) {
    uint32_t place = b->free_place;
    if (place != 0) {
        b->free_place = (uint32_t)b->objects[place].seen;
        return place;
    }
    if (b->place_count == 0)
        APPEND(b->objects, b->place_count);
    APPEND(b->objects, b->place_count);
    return (uint32_t)(b->place_count - 1);
}

/* The innermost callback, or function of a runtime, that the thread is in. */
static void note_maker(struct builder* b, unsigned thread, struct object* object) {
    const struct thread_state* state = &b->threads[thread];
    for (unsigned i = state->depth; i-- > 0;) {
        const struct span* span = &state->spans[state->open[i]];
        if (span->kind != SPAN_CALLBACK && span->kind != SPAN_TICK)
            continue;
        if (object->maker_name == 0)
            object->maker_name = span->name;
        object->maker = span->function;
        object->maker_kind = span->callback;
        if (object->maker != 0)
            return;
    }
}

uint32_t build_add_object(struct builder* b, const struct trace_event* event, bool is_request,
                          unsigned type) {
    uint32_t before = map_get(&b->places, event->subject);
    if (before != 0)
        build_end_request(b, before);
    uint16_t track =
        event->loop != 0 ? build_loop_track(b, event->loop) : build_track_here(b, event->thread);
    uint32_t place = find_free_place(b);
    b->objects[place] = (struct object){.address = event->subject,
                                        .seen = event->time,
                                        .born = event->time - b->model->began,
                                        .number = ++b->model->object_count,
                                        .track = track,
                                        .pool_track = NO_TRACK,
                                        .type = (uint8_t)type,
                                        .is_request = is_request};
    note_maker(b, event->thread, &b->objects[place]);
    exchanges_note(b, event->thread, &b->objects[place]);
    map_put(&b->places, event->subject, place);
    if (is_request && map_get(&b->purposes, event->subject) != 0) {
        b->objects[place].purpose = map_get(&b->purposes, event->subject);
        map_put(&b->purposes, event->subject, 0);
    }
    return place;
}

/* The thread is at work on it. */
static bool is_run_here(struct builder* b, const struct object* object, unsigned thread) {
    int at = build_find_open(b, thread, SPAN_WORK);
    const struct thread_state* state = &b->threads[thread];
    return at >= 0 && state->spans[state->open[at]].subject == object->number;
}

/* Handles live long, and one that took the place of another is only a name too few. Of a request
 * times would be wrong. */
static bool is_certain(struct builder* b, const struct object* object,
                       const struct trace_event* event) {
    return !object->is_request || is_run_here(b, object, event->thread) ||
           !trace_file_has_gap(b->model->file, object->seen, event->time);
}

uint32_t build_find_object(struct builder* b, const struct trace_event* event, bool is_request) {
    uint32_t place = map_get(&b->places, event->subject);
    if (place == 0 || b->objects[place].is_request != is_request)
        return 0;
    if (!is_certain(b, &b->objects[place], event)) {
        build_end_request(b, place);
        return 0;
    }
    b->objects[place].seen = event->time;
    return place;
}

/* Not the same one if it has run already: then its end and the next submission are missing. */
static bool may_be_meant(struct builder* b, uint32_t place, const struct trace_event* event) {
    const struct object* object = &b->objects[place];
    bool again = event->type == PH_EV_WORK_BEGIN && object->started != 0;
    return object->is_request && !again && is_certain(b, object, event);
}

uint32_t build_work_object(struct builder* b, const struct trace_event* event) {
    uint32_t found = event->type != PH_EV_WORK_SUBMIT ? map_get(&b->works, event->subject) : 0;
    for (uint64_t back = 0; found == 0 && back < LARGEST_REQUEST; back += 8) {
        uint32_t place = map_get(&b->places, event->subject - back);
        if (place != 0 && b->objects[place].is_request)
            found = place;
    }
    if (found != 0 && !may_be_meant(b, found, event)) {
        build_end_request(b, found);
        found = 0;
    }
    if (found == 0) {
        found = build_add_object(b, event, true, 0);
        b->objects[found].born = 0;
    }
    b->objects[found].seen = event->time;
    b->objects[found].work = event->subject;
    map_put(&b->works, event->subject, found);
    return found;
}

uint32_t build_callback_object(struct builder* b, const struct trace_event* event) {
    bool is_request = callback_is_of_request(event->value);
    if (event->subject == 0)
        return 0;
    uint32_t place = build_find_object(b, event, is_request);
    if (place == 0) {
        place = build_add_object(b, event, is_request, callback_type(event->value));
        b->objects[place].born = 0;
    }
    return place;
}

void build_set_subject(struct builder* b, struct span* span, uint32_t place) {
    if (place == 0)
        return;
    const struct object* object = &b->objects[place];
    span->subject = object->number;
    span->type = object->type;
    span->purpose = object->purpose;
    span->of_request = object->is_request;
}
