#include "core/mailbox.h"

#include "os/poller.h"

static int load_state(const uv_loop_t* loop) {
    return __atomic_load_n(&loop->internal.mailbox.sleep_state, __ATOMIC_SEQ_CST);
}

static void set_state(uv_loop_t* loop, int state) {
    __atomic_store_n(&loop->internal.mailbox.sleep_state, state, __ATOMIC_SEQ_CST);
}

void ph_mailbox_open(uv_loop_t* loop) {
    loop->internal.mailbox = (struct uv__mailbox){.sleep_state = PH_ASLEEP};
}

void ph_mailbox_wake(uv_loop_t* loop) {
    int expected = PH_ASLEEP;
    if (load_state(loop) == PH_ASLEEP &&
        __atomic_compare_exchange_n(&loop->internal.mailbox.sleep_state, &expected, PH_WOKEN, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ph_poller_interrupt(loop);
}

bool ph_mailbox_has_mail(const uv_loop_t* loop) {
    const struct uv__mailbox* mailbox = &loop->internal.mailbox;
    return __atomic_load_n(&mailbox->asyncs, __ATOMIC_SEQ_CST) != NULL ||
           __atomic_load_n(&mailbox->finished, __ATOMIC_SEQ_CST) != NULL ||
           __atomic_load_n(&mailbox->signals, __ATOMIC_SEQ_CST) != NULL;
}

bool ph_mailbox_fall_asleep(uv_loop_t* loop) {
    set_state(loop, PH_ASLEEP);
    if (!ph_mailbox_has_mail(loop))
        return true;
    set_state(loop, PH_AWAKE);
    return false;
}

void ph_mailbox_awake(uv_loop_t* loop) {
    set_state(loop, PH_AWAKE);
}

void ph_mailbox_leave(uv_loop_t* loop) {
    set_state(loop, PH_ASLEEP);
    if (ph_mailbox_has_mail(loop))
        ph_mailbox_wake(loop);
}

/* Finished work is called back in the order in which it finished. */
unsigned ph_run_finished_work(uv_loop_t* loop) {
    struct uv__work* newest = ph_mailbox_take(&loop->internal.mailbox.finished);
    struct uv__work* oldest = NULL;
    unsigned count = 0;
    while (newest != NULL) {
        struct uv__work* next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    for (; oldest != NULL; count++) {
        struct uv__work* work = oldest;
        oldest = work->next;
        work->done(work, (int)work->state);
    }
    return count;
}
