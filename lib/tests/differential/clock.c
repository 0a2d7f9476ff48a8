/*
 * Virtual time. The library's calls of clock_gettime and epoll_wait come here, and its readings of
 * the processor's counter: time stands still
 * while the program runs, and jumps to the end of a wait that brings nothing. A wait without an end
 * is noted, and ended by a wake-up. So timers are exact to the millisecond, and nobody ever sleeps.
 */

#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "machine.h"

enum { MS = 1000000, START_MS = 1000000 };

static uint64_t now = (uint64_t)START_MS * MS;
int patience;

int clock_gettime(clockid_t clock, struct timespec* time) {
    if (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_COARSE)
        return (int)syscall(SYS_clock_gettime, clock, time);
    time->tv_sec = (time_t)(now / (1000 * MS));
    time->tv_nsec = (long)(now % (1000 * MS));
    return 0;
}

#ifdef __x86_64__
enum { TICKS_PER_NS = 3 };

static struct sigaction other_faults;

/* The processor's counter follows the virtual clock: where reading it is forbidden, each attempt
 * ends here. Anything else is a crash. */
static void on_fault(int number, siginfo_t* info, void* context) {
    greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    const unsigned char* code = (const unsigned char*)registers[REG_RIP];
    (void)info;
    bool short_form = code[0] == 0x0f && code[1] == 0x31;
    if (!short_form && (code[0] != 0x0f || code[1] != 0x01 || code[2] != 0xf9)) {
        sigaction(number, &other_faults, NULL);
        return;
    }
    uint64_t ticks = now * TICKS_PER_NS;
    registers[REG_RAX] = (greg_t)(ticks & UINT32_MAX);
    registers[REG_RDX] = (greg_t)(ticks >> 32);
    registers[REG_RIP] += short_form ? 2 : 3;
}

void clock_counter_is_virtual(bool is) {
    prctl(PR_SET_TSC, is ? PR_TSC_SIGSEGV : PR_TSC_ENABLE);
}

void clock_begin(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, &other_faults);
    clock_counter_is_virtual(true);
}
#else
void clock_counter_is_virtual(bool is) {
    (void)is;
}

void clock_begin(void) {}
#endif

void clock_advance(int ms) {
    now += (uint64_t)ms * MS;
}

int clock_since_start(const uv_loop_t* loop) {
    return (int)(uv_now(loop) - START_MS);
}

static int real_wait(int fd, struct epoll_event* events, int count, int timeout,
                     const sigset_t* mask) {
    return (int)syscall(SYS_epoll_pwait, fd, events, count, timeout, mask, (size_t)8);
}

int epoll_pwait(int fd, struct epoll_event* events, int count, int timeout, const sigset_t* mask) {
    if (running == NULL)
        return real_wait(fd, events, count, timeout, mask);
    int n = real_wait(fd, events, count, 0, mask);
    if (n != 0 || timeout == 0)
        return n;
    n = real_wait(fd, events, count, timeout == -1 && patience == 0 ? 1 : patience, mask);
    if (n != 0)
        return n;
    if (timeout > 0) {
        clock_advance(timeout);
        return 0;
    }
    log_line("blocked");
    resting = true;
    uv_async_send(waker_of(running));
    return real_wait(fd, events, count, 1000, mask);
}

int epoll_wait(int fd, struct epoll_event* events, int count, int timeout) {
    return epoll_pwait(fd, events, count, timeout, NULL);
}
