// threaded
/* Mutexes, read-write locks, semaphores, conditions, barriers, once and keys. */

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <uv.h>

#include "harness.h"

static uv_mutex_t mutex;
static uv_rwlock_t rwlock;
static uv_cond_t cond;
static uv_sem_t sem, done;
static uv_barrier_t barrier;
static int counter;

static void run_threads(int count, void (*entry)(void*), void* arg) {
    uv_thread_t threads[16];
    for (int i = 0; i < count; i++)
        CHECK_OK(uv_thread_create(&threads[i], entry, arg));
    for (int i = 0; i < count; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
}

static void count_under_mutex(void* arg) {
    (void)arg;
    for (int i = 0; i < 10000; i++) {
        uv_mutex_lock(&mutex);
        counter++;
        uv_mutex_unlock(&mutex);
    }
}

TEST(mutex_excludes_other_threads) {
    CHECK_OK(uv_mutex_init(&mutex));
    run_threads(4, count_under_mutex, NULL);
    CHECK_EQ(counter, 40000);
    uv_mutex_destroy(&mutex);
}

static void try_mutex(void* result) {
    *(int*)result = uv_mutex_trylock(&mutex);
    if (*(int*)result == 0)
        uv_mutex_unlock(&mutex);
}

TEST(mutex_trylock_of_a_held_mutex_reports_ebusy) {
    int result = 1;
    CHECK_OK(uv_mutex_init(&mutex));
    CHECK_OK(uv_mutex_trylock(&mutex));
    run_threads(1, try_mutex, &result);
    CHECK_EQ(result, UV_EBUSY);
    CHECK_EQ(uv_mutex_trylock(&mutex), UV_EBUSY);
    uv_mutex_unlock(&mutex);
    run_threads(1, try_mutex, &result);
    CHECK_EQ(result, 0);
    uv_mutex_destroy(&mutex);
}

TEST(recursive_mutex_is_released_by_the_last_unlock) {
    int result = 1;
    CHECK_OK(uv_mutex_init_recursive(&mutex));
    uv_mutex_lock(&mutex);
    uv_mutex_lock(&mutex);
    CHECK_OK(uv_mutex_trylock(&mutex));
    uv_mutex_unlock(&mutex);
    uv_mutex_unlock(&mutex);
    run_threads(1, try_mutex, &result);
    CHECK_EQ(result, UV_EBUSY);
    uv_mutex_unlock(&mutex);
    run_threads(1, try_mutex, &result);
    CHECK_EQ(result, 0);
    uv_mutex_destroy(&mutex);
}

static void unlock_what_is_not_held(void) {
    CHECK_OK(uv_mutex_init_recursive(&mutex));
    uv_mutex_unlock(&mutex);
}

TEST(recursive_mutex_unlocked_by_a_stranger_aborts) {
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer reports the misuse itself");
    test_child_dies(unlock_what_is_not_held, SIGABRT, NULL);
}

static void try_read(void* result) {
    *(int*)result = uv_rwlock_tryrdlock(&rwlock);
    if (*(int*)result == 0)
        uv_rwlock_rdunlock(&rwlock);
}

static void try_write(void* result) {
    *(int*)result = uv_rwlock_trywrlock(&rwlock);
    if (*(int*)result == 0)
        uv_rwlock_wrunlock(&rwlock);
}

TEST(rwlock_lets_readers_share_and_keeps_writers_out) {
    int result = 1;
    CHECK_OK(uv_rwlock_init(&rwlock));
    uv_rwlock_rdlock(&rwlock);
    CHECK_OK(uv_rwlock_tryrdlock(&rwlock));
    run_threads(1, try_read, &result);
    CHECK_EQ(result, 0);
    run_threads(1, try_write, &result);
    CHECK_EQ(result, UV_EBUSY);
    uv_rwlock_rdunlock(&rwlock);
    run_threads(1, try_write, &result);
    CHECK_EQ(result, UV_EBUSY);
    uv_rwlock_rdunlock(&rwlock);
    run_threads(1, try_write, &result);
    CHECK_EQ(result, 0);
    uv_rwlock_destroy(&rwlock);
}

TEST(rwlock_writer_keeps_everybody_out) {
    int result = 1;
    CHECK_OK(uv_rwlock_init(&rwlock));
    uv_rwlock_wrlock(&rwlock);
    run_threads(1, try_read, &result);
    CHECK_EQ(result, UV_EBUSY);
    run_threads(1, try_write, &result);
    CHECK_EQ(result, UV_EBUSY);
    uv_rwlock_wrunlock(&rwlock);
    CHECK_OK(uv_rwlock_trywrlock(&rwlock));
    uv_rwlock_wrunlock(&rwlock);
    uv_rwlock_destroy(&rwlock);
}

static void count_under_rwlock(void* arg) {
    (void)arg;
    for (int i = 0; i < 2000; i++) {
        uv_rwlock_wrlock(&rwlock);
        counter++;
        uv_rwlock_wrunlock(&rwlock);
        uv_rwlock_rdlock(&rwlock);
        CHECK_GT(counter, i);
        uv_rwlock_rdunlock(&rwlock);
    }
}

TEST(rwlock_writers_exclude_each_other) {
    CHECK_OK(uv_rwlock_init(&rwlock));
    run_threads(4, count_under_rwlock, NULL);
    CHECK_EQ(counter, 8000);
    uv_rwlock_destroy(&rwlock);
}

TEST(semaphore_counts_posts_and_waits) {
    CHECK_OK(uv_sem_init(&sem, 3));
    uv_sem_wait(&sem);
    CHECK_OK(uv_sem_trywait(&sem));
    uv_sem_wait(&sem);
    CHECK_EQ(uv_sem_trywait(&sem), UV_EAGAIN);
    uv_sem_post(&sem);
    CHECK_OK(uv_sem_trywait(&sem));
    CHECK_EQ(uv_sem_trywait(&sem), UV_EAGAIN);
    uv_sem_destroy(&sem);
}

TEST(semaphore_over_the_maximum_reports_einval) {
    CHECK_EQ(uv_sem_init(&sem, UINT_MAX), UV_EINVAL);
    CHECK_OK(uv_sem_init(&sem, INT_MAX));
    uv_sem_destroy(&sem);
}

static void post_over_the_maximum(void) {
    CHECK_OK(uv_sem_init(&sem, INT_MAX));
    uv_sem_post(&sem);
}

TEST(semaphore_posted_over_the_maximum_aborts) {
    test_child_dies(post_over_the_maximum, SIGABRT, NULL);
}

static void ignore_signal(int signum) {
    (void)signum;
}

static void wait_once(void* arg) {
    (void)arg;
    uv_sem_post(&done);
    uv_sem_wait(&sem);
    counter = 1;
    uv_sem_post(&done);
}

TEST(semaphore_wait_goes_on_after_a_signal) {
    struct sigaction action = {.sa_handler = ignore_signal};
    uv_thread_t thread;
    CHECK_OK(sigaction(SIGUSR1, &action, NULL));
    CHECK_OK(uv_sem_init(&sem, 0));
    CHECK_OK(uv_sem_init(&done, 0));
    CHECK_OK(uv_thread_create(&thread, wait_once, NULL));
    uv_sem_wait(&done);
    for (int i = 0; i < 20; i++) {
        CHECK_OK(pthread_kill(thread, SIGUSR1));
        uv_sleep(1);
    }
    CHECK_EQ(uv_sem_trywait(&done), UV_EAGAIN);
    uv_sem_post(&sem);
    uv_sem_wait(&done);
    CHECK_OK(uv_thread_join(&thread));
    CHECK_EQ(counter, 1);
    uv_sem_destroy(&sem);
    uv_sem_destroy(&done);
}

static void init_cond(void) {
    CHECK_OK(uv_mutex_init(&mutex));
    CHECK_OK(uv_cond_init(&cond));
    CHECK_OK(uv_sem_init(&done, 0));
}

static void destroy_cond(void) {
    uv_cond_destroy(&cond);
    uv_mutex_destroy(&mutex);
    uv_sem_destroy(&done);
}

static void wait_for_counter(void* arg) {
    (void)arg;
    uv_mutex_lock(&mutex);
    uv_sem_post(&done);
    while (counter == 0)
        uv_cond_wait(&cond, &mutex);
    counter--;
    uv_mutex_unlock(&mutex);
    uv_sem_post(&done);
}

TEST(condition_signal_wakes_a_waiter) {
    uv_thread_t thread;
    init_cond();
    CHECK_OK(uv_thread_create(&thread, wait_for_counter, NULL));
    uv_sem_wait(&done);
    uv_mutex_lock(&mutex);
    counter = 1;
    uv_cond_signal(&cond);
    uv_mutex_unlock(&mutex);
    CHECK_OK(uv_thread_join(&thread));
    CHECK_EQ(counter, 0);
    destroy_cond();
}

TEST(condition_broadcast_wakes_all_waiters) {
    uv_thread_t threads[8];
    init_cond();
    for (int i = 0; i < 8; i++)
        CHECK_OK(uv_thread_create(&threads[i], wait_for_counter, NULL));
    for (int i = 0; i < 8; i++)
        uv_sem_wait(&done);
    uv_mutex_lock(&mutex);
    counter = 8;
    uv_cond_broadcast(&cond);
    uv_mutex_unlock(&mutex);
    for (int i = 0; i < 8; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    CHECK_EQ(counter, 0);
    destroy_cond();
}

TEST(condition_timedwait_times_out_but_never_early) {
    const uint64_t timeouts[] = {0, 1, 1000, 1000000, 30000000};
    init_cond();
    uv_mutex_lock(&mutex);
    for (size_t i = 0; i < sizeof(timeouts) / sizeof(timeouts[0]); i++) {
        uint64_t start = uv_hrtime();
        int err;
        do
            err = uv_cond_timedwait(&cond, &mutex, timeouts[i]);
        while (err == 0);
        CHECK_EQ(err, UV_ETIMEDOUT);
        CHECK_GE(uv_hrtime() - start, timeouts[i]);
    }
    CHECK_EQ(uv_mutex_trylock(&mutex), UV_EBUSY);
    uv_mutex_unlock(&mutex);
    destroy_cond();
}

static void timedwait_for_counter(void* arg) {
    uv_mutex_lock(&mutex);
    uv_sem_post(&done);
    while (counter == 0)
        CHECK_OK(uv_cond_timedwait(&cond, &mutex, *(uint64_t*)arg));
    counter--;
    uv_mutex_unlock(&mutex);
    uv_sem_post(&done);
}

TEST(condition_timedwait_with_a_huge_timeout_waits_for_the_signal) {
    uint64_t timeouts[] = {UINT64_MAX,          UINT64_MAX - 1, UINT64_MAX - uv_hrtime(),
                           (uint64_t)INT64_MAX, UINT64_MAX / 2, (uint64_t)INT64_MAX - uv_hrtime()};
    init_cond();
    for (size_t i = 0; i < sizeof(timeouts) / sizeof(timeouts[0]); i++) {
        uv_thread_t thread;
        CHECK_OK(uv_thread_create(&thread, timedwait_for_counter, &timeouts[i]));
        uv_sem_wait(&done);
        uv_sleep(5);
        CHECK_EQ(uv_sem_trywait(&done), UV_EAGAIN);
        uv_mutex_lock(&mutex);
        counter = 1;
        uv_cond_signal(&cond);
        uv_mutex_unlock(&mutex);
        uv_sem_wait(&done);
        CHECK_OK(uv_thread_join(&thread));
    }
    destroy_cond();
}

static void pass_barrier(void* serial) {
    for (int i = 0; i < 100; i++)
        if (uv_barrier_wait(&barrier))
            atomic_fetch_add((atomic_int*)serial, 1);
}

TEST(barrier_wait_is_nonzero_for_exactly_one_thread_each_time) {
    atomic_int serial = 0;
    CHECK_OK(uv_barrier_init(&barrier, 4));
    run_threads(4, pass_barrier, &serial);
    CHECK_EQ(serial, 100);
    uv_barrier_destroy(&barrier);
}

static void pass_and_destroy(void* arg) {
    (void)arg;
    if (uv_barrier_wait(&barrier) > 0)
        uv_barrier_destroy(&barrier);
}

TEST(barrier_may_be_destroyed_by_the_one_thread_at_once) {
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer takes a barrier's destruction for a race");
    for (int i = 0; i < 100; i++) {
        CHECK_OK(uv_barrier_init(&barrier, 4));
        run_threads(4, pass_and_destroy, NULL);
    }
}

TEST(barrier_for_one_thread_never_waits) {
    CHECK_OK(uv_barrier_init(&barrier, 1));
    for (int i = 0; i < 3; i++)
        CHECK_GT(uv_barrier_wait(&barrier), 0);
    uv_barrier_destroy(&barrier);
}

TEST(barrier_for_nobody_reports_einval) {
    CHECK_EQ(uv_barrier_init(&barrier, 0), UV_EINVAL);
}

static uv_once_t guard = UV_ONCE_INIT;

static void count_slowly(void) {
    uv_sleep(5);
    counter++;
}

static void once(void* arg) {
    (void)arg;
    uv_once(&guard, count_slowly);
    CHECK_EQ(counter, 1);
}

TEST(once_runs_once_and_everybody_waits_for_it) {
    run_threads(8, once, NULL);
    uv_once(&guard, count_slowly);
    CHECK_EQ(counter, 1);
}

static uv_key_t key;

static void use_key(void* arg) {
    int own;
    (void)arg;
    CHECK(uv_key_get(&key) == NULL);
    uv_key_set(&key, &own);
    uv_sleep(1);
    CHECK(uv_key_get(&key) == &own);
    uv_key_set(&key, NULL);
    CHECK(uv_key_get(&key) == NULL);
}

TEST(key_has_a_value_for_each_thread) {
    CHECK_OK(uv_key_create(&key));
    uv_key_set(&key, &key);
    run_threads(8, use_key, NULL);
    CHECK(uv_key_get(&key) == &key);
    uv_key_delete(&key);
}

TEST(keys_that_run_out_report_eagain) {
    static uv_key_t keys[PTHREAD_KEYS_MAX + 1];
    int count = 0, err = 0;
    while (count <= PTHREAD_KEYS_MAX && (err = uv_key_create(&keys[count])) == 0)
        count++;
    CHECK_EQ(err, UV_EAGAIN);
    CHECK_GT(count, 100);
    while (count > 0)
        uv_key_delete(&keys[--count]);
    CHECK_OK(uv_key_create(&key));
    CHECK(uv_key_get(&key) == NULL);
    uv_key_delete(&key);
}

static void delete_key_twice(void) {
    CHECK_OK(uv_key_create(&key));
    uv_key_delete(&key);
    uv_key_delete(&key);
}

TEST(key_deleted_twice_aborts) {
    test_child_dies(delete_key_twice, SIGABRT, NULL);
}
