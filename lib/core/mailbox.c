#include "core/mailbox.h"

#include <sched.h>

#include "base/pause.h"
#include "core/parts.h"
#include "hooks.h"
#include "os/poller.h"

enum {
    SPIN_NS = 150000,        /* long enough for a partner who has to wake up first */
    FAST_SPIN_NS = 30000,    /* an answer this fast means that the partner is awake too */
    SLOW_SPINS = 8,          /* in a row, and spinning does not pay */
    SHORT_SLEEP_NS = 250000, /* a conversation, seen from a loop that sleeps between the words */
    PENALTY_MIN = 4,         /* short sleeps in a row before the first spin */
    PENALTY_MAX = 4096
};

static int load_state(const uv_loop_t* loop) {
    return __atomic_load_n(&loop->internal.mailbox.sleep_state, __ATOMIC_SEQ_CST);
}

static void set_asleep(uv_loop_t* loop) {
    __atomic_store_n(&loop->internal.mailbox.sleep_state, PH_ASLEEP, __ATOMIC_SEQ_CST);
}

void ph_mailbox_open(uv_loop_t* loop) {
    loop->internal.mailbox = (struct uv__mailbox){.sleep_state = PH_ASLEEP};
    loop->internal.taken =
        (struct uv__taken_mail){.spin_credit = -PENALTY_MIN, .spin_penalty = PENALTY_MIN};
}

void ph_mailbox_wake(uv_loop_t* loop) {
    int expected = PH_ASLEEP;
    if (load_state(loop) == PH_ASLEEP &&
        __atomic_compare_exchange_n(&loop->internal.mailbox.sleep_state, &expected, PH_WOKEN, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        ph_tell_loop_wakes(loop);
        ph_poller_interrupt(loop);
    }
}

bool ph_mailbox_has_mail(const uv_loop_t* loop) {
    const struct uv__mailbox* mailbox = &loop->internal.mailbox;
    return loop->internal.taken.work != NULL || loop->internal.taken.asyncs != NULL ||
           __atomic_load_n(&mailbox->asyncs, __ATOMIC_SEQ_CST) != NULL ||
           __atomic_load_n(&mailbox->marked, __ATOMIC_SEQ_CST) != 0 ||
           __atomic_load_n(&mailbox->finished, __ATOMIC_SEQ_CST) != NULL ||
           __atomic_load_n(&mailbox->signals, __ATOMIC_SEQ_CST) != NULL;
}

/* Needs no order: a sender that still sees the loop asleep interrupts it once for nothing. */
void ph_mailbox_awake(uv_loop_t* loop) {
    __atomic_store_n(&loop->internal.mailbox.sleep_state, PH_AWAKE, __ATOMIC_RELAXED);
}

bool ph_mailbox_fall_asleep(uv_loop_t* loop) {
    set_asleep(loop);
    if (!ph_mailbox_has_mail(loop))
        return true;
    ph_mailbox_awake(loop);
    return false;
}

void ph_mailbox_leave(uv_loop_t* loop) {
    set_asleep(loop);
    if (ph_mailbox_has_mail(loop))
        ph_mailbox_wake(loop);
}

/* As the process began: a thread pinned later still talks to threads on other cores. */
static int cores;

__attribute__((constructor)) static void count_cores(void) {
    cpu_set_t set;
    cores = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Waits for mail until `end`; the time when it came, or 0. */
static uint64_t look_out(uv_loop_t* loop, uint64_t end) {
    bool shares = ph_parts.pool_shares_processor(loop);
    for (uint64_t now = 0; now < end; now = uv_hrtime()) {
        for (int i = 0; i < 16; i++) {
            if (ph_mailbox_has_mail(loop))
                return now != 0 ? now : 1;
            ph_pause();
        }
        if (shares)
            sched_yield();
    }
    return 0;
}

bool ph_mailbox_spin(uv_loop_t* loop) {
    struct uv__taken_mail* own = &loop->internal.taken;
    if (own->spin_credit <= 0)
        return false;
    uint64_t began = uv_hrtime();
    uint64_t came = look_out(loop, began + SPIN_NS);
    if (came != 0 && came < began + FAST_SPIN_NS) {
        own->spin_credit = SLOW_SPINS;
        own->spin_penalty = PENALTY_MIN;
    } else if (came == 0 || --own->spin_credit == 0) {
        own->spin_credit = (short)-own->spin_penalty;
        if (own->spin_penalty < PENALTY_MAX)
            own->spin_penalty *= 2;
    }
    return came != 0;
}

bool ph_mailbox_times_sleep(const uv_loop_t* loop) {
    return loop->internal.taken.spin_credit != -loop->internal.taken.spin_penalty;
}

void ph_mailbox_slept(uv_loop_t* loop, uint64_t began) {
    struct uv__taken_mail* own = &loop->internal.taken;
    if (!ph_mailbox_has_mail(loop) || (began != 0 && uv_hrtime() - began > SHORT_SLEEP_NS))
        own->spin_credit = (short)-own->spin_penalty;
    else if (own->spin_credit <= 0 && ++own->spin_credit == 1)
        own->spin_credit = cores > 1 ? SLOW_SPINS : -PENALTY_MAX;
}

/* In the order in which it finished. What a callback that runs the loop has left comes first. */
void ph_take_finished_work(uv_loop_t* loop) {
    struct uv__work* newest = ph_mailbox_take(&loop->internal.mailbox.finished);
    struct uv__work* oldest = NULL;
    if (newest == NULL)
        return;
    while (newest != NULL) {
        struct uv__work* next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    struct uv__work** end = &loop->internal.taken.work;
    while (*end != NULL)
        end = &(*end)->next;
    *end = oldest;
}

unsigned ph_run_finished_work(uv_loop_t* loop) {
    struct uv__work** taken = &loop->internal.taken.work;
    unsigned count = 0;
    for (; *taken != NULL; count++) {
        struct uv__work* work = *taken;
        *taken = work->next;
        if (work->state != 0)
            work->work = NULL; /* cancelled, and from now on there is nothing to cancel */
        work->done(work, (int)work->state);
    }
    return count;
}
