#include "spawn.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* What a sandbox refuses has another way. */

/* The call gets ENOSYS, if its first argument has one of the bits. */
static void refuse(long call, unsigned bits) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        test_skip("there are no filters for system calls");
}

static void check_children(void) {
    struct child c;
    int before = test_open_fds();
    loop_open();
    child_shell(&c, "exit 3");
    CHECK_OK(child_spawn(&c));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 3);
    child_shell(&c, "");
    c.options.file = "/no/such/program";
    check_spawn_fails(&c, UV_ENOENT);
    loop_finish();
    CHECK_EQ(test_open_fds(), before);
}

TEST(spawn_without_the_call_that_waits_for_a_descriptor_reports_exits) {
    refuse(SYS_waitid, ~0u);
    check_children();
}

TEST(spawn_without_the_call_that_opens_a_pidfd_reports_exits) {
    refuse(SYS_pidfd_open, ~0u);
    check_children();
}

TEST(spawn_where_memory_may_not_be_borrowed_reports_exits) {
    refuse(SYS_clone, CLONE_VFORK);
    check_children();
}
