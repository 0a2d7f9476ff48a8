#include "read/exchanges.h"

#include "read/build.h"
#include "read/memory.h"

enum { MOST_OPEN = 1 << 20 };

static struct exchange* by_number(struct builder* b, uint32_t number) {
    uint32_t place = number != 0 ? map_get(&b->exchanges.numbers, number) : 0;
    return place != 0 ? &b->exchanges.list[place] : NULL;
}

static uint64_t waited_so_far(const struct builder* b, const struct exchange* exchange) {
    return exchange->track != NO_TRACK ? b->model->tracks[exchange->track].waited : 0;
}

/* The outermost callback that is open on the thread and for this one. Where none is, the outermost
 * one that is for nobody: what answers is for the request, whoever put it off. */
static const struct span* open_callback(const struct builder* b, unsigned thread, uint32_t number) {
    const struct thread_state* state = &b->threads[thread];
    const struct span* of_nobody = NULL;
    for (unsigned i = 0; i < state->depth; i++) {
        const struct span* span = &state->spans[state->open[i]];
        if (span->kind != SPAN_CALLBACK)
            continue;
        if (span->exchange == number)
            return span;
        if (of_nobody == NULL && span->exchange == 0)
            of_nobody = span;
    }
    return of_nobody;
}

/* What is around it counts already. */
static bool is_inside_its_own(const struct builder* b, unsigned thread, const struct span* span) {
    const struct thread_state* state = &b->threads[thread];
    for (uint32_t outer = span->inside; outer != 0; outer = state->spans[outer - 1].inside)
        if (state->spans[outer - 1].kind == SPAN_CALLBACK &&
            state->spans[outer - 1].exchange == span->exchange)
            return true;
    return false;
}

static void give(struct builder* b, struct exchange* exchange) {
    const struct model* model = b->model;
    uint64_t end = exchange->ended != 0 ? exchange->ended : model->duration;
    if (b->sink->exchange != NULL && exchange->born < model->to && end >= model->from)
        b->sink->exchange(b->sink->context, model, exchange);
}

static void finish(struct builder* b, uint32_t place) {
    struct exchange* exchange = &b->exchanges.list[place];
    give(b, exchange);
    map_put(&b->exchanges.numbers, exchange->number, 0);
    if (map_get(&b->exchanges.streams, exchange->stream) == place)
        map_put(&b->exchanges.streams, exchange->stream, 0);
    *exchange = (struct exchange){.name = b->exchanges.free_place};
    b->exchanges.free_place = place;
}

static uint32_t find_place(struct exchanges* exchanges) {
    uint32_t place = exchanges->free_place;
    if (place != 0) {
        exchanges->free_place = exchanges->list[place].name;
        return place;
    }
    if (exchanges->count == MOST_OPEN)
        return 0;
    if (exchanges->count == 0)
        APPEND(exchanges->list, exchanges->count);
    APPEND(exchanges->list, exchanges->count);
    return (uint32_t)(exchanges->count - 1);
}

static void on_request(struct builder* b, const struct trace_event* event) {
    struct exchanges* exchanges = &b->exchanges;
    struct thread_state* state = &b->threads[event->thread];
    uint32_t before = map_get(&exchanges->streams, event->subject);
    if (before != 0)
        finish(b, before); /* its answer was not seen */
    uint32_t place = find_place(exchanges);
    if (place == 0)
        return;
    struct exchange* exchange = &exchanges->list[place];
    *exchange = (struct exchange){
        .number = ++exchanges->last_number,
        .name = event->detail < b->model->file->name_count ? (uint32_t)event->detail : 0,
        .stream = event->subject,
        .born = event->time - b->model->began,
        .track = build_loop_track(b, event->loop)};
    exchange->waited = waited_so_far(b, exchange);
    map_put(&exchanges->streams, event->subject, place);
    map_put(&exchanges->numbers, exchange->number, place);
    state->exchange = exchange->number;
}

static void on_parent(struct builder* b, const struct trace_event* event) {
    struct exchange* exchange = by_number(b, b->threads[event->thread].exchange);
    if (exchange == NULL)
        return;
    exchange->trace[0] = event->loop;
    exchange->trace[1] = event->subject;
    exchange->parent = event->detail;
}

static void on_answer(struct builder* b, const struct trace_event* event) {
    uint32_t place = map_get(&b->exchanges.streams, event->subject);
    if (place == 0)
        return;
    struct exchange* exchange = &b->exchanges.list[place];
    uint64_t now = event->time - b->model->began;
    const struct span* span = open_callback(b, event->thread, exchange->number);
    if (span != NULL && span->track == exchange->track)
        exchange->own += now - (span->start > exchange->born ? span->start : exchange->born);
    exchange->ended = now;
    exchange->status = event->value;
    exchange->waited = waited_so_far(b, exchange) - exchange->waited;
    /* What answers may have been counted in part. */
    uint64_t awake = now - exchange->born;
    awake = awake > exchange->waited ? awake - exchange->waited : 0;
    exchange->own = exchange->own < awake ? exchange->own : awake;
    finish(b, place);
}

void exchanges_event(struct builder* b, const struct trace_event* event) {
    if (event->type == PH_EV_HTTP_REQUEST)
        on_request(b, event);
    else if (event->type == PH_EV_HTTP_PARENT)
        on_parent(b, event);
    else
        on_answer(b, event);
}

void exchanges_callback_begins(struct builder* b, const struct trace_event* event, uint32_t place,
                               struct span* span) {
    struct thread_state* state = &b->threads[event->thread];
    struct exchange* exchange = NULL;
    if (event->value == PH_CB_READ) {
        uint32_t open = map_get(&b->exchanges.streams, event->subject);
        exchange = open != 0 ? &b->exchanges.list[open] : NULL;
        state->exchange = 0;
    }
    if (exchange != NULL) {
        span->exchange = exchange->number;
        span->route = exchange->name;
    } else if (place != 0) {
        span->exchange = b->objects[place].exchange;
        span->route = b->objects[place].route;
    }
}

/* Not on the pool's threads: meanwhile its loop did something else, or was asleep. */
void exchanges_callback_ends(struct builder* b, unsigned thread, const struct span* span) {
    struct exchange* exchange = span != NULL ? by_number(b, span->exchange) : NULL;
    if (exchange != NULL && span->track == exchange->track && !is_inside_its_own(b, thread, span))
        exchange->own += span->end - (span->start > exchange->born ? span->start : exchange->born);
}

void exchanges_note(struct builder* b, unsigned thread, struct object* object) {
    const struct thread_state* state = &b->threads[thread];
    for (unsigned i = state->depth; i-- > 0;) {
        const struct span* span = &state->spans[state->open[i]];
        if (span->route == 0)
            continue;
        object->exchange = span->exchange;
        object->route = span->route;
        return;
    }
}

void exchanges_request_ends(struct builder* b, const struct object* object) {
    struct exchange* exchange = by_number(b, object->exchange);
    if (exchange == NULL || !object->for_pool || object->born == 0 ||
        object->started < object->born)
        return;
    exchange->queued += object->started - object->born;
}

void exchanges_end(struct builder* b) {
    for (size_t i = 1; i < b->exchanges.count; i++)
        if (b->exchanges.list[i].number != 0)
            finish(b, (uint32_t)i);
}

void exchanges_free(struct exchanges* exchanges) {
    free(exchanges->list);
    free(exchanges->streams.slots);
    free(exchanges->numbers.slots);
}
