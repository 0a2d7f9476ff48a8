#ifndef PH_CORE_MAILBOX_H
#define PH_CORE_MAILBOX_H

/*
 * How other threads and signal handlers hand something to a loop without a lock: push onto one of
 * the mailbox's stacks, then wake the loop. Waking costs a system call only if the loop sleeps.
 *
 * No wake-up is lost: the sender pushes, then reads the loop's state; the loop sets its state to
 * asleep, then looks at the stacks. Both orders are sequentially consistent, so at least one sees
 * the other.
 */

#include <stdbool.h>

#include "uv.h"

enum ph_sleep_state {
    PH_AWAKE,  /* inside uv_run: the mailbox will be looked at before blocking or returning */
    PH_ASLEEP, /* blocked, or not running: a sender must interrupt the poller */
    PH_WOKEN   /* asleep, and a sender has interrupted already */
};

/* Links `item` in front of `*stack`; `next` is the item's own link. Safe in a signal handler. */
static inline void ph_mailbox_push(void** stack, void* item, void** next) {
    void* head = __atomic_load_n(stack, __ATOMIC_RELAXED);
    do
        __atomic_store_n(next, head, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(stack, &head, item, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

/* The whole stack, newest first; leaves it empty. */
static inline void* ph_mailbox_take(void** stack) {
    if (__atomic_load_n(stack, __ATOMIC_RELAXED) == NULL)
        return NULL;
    return __atomic_exchange_n(stack, NULL, __ATOMIC_ACQUIRE);
}

void ph_mailbox_open(uv_loop_t* loop);
/* After every push. Safe in a signal handler. */
void ph_mailbox_wake(uv_loop_t* loop);
/*
 * A sleeping loop takes tens of microseconds to wake, so one that keeps getting mail after short
 * sleeps looks out for more for a moment before it sleeps again. True: mail has come. A loop that
 * gets none that way spins ever more rarely, and one whose sleeps are long never does.
 */
bool ph_mailbox_spin(uv_loop_t* loop);
/* Whether the next sleep is to be timed: the last one was ended by mail. */
bool ph_mailbox_times_sleep(const uv_loop_t* loop);
/* After a sleep that began at that time; 0: it was not timed. */
void ph_mailbox_slept(uv_loop_t* loop, uint64_t began);
/* On the loop's thread, around blocking and around uv_run. Falling asleep says false, and stays
 * awake, when something has arrived. */
bool ph_mailbox_fall_asleep(uv_loop_t* loop);
void ph_mailbox_awake(uv_loop_t* loop);
/* Leaving uv_run: what has arrived makes the backend's descriptor readable. */
void ph_mailbox_leave(uv_loop_t* loop);
bool ph_mailbox_has_mail(const uv_loop_t* loop);

/* Poll takes what has arrived once, when its wait returns, and then runs that; what arrives while
 * callbacks run waits for the next turn. Taking asyncs says whether there was
 * anything, running work how many callbacks were due. */
void ph_take_finished_work(uv_loop_t* loop);
bool ph_take_asyncs(uv_loop_t* loop);
unsigned ph_run_finished_work(uv_loop_t* loop);
void ph_run_asyncs(uv_loop_t* loop);
/* In the child after a fork: senders that were in the middle of something are not there. */
void ph_asyncs_fork(uv_loop_t* loop);

#endif
