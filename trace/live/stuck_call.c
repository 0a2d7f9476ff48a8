/* A stopped thread calls a function and goes on as if nothing had been, as debuggers do it. */

#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#include "live/stuck.h"

#ifdef __x86_64__

enum { STATE_ROOM = 16 << 10, PATIENCE = 500 /* times 10 ms */, DIRECTION = 0x400 };

struct state {
    struct user_regs_struct registers;
    unsigned char rest[STATE_ROOM]; /* of the processor: numbers, vectors */
    struct iovec rest_part;
};

static bool save(pid_t tid, struct state* state) {
    state->rest_part = (struct iovec){state->rest, sizeof(state->rest)};
    return ptrace(PTRACE_GETREGS, tid, NULL, &state->registers) == 0 &&
           ptrace(PTRACE_GETREGSET, tid, (void*)NT_X86_XSTATE, &state->rest_part) == 0;
}

static void restore(pid_t tid, const struct state* state) {
    ptrace(PTRACE_SETREGSET, tid, (void*)NT_X86_XSTATE, &state->rest_part);
    ptrace(PTRACE_SETREGS, tid, NULL, &state->registers);
}

/* Returning to address 0 stops it, with a signal that it never sees. */
static bool has_returned(pid_t tid, int status) {
    struct user_regs_struct now;
    return WSTOPSIG(status) == SIGSEGV && ptrace(PTRACE_GETREGS, tid, NULL, &now) == 0 &&
           now.rip == 0;
}

/* 1: it has returned; 0: it goes on; -1: it is gone, or fails. Other signals it gets. */
static int look(pid_t tid, int status) {
    if (!WIFSTOPPED(status))
        return -1;
    if (has_returned(tid, status))
        return 1;
    if (WSTOPSIG(status) == SIGSEGV || WSTOPSIG(status) == SIGBUS)
        return -1;
    int number = status >> 16 == 0 ? WSTOPSIG(status) : 0;
    return ptrace(PTRACE_CONT, tid, NULL, (void*)(intptr_t)number) == 0 ? 0 : -1;
}

static bool wait_for_return(pid_t tid) {
    const struct timespec pause = {.tv_nsec = 10000000};
    int status;
    for (int i = 0; i < PATIENCE; i++) {
        if (waitpid(tid, &status, __WALL | WNOHANG) != tid) {
            nanosleep(&pause, NULL);
            continue;
        }
        int found = look(tid, status);
        if (found != 0)
            return found > 0;
    }
    /* It waits for something that it will never get: it is taken out of there again. */
    ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
    waitpid(tid, &status, __WALL);
    return false;
}

bool stuck_call(pid_t tid, void (*function)(void), void* stack) {
    static struct state state;
    uint64_t top = ((uintptr_t)stack & ~(uint64_t)15) - 8;
    if (function == NULL || stack == NULL || !save(tid, &state))
        return false;
    struct user_regs_struct call = state.registers;
    call.rip = (uintptr_t)function;
    call.rsp = top;
    call.rbp = 0;
    call.rax = 0;
    call.orig_rax = UINT64_MAX; /* no system call is to be begun again */
    call.eflags &= ~(unsigned long long)DIRECTION;
    bool done = ptrace(PTRACE_POKEDATA, tid, (void*)top, NULL) == 0 &&
                ptrace(PTRACE_SETREGS, tid, NULL, &call) == 0 &&
                ptrace(PTRACE_CONT, tid, NULL, NULL) == 0 && wait_for_return(tid);
    restore(tid, &state);
    return done;
}

#else

bool stuck_call(pid_t tid, void (*function)(void), void* stack) {
    (void)tid;
    (void)function;
    (void)stack;
    return false;
}

#endif
