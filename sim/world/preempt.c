#include "world/preempt.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "world/faults.h"
#include "world/real.h"
#include "world/world.h"

enum {
    SHORTEST = 4,          /* instructions */
    DOUBLINGS = 10,        /* at most so many times as many */
    PATIENCE = 20000,      /* steps outside of the program's code before it is left alone, */
    SHORT_PATIENCE = 2000, /* and after a wait, of which there may be many */
    MOST_STEPS = 400000,   /* in one process: each takes some microseconds */
    PARTS = 16
};

#define AWAY (20 * PH_US)
#define EXPORT __attribute__((visibility("default")))

bool ph_preempts_program(void) {
    static int known; /* 1: no, 2: yes */
    if (known == 0) {
        const char* name = program_invocation_short_name;
        bool engine = strcmp(name, "phasor") == 0 || strcmp(name, "node") == 0 ||
                      strcmp(name, "nodejs") == 0 || strncmp(name, "python", 6) == 0;
        known = engine ? 1 : 2;
    }
    return known == 2;
}

bool ph_preempts_here(void) {
    return ph_world != NULL && ph_preempts() && ph_preempts_program() && ph_thread_counts() &&
           ph_process_here()->known > 1;
}

bool ph_preempts(void) {
    return ph_unkind(PH_UNKIND_THREAD) > 0 || ph_world->settings.planned_count > 0;
}

/* Others go on, for as long as chance says. With the lock held. */
static void be_away(void) {
    int host = ph_host_here();
    uint64_t number = ++ph_world->hosts[host].preempted;
    uint64_t until =
        ph_world->now + ph_unkind_tail(host, PH_UNKIND_THREAD, number, AWAY, DOUBLINGS);
    ph_unkind_did(PH_UNKIND_THREAD);
    ph_world->look = true;
    while (ph_world->now < until)
        ph_sleep(until, NULL);
}

/* Whether the calling thread is to be interrupted, this time. With the lock held. */
static bool is_chosen(void) {
    int host = ph_host_here();
    return ph_thread_counts() &&
           ph_fault_rate(host, "preempt", ph_unkind_on(host, PH_UNKIND_THREAD), ETIME);
}

void ph_preempt_here(void) {
    int saved = errno;
    ph_world_lock();
    if (is_chosen())
        be_away();
    ph_world_unlock();
    errno = saved;
}

#if defined(__x86_64__) && !defined(PHASOR_PLAIN_PROCESSOR)

#define TRAP_FLAG 0x100

static _Thread_local volatile uint64_t left; /* instructions until the interruption; 0: none */
static _Thread_local volatile uint64_t patience;
static uint64_t steps; /* of all threads */

/* Code in which a thread is not interrupted: it may hold locks that nobody knows. */
static struct {
    uintptr_t from;
    uintptr_t to;
} parts[PARTS];
static unsigned part_count;

static int note_part(struct dl_phdr_info* object, size_t size, void* data) {
    (void)size;
    (void)data;
    bool own = false;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        own |= object->dlpi_phdr[i].p_type == PT_LOAD &&
               (uintptr_t)note_part - from < object->dlpi_phdr[i].p_memsz;
    }
    if (!own && strstr(object->dlpi_name, "libc.so") == NULL &&
        strstr(object->dlpi_name, "ld-linux") == NULL)
        return 0;
    for (int i = 0; i < object->dlpi_phnum && part_count < PARTS; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD && (object->dlpi_phdr[i].p_flags & PF_X)) {
            parts[part_count].from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            parts[part_count].to = parts[part_count].from + object->dlpi_phdr[i].p_memsz;
            part_count++;
        }
    return 0;
}

static bool is_of_program(uintptr_t place) {
    for (unsigned i = 0; i < part_count; i++)
        if (place >= parts[i].from && place < parts[i].to)
            return false;
    return true;
}

/* A thread that blocks the steps' own signal would be ended by the next one. A program does not
 * (see sigprocmask), but libc does where it makes threads and processes and ends them. */
static bool blocks_steps(const greg_t* registers) {
    const unsigned char* code = (const unsigned char*)registers[REG_RIP]; /* NOLINT */
    if (code[0] != 0x0f || code[1] != 0x05 || registers[REG_RAX] != SYS_rt_sigprocmask)
        return false;
    const uint64_t* set = (const uint64_t*)registers[REG_RSI]; /* NOLINT */
    return registers[REG_RDI] != SIG_UNBLOCK && set != NULL && (*set >> (SIGTRAP - 1) & 1) != 0;
}

/* After each instruction. The processor does not trap in here. */
static void on_step(int signal, siginfo_t* info, void* context) {
    (void)signal;
    (void)info;
    greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    int saved = errno;
    __atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED);
    if (ph_world == NULL || blocks_steps(registers)) /* a forked child is in no world */
        left = 0;
    if (left == 0) {
        registers[REG_EFL] &= ~TRAP_FLAG;
    } else if (!is_of_program((uintptr_t)registers[REG_RIP])) {
        if (--patience == 0)
            left = 0;
    } else if (--left == 0) {
        registers[REG_EFL] &= ~TRAP_FLAG;
        ph_world_lock();
        be_away();
        ph_world_unlock();
    }
    errno = saved;
}

/* A program that handles the signal itself is left alone. */
static bool is_prepared(void) {
    static int state;
    struct sigaction old;
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (state == 0) {
        dl_iterate_phdr(note_part, NULL);
        state = sigaction(SIGTRAP, NULL, &old) == 0 && old.sa_handler == SIG_DFL &&
                        sigaction(SIGTRAP, &action, NULL) == 0
                    ? 1
                    : -1;
    }
    return state == 1;
}

/* A program that blocks all signals, as its threads often do, is interrupted all the same. */
EXPORT int pthread_sigmask(int how, const sigset_t* restrict set, sigset_t* restrict old) {
    sigset_t without;
    if (set != NULL && how != SIG_UNBLOCK && ph_world != NULL && ph_preempts() &&
        ph_preempts_program()) {
        without = *set;
        sigdelset(&without, SIGTRAP);
        set = &without;
    }
    return ph_next_pthread_sigmask(how, set, old);
}

EXPORT int sigprocmask(int how, const sigset_t* restrict set, sigset_t* restrict old) {
    int error = pthread_sigmask(how, set, old);
    if (error != 0)
        errno = error;
    return error == 0 ? 0 : -1;
}

static void set_trap_flag(void) {
    __asm__ volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq" : : "i"(TRAP_FLAG) : "cc", "memory");
}

static void clear_trap_flag(void) {
    __asm__ volatile("pushfq\n\tandq %0, (%%rsp)\n\tpopfq" : : "i"(~TRAP_FLAG) : "cc", "memory");
}

static void begin(uint64_t most_steps, uint64_t most_outside) {
    if (left != 0 || steps > most_steps || !is_prepared())
        return;
    ph_world_lock();
    int host = ph_host_here();
    bool chosen = is_chosen();
    uint64_t number = ++ph_world->hosts[host].preempted;
    uint64_t most = ph_unkind_tail(host, PH_UNKIND_THREAD, number, SHORTEST, DOUBLINGS);
    ph_world_unlock();
    if (!chosen)
        return;
    patience = most_outside;
    left = most;
    set_trap_flag();
}

void ph_preempt_begin(void) {
    if (ph_world != NULL && ph_preempts())
        begin(MOST_STEPS, PATIENCE);
}

void ph_preempt_after_wait(void) {
    if (ph_preempts_here())
        begin(MOST_STEPS / 8, SHORT_PATIENCE);
}

void ph_preempt_pause(void) {
    if (left != 0)
        clear_trap_flag();
}

void ph_preempt_go_on(void) {
    if (left != 0)
        set_trap_flag();
}

void ph_preempt_end(void) {
    if (left == 0)
        return;
    clear_trap_flag();
    left = 0;
}

#else

void ph_preempt_begin(void) {
    if (ph_world != NULL && ph_preempts())
        ph_preempt_here();
}

void ph_preempt_after_wait(void) {
    if (ph_preempts_here())
        ph_preempt_here();
}

void ph_preempt_pause(void) {}

void ph_preempt_go_on(void) {}

void ph_preempt_end(void) {}

#endif
