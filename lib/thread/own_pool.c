/*
 * Pools of the program's own. One lock for each pool covers everything, and results are posted
 * under it: whoever has had the lock after a loop's last request knows that no thread touches the
 * loop any more.
 *
 * A thread is started when there is more work in the queue than threads that wait for it, so that
 * work never waits for a blocked thread while another one may be had.
 */

#include "thread/own_pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/at_fork.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/mailbox.h"
#include "hooks.h"
#include "thread/pool_parts.h"

enum { KINDS = PH_WORK_SLOW + 1, IDLE_MS = 1000, NAME_SIZE = 16, NS_PER_MS = 1000000 };
#define NS_PER_S 1000000000U

enum job_state { QUEUED, RUNNING, CANCELLED };

/* Made when work is submitted, freed on the loop's thread before its callback. */
struct job {
    struct uv__work mail; /* what the loop gets */
    struct uv__queue node;
    struct phasor_pool* pool;
    struct uv__work* work;
    void (*run)(struct uv__work* work);
    uint64_t queued_at, number;
    unsigned priority;
    enum ph_work_kind kind;
    enum job_state state;
};

struct phasor_pool {
    pthread_mutex_t lock;
    pthread_cond_t work_comes, thread_ends;
    struct uv__queue lines[PHASOR_PRIORITIES][KINDS];
    char name[NAME_SIZE];
    unsigned least, most, idle_ms;
    int thread_priority;
    unsigned slow_running;
    unsigned loops; /* that use it for everything */
    bool stopping;
    uint64_t numbers;
    struct phasor_pool_figures figures;
    unsigned references; /* the program's, and one for each job; without the lock */
    struct uv__queue in_registry;
};

static struct {
    pthread_mutex_t lock; /* before that of any pool */
    struct uv__queue pools;
} registry = {PTHREAD_MUTEX_INITIALIZER, {&registry.pools, &registry.pools}};

static _Thread_local struct phasor_pool* works_for;

static struct phasor_pool* pool_at(struct uv__queue* node) {
    return PH_CONTAINER_OF(node, struct phasor_pool, in_registry);
}

static void release(struct phasor_pool* pool) {
    if (__atomic_sub_fetch(&pool->references, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    pthread_cond_destroy(&pool->thread_ends);
    pthread_cond_destroy(&pool->work_comes);
    pthread_mutex_destroy(&pool->lock);
    ph_free(pool);
}

/* The function of work that a pool of this kind has. */
static void is_ours(struct uv__work* work) {
    (void)work;
}

static struct job* job_of(const struct uv__work* work) {
    return (struct job*)work->next;
}

static void finish(struct uv__work* mail, int status) {
    struct job* job = PH_CONTAINER_OF(mail, struct job, mail);
    struct uv__work* work = job->work;
    work->work = NULL;
    release(job->pool);
    ph_loop_free(mail->loop, job);
    work->done(work, status);
}

/* Under the lock. */
static void post(struct job* job, int status) {
    uv_loop_t* loop = job->mail.loop;
    job->mail.state = (uintptr_t)status;
    ph_mailbox_push(&loop->internal.mailbox.finished, &job->mail, (void**)&job->mail.next);
    ph_mailbox_wake(loop);
}

static struct job* first_of(struct uv__queue* line) {
    return ph_queue_empty(line) ? NULL : PH_CONTAINER_OF(line->next, struct job, node);
}

/* The oldest of the first priority that has any. Slow work holds half of the threads at most. */
static struct job* next_job(struct phasor_pool* pool) {
    bool slow_may = pool->slow_running < (pool->most + 1) / 2;
    for (int i = 0; i < PHASOR_PRIORITIES; i++) {
        struct job* fast = first_of(&pool->lines[i][PH_WORK_FAST]);
        struct job* slow = slow_may ? first_of(&pool->lines[i][PH_WORK_SLOW]) : NULL;
        if (fast != NULL && (slow == NULL || fast->number < slow->number))
            return fast;
        if (slow != NULL)
            return slow;
    }
    return NULL;
}

static void take_out(struct job* job, enum job_state state) {
    ph_queue_remove(&job->node);
    job->pool->figures.queued--;
    job->state = state;
}

/* Under the lock, which it gives up while the work runs. */
static void run(struct phasor_pool* pool, struct job* job) {
    struct phasor_pool_figures* figures = &pool->figures;
    uint64_t began = uv_hrtime(), waited = began - job->queued_at;
    bool slow = job->kind == PH_WORK_SLOW;
    take_out(job, RUNNING);
    figures->running++;
    figures->waited_ns += waited;
    if (waited > figures->waited_most_ns)
        figures->waited_most_ns = waited;
    pool->slow_running += slow;
    pthread_mutex_unlock(&pool->lock);
    ph_tell_work(PH_WORK_BEGINS, NULL, job->work);
    job->run(job->work);
    ph_tell_work(PH_WORK_ENDS, NULL, job->work);
    uint64_t ended = uv_hrtime();
    pthread_mutex_lock(&pool->lock);
    figures->ran_ns += ended - began;
    figures->running--;
    figures->done++;
    pool->slow_running -= slow;
    post(job, 0);
}

/* False: there was nothing to do for so long that the thread is not needed. */
static bool wait_for_work(struct phasor_pool* pool) {
    bool timed_out = false;
    pool->figures.idle++;
    if (pool->figures.threads <= pool->least) {
        pthread_cond_wait(&pool->work_comes, &pool->lock);
    } else {
        uint64_t until = uv_hrtime() + (uint64_t)pool->idle_ms * NS_PER_MS;
        struct timespec time = {(time_t)(until / NS_PER_S), (long)(until % NS_PER_S)};
        timed_out = pthread_cond_timedwait(&pool->work_comes, &pool->lock, &time) == ETIMEDOUT;
    }
    pool->figures.idle--;
    return !timed_out || pool->figures.threads <= pool->least || next_job(pool) != NULL;
}

static void* thread_main(void* argument) {
    struct phasor_pool* pool = argument;
    works_for = pool;
    pthread_setname_np(pthread_self(), pool->name);
    if (pool->thread_priority != UV_THREAD_PRIORITY_NORMAL)
        uv_thread_setpriority(pthread_self(), pool->thread_priority);
    pthread_mutex_lock(&pool->lock);
    while (!pool->stopping) {
        struct job* job = next_job(pool);
        if (job != NULL)
            run(pool, job);
        else if (!wait_for_work(pool))
            break;
    }
    pool->figures.threads--;
    pool->figures.threads_ended++;
    if (pool->figures.threads == 0)
        pthread_cond_broadcast(&pool->thread_ends);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Under the lock, which the new thread waits for. */
static int start_thread(struct phasor_pool* pool) {
    pthread_attr_t attributes;
    pthread_t thread;
    int err = pthread_attr_init(&attributes);
    if (err != 0)
        return -err;
    pthread_attr_setstacksize(&attributes, 8 << 20);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    err = pthread_create(&thread, &attributes, thread_main, pool);
    pthread_attr_destroy(&attributes);
    pool->figures.threads += err == 0;
    pool->figures.threads_started += err == 0;
    return -err;
}

/* With at least one thread everything gets done, if slowly. */
static int provide_thread(struct phasor_pool* pool) {
    const struct phasor_pool_figures* figures = &pool->figures;
    if (figures->queued > figures->idle && figures->threads < pool->most) {
        int err = start_thread(pool);
        if (figures->threads == 0)
            return err;
    }
    pthread_cond_signal(&pool->work_comes);
    return 0;
}

static int enqueue(struct phasor_pool* pool, struct job* job) {
    struct phasor_pool_figures* figures = &pool->figures;
    pthread_mutex_lock(&pool->lock);
    job->number = pool->numbers++;
    ph_queue_push(&pool->lines[job->priority][job->kind], &job->node);
    figures->queued++;
    int err = provide_thread(pool);
    if (err != 0)
        take_out(job, CANCELLED);
    else if (figures->queued > figures->queued_most)
        figures->queued_most = figures->queued;
    pthread_mutex_unlock(&pool->lock);
    return err;
}

int ph_own_pool_submit(phasor_pool_t* pool, unsigned priority, uv_loop_t* loop,
                       struct uv__work* work, enum ph_work_kind kind,
                       void (*run_it)(struct uv__work* work),
                       void (*done)(struct uv__work* work, int status)) {
    struct job* job = ph_loop_calloc(loop, 1, sizeof(*job));
    if (job == NULL)
        return UV_ENOMEM;
    job->mail.done = finish;
    job->mail.loop = loop;
    job->pool = pool;
    job->work = work;
    job->run = run_it;
    job->priority = priority;
    job->kind = kind;
    job->queued_at = uv_hrtime();
    work->work = is_ours;
    work->done = done;
    work->next = (struct uv__work*)job;
    __atomic_add_fetch(&pool->references, 1, __ATOMIC_RELAXED);
    ph_tell_work(PH_WORK_SUBMITTED, loop, work);
    int err = enqueue(pool, job);
    if (err != 0) {
        work->work = NULL;
        release(pool);
        ph_loop_free(loop, job);
    }
    return err;
}

bool ph_own_pool_has(const struct uv__work* work) {
    return __atomic_load_n(&work->work, __ATOMIC_RELAXED) == is_ours;
}

int ph_own_pool_cancel(struct uv__work* work) {
    struct job* job = job_of(work);
    struct phasor_pool* pool = job->pool;
    pthread_mutex_lock(&pool->lock);
    int err = job->state == RUNNING ? UV_EBUSY : 0;
    if (job->state == QUEUED) {
        take_out(job, CANCELLED);
        pool->figures.cancelled++;
        ph_tell_work(PH_WORK_CANCELLED, NULL, work);
        post(job, UV_ECANCELED);
    }
    pthread_mutex_unlock(&pool->lock);
    return err;
}

/* Around a fork: the child has none of the threads, and what was queued is the parent's to do. */

static void before_fork(void) {
    pthread_mutex_lock(&registry.lock);
    for (struct uv__queue* node = registry.pools.next; node != &registry.pools; node = node->next)
        pthread_mutex_lock(&pool_at(node)->lock);
}

static void after_fork_in_parent(void) {
    for (struct uv__queue* node = registry.pools.next; node != &registry.pools; node = node->next)
        pthread_mutex_unlock(&pool_at(node)->lock);
    pthread_mutex_unlock(&registry.lock);
}

static void init_locks(struct phasor_pool* pool) {
    pthread_condattr_t attributes;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->work_comes, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_cond_init(&pool->thread_ends, NULL);
}

static void empty_lines(struct phasor_pool* pool) {
    for (int i = 0; i < PHASOR_PRIORITIES; i++)
        for (int kind = 0; kind < KINDS; kind++)
            ph_queue_init(&pool->lines[i][kind]);
}

static void after_fork_in_child(void) {
    for (struct uv__queue* node = registry.pools.next; node != &registry.pools; node = node->next) {
        struct phasor_pool* pool = pool_at(node);
        pool->slow_running = 0;
        for (struct job* job; (job = next_job(pool)) != NULL;)
            take_out(job, RUNNING);
        init_locks(pool);
        memset(&pool->figures, 0, sizeof(pool->figures));
    }
    pthread_mutex_init(&registry.lock, NULL);
}

static void register_fork_handlers(void) {
    ph_at_fork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* For the program */

static bool are_sound(const struct phasor_pool_options* options, unsigned most) {
    return most > 0 && most <= PH_POOL_MOST && options->threads_least <= most &&
           options->thread_priority >= UV_THREAD_PRIORITY_LOWEST &&
           options->thread_priority <= UV_THREAD_PRIORITY_HIGHEST;
}

int phasor_pool_new(phasor_pool_t** result, const struct phasor_pool_options* options) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (result == NULL || options == NULL)
        return UV_EINVAL;
    unsigned most = options->threads_most != 0 ? options->threads_most : options->threads_least;
    if (!are_sound(options, most))
        return UV_EINVAL;
    struct phasor_pool* pool = ph_calloc(1, sizeof(*pool));
    if (pool == NULL)
        return UV_ENOMEM;
    const char* name = options->name != NULL ? options->name : "phasor-pool";
    memcpy(pool->name, name, strnlen(name, NAME_SIZE - 1));
    pool->least = options->threads_least;
    pool->most = most;
    pool->idle_ms = options->idle_ms != 0 ? options->idle_ms : IDLE_MS;
    pool->thread_priority = options->thread_priority;
    pool->references = 1;
    empty_lines(pool);
    init_locks(pool);
    pthread_once(&once, register_fork_handlers);
    pthread_mutex_lock(&registry.lock);
    ph_queue_push(&registry.pools, &pool->in_registry);
    pthread_mutex_unlock(&registry.lock);
    *result = pool;
    return 0;
}

/* Under the lock, of a pool that stops: there is no limit for slow work that is not run. */
static void cancel_all(struct phasor_pool* pool) {
    pool->slow_running = 0;
    for (struct job* job; (job = next_job(pool)) != NULL;) {
        take_out(job, CANCELLED);
        pool->figures.cancelled++;
        ph_tell_work(PH_WORK_CANCELLED, NULL, job->work);
        post(job, UV_ECANCELED);
    }
}

int phasor_pool_free(phasor_pool_t* pool) {
    if (works_for == pool)
        return UV_EINVAL;
    pthread_mutex_lock(&pool->lock);
    if (pool->loops > 0) {
        pthread_mutex_unlock(&pool->lock);
        return UV_EBUSY;
    }
    pool->stopping = true;
    cancel_all(pool);
    pthread_cond_broadcast(&pool->work_comes);
    while (pool->figures.threads > 0)
        pthread_cond_wait(&pool->thread_ends, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    pthread_mutex_lock(&registry.lock);
    ph_queue_remove(&pool->in_registry);
    pthread_mutex_unlock(&registry.lock);
    release(pool);
    return 0;
}

static void count_loop(struct phasor_pool* pool, int change) {
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->loops += (unsigned)change;
    pthread_mutex_unlock(&pool->lock);
}

int phasor_loop_use_pool(uv_loop_t* loop, phasor_pool_t* pool, unsigned priority) {
    if (priority >= PHASOR_PRIORITIES)
        return UV_EINVAL;
    count_loop(pool, 1);
    count_loop(loop->internal.pool, -1);
    loop->internal.pool = pool;
    loop->internal.pool_priority = priority;
    return 0;
}

void ph_own_pools_release(uv_loop_t* loop) {
    phasor_loop_use_pool(loop, NULL, 0);
    pthread_mutex_lock(&registry.lock);
    for (struct uv__queue* node = registry.pools.next; node != &registry.pools; node = node->next) {
        pthread_mutex_lock(&pool_at(node)->lock);
        pthread_mutex_unlock(&pool_at(node)->lock);
    }
    pthread_mutex_unlock(&registry.lock);
}

/* Each line's first is its oldest. */
static uint64_t oldest_age(struct phasor_pool* pool) {
    uint64_t now = uv_hrtime(), oldest = now;
    for (int i = 0; i < PHASOR_PRIORITIES; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            const struct job* job = first_of(&pool->lines[i][kind]);
            if (job != NULL && job->queued_at < oldest)
                oldest = job->queued_at;
        }
    return now - oldest;
}

void phasor_pool_look(phasor_pool_t* pool, struct phasor_pool_figures* figures) {
    if (pool == NULL) {
        memset(figures, 0, sizeof(*figures));
        ph_pool_count(figures);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    *figures = pool->figures;
    figures->oldest_ns = oldest_age(pool);
    pthread_mutex_unlock(&pool->lock);
}
