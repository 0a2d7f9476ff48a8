#include "thread/work_queue.h"

#include <pthread.h>

#include "core/mailbox.h"
#include "os/libc.h"

enum { KINDS = PH_WORK_SLOW + 1, CACHE_LINE = 64 };

static struct {
    /* Newest first, linked by `next`; there `state` is the kind. */
    _Alignas(CACHE_LINE) void* inbox;

    /* Under the lock. A piece of work in a list has `next`, and `state` as its link backwards. */
    _Alignas(CACHE_LINE) pthread_mutex_t lock;
    struct uv__work list[KINDS]; /* sentinels */
    /* Stands in the list of fast work where the next slow one may start, so that the kinds keep the
     * order in which they came. It is there while slow work waits and not too much of it runs. */
    struct uv__work slow_turn;
    bool slow_has_turn;
    unsigned waiting; /* 1 if the list of fast work is not empty; read without the lock */
    unsigned moving;  /* 1 while work may be in neither the inbox nor a list; read without, too */
    unsigned slow_running;
    unsigned slow_limit;
    /* It spins before it sleeps: the lock is never held for long. */
} queue = {.lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};

static void list_init(struct uv__work* head) {
    head->next = head;
    head->state = (uintptr_t)head;
}

static void list_insert_before(struct uv__work* at, struct uv__work* work) {
    struct uv__work* previous = (struct uv__work*)at->state;
    work->next = at;
    work->state = (uintptr_t)previous;
    previous->next = work;
    at->state = (uintptr_t)work;
}

static void list_remove(struct uv__work* work) {
    struct uv__work* previous = (struct uv__work*)work->state;
    previous->next = work->next;
    work->next->state = work->state;
}

static bool list_empty(enum ph_work_kind kind) {
    return queue.list[kind].next == &queue.list[kind];
}

static void set_waiting(unsigned waiting) {
    if (queue.waiting != waiting)
        __atomic_store_n(&queue.waiting, waiting, __ATOMIC_SEQ_CST);
}

static void note_waiting(void) {
    set_waiting(!list_empty(PH_WORK_FAST));
}

static void give_slow_turn(struct uv__work* before) {
    if (queue.slow_has_turn || list_empty(PH_WORK_SLOW) || queue.slow_running >= queue.slow_limit)
        return;
    list_insert_before(before, &queue.slow_turn);
    queue.slow_has_turn = true;
}

static void take_slow_turn(void) {
    list_remove(&queue.slow_turn);
    queue.slow_has_turn = false;
}

/* Moves what has arrived, newest first, to the ends of the lists. */
static void collect(void) {
    __atomic_store_n(&queue.moving, 1, __ATOMIC_SEQ_CST);
    struct uv__work* work = ph_mailbox_take(&queue.inbox);
    struct uv__work* at[KINDS] = {&queue.list[PH_WORK_FAST], &queue.list[PH_WORK_SLOW]};
    struct uv__work* turn = at[PH_WORK_FAST];
    while (work != NULL) {
        struct uv__work* older = work->next;
        enum ph_work_kind kind = (enum ph_work_kind)work->state;
        list_insert_before(at[kind], work);
        at[kind] = work;
        if (kind == PH_WORK_SLOW)
            turn = at[PH_WORK_FAST];
        work = older;
    }
    give_slow_turn(turn);
    note_waiting();
    __atomic_store_n(&queue.moving, 0, __ATOMIC_RELEASE);
}

void ph_work_queue_init(unsigned slow_limit) {
    for (int kind = 0; kind < KINDS; kind++)
        list_init(&queue.list[kind]);
    queue.slow_has_turn = false;
    queue.waiting = 0;
    queue.slow_running = 0;
    queue.slow_limit = slow_limit;
}

void ph_work_queue_push(struct uv__work* work, enum ph_work_kind kind) {
    work->state = kind;
    ph_mailbox_push(&queue.inbox, work, (void**)&work->next);
}

bool ph_work_queue_shows_work(void) {
    return __atomic_load_n(&queue.waiting, __ATOMIC_SEQ_CST) ||
           __atomic_load_n(&queue.inbox, __ATOMIC_SEQ_CST) != NULL;
}

/* In the order in which work moves. */
bool ph_work_queue_has_work(void) {
    return __atomic_load_n(&queue.inbox, __ATOMIC_SEQ_CST) != NULL ||
           __atomic_load_n(&queue.moving, __ATOMIC_SEQ_CST) ||
           __atomic_load_n(&queue.waiting, __ATOMIC_SEQ_CST);
}

/* Once taken, a piece of work has no function: that is how cancelling knows that it is too late. */
static void take(struct ph_job* job, struct uv__work* work, enum ph_work_kind kind) {
    *job = (struct ph_job){.work = work, .run = work->work, .kind = kind};
    __atomic_store_n(&work->work, NULL, __ATOMIC_RELAXED); /* others look without the lock */
}

static void take_from_list(struct ph_job* job) {
    enum ph_work_kind kind =
        queue.list[PH_WORK_FAST].next == &queue.slow_turn ? PH_WORK_SLOW : PH_WORK_FAST;
    take(job, queue.list[kind].next, kind);
    list_remove(job->work);
    if (kind == PH_WORK_SLOW) {
        take_slow_turn();
        queue.slow_running++;
        give_slow_turn(&queue.list[PH_WORK_FAST]);
    }
    note_waiting();
}

/* A single piece of fast work that nothing waits before need not go through the list. */
static struct uv__work* take_single(void) {
    struct uv__work* only = __atomic_load_n(&queue.inbox, __ATOMIC_ACQUIRE);
    void* expected = only;
    if (only == NULL || only->next != NULL || only->state != PH_WORK_FAST ||
        !__atomic_compare_exchange_n(&queue.inbox, &expected, NULL, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return NULL;
    return only;
}

bool ph_work_queue_take(struct ph_job* job) {
    if (!ph_work_queue_shows_work())
        return false;
    pthread_mutex_lock(&queue.lock);
    struct uv__work* only = queue.waiting ? NULL : take_single();
    if (only == NULL && !queue.waiting)
        collect();
    bool found = only != NULL || queue.waiting;
    if (only != NULL)
        take(job, only, PH_WORK_FAST);
    else if (found)
        take_from_list(job);
    pthread_mutex_unlock(&queue.lock);
    return found;
}

size_t ph_work_queue_count(void) {
    size_t count = 0;
    pthread_mutex_lock(&queue.lock);
    collect();
    for (int kind = 0; kind < KINDS; kind++)
        for (const struct uv__work* work = queue.list[kind].next; work != &queue.list[kind];
             work = work->next)
            count += work != &queue.slow_turn;
    pthread_mutex_unlock(&queue.lock);
    return count;
}

void ph_work_queue_slow_ends(void) {
    pthread_mutex_lock(&queue.lock);
    queue.slow_running--;
    give_slow_turn(&queue.list[PH_WORK_FAST]);
    note_waiting();
    pthread_mutex_unlock(&queue.lock);
}

/* Stands for the function of work that was cancelled. */
static void is_cancelled(struct uv__work* work) {
    (void)work;
}

enum ph_cancelling ph_work_queue_cancel(struct uv__work* work) {
    pthread_mutex_lock(&queue.lock);
    collect();
    enum ph_cancelling result = work->work == NULL           ? PH_TOO_LATE
                                : work->work == is_cancelled ? PH_CANCELLED_BEFORE
                                                             : PH_CANCELLED;
    if (result == PH_CANCELLED) {
        list_remove(work);
        if (queue.slow_has_turn && list_empty(PH_WORK_SLOW))
            take_slow_turn();
        note_waiting();
        work->work = is_cancelled;
    }
    pthread_mutex_unlock(&queue.lock);
    return result;
}

void ph_work_queue_lock(void) {
    pthread_mutex_lock(&queue.lock);
}

void ph_work_queue_unlock(void) {
    pthread_mutex_unlock(&queue.lock);
}

/* What other threads have submitted since the lock was taken is in the inbox. */
void ph_work_queue_forget(void) {
    collect();
    for (int kind = 0; kind < KINDS; kind++)
        while (!list_empty((enum ph_work_kind)kind)) {
            struct uv__work* work = queue.list[kind].next;
            list_remove(work);
            list_init(work);
        }
    pthread_mutex_init(&queue.lock, NULL);
}
