/*
 * Part of the library in coverage builds. The counters are written at exit(); processes that end by
 * _exit or abort write them here. A forked child counts from zero. A child in borrowed memory
 * counts for its parent and must not write: it is known by having run no handler of forks.
 */

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/at_fork.h"

#define EXPORTED __attribute__((visibility("default"), noreturn))

void __gcov_dump(void);
void __gcov_reset(void);

static pid_t owner;

static void begin(void) {
    owner = getpid();
}

static void begin_in_child(void) {
    __gcov_reset();
    begin();
}

__attribute__((constructor)) static void install(void) {
    begin();
    ph_at_fork(NULL, NULL, begin_in_child);
}

static void flush(void) {
    if (getpid() == owner)
        __gcov_dump();
}

EXPORTED void _exit(int status) {
    flush();
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORTED void abort(void) {
    flush();
    raise(SIGABRT);
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    for (;;)
        syscall(SYS_exit_group, 127);
}
