#include "thread/pool.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/pause.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "trace/trace.h"

/*
 * Submitting pushes onto a lock-free stack, the inbox. Workers share the lock of
 * the consumer side: under it they move what has arrived to a list, oldest first, and take from
 * that. Cancelling takes the same lock, so a piece of work is unlinked before its callback is due,
 * and its memory is the caller's again.
 *
 * At most one worker at a time is searching: it is awake without work, or on its way to that.
 * - Whoever makes work available and sees no searcher appoints one: it wakes a sleeper or starts a
 *   thread.
 * - A searcher that finds work steps down first and, if there is more, appoints the next one. So
 *   no more workers wake up than there is work for.
 * - A worker that goes to sleep says so, steps down, then looks once more. All these words are
 *   sequentially consistent: either it sees the work, or the submitter sees that nobody searches.
 */

enum {
    DEFAULT_THREADS = 4,
    MOST_THREADS = 1024,
    KINDS = PH_WORK_SLOW + 1,
    CACHE_LINE = 64,
    SPIN_NS = 50000,    /* how long a searcher stays awake for work that may come */
    MOST_NOT_SPUN = 256 /* searches without spinning after it was in vain many times */
};

struct worker {
    pthread_t thread;
    uv_loop_t* posting_to; /* the loop that the worker may touch at this moment */
    char padding[CACHE_LINE - sizeof(pthread_t) - sizeof(uv_loop_t*)];
};

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
    unsigned slow_running;

    _Alignas(CACHE_LINE) int searching; /* 0 or 1 */
    int asleep;                         /* workers in sem_wait that nobody has appointed */
    int stopping;
    unsigned not_spun;     /* the searcher's: how many searches go without spinning, */
    unsigned not_spinning; /* and how many of them have gone */
    sem_t bell;

    /* Changed under start_lock. */
    _Alignas(CACHE_LINE) pthread_mutex_t start_lock;
    unsigned thread_count;
    unsigned thread_limit;
    bool may_spin;
    struct worker* workers; /* thread_limit of them */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .start_lock = PTHREAD_MUTEX_INITIALIZER};

static int load(const int* word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static unsigned load_count(const unsigned* word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void store_count(unsigned* word, unsigned value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/* The lists */

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
    return pool.list[kind].next == &pool.list[kind];
}

static void note_waiting(void) {
    unsigned waiting = !list_empty(PH_WORK_FAST);
    if (pool.waiting != waiting)
        store_count(&pool.waiting, waiting);
}

static unsigned slow_limit(void) {
    return (pool.thread_limit + 1) / 2;
}

static void give_slow_turn(struct uv__work* before) {
    if (pool.slow_has_turn || list_empty(PH_WORK_SLOW) || pool.slow_running >= slow_limit())
        return;
    list_insert_before(before, &pool.slow_turn);
    pool.slow_has_turn = true;
}

static void take_slow_turn(void) {
    list_remove(&pool.slow_turn);
    pool.slow_has_turn = false;
}

/* Moves what has arrived to the ends of the lists. It comes newest first. */
static void collect(void) {
    struct uv__work* work = ph_mailbox_take(&pool.inbox);
    struct uv__work* at[KINDS] = {&pool.list[PH_WORK_FAST], &pool.list[PH_WORK_SLOW]};
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
}

/* Something that a worker may start now, or that has to be looked at. */
static bool has_work(void) {
    return load_count(&pool.waiting) || __atomic_load_n(&pool.inbox, __ATOMIC_SEQ_CST) != NULL;
}

/* What one worker is doing. */
struct job {
    struct uv__work* work;
    void (*run)(struct uv__work* work);
    enum ph_work_kind kind;
};

/* Once taken, a piece of work has no function: that is how cancelling knows that it is too late. */
static bool take(struct job* job) {
    if (!has_work())
        return false;
    pthread_mutex_lock(&pool.lock);
    if (!pool.waiting)
        collect();
    bool found = pool.waiting;
    if (found) {
        job->kind = pool.list[PH_WORK_FAST].next == &pool.slow_turn ? PH_WORK_SLOW : PH_WORK_FAST;
        job->work = pool.list[job->kind].next;
        job->run = job->work->work;
        job->work->work = NULL;
        list_remove(job->work);
        if (job->kind == PH_WORK_SLOW) {
            take_slow_turn();
            pool.slow_running++;
            give_slow_turn(&pool.list[PH_WORK_FAST]);
        }
        note_waiting();
    }
    pthread_mutex_unlock(&pool.lock);
    return found;
}

/* Threads */

static void* worker_main(void* arg);

/* Faults are meant for the thread that caused them; every other signal is for the program's own
 * threads. */
static void block_signals(sigset_t* before) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        sigdelset(&set, faults[i]);
    pthread_sigmask(SIG_SETMASK, &set, before);
}

static int create_thread(struct worker* worker) {
    pthread_attr_t attributes;
    sigset_t before;
    int err = pthread_attr_init(&attributes);
    if (err != 0)
        return -err;
    pthread_attr_setstacksize(&attributes, 8 << 20);
    block_signals(&before);
    err = pthread_create(&worker->thread, &attributes, worker_main, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return -err;
}

/* The new worker is the searcher: the caller has made sure that there is no other. */
static int start_worker(void) {
    int err = UV_EAGAIN;
    pthread_mutex_lock(&pool.start_lock);
    if (pool.thread_count < pool.thread_limit) {
        err = create_thread(&pool.workers[pool.thread_count]);
        if (err == 0)
            store_count(&pool.thread_count, pool.thread_count + 1);
    }
    pthread_mutex_unlock(&pool.start_lock);
    return err;
}

static bool become_searcher(void) {
    int nobody = 0;
    return load(&pool.searching) == 0 &&
           __atomic_compare_exchange_n(&pool.searching, &nobody, 1, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

static void stop_searching(void) {
    __atomic_store_n(&pool.searching, 0, __ATOMIC_SEQ_CST);
}

/* Takes one off the number of sleepers, who is then bound to ring or hear the bell. */
static bool claim_sleeper(void) {
    int count = load(&pool.asleep);
    while (count > 0)
        if (__atomic_compare_exchange_n(&pool.asleep, &count, count - 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
    return false;
}

/* If all are at work there is nobody to appoint, and the first to finish looks for more by itself.
 * One that fell asleep meanwhile, while others saw a searcher, is found by looking again. */
static void appoint_searcher(void) {
    while (become_searcher()) {
        if (claim_sleeper()) {
            sem_post(&pool.bell);
            return;
        }
        if (load_count(&pool.thread_count) < pool.thread_limit && start_worker() == 0)
            return;
        stop_searching();
        if (load(&pool.asleep) == 0 || !has_work())
            return;
    }
}

/*
 * Whether work comes within SPIN_NS. Spinning pays if the loop is running on another processor and
 * about to submit more. If it was in vain, the next searches go without, twice as many as the last
 * time, so that a pool used rarely, or on a busy machine, hardly spins at all.
 */
static bool spin(void) {
    if (!pool.may_spin || pool.not_spinning++ < pool.not_spun)
        return false;
    pool.not_spinning = 0;
    uint64_t until = uv_hrtime() + SPIN_NS;
    do
        for (int i = 0; i < 32; i++) {
            if (has_work()) {
                pool.not_spun = 0;
                return true;
            }
            ph_pause();
        }
    while (uv_hrtime() < until);
    pool.not_spun = pool.not_spun == 0 ? 1 : pool.not_spun * 2;
    if (pool.not_spun > MOST_NOT_SPUN)
        pool.not_spun = MOST_NOT_SPUN;
    return false;
}

/* Returns as the searcher, or because the pool stops. */
static void sleep_until_appointed(bool searching) {
    __atomic_add_fetch(&pool.asleep, 1, __ATOMIC_SEQ_CST);
    if (searching)
        stop_searching();
    if (has_work())
        appoint_searcher();
    if (load(&pool.stopping))
        return;
    while (sem_wait(&pool.bell) != 0)
        continue;
}

/* Waits for work. False when the pool stops and has none left. */
static bool search(struct job* job, bool searching) {
    while (!load(&pool.stopping)) {
        if (take(job)) {
            if (searching)
                stop_searching();
            if (searching && has_work())
                appoint_searcher();
            return true;
        }
        searching = searching || become_searcher();
        if (searching && (has_work() || spin()))
            continue;
        sleep_until_appointed(searching);
        searching = true;
    }
    return take(job);
}

/* The loop may end as soon as it has seen the work: `posting_to` keeps it until we are done. */
static void post(struct worker* self, struct uv__work* work) {
    uv_loop_t* loop = work->loop;
    __atomic_store_n(&self->posting_to, loop, __ATOMIC_RELEASE);
    work->state = 0;
    ph_mailbox_push(&loop->internal.mailbox.finished, work, (void**)&work->next);
    ph_mailbox_wake(loop);
    __atomic_store_n(&self->posting_to, NULL, __ATOMIC_RELEASE);
}

static void slow_work_ends(void) {
    pthread_mutex_lock(&pool.lock);
    pool.slow_running--;
    give_slow_turn(&pool.list[PH_WORK_FAST]);
    note_waiting();
    pthread_mutex_unlock(&pool.lock);
    if (has_work())
        appoint_searcher();
}

/* A worker that sees no more work offers to search before it posts: the callback that comes of it
 * may submit the next piece at once, and need not wake anybody then. */
static void* worker_main(void* arg) {
    struct worker* self = arg;
    struct job job;
    bool searching = true;
    pthread_setname_np(pthread_self(), "libuv-worker");
    while (search(&job, searching)) {
        ph_trace_work(PH_EV_WORK_BEGIN, NULL, job.work);
        job.run(job.work);
        ph_trace_work(PH_EV_WORK_END, NULL, job.work);
        if (job.kind == PH_WORK_SLOW)
            slow_work_ends();
        searching = !has_work() && become_searcher();
        post(self, job.work);
    }
    return NULL;
}

/* The pool's life */

static void empty_pool(void) {
    for (int kind = 0; kind < KINDS; kind++)
        list_init(&pool.list[kind]);
    pool.inbox = NULL;
    pool.waiting = 0;
    pool.slow_has_turn = false;
    pool.slow_running = 0;
    pool.searching = 0;
    pool.asleep = 0;
    pool.stopping = 0;
    pool.not_spun = 0;
    pool.not_spinning = 0;
    store_count(&pool.thread_count, 0);
    sem_init(&pool.bell, 0, 0);
}

static void before_fork(void) {
    pthread_mutex_lock(&pool.start_lock);
    pthread_mutex_lock(&pool.lock);
    collect();
}

static void after_fork_in_parent(void) {
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.start_lock);
}

/* The threads are not there in the child, wherever they were, and what was queued is the parent's
 * to do. */
static void after_fork_in_child(void) {
    if (pool.workers != NULL) {
        for (int kind = 0; kind < KINDS; kind++)
            for (struct uv__work* work = pool.list[kind].next; work != &pool.list[kind];
                 work = work->next)
                work->work = NULL;
        for (unsigned i = 0; i < pool.thread_limit; i++)
            pool.workers[i].posting_to = NULL;
    }
    empty_pool();
    pthread_mutex_init(&pool.lock, NULL);
    pthread_mutex_init(&pool.start_lock, NULL);
}

static void register_fork_handlers(void) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static unsigned configured_threads(void) {
    const char* value = getenv("UV_THREADPOOL_SIZE");
    if (value == NULL)
        return DEFAULT_THREADS;
    long count = strtol(value, NULL, 10);
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (unsigned)count;
}

static int prepare_pool(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (pool.workers != NULL)
        return 0;
    unsigned limit = configured_threads();
    struct worker* workers = ph_calloc(limit, sizeof(*workers));
    if (workers == NULL)
        return UV_ENOMEM;
    pthread_once(&once, register_fork_handlers);
    empty_pool();
    pool.thread_limit = limit;
    pool.may_spin = uv_available_parallelism() > 1;
    pool.workers = workers;
    return 0;
}

/* With one thread running, the pool can do anything, if slowly. */
static int start_pool(void) {
    if (load_count(&pool.thread_count) > 0)
        return 0;
    pthread_mutex_lock(&pool.start_lock);
    int err = prepare_pool();
    if (err == 0 && pool.thread_count == 0) {
        pool.searching = 1;
        err = create_thread(&pool.workers[0]);
        if (err == 0)
            store_count(&pool.thread_count, 1);
        else
            pool.searching = 0;
    }
    pthread_mutex_unlock(&pool.start_lock);
    return err;
}

void ph_pool_shutdown(void) {
    pthread_mutex_lock(&pool.start_lock);
    unsigned count = pool.thread_count;
    pool.thread_limit = count;
    pthread_mutex_unlock(&pool.start_lock);
    if (pool.workers == NULL)
        return;
    __atomic_store_n(&pool.stopping, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < count; i++)
        sem_post(&pool.bell);
    for (unsigned i = 0; i < count; i++)
        pthread_join(pool.workers[i].thread, NULL);
    sem_destroy(&pool.bell);
    ph_free(pool.workers);
    pool.workers = NULL;
    pool.thread_count = 0;
}

/* For the rest of the library */

int ph_work_submit(uv_loop_t* loop, struct uv__work* work, enum ph_work_kind kind,
                   void (*run)(struct uv__work* work),
                   void (*done)(struct uv__work* work, int status)) {
    int err = start_pool();
    if (err != 0)
        return err;
    work->work = run;
    work->done = done;
    work->loop = loop;
    ph_trace_work(PH_EV_WORK_SUBMIT, loop, work);
    work->state = kind;
    ph_mailbox_push(&pool.inbox, work, (void**)&work->next);
    if (load(&pool.searching) == 0)
        appoint_searcher();
    return 0;
}

int ph_work_cancel(struct uv__work* work) {
    if (load_count(&pool.thread_count) == 0)
        return UV_EBUSY;
    pthread_mutex_lock(&pool.lock);
    collect();
    bool waiting = work->work != NULL;
    if (waiting) {
        list_remove(work);
        if (pool.slow_has_turn && list_empty(PH_WORK_SLOW))
            take_slow_turn();
        note_waiting();
        work->work = NULL;
    }
    pthread_mutex_unlock(&pool.lock);
    if (!waiting)
        return UV_EBUSY;
    ph_trace_work(PH_EV_WORK_CANCEL, NULL, work);
    work->state = (uintptr_t)UV_ECANCELED;
    ph_mailbox_push(&work->loop->internal.mailbox.finished, work, (void**)&work->next);
    ph_mailbox_wake(work->loop);
    return 0;
}

void ph_pool_release(const uv_loop_t* loop) {
    if (load_count(&pool.thread_count) == 0)
        return;
    for (unsigned i = 0; i < pool.thread_limit; i++)
        while (__atomic_load_n(&pool.workers[i].posting_to, __ATOMIC_ACQUIRE) == loop)
            sched_yield();
}
