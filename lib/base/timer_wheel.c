#include "base/timer_wheel.h"

#include "base/queue.h"

static unsigned digit(uint64_t time, unsigned level) {
    return (unsigned)(time >> (level * PH_WHEEL_BITS)) & (PH_WHEEL_LISTS - 1);
}

static struct uv__wheel_timer* timer_of(struct uv__queue* node) {
    return PH_CONTAINER_OF(node, struct uv__wheel_timer, node);
}

void ph_wheel_init(struct uv__timers* wheel, uint64_t now) {
    wheel->base = now;
    wheel->quiet_until = PH_WHEEL_NEVER;
    ph_queue_init(&wheel->ready);
    ph_queue_init(&wheel->far);
    for (unsigned level = 0; level < PH_WHEEL_LEVELS; level++) {
        wheel->occupied[level] = 0;
        for (unsigned i = 0; i < PH_WHEEL_LISTS; i++)
            ph_queue_init(&wheel->lists[level][i]);
    }
}

static void put(struct uv__timers* wheel, struct uv__wheel_timer* timer) {
    uint64_t difference = timer->due ^ wheel->base;
    unsigned level =
        difference == 0 ? 0 : (63 - (unsigned)__builtin_clzll(difference)) / PH_WHEEL_BITS;
    if (level >= PH_WHEEL_LEVELS) {
        ph_queue_push(&wheel->far, &timer->node);
        return;
    }
    unsigned i = digit(timer->due, level);
    wheel->occupied[level] |= 1ULL << i;
    ph_queue_push(&wheel->lists[level][i], &timer->node);
}

void ph_wheel_add(struct uv__timers* wheel, struct uv__wheel_timer* timer) {
    if (timer->due < wheel->quiet_until)
        wheel->quiet_until = timer->due;
    put(wheel, timer);
}

static void add_all(struct uv__timers* wheel, struct uv__queue* list) {
    struct uv__queue moved;
    ph_queue_move(&moved, list);
    struct uv__queue* warm = moved.prev;
    for (struct uv__queue *node = moved.next, *next; node != &moved; node = next) {
        next = node->next;
        warm = ph_wheel_warm(warm);
        put(wheel, timer_of(node));
    }
}

/* Nothing may be due before `to`. Restores the invariant: at `to`, the lists that stand for a span
 * around it hold timers that now belong to a lower level. */
static void move_base(struct uv__timers* wheel, uint64_t to) {
    const unsigned span = PH_WHEEL_LEVELS * PH_WHEEL_BITS;
    bool far_is_near = to >> span != wheel->base >> span;
    wheel->base = to;
    if (far_is_near)
        add_all(wheel, &wheel->far);
    for (unsigned level = PH_WHEEL_LEVELS - 1; level > 0; level--) {
        unsigned i = digit(to, level);
        if (!(wheel->occupied[level] & 1ULL << i))
            continue;
        wheel->occupied[level] &= ~(1ULL << i);
        add_all(wheel, &wheel->lists[level][i]);
    }
}

/* The first list that holds a timer, and the time at which its span begins; NULL when only `far`
 * may hold any. */
static struct uv__queue* first_list(struct uv__timers* wheel, uint64_t* begins) {
    for (unsigned level = 0; level < PH_WHEEL_LEVELS; level++) {
        while (wheel->occupied[level] != 0) {
            unsigned i = (unsigned)__builtin_ctzll(wheel->occupied[level]);
            if (ph_queue_empty(&wheel->lists[level][i])) {
                wheel->occupied[level] &= wheel->occupied[level] - 1;
                continue;
            }
            unsigned shift = level * PH_WHEEL_BITS;
            uint64_t window = wheel->base >> (shift + PH_WHEEL_BITS) << (shift + PH_WHEEL_BITS);
            *begins = window | (uint64_t)i << shift;
            return &wheel->lists[level][i];
        }
    }
    return NULL;
}

static uint64_t next_bound(struct uv__timers* wheel) {
    const unsigned span = PH_WHEEL_LEVELS * PH_WHEEL_BITS;
    uint64_t begins;
    if (!ph_queue_empty(&wheel->ready))
        return wheel->base;
    if (first_list(wheel, &begins) != NULL)
        return begins;
    if (ph_queue_empty(&wheel->far))
        return PH_WHEEL_NEVER;
    return ((wheel->base >> span) + 1) << span;
}

static uint64_t earliest_in(struct uv__queue* list) {
    uint64_t earliest = PH_WHEEL_NEVER;
    for (struct uv__queue* node = list->next; node != list; node = node->next)
        if (timer_of(node)->due < earliest)
            earliest = timer_of(node)->due;
    return earliest;
}

uint64_t ph_wheel_next_due(struct uv__timers* wheel) {
    uint64_t begins;
    struct uv__queue* list = &wheel->ready;
    if (ph_queue_empty(list))
        list = first_list(wheel, &begins);
    return earliest_in(list != NULL ? list : &wheel->far);
}

/* When the next list begins that may hold a timer due at `now`; later than `now` if none does. */
static uint64_t next_list_begins(struct uv__timers* wheel, uint64_t now) {
    const unsigned span = PH_WHEEL_LEVELS * PH_WHEEL_BITS;
    uint64_t begins;
    if (first_list(wheel, &begins) != NULL)
        return begins;
    if (now >> span == wheel->base >> span)
        return PH_WHEEL_NEVER;
    return earliest_in(&wheel->far);
}

void ph_wheel_turn(struct uv__timers* wheel, uint64_t now) {
    uint64_t next;
    while ((next = next_list_begins(wheel, now)) <= now) {
        move_base(wheel, next);
        unsigned i = digit(next, 0);
        wheel->occupied[0] &= ~(1ULL << i);
        ph_queue_append(&wheel->ready, &wheel->lists[0][i]);
        if (next == PH_WHEEL_NEVER)
            break;
    }
    move_base(wheel, now);
    wheel->quiet_until = next_bound(wheel);
}
