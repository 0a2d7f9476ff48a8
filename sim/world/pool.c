/*
 * In place of thread/pool.c: the same queue and the same number of threads, but work takes virtual
 * time. A worker takes the oldest piece, sleeps in the world for as long as chance says that it
 * takes, then does it and posts the result. So pieces overtake each other as on a real machine, and
 * the same seed gives the same order.
 */

#include "thread/pool.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/at_fork.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "hooks.h"
#include "thread/own_pool.h"
#include "thread/pool_parts.h"
#include "thread/work_queue.h"
#include "world/faults.h"
#include "world/preempt.h"
#include "world/world.h"

enum { SHORTEST_US = 10, LONGEST_US = 500 };

struct worker {
    pthread_t thread;
    struct ph_sleeper* idle; /* asleep without work */
    uv_loop_t* posting_to;
    uint64_t done;
};

static struct {
    pthread_mutex_t start_lock;
    struct worker* workers;
    unsigned count;
    bool stopping;
    sem_t bell; /* where there is no world */
} pool = {.start_lock = PTHREAD_MUTEX_INITIALIZER};

/* Whose work it is, from its submission until it is taken: what it does to files is done by that
 * host. */
struct owner {
    struct owner* next;
    const struct uv__work* work;
    int host;
    bool of_program; /* it runs the program's own code */
};

static struct owner* owners; /* under the world's lock */

static void note_owner(const struct uv__work* work, bool of_program) {
    struct owner* owner = ph_world != NULL ? ph_malloc(sizeof(*owner)) : NULL;
    if (owner == NULL)
        return;
    ph_world_lock();
    *owner = (struct owner){
        .next = owners, .work = work, .host = ph_host_here(), .of_program = of_program};
    owners = owner;
    ph_world_unlock();
}

/* True: it is the program's own. */
static bool take_owner(const struct uv__work* work, bool enter) {
    if (ph_world == NULL)
        return false;
    ph_world_lock();
    struct owner** link = &owners;
    while (*link != NULL && (*link)->work != work)
        link = &(*link)->next;
    struct owner* owner = *link;
    if (owner != NULL)
        *link = owner->next;
    ph_world_unlock();
    if (owner != NULL && enter)
        ph_host_enter(owner->host);
    bool of_program = owner != NULL && owner->of_program;
    ph_free(owner);
    return of_program;
}

static void run(struct ph_job* job, bool of_program) {
    if (of_program)
        ph_preempt_begin();
    job->run(job->work);
    if (of_program)
        ph_preempt_end();
}

static void wait_for_work(struct worker* self) {
    if (ph_world == NULL) {
        while (sem_wait(&pool.bell) != 0)
            continue;
        return;
    }
    ph_world_lock();
    if (!ph_work_queue_has_work() && !pool.stopping) {
        self->idle = ph_sleeper_own();
        ph_sleep(PH_NEVER, NULL);
        self->idle = NULL;
    }
    ph_world_unlock();
}

/* One of those that wait, by chance; NULL: none. */
static struct ph_sleeper* choose_idle(void) {
    struct ph_sleeper* found = NULL;
    unsigned seen = 0;
    for (unsigned i = 0; i < pool.count; i++) {
        struct ph_sleeper* idle = pool.workers[i].idle;
        if (idle == NULL || idle->ready)
            continue;
        if (found == NULL || ph_draw_below(PH_CHANCE_WORK, ++seen + 1) == 0)
            found = idle;
    }
    return found;
}

static void ring(unsigned times) {
    if (ph_world == NULL) {
        while (times-- > 0)
            sem_post(&pool.bell);
        return;
    }
    ph_world_lock();
    for (struct ph_sleeper* idle; times > 0 && (idle = choose_idle()) != NULL; times--)
        ph_sleeper_rouse(idle);
    ph_world_unlock();
}

static void let_time_pass(void) {
    if (ph_world == NULL)
        return;
    ph_world_lock();
    uint64_t us = SHORTEST_US + ph_draw_below(PH_CHANCE_WORK, LONGEST_US - SHORTEST_US);
    if (ph_fault("slow", PH_FAULT_DISK, ETIME, 0))
        us = 1000000 + ph_draw_below(PH_CHANCE_FAULT, 4000000);
    if (ph_fault("stuck", PH_FAULT_DISK, ETIME, 0))
        us = 60000000 + ph_draw_below(PH_CHANCE_FAULT, 240000000);
    uint64_t until = ph_world->now + ph_unkind_work(us * PH_US);
    while (ph_world->now < until)
        ph_sleep(until, NULL);
    ph_world_unlock();
}

static void post(struct worker* self, struct uv__work* work) {
    uv_loop_t* loop = work->loop;
    __atomic_store_n(&self->posting_to, loop, __ATOMIC_SEQ_CST);
    self->done++;
    work->state = 0;
    ph_mailbox_push(&loop->internal.mailbox.finished, work, (void**)&work->next);
    ph_mailbox_wake(loop);
    __atomic_store_n(&self->posting_to, NULL, __ATOMIC_RELEASE);
}

static void* worker_main(void* argument) {
    struct worker* self = argument;
    struct ph_job job;
    pthread_setname_np(pthread_self(), "libuv-worker");
    if (ph_world != NULL)
        ph_sleeper_own()->counts = true;
    while (!__atomic_load_n(&pool.stopping, __ATOMIC_SEQ_CST)) {
        if (!ph_work_queue_take(&job)) {
            wait_for_work(self);
            continue;
        }
        bool of_program = take_owner(job.work, true);
        ph_tell_work(PH_WORK_BEGINS, NULL, job.work);
        let_time_pass();
        run(&job, of_program);
        ph_tell_work(PH_WORK_ENDS, NULL, job.work);
        if (job.kind == PH_WORK_SLOW) {
            ph_work_queue_slow_ends();
            ring(1);
        }
        post(self, job.work);
    }
    return NULL;
}

static void after_fork_in_child(void) {
    ph_work_queue_forget();
    ph_free(pool.workers);
    pool.workers = NULL;
    pool.count = 0;
    pthread_mutex_init(&pool.start_lock, NULL);
}

static void register_fork_handlers(void) {
    ph_at_fork(ph_work_queue_lock, ph_work_queue_unlock, after_fork_in_child);
}

static int start_threads(unsigned limit) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pool.workers = ph_calloc(limit, sizeof(*pool.workers));
    if (pool.workers == NULL)
        return UV_ENOMEM;
    pthread_once(&once, register_fork_handlers);
    ph_work_queue_init((limit + 1) / 2);
    sem_init(&pool.bell, 0, 0);
    int err = 0;
    while (pool.count < limit && err == 0) {
        struct worker* worker = &pool.workers[pool.count];
        err = pthread_create(&worker->thread, NULL, worker_main, worker);
        pool.count += err == 0;
    }
    if (pool.count > 0)
        return 0;
    ph_free(pool.workers);
    pool.workers = NULL;
    return -err;
}

static int start_pool(void) {
    pthread_mutex_lock(&pool.start_lock);
    int err = pool.workers == NULL ? start_threads(ph_pool_size()) : 0;
    pthread_mutex_unlock(&pool.start_lock);
    return err;
}

static int submit(uv_loop_t* loop, struct uv__work* work, enum ph_work_kind kind,
                  void (*run_work)(struct uv__work* work),
                  void (*done)(struct uv__work* work, int status), bool of_program) {
    if (loop->internal.pool != NULL)
        return ph_own_pool_submit(loop->internal.pool, loop->internal.pool_priority, loop, work,
                                  kind, run_work, done);
    int err = start_pool();
    if (err != 0)
        return err;
    work->work = run_work;
    work->done = done;
    work->loop = loop;
    ph_tell_work(PH_WORK_SUBMITTED, loop, work);
    note_owner(work, of_program);
    ph_work_queue_push(work, kind);
    ring(1);
    return 0;
}

int ph_work_submit(uv_loop_t* loop, struct uv__work* work, enum ph_work_kind kind,
                   void (*run_work)(struct uv__work* work),
                   void (*done)(struct uv__work* work, int status)) {
    return submit(loop, work, kind, run_work, done, false);
}

/* What thread/work.c submits in this build: see sim/CMakeLists.txt. */
int ph_program_work_submit(uv_loop_t* loop, struct uv__work* work, enum ph_work_kind kind,
                           void (*run_work)(struct uv__work* work),
                           void (*done)(struct uv__work* work, int status));

int ph_program_work_submit(uv_loop_t* loop, struct uv__work* work, enum ph_work_kind kind,
                           void (*run_work)(struct uv__work* work),
                           void (*done)(struct uv__work* work, int status)) {
    return submit(loop, work, kind, run_work, done, true);
}

int ph_work_cancel(struct uv__work* work) {
    if (ph_own_pool_has(work))
        return ph_own_pool_cancel(work);
    int err = pool.count == 0 ? UV_EBUSY : ph_work_take_back(work);
    if (err == 0)
        take_owner(work, false);
    return err;
}

bool ph_pool_shares_processor(const uv_loop_t* loop) {
    (void)loop;
    return false;
}

void ph_pool_release(uv_loop_t* loop) {
    ph_own_pools_release(loop);
    for (unsigned i = 0; i < pool.count; i++)
        while (__atomic_load_n(&pool.workers[i].posting_to, __ATOMIC_ACQUIRE) == loop)
            sched_yield();
}

void ph_pool_shutdown(bool at_exit) {
    (void)at_exit;
    if (pool.workers == NULL)
        return;
    __atomic_store_n(&pool.stopping, true, __ATOMIC_SEQ_CST);
    ring(pool.count);
    for (unsigned i = 0; i < pool.count; i++)
        if (ph_world == NULL) /* in a world the process just ends, as its threads do */
            pthread_join(pool.workers[i].thread, NULL);
}

void ph_pool_count(struct phasor_pool_figures* figures) {
    figures->threads = pool.count;
    for (unsigned i = 0; i < pool.count; i++) {
        figures->idle += pool.workers[i].idle != NULL;
        figures->done += pool.workers[i].done;
    }
    figures->running = figures->threads - figures->idle;
    figures->queued = pool.count > 0 ? ph_work_queue_count() : 0;
}
