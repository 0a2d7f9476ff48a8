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

#if defined(__x86_64__) && !defined(PHASOR_PLAIN_PROCESSOR)

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

bool stuck_call(pid_t tid, const struct stuck_call* wanted, uint64_t* result) {
    static struct state state;
    struct user_regs_struct after;
    if (wanted->function == 0 || !save(tid, &state))
        return false;
    struct user_regs_struct call = state.registers;
    uint64_t stack = wanted->stack != 0 ? wanted->stack : call.rsp - wanted->below;
    uint64_t top = (stack & ~(uint64_t)15) - 8;
    call.rip = wanted->function;
    call.rsp = top;
    call.rbp = 0;
    call.rax = 0;
    call.rdi = wanted->arguments[0];
    call.rsi = wanted->arguments[1];
    call.orig_rax = UINT64_MAX; /* no system call is to be begun again */
    call.eflags &= ~(unsigned long long)DIRECTION;
    bool done = ptrace(PTRACE_POKEDATA, tid, (void*)top, NULL) == 0 &&
                ptrace(PTRACE_SETREGS, tid, NULL, &call) == 0 &&
                ptrace(PTRACE_CONT, tid, NULL, NULL) == 0 && wait_for_return(tid);
    if (done && result != NULL && ptrace(PTRACE_GETREGS, tid, NULL, &after) == 0)
        *result = after.rax;
    restore(tid, &state);
    return done;
}

bool stuck_registers(pid_t tid, struct stuck_registers* registers) {
    struct user_regs_struct now;
    if (ptrace(PTRACE_GETREGS, tid, NULL, &now) != 0)
        return false;
    *registers = (struct stuck_registers){
        .pc = now.rip, .stack = now.rsp, .system_call = (int64_t)now.orig_rax};
    return true;
}

#else

bool stuck_call(pid_t tid, const struct stuck_call* wanted, uint64_t* result) {
    (void)tid, (void)wanted, (void)result;
    return false;
}

bool stuck_registers(pid_t tid, struct stuck_registers* registers) {
    (void)tid, (void)registers;
    return false;
}

#endif
