// wrap: pthread_create pthread_attr_init write sem_post
/* The process's pool, at the moments that only a test can bring about. */

#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/account.h"
#include "faults/hold.h"
#include "faults/refuse.h"

REPLACE_RETURNING(pthread_attr_init, (pthread_attr_t * attributes), attributes)

static int threads_made;
static _Thread_local bool holds_in_create;

/* A thread of the pool that runs when the test has forked. */
struct late_thread {
    void* (*start)(void*);
    void* arg;
};

static void* start_late(void* arg) {
    struct late_thread late = *(struct late_thread*)arg;
    stand_still();
    return late.start(late.arg);
}

int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg) {
    struct late_thread late = {.start = start, .arg = arg};
    if (is_refused("pthread_create"))
        return refusal.error;
    __atomic_add_fetch(&threads_made, 1, __ATOMIC_SEQ_CST);
    if (!holds_in_create)
        return __real_pthread_create(thread, attributes, start, arg);
    pass_or_hold();
    CHECK_OK(__real_pthread_create(thread, attributes, start_late, &late));
    uv_sem_wait(&hold.stands);
    return 0;
}

static bool holds_in_write;

ssize_t __real_write(int fd, const void* bytes, size_t size);
ssize_t __wrap_write(int fd, const void* bytes, size_t size);
ssize_t __wrap_write(int fd, const void* bytes, size_t size) {
    if (holds_in_write)
        pass_or_hold();
    return __real_write(fd, bytes, size);
}

static uv_sem_t gate, entered;
static int the_bell_opens_the_gate; /* a word: not every processor exchanges bytes */
static int bells;

int __real_sem_post(sem_t* sem);
int __wrap_sem_post(sem_t* sem);
int __wrap_sem_post(sem_t* sem) {
    if (__atomic_exchange_n(&the_bell_opens_the_gate, 0, __ATOMIC_SEQ_CST))
        __real_sem_post(&gate);
    __atomic_add_fetch(&bells, 1, __ATOMIC_SEQ_CST);
    return __real_sem_post(sem);
}

static uv_loop_t loop;
static int ended;

static void open_all(void) {
    count_blocks();
    open_hold();
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_sem_init(&entered, 0));
    CHECK_OK(uv_loop_init(&loop));
}

static void block(uv_work_t* req) {
    (void)req;
    uv_sem_post(&entered);
    uv_sem_wait(&gate);
}

static void do_nothing(uv_work_t* req) {
    (void)req;
}

static void on_end(uv_work_t* req, int status) {
    (void)req;
    CHECK_OK(status);
    ended++;
}

static void use_pool(uv_loop_t* use) {
    enum { COUNT = 10 };
    uv_work_t reqs[COUNT];
    int before = ended;
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(uv_queue_work(use, &reqs[i], do_nothing, on_end));
    CHECK_OK(uv_run(use, UV_RUN_DEFAULT));
    CHECK_EQ(ended, before + COUNT);
}

/* A thread of the pool has done its work, and stands where it wakes the loop. */
static void hold_a_thread(uv_work_t* req) {
    CHECK_OK(uv_queue_work(&loop, req, block, on_end));
    uv_sem_wait(&entered);
    holds_in_write = true;
    hold_next();
    uv_sem_post(&gate);
    uv_sem_wait(&hold.is_held);
}

TEST(a_loop_that_closes_waits_for_the_thread_that_did_its_work) {
    uv_work_t req;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    open_all();
    hold_a_thread(&req);
    while (ended == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    begin_to_let_go();
    CHECK_OK(uv_loop_close(&loop));
    CHECK(is_let_go());
    close_hold();
}

/* The child's threads have nothing to give back, so what they do is still what the parent's did. */
TEST(a_forked_child_waits_for_no_thread_of_its_parent) {
    uv_work_t req, endless;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    open_all();
    hold_a_thread(&req);
    pid_t child = fork();
    if (child == 0) {
        uv_loop_t own;
        alarm(30);
        CHECK_OK(uv_loop_init(&own));
        CHECK_OK(uv_queue_work(&own, &endless, block, on_end));
        uv_sem_wait(&entered);
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_OK(uv_loop_close(&loop));
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    begin_to_let_go();
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close_hold();
}

static void start_the_pool(void* arg) {
    uv_loop_t own;
    (void)arg;
    CHECK_OK(uv_loop_init(&own));
    holds_in_create = true;
    use_pool(&own);
    CHECK_OK(uv_loop_close(&own));
}

TEST(a_fork_waits_for_a_thread_that_starts_the_pool) {
    enum { THREADS = 4 };
    uv_thread_t starter;
    setenv("UV_THREADPOOL_SIZE", "4", 1);
    open_all();
    hold_next();
    CHECK_OK(uv_thread_create(&starter, start_the_pool, NULL));
    uv_sem_wait(&hold.is_held);
    begin_to_let_go();
    pid_t child = fork();
    CHECK(is_let_go());
    if (child == 0) {
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        use_pool(&loop);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    for (int i = 0; i < THREADS; i++)
        move();
    CHECK_OK(uv_thread_join(&starter));
    use_pool(&loop);
    CHECK_OK(uv_loop_close(&loop));
    close_hold();
}

static uv_loop_t another;
static uv_work_t more;
static bool is_done;

/* Queues more work for a loop of its own, for which a thread is missing, and takes its time. */
static void block_and_submit(uv_work_t* req) {
    block(req);
    CHECK_OK(uv_loop_init(&another));
    CHECK_OK(uv_queue_work(&another, &more, do_nothing, on_end));
    usleep(20000);
    __atomic_store_n(&is_done, true, __ATOMIC_SEQ_CST);
}

/* The first thread has work to do, and there is no other. */
static void open_with_one_thread(uv_work_t* req, uv_work_cb cb) {
    open_all();
    refuse("pthread_create", 1, -1, EAGAIN);
    CHECK_OK(uv_queue_work(&loop, req, cb, on_end));
    uv_sem_wait(&entered);
    CHECK_EQ(threads_made, 1);
}

TEST(no_thread_starts_while_the_library_shuts_down_and_all_have_ended_afterwards) {
    uv_work_t first, second;
    open_with_one_thread(&first, block_and_submit);
    CHECK_OK(uv_queue_work(&loop, &second, do_nothing, on_end));
    allow_all();
    the_bell_opens_the_gate = 1;
    uv_library_shutdown();
    CHECK(is_done);
    CHECK_EQ(threads_made, 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_run(&another, UV_RUN_DEFAULT));
    CHECK_EQ(ended, 3);
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(uv_loop_close(&another));
}

TEST(missing_threads_start_when_there_is_work_for_them) {
    uv_work_t first, reqs[2];
    open_with_one_thread(&first, block);
    CHECK_OK(uv_queue_work(&loop, &reqs[0], do_nothing, on_end));
    allow_all();
    CHECK_OK(uv_queue_work(&loop, &reqs[1], do_nothing, on_end));
    CHECK_GE(__atomic_load_n(&threads_made, __ATOMIC_SEQ_CST), 2);
    while (ended < 2)
        uv_run(&loop, UV_RUN_ONCE);
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_pool_that_was_shut_down_leaves_nothing_and_starts_anew) {
    uv_work_t req;
    open_all();
    use_pool(&loop);
    CHECK_OK(uv_queue_work(&loop, &req, do_nothing, on_end));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uv_library_shutdown();
    CHECK_EQ(uv_cancel((uv_req_t*)&req), UV_EBUSY);
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(in_use, 0);
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 3; i++)
        use_pool(&loop);
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(in_use, 1); /* the new threads */
}

/* Each time all threads are given time to fall asleep. One that is about to may be woken, too. */
TEST(one_piece_of_work_wakes_one_thread) {
    enum { ROUNDS = 50 };
    uv_work_t req;
    open_all();
    use_pool(&loop);
    usleep(20000);
    int before = __atomic_load_n(&bells, __ATOMIC_SEQ_CST);
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_OK(uv_queue_work(&loop, &req, do_nothing, on_end));
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        usleep(1000);
    }
    CHECK_LT(__atomic_load_n(&bells, __ATOMIC_SEQ_CST) - before, 2 * ROUNDS);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_pool_whose_threads_can_not_be_described_is_an_error) {
    uv_work_t req;
    open_all();
    refuse("pthread_attr_init", 0, 1, ENOMEM);
    CHECK_EQ(uv_queue_work(&loop, &req, do_nothing, on_end), UV_ENOMEM);
    use_pool(&loop);
    CHECK_OK(uv_loop_close(&loop));
}
