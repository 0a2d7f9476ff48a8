/* Descriptors that arrive over a pipe while others wait, and messages of other kinds. */

#include "behaviour/stream/streams.h"

static uv_pipe_t pipe_handle;

static void send_fds(int to, int fd, int count) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(8 * sizeof(int))];
    } control = {0};
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    for (int i = 0; i < count; i++)
        memcpy(CMSG_DATA(&control.header) + (size_t)i * sizeof(int), &fd, sizeof(fd));
    CHECK_EQ(sendmsg(to, &message, 0), 1);
}

TEST(descriptors_that_arrive_while_others_wait_keep_their_order) {
    uv_pipe_t taken[8];
    int fds[2];
    open_loop();
    int peer = open_pipe(&pipe_handle, 1);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    send_fds(peer, fds[0], 4);
    run_some(2);
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 4);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_pipe_init(&loop, &taken[i], 0));
        CHECK_OK(uv_accept(STREAM(&pipe_handle), STREAM(&taken[i])));
    }
    send_fds(peer, fds[0], 4);
    run_some(2);
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 6);
    for (int i = 2; i < 8; i++) {
        CHECK_EQ(uv_pipe_pending_type(&pipe_handle), UV_NAMED_PIPE);
        CHECK_OK(uv_pipe_init(&loop, &taken[i], 0));
        CHECK_OK(uv_accept(STREAM(&pipe_handle), STREAM(&taken[i])));
    }
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 0);
    close(fds[0]);
    close(fds[1]);
    close_loop();
    close(peer);
}

TEST(messages_with_credentials_are_only_bytes) {
    int on = 1, fd;
    open_loop();
    int peer = open_pipe(&pipe_handle, 1);
    CHECK_OK(uv_fileno(HANDLE(&pipe_handle), &fd));
    CHECK_OK(setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)));
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK_EQ(write(peer, "abc", 3), 3);
    run_some(2);
    CHECK_EQ(read_result, 3);
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 0);
    close_loop();
    close(peer);
}

static uv_work_t outer, inner[3];
static int order[4], done;

static void work(uv_work_t* req) {
    (void)req;
}

static void after_inner(uv_work_t* req, int status) {
    CHECK_OK(status);
    order[done++] = (int)(req - inner) + 1;
}

/* The loop runs inside of a callback: what it finds comes after what was taken before. */
static void after_outer(uv_work_t* req, int status) {
    (void)req;
    CHECK_OK(status);
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_queue_work(&loop, &inner[i], work, after_inner));
    while (done < 3)
        uv_run(&loop, UV_RUN_ONCE);
}

TEST(work_that_ends_inside_of_a_callback_is_told_there) {
    open_loop();
    CHECK_OK(uv_queue_work(&loop, &outer, work, after_outer));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(done, 3);
    close_loop();
}

static uv_sem_t blocked;
static int cancelled;

static void block(uv_work_t* req) {
    (void)req;
    uv_sem_wait(&blocked);
}

static void after_cancel(uv_work_t* req, int status) {
    (void)req;
    cancelled += status == UV_ECANCELED;
}

static void cancel_last(void* req) {
    uv_sleep(50);
    CHECK_OK(uv_cancel(req));
}

TEST(cancel_from_another_thread_wakes_the_loop) {
    uv_work_t busy[4], last;
    uv_thread_t thread;
    open_loop();
    CHECK_OK(setenv("UV_THREADPOOL_SIZE", "4", 1));
    CHECK_OK(uv_sem_init(&blocked, 0));
    for (int i = 0; i < 4; i++)
        CHECK_OK(uv_queue_work(&loop, &busy[i], block, after_cancel));
    CHECK_OK(uv_queue_work(&loop, &last, work, after_cancel));
    CHECK_OK(uv_thread_create(&thread, cancel_last, &last));
    /* Nothing else can wake it: the pool is blocked. */
    while (cancelled == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(uv_thread_join(&thread));
    for (int i = 0; i < 4; i++)
        uv_sem_post(&blocked);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(cancelled, 1);
    uv_sem_destroy(&blocked);
    close_loop();
}

static uv_async_t asyncs[3];
static int async_calls[3];

static void on_async(uv_async_t* handle) {
    int i = (int)(handle - asyncs);
    async_calls[i]++;
    if (i == 0 && async_calls[0] == 1) {
        /* The others were sent before: the loop inside finds them and what is sent now. */
        CHECK_OK(uv_async_send(&asyncs[0]));
        uv_run(&loop, UV_RUN_NOWAIT);
    }
}

TEST(asyncs_sent_inside_of_a_callback_that_runs_the_loop_are_all_told) {
    open_loop();
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_async_init(&loop, &asyncs[i], on_async));
    for (int i = 2; i >= 0; i--)
        CHECK_OK(uv_async_send(&asyncs[i]));
    run_some(3);
    CHECK_EQ(async_calls[0], 2);
    CHECK_EQ(async_calls[1], 1);
    CHECK_EQ(async_calls[2], 1);
    close_loop();
}
