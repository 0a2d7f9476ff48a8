// wrap: pthread_create pthread_attr_init pthread_cond_wait pthread_cond_timedwait write
/* Pools of the program's own, at the moments that only a test can bring about. */

#include <phasor.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/account.h"
#include "faults/hold.h"
#include "faults/refuse.h"
#include "thread/pool.h"

REPLACE_RETURNING(pthread_attr_init, (pthread_attr_t * attributes), attributes)

static int detached, threads_made;

int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg) {
    int state = PTHREAD_CREATE_JOINABLE;
    if (is_refused("pthread_create"))
        return refusal.error;
    if (attributes != NULL)
        CHECK_OK(pthread_attr_getdetachstate(attributes, &state));
    detached += state == PTHREAD_CREATE_DETACHED;
    threads_made++;
    return __real_pthread_create(thread, attributes, start, arg);
}

/* The thread that wakes a loop stands still there. */
ssize_t __real_write(int fd, const void* bytes, size_t size);
ssize_t __wrap_write(int fd, const void* bytes, size_t size);
ssize_t __wrap_write(int fd, const void* bytes, size_t size) {
    pass_or_hold();
    return __real_write(fd, bytes, size);
}

static int work_comes_too_late; /* a word: not every processor exchanges bytes */
static uint64_t waits_until;
static uv_sem_t waits, is_queued;

/* The time is up, and work comes before the thread has the lock again. */
int __real_pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                  const struct timespec* time);
int __wrap_pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                  const struct timespec* time);
int __wrap_pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                  const struct timespec* time) {
    if (time == NULL) /* so musl waits without a limit */
        return __real_pthread_cond_timedwait(cond, mutex, time);
    uint64_t until = (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
    __atomic_store_n(&waits_until, until, __ATOMIC_SEQ_CST);
    if (!__atomic_exchange_n(&work_comes_too_late, 0, __ATOMIC_SEQ_CST))
        return __real_pthread_cond_timedwait(cond, mutex, time);
    pthread_mutex_unlock(mutex);
    uv_sem_post(&waits);
    uv_sem_wait(&is_queued);
    pthread_mutex_lock(mutex);
    return ETIMEDOUT;
}

static uv_loop_t loop;
static phasor_pool_t* pool;
static int ended, cancelled;
static uv_sem_t gate, entered;

/* Whoever lets the pool go waits for its threads, and lets them go on only then. */
static bool gate_opens_at_the_end;

int __real_pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex);
int __wrap_pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex);
int __wrap_pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
    if (gettid() == getpid() && gate_opens_at_the_end) {
        gate_opens_at_the_end = false;
        uv_sem_post(&gate);
    }
    return __real_pthread_cond_wait(cond, mutex);
}

static void open_with(const struct phasor_pool_options* options) {
    count_blocks();
    open_hold();
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_sem_init(&entered, 0));
    CHECK_OK(uv_sem_init(&waits, 0));
    CHECK_OK(uv_sem_init(&is_queued, 0));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(phasor_pool_new(&pool, options));
}

static void open_all(unsigned threads) {
    open_with(&(struct phasor_pool_options){.threads_least = threads});
}

/* The pool goes while its mail may still be under way; then nothing is left. */
static void close_all(void) {
    CHECK_OK(phasor_pool_free(pool));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(in_use, 0);
}

static void block(uv_work_t* req) {
    (void)req;
    uv_sem_post(&entered);
    uv_sem_wait(&gate);
}

static struct phasor_pool_figures last_seen;

static void block_until_let_go(uv_work_t* req) {
    (void)req;
    uv_sem_post(&entered);
    uv_sem_wait(&hold.goes_on);
    phasor_pool_look(pool, &last_seen);
}

static void do_nothing(uv_work_t* req) {
    (void)req;
}

static void on_end(uv_work_t* req, int status) {
    CHECK_EQ(req->type, UV_WORK);
    ended++;
    cancelled += status == UV_ECANCELED;
}

static void queue(uv_work_t* req, uv_work_cb cb) {
    CHECK_OK(phasor_pool_queue(pool, &loop, req, 0, cb, on_end));
}

/* A thread of the pool has given its work back, and stands where it wakes the loop. */
static void hold_a_thread(uv_work_t* req) {
    queue(req, block);
    uv_sem_wait(&entered);
    hold_next();
    uv_sem_post(&gate);
    uv_sem_wait(&hold.is_held);
}

TEST(a_loop_that_closes_waits_for_the_thread_that_gives_its_work_back) {
    uv_work_t req;
    open_all(1);
    hold_a_thread(&req);
    while (ended == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    begin_to_let_go();
    CHECK_OK(uv_loop_close(&loop));
    CHECK(is_let_go());
    close_hold();
    CHECK_OK(phasor_pool_free(pool));
    CHECK_EQ(in_use, 0);
}

TEST(a_fork_waits_for_a_pool_that_changes_and_finds_it_usable_on_both_sides) {
    uv_work_t req, more;
    open_all(1);
    hold_a_thread(&req);
    begin_to_let_go();
    pid_t child = fork();
    CHECK(is_let_go());
    if (child == 0) {
        phasor_pool_t* another;
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        queue(&more, do_nothing);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_EQ(ended, 2);
        CHECK_OK(uv_loop_close(&loop));
        CHECK_OK(phasor_pool_new(&another, &(struct phasor_pool_options){.threads_most = 1}));
        CHECK_OK(phasor_pool_free(another));
        CHECK_OK(phasor_pool_free(pool));
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    close_hold();
    queue(&more, do_nothing);
    close_all();
}

static void run_it(struct uv__work* work) {
    (void)work;
    uv_sem_post(&entered);
    uv_sem_wait(&gate);
}

static struct uv__work* order[16];
static int order_length;

static void note_it(struct uv__work* work) {
    order[order_length++] = work;
}

static void end_it(struct uv__work* work, int status) {
    (void)work;
    loop.active_reqs.count--;
    ended++;
    cancelled += status == UV_ECANCELED;
}

static void submit(struct uv__work* work, enum ph_work_kind kind, bool blocks) {
    loop.active_reqs.count++;
    CHECK_OK(ph_work_submit(&loop, work, kind, blocks ? run_it : note_it, end_it));
}

TEST(fast_and_slow_work_of_one_priority_keep_their_order) {
    static const enum ph_work_kind kinds[] = {PH_WORK_FAST, PH_WORK_SLOW, PH_WORK_SLOW,
                                              PH_WORK_FAST, PH_WORK_FAST, PH_WORK_SLOW};
    struct uv__work first, work[6];
    open_all(1);
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 3));
    submit(&first, PH_WORK_SLOW, true);
    uv_sem_wait(&entered);
    for (int i = 0; i < 6; i++)
        submit(&work[i], kinds[i], false);
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(order_length, 6);
    for (int i = 0; i < 6; i++)
        CHECK(order[i] == &work[i]);
    CHECK_OK(phasor_loop_use_pool(&loop, NULL, 0));
    close_all();
}

/* Each piece begins before the next is there. */
static void check_slow_limit(unsigned threads, int limit) {
    enum { MANY = 8 };
    struct uv__work slow[MANY], fast;
    struct phasor_pool_figures figures;
    ended = order_length = 0;
    open_all(threads);
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 0));
    for (int i = 0; i < MANY; i++) {
        submit(&slow[i], PH_WORK_SLOW, true);
        if (i < limit)
            uv_sem_wait(&entered);
    }
    if (threads > 1) {
        submit(&fast, PH_WORK_FAST, false);
        while (ended == 0)
            uv_run(&loop, UV_RUN_ONCE);
    }
    CHECK_EQ(uv_sem_trywait(&entered), UV_EAGAIN);
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.running, limit);
    CHECK_EQ(figures.queued, MANY - limit);
    for (int i = 0; i < MANY; i++)
        uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, MANY + (threads > 1));
    CHECK_OK(phasor_loop_use_pool(&loop, NULL, 0));
    close_all();
}

TEST(slow_work_holds_half_of_the_threads_rounded_up) {
    check_slow_limit(1, 1);
    check_slow_limit(2, 1);
    check_slow_limit(3, 2);
    check_slow_limit(5, 3);
}

TEST(a_pool_that_goes_cancels_slow_work_beyond_the_limit_too) {
    struct uv__work slow[4];
    open_all(2);
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 0));
    for (int i = 0; i < 4; i++)
        submit(&slow[i], PH_WORK_SLOW, true);
    uv_sem_wait(&entered);
    CHECK_OK(phasor_loop_use_pool(&loop, NULL, 0));
    gate_opens_at_the_end = true;
    close_all();
    CHECK_EQ(ended, 4);
    CHECK_EQ(cancelled, 3);
}

static void check_empty(const struct phasor_pool_figures* figures) {
    static const struct phasor_pool_figures none;
    CHECK_EQ(memcmp(figures, &none, sizeof(none)), 0);
}

TEST(a_forked_child_has_nothing_of_what_the_pool_of_its_parent_does) {
    struct uv__work slow[4], fast;
    uv_work_t req;
    struct phasor_pool_figures figures;
    open_all(2);
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 0));
    for (int i = 0; i < 4; i++)
        submit(&slow[i], PH_WORK_SLOW, true);
    uv_sem_wait(&entered);
    queue(&req, block);
    uv_sem_wait(&entered);
    submit(&fast, PH_WORK_FAST, true);
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        phasor_pool_look(pool, &figures);
        check_empty(&figures);
        CHECK_EQ(ph_work_cancel(&slow[3]), UV_EBUSY);
        CHECK_EQ(ph_work_cancel(&fast), UV_EBUSY);
        CHECK_OK(uv_loop_fork(&loop));
        for (int i = 0; i < 4; i++) /* the first one is needed for the others to begin */
            submit(&slow[i], PH_WORK_SLOW, false);
        while (ended < 4)
            uv_run(&loop, UV_RUN_ONCE);
        CHECK_EQ(order_length, 4);
        phasor_pool_look(pool, &figures);
        CHECK_EQ(figures.done, 4);
        CHECK_LE(figures.threads, 2);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    for (int i = 0; i < 6; i++)
        uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(phasor_loop_use_pool(&loop, NULL, 0));
    close_all();
    CHECK_EQ(ended, 6);
    CHECK_EQ(cancelled, 0);
}

TEST(a_thread_whose_time_is_up_does_what_came_meanwhile) {
    uv_work_t req;
    struct phasor_pool_figures figures;
    open_with(&(struct phasor_pool_options){.threads_most = 1});
    work_comes_too_late = 1;
    queue(&req, do_nothing);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uv_sem_wait(&waits);
    queue(&req, do_nothing);
    uv_sem_post(&is_queued);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, 2);
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.threads_started, 1);
    close_all();
}

static uint64_t see_until_when(void) {
    uint64_t until;
    while ((until = __atomic_load_n(&waits_until, __ATOMIC_SEQ_CST)) == 0)
        usleep(1000);
    return until;
}

/* A thread that waits for work is enough for one piece. */
static void check_wait(unsigned idle_ms, uint64_t expected_ms) {
    uv_work_t req;
    struct phasor_pool_figures figures;
    open_with(&(struct phasor_pool_options){.threads_most = 3, .idle_ms = idle_ms});
    for (int i = 0; i < 3; i++) {
        waits_until = 0;
        uint64_t before = uv_hrtime();
        queue(&req, do_nothing);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        uint64_t until = see_until_when();
        CHECK_GE(until, before + expected_ms * 1000000);
        CHECK_LE(until, uv_hrtime() + expected_ms * 1000000);
    }
    phasor_pool_look(pool, &figures);
    CHECK(idle_ms == 0 || figures.threads_started == 1);
    close_all();
}

TEST(a_thread_that_waits_for_work_waits_as_long_as_it_was_told_to) {
    check_wait(3600000, 3600000);
    check_wait(0, 1000);
}

TEST(a_pool_that_goes_waits_for_its_last_thread) {
    uv_work_t req[3];
    struct phasor_pool_figures figures;
    open_all(1);
    queue(&req[0], block_until_let_go);
    uv_sem_wait(&entered);
    queue(&req[1], do_nothing);
    queue(&req[2], do_nothing);
    CHECK_OK(uv_cancel((uv_req_t*)&req[1]));
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.cancelled, 1);
    begin_to_let_go();
    CHECK_OK(phasor_pool_free(pool));
    CHECK(is_let_go());
    close_hold();
    CHECK_EQ(last_seen.cancelled, 2);
    CHECK_EQ(last_seen.running, 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(cancelled, 2);
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(in_use, 0);
}

TEST(a_loop_that_is_closed_uses_its_pool_no_more) {
    open_all(1);
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 0));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(phasor_pool_free(pool));
    CHECK_EQ(in_use, 0);
}

TEST(work_of_a_loop_has_the_priority_that_the_loop_was_given) {
    struct uv__work first, work[3];
    open_all(1);
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 0));
    submit(&first, PH_WORK_FAST, true);
    uv_sem_wait(&entered);
    for (unsigned i = 0; i < 3; i++) {
        CHECK_OK(phasor_loop_use_pool(&loop, pool, 2 - i));
        submit(&work[i], PH_WORK_FAST, false);
    }
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    for (int i = 0; i < 3; i++)
        CHECK(order[i] == &work[2 - i]);
    CHECK_OK(phasor_loop_use_pool(&loop, NULL, 0));
    close_all();
}

static int make_pool_thread(void) {
    uv_work_t req;
    open_all(1);
    int err = phasor_pool_queue(pool, &loop, &req, 0, do_nothing, on_end);
    close_all();
    return err;
}

TEST(threads_are_detached_and_what_keeps_them_from_starting_is_told) {
    static const struct refused_case cases[] = {
        {"pthread_attr_init", 0, ENOMEM, make_pool_thread, UV_ENOMEM},
        {"pthread_create", 0, EAGAIN, make_pool_thread, UV_EAGAIN},
    };
    RUN_CASES(cases);
    CHECK_EQ(threads_made, 0);
    CHECK_OK(make_pool_thread());
    CHECK_EQ(threads_made, 1);
    CHECK_EQ(detached, 1);
}

TEST(work_that_was_refused_can_not_be_cancelled) {
    uv_work_t req;
    open_all(1);
    refuse("pthread_create", 0, 1, EAGAIN);
    CHECK_EQ(phasor_pool_queue(pool, &loop, &req, 0, do_nothing, on_end), UV_EAGAIN);
    CHECK_EQ(uv_cancel((uv_req_t*)&req), UV_EBUSY);
    close_all();
}

/* Bounds that hold however slow the machine is. */
TEST(figures_are_those_of_the_work_that_was_done) {
    struct phasor_pool_figures figures;
    uv_work_t req[3];
    open_all(1);
    memset(&figures, 0xff, sizeof(figures));
    phasor_pool_look(pool, &figures);
    check_empty(&figures);
    uint64_t began = uv_hrtime();
    queue(&req[0], block);
    uv_sem_wait(&entered);
    uint64_t first_runs = uv_hrtime();
    queue(&req[1], do_nothing);
    uint64_t second_waits = uv_hrtime();
    usleep(2000);
    queue(&req[2], do_nothing);
    uint64_t third_waits = uv_hrtime();
    usleep(2000);
    uint64_t before = uv_hrtime();
    phasor_pool_look(pool, &figures);
    uint64_t after = uv_hrtime();
    CHECK_GE(figures.oldest_ns, before - second_waits);
    CHECK_LE(figures.oldest_ns, after - first_runs);
    CHECK_EQ(figures.queued_most, 2);
    CHECK_EQ(figures.running, 1);
    CHECK_EQ(figures.idle, 0);
    uint64_t opens = uv_hrtime();
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uint64_t all = uv_hrtime() - began;
    phasor_pool_look(pool, &figures);
    CHECK_GE(figures.waited_ns, 2 * opens - second_waits - third_waits);
    CHECK_LE(figures.waited_ns, 3 * all);
    CHECK_GE(figures.waited_most_ns, opens - second_waits);
    CHECK_LE(figures.waited_most_ns, all);
    CHECK_GE(figures.ran_ns, opens - first_runs);
    CHECK_LE(figures.ran_ns, all);
    CHECK_EQ(figures.done, 3);
    CHECK_EQ(figures.cancelled, 0);
    CHECK_EQ(figures.oldest_ns, 0);
    close_all();
}
