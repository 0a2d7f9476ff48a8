/* System calls that a sandbox refuses, with the error of a kernel that lacks them or with that of
 * old rules of containers, have another way. */

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static void refuse(long call, int error) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        test_skip("there are no filters for system calls");
}

static void check_random_without_its_call(int error) {
    unsigned char bytes[64] = {0};
    int zeros = 0;
    refuse(SYS_getrandom, error);
    CHECK_OK(uv_random(NULL, NULL, bytes, sizeof(bytes), 0, NULL));
    for (size_t i = 0; i < sizeof(bytes); i++)
        zeros += bytes[i] == 0;
    CHECK_LT(zeros, 16);
}

TEST(random_comes_from_the_device_where_the_kernel_has_no_call_for_it) {
    check_random_without_its_call(ENOSYS);
}

TEST(random_comes_from_the_device_where_a_sandbox_refuses_its_call) {
    check_random_without_its_call(EPERM);
}

static int status_seen = 1;

static void on_write(uv_write_t* req, int status) {
    (void)req;
    status_seen = status;
}

static void check_pipe_without_its_call(int error) {
    uv_loop_t loop;
    uv_pipe_t pipe;
    uv_write_t req;
    uv_buf_t buf = uv_buf_init("text", 4);
    int fds[2];
    char got[8] = "";
    refuse(SYS_pwritev2, error);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe, 0));
    CHECK_OK(uv_pipe_open(&pipe, fds[1]));
    CHECK_OK(uv_write(&req, (uv_stream_t*)&pipe, &buf, 1, on_write));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(status_seen);
    CHECK_EQ(read(fds[0], got, sizeof(got)), 4);
    CHECK_STR(got, "text");
    uv_close((uv_handle_t*)&pipe, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_OK(uv_loop_close(&loop));
    close(fds[0]);
}

TEST(pipe_is_written_to_where_the_kernel_has_no_call_that_spares_the_signal) {
    check_pipe_without_its_call(ENOSYS);
}

TEST(pipe_is_written_to_where_a_sandbox_refuses_the_call_that_spares_the_signal) {
    check_pipe_without_its_call(EPERM);
}

TEST(pipe_is_written_to_where_a_sandbox_denies_the_call_that_spares_the_signal) {
    check_pipe_without_its_call(EACCES);
}

TEST(random_comes_from_the_device_where_a_sandbox_denies_its_call) {
    check_random_without_its_call(EACCES);
}

static void check_stat_without_its_call(int error) {
    uv_fs_t req;
    FILE* file = fopen("file", "w");
    fputs("text", file);
    fclose(file);
    refuse(SYS_statx, error);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_fs_stat(NULL, &req, "file", NULL));
        CHECK_EQ(req.statbuf.st_size, 4);
        CHECK_GT(req.statbuf.st_birthtim.tv_sec, 0);
        uv_fs_req_cleanup(&req);
        CHECK_EQ(uv_fs_stat(NULL, &req, "missing", NULL), UV_ENOENT);
        uv_fs_req_cleanup(&req);
    }
}

TEST(stat_works_where_the_kernel_has_no_statx) {
    check_stat_without_its_call(ENOSYS);
}

TEST(stat_works_where_a_sandbox_refuses_statx) {
    check_stat_without_its_call(EPERM);
}

TEST(stat_works_where_a_sandbox_denies_statx) {
    check_stat_without_its_call(EACCES);
}

static void check_copy_without_its_calls(int error) {
    uv_fs_t req;
    char got[8] = "";
    FILE* file = fopen("from", "w");
    fputs("text", file);
    fclose(file);
    refuse(SYS_copy_file_range, error);
    refuse(SYS_sendfile, error);
    CHECK_OK(uv_fs_copyfile(NULL, &req, "from", "to", 0, NULL));
    uv_fs_req_cleanup(&req);
    file = fopen("to", "r");
    CHECK_EQ(fread(got, 1, sizeof(got), file), 4);
    fclose(file);
    CHECK_STR(got, "text");
}

TEST(files_are_copied_where_the_kernel_has_no_call_for_it) {
    check_copy_without_its_calls(ENOSYS);
}

TEST(files_are_copied_where_a_sandbox_refuses_the_calls_for_it) {
    check_copy_without_its_calls(EPERM);
}

TEST(files_are_copied_where_a_sandbox_denies_the_calls_for_it) {
    check_copy_without_its_calls(EACCES);
}

enum { DATAGRAMS = 5 };

static uv_loop_t datagram_loop;
static uv_udp_t receiver, sender;
static int received, sent;

static void give_large_buffer(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    static char room[4 << 16];
    (void)handle, (void)suggested;
    *buf = uv_buf_init(room, sizeof(room));
}

static void on_datagram(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                        const struct sockaddr* from, unsigned flags) {
    (void)handle, (void)flags;
    CHECK_GE(nread, 0);
    if (from == NULL)
        return;
    CHECK_EQ(nread, 1);
    CHECK_EQ(buf->base[0], 'a' + received);
    if (++received == DATAGRAMS) {
        uv_close((uv_handle_t*)&receiver, NULL);
        uv_close((uv_handle_t*)&sender, NULL);
    }
}

static void on_sent(uv_udp_send_t* req, int status) {
    (void)req;
    CHECK_OK(status);
    sent++;
}

static void check_datagrams_without(long call, int error) {
    static uv_udp_send_t reqs[DATAGRAMS];
    static char bytes[] = "abcde";
    struct sockaddr_in address;
    int size = sizeof(address);
    refuse(call, error);
    CHECK_OK(uv_loop_init(&datagram_loop));
    CHECK_OK(uv_udp_init_ex(&datagram_loop, &receiver, AF_INET | UV_UDP_RECVMMSG));
    CHECK_OK(uv_udp_init(&datagram_loop, &sender));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address));
    CHECK_OK(uv_udp_bind(&receiver, (const struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_getsockname(&receiver, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_udp_recv_start(&receiver, give_large_buffer, on_datagram));
    for (int i = 0; i < DATAGRAMS; i++) {
        uv_buf_t buf = uv_buf_init(bytes + i, 1);
        CHECK_OK(
            uv_udp_send(&reqs[i], &sender, &buf, 1, (const struct sockaddr*)&address, on_sent));
    }
    CHECK_OK(uv_run(&datagram_loop, UV_RUN_DEFAULT));
    CHECK_EQ(received, DATAGRAMS);
    CHECK_EQ(sent, DATAGRAMS);
    CHECK_OK(uv_loop_close(&datagram_loop));
}

TEST(datagrams_are_received_where_the_kernel_takes_them_one_by_one) {
    check_datagrams_without(SYS_recvmmsg, ENOSYS);
}

TEST(datagrams_are_received_where_a_sandbox_refuses_to_take_several_at_once) {
    check_datagrams_without(SYS_recvmmsg, EPERM);
}

TEST(datagrams_are_received_where_a_sandbox_denies_to_take_several_at_once) {
    check_datagrams_without(SYS_recvmmsg, EACCES);
}

TEST(datagrams_are_sent_where_the_kernel_sends_them_one_by_one) {
    check_datagrams_without(SYS_sendmmsg, ENOSYS);
}

TEST(datagrams_are_sent_where_a_sandbox_refuses_to_send_several_at_once) {
    check_datagrams_without(SYS_sendmmsg, EPERM);
}

TEST(datagrams_are_sent_where_a_sandbox_denies_to_send_several_at_once) {
    check_datagrams_without(SYS_sendmmsg, EACCES);
}

/* The newer call with which the C library asks whether a folder is one. */
static void check_real_path_without_its_call(int error) {
    uv_fs_t req;
    CHECK_OK(uv_fs_mkdir(NULL, &req, "folder", 0700, NULL));
    CHECK_OK(uv_fs_symlink(NULL, &req, "folder", "link", 0, NULL));
    uv_fs_req_cleanup(&req);
#ifdef SYS_faccessat2
    refuse(SYS_faccessat2, error);
#else
    (void)error;
#endif
    CHECK_OK(uv_fs_realpath(NULL, &req, "link/./../link/", NULL));
    CHECK_STR(strrchr(req.ptr, '/'), "/folder");
    uv_fs_req_cleanup(&req);
    CHECK_EQ(uv_fs_realpath(NULL, &req, "missing", NULL), UV_ENOENT);
    uv_fs_req_cleanup(&req);
}

TEST(real_path_is_found_where_a_sandbox_refuses_the_call_that_checks_folders) {
    check_real_path_without_its_call(EPERM);
}

TEST(real_path_is_found_where_a_sandbox_denies_the_call_that_checks_folders) {
    check_real_path_without_its_call(EACCES);
}

#ifdef SYS_close_range
TEST(descriptors_after_a_gap_are_kept_from_children_where_a_sandbox_refuses_ranges) {
    int far = fcntl(2, F_DUPFD, 500);
    refuse(SYS_close_range, EPERM);
    uv_disable_stdio_inheritance();
    CHECK(fcntl(far, F_GETFD) & FD_CLOEXEC);
    CHECK(fcntl(0, F_GETFD) & FD_CLOEXEC);
    close(far);
}
#endif

static void on_exit_of_child(uv_process_t* process, int64_t status, int signal) {
    (void)signal;
    CHECK_EQ(status, 3);
    uv_close((uv_handle_t*)process, NULL);
}

/* Where the loop itself waits with epoll, there is nothing left to wait with. */
TEST(children_are_told_of_where_a_loop_on_poll_may_not_wait_with_epoll) {
    char* arguments[] = {"sh", "-c", "exit 3", NULL};
    uv_process_options_t options = {.file = "sh", .args = arguments, .exit_cb = on_exit_of_child};
    uv_process_t process;
    uv_loop_t* own = uv_default_loop();
    if (uv_backend_fd(own) == -1) {
#ifdef SYS_epoll_wait
        refuse(SYS_epoll_wait, EPERM);
#endif
        CHECK_OK(uv_spawn(own, &process, &options));
        CHECK_OK(uv_run(own, UV_RUN_DEFAULT));
    }
    CHECK_OK(uv_loop_close(own));
}
