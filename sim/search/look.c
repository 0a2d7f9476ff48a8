#include "search/look.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "search/sim.h"
#include "world/epoll.h"
#include "world/waiting.h"

enum {
    FIRST_PAUSE_NS = 30000,
    LONGEST_PAUSE_NS = 5000000,
    STALLED_NS = 20000000 /* no step for so long: somebody may be blocked without having said so */
};

static void lock(struct ph_world* world) {
    if (pthread_mutex_lock(&world->lock) == EOWNERDEAD)
        pthread_mutex_consistent(&world->lock);
}

static uint64_t real_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * PH_S + (uint64_t)now.tv_nsec;
}

static ssize_t read_file(const char* path, char* text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return -1;
    ssize_t length = read(fd, text, size - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length;
}

/* By the thread's own number: what has been looked up in the folder of its process makes the
 * process's end take a millisecond longer. */
static ssize_t read_about(const char* tid, const char* what, char* text, size_t size) {
    char path[96];
    snprintf(path, sizeof(path), "/proc/%.16s/%s", tid, what);
    return read_file(path, text, size);
}

/* Whether the thread is blocked, or has ended. Adds how often it has stopped. */
static bool is_blocked(int pid, const char* tid, uint64_t* stops) {
    char text[4096];
    char group[32];
    snprintf(group, sizeof(group), "\nTgid:\t%d\n", pid);
    if (read_about(tid, "status", text, sizeof(text)) <= 0 || strstr(text, group) == NULL)
        return true;
    const char* state = strstr(text, "\nState:\t");
    const char* switches = strstr(text, "\nvoluntary_ctxt_switches:\t");
    if (switches != NULL)
        *stops += strtoull(strchr(switches, '\t'), NULL, 10);
    return state != NULL && strchr("SZX", state[8]) != NULL;
}

/* In which system call the thread is. In a futex it is blocked by another thread, as far as can be
 * seen; one that waits for a pipe to be emptied does not sleep: it is only slow. */
static int call_of(const char* tid) {
    char text[128];
    if (read_about(tid, "syscall", text, sizeof(text)) <= 0)
        return SYS_futex;
    return atoi(text);
}

/* Whoever waits for its children outside of a loop, as the scripts do that start other programs,
 * goes on when they let it: no time passes meanwhile. */
static bool waits_for_child(const struct ph_process* process, const char* tid) {
    char path[96];
    char text[32];
    snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", process->pid, tid);
    return process->has_forked && (!process->has_waited || read_file(path, text, sizeof(text)) > 0);
}

/* A process that nobody has waited for yet: its first thread is a zombie. The others end at the
 * same moment, unless it was the only one that wanted to (then they go on for long). */
static bool has_ended(int pid, bool stalled) {
    char text[512];
    char tid[16];
    struct stat info;
    snprintf(tid, sizeof(tid), "%d", pid);
    const char* name_end =
        read_about(tid, "stat", text, sizeof(text)) > 0 ? strrchr(text, ')') : NULL;
    if (name_end == NULL || name_end[2] != 'Z')
        return name_end == NULL;
    snprintf(text, sizeof(text), "/proc/%d/task", pid);
    return !stalled || stat(text, &info) != 0 || info.st_nlink <= 3;
}

static bool sleeps_in_world(const struct ph_world* world, int pid, int tid) {
    for (const struct uv__queue* node = world->sleepers.next; node != &world->sleepers;
         node = node->next) {
        const struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (sleeper->pid == pid && sleeper->tid == tid)
            return true;
    }
    return false;
}

/* Whether every thread of the process sleeps: in the world, or blocked in the kernel. They are not
 * looked at all at once: who was seen asleep may have been woken by one that was seen asleep later.
 * So the answer holds only if a second look finds that nobody has stopped once more. */
static bool threads_sleep(const struct ph_world* world, const struct ph_process* process,
                          bool stalled, uint64_t* stops, int* past) {
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/task", process->pid);
    DIR* folder = opendir(path);
    if (folder == NULL || has_ended(process->pid, stalled)) {
        if (folder != NULL)
            closedir(folder);
        return false; /* that it has ended is learned another way, and first */
    }
    bool quiet = true;
    const struct dirent* entry;
    while (quiet && (entry = readdir(folder)) != NULL) {
        int tid = atoi(entry->d_name);
        if (tid == 0 || sleeps_in_world(world, process->pid, tid))
            continue;
        quiet = is_blocked(process->pid, entry->d_name, stops);
        int call = quiet && process->awake > 0 ? call_of(entry->d_name) : SYS_futex;
        if (call != SYS_futex) {
            quiet = stalled && call != SYS_write && call != SYS_writev &&
                    !waits_for_child(process, entry->d_name);
            *past = call;
        }
    }
    closedir(folder);
    return quiet;
}

void sim_wake(uint32_t* word) {
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* `past`: the system call in which one of them waits past the world; -1: none. */
static bool everybody_sleeps(struct ph_world* world, bool stalled, int* past) {
    if (world->entered < world->starting)
        return false;
    /* Who has woken it may have been interrupted before saying so, or have ended. */
    if (world->waking != NULL) {
        sim_wake(&world->waking->turn);
        return false;
    }
    for (int i = 0; i < PH_PROCESSES_MAX && world->processes[i].pid != 0; i++) {
        const struct ph_process* process = &world->processes[i];
        uint64_t once = 0, again = 0;
        if (process->pid <= 0 || process->ended)
            continue;
        if (!threads_sleep(world, process, stalled, &once, past) ||
            !threads_sleep(world, process, stalled, &again, past) || once != again)
            return false;
        /* Looked at last: whoever seemed asleep because it waits for the lock has said so before.
         */
        if (__atomic_load_n(&process->lock_waiters, __ATOMIC_SEQ_CST) != 0)
            return false;
    }
    return true;
}

static void tell_a_sleeper(struct ph_world* world) {
    if (ph_queue_empty(&world->sleepers))
        return;
    struct ph_sleeper* sleeper = PH_CONTAINER_OF(world->sleepers.next, struct ph_sleeper, node);
    world->told_at = world->steps;
    __atomic_store_n(&sleeper->turn, PH_SLEEP_MOVE, __ATOMIC_SEQ_CST);
    sim_wake(&sleeper->turn);
}

/* Then the order of things is not the world's alone, and whoever is blocked may wait for us. */
static bool outside_is_awaited(const struct ph_world* world) {
    for (const struct uv__queue* node = world->sleepers.next; node != &world->sleepers;
         node = node->next) {
        const struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (sleeper->epoll != NULL && sleeper->epoll->outside + sleeper->epoll->inner > 0)
            return true;
    }
    return false;
}

/* The world goes on although somebody waits for what it does not see. */
static void name_wait(struct ph_world* world, int call) {
    char what[sizeof(world->leaks[0].what)];
    snprintf(what, sizeof(what), "a wait in the system call %d", call);
    for (int i = 0; i < PH_LEAKS_MAX; i++) {
        if (world->leaks[i].what[0] == '\0')
            memcpy(world->leaks[i].what, what, sizeof(what));
        if (strcmp(world->leaks[i].what, what) == 0)
            return;
    }
}

uint64_t sim_look(struct sim_look* look, struct ph_world* world) {
    uint64_t now = real_now();
    lock(world);
    if (look->steps != world->steps || look->since == 0) {
        look->steps = world->steps;
        look->since = now;
        look->pause = FIRST_PAUSE_NS;
    }
    bool stalled = now - look->since >= STALLED_NS;
    uint64_t pause = STALLED_NS;
    if (world->look || stalled) {
        int past = -1;
        bool outside = outside_is_awaited(world);
        if (everybody_sleeps(world, stalled || outside, &past)) {
            if (past >= 0 && !outside)
                name_wait(world, past);
            world->look = false;
            tell_a_sleeper(world);
        }
        if (world->look) {
            pause = look->pause;
            look->pause = pause * 3 / 2 < LONGEST_PAUSE_NS ? pause * 3 / 2 : LONGEST_PAUSE_NS;
        }
    }
    pthread_mutex_unlock(&world->lock);
    return pause;
}

void sim_wait(struct ph_world* world, uint32_t summons, uint64_t ns) {
    struct timespec limit = {.tv_sec = (time_t)(ns / PH_S), .tv_nsec = (long)(ns % PH_S)};
    syscall(SYS_futex, &world->summons, FUTEX_WAIT, summons, &limit, NULL, 0);
}

static struct ph_world* watched;

static void child_ended(int signal) {
    (void)signal;
    if (watched != NULL)
        __atomic_add_fetch(&watched->summons, 1, __ATOMIC_SEQ_CST);
}

void sim_watch_children(struct ph_world* world) {
    struct sigaction action = {.sa_handler = child_ended, .sa_flags = SA_NOCLDSTOP};
    watched = world;
    sigaction(SIGCHLD, &action, NULL);
}

void sim_forget_process(struct ph_world* world, pid_t pid, bool entered) {
    lock(world);
    if (!entered)
        world->starting--; /* nobody is to wait for it */
    for (int i = 0; i < PH_PROCESSES_MAX; i++)
        if (world->processes[i].pid == pid)
            world->processes[i].ended = true;
    for (struct uv__queue *next, *node = world->sleepers.next; node != &world->sleepers;
         node = next) {
        next = node->next;
        if (PH_CONTAINER_OF(node, struct ph_sleeper, node)->pid == pid)
            ph_queue_remove(node);
    }
    if (world->waking != NULL && world->waking->pid == pid)
        world->waking = NULL;
    world->look = true;
    pthread_mutex_unlock(&world->lock);
}

bool sim_take_restart(struct ph_world* world, unsigned host) {
    lock(world);
    bool wanted = world->hosts[host].start_again;
    world->hosts[host].start_again = false;
    pthread_mutex_unlock(&world->lock);
    return wanted;
}

int sim_pass_to_restart(struct ph_world* world) {
    const struct ph_happening* next = NULL;
    lock(world);
    for (uint32_t i = 0; i < world->happening_count; i++) {
        const struct ph_happening* one = &world->happenings[i];
        bool waits = one->what == PH_RESTART && one->event.place != 0 &&
                     one->time <= world->settings.time_limit && !world->hosts[one->host].up;
        if (waits && (next == NULL || one->time < next->time))
            next = one;
    }
    if (next != NULL) {
        world->now = next->time > world->now ? next->time : world->now;
        world->hosts[next->host].made_early = true;
        world->starting++;
    }
    pthread_mutex_unlock(&world->lock);
    return next != NULL ? next->host : -1;
}

static void tell_sleeper(const struct ph_world* world, const struct ph_sleeper* sleeper) {
    char text[256];
    ph_waiting_text(world, sleeper, text, sizeof(text));
    fprintf(stderr, "  %s", text);
    if (sleeper == world->stopped_before)
        fputs(", and goes on now", stderr);
    else if (sleeper->deadline != PH_NEVER) {
        fputs(", until ", stderr);
        sim_print_when(stderr, sleeper->deadline);
    }
    fputc('\n', stderr);
}

int sim_tell_stop(struct ph_world* world) {
    lock(world);
    fprintf(stderr, "phasor sim: stopped before step %llu, at ",
            (unsigned long long)world->settings.until);
    sim_print_when(stderr, world->now);
    fputs(" of virtual time\n", stderr);
    for (const struct uv__queue* node = world->sleepers.next; node != &world->sleepers;
         node = node->next)
        tell_sleeper(world, PH_CONTAINER_OF(node, struct ph_sleeper, node));
    int pid = world->stopped_before->pid;
    pthread_mutex_unlock(&world->lock);
    return pid;
}
