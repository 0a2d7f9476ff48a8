/* System calls that a sandbox refuses, with the error of a kernel that lacks them or with that of
 * old rules of containers, have another way. */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
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
