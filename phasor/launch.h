#ifndef PH_TOOLS_LAUNCH_H
#define PH_TOOLS_LAUNCH_H

/* A program that is started on our library, to be recorded or not. */

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

struct launch {
    const char* command; /* who starts it: "trace" */
    char** arguments;
    bool follows_timers; /* Node's */
    const char* code;    /* JavaScript instead of a file; NULL: none */
    char library[PATH_MAX];
    char program[PATH_MAX];
};

/* Finds the program and our library; JavaScript gets our runtime. 0, or the exit status, after a
 * sentence on standard error. */
int launch_find(struct launch* launch);
/* For the program, which inherits it: our library instead of the system's, and of one that the
 * program has inside. */
void launch_use_library(const struct launch* launch);
/* That, and where it is recorded, and the limit of that, 0: none. */
void launch_set_environment(const struct launch* launch, const char* recording, uint64_t limit);
/* Starts it, with these signals blocked and this done about SIGCHLD. -1: it can't be started, and
 * errno says why. */
pid_t launch_start(const struct launch* launch, const sigset_t* mask,
                   const struct sigaction* child_action);
/* Why launch_start failed, on standard error; the exit status. */
int launch_failed(const struct launch* launch);

#endif
