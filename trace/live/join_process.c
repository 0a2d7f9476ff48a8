#include "live/join_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "live/remote.h"
#include "live/stuck.h"
#include "read/memory.h"

enum {
    MOST_THREADS = 256,
    TRIES = 400,
    PAUSE_MS = 5,
    WAITS = 100,    /* after so many tries a thread waits for somebody else */
    LOOKS = 50,     /* one in so many tries its stack is followed, which takes a while */
    RED_ZONE = 512, /* below the stack pointer, that the thread may use */
    ROOM = PATH_MAX /* for the library's name, below that */
};

#define LIBRARY "libphasor-join.so"
#define INSTEAD "phasor run --attachable -- PROGRAM starts one that can be attached to"

/* From the folder of the command, as it is built and installed. */
static bool find_library(char* path, size_t size) {
    static const char* const places[] = {"../" PHASOR_LIBDIR "/phasor/" LIBRARY,
                                         "../lib/phasor/" LIBRARY, "../lib64/phasor/" LIBRARY};
    char self[PATH_MAX / 2], name[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[n > 0 ? n : 0] = '\0';
    char* slash = strrchr(self, '/');
    for (size_t i = 0; slash != NULL && i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(name, sizeof(name), "%.*s/%s", (int)(slash - self), self, places[i]);
        char* real = realpath(name, NULL);
        bool found = real != NULL && snprintf(path, size, "%s", real) < (int)size;
        free(real);
        if (found)
            return true;
    }
    return false;
}

/* Whether it can be done at all */

static bool is_in_another_place(pid_t pid) {
    char path[64], ours[64] = "", there[64] = "";
    snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
    return readlink("/proc/self/ns/mnt", ours, sizeof(ours) - 1) > 0 &&
           readlink(path, there, sizeof(there) - 1) > 0 && strcmp(ours, there) != 0;
}

/* How many filters of system calls a process has; one in the strict mode has more than any. */
static unsigned count_filters(const char* process) {
    char path[64], line[200];
    unsigned mode = 0, filters = 0;
    snprintf(path, sizeof(path), "/proc/%s/status", process);
    FILE* status = fopen(path, "re");
    while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
        sscanf(line, "Seccomp: %u", &mode);
        sscanf(line, "Seccomp_filters: %u", &filters);
    }
    if (status != NULL)
        fclose(status);
    return mode == 1 ? UINT_MAX : mode == 2 && filters == 0 ? 1 : filters;
}

static bool can_be_joined(pid_t pid, char* error, size_t size) {
    char number[16];
    snprintf(number, sizeof(number), "%d", (int)pid);
#if !defined(__x86_64__) || defined(PHASOR_PLAIN_PROCESSOR)
    snprintf(error, size,
             "process %d runs on a libuv that is not ours, which can be joined on "
             "x86-64 only; " INSTEAD,
             (int)pid);
    return false;
#endif
    if (is_in_another_place(pid))
        snprintf(
            error, size,
            "process %d sees other files than this one (a container): phasor has to run there, "
            "beside it",
            (int)pid);
    else if (count_filters(number) > count_filters("self"))
        snprintf(error, size,
                 "process %d may not make all system calls (seccomp), and would be ended for those "
                 "that a recording needs; start it by phasor trace, or with more of them allowed",
                 (int)pid);
    else
        return true;
    return false;
}

/* A thread at a place where it can be made to call something */

/* Those in which threads sleep, called by functions that hold no lock meanwhile. */
static bool is_one_of(const int64_t* calls, size_t count, int64_t system_call) {
    for (size_t i = 0; i < count; i++)
        if (system_call == calls[i])
            return true;
    return false;
}

static bool is_harmless(int64_t system_call) {
    static const int64_t calls[] = {
#ifdef SYS_epoll_wait
        SYS_epoll_wait,   SYS_poll,
#endif
#ifdef SYS_select
        SYS_select,
#endif
#ifdef SYS_epoll_pwait2
        SYS_epoll_pwait2,
#endif
        SYS_epoll_pwait,  SYS_ppoll, SYS_pselect6, SYS_nanosleep, SYS_clock_nanosleep};
    return is_one_of(calls, sizeof(calls) / sizeof(calls[0]), system_call);
}

/* Those in which a program may wait for others for ever: who calls them has to be looked at. */
static bool may_wait_for_ever(int64_t system_call) {
    static const int64_t calls[] = {
#ifdef SYS_accept
        SYS_accept,
#endif
        SYS_read,   SYS_readv,  SYS_recvfrom, SYS_recvmsg,
        SYS_wait4,  SYS_waitid, SYS_accept4,  SYS_flock};
    return is_one_of(calls, sizeof(calls) / sizeof(calls[0]), system_call);
}

/* Code that is in no file was made by an engine, and takes no lock of the C library's. */
static bool is_made_code(pid_t pid, uint64_t pc) {
    char path[64], line[4400], rights[8];
    uint64_t begin, end, inode;
    bool made = false;
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    FILE* maps = fopen(path, "re");
    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*x %*s %" SCNu64, &begin, &end, rights,
                   &inode) == 4 &&
            pc >= begin && pc < end)
            made = inode == 0 && rights[2] == 'x' && strstr(line, "[v") == NULL;
    if (maps != NULL)
        fclose(maps);
    return made;
}

static bool is_at_a_safe_place(pid_t pid, pid_t tid, const struct stuck_registers* at,
                               unsigned tries) {
    if (at->system_call < 0)
        return is_made_code(pid, at->pc);
    return is_harmless(at->system_call) ||
           (tries >= WAITS && tries % LOOKS == 0 && may_wait_for_ever(at->system_call) &&
            stuck_holds_nothing(pid, tid));
}

/* What it is to do there; the thread stands still. */
typedef bool safe_call(pid_t tid, const struct stuck_registers* at, void* context);

/* The main thread first, as long as it takes; then the others. */
static bool call_safely(pid_t pid, safe_call* call, void* context, char* error, size_t size) {
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    pid_t threads[MOST_THREADS];
    struct stuck_registers at;
    for (unsigned i = 0; i < TRIES; i++) {
        size_t count = stuck_threads(pid, threads, i % 8 == 7 ? MOST_THREADS : 1);
        for (size_t k = 0; k < count; k++) {
            if (!stuck_stop(threads[k]))
                continue;
            bool safe =
                stuck_registers(threads[k], &at) && is_at_a_safe_place(pid, threads[k], &at, i);
            bool done = safe && call(threads[k], &at, context);
            stuck_go_on(threads[k]);
            if (safe)
                return done;
        }
        if ((kill(pid, 0) != 0 && errno == ESRCH) || remote_has_ended(pid)) {
            snprintf(error, size, "process %d has ended", (int)pid);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    snprintf(
        error, size,
        "no thread of process %d came to a place where it can be stopped: another debugger may "
        "have it, or it is busy in native code, or in a system call; " INSTEAD,
        (int)pid);
    return false;
}

/* Loading */

struct loading {
    pid_t pid;
    uint64_t dlopen;
    char path[ROOM];
    uint64_t handle;
};

static bool load(pid_t tid, const struct stuck_registers* at, void* context) {
    struct loading* loading = context;
    uint64_t name = (at->stack - RED_ZONE - ROOM) & ~(uint64_t)15;
    struct stuck_call call = {.function = loading->dlopen,
                              .below = at->stack - name,
                              .arguments = {name, RTLD_NOW | RTLD_LOCAL}};
    return remote_transfer(loading->pid, name, loading->path, strlen(loading->path) + 1, true) &&
           stuck_call(tid, &call, &loading->handle);
}

bool join_process(pid_t pid, char* error, size_t size) {
    static const char* const libraries[] = {"/libc.so", "/libc-", "/libdl", "/ld-musl", NULL};
    static struct loading loading;
    loading = (struct loading){.pid = pid};
    if (!can_be_joined(pid, error, size))
        return false;
    if (!find_library(loading.path, sizeof(loading.path))) {
        snprintf(error, size, LIBRARY " is not there, in ../lib/phasor beside this program");
        return false;
    }
    loading.dlopen = remote_find(pid, libraries, "dlopen", NULL, 0);
    if (loading.dlopen == 0)
        loading.dlopen = remote_find(pid, libraries, "__libc_dlopen_mode", NULL, 0);
    if (loading.dlopen == 0) {
        snprintf(error, size, "process %d can't load libraries: it is statically linked", (int)pid);
        return false;
    }
    *error = '\0';
    if (!call_safely(pid, load, &loading, error, size)) {
        if (*error == '\0')
            snprintf(error, size, "process %d ended, or did not come back, while it loaded %s",
                     (int)pid, loading.path);
        return false;
    }
    if (loading.handle == 0)
        snprintf(error, size, "process %d can't load %s", (int)pid, loading.path);
    return loading.handle != 0;
}

static bool call_obey(pid_t tid, const struct stuck_registers* at, void* context) {
    const struct ph_trace_control* control = context;
    struct stuck_call call = {.function = (uintptr_t)control->obey,
                              .stack = (uintptr_t)control->stack};
    (void)at;
    return stuck_call(tid, &call, NULL);
}

bool join_obey(pid_t pid, const struct ph_trace_control* control, char* error, size_t size) {
    *error = '\0';
    if (call_safely(pid, call_obey, (void*)control, error, size))
        return true;
    if (*error == '\0')
        snprintf(error, size, "process %d did not do what it was asked for", (int)pid);
    return false;
}
