#include "select.h"

bool go__selection_claim(struct go__selection* selection) {
    int unclaimed = 0;
    if (selection->shared)
        return atomic_compare_exchange_strong(&selection->claimed, &unclaimed, 1);
    if (atomic_load_explicit(&selection->claimed, memory_order_relaxed) != 0)
        return false;
    atomic_store_explicit(&selection->claimed, 1, memory_order_relaxed);
    return true;
}

static void on_mail(struct go__mail* mail) {
    go__ready(((struct go__selection*)mail)->go, 0);
}

static void wake_thread(struct go__thread_wait* thread) {
    uv_mutex_lock(&thread->mutex);
    thread->done = true;
    uv_cond_signal(&thread->condition);
    uv_mutex_unlock(&thread->mutex);
}

/* From this loop's own coroutines directly, from elsewhere by mail. */
void go__selection_wake(struct go__selection* selection, int index, int status) {
    selection->index = index;
    selection->status = status;
    if (selection->go == NULL) {
        wake_thread(selection->thread);
        return;
    }
    struct go__scheduler* s = selection->go->scheduler;
    if (!selection->shared || go__here() == s) {
        go__ready(selection->go, 0);
    } else {
        selection->mail.run = on_mail;
        go__mail_send(s, &selection->mail);
    }
}

struct several {
    struct go__selection selection;
    go_case_t* cases;
    struct go__offer* offers;
    unsigned queued; /* how many of the cases */
};

static void leave_all(struct several* several) {
    for (unsigned i = 0; i < several->queued; i++) {
        const go_case_t* one = &several->cases[i];
        if (one->kind == 2)
            go__event_leave(several->selection.go->scheduler, one->thing,
                            &several->offers[i].waiter.link);
        else
            go__channel_leave(one, &several->offers[i]);
    }
}

static bool give_up(void* data, int why) {
    struct several* several = data;
    (void)why;
    if (!go__selection_claim(&several->selection))
        return false; /* who has claimed it is about to wake it */
    leave_all(several);
    several->queued = 0;
    return true;
}

static bool try_event(go_case_t* one) {
    go_event_t* event = one->thing;
    if (!event->set)
        return false;
    one->status = event->status;
    event->set = event->lasting;
    return true;
}

/* The number of one that could be done at once; -1: none. Not always the first that can. */
static int try_all(go_case_t* cases, unsigned count) {
    static __thread unsigned turn;
    unsigned first = count > 1 ? turn++ % count : 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned index = first + i < count ? first + i : first + i - count;
        go_case_t* one = &cases[index];
        if (one->kind == 2 ? try_event(one) : go__channel_try(one, NULL))
            return (int)index;
    }
    return -1;
}

/* Waits for a thread that is no coroutine. */
static int wait_on_thread(struct several* several, uint64_t deadline) {
    struct go__thread_wait* thread = several->selection.thread;
    int result = 0;
    uv_mutex_lock(&thread->mutex);
    while (!thread->done && result == 0) {
        uint64_t now = uv_hrtime(), end = deadline < GO_NEVER / 1000000 ? deadline * 1000000 : 0;
        if (deadline == GO_NEVER || end == 0)
            uv_cond_wait(&thread->condition, &thread->mutex);
        else if (end <= now)
            result = UV_ETIMEDOUT;
        else
            uv_cond_timedwait(&thread->condition, &thread->mutex, end - now);
    }
    uv_mutex_unlock(&thread->mutex);
    if (result == 0 || give_up(several, result))
        return result;
    uv_mutex_lock(&thread->mutex);
    while (!thread->done)
        uv_cond_wait(&thread->condition, &thread->mutex);
    uv_mutex_unlock(&thread->mutex);
    return 0;
}

static enum go__queued queue_at_event(go_event_t* event, struct go__offer* offer, int* error) {
    struct go__selection* selection = offer->waiter.selection;
    *error = go__event_enter(selection->go->scheduler, event);
    if (*error != 0)
        return go__selection_claim(selection) ? GO__FAILED : GO__TAKEN;
    go__list_add(GO__LIST(&event->waiters), &offer->waiter.link);
    return GO__QUEUED;
}

/* Queues every case, as long as that can be done; *index is the last one, or the error. */
static enum go__queued queue_all(struct several* several, unsigned count, int* index) {
    for (unsigned i = 0; i < count; i++) {
        go_case_t* one = &several->cases[i];
        struct go__offer* offer = &several->offers[i];
        offer->waiter.go = several->selection.go;
        offer->waiter.selection = &several->selection;
        offer->waiter.index = (int)i;
        offer->item = one->item;
        *index = (int)i;
        enum go__queued queued = one->kind == 2 ? queue_at_event(one->thing, offer, index)
                                                : go__channel_queue(one, offer);
        if (queued != GO__QUEUED)
            return queued;
        several->queued = i + 1;
    }
    return GO__QUEUED;
}

static go_suspends int wait_for_one(struct go__scheduler* s, struct several* several,
                                    unsigned count, uint64_t deadline) {
    struct go__selection* selection = &several->selection;
    int index = -1, status = 0;
    enum go__queued queued = queue_all(several, count, &index);
    if (queued == GO__DONE || queued == GO__AGAIN || queued == GO__FAILED) {
        leave_all(several);
        return queued == GO__AGAIN ? UV_EAGAIN : index;
    }
    if (s == NULL) {
        status = wait_on_thread(several, deadline);
    } else {
        if (selection->shared)
            go__mail_expect(s, 1);
        status = go__suspend(s, count == 1 && several->cases[0].kind != 1 ? "receive" : "select",
                             give_up, several, deadline);
        if (selection->shared)
            go__mail_expect(s, -1);
    }
    leave_all(several);
    if (status != 0)
        return status;
    several->cases[selection->index].status = selection->status;
    return selection->index;
}

static go_suspends int select_on_thread(struct several* several, unsigned count,
                                        uint64_t deadline) {
    struct go__thread_wait thread = {.done = false};
    int status = uv_mutex_init(&thread.mutex);
    if (status != 0)
        return status;
    status = uv_cond_init(&thread.condition);
    if (status == 0) {
        several->selection.thread = &thread;
        status = wait_for_one(NULL, several, count, deadline);
        uv_cond_destroy(&thread.condition);
    }
    uv_mutex_destroy(&thread.mutex);
    return status;
}

static go_suspends int queue_and_wait(struct go__scheduler* s, go_case_t* cases, unsigned count,
                                      bool shared, uint64_t deadline) {
    struct go__offer offers[count > 0 ? count : 1];
    struct several several = {.cases = cases, .offers = offers};
    several.selection.shared = shared;
    several.selection.go = s != NULL ? s->current : NULL;
    return s != NULL ? wait_for_one(s, &several, count, deadline)
                     : select_on_thread(&several, count, deadline);
}

int go_select(go_case_t* cases, unsigned count, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    bool shared = false, local = false;
    if (count > GO_CASES_MOST)
        return UV_EINVAL;
    for (unsigned i = 0; i < count; i++) {
        bool is_shared = cases[i].kind != 2 && go__channel_is_shared(cases[i].thing);
        shared = shared || is_shared;
        local = local || !is_shared;
    }
    if (s != NULL && s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    int index = shared && s != NULL ? go__mail_open(s) : 0;
    if (index != 0)
        return index;
    do {
        index = try_all(cases, count);
        if (index >= 0) {
            go__channel_run();
            return index;
        }
        if (deadline == GO_NOW)
            return UV_ETIMEDOUT;
        if (s == NULL && (local || count == 0))
            return UV_EINVAL;
        index = queue_and_wait(s, cases, count, shared, deadline);
    } while (index == UV_EAGAIN);
    return index;
}
