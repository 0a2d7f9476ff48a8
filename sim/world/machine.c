/* What programs ask libc about the machine and themselves: the same in every run. */

#include "world/machine.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/real.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

enum {
    FIRST_PID = 4195000,
    MOST_STARTS = 1000,
    FIRST_TID = 5000000,
    MOST_THREADS = 100000,
    MOST_NAMED = 1024
};

int ph_seen_pid(void) {
    const struct ph_process* process = ph_process_here();
    uint32_t starts = ph_world->hosts[process->host].crashes % MOST_STARTS;
    return FIRST_PID + process->host * MOST_STARTS + (int)starts;
}

EXPORT pid_t getpid(void) {
    return ph_world != NULL ? ph_seen_pid() : ph_raw_pid();
}

/* The first thread has the process's number, the others numbers of their own, larger than those of
 * all processes. */
static pid_t seen_tid(void) {
    const struct ph_sleeper* self = ph_sleeper_known();
    if (self == NULL)
        return ph_raw_tid();
    int number = (int)(self->number & UINT32_MAX);
    int host = ph_process_here()->host;
    return number == 0 ? ph_seen_pid() : FIRST_TID + host * MOST_THREADS + number;
}

static int tids[MOST_NAMED]; /* of the first threads, by number */

void ph_thread_numbered(uint64_t number, int tid) {
    if ((number & UINT32_MAX) < MOST_NAMED)
        __atomic_store_n(&tids[number & UINT32_MAX], tid, __ATOMIC_RELAXED);
}

int ph_thread_seen_as(int seen) {
    int number = seen - FIRST_TID - ph_process_here()->host * MOST_THREADS;
    if (seen == ph_seen_pid())
        return ph_raw_pid();
    return number > 0 && number < MOST_NAMED ? __atomic_load_n(&tids[number], __ATOMIC_RELAXED) : 0;
}

EXPORT pid_t gettid(void) {
    return ph_world != NULL ? seen_tid() : ph_raw_tid();
}

EXPORT pid_t getppid(void) {
    return ph_world != NULL ? 1 : (pid_t)ph_raw_call(SYS_getppid);
}

/* The numbers of others of the world are those of other machines. */
static bool own_number(pid_t* pid) {
    pid_t number = *pid < 0 ? -*pid : *pid;
    if (ph_world == NULL || number < FIRST_PID)
        return true;
    if (number != ph_seen_pid()) {
        errno = ESRCH;
        return false;
    }
    *pid = *pid < 0 ? -ph_raw_pid() : ph_raw_pid();
    return true;
}

EXPORT int kill(pid_t pid, int signal) {
    return own_number(&pid) ? ph_raw_kill(pid, signal) : -1;
}

EXPORT pid_t getpgid(pid_t pid) {
    return own_number(&pid) ? (pid_t)ph_raw_call(SYS_getpgid, pid) : -1;
}

EXPORT pid_t getpgrp(void) {
    return ph_world != NULL ? ph_seen_pid() : (pid_t)ph_raw_call(SYS_getpgid, 0);
}

EXPORT pid_t getsid(pid_t pid) {
    if (ph_world != NULL && pid == 0)
        return ph_seen_pid();
    return own_number(&pid) ? (pid_t)ph_raw_call(SYS_getsid, pid) : -1;
}

EXPORT int getcpu(unsigned* processor, unsigned* node) {
    if (ph_world == NULL)
        return (int)ph_raw_call(SYS_getcpu, processor, node, NULL);
    if (processor != NULL)
        *processor = 0;
    if (node != NULL)
        *node = 0;
    return 0;
}

EXPORT int sched_getcpu(void) {
    unsigned processor = 0;
    getcpu(&processor, NULL);
    return (int)processor;
}

EXPORT int gethostname(char* name, size_t size) {
    if (ph_world != NULL)
        return __wrap_gethostname(name, size);
    struct utsname machine;
    if (ph_raw_call(SYS_uname, &machine) != 0)
        return -1;
    if (strlen(machine.nodename) >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name, machine.nodename, strlen(machine.nodename) + 1);
    return 0;
}

EXPORT int uname(struct utsname* machine) {
    int result = (int)ph_raw_call(SYS_uname, machine);
    if (result == 0 && ph_world != NULL)
        __wrap_gethostname(machine->nodename, sizeof(machine->nodename));
    return result;
}

EXPORT int sysinfo(struct sysinfo* info) {
    if (ph_world == NULL)
        return (int)ph_raw_call(SYS_sysinfo, info);
    uint64_t up = PH_BOOTED + ph_clock_of(ph_host_here(), ph_world->now);
    *info = (struct sysinfo){.uptime = (long)(up / PH_S),
                             .totalram = 8UL << 30,
                             .freeram = 4UL << 30,
                             .procs = 100,
                             .mem_unit = 1};
    return 0;
}

static uint64_t processor_time(void) {
    struct timespec now = {0};
    __wrap_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * PH_S + (uint64_t)now.tv_nsec;
}

EXPORT int getrusage(__rusage_who_t who, struct rusage* usage) {
    if (ph_world == NULL)
        return (int)ph_raw_call(SYS_getrusage, who, usage);
    uint64_t us = who == RUSAGE_CHILDREN ? 0 : processor_time() / PH_US;
    memset(usage, 0, sizeof(*usage));
    usage->ru_utime.tv_sec = (time_t)(us / 1000000);
    usage->ru_utime.tv_usec = (suseconds_t)(us % 1000000);
    usage->ru_maxrss = 64L << 10;
    return 0;
}

EXPORT clock_t clock(void) {
    struct timespec now = {0};
    if (ph_world == NULL)
        ph_raw_call(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
    else
        __wrap_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (clock_t)now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}

EXPORT clock_t times(struct tms* spent) {
    if (ph_world == NULL)
        return (clock_t)ph_raw_call(SYS_times, spent);
    clock_t ticks = (clock_t)(processor_time() / (PH_S / 100));
    if (spent != NULL)
        *spent = (struct tms){.tms_utime = ticks};
    return ticks;
}
