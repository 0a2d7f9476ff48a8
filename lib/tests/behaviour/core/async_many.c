/* Wake-ups of thousands of handles at once, with threads, forks, closing and loops inside loops. */
// threaded

#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { COUNT = 5000, SENDERS = 4, ROUNDS = 5 };

static uv_loop_t loop;
static uv_async_t* handles;
static unsigned told[COUNT];
static unsigned all_told, closed;

static void count_wake_up(uv_async_t* handle) {
    told[handle - handles]++;
    __atomic_add_fetch(&all_told, 1, __ATOMIC_SEQ_CST);
}

static void open_loop(uv_async_cb cb) {
    CHECK_OK(uv_loop_init(&loop));
    handles = calloc(COUNT, sizeof(*handles));
    CHECK(handles != NULL);
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(uv_async_init(&loop, &handles[i], cb));
}

static void count_close(uv_handle_t* handle) {
    memset(handle, 0xaa, sizeof(uv_async_t));
    closed++;
}

static void close_loop(void) {
    for (int i = 0; i < COUNT; i++)
        uv_close((uv_handle_t*)&handles[i], count_close);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(closed, COUNT);
    free(handles);
}

/* In no order: 1,777 and 5,000 have no common divisor. */
static void send_all(void) {
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(uv_async_send(&handles[i * 1777 % COUNT]));
}

/* Each sender has its share of the handles. */
static void send_in_rounds(void* arg) {
    const int* first = arg;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++)
            if (i * 1777 % COUNT % SENDERS == *first)
                CHECK_OK(uv_async_send(&handles[i * 1777 % COUNT]));
        while (__atomic_load_n(&all_told, __ATOMIC_SEQ_CST) < (unsigned)(round + 1) * COUNT)
            usleep(100);
    }
}

TEST(wake_ups_of_many_handles_by_many_threads_are_all_told) {
    uv_thread_t threads[SENDERS];
    int shares[SENDERS];
    open_loop(count_wake_up);
    for (int i = 0; i < SENDERS; i++) {
        shares[i] = i;
        CHECK_OK(uv_thread_create(&threads[i], send_in_rounds, &shares[i]));
    }
    while (__atomic_load_n(&all_told, __ATOMIC_SEQ_CST) < ROUNDS * COUNT)
        uv_run(&loop, UV_RUN_ONCE);
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(told[i], ROUNDS);
    close_loop();
}

static int senders_end;

static void send_without_pause(void* arg) {
    (void)arg;
    while (!__atomic_load_n(&senders_end, __ATOMIC_SEQ_CST))
        send_all();
}

TEST(many_handles_may_close_while_threads_send_to_them) {
    uv_thread_t threads[SENDERS];
    open_loop(NULL);
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_create(&threads[i], send_without_pause, NULL));
    for (int i = 0; i < 50; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    for (int i = 0; i < COUNT; i++)
        uv_close((uv_handle_t*)&handles[i], NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    __atomic_store_n(&senders_end, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    CHECK_OK(uv_loop_close(&loop));
    free(handles);
}

TEST(many_handles_with_wake_ups_close_without_telling_them) {
    open_loop(count_wake_up);
    send_all();
    close_loop();
    CHECK_EQ(all_told, 0);
}

static void run_inside(uv_async_t* handle) {
    count_wake_up(handle);
    if (all_told == 1) {
        send_all(); /* most of them are on their way */
        CHECK_OK(uv_async_send(handle));
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(all_told, COUNT + 1);
    }
}

TEST(many_wake_ups_are_told_once_by_a_loop_inside_a_callback) {
    open_loop(run_inside);
    send_all();
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(all_told, COUNT + 1);
    CHECK_EQ(told[0], 2);
    close_loop();
}

static void close_every_second_and_run(uv_async_t* handle) {
    count_wake_up(handle);
    if (all_told > 1)
        return;
    for (int i = 1; i < COUNT; i += 2)
        uv_close((uv_handle_t*)&handles[i], count_close);
    for (int i = 0; i < COUNT; i += 2)
        CHECK_OK(uv_async_send(&handles[i]));
    uv_run(&loop, UV_RUN_NOWAIT);
}

TEST(many_wake_ups_that_a_callback_closes_are_not_told) {
    open_loop(close_every_second_and_run);
    send_all();
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(all_told, COUNT / 2 + 1);
    CHECK_EQ(closed, COUNT / 2);
    for (int i = 0; i < COUNT; i += 2)
        uv_close((uv_handle_t*)&handles[i], count_close);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    free(handles);
}

TEST(many_wake_ups_before_a_fork_are_told_in_the_child_too) {
    int status;
    open_loop(count_wake_up);
    send_all();
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        alarm(60);
        CHECK_OK(uv_loop_fork(&loop));
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(all_told, COUNT);
        send_all();
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(all_told, 2 * COUNT);
        _exit(0);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(all_told, COUNT);
    close_loop();
}
