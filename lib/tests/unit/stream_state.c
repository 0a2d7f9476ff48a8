/* What streams keep, and what they let go of, between calls. */

#include "behaviour/stream/streams.h"

#include <stddef.h>
#include <sys/un.h>

#include <phasor.h>

#include "os/poller.h"
#include "stream/stream.h"

static uv_tcp_t tcp;
static uv_pipe_t pipe_handle, other;
static uv_connect_t connect_req;
static uv_shutdown_t shutdown_req;
static uv_write_t write_req, second_req;

TEST(number_of_a_closed_stream_is_free_for_another) {
    uv_os_fd_t fd;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_OK(uv_fileno(HANDLE(&pipe_handle), &fd));
    uv_close(HANDLE(&pipe_handle), NULL);
    CHECK(!uv_is_active(HANDLE(&pipe_handle)));
    CHECK(!ph_poller_watches(&loop, fd));
    int again = dup(peer);
    CHECK_EQ(again, fd);
    CHECK_OK(uv_pipe_init(&loop, &other, 0));
    CHECK_OK(uv_pipe_open(&other, again));
    close_loop();
    close(peer);
}

TEST(listener_that_closes_is_not_active) {
    struct sockaddr_in any = localhost(0);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&any, 0));
    CHECK_OK(uv_listen(STREAM(&tcp), 1, NULL));
    CHECK(uv_is_active(HANDLE(&tcp)));
    uv_close(HANDLE(&tcp), NULL);
    CHECK(!uv_is_active(HANDLE(&tcp)));
    close_loop();
}

TEST(stopped_stream_is_not_watched_any_more) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK(ph_watcher_wants(&pipe_handle.io_watcher, EPOLLIN));
    CHECK_OK(uv_read_stop(STREAM(&pipe_handle)));
    CHECK(!ph_watcher_wants(&pipe_handle.io_watcher, EPOLLIN));
    CHECK(pipe_handle.alloc_cb == NULL && pipe_handle.read_cb == NULL);
    close_loop();
    close(peer);
}

static char much[1 << 20];

static void fill_kernel(void) {
    uv_buf_t buf = uv_buf_init(much, sizeof(much));
    CHECK_OK(uv_write(&write_req, STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK(ph_watcher_wants(&pipe_handle.io_watcher, EPOLLOUT));
}

TEST(stream_that_has_written_everything_is_not_watched_for_room) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    fill_kernel();
    while (writes == 0) {
        char got[4096];
        while (take(peer, got, sizeof(got)) > 0)
            continue;
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    CHECK_OK(write_status);
    CHECK(!ph_watcher_wants(&pipe_handle.io_watcher, EPOLLOUT));
    close_loop();
    close(peer);
}

TEST(stream_whose_last_write_was_cancelled_is_not_watched_for_room) {
    uv_buf_t byte = text_buf("x");
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    fill_kernel();
    CHECK_OK(uv_write(&second_req, STREAM(&pipe_handle), &byte, 1, on_write));
    CHECK_OK(uv_cancel((uv_req_t*)&second_req));
    CHECK(ph_watcher_wants(&pipe_handle.io_watcher, EPOLLOUT));
    CHECK_OK(uv_cancel((uv_req_t*)&write_req));
    CHECK(!ph_watcher_wants(&pipe_handle.io_watcher, EPOLLOUT));
    close_loop();
    CHECK_EQ(writes, 2);
    close(peer);
}

static int cancelled = 1;

static void cancel_second(uv_write_t* req, int status) {
    on_write(req, status);
    cancelled = uv_cancel((uv_req_t*)&second_req);
}

/* It is not told of again: its own status is on its way. */
TEST(write_that_has_failed_with_others_is_over) {
    struct sockaddr_in address;
    uv_buf_t byte = text_buf("x");
    open_loop();
    int listener = raw_listener(&address);
    close(listener);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, on_connect));
    CHECK_OK(uv_write(&write_req, STREAM(&tcp), &byte, 1, cancel_second));
    CHECK_OK(uv_write(&second_req, STREAM(&tcp), &byte, 1, on_write));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connect_status, UV_ECONNREFUSED);
    CHECK_EQ(writes, 2);
    CHECK_EQ(write_status, UV_ECANCELED);
    CHECK_OK(cancelled);
    close_loop();
    CHECK_EQ(writes, 2);
}

static char order[8];

static void note_write(uv_write_t* req, int status) {
    on_write(req, status);
    strcat(order, "w");
}

static void note_connect(uv_connect_t* req, int status) {
    on_connect(req, status);
    strcat(order, "c");
}

TEST(write_cancelled_while_connecting_is_told_before_the_connection) {
    struct sockaddr_in address;
    uv_buf_t byte = text_buf("x");
    open_loop();
    int listener = raw_listener(&address);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, note_connect));
    CHECK_OK(uv_write(&write_req, STREAM(&tcp), &byte, 1, note_write));
    CHECK_OK(uv_cancel((uv_req_t*)&write_req));
    while (strlen(order) < 2)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(order, "wc");
    CHECK_EQ(write_status, UV_ECANCELED);
    CHECK_OK(connect_status);
    close_loop();
    close(listener);
}

TEST(connection_that_is_there_at_once_has_no_error) {
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &other, 0));
    CHECK_OK(uv_pipe_bind(&other, "socket"));
    CHECK_OK(uv_listen(STREAM(&other), 1, NULL));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    errno = EIO; /* of an earlier call */
    uv_pipe_connect(&connect_req, &pipe_handle, "socket", on_connect);
    while (connects == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    close_loop();
}

TEST(connecting_again_does_not_open_what_was_shut) {
    struct sockaddr_in address;
    open_loop();
    int listener = raw_listener(&address);
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&tcp), on_shutdown));
    CHECK_EQ(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, on_connect),
             UV_EISCONN);
    CHECK_EQ(uv_shutdown(&shutdown_req, STREAM(&tcp), on_shutdown), UV_ENOTCONN);
    close_loop();
    CHECK_EQ(shutdowns, 1);
    close(peer);
    close(listener);
}

TEST(address_that_tcp_has_none_of_is_refused_before_there_is_a_socket) {
    struct sockaddr_in nowhere = {.sin_family = 77}, somewhere = localhost(1);
    uv_os_fd_t fd;
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&nowhere, on_connect), UV_EINVAL);
    CHECK_EQ(uv_fileno(HANDLE(&tcp), &fd), UV_EBADF);
    uv_close(HANDLE(&tcp), NULL);
    CHECK_EQ(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&somewhere, on_connect),
             UV_EINVAL);
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_EQ(uv_tcp_connect(&connect_req, (uv_tcp_t*)&pipe_handle, (struct sockaddr*)&somewhere,
                            on_connect),
             UV_EINVAL);
    close_loop();
}

static int rooms;

static void give_no_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle, (void)suggested;
    rooms++;
    CHECK(buf->base == NULL && buf->len == 0);
}

TEST(stream_without_room_asks_once_a_turn) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_EQ(write(peer, "x", 1), 1);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_no_room, on_read));
    for (int i = 1; i < 4; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(rooms, i);
        CHECK_EQ(reads, i);
        CHECK_EQ(read_result, UV_ENOBUFS);
    }
    close_loop();
    close(peer);
}

TEST(pipe_that_was_never_named_has_the_empty_name) {
    char name[8];
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    for (int i = 0; i < 2; i++) {
        size_t size = sizeof(name);
        memset(name, 'x', sizeof(name));
        test_dirty_stack();
        CHECK_OK(i == 0 ? uv_pipe_getsockname(&pipe_handle, name, &size)
                        : uv_pipe_getpeername(&pipe_handle, name, &size));
        CHECK_EQ(size, 0);
        CHECK_EQ(name[0], '\0');
        CHECK_EQ(name[1], 'x');
    }
    close_loop();
    close(peer);
}

TEST(abstract_name_may_be_the_nul_alone) {
    char name[8];
    size_t size = sizeof(name);
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_bind2(&pipe_handle, "\0", 1, 0));
    memset(name, 'x', sizeof(name));
    CHECK_OK(uv_pipe_getsockname(&pipe_handle, name, &size));
    CHECK_EQ(size, 1);
    CHECK_EQ(name[0], '\0');
    close_loop();
}

TEST(mode_of_a_pipe_is_set_whatever_errno_says) {
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_bind(&pipe_handle, "socket"));
    errno = EIO;
    CHECK_OK(uv_pipe_chmod(&pipe_handle, UV_READABLE));
    close_loop();
}

TEST(blocking_stream_sends_first_what_was_gathered) {
    uv_buf_t byte = text_buf("x");
    open_loop();
    phasor_loop_batch_writes(&loop, 1);
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_write(&write_req, STREAM(&pipe_handle), &byte, 1, on_write));
    CHECK_EQ(take(peer, much, 1), -EAGAIN);
    CHECK_OK(uv_stream_set_blocking(STREAM(&pipe_handle), 1));
    expect_bytes(peer, "x");
    close_loop();
    close(peer);
}
