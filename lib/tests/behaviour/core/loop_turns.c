// threaded
/* What is started in a turn calls back in a later one. */

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_poll_t poll_handle;
static uv_check_t check;
static uv_async_t async, other;
static uv_work_t work, last;
static uv_sem_t finished;
static void (*in_poll)(void);
static char record[64];
static int fd;

static void note(const char* what) {
    strcat(record, what);
}

static void on_check(uv_check_t* handle) {
    (void)handle;
    note("c");
}

static void on_async(uv_async_t* handle) {
    note(handle == &async ? "a" : "o");
}

static void do_nothing(uv_work_t* req) {
    (void)req;
}

static void say_finished(uv_work_t* req) {
    (void)req;
    uv_sem_post(&finished);
}

static void after(uv_work_t* req, int status) {
    CHECK_OK(status);
    note(req == &work ? "w" : "");
}

/* With one thread in the pool, the first has been handed to the loop when the second runs. */
static void finish_work(void) {
    CHECK_OK(uv_queue_work(&loop, &work, do_nothing, after));
    CHECK_OK(uv_queue_work(&loop, &last, say_finished, after));
    uv_sem_wait(&finished);
}

static void on_poll(uv_poll_t* handle, int status, int events) {
    CHECK_OK(status);
    CHECK_EQ(events, UV_READABLE);
    note("p");
    CHECK_OK(uv_poll_stop(handle));
    if (in_poll != NULL)
        in_poll();
}

static void open_all(void) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    fd = eventfd(1, EFD_CLOEXEC);
    CHECK_OK(uv_sem_init(&finished, 0));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &poll_handle, fd));
    CHECK_OK(uv_poll_start(&poll_handle, UV_READABLE, on_poll));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, on_check));
    CHECK_OK(uv_async_init(&loop, &async, on_async));
    CHECK_OK(uv_async_init(&loop, &other, on_async));
}

static void close_handle(uv_handle_t* handle, void* arg) {
    (void)arg;
    uv_close(handle, NULL);
}

static void run_and_close(const char* expected) {
    for (int i = 0; i < 200 && strlen(record) < strlen(expected); i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_STR(record, expected);
    uv_check_stop(&check);
    uv_walk(&loop, close_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fd);
    uv_sem_destroy(&finished);
}

static void send_async(void) {
    CHECK_OK(uv_async_send(&async));
}

TEST(mail_comes_before_descriptors_and_work_before_asyncs) {
    open_all();
    send_async();
    finish_work();
    run_and_close("wapc");
}

TEST(a_wake_up_sent_by_a_poll_callback_comes_after_check) {
    open_all();
    in_poll = send_async;
    run_and_close("pcac");
}

TEST(work_finished_during_a_poll_callback_comes_after_check) {
    open_all();
    in_poll = finish_work;
    run_and_close("pcwc");
}

static void raise_signal(void) {
    raise(SIGUSR1);
}

static void on_signal(uv_signal_t* handle, int signum) {
    (void)handle;
    CHECK_EQ(signum, SIGUSR1);
    note("s");
}

TEST(a_signal_raised_by_a_poll_callback_comes_after_check) {
    uv_signal_t handle;
    open_all();
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, on_signal, SIGUSR1));
    in_poll = raise_signal;
    run_and_close("pcsc");
}

TEST(signals_come_after_descriptors_of_the_same_turn) {
    uv_signal_t handle;
    open_all();
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, on_signal, SIGUSR1));
    raise_signal();
    run_and_close("psc");
}

static void after_then_send(uv_work_t* req, int status) {
    after(req, status);
    send_async();
}

TEST(a_wake_up_sent_when_work_has_ended_comes_after_check) {
    open_all();
    uv_poll_stop(&poll_handle);
    CHECK_OK(uv_queue_work(&loop, &work, do_nothing, after_then_send));
    CHECK_OK(uv_queue_work(&loop, &last, say_finished, after));
    uv_sem_wait(&finished);
    run_and_close("wcac");
}

static uv_fs_t fs;

static void on_fs(uv_fs_t* req) {
    CHECK_EQ(req->result, 0);
    note("f");
    uv_fs_req_cleanup(req);
}

/* A close is what a queue inside the loop could finish at once. */
static void close_a_file(void) {
    CHECK_OK(uv_fs_close(&loop, &fs, open("/dev/null", O_RDONLY), on_fs));
    CHECK_OK(uv_queue_work(&loop, &last, say_finished, after));
    uv_sem_wait(&finished);
}

TEST(a_file_request_started_by_a_poll_callback_comes_after_check) {
    open_all();
    in_poll = close_a_file;
    run_and_close("pcfc");
}

enum { ASYNCS = 300 };

static uv_async_t asyncs[ASYNCS];
static int next_expected;

static void expect_order(uv_async_t* handle) {
    CHECK_EQ(handle - asyncs, next_expected);
    next_expected += 1;
}

static void send_in_order(int first, int step) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < ASYNCS; i++)
        CHECK_OK(uv_async_init(&loop, &asyncs[i], expect_order));
    for (int i = 0; i < ASYNCS; i++)
        CHECK_OK(uv_async_send(&asyncs[(first + i * step) % ASYNCS]));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(next_expected, ASYNCS);
    uv_walk(&loop, close_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(asyncs_sent_forwards_are_called_in_the_order_of_init) {
    send_in_order(0, 1);
}

TEST(asyncs_sent_backwards_are_called_in_the_order_of_init) {
    send_in_order(ASYNCS - 1, ASYNCS - 1);
}

TEST(asyncs_sent_in_no_order_are_called_in_the_order_of_init) {
    send_in_order(17, 101);
}

static uv_poll_t many[1500];
static int polled;

static void send_once(uv_poll_t* handle, int status, int events) {
    (void)handle, (void)status, (void)events;
    if (polled++ == 0)
        send_async();
}

/* More descriptors than one batch has room for: they are asked for again in the same turn. */
TEST(a_second_batch_of_descriptors_brings_no_mail) {
    enum { COUNT = sizeof(many) / sizeof(many[0]) };
    test_need_fds(COUNT + 200);
    open_all();
    CHECK_OK(uv_poll_stop(&poll_handle));
    int first = fcntl(fd, F_DUPFD_CLOEXEC, 100);
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQ(i == 0 ? first : dup2(fd, first + i), first + i);
        CHECK_OK(uv_poll_init(&loop, &many[i], first + i));
        CHECK_OK(uv_poll_start(&many[i], UV_READABLE, send_once));
    }
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_GE(polled, COUNT);
    CHECK_STR(record, "c");
    run_and_close("cac");
    for (int i = 0; i < COUNT; i++)
        close(first + i);
}

static void run_inside(uv_work_t* req, int status) {
    after(req, status);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    note("i");
}

TEST(a_loop_run_inside_a_callback_goes_on_with_what_was_taken) {
    open_all();
    CHECK_OK(uv_poll_stop(&poll_handle));
    send_async();
    CHECK_OK(uv_queue_work(&loop, &work, do_nothing, run_inside));
    CHECK_OK(uv_queue_work(&loop, &last, say_finished, after));
    uv_sem_wait(&finished);
    run_and_close("wacic");
}

static uv_async_t closer, closed;

static void close_and_run(uv_async_t* handle) {
    (void)handle;
    note("a");
    uv_close((uv_handle_t*)&closed, NULL);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    memset(&closed, 0xff, sizeof(closed));
}

TEST(a_handle_closed_by_a_loop_inside_a_callback_is_not_touched_again) {
    open_all();
    CHECK_OK(uv_poll_stop(&poll_handle));
    CHECK_OK(uv_async_init(&loop, &closer, close_and_run));
    CHECK_OK(uv_async_init(&loop, &closed, on_async));
    CHECK_OK(uv_async_send(&closed));
    CHECK_OK(uv_async_send(&closer));
    run_and_close("acc");
}
