#include "read/later.h"

#include <phasor.h>

#include "read/build.h"
#include "read/memory.h"

enum { MOST = 1 << 20 };

static uint32_t find_place(struct laters* laters, uint64_t id) {
    uint32_t place = map_get(&laters->places, id);
    if (place != 0 || laters->count > MOST)
        return place;
    if (laters->count == 0)
        APPEND(laters->list, laters->count);
    place = (uint32_t)laters->count;
    APPEND(laters->list, laters->count);
    map_put(&laters->places, id, place);
    return place;
}

/* By what goes on where it is put off: the innermost that has a name, or a request. */
static void note(const struct builder* b, unsigned thread, struct later* later) {
    const struct thread_state* state = &b->threads[thread];
    *later = (struct later){0};
    for (unsigned i = state->depth; i-- > 0;) {
        const struct span* span = &state->spans[state->open[i]];
        if (span->kind != SPAN_CALLBACK && span->kind != SPAN_TICK)
            continue;
        if (later->maker == 0)
            later->maker = span->name;
        if (later->route == 0) {
            later->exchange = span->exchange;
            later->route = span->route;
        }
    }
}

void later_event(struct builder* b, const struct trace_event* event) {
    if (event->value == PHASOR_LATER_RUNS) {
        b->threads[event->thread].later = map_get(&b->laters.places, event->subject);
        return;
    }
    uint32_t place = find_place(&b->laters, event->subject);
    if (place != 0)
        note(b, event->thread, &b->laters.list[place]);
}

void later_begins(struct builder* b, unsigned thread, struct span* span) {
    uint32_t place = b->threads[thread].later;
    b->threads[thread].later = 0;
    if (place == 0)
        return;
    const struct later* later = &b->laters.list[place];
    span->maker = later->maker;
    span->exchange = later->exchange;
    span->route = later->route;
}

void later_free(struct laters* laters) {
    free(laters->list);
    free(laters->places.slots);
}
