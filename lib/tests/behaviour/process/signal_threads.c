// threaded
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { THREADS = 4, EACH = 2500, LOOPS = 3 };

static atomic_int running;

static void queue_signal(int signum) {
    union sigval value = {0};
    while (sigqueue(getpid(), signum, value) != 0)
        CHECK_EQ(errno, EAGAIN);
}

static void send_many(void* arg) {
    (void)arg;
    for (int i = 0; i < EACH; i++)
        queue_signal(SIGRTMIN);
}

static void count(uv_signal_t* handle, int signum) {
    (void)signum;
    int* left = handle->data;
    if (--*left == 0)
        uv_close((uv_handle_t*)handle, NULL);
}

TEST(signal_bursts_from_several_threads_are_counted_exactly) {
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer holds signals back");
    uv_loop_t loop;
    uv_signal_t handles[2];
    uv_thread_t threads[THREADS];
    int left[2] = {THREADS * EACH, THREADS * EACH};
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_signal_init(&loop, &handles[i]));
        handles[i].data = &left[i];
        CHECK_OK(uv_signal_start(&handles[i], count, SIGRTMIN));
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(uv_thread_create(&threads[i], send_many, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(left[0], 0);
    CHECK_EQ(left[1], 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    CHECK_OK(uv_loop_close(&loop));
}

static uv_barrier_t all_started;

static void run_loop(void* arg) {
    uv_loop_t loop;
    uv_signal_t handles[2];
    int left[2] = {EACH, EACH};
    (void)arg;
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_signal_init(&loop, &handles[i]));
        handles[i].data = &left[i];
        CHECK_OK(uv_signal_start(&handles[i], count, SIGRTMIN + i));
    }
    uv_barrier_wait(&all_started);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    uv_barrier_wait(&all_started);
}

static void ignore_signal(uv_signal_t* handle, int signum) {
    (void)handle, (void)signum;
}

TEST(signal_reaches_every_loop_in_every_thread) {
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer holds signals back");
    uv_loop_t loop;
    uv_signal_t keep[2];
    uv_thread_t threads[LOOPS];
    CHECK_OK(uv_barrier_init(&all_started, LOOPS + 1));
    /* Keeps the signals caught while the others stop one after the other. */
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_signal_init(&loop, &keep[i]));
        CHECK_OK(uv_signal_start(&keep[i], ignore_signal, SIGRTMIN + i));
    }
    for (int i = 0; i < LOOPS; i++)
        CHECK_OK(uv_thread_create(&threads[i], run_loop, NULL));
    uv_barrier_wait(&all_started);
    for (int i = 0; i < EACH; i++) {
        queue_signal(SIGRTMIN);
        queue_signal(SIGRTMIN + 1);
    }
    uv_barrier_wait(&all_started);
    for (int i = 0; i < LOOPS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t*)&keep[i], NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    uv_barrier_destroy(&all_started);
}

static void send_until_done(void* arg) {
    (void)arg;
    while (atomic_load(&running)) {
        kill(getpid(), SIGUSR1);
        usleep(50);
    }
}

static void free_handle(uv_handle_t* handle) {
    free(handle);
}

TEST(signal_handles_may_be_closed_while_signals_pour_in) {
    uv_loop_t loop;
    uv_signal_t keep;
    uv_thread_t threads[2];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &keep));
    CHECK_OK(uv_signal_start(&keep, ignore_signal, SIGUSR1));
    atomic_store(&running, 1);
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_thread_create(&threads[i], send_until_done, NULL));
    for (int i = 0; i < 2000; i++) {
        uv_signal_t* handle = malloc(sizeof(*handle));
        CHECK_OK(uv_signal_init(&loop, handle));
        CHECK_OK(uv_signal_start(handle, ignore_signal, SIGUSR1));
        if (i % 3 == 0)
            raise(SIGUSR1);
        if (i % 3 == 1)
            uv_run(&loop, UV_RUN_NOWAIT);
        uv_close((uv_handle_t*)handle, free_handle);
        if (i % 5 != 0)
            uv_run(&loop, UV_RUN_NOWAIT);
    }
    atomic_store(&running, 0);
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    uv_close((uv_handle_t*)&keep, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void start_and_stop(void* arg) {
    uv_loop_t loop;
    uv_signal_t handle;
    (void)arg;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    for (int i = 0; i < 2000; i++) {
        CHECK_OK(uv_signal_start(&handle, ignore_signal, i % 2 ? SIGUSR1 : SIGUSR2));
        uv_run(&loop, UV_RUN_NOWAIT);
        if (i % 3 == 0)
            CHECK_OK(uv_signal_stop(&handle));
    }
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(signal_handles_of_several_loops_start_and_stop_at_once) {
    uv_loop_t loop;
    uv_signal_t keep;
    uv_thread_t threads[THREADS];
    uv_thread_t sender;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &keep));
    CHECK_OK(uv_signal_start(&keep, ignore_signal, SIGUSR1));
    atomic_store(&running, 1);
    CHECK_OK(uv_thread_create(&sender, send_until_done, NULL));
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(uv_thread_create(&threads[i], start_and_stop, NULL));
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    atomic_store(&running, 0);
    CHECK_OK(uv_thread_join(&sender));
    uv_close((uv_handle_t*)&keep, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
