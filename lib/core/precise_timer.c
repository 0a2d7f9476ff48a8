#include "core/precise_timer.h"

#include <limits.h>
#include <string.h>

#include "base/loop_alloc.h"
#include "core/dispatch.h"

enum { NS_PER_MS = 1000000, FIRST_ROOM = 16 };

/* The heap */

static bool before(const phasor_timer_t* one, const phasor_timer_t* other) {
    return one->due != other->due ? one->due < other->due : one->order < other->order;
}

static void put(struct uv__precise* precise, size_t place, phasor_timer_t* timer) {
    precise->heap[place] = timer;
    timer->place = place;
}

static void rise(struct uv__precise* precise, phasor_timer_t* timer, size_t place) {
    for (; place > 1 && before(timer, precise->heap[place / 2]); place /= 2)
        put(precise, place, precise->heap[place / 2]);
    put(precise, place, timer);
}

static void sink(struct uv__precise* precise, phasor_timer_t* timer, size_t place) {
    for (size_t child; (child = place * 2) <= precise->count; place = child) {
        if (child < precise->count && before(precise->heap[child + 1], precise->heap[child]))
            child++;
        if (!before(precise->heap[child], timer))
            break;
        put(precise, place, precise->heap[child]);
    }
    put(precise, place, timer);
}

/* The last one takes the free place, and may belong above or below it. */
static void take_out(struct uv__precise* precise, phasor_timer_t* timer) {
    size_t place = timer->place;
    phasor_timer_t* last = precise->heap[precise->count--];
    timer->place = 0;
    if (last == timer)
        return;
    rise(precise, last, place);
    sink(precise, last, last->place);
}

static int make_room(uv_loop_t* loop) {
    struct uv__precise* precise = loop->internal.precise;
    if (precise == NULL) {
        precise = ph_loop_calloc(loop, 1, sizeof(*precise));
        if (precise == NULL)
            return UV_ENOMEM;
        loop->internal.precise = precise;
    }
    if (precise->count + 1 < precise->room)
        return 0;
    size_t room = precise->room == 0 ? FIRST_ROOM : precise->room * 2;
    phasor_timer_t** heap = ph_loop_realloc(loop, precise->heap, room * sizeof(*heap));
    if (heap == NULL)
        return UV_ENOMEM;
    precise->heap = heap;
    precise->room = room;
    return 0;
}

void ph_precise_close(uv_loop_t* loop) {
    if (loop->internal.precise == NULL)
        return;
    ph_loop_free(loop, loop->internal.precise->heap);
    ph_loop_free(loop, loop->internal.precise);
    loop->internal.precise = NULL;
}

/* For the program */

static uint64_t later(uint64_t time, uint64_t ns) {
    return ns < UINT64_MAX - time ? time + ns : UINT64_MAX;
}

void phasor_timer_init(uv_loop_t* loop, phasor_timer_t* timer) {
    void* data = timer->data;
    memset(timer, 0, sizeof(*timer));
    timer->loop = loop;
    timer->data = data;
}

static void arm(phasor_timer_t* timer, uint64_t due) {
    struct uv__precise* precise = timer->loop->internal.precise;
    timer->due = due;
    timer->order = precise->orders++;
    rise(precise, timer, ++precise->count);
    timer->loop->active_handles += !timer->unreferenced;
}

int phasor_timer_start(phasor_timer_t* timer, phasor_timer_cb cb, uint64_t ns, uint64_t repeat_ns) {
    if (cb == NULL)
        return UV_EINVAL;
    int err = make_room(timer->loop);
    if (err != 0)
        return err;
    phasor_timer_stop(timer);
    timer->cb = cb;
    timer->repeat = repeat_ns;
    arm(timer, later(uv_hrtime(), ns));
    return 0;
}

void phasor_timer_stop(phasor_timer_t* timer) {
    if (timer->place == 0)
        return;
    take_out(timer->loop->internal.precise, timer);
    timer->loop->active_handles -= !timer->unreferenced;
}

int phasor_timer_is_active(const phasor_timer_t* timer) {
    return timer->place != 0;
}

uint64_t phasor_timer_due_in(const phasor_timer_t* timer) {
    uint64_t now = uv_hrtime();
    return timer->place != 0 && timer->due > now ? timer->due - now : 0;
}

static void set_unreferenced(phasor_timer_t* timer, unsigned unreferenced) {
    if (timer->place != 0 && timer->unreferenced != unreferenced)
        timer->loop->active_handles += unreferenced ? -1U : 1U;
    timer->unreferenced = unreferenced;
}

void phasor_timer_ref(phasor_timer_t* timer) {
    set_unreferenced(timer, 0);
}

void phasor_timer_unref(phasor_timer_t* timer) {
    set_unreferenced(timer, 1);
}

/* For the loop */

/* The next time on the timer's grid that is not over. */
static uint64_t next_due(const phasor_timer_t* timer, uint64_t now) {
    uint64_t due = later(timer->due, timer->repeat);
    if (due > now)
        return due;
    return later(due, ((now - due) / timer->repeat + 1) * timer->repeat);
}

/* What a callback starts waits for the next turn, however soon it is due. */
bool ph_precise_run(uv_loop_t* loop) {
    struct uv__precise* precise = loop->internal.precise;
    uint64_t now = uv_hrtime(), orders = precise->orders;
    bool ran = false;
    while (precise->count > 0) {
        phasor_timer_t* timer = precise->heap[1];
        if (timer->due > now || timer->order >= orders)
            break;
        phasor_timer_stop(timer);
        if (timer->repeat != 0)
            arm(timer, next_due(timer, now));
        PH_DISPATCH(loop, loop, timer->cb, timer);
        ran = true;
    }
    return ran;
}

static uint64_t time_left(const uv_loop_t* loop) {
    uint64_t due = loop->internal.precise->heap[1]->due, now = uv_hrtime();
    return due > now ? due - now : 0;
}

bool ph_precise_is_due(const uv_loop_t* loop) {
    return ph_has_precise(loop) && time_left(loop) == 0;
}

bool ph_precise_comes_within(const uv_loop_t* loop, int timeout, uint64_t* ns) {
    if (!ph_has_precise(loop))
        return false;
    *ns = time_left(loop);
    return timeout < 0 || *ns < (uint64_t)timeout * NS_PER_MS;
}

int ph_precise_shorten(const uv_loop_t* loop, int timeout) {
    uint64_t ns;
    if (!ph_precise_comes_within(loop, timeout, &ns))
        return timeout;
    uint64_t ms = ns / NS_PER_MS + (ns % NS_PER_MS != 0);
    return ms < INT_MAX ? (int)ms : INT_MAX;
}
