#include "thread/pool.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/at_fork.h"
#include "base/pause.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "hooks.h"
#include "thread/own_pool.h"
#include "thread/pool_parts.h"
#include "thread/work_queue.h"

/*
 * At most one worker at a time is searching: it is awake without work, or on its way to that.
 * - Whoever makes work available and sees no searcher appoints one: it wakes a sleeper, one that
 * has worked before if there is any. Which one does not matter: whoever is about to sleep may be
 *   the one that hears the bell, and then nobody has to wake up.
 * - A searcher that finds work steps down first and, if there is more, appoints the next one. So
 *   no more workers wake up than there is work for.
 * - A worker that goes to sleep says so, steps down, then looks once more. All these words are
 *   sequentially consistent: either it sees the work, or the submitter sees that nobody searches.
 */

enum {
    CACHE_LINE = 64,
    ROOMS = 2,
    SPIN_NS = 50000,       /* how long a searcher stays awake for work that may come */
    SERVICE = 256,         /* pieces of work, after which a worker looks at the clock, */
    SERVICE_NS = 20000000, /* and after so long it goes to the reserve */
    MOST_NOT_SPUN = 256,   /* searches without spinning after it was in vain many times */
    MANY_REQUESTS = 32,    /* of a loop, that is too many for the other processors */
    STREAK = 10,           /* pieces of work, one directly after the other, */
    LONG_STREAK_NS = 4000  /* and worth a change of threads if they take so long */
};

struct worker {
    pthread_t thread;
    uv_loop_t* posting_to; /* the loop that the worker may touch at this moment */
    bool starts_as_searcher;
    bool retires; /* sleeps among the reserve the next time */
    bool runs;
    uint64_t done;
    char padding[CACHE_LINE - sizeof(pthread_t) - sizeof(uv_loop_t*) - sizeof(uint64_t) - 8];
};

/* Where workers sleep. */
struct room {
    int asleep; /* in sem_wait, and nobody has appointed them */
    sem_t bell;
};

static struct {
    _Alignas(CACHE_LINE) int searching; /* somebody is; not every processor exchanges bytes */
    bool stopping;
    unsigned not_spun;        /* the searcher's: how many searches go without spinning, */
    unsigned not_spinning;    /* and how many of them have gone */
    struct room rooms[ROOMS]; /* those that work now and then; the reserve */
    uint64_t retired_at;      /* the last one */

    /* Seldom written. */
    _Alignas(CACHE_LINE) bool streaks_are_long; /* the last one was */
    bool sharing;                               /* some loop gives its processor away */

    /* Changed under start_lock. */
    _Alignas(CACHE_LINE) pthread_mutex_t start_lock;
    unsigned thread_count;
    unsigned thread_limit;
    bool may_spin;
    struct worker* workers; /* thread_limit of them */
} pool = {.start_lock = PTHREAD_MUTEX_INITIALIZER};

static int load(const int* word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static bool load_flag(const bool* word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static unsigned load_count(const unsigned* word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void store_count(unsigned* word, unsigned value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

static bool is(const bool* word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void set(bool* word, bool value) {
    if (is(word) != value)
        __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* Threads */

static void* worker_main(void* arg);

/* Under start_lock. A thread that starts as the searcher is the only one: the caller has made sure
 * of that. The threads have the signal mask of the one that starts them. */
static int create_thread(bool as_searcher) {
    struct worker* worker = &pool.workers[pool.thread_count];
    pthread_attr_t attributes;
    int err = pthread_attr_init(&attributes);
    if (err != 0)
        return -err;
    pthread_attr_setstacksize(&attributes, 8 << 20);
    worker->starts_as_searcher = as_searcher;
    err = pthread_create(&worker->thread, &attributes, worker_main, worker);
    if (err == 0)
        store_count(&pool.thread_count, pool.thread_count + 1);
    pthread_attr_destroy(&attributes);
    return -err;
}

/* One of those that could not be started with the others. */
static int start_missing_searcher(void) {
    int err = UV_EAGAIN;
    pthread_mutex_lock(&pool.start_lock);
    if (pool.thread_count < pool.thread_limit)
        err = create_thread(true);
    pthread_mutex_unlock(&pool.start_lock);
    return err;
}

static bool become_searcher(void) {
    return load(&pool.searching) == 0 &&
           __atomic_exchange_n(&pool.searching, 1, __ATOMIC_SEQ_CST) == 0;
}

static void stop_searching(void) {
    __atomic_store_n(&pool.searching, 0, __ATOMIC_SEQ_CST);
}

/* The caller is bound to ring the bell. */
static bool claim_sleeper(struct room* room) {
    int count = load(&room->asleep);
    while (count > 0)
        if (__atomic_compare_exchange_n(&room->asleep, &count, count - 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
    return false;
}

static bool wake_one(void) {
    for (int i = 0; i < ROOMS; i++)
        if (claim_sleeper(&pool.rooms[i])) {
            sem_post(&pool.rooms[i].bell);
            return true;
        }
    return false;
}

static bool any_asleep(void) {
    return load(&pool.rooms[0].asleep) > 0 || load(&pool.rooms[1].asleep) > 0;
}

/* If all are at work there is nobody to appoint, and the first to finish looks for more by itself.
 * One that fell asleep meanwhile, while others saw a searcher, is found by looking again. */
static void appoint_searcher(void) {
    while (become_searcher()) {
        if (wake_one())
            return;
        if (load_count(&pool.thread_count) < load_count(&pool.thread_limit) &&
            start_missing_searcher() == 0)
            return;
        stop_searching();
        if (!any_asleep() || !ph_work_queue_has_work())
            return;
    }
}

/* Writes only where there is something to count: the loop reads that line with each submission. */
static bool may_not_spin(void) {
    if (pool.not_spun == 0)
        return false;
    if (pool.not_spinning++ < pool.not_spun)
        return true;
    pool.not_spinning = 0;
    return false;
}

/*
 * Whether work comes within SPIN_NS. Spinning pays if the loop is running on another processor and
 * about to submit more. If it was in vain, the next searches go without, twice as many as the last
 * time, so that a pool used rarely, or on a busy machine, hardly spins at all.
 */
static bool spin(void) {
    if (!pool.may_spin || may_not_spin())
        return false;
    uint64_t until = uv_hrtime() + SPIN_NS;
    do
        for (int i = 0; i < 32; i++) {
            if (ph_work_queue_shows_work()) {
                if (pool.not_spun != 0)
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

/* Programs expect all threads to get their turn, but to wake one whose caches are cold costs as
 * much as hundreds of small pieces. */
static void retire_in_time(struct worker* self) {
    uint64_t now = uv_hrtime();
    if (now - __atomic_load_n(&pool.retired_at, __ATOMIC_RELAXED) < SERVICE_NS)
        return;
    __atomic_store_n(&pool.retired_at, now, __ATOMIC_RELAXED);
    self->retires = true;
}

/* Returns as the searcher, or because the pool stops. */
static void sleep_until_appointed(struct worker* self, bool searching) {
    retire_in_time(self);
    struct room* room = &pool.rooms[self->retires];
    self->retires = false;
    __atomic_add_fetch(&room->asleep, 1, __ATOMIC_SEQ_CST);
    if (searching)
        stop_searching();
    if (ph_work_queue_has_work())
        appoint_searcher();
    if (load_flag(&pool.stopping))
        return;
    while (sem_wait(&room->bell) != 0)
        continue;
}

/* Waits for work. False when the pool stops and has none left. */
static bool search(struct worker* self, struct ph_job* job, bool searching) {
    while (!load_flag(&pool.stopping)) {
        if (ph_work_queue_take(job)) {
            if (searching)
                stop_searching();
            if (searching && ph_work_queue_has_work())
                appoint_searcher();
            return true;
        }
        searching = searching || become_searcher();
        if (searching && (ph_work_queue_shows_work() || (!self->retires && spin())))
            continue;
        sleep_until_appointed(self, searching);
        searching = true;
    }
    return ph_work_queue_take(job);
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

/* How many pieces of work a worker has done one directly after the other. */
struct streak {
    unsigned count;
    uint64_t began;
};

/* A worker that runs where a loop wants to run lets it, now and then. */
static void take_turns(struct streak* streak, bool goes_on) {
    streak->count = goes_on ? streak->count + 1 : 0;
    if (streak->count == 1) {
        streak->began = uv_hrtime();
    } else if (streak->count > STREAK) {
        bool is_long = uv_hrtime() - streak->began > LONG_STREAK_NS;
        streak->count = 0;
        set(&pool.streaks_are_long, is_long);
        if (is_long && is(&pool.sharing))
            sched_yield();
    }
}

/* A worker that sees no more work offers to search before it posts: the callback that comes of it
 * may submit the next piece at once, and need not wake anybody then. */
static void* worker_main(void* arg) {
    struct worker* self = arg;
    struct ph_job job;
    struct streak streak = {0};
    bool searching = self->starts_as_searcher;
    unsigned served = 0;
    pthread_setname_np(pthread_self(), "libuv-worker");
    self->retires = !searching; /* until it is needed */
    while (search(self, &job, searching)) {
        ph_tell_work(PH_WORK_BEGINS, NULL, job.work);
        __atomic_store_n(&self->runs, true, __ATOMIC_RELAXED);
        job.run(job.work);
        __atomic_store_n(&self->runs, false, __ATOMIC_RELAXED);
        __atomic_store_n(&self->done, self->done + 1, __ATOMIC_RELAXED);
        ph_tell_work(PH_WORK_ENDS, NULL, job.work);
        if (job.kind == PH_WORK_SLOW)
            ph_work_queue_slow_ends();
        bool goes_on = ph_work_queue_shows_work();
        searching = !goes_on && become_searcher();
        post(self, job.work);
        take_turns(&streak, goes_on);
        if (++served % SERVICE == 0)
            retire_in_time(self);
    }
    return NULL;
}

/* The pool's life */

static void empty_pool(void) {
    ph_work_queue_init((pool.thread_limit + 1) / 2);
    for (int i = 0; i < ROOMS; i++) {
        pool.rooms[i].asleep = 0;
        sem_init(&pool.rooms[i].bell, 0, 0);
    }
    pool.stopping = false;
    pool.not_spun = 0;
    pool.not_spinning = 0;
    store_count(&pool.thread_count, 0);
}

static void before_fork(void) {
    pthread_mutex_lock(&pool.start_lock);
    ph_work_queue_lock();
}

static void after_fork_in_parent(void) {
    ph_work_queue_unlock();
    pthread_mutex_unlock(&pool.start_lock);
}

/* The threads are not there in the child, wherever they were, and what was queued is the parent's
 * to do; the child can still cancel it. */
static void after_fork_in_child(void) {
    ph_work_queue_forget();
    for (unsigned i = 0; pool.workers != NULL && i < pool.thread_limit; i++)
        pool.workers[i].posting_to = NULL;
    empty_pool();
    pthread_mutex_init(&pool.start_lock, NULL);
}

static void register_fork_handlers(void) {
    ph_at_fork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static int prepare_pool(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (pool.workers != NULL)
        return 0;
    unsigned limit = ph_pool_size();
    struct worker* workers = ph_calloc(limit, sizeof(*workers));
    if (workers == NULL)
        return UV_ENOMEM;
    pthread_once(&once, register_fork_handlers);
    pool.thread_limit = limit;
    empty_pool();
    pool.may_spin = uv_available_parallelism() > 1;
    pool.workers = workers;
    return 0;
}

/* All threads at once, as programs expect; with one running, the pool can do anything, if slowly.
 */
static int start_pool(void) {
    if (load_count(&pool.thread_count) > 0)
        return 0;
    pthread_mutex_lock(&pool.start_lock);
    int err = prepare_pool();
    if (err == 0 && pool.thread_count == 0) {
        pool.searching = 1;
        err = create_thread(true);
        for (int more = err; more == 0 && pool.thread_count < pool.thread_limit;)
            more = create_thread(false);
    }
    pthread_mutex_unlock(&pool.start_lock);
    return err;
}

/* At exit other threads may still use loops: what they look at stays. */
void ph_pool_shutdown(bool at_exit) {
    pthread_mutex_lock(&pool.start_lock);
    unsigned count = pool.thread_count;
    store_count(&pool.thread_limit, count);
    pthread_mutex_unlock(&pool.start_lock);
    if (pool.workers == NULL)
        return;
    __atomic_store_n(&pool.stopping, true, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < count; i++)
        for (int room = 0; room < ROOMS; room++)
            sem_post(&pool.rooms[room].bell);
    for (unsigned i = 0; i < count; i++)
        pthread_join(pool.workers[i].thread, NULL);
    if (at_exit)
        return;
    ph_free(pool.workers);
    pool.workers = NULL;
    pool.thread_count = 0;
}

/* For the rest of the library */

int ph_work_submit(uv_loop_t* loop, struct uv__work* work, enum ph_work_kind kind,
                   void (*run)(struct uv__work* work),
                   void (*done)(struct uv__work* work, int status)) {
    if (loop->internal.pool != NULL)
        return ph_own_pool_submit(loop->internal.pool, loop->internal.pool_priority, loop, work,
                                  kind, run, done);
    int err = start_pool();
    if (err != 0)
        return err;
    work->work = run;
    work->done = done;
    work->loop = loop;
    ph_tell_work(PH_WORK_SUBMITTED, loop, work);
    ph_work_queue_push(work, kind);
    if (load(&pool.searching) == 0)
        appoint_searcher();
    return 0;
}

int ph_work_cancel(struct uv__work* work) {
    if (ph_own_pool_has(work))
        return ph_own_pool_cancel(work);
    return pool.workers == NULL ? UV_EBUSY : ph_work_take_back(work);
}

bool ph_pool_shares_processor(const uv_loop_t* loop) {
    bool shares = loop->active_reqs.count >= MANY_REQUESTS && is(&pool.streaks_are_long);
    set(&pool.sharing, shares);
    return shares;
}

void ph_pool_release(uv_loop_t* loop) {
    ph_own_pools_release(loop);
    if (load_count(&pool.thread_count) == 0)
        return;
    for (unsigned i = 0; i < load_count(&pool.thread_limit); i++)
        while (__atomic_load_n(&pool.workers[i].posting_to, __ATOMIC_ACQUIRE) == loop)
            sched_yield();
}

void ph_pool_count(struct phasor_pool_figures* figures) {
    pthread_mutex_lock(&pool.start_lock);
    for (unsigned i = 0; i < pool.thread_count; i++) {
        figures->threads++;
        figures->running += is(&pool.workers[i].runs);
        figures->done += __atomic_load_n(&pool.workers[i].done, __ATOMIC_RELAXED);
    }
    figures->idle = figures->threads - figures->running;
    figures->queued = figures->threads > 0 ? ph_work_queue_count() : 0;
    pthread_mutex_unlock(&pool.start_lock);
}
