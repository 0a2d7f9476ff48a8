/* Numbers on both sides of a limit, and functions that did not do what was asked. */

#include <netinet/tcp.h>
#include <phasor.h>
#include <sys/stat.h>

#include "behaviour/stream/streams.h"

static uv_tcp_t tcp;
static uv_udp_t udp, sender;

TEST(keepalive_needs_each_of_its_three_numbers) {
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 0, 1, 1), UV_EINVAL);
    CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 1, 0, 1), UV_EINVAL);
    CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 1, 1, 0), UV_EINVAL);
    CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 0), UV_EINVAL);
    CHECK_OK(uv_tcp_keepalive_ex(&tcp, 1, 1, 1, 1));
    CHECK_OK(uv_tcp_keepalive_ex(&tcp, 0, 0, 0, 0));
    CHECK_OK(uv_tcp_keepalive(&tcp, 0, 0));
    close_loop();
}

TEST(options_that_were_taken_back_before_there_was_a_socket_are_off) {
    struct sockaddr_in address = localhost(0);
    int fd, value = -1;
    socklen_t size = sizeof(value);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_nodelay(&tcp, 1));
    CHECK_OK(uv_tcp_nodelay(&tcp, 0));
    CHECK_OK(uv_tcp_keepalive(&tcp, 1, 60));
    CHECK_OK(uv_tcp_keepalive(&tcp, 0, 60));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_fileno(HANDLE(&tcp), &fd));
    CHECK_OK(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &size));
    CHECK_EQ(value, 0);
    CHECK_OK(getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &value, &size));
    CHECK_EQ(value, 0);
    close_loop();
}

static int pool_with(unsigned least, unsigned most, int priority) {
    struct phasor_pool_options options = {
        .threads_least = least, .threads_most = most, .thread_priority = priority};
    phasor_pool_t* pool = NULL;
    int err = phasor_pool_new(&pool, &options);
    CHECK_EQ(pool != NULL, err == 0);
    if (err == 0)
        CHECK_OK(phasor_pool_free(pool));
    return err;
}

TEST(pool_has_at_least_one_thread_and_at_most_1024) {
    CHECK_OK(pool_with(0, 1, 0));
    CHECK_OK(pool_with(1, 0, 0));
    CHECK_OK(pool_with(0, 1024, 0));
    CHECK_OK(pool_with(1, 1024, 0));
    CHECK_EQ(pool_with(0, 0, 0), UV_EINVAL);
    CHECK_EQ(pool_with(0, 1025, 0), UV_EINVAL);
    CHECK_EQ(pool_with(1025, 0, 0), UV_EINVAL);
}

TEST(pool_may_keep_all_its_threads_but_no_more_than_it_has) {
    CHECK_OK(pool_with(3, 3, 0));
    CHECK_EQ(pool_with(4, 3, 0), UV_EINVAL);
}

TEST(threads_of_a_pool_have_one_of_the_five_priorities) {
    CHECK_OK(pool_with(1, 1, UV_THREAD_PRIORITY_LOWEST));
    CHECK_OK(pool_with(1, 1, UV_THREAD_PRIORITY_HIGHEST));
    CHECK_EQ(pool_with(1, 1, UV_THREAD_PRIORITY_LOWEST - 1), UV_EINVAL);
    CHECK_EQ(pool_with(1, 1, UV_THREAD_PRIORITY_HIGHEST + 1), UV_EINVAL);
}

static int datagrams;

static void count_datagram(uv_udp_t* handle, ssize_t size, const uv_buf_t* buf,
                           const struct sockaddr* from, unsigned flags) {
    (void)handle, (void)buf, (void)flags;
    CHECK_GE(size, 0);
    datagrams += from != NULL;
}

static void send_datagrams(int count) {
    struct sockaddr_in address;
    int size = sizeof(address);
    uv_buf_t buf = text_buf("datagram");
    CHECK_OK(uv_udp_getsockname(&udp, (struct sockaddr*)&address, &size));
    while (count-- > 0)
        CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, (struct sockaddr*)&address), 8);
}

TEST(udp_takes_32_datagrams_in_a_turn_so_that_others_get_theirs) {
    struct sockaddr_in address = localhost(0);
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_init(&loop, &sender));
    CHECK_OK(uv_udp_bind(&udp, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_recv_start(&udp, give_room, count_datagram));
    send_datagrams(40);
    run_some(1);
    CHECK_EQ(datagrams, 32);
    run_some(1);
    CHECK_EQ(datagrams, 40);
    close_loop();
}

TEST(udp_that_was_stopped_forgets_its_callbacks_and_hears_nothing) {
    struct sockaddr_in address = localhost(0);
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_init(&loop, &sender));
    CHECK_OK(uv_udp_bind(&udp, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_recv_start(&udp, give_room, count_datagram));
    CHECK(uv_is_active(HANDLE(&udp)));
    CHECK_EQ(uv_udp_recv_start(&udp, give_room, count_datagram), UV_EALREADY);
    CHECK_OK(uv_udp_recv_stop(&udp));
    CHECK(udp.alloc_cb == NULL && udp.recv_cb == NULL);
    CHECK(!uv_is_active(HANDLE(&udp)));
    send_datagrams(1);
    run_some(2);
    CHECK_EQ(datagrams, 0);
    CHECK_OK(uv_udp_recv_start(&udp, give_room, count_datagram));
    run_some(2);
    CHECK_EQ(datagrams, 1);
    close_loop();
}

TEST(udp_whose_name_is_taken_is_as_it_was) {
    struct sockaddr_in address = localhost(0);
    int fd;
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_init(&loop, &sender));
    CHECK_OK(phasor_udp_bind_unix(&udp, "name", 4));
    CHECK_EQ(phasor_udp_bind_unix(&sender, "name", 4), UV_EADDRINUSE);
    CHECK_EQ(uv_fileno(HANDLE(&sender), &fd), UV_EBADF);
    CHECK_EQ(phasor_udp_connect_unix(&sender, "nobody", 6), UV_ENOENT);
    CHECK_EQ(uv_fileno(HANDLE(&sender), &fd), UV_EBADF);
    CHECK_OK(uv_udp_bind(&sender, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_fileno(HANDLE(&sender), &fd));
    CHECK_EQ(uv_udp_bind(&udp, (struct sockaddr*)&address, 0), UV_EINVAL);
    CHECK_OK(uv_fileno(HANDLE(&udp), &fd));
    close_loop();
}

static uv_process_t process;

static void on_exit_of_child(uv_process_t* handle, int64_t status, int signal) {
    (void)handle, (void)status, (void)signal;
}

TEST(process_that_could_not_be_started_has_no_number_and_can_be_closed) {
    char* args[] = {(char*)(uintptr_t) "missing", NULL};
    uv_process_options_t options = {
        .file = "/nowhere/to/be/found", .args = args, .exit_cb = on_exit_of_child};
    open_loop();
    memset(&process, 1, sizeof(process));
    CHECK_EQ(uv_spawn(&loop, &process, &options), UV_ENOENT);
    CHECK_EQ(uv_process_get_pid(&process), 0);
    CHECK(process.exit_cb == on_exit_of_child);
    CHECK_EQ(uv_process_kill(&process, 0), UV_ESRCH);
    CHECK(!uv_is_active(HANDLE(&process)));
    close_loop();
}

TEST(metrics_are_written_whole) {
    uv_metrics_t metrics;
    open_loop();
    memset(&metrics, 0xff, sizeof(metrics));
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    CHECK_EQ(metrics.loop_count, 0);
    CHECK_EQ(metrics.events, 0);
    CHECK_EQ(metrics.events_waiting, 0);
    for (size_t i = 0; i < sizeof(metrics.reserved) / sizeof(metrics.reserved[0]); i++)
        CHECK(metrics.reserved[i] == 0);
    CHECK_EQ(uv_metrics_idle_time(&loop), 0);
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    CHECK_EQ(uv_metrics_idle_time(&loop), 0);
    run_some(1);
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    CHECK_EQ(metrics.events, 0);
    close_loop();
}

static void on_signal(uv_signal_t* handle, int signum) {
    (void)handle, (void)signum;
}

TEST(signals_are_caught_with_everything_blocked_but_faults) {
    uv_signal_t handle;
    struct sigaction action;
    open_loop();
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, on_signal, SIGUSR1));
    CHECK_OK(sigaction(SIGUSR1, NULL, &action));
    CHECK(!sigismember(&action.sa_mask, SIGSEGV));
    CHECK(!sigismember(&action.sa_mask, SIGSYS));
    CHECK(sigismember(&action.sa_mask, SIGUSR2));
    CHECK(sigismember(&action.sa_mask, SIGINT));
    CHECK_EQ(action.sa_flags & (SA_RESTART | SA_NOCLDSTOP | SA_NOCLDWAIT | (int)SA_RESETHAND),
             SA_RESTART);
    CHECK_OK(uv_signal_stop(&handle));
    CHECK_OK(uv_signal_start_oneshot(&handle, on_signal, SIGUSR1));
    CHECK_OK(sigaction(SIGUSR1, NULL, &action));
    CHECK(action.sa_flags & (int)SA_RESETHAND);
    uv_close(HANDLE(&handle), NULL);
    close_loop();
}

/* More than are sorted by comparing, and each two groups share the bytes that are looked at. */
TEST(names_with_long_common_beginnings_are_sorted_to_the_last) {
    enum { GROUP = 40 };
    char name[64];
    uv_fs_t req;
    uv_dirent_t entry, before = {0};
    static char kept[64];
    CHECK_OK(mkdir("folder", 0700));
    for (int i = 0; i < 3 * GROUP; i++) {
        snprintf(name, sizeof(name), "folder/%c-the-same-%02d", "azm"[i % 3], i * 7 % GROUP);
        CHECK_OK(close(creat(name, 0600)));
    }
    CHECK_EQ(uv_fs_scandir(NULL, &req, "folder", 0, NULL), 3 * GROUP);
    int count = 0;
    for (; uv_fs_scandir_next(&req, &entry) == 0; count++) {
        if (before.name != NULL)
            CHECK_LT(strcmp(kept, entry.name), 0);
        snprintf(kept, sizeof(kept), "%s", entry.name);
        before = entry;
    }
    CHECK_EQ(count, 3 * GROUP);
    uv_fs_req_cleanup(&req);
}

TEST(stream_is_shut_down_once_and_only_while_it_is_open) {
    uv_pipe_t pipe;
    uv_shutdown_t first, second;
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe, 0));
    CHECK_EQ(uv_shutdown(&first, STREAM(&pipe), on_shutdown), UV_ENOTCONN);
    uv_close(HANDLE(&pipe), NULL);
    run_some(1);
    int peer = open_pipe(&pipe, 0);
    CHECK_OK(uv_shutdown(&first, STREAM(&pipe), on_shutdown));
    CHECK_EQ(uv_shutdown(&second, STREAM(&pipe), on_shutdown), UV_ENOTCONN);
    run_some(2);
    CHECK_EQ(shutdowns, 1);
    CHECK_EQ(uv_shutdown(&second, STREAM(&pipe), on_shutdown), UV_ENOTCONN);
    uv_close(HANDLE(&pipe), NULL);
    run_some(1);
    close(peer);
    peer = open_pipe(&pipe, 0);
    uv_close(HANDLE(&pipe), NULL);
    CHECK_EQ(uv_shutdown(&second, STREAM(&pipe), on_shutdown), UV_ENOTCONN);
    close_loop();
    CHECK_EQ(shutdowns, 1);
    close(peer);
}
