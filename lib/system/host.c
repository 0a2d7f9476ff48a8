/* The machine and this process on it: names, uptime, load, use of resources, priority, numbers. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/copy_out.h"
#include "base/error.h"
#include "system/procfile.h"
#include "uv.h"

int uv_os_uname(uv_utsname_t* buffer) {
    struct utsname name;
    if (buffer == NULL)
        return UV_EINVAL;
    memset(buffer, 0, sizeof(*buffer));
    if (uname(&name) != 0)
        return ph_errno();
    snprintf(buffer->sysname, sizeof(buffer->sysname), "%s", name.sysname);
    snprintf(buffer->release, sizeof(buffer->release), "%s", name.release);
    snprintf(buffer->version, sizeof(buffer->version), "%s", name.version);
    snprintf(buffer->machine, sizeof(buffer->machine), "%s", name.machine);
    return 0;
}

int uv_os_gethostname(char* buffer, size_t* size) {
    char name[UV_MAXHOSTNAMESIZE];
    if (buffer == NULL || size == NULL || *size == 0)
        return UV_EINVAL;
    if (gethostname(name, sizeof(name)) != 0)
        return ph_errno();
    name[sizeof(name) - 1] = '\0';
    return ph_copy_out(name, strlen(name), buffer, size);
}

/* The kernel's file comes first: a container may show its own there. */
int uv_uptime(double* uptime) {
    char text[128];
    struct timespec now;
    if (uptime == NULL)
        return UV_EINVAL;
    if (ph_procfile_read("/proc/uptime", text, sizeof(text)) > 0 &&
        sscanf(text, "%lf", uptime) == 1)
        return 0;
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0)
        return ph_errno();
    *uptime = (double)now.tv_sec;
    return 0;
}

void uv_loadavg(double avg[3]) {
    char text[128];
    struct sysinfo info;
    if (ph_procfile_read("/proc/loadavg", text, sizeof(text)) > 0 &&
        sscanf(text, "%lf %lf %lf", &avg[0], &avg[1], &avg[2]) == 3)
        return;
    int err = sysinfo(&info);
    for (int i = 0; i < 3; i++)
        avg[i] = err == 0 ? (double)info.loads[i] / (1 << SI_LOAD_SHIFT) : 0;
}

static int usage_of(int who, uv_rusage_t* rusage) {
    struct rusage usage;
    if (rusage == NULL)
        return UV_EINVAL;
    if (getrusage(who, &usage) != 0)
        return ph_errno();
    *rusage = (uv_rusage_t){
        .ru_utime = {usage.ru_utime.tv_sec, usage.ru_utime.tv_usec},
        .ru_stime = {usage.ru_stime.tv_sec, usage.ru_stime.tv_usec},
        .ru_maxrss = (uint64_t)usage.ru_maxrss,
        .ru_ixrss = (uint64_t)usage.ru_ixrss,
        .ru_idrss = (uint64_t)usage.ru_idrss,
        .ru_isrss = (uint64_t)usage.ru_isrss,
        .ru_minflt = (uint64_t)usage.ru_minflt,
        .ru_majflt = (uint64_t)usage.ru_majflt,
        .ru_nswap = (uint64_t)usage.ru_nswap,
        .ru_inblock = (uint64_t)usage.ru_inblock,
        .ru_oublock = (uint64_t)usage.ru_oublock,
        .ru_msgsnd = (uint64_t)usage.ru_msgsnd,
        .ru_msgrcv = (uint64_t)usage.ru_msgrcv,
        .ru_nsignals = (uint64_t)usage.ru_nsignals,
        .ru_nvcsw = (uint64_t)usage.ru_nvcsw,
        .ru_nivcsw = (uint64_t)usage.ru_nivcsw,
    };
    return 0;
}

int uv_getrusage(uv_rusage_t* rusage) {
    return usage_of(RUSAGE_SELF, rusage);
}

int uv_getrusage_thread(uv_rusage_t* rusage) {
    return usage_of(RUSAGE_THREAD, rusage);
}

int uv_os_getpriority(uv_pid_t pid, int* priority) {
    if (priority == NULL)
        return UV_EINVAL;
    /* -1 is also a priority: only errno tells. */
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, (id_t)pid);
    if (nice == -1 && errno != 0)
        return ph_errno();
    *priority = nice;
    return 0;
}

int uv_os_setpriority(uv_pid_t pid, int priority) {
    if (priority < UV_PRIORITY_HIGHEST || priority > UV_PRIORITY_LOW)
        return UV_EINVAL;
    return setpriority(PRIO_PROCESS, (id_t)pid, priority) == 0 ? 0 : ph_errno();
}

uv_pid_t uv_os_getpid(void) {
    return getpid();
}

uv_pid_t uv_os_getppid(void) {
    return getppid();
}

/* Descriptors are what the system has: there is no other handle behind them. */
uv_os_fd_t uv_get_osfhandle(int fd) {
    return fd;
}

int uv_open_osfhandle(uv_os_fd_t os_fd) {
    return os_fd;
}
