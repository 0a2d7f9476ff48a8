#ifndef HOLD_H
#define HOLD_H

/*
 * A thread that stands still where it calls the system, with all that it has locked, so that a test
 * sees who waits for it. Whoever waits can't say so: the thread is let go after a while, and the
 * test asks whether that was before the wait ended. A file replaces the call (// wrap: write) by
 * one that begins with pass_or_hold().
 *
 * Threads that begin or end use the allocator, and the address sanitizer's keeps its locks in a
 * forked child. So who lets go stays until close_hold(), and stand_still() is for others that would
 * begin while a test forks.
 */

#include <stdbool.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static struct {
    int next; /* whoever comes next is held; not every processor exchanges bytes */
    bool is_let_go;
    uv_sem_t is_held, goes_on, may_end;
    uv_sem_t stands, moves;
    uv_thread_t helper;
} hold;

static inline void open_hold(void) {
    hold.next = hold.is_let_go = 0;
    CHECK_OK(uv_sem_init(&hold.is_held, 0));
    CHECK_OK(uv_sem_init(&hold.goes_on, 0));
    CHECK_OK(uv_sem_init(&hold.may_end, 0));
    CHECK_OK(uv_sem_init(&hold.stands, 0));
    CHECK_OK(uv_sem_init(&hold.moves, 0));
}

static inline void hold_next(void) {
    __atomic_store_n(&hold.next, 1, __ATOMIC_SEQ_CST);
}

static inline void pass_or_hold(void) {
    if (!__atomic_exchange_n(&hold.next, 0, __ATOMIC_SEQ_CST))
        return;
    uv_sem_post(&hold.is_held);
    uv_sem_wait(&hold.goes_on);
}

static inline void let_go_after_a_while(void* arg) {
    (void)arg;
    usleep(20000);
    __atomic_store_n(&hold.is_let_go, true, __ATOMIC_SEQ_CST);
    uv_sem_post(&hold.goes_on);
    uv_sem_wait(&hold.may_end);
}

/* A thread that has begun: says so, and waits for move(). */
static inline void stand_still(void) {
    uv_sem_post(&hold.stands);
    uv_sem_wait(&hold.moves);
}

static inline void move(void) {
    uv_sem_post(&hold.moves);
}

static inline void begin_to_let_go(void) {
    CHECK_OK(uv_thread_create(&hold.helper, let_go_after_a_while, NULL));
}

static inline bool is_let_go(void) {
    return __atomic_load_n(&hold.is_let_go, __ATOMIC_SEQ_CST);
}

static inline void close_hold(void) {
    uv_sem_post(&hold.may_end);
    CHECK_OK(uv_thread_join(&hold.helper));
    uv_sem_destroy(&hold.may_end);
    uv_sem_destroy(&hold.stands);
    uv_sem_destroy(&hold.moves);
    uv_sem_destroy(&hold.is_held);
    uv_sem_destroy(&hold.goes_on);
}

#endif
