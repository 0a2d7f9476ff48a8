/*
 * Part of the library in coverage builds. The counters are written at exit(); processes that end by
 * _exit, abort or exec write them here. A forked child counts from zero. A child in borrowed memory
 * counts for its parent and must not write: it is known by having run no handler of forks.
 */

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/at_fork.h"

#define EXPORTED __attribute__((visibility("default")))
#define NORETURN __attribute__((noreturn))

void __gcov_dump(void);
void __gcov_reset(void);

static pid_t owner;
static long (*real_syscall)(long number, long a, long b, long c, long d, long e, long f);

static void begin(void) {
    owner = getpid();
}

static void begin_in_child(void) {
    __gcov_reset();
    begin();
}

__attribute__((constructor)) static void install(void) {
    begin();
    real_syscall = (long (*)(long, long, long, long, long, long, long))dlsym(RTLD_NEXT, "syscall");
    ph_at_fork(NULL, NULL, begin_in_child);
}

static void flush(void) {
    if (getpid() == owner)
        __gcov_dump();
}

/* A forked child leaves by exec, or by exit_group without the C library. */
EXPORTED long syscall(long number, ...) {
    va_list args;
    va_start(args, number);
    long a = va_arg(args, long), b = va_arg(args, long), c = va_arg(args, long);
    long d = va_arg(args, long), e = va_arg(args, long), f = va_arg(args, long);
    va_end(args);
    if (number == SYS_execve || number == SYS_exit_group)
        flush();
    long result = real_syscall(number, a, b, c, d, e, f);
    int saved = errno;
    if (number == SYS_execve && getpid() == owner)
        __gcov_reset();
    errno = saved;
    return result;
}

EXPORTED NORETURN void _exit(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORTED NORETURN void abort(void) {
    flush();
    raise(SIGABRT);
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    for (;;)
        syscall(SYS_exit_group, 127);
}
