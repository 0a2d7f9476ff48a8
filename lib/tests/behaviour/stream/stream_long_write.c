/* Writes of more buffers than the kernel takes in one call. */

#include <limits.h>

#include "streams.h"

enum { COUNT = 3000 };

static uv_pipe_t pipe_handle;
static uv_write_t reqs[2];
static uv_buf_t bufs[COUNT];
static char letters[COUNT];

static void prepare_bufs(void) {
    for (int i = 0; i < COUNT; i++) {
        letters[i] = (char)('a' + i % 26);
        bufs[i] = uv_buf_init(&letters[i], 1);
    }
}

static size_t queued(void) {
    return uv_stream_get_write_queue_size(STREAM(&pipe_handle));
}

static void check_received(int peer, const char* expected, size_t size) {
    char* got = malloc(size + 1);
    size_t length = 0;
    ssize_t n;
    while (length <= size && (n = recv(peer, got + length, size + 1 - length, MSG_DONTWAIT)) > 0)
        length += (size_t)n;
    CHECK_EQ(length, size);
    CHECK(memcmp(got, expected, size) == 0);
    free(got);
}

TEST(stream_write_sends_as_many_buffers_a_turn_as_the_kernel_takes_in_one_call) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    prepare_bufs();
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), bufs, COUNT, on_write));
    CHECK_EQ(queued(), COUNT - IOV_MAX);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), bufs, 1), UV_EAGAIN);
    run_some(1);
    CHECK_EQ(queued(), COUNT - 2 * IOV_MAX);
    CHECK_EQ(writes, 0);
    run_some(1);
    CHECK_EQ(queued(), 0);
    CHECK_EQ(writes, 1);
    CHECK_OK(write_status);
    check_received(peer, letters, COUNT);
    close(peer);
    close_loop();
}

TEST(stream_write_of_just_as_many_buffers_leaves_at_once) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    prepare_bufs();
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), bufs, IOV_MAX, on_write));
    CHECK_EQ(queued(), 0);
    check_received(peer, letters, IOV_MAX);
    close(peer);
    close_loop();
}

TEST(stream_write_behind_a_long_one_goes_on_when_that_has_ended) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    prepare_bufs();
    for (int i = 0; i < 2; i++)
        CHECK_OK(
            uv_write(&reqs[i], STREAM(&pipe_handle), bufs + i * COUNT / 2, COUNT / 2, on_write));
    CHECK_EQ(queued(), COUNT - IOV_MAX);
    run_some(1);
    CHECK_EQ(queued(), 0);
    run_some(1);
    CHECK_EQ(writes, 2);
    check_received(peer, letters, COUNT);
    close(peer);
    close_loop();
}

TEST(stream_write_that_begins_with_many_empty_buffers_gets_to_its_bytes) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    prepare_bufs();
    for (int i = 0; i < COUNT - 1; i++)
        bufs[i].len = 0;
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), bufs, COUNT, on_write));
    run_some(3);
    CHECK_EQ(queued(), 0);
    CHECK_EQ(writes, 1);
    check_received(peer, &letters[COUNT - 1], 1);
    close(peer);
    close_loop();
}

TEST(stream_that_blocks_writes_all_buffers_at_once) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    prepare_bufs();
    CHECK_OK(uv_stream_set_blocking(STREAM(&pipe_handle), 1));
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), bufs, COUNT, on_write));
    CHECK_EQ(queued(), 0);
    check_received(peer, letters, COUNT);
    close(peer);
    close_loop();
}
