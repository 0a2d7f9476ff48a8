/* When a loop looks out for mail before it sleeps, and when a sender wakes it. */

#include "core/mailbox.h"

#include <poll.h>
#include <sched.h>

#include "behaviour/stream/streams.h"

enum { FIRST_PENALTY = 4, LAST_PENALTY = 4096, SPINS = 8 };

static uv_async_t async;
static struct uv__taken_mail* state;

static void on_async(uv_async_t* handle) {
    (void)handle;
}

static void open_mailbox(void) {
    open_loop();
    CHECK_OK(uv_async_init(&loop, &async, on_async));
    state = &loop.internal.taken;
}

static bool has_several_processors(void) {
    cpu_set_t set;
    CHECK_OK(sched_getaffinity(0, sizeof(set), &set));
    return CPU_COUNT(&set) > 1;
}

TEST(loop_that_keeps_being_woken_early_begins_to_look_out) {
    open_mailbox();
    CHECK_EQ(state->spin_credit, -FIRST_PENALTY);
    CHECK_EQ(state->spin_penalty, FIRST_PENALTY);
    CHECK_OK(uv_async_send(&async));
    for (int i = 1; i <= FIRST_PENALTY; i++) {
        ph_mailbox_slept(&loop, 0);
        CHECK_EQ(state->spin_credit, i - FIRST_PENALTY);
        CHECK(!ph_mailbox_spin(&loop));
    }
    ph_mailbox_slept(&loop, 0);
    CHECK_EQ(state->spin_credit, has_several_processors() ? SPINS : -LAST_PENALTY);
    ph_mailbox_slept(&loop, 0);
    CHECK_EQ(state->spin_credit, has_several_processors() ? SPINS : 1 - LAST_PENALTY);
    close_loop();
}

TEST(sleep_that_brought_no_mail_ends_the_conversation) {
    open_mailbox();
    CHECK(!ph_mailbox_times_sleep(&loop));
    CHECK_OK(uv_async_send(&async));
    ph_mailbox_slept(&loop, uv_hrtime());
    CHECK_EQ(state->spin_credit, 1 - FIRST_PENALTY);
    CHECK(ph_mailbox_times_sleep(&loop));
    run_some(1);
    ph_mailbox_slept(&loop, 0);
    CHECK_EQ(state->spin_credit, -FIRST_PENALTY);
    CHECK(!ph_mailbox_times_sleep(&loop));
    close_loop();
}

TEST(long_sleep_ends_the_conversation_even_with_mail) {
    open_mailbox();
    CHECK_OK(uv_async_send(&async));
    ph_mailbox_slept(&loop, 0);
    ph_mailbox_slept(&loop, 1);
    CHECK_EQ(state->spin_credit, -FIRST_PENALTY);
    ph_mailbox_slept(&loop, 0);
    ph_mailbox_slept(&loop, uv_hrtime() - 1000000);
    CHECK_EQ(state->spin_credit, -FIRST_PENALTY);
    close_loop();
}

TEST(mail_that_is_there_at_once_keeps_the_loop_looking_out) {
    open_mailbox();
    CHECK_OK(uv_async_send(&async));
    for (int credit = 1; credit <= SPINS; credit += SPINS - 1) {
        state->spin_credit = (short)credit;
        state->spin_penalty = 64;
        CHECK(ph_mailbox_spin(&loop));
        CHECK_EQ(state->spin_credit, SPINS);
        CHECK_EQ(state->spin_penalty, FIRST_PENALTY);
    }
    close_loop();
}

TEST(looking_out_in_vain_is_punished_twice_as_long_each_time) {
    open_mailbox();
    for (int penalty = FIRST_PENALTY; penalty < LAST_PENALTY; penalty *= 2) {
        state->spin_credit = SPINS;
        CHECK(!ph_mailbox_spin(&loop));
        CHECK_EQ(state->spin_credit, -penalty);
        CHECK_EQ(state->spin_penalty, 2 * penalty);
        CHECK(!ph_mailbox_spin(&loop));
        CHECK_EQ(state->spin_penalty, 2 * penalty);
    }
    state->spin_credit = 1;
    CHECK(!ph_mailbox_spin(&loop));
    CHECK_EQ(state->spin_credit, -LAST_PENALTY);
    CHECK_EQ(state->spin_penalty, LAST_PENALTY);
    close_loop();
}

static bool is_readable(void) {
    struct pollfd backend = {.fd = uv_backend_fd(&loop), .events = POLLIN};
    return poll(&backend, 1, 0) == 1;
}

TEST(sender_interrupts_a_loop_that_sleeps_once_and_one_that_runs_not_at_all) {
    open_mailbox();
    run_some(1);
    CHECK(!is_readable());
    CHECK_EQ(loop.internal.mailbox.sleep_state, PH_ASLEEP);
    ph_mailbox_awake(&loop);
    CHECK_OK(uv_async_send(&async));
    CHECK_EQ(loop.internal.mailbox.sleep_state, PH_AWAKE);
    CHECK(!is_readable());
    CHECK(!ph_mailbox_fall_asleep(&loop));
    CHECK_EQ(loop.internal.mailbox.sleep_state, PH_AWAKE);
    ph_mailbox_leave(&loop);
    CHECK_EQ(loop.internal.mailbox.sleep_state, PH_WOKEN);
    CHECK(is_readable());
    run_some(1);
    CHECK(!is_readable());
    CHECK(ph_mailbox_fall_asleep(&loop));
    CHECK_OK(uv_async_send(&async));
    CHECK_EQ(loop.internal.mailbox.sleep_state, PH_WOKEN);
    CHECK(is_readable());
    close_loop();
}

TEST(each_kind_of_mail_is_seen) {
    open_mailbox();
    CHECK(!ph_mailbox_has_mail(&loop));
    void** places[] = {
        (void**)&loop.internal.mailbox.asyncs, (void**)&loop.internal.mailbox.finished,
        (void**)&loop.internal.mailbox.signals, (void**)&state->asyncs, (void**)&state->work};
    for (int i = 0; i < 5; i++) {
        *places[i] = &async;
        CHECK(ph_mailbox_has_mail(&loop));
        *places[i] = NULL;
        CHECK(!ph_mailbox_has_mail(&loop));
    }
    loop.internal.mailbox.marked = 1;
    CHECK(ph_mailbox_has_mail(&loop));
    loop.internal.mailbox.marked = 0;
    close_loop();
}
