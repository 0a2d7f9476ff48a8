/*
 * filtered FILE PROGRAM ARGUMENTS...: runs the program below a filter of system calls, as a sandbox
 * or an older kernel has it. Each line of the file is an error and the calls that fail with it;
 * "ENOSYS 424-" are all calls from that number on. Calls that this machine's headers do not know
 * are left out, and so are lines that begin with '#'.
 */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char* name;
    int number;
} calls[] = {
#define CALL(name) \
    { #name, SYS_##name }
    CALL(statx),
    CALL(copy_file_range),
    CALL(memfd_create),
    CALL(getrandom),
    CALL(preadv2),
    CALL(pwritev2),
    CALL(recvmmsg),
    CALL(sendmmsg),
    CALL(epoll_wait),
    CALL(process_vm_readv),
    CALL(ptrace),
    CALL(perf_event_open),
    CALL(userfaultfd),
    CALL(bpf),
    CALL(sendfile),
    CALL(inotify_init1),
    CALL(membarrier),
    CALL(name_to_handle_at),
    CALL(setns),
    CALL(add_key),
    CALL(keyctl),
    CALL(sched_setscheduler),
#ifdef SYS_rseq
    CALL(rseq),
#endif
#ifdef SYS_clone3
    CALL(clone3),
#endif
#ifdef SYS_pidfd_open
    CALL(pidfd_open),
#endif
#ifdef SYS_pidfd_send_signal
    CALL(pidfd_send_signal),
#endif
#ifdef SYS_pidfd_getfd
    CALL(pidfd_getfd),
#endif
#ifdef SYS_io_uring_setup
    CALL(io_uring_setup),
#endif
#ifdef SYS_openat2
    CALL(openat2),
#endif
#ifdef SYS_close_range
    CALL(close_range),
#endif
#ifdef SYS_faccessat2
    CALL(faccessat2),
#endif
#ifdef SYS_epoll_pwait2
    CALL(epoll_pwait2),
#endif
};

static const struct {
    const char* name;
    int value;
} errors[] = {{"ENOSYS", ENOSYS}, {"EPERM", EPERM}, {"EACCES", EACCES}};

enum { MOST = 256 };

static struct sock_filter code[MOST];
static unsigned short length;

static void add(struct sock_filter instruction) {
    if (length == MOST - 1) {
        fprintf(stderr, "filtered: too many calls\n");
        exit(1);
    }
    code[length++] = instruction;
}

static int find_error(const char* name) {
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
        if (strcmp(errors[i].name, name) == 0)
            return errors[i].value;
    fprintf(stderr, "filtered: %s is not an error that sandboxes answer with\n", name);
    exit(1);
}

static void refuse(const char* name, int error) {
    struct sock_filter answer =
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA));
    char* end;
    unsigned long from = strtoul(name, &end, 10);
    if (end != name && *end == '-') {
        add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (unsigned)from, 0, 1));
        add(answer);
        return;
    }
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (strcmp(calls[i].name, name) == 0) {
            add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number,
                                             0, 1));
            add(answer);
        }
}

static void read_lines(FILE* file) {
    char line[1024];
    while (fgets(line, sizeof(line), file) != NULL) {
        char* word = strtok(line, " \n");
        if (word == NULL || word[0] == '#')
            continue;
        int error = find_error(word);
        while ((word = strtok(NULL, " \n")) != NULL)
            refuse(word, error);
    }
}

int main(int argc, char** argv) {
    FILE* file = argc > 2 ? fopen(argv[1], "re") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: filtered FILE PROGRAM ARGUMENTS...\n");
        return 1;
    }
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    read_lines(file);
    fclose(file);
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    struct sock_fprog program = {length, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("filtered: no filter can be set here");
        return 77;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 1;
}
