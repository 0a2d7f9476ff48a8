/* Handles and requests live in the program's memory, whatever that held before. */

#include <stddef.h>
#include <stdint.h>

#include "behaviour/stream/streams.h"

static union uv_any_handle any;
static unsigned char untouched[sizeof(any)]; /* bytes that init need not set */

static void leave(size_t from, size_t to) {
    memset(untouched + from, 1, to - from);
}

#define END_OF(type, field) (offsetof(type, field) + sizeof(((type*)0)->field))

/* The program's own pointer, room for what a kind needs later, and what only aligns. */
static void leave_what_every_handle_leaves(void) {
    leave(offsetof(uv_handle_t, data), END_OF(uv_handle_t, data));
    leave(END_OF(uv_handle_t, type), offsetof(uv_handle_t, close_cb));
    leave(offsetof(uv_handle_t, u), END_OF(uv_handle_t, u));
    leave(END_OF(uv_handle_t, flags), sizeof(uv_handle_t));
}

/* The bytes of the handle after its init in memory that was full of `byte`. */
static void init_in(int byte, int (*init)(void), unsigned char* bytes) {
    memset(&any, byte, sizeof(any));
    open_loop();
    CHECK_OK(init());
    memcpy(bytes, &any, sizeof(any));
    CHECK_EQ(uv_is_active(&any.handle), any.handle.type == UV_ASYNC);
    CHECK(uv_has_ref(&any.handle));
    CHECK(!uv_is_closing(&any.handle));
    close_loop();
}

/* Numbers begin at 0 or at -1: everything else is a pointer. */
static bool begins_well(const unsigned char* bytes, size_t at) {
    uint32_t number;
    uintptr_t whole;
    memcpy(&number, bytes + at, sizeof(number));
    memcpy(&whole, bytes + at / sizeof(whole) * sizeof(whole), sizeof(whole));
    return number == 0 || number == UINT32_MAX || (double)whole > 1e11;
}

static void check_init(size_t size, int (*init)(void)) {
    unsigned char in_zeros[sizeof(any)], in_ones[sizeof(any)];
    leave_what_every_handle_leaves();
    init_in(0, init, in_zeros);
    init_in(0xff, init, in_ones);
    for (size_t i = 0; i < size; i++)
        if (!untouched[i] && in_zeros[i] != in_ones[i])
            test_fail(__FILE__, __LINE__, "byte %zu keeps what it was", i);
    for (size_t i = sizeof(uv_handle_t); sizeof(void*) == 8 && i < size; i += sizeof(uint32_t))
        if (!untouched[i] && !begins_well(in_zeros, i))
            test_fail(__FILE__, __LINE__, "the number at byte %zu begins at neither 0 nor -1", i);
}

static int init_idle(void) {
    return uv_idle_init(&loop, &any.idle);
}

static int init_prepare(void) {
    return uv_prepare_init(&loop, &any.prepare);
}

static int init_check(void) {
    return uv_check_init(&loop, &any.check);
}

TEST(hooks_are_the_same_whatever_their_memory_held) {
    check_init(sizeof(uv_idle_t), init_idle);
    check_init(sizeof(uv_prepare_t), init_prepare);
    check_init(sizeof(uv_check_t), init_check);
}

static int init_timer(void) {
    return uv_timer_init(&loop, &any.timer);
}

TEST(timer_is_the_same_whatever_its_memory_held) {
    leave(offsetof(uv_timer_t, timer.wheel.node), END_OF(uv_timer_t, timer.wheel.node));
    leave(END_OF(uv_timer_t, timer.cb), offsetof(uv_timer_t, timer.wheel));
    leave(offsetof(uv_timer_t, timer.spare), sizeof(uv_timer_t));
    check_init(sizeof(uv_timer_t), init_timer);
}

static int init_async(void) {
    return uv_async_init(&loop, &any.async, NULL);
}

TEST(async_is_the_same_whatever_its_memory_held) {
    check_init(sizeof(uv_async_t), init_async);
}

static int ends[2];

static int init_poll(void) {
    return uv_poll_init(&loop, &any.poll, ends[0]);
}

TEST(poll_is_the_same_whatever_its_memory_held) {
    CHECK_OK(pipe2(ends, O_CLOEXEC));
    check_init(offsetof(uv_poll_t, io_watcher), init_poll);
    close(ends[0]);
    close(ends[1]);
}

static int init_signal(void) {
    return uv_signal_init(&loop, &any.signal);
}

TEST(signal_is_the_same_whatever_its_memory_held) {
    leave(END_OF(uv_signal_t, signum), offsetof(uv_signal_t, signal));
    check_init(sizeof(uv_signal_t), init_signal);
}

static int init_tcp(void) {
    return uv_tcp_init(&loop, &any.tcp);
}

static int init_pipe(void) {
    return uv_pipe_init(&loop, &any.pipe, 0);
}

TEST(streams_are_the_same_whatever_their_memory_held) {
    leave(END_OF(uv_pipe_t, ipc), offsetof(uv_pipe_t, pipe_fname));
    check_init(sizeof(uv_tcp_t), init_tcp);
    check_init(sizeof(uv_pipe_t), init_pipe);
}

static int init_udp(void) {
    return uv_udp_init(&loop, &any.udp);
}

TEST(udp_is_the_same_whatever_its_memory_held) {
    check_init(sizeof(uv_udp_t), init_udp);
}

static int init_fs_event(void) {
    return uv_fs_event_init(&loop, &any.fs_event);
}

static int init_fs_poll(void) {
    return uv_fs_poll_init(&loop, &any.fs_poll);
}

TEST(watchers_of_files_are_the_same_whatever_their_memory_held) {
    leave(END_OF(uv_fs_event_t, fs_event.recursive), sizeof(uv_fs_event_t));
    check_init(sizeof(uv_fs_event_t), init_fs_event);
    check_init(sizeof(uv_fs_poll_t), init_fs_poll);
}
