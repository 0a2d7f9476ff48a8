// wrap: write
/* Threads that stand still while they wake a loop: who waits for them, and who must not. */

#include <phasor.h>
#include <sys/wait.h>

#include "core/handle.h"
#include "faults/hold.h"

static uv_thread_t sender;
static bool holds_in_write;

ssize_t __real_write(int fd, const void* bytes, size_t size);
ssize_t __wrap_write(int fd, const void* bytes, size_t size);
ssize_t __wrap_write(int fd, const void* bytes, size_t size) {
    if (holds_in_write)
        pass_or_hold();
    return __real_write(fd, bytes, size);
}

static uv_loop_t loop;
static uv_async_t async;
static int calls, closed;

static void on_async(uv_async_t* handle) {
    (void)handle;
    calls++;
}

static void on_close(uv_handle_t* handle) {
    (void)handle;
    CHECK(hold.is_let_go);
    closed++;
}

static void on_post(uv_loop_t* which, void* data) {
    CHECK(which == &loop && data == &calls);
    calls++;
}

static void send_it(void* arg) {
    (void)arg;
    CHECK_OK(uv_async_send(&async));
}

static void post_it(void* arg) {
    (void)arg;
    CHECK_OK(phasor_loop_post(&loop, on_post, &calls));
}

static void hold_a_thread(void (*entry)(void* arg)) {
    open_hold();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, on_async));
    holds_in_write = true;
    hold_next();
    CHECK_OK(uv_thread_create(&sender, entry, NULL));
    uv_sem_wait(&hold.is_held);
    while (calls == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
}

TEST(handle_that_closes_waits_for_the_thread_that_sends_to_it) {
    hold_a_thread(send_it);
    uv_close((uv_handle_t*)&async, on_close);
    begin_to_let_go();
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(closed, 1);
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(uv_thread_join(&sender));
    close_hold();
}

TEST(loop_that_closes_waits_for_the_thread_that_posts_to_it) {
    hold_a_thread(post_it);
    uv_close((uv_handle_t*)&async, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    begin_to_let_go();
    CHECK_OK(uv_loop_close(&loop));
    CHECK(is_let_go());
    CHECK_OK(uv_thread_join(&sender));
    close_hold();
}

TEST(forked_child_waits_for_no_thread_that_sends_in_its_parent) {
    hold_a_thread(send_it);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_OK(uv_async_send(&async));
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(calls, 2);
        uv_close((uv_handle_t*)&async, NULL);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_OK(uv_loop_close(&loop));
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    begin_to_let_go();
    uv_close((uv_handle_t*)&async, on_close);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(uv_thread_join(&sender));
    close_hold();
}

/* Few are pushed, more than so many are marked; each is told once, in the order of their making,
 * and nothing of it is left. */
static void check_wake_ups(unsigned count, bool forwards) {
    static uv_async_t handles[1200];
    CHECK_OK(uv_loop_init(&loop));
    calls = 0;
    for (unsigned i = 0; i < count; i++)
        CHECK_OK(uv_async_init(&loop, &handles[i], on_async));
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < count; i++)
            CHECK_OK(uv_async_send(&handles[forwards ? i : count - 1 - i]));
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(calls, (int)count * (round + 1));
        CHECK_EQ(loop.internal.mailbox.pushed, 0);
        CHECK_EQ(loop.internal.mailbox.marked, 0);
        for (unsigned i = 0; i < count; i++)
            CHECK_EQ(handles[i].async.listed, 0);
    }
    CHECK_EQ(loop.internal.handle_count, count);
    for (unsigned i = 0; i < count; i++)
        uv_close((uv_handle_t*)&handles[i], NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(loop.internal.handle_count, 0);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(wake_ups_leave_nothing_in_the_mailbox) {
    check_wake_ups(1, true);
    check_wake_ups(20, false);
    check_wake_ups(1200, true);
    check_wake_ups(1200, false);
}
