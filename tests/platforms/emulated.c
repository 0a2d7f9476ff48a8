/*
 * emulated RULE PROGRAM ARGUMENTS...: runs a program of another processor, and whatever programs it
 * starts, in namespaces of its own: nothing changes outside. Needs Linux 6.7, where each user
 * namespace has a list of its own of what runs programs that are not the machine's.
 */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIST "/proc/sys/fs/binfmt_misc"

static void fail(const char* what) {
    fprintf(stderr, "emulated: %s: %s\n", what, strerror(errno));
    exit(125);
}

static void put(const char* path, const char* text, size_t length) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd == -1 || write(fd, text, length) != (ssize_t)length)
        fail(path);
    close(fd);
}

/* Everybody is who he was; who may map nobody else maps himself. */
static void map_ids(pid_t pid, const char* kind, unsigned own) {
    char path[64];
    char text[64];
    snprintf(path, sizeof(path), "/proc/%d/%s_map", (int)pid, kind);
    int length = own == 0 ? snprintf(text, sizeof(text), "0 0 65536")
                          : snprintf(text, sizeof(text), "0 %u 1", own);
    put(path, text, (size_t)length);
}

/* By a process that has stayed outside: only it may map more than its own identity. */
static void map_from_outside(pid_t pid, int ready) {
    char path[64];
    char byte;
    if (read(ready, &byte, 1) != 1)
        _exit(1);
    snprintf(path, sizeof(path), "/proc/%d/setgroups", (int)pid);
    if (geteuid() != 0)
        put(path, "deny", 4);
    map_ids(pid, "uid", geteuid());
    map_ids(pid, "gid", getegid());
    _exit(0);
}

static void enter_namespaces(void) {
    int ready[2];
    int status = 0;
    pid_t own = getpid();
    if (pipe2(ready, O_CLOEXEC) != 0)
        fail("pipe");
    pid_t outside = fork();
    if (outside == -1)
        fail("fork");
    if (outside == 0) {
        close(ready[1]); /* a parent that fails ends it */
        map_from_outside(own, ready[0]);
    }
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        fail("unshare");
    if (write(ready[1], "", 1) != 1 || waitpid(outside, &status, 0) != outside || status != 0)
        fail("no identities");
    close(ready[0]);
    close(ready[1]);
}

int main(int argc, char** argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: emulated RULE PROGRAM ARGUMENTS...\n");
        return 125;
    }
    enter_namespaces();
    if (setgid(0) != 0 || setuid(0) != 0)
        fail("root");
    if (mount("none", LIST, "binfmt_misc", 0, NULL) != 0)
        fail(LIST);
    put(LIST "/register", argv[1], strlen(argv[1]));
    execvp(argv[2], argv + 2);
    fail(argv[2]);
}
