/* The heap of timers in nanoseconds, against what a heap is. */

#include <limits.h>
#include <phasor.h>

#include "core/precise_timer.h"
#include "harness.h"

enum { TIMERS = 200, STEPS = 20000 };

static uv_loop_t loop;
static phasor_timer_t timers[TIMERS];
static uint64_t state = 88172645463325252U;

static unsigned draw(unsigned below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

static void on_timer(phasor_timer_t* timer) {
    (void)timer;
    CHECK(!"due");
}

static bool is_later(const phasor_timer_t* one, const phasor_timer_t* other) {
    return one->due != other->due ? one->due > other->due : one->order > other->order;
}

static void check_heap(size_t active) {
    const struct uv__precise* precise = loop.internal.precise;
    CHECK_EQ(precise->count, active);
    CHECK_LT(precise->count, precise->room);
    for (size_t place = 1; place <= precise->count; place++) {
        CHECK_EQ(precise->heap[place]->place, place);
        CHECK(place == 1 || is_later(precise->heap[place], precise->heap[place / 2]));
    }
}

TEST(heap_of_timers_is_one_after_every_random_step) {
    unsigned active = 1;
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < TIMERS; i++)
        phasor_timer_init(&loop, &timers[i]);
    CHECK_OK(phasor_timer_start(&timers[0], on_timer, 3600000000000U, 0));
    for (int step = 0; step < STEPS; step++) {
        phasor_timer_t* timer = &timers[draw(TIMERS)];
        active -= timer->place != 0;
        if (draw(3) == 0) {
            phasor_timer_stop(timer);
            CHECK_EQ(timer->place, 0);
        } else {
            CHECK_OK(phasor_timer_start(timer, on_timer, (1 + draw(1000)) * 3600000000000U, 0));
            active++;
        }
        check_heap(active);
        CHECK_EQ(loop.active_handles, active);
    }
    for (int i = 0; i < TIMERS; i++) {
        phasor_timer_unref(&timers[i]);
        phasor_timer_unref(&timers[i]);
    }
    CHECK_EQ(loop.active_handles, 0);
    phasor_timer_ref(&timers[0]);
    phasor_timer_ref(&timers[0]);
    CHECK_EQ(loop.active_handles, phasor_timer_is_active(&timers[0]));
    CHECK_EQ(uv_loop_close(&loop), active > 0 ? UV_EBUSY : 0);
    phasor_timer_unref(&timers[0]);
    for (int i = 0; i < TIMERS; i++)
        phasor_timer_stop(&timers[i]);
    CHECK_EQ(loop.active_handles, 0);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(timers_beyond_all_time_are_waited_for_as_long_as_can_be) {
    CHECK_OK(uv_loop_init(&loop));
    phasor_timer_init(&loop, &timers[0]);
    CHECK_OK(phasor_timer_start(&timers[0], on_timer, UINT64_MAX, 0));
    CHECK_EQ(timers[0].due, UINT64_MAX);
    CHECK_EQ(uv_backend_timeout(&loop), INT_MAX);
    CHECK_OK(phasor_timer_start(&timers[0], on_timer, 3600000000000U, 0));
    CHECK_LE(uv_backend_timeout(&loop), 3600000);
    CHECK_GT(uv_backend_timeout(&loop), 3000000);
    CHECK_LE(phasor_timer_due_in(&timers[0]), 3600000000000U);
    CHECK_GT(phasor_timer_due_in(&timers[0]), 3000000000000U);
    phasor_timer_stop(&timers[0]);
    CHECK_EQ(phasor_timer_due_in(&timers[0]), 0);
    CHECK_EQ(uv_backend_timeout(&loop), 0);
    CHECK_OK(uv_loop_close(&loop));
}
