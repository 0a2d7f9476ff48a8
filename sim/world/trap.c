#include "world/trap.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "world/kernel.h"
#include "world/raw.h"
#include "world/rdrand.h"
#include "world/real.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

#if defined(__x86_64__) && !defined(PHASOR_PLAIN_PROCESSOR)

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

enum { BLOCKED = 1, BY_DISPATCH = 2 /* si_code */, TICKS_PER_NS = 3, CALLS_END = 64 };

/* The code from which system calls are libc's. */
static uintptr_t libc_from, libc_to;

/* What the program has asked for itself, for the signals that are ours. */
static struct sigaction wanted[3];

static struct sigaction* wanted_for(int signal) {
    return signal == SIGSEGV ? &wanted[0] : signal == SIGSYS ? &wanted[1] : &wanted[2];
}

static int note_libc(struct dl_phdr_info* object, size_t size, void* data) {
    (void)size;
    (void)data;
    if (strstr(object->dlpi_name, "/libc.so") == NULL)
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD && (object->dlpi_phdr[i].p_flags & PF_X)) {
            libc_from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            libc_to = libc_from + object->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

/* The kernel's page of clocks, which libc uses for itself. */
static bool is_kernels_page(uintptr_t place) {
    uintptr_t page = getauxval(AT_SYSINFO_EHDR);
    return page != 0 && place - page < 0x4000;
}

static uint64_t real_ticks(void) {
    uint32_t low, high;
    ph_raw_call(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    ph_raw_call(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
    return (uint64_t)high << 32 | low;
}

/* True: the instruction was a look at the processor's counter, and is answered. */
static bool answer_counter(greg_t* registers) {
    const unsigned char* code = (const unsigned char*)registers[REG_RIP]; /* NOLINT */
    bool plain = code[0] == 0x0f && code[1] == 0x31;
    bool with_number = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
    if (!plain && !with_number)
        return false;
    uint64_t ticks;
    if (ph_world == NULL || is_kernels_page((uintptr_t)code))
        ticks = real_ticks();
    else
        ticks = (PH_BOOTED + (ph_thread_counts() ? ph_world_now() : ph_world->now)) * TICKS_PER_NS;
    registers[REG_RAX] = (greg_t)(ticks & UINT32_MAX);
    registers[REG_RDX] = (greg_t)(ticks >> 32);
    if (with_number)
        registers[REG_RCX] = 0;
    registers[REG_RIP] += plain ? 2 : 3;
    return true;
}

static void pass_on(int signal, siginfo_t* info, void* context) {
    const struct sigaction* action = wanted_for(signal);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(signal, info, context);
    else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
        action->sa_handler(signal);
    else if (info->si_code > 0 || action->sa_handler == SIG_DFL)
        ph_next_sigaction(signal, &usual, NULL); /* it comes again, and ends the program */
    if (info->si_code <= 0 && action->sa_handler == SIG_DFL)
        raise(signal);
}

static void on_fault(int signal, siginfo_t* info, void* context) {
    int saved = errno;
    /* Of what the processor forbids for no address, the counter is one. */
    if (info->si_code != SI_KERNEL || !answer_counter(((ucontext_t*)context)->uc_mcontext.gregs))
        pass_on(signal, info, context);
    errno = saved;
}

static void on_illegal(int signal, siginfo_t* info, void* context) {
    int saved = errno;
    if (!ph_rdrand_answer(((ucontext_t*)context)->uc_mcontext.gregs))
        pass_on(signal, info, context);
    errno = saved;
}

/* The dynamic linker's own, and those of parts of libc that lie beside it. */
static bool is_of_system(const void* place) {
    Dl_info found;
    if (is_kernels_page((uintptr_t)place))
        return true;
    if (dladdr(place, &found) == 0 || found.dli_fname == NULL)
        return false;
    const char* slash = strrchr(found.dli_fname, '/');
    const char* name = slash != NULL ? slash + 1 : found.dli_fname;
    return strncmp(name, "ld-", 3) == 0 || strncmp(name, "libpthread", 10) == 0 ||
           strncmp(name, "librt", 5) == 0;
}

/* Nothing of the outside is seen through these. */
static bool is_harmless(long number) {
    static const short calls[] = {
        SYS_mmap,        SYS_munmap,         SYS_mprotect,   SYS_brk,
        SYS_madvise,     SYS_mremap,         SYS_futex,      SYS_rt_sigaction,
        SYS_sched_yield, SYS_rt_sigprocmask, SYS_exit,       SYS_exit_group,
        SYS_tgkill,      SYS_sigaltstack,    SYS_arch_prctl, SYS_set_robust_list,
        SYS_membarrier,  SYS_lseek,          SYS_fcntl,      SYS_getuid,
        SYS_geteuid,     SYS_getgid,         SYS_getegid,    SYS_getcwd,
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i] == number)
            return true;
    return false;
}

static void name_call(long number, const void* place) {
    char what[CALLS_END];
    snprintf(what, sizeof(what), "the system call %ld by an instruction of its own", number);
    ph_world_lock();
    ph_leak(what, place);
    ph_world_unlock();
}

static void on_call(int signal, siginfo_t* info, void* context) {
    greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    int saved = errno;
    if (info->si_code != BY_DISPATCH) {
        pass_on(signal, info, context);
        return;
    }
    long number = info->si_syscall;
    const long values[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                            registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
    bool system = is_of_system(info->si_call_addr), simulated = false;
    if (ph_world != NULL && (number == SYS_clone || number == SYS_clone3 || number == SYS_vfork ||
                             number == SYS_fork || number == SYS_rt_sigreturn)) {
        ph_world_lock();
        ph_world_end("%.60s makes threads or processes by system calls of its own, which can't be "
                     "simulated",
                     program_invocation_short_name);
    }
    errno = 0;
    long result = system ? ph_raw_call(number, values[0], values[1], values[2], values[3],
                                       values[4], values[5])
                         : ph_kernel_call(number, values, &simulated);
    registers[REG_RAX] = result == -1 ? -errno : result;
    bool known = result != -1 || errno != ENOSYS;
    if (ph_world != NULL && known && !system && !simulated && !is_harmless(number))
        name_call(number, info->si_call_addr);
    errno = saved;
}

static void install(int signal) {
    const struct sigaction* action = wanted_for(signal);
    struct sigaction ours = {.sa_sigaction = signal == SIGSEGV  ? on_fault
                                             : signal == SIGSYS ? on_call
                                                                : on_illegal,
                             .sa_mask = action->sa_mask,
                             .sa_flags = SA_SIGINFO | SA_NODEFER | (action->sa_flags & SA_ONSTACK)};
    ph_next_sigaction(signal, &ours, NULL);
}

static bool is_ours(int signal) {
    return ph_world != NULL && libc_to != 0 &&
           (signal == SIGSEGV || signal == SIGSYS || signal == SIGILL);
}

/* The program's own handlers of these signals are called for what is not ours. */
EXPORT int sigaction(int signal, const struct sigaction* restrict action,
                     struct sigaction* restrict old) {
    if (!is_ours(signal))
        return ph_next_sigaction(signal, action, old);
    if (old != NULL)
        *old = *wanted_for(signal);
    if (action != NULL) {
        *wanted_for(signal) = *action;
        install(signal);
    }
    return 0;
}

EXPORT __sighandler_t signal(int number, __sighandler_t handler) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, number);
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

void ph_trap_begin(void) {
    dl_iterate_phdr(note_libc, NULL);
    if (libc_to == 0)
        return;
    ph_next_sigaction(SIGSEGV, NULL, &wanted[0]);
    ph_next_sigaction(SIGSYS, NULL, &wanted[1]);
    install(SIGSEGV);
    install(SIGSYS);
    ph_next_sigaction(SIGILL, NULL, &wanted[2]);
    install(SIGILL);
    ph_rdrand_begin();
    ph_trap_thread();
}

void ph_trap_thread(void) {
    static char selector = BLOCKED;
    if (libc_to == 0)
        return;
    ph_raw_call(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
    ph_raw_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, libc_from,
                libc_to - libc_from, &selector);
}

void ph_trap_leave(void) {
    if (libc_to != 0)
        ph_raw_call(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
}

void ph_trap_return(void) {
    if (libc_to != 0 && ph_world != NULL)
        ph_raw_call(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
}

#else

void ph_trap_begin(void) {}
void ph_trap_thread(void) {}
void ph_trap_leave(void) {}
void ph_trap_return(void) {}

#endif
