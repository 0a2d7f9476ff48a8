/* Cancelling writes: new in 1.53. */

#include "streams.h"

static uv_pipe_t pipe_handle;
static uv_write_t reqs[4];
static int statuses[4];
static char big[1 << 20];

static void note_status(uv_write_t* req, int status) {
    statuses[req - reqs] = status;
    writes++;
}

static void write_bytes(int i, char* base, size_t size) {
    uv_buf_t buf = uv_buf_init(base, (unsigned)size);
    statuses[i] = 1;
    CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, note_status));
}

/* Reads what has arrived, while the loop goes on. */
static size_t drain(int fd, char* last) {
    static char got[1 << 16];
    size_t total = 0;
    ssize_t n;
    for (int quiet = 0; quiet < 3;) {
        n = recv(fd, got, sizeof(got), MSG_DONTWAIT);
        quiet = n > 0 ? 0 : quiet + 1;
        if (n > 0) {
            total += (size_t)n;
            *last = got[n - 1];
        }
        run_some(1);
    }
    return total;
}

TEST(cancel_of_a_sent_write_comes_too_late_as_its_callback_tells) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_bytes(0, big, 10);
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[0]));
    CHECK_EQ(uv_write_nwritten(&reqs[0]), 10);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_OK(statuses[0]);
    CHECK_EQ(uv_write_nwritten(&reqs[0]), 10);
    close(peer);
    close_loop();
}

TEST(cancel_of_a_queued_write_sends_none_of_it) {
    char last = 0;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_bytes(0, big, sizeof(big));
    write_bytes(1, "never", 5);
    write_bytes(2, "z", 1);
    CHECK_EQ(pipe_handle.write_queue_size, sizeof(big) - uv_write_nwritten(&reqs[0]) + 6);
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[1]));
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[1]));
    CHECK_EQ(writes, 0);
    run_some(1);
    CHECK_EQ(writes, 1);
    CHECK_EQ(statuses[1], UV_ECANCELED);
    CHECK_EQ(uv_write_nwritten(&reqs[1]), 0);
    CHECK_EQ(drain(peer, &last), sizeof(big) + 1);
    CHECK_EQ(last, 'z');
    CHECK_OK(statuses[0]);
    CHECK_OK(statuses[2]);
    CHECK_EQ(pipe_handle.write_queue_size, 0);
    close(peer);
    close_loop();
}

TEST(cancel_of_a_partly_sent_write_drops_the_rest) {
    char last = 0;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_bytes(0, big, sizeof(big));
    write_bytes(1, "z", 1);
    size_t sent = uv_write_nwritten(&reqs[0]);
    CHECK_GT(sent, 0);
    CHECK_LT(sent, sizeof(big));
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[0]));
    run_some(1);
    CHECK_EQ(statuses[0], UV_ECANCELED);
    CHECK_EQ(uv_write_nwritten(&reqs[0]), sent);
    CHECK_EQ(pipe_handle.write_queue_size, 1);
    CHECK_EQ(drain(peer, &last), sent + 1);
    CHECK_EQ(last, 'z');
    CHECK_OK(statuses[1]);
    close(peer);
    close_loop();
}

TEST(cancel_of_the_only_write_lets_the_loop_end) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_bytes(0, big, sizeof(big));
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[0]));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(statuses[0], UV_ECANCELED);
    CHECK_EQ(pipe_handle.write_queue_size, 0);
    close(peer);
    close_loop();
}

TEST(cancel_of_the_last_write_lets_a_shutdown_go_on) {
    uv_shutdown_t req;
    char last;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_bytes(0, big, sizeof(big));
    CHECK_OK(uv_shutdown(&req, STREAM(&pipe_handle), on_shutdown));
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[0]));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(shutdowns, 1);
    CHECK_OK(shutdown_status);
    CHECK_EQ(drain(peer, &last), uv_write_nwritten(&reqs[0]));
    close(peer);
    close_loop();
}

TEST(cancel_while_connecting_does_not_end_the_connect) {
    uv_tcp_t tcp;
    uv_connect_t connecting;
    struct sockaddr_in address;
    int listener = raw_listener(&address);
    uv_buf_t buf = text_buf("no");
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connecting, &tcp, (struct sockaddr*)&address, on_connect));
    CHECK_OK(uv_write(&reqs[0], STREAM(&tcp), &buf, 1, note_status));
    CHECK_OK(uv_write(&reqs[1], STREAM(&tcp), &buf, 1, note_status));
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[0]));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connects, 1);
    CHECK_OK(connect_status);
    CHECK_EQ(statuses[0], UV_ECANCELED);
    CHECK_OK(statuses[1]);
    int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    expect_bytes(peer, "no");
    close(peer);
    close(listener);
    close_loop();
}

TEST(cancelled_write_on_a_closing_stream_is_called_back_once) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_bytes(0, big, sizeof(big));
    write_bytes(1, big, sizeof(big));
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[1]));
    uv_close(HANDLE(&pipe_handle), on_close);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(writes, 2);
    CHECK_EQ(closes, 1);
    CHECK_EQ(statuses[0], UV_ECANCELED);
    CHECK_EQ(statuses[1], UV_ECANCELED);
    close(peer);
    close_loop();
}

static void note_order(uv_write_t* req, int status) {
    note_status(req, status);
    CHECK_EQ(req - reqs, writes - 1);
}

TEST(cancel_on_a_closing_stream_says_ebusy_and_keeps_the_order) {
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, note_order));
    uv_close(HANDLE(&pipe_handle), on_close);
    CHECK_EQ(uv_cancel((uv_req_t*)&reqs[2]), UV_EBUSY);
    CHECK_EQ(uv_cancel((uv_req_t*)&reqs[1]), UV_EBUSY);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(writes, 3);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(statuses[i], UV_ECANCELED);
    close(peer);
    close_loop();
}
