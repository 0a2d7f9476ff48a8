#include "live/stuck.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "os/poller.h"
#include "read/binaries.h"

enum { MOST_THREADS = 64, TRIES = 40, PAUSE_MS = 20 };

/* Loops that sleep */

static bool is_epoll(pid_t pid, const char* number) {
    char path[64], target[64];
    snprintf(path, sizeof(path), "/proc/%d/fd/%.16s", (int)pid, number);
    ssize_t n = readlink(path, target, sizeof(target) - 1);
    target[n > 0 ? n : 0] = '\0';
    return strcmp(target, "anon_inode:[eventpoll]") == 0;
}

/* In a loop's set of descriptors: the one that interrupts its sleep. -1: it is no loop's. */
static int wake_descriptor(pid_t pid, const char* number) {
    char path[64], line[200];
    int found = -1, fd;
    uint64_t data;
    snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.16s", (int)pid, number);
    FILE* info = fopen(path, "re");
    while (info != NULL && found == -1 && fgets(line, sizeof(line), info) != NULL)
        if (sscanf(line, "tfd: %d events: %*x data: %" SCNx64, &fd, &data) == 2 &&
            data == PH_POLLER_WAKE_TAG)
            found = fd;
    if (info != NULL)
        fclose(info);
    return found;
}

static void interrupt(int process, int descriptor) {
    const uint64_t one = 1;
    int fd = (int)syscall(SYS_pidfd_getfd, process, descriptor, 0);
    if (fd == -1)
        return;
    if (write(fd, &one, sizeof(one)) < 0)
        perror("phasor: a loop could not be woken");
    close(fd);
}

void stuck_wake(pid_t pid) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    DIR* all = process != -1 ? opendir(path) : NULL;
    for (struct dirent* entry; all != NULL && (entry = readdir(all)) != NULL;) {
        int fd = is_epoll(pid, entry->d_name) ? wake_descriptor(pid, entry->d_name) : -1;
        if (fd != -1)
            interrupt(process, fd);
    }
    if (all != NULL)
        closedir(all);
    if (process != -1)
        close(process);
}

/* Threads that stand still */

bool stuck_stop(pid_t tid) {
    int status;
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
        return false;
    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0 && waitpid(tid, &status, __WALL) == tid &&
        WIFSTOPPED(status)) {
        /* It was about to get a signal, which it gets. */
        while (status >> 16 != PTRACE_EVENT_STOP) {
            ptrace(PTRACE_CONT, tid, NULL, (void*)(intptr_t)WSTOPSIG(status));
            if (waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
                return false;
        }
        return true;
    }
    ptrace(PTRACE_DETACH, tid, NULL, NULL);
    return false;
}

void stuck_go_on(pid_t tid) {
    ptrace(PTRACE_DETACH, tid, NULL, NULL);
}

size_t stuck_threads(pid_t pid, pid_t* threads, size_t most) {
    char path[64];
    size_t count = 0;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    DIR* all = opendir(path);
    for (struct dirent* entry; all != NULL && (entry = readdir(all)) != NULL;) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && count < most)
            threads[count++] = tid;
    }
    if (all != NULL)
        closedir(all);
    return count;
}

static bool look(pid_t pid, pid_t tid, struct stuck_place* place) {
    const struct binaries_table* table = binaries_table();
    *place = (struct stuck_place){.tid = tid};
    return table != NULL && table->look(pid, tid, place);
}

bool stuck_holds_nothing(pid_t pid, pid_t tid) {
    struct stuck_place place;
    return look(pid, tid, &place) && place.count > 0 && !place.in_allocator;
}

size_t stuck_places(pid_t pid, struct stuck_place* places, size_t most) {
    pid_t threads[MOST_THREADS];
    size_t count = stuck_threads(pid, threads, MOST_THREADS), found = 0;
    for (size_t i = 0; i < count && found < most; i++) {
        if (!stuck_stop(threads[i]))
            continue;
        bool known = look(pid, threads[i], &places[found]);
        stuck_go_on(threads[i]);
        found += known && places[found].in_loop;
    }
    return found;
}

void stuck_say(pid_t pid, FILE* out) {
    struct stuck_place places[16];
    size_t count = stuck_places(pid, places, sizeof(places) / sizeof(places[0]));
    for (size_t i = 0; i < count; i++) {
        const struct stuck_place* place = &places[i];
        fprintf(out, "The loop on thread %d is %s", (int)place->tid,
                place->asleep ? "asleep" : "inside ");
        for (unsigned k = 0; k < place->count && !place->asleep; k++)
            fprintf(out, "%s%s", k > 0 ? ", called by " : "", place->frames[k]);
        fputs(".\n", out);
    }
}

/* One that is in a callback, and in no place where memory or a library is being handled. */
static bool obey_on(pid_t pid, pid_t tid, const struct ph_trace_control* control) {
    struct stuck_place place;
    bool done = false;
    if (!stuck_stop(tid))
        return false;
    if (look(pid, tid, &place) && place.in_loop && !place.in_allocator)
        done = stuck_call(tid,
                          &(struct stuck_call){.function = (uintptr_t)control->obey,
                                               .stack = (uintptr_t)control->stack},
                          NULL);
    stuck_go_on(tid);
    return done;
}

void stuck_obey(pid_t pid, const struct ph_trace_control* control) {
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    pid_t threads[MOST_THREADS];
    for (int i = 0; i < TRIES; i++) {
        size_t count = stuck_threads(pid, threads, MOST_THREADS);
        for (size_t k = 0; k < count; k++)
            if (obey_on(pid, threads[k], control))
                return;
        nanosleep(&pause, NULL);
    }
}
