/* Allocations that fail: UV_ENOMEM, and everything as it was. */

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "uv.h"

static bool failing;

static void* my_malloc(size_t size) {
    return failing ? NULL : malloc(size);
}

static void* my_calloc(size_t count, size_t size) {
    return failing ? NULL : calloc(count, size);
}

static void* my_realloc(void* ptr, size_t size) {
    return failing ? NULL : realloc(ptr, size);
}

static uv_loop_t loop;
static uv_pipe_t pipe_handle, other;
static int calls;
static ssize_t read_result;

static void open_loop(void) {
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, free));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 1));
    CHECK_OK(uv_pipe_init(&loop, &other, 0));
}

static void close_loop(void) {
    failing = false;
    uv_close((uv_handle_t*)&pipe_handle, NULL);
    uv_close((uv_handle_t*)&other, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_OK(uv_loop_close(&loop));
}

static void on_write(uv_write_t* req, int status) {
    (void)req;
    CHECK_OK(status);
    calls++;
}

static void on_connection(uv_stream_t* stream, int status) {
    (void)stream;
    (void)status;
    calls++;
}

TEST(write_of_many_buffers_without_memory_changes_nothing) {
    int fds[2];
    char got[8] = {0};
    uv_write_t req;
    uv_buf_t bufs[5];
    for (int i = 0; i < 5; i++)
        bufs[i] = uv_buf_init("abcde" + i, 1);
    open_loop();
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, 0, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    failing = true;
    CHECK_EQ(uv_write(&req, (uv_stream_t*)&pipe_handle, bufs, 5, on_write), UV_ENOMEM);
    CHECK_EQ(pipe_handle.write_queue_size, 0);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    CHECK_OK(uv_write(&req, (uv_stream_t*)&pipe_handle, bufs, 4, on_write));
    failing = false;
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(calls, 1);
    CHECK_EQ(read(fds[1], got, sizeof(got)), 4);
    CHECK_STR(got, "abcd");
    close(fds[1]);
    close_loop();
}

TEST(bind_and_listen_without_memory_can_be_tried_again) {
    open_loop();
    failing = true;
    CHECK_EQ(uv_pipe_bind(&other, "socket"), UV_ENOMEM);
    CHECK_EQ(access("socket", F_OK), -1);
    failing = false;
    CHECK_OK(uv_pipe_bind(&other, "socket"));
    failing = true;
    CHECK_EQ(uv_listen((uv_stream_t*)&other, 1, on_connection), UV_ENOMEM);
    CHECK(!uv_is_active((uv_handle_t*)&other));
    failing = false;
    CHECK_OK(uv_listen((uv_stream_t*)&other, 1, on_connection));
    close_loop();
}

TEST(open_of_a_high_descriptor_without_memory_leaves_it_to_the_caller) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, 0, 0));
    int high = fcntl(fds[0], F_DUPFD_CLOEXEC, 900);
    CHECK_GE(high, 900);
    failing = true;
    CHECK_EQ(uv_pipe_open(&pipe_handle, high), UV_ENOMEM);
    failing = false;
    CHECK(!uv_is_writable((uv_stream_t*)&pipe_handle));
    CHECK_OK(uv_pipe_open(&pipe_handle, high));
    close(fds[0]);
    close(fds[1]);
    close_loop();
}

static char room[100];

static void give_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(room, sizeof(room));
}

static void on_read(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    (void)stream;
    (void)buf;
    read_result = result;
}

/* Three descriptors in one message: one has its place, the others need a list. */
static void send_three(int to, int fd) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(3 * sizeof(int))];
    } control = {0};
    int fds[3] = {fd, fd, fd};
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(fds));
    memcpy(CMSG_DATA(&control.header), fds, sizeof(fds));
    CHECK_EQ(sendmsg(to, &message, 0), 1);
}

TEST(received_descriptors_without_memory_are_closed_and_reported) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, 0, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    CHECK_OK(uv_read_start((uv_stream_t*)&pipe_handle, give_room, on_read));
    uv_run(&loop, UV_RUN_NOWAIT);
    int before = test_open_fds();
    send_three(fds[1], fds[1]);
    failing = true;
    uv_run(&loop, UV_RUN_ONCE);
    failing = false;
    CHECK_EQ(read_result, UV_ENOMEM);
    CHECK_EQ(test_open_fds(), before);
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 0);
    close(fds[1]);
    close_loop();
}

TEST(several_descriptors_in_one_message_all_wait) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, 0, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    CHECK_OK(uv_read_start((uv_stream_t*)&pipe_handle, give_room, on_read));
    send_three(fds[1], fds[1]);
    send_three(fds[1], fds[1]);
    while (uv_pipe_pending_count(&pipe_handle) < 6)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(uv_accept((uv_stream_t*)&pipe_handle, (uv_stream_t*)&other));
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 5);
    close(fds[1]);
    close_loop();
}
