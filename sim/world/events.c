/* What will happen: a heap by time, then by the order in which events were made. */

#include <stdlib.h>
#include <string.h>

#include "world/counter.h"
#include "world/link.h"
#include "world/world.h"

static void run_alarm(struct ph_event* event) {
    (void)event;
}

/* Every process of the world may be the one that runs an event. */
static void (*const runs[PH_EVENT_KINDS])(struct ph_event*) = {
    [PH_EVENT_ALARM] = run_alarm,
    [PH_EVENT_ARRIVAL] = ph_run_arrival,
    [PH_EVENT_CONNECT] = ph_run_connect,
    [PH_EVENT_ROOM] = ph_run_room,
    [PH_EVENT_DATAGRAM] = ph_run_datagram,
    [PH_EVENT_RESET] = ph_run_reset,
    [PH_EVENT_HAPPENING] = ph_run_happening,
    [PH_EVENT_EXPIRY] = ph_run_expiry,
};

static bool before(const struct ph_event* a, const struct ph_event* b) {
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void put(uint32_t place, struct ph_event* event) {
    ph_world->heap[place] = event;
    event->place = place + 1;
}

static void sift(uint32_t place, struct ph_event* event) {
    struct ph_event** heap = ph_world->heap;
    while (place > 0 && before(event, heap[(place - 1) / 2])) {
        put(place, heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= ph_world->heap_count)
            break;
        if (child + 1 < ph_world->heap_count && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], event))
            break;
        put(place, heap[child]);
        place = child;
    }
    put(place, event);
}

static void make_room(void) {
    if (ph_world->heap_count < ph_world->heap_room)
        return;
    uint32_t room = ph_world->heap_room == 0 ? 1024 : ph_world->heap_room * 2;
    struct ph_event** heap = ph_world_alloc(room * sizeof(*heap));
    if (heap == NULL)
        ph_world_end("the world has no room for more events");
    if (ph_world->heap_count > 0)
        memcpy(heap, ph_world->heap, ph_world->heap_count * sizeof(*heap));
    ph_world_free(ph_world->heap, ph_world->heap_room * sizeof(*heap));
    ph_world->heap = heap;
    ph_world->heap_room = room;
}

void ph_event_at(struct ph_event* event, enum ph_event_kind kind, uint64_t time) {
    ph_event_cancel(event);
    make_room();
    event->kind = kind;
    event->time = time > ph_world->now ? time : ph_world->now;
    event->order = ph_world->event_order++;
    sift(ph_world->heap_count++, event);
}

void ph_event_cancel(struct ph_event* event) {
    if (event->place == 0)
        return;
    uint32_t place = event->place - 1;
    struct ph_event* last = ph_world->heap[--ph_world->heap_count];
    event->place = 0;
    if (last != event)
        sift(place, last);
}

uint64_t ph_event_next(void) {
    return ph_world->heap_count > 0 ? ph_world->heap[0]->time : PH_NEVER;
}

void ph_event_run_next(void) {
    struct ph_event* event = ph_world->heap[0];
    ph_event_cancel(event);
    runs[event->kind](event);
}
