/*
 * Falling asleep in the world, and who wakes next.
 *
 * Every thread that waits for something of the world sleeps here. The last one to fall asleep moves
 * the world: it wakes one whose turn it is, or lets the next event happen until there is one.
 * Threads that the world knows nothing of (a program's own, blocked in a lock or computing) are
 * looked at through /proc: while one of them runs, the world waits for it.
 */

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/epoll.h"
#include "sim/socket.h"
#include "sim/world.h"

enum {
    LOOK_AGAIN_NS = 200000,  /* real: at threads that run outside of the world */
    SAFETY_NS = 50000000,    /* real: nobody sleeps for longer without a look */
    SPINNING_READS = 100000, /* of a clock without a sleep: the program waits by looking at it */
    NS_PER_SPINNING_READ = 10000
};

static void futex_wait(uint32_t* word, uint64_t ns) {
    struct timespec limit = {.tv_sec = (time_t)(ns / PH_S), .tv_nsec = (long)(ns % PH_S)};
    syscall(SYS_futex, word, FUTEX_WAIT, 0, &limit, NULL, 0);
}

static void futex_wake(uint32_t* word) {
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

uint64_t ph_real_now(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * PH_S + (uint64_t)now.tv_nsec;
}

/* A clock that is read over and over moves, so that a program that waits by looking at it gets on.
 * The count is exact because only one thread of the world is awake. */
uint64_t ph_world_now(void) {
    if (ph_world->outside_since != 0)
        return ph_world->outside_now + (ph_real_now() - ph_world->outside_since);
    if (++ph_world->reads > SPINNING_READS)
        ph_world->now += NS_PER_SPINNING_READ;
    return ph_world->now;
}

/* The state of a thread: 'R', 'S', ... ; 0 when it has ended. Adds how often it has stopped. */
static char state_of(int pid, const char* tid, uint64_t* stops) {
    char path[64];
    char text[4096];
    snprintf(path, sizeof(path), "/proc/%d/task/%.16s/status", pid, tid);
    int fd = (int)syscall(SYS_openat, -100, path, 0x80000 /* O_CLOEXEC */);
    if (fd < 0)
        return 0;
    ssize_t length = syscall(SYS_read, fd, text, sizeof(text) - 1);
    syscall(SYS_close, fd);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    const char* state = strstr(text, "\nState:\t");
    const char* switches = strstr(text, "\nvoluntary_ctxt_switches:\t");
    if (switches != NULL)
        *stops += strtoull(strchr(switches, '\t'), NULL, 10);
    return state != NULL ? state[8] : 0;
}

static char main_state(int pid) {
    char tid[16];
    if (pid == getpid())
        return 'R';
    uint64_t stops = 0;
    snprintf(tid, sizeof(tid), "%d", pid);
    return state_of(pid, tid, &stops);
}

static bool sleeps_here(int pid, int tid) {
    for (struct uv__queue* node = ph_world->sleepers.next; node != &ph_world->sleepers;
         node = node->next) {
        const struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (sleeper->pid == pid && sleeper->tid == tid)
            return true;
    }
    return false;
}

struct directory_entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/* Whether every thread of the process sleeps: in the world, or blocked in the kernel. They are not
 * looked at all at once: who was seen asleep may have been woken by one that was seen asleep later.
 * So the answer holds only if a second look finds that nobody has stopped once more. */
static bool threads_sleep(int pid, int self, uint64_t* stops) {
    char path[32];
    char list[4096];
    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    int fd = (int)syscall(SYS_openat, -100, path, 0x90000 /* O_CLOEXEC | O_DIRECTORY */);
    if (fd < 0)
        return true;
    bool quiet = true;
    long length;
    while (quiet && (length = syscall(SYS_getdents64, fd, list, sizeof(list))) > 0)
        for (long at = 0; quiet && at < length;) {
            struct directory_entry* entry = (struct directory_entry*)(void*)(list + at);
            at += entry->length;
            int tid = atoi(entry->name);
            if (tid != 0 && tid != self && !sleeps_here(pid, tid)) {
                char state = state_of(pid, entry->name, stops);
                quiet = state == 'S' || state == 0 || state == 'Z' || state == 'X';
            }
        }
    syscall(SYS_close, fd);
    return quiet;
}

static uint32_t count_sleepers(int pid) {
    uint32_t count = 0;
    for (struct uv__queue* node = ph_world->sleepers.next; node != &ph_world->sleepers;
         node = node->next)
        count += PH_CONTAINER_OF(node, struct ph_sleeper, node)->pid == pid;
    return count;
}

/* It can't be woken, and nobody else closes what it had open. */
static void bury(struct ph_process* process) {
    for (struct uv__queue *next, *node = ph_world->sleepers.next; node != &ph_world->sleepers;
         node = next) {
        next = node->next;
        if (PH_CONTAINER_OF(node, struct ph_sleeper, node)->pid == process->pid)
            ph_queue_remove(node);
    }
    ph_sockets_close_all(process->pid, -1);
    process->pid = -1;
}

static bool process_is_quiet(struct ph_process* process, int self) {
    int pid = process->pid;
    char path[32];
    struct stat info;
    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    if (stat(path, &info) != 0 || main_state(pid) == 'Z') {
        bury(process);
        return true;
    }
    /* A folder has two links of its own and one per thread. */
    uint64_t once = 0, again = 0;
    if (info.st_nlink - 2 != count_sleepers(pid) &&
        (!threads_sleep(pid, self, &once) || !threads_sleep(pid, self, &again) || once != again))
        return false;
    /* Looked at last: whoever seemed asleep because it waits for the lock has said so before. */
    return __atomic_load_n(&process->lock_waiters, __ATOMIC_SEQ_CST) == 0 &&
           process->beginning == 0;
}

static bool everybody_sleeps(void) {
    int pid = getpid();
    int self = gettid();
    if (ph_world->entered < ph_world->starting)
        return false;
    for (int i = 0; i < PH_PROCESSES_MAX && ph_world->processes[i].pid != 0; i++) {
        struct ph_process* other = &ph_world->processes[i];
        if (other->pid > 0 && !process_is_quiet(other, other->pid == pid ? self : 0))
            return false;
    }
    return true;
}

static bool is_due(const struct ph_sleeper* sleeper) {
    return sleeper->ready || sleeper->deadline <= ph_world->now ||
           (sleeper->epoll != NULL && ph_epoll_is_ready(sleeper->epoll));
}

/* One of those whose turn it could be; NULL if there is none. */
static struct ph_sleeper* choose(void) {
    struct uv__queue* head = &ph_world->sleepers;
    uint64_t count = 0;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        bool due = is_due(sleeper);
        if (due && sleeper->first)
            return sleeper;
        count += due;
    }
    if (count == 0)
        return NULL;
    uint64_t which = count == 1 ? 0 : ph_draw_below(PH_CHANCE_ORDER, count);
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (is_due(sleeper) && which-- == 0)
            return sleeper;
    }
    return NULL;
}

static uint64_t next_time(void) {
    uint64_t next = ph_event_next();
    for (struct uv__queue* node = ph_world->sleepers.next; node != &ph_world->sleepers;
         node = node->next) {
        const struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (sleeper->deadline < next)
            next = sleeper->deadline;
    }
    return next;
}

/* Why time can't be jumped over: somebody waits for what is outside of the world. */
static const char* what_is_outside(void) {
    for (struct uv__queue* node = ph_world->sleepers.next; node != &ph_world->sleepers;
         node = node->next) {
        const struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (sleeper->epoll != NULL && sleeper->epoll->outside > 0)
            return sleeper->epoll->outside_what;
    }
    return NULL;
}

/* While something outside is awaited the world's clock runs beside the real one. */
static void follow_real_time(const char* what) {
    uint64_t real = ph_real_now();
    if (what != NULL && ph_world->outside_since == 0) {
        ph_world->outside_since = real;
        ph_world->outside_now = ph_world->now;
        snprintf(ph_world->outside_why, sizeof(ph_world->outside_why), "%s", what);
    }
    if (ph_world->outside_since == 0)
        return;
    uint64_t passed = real - ph_world->outside_since;
    if (ph_world->outside_now + passed > ph_world->now)
        ph_world->now = ph_world->outside_now + passed;
    if (what == NULL) {
        ph_world->outside_time += passed;
        ph_world->outside_since = 0;
    }
}

static void wake(struct ph_sleeper* sleeper) {
    ph_queue_remove(&sleeper->node);
    ph_world->steps++;
    ph_world->observable_steps += !sleeper->observes;
    __atomic_store_n(&sleeper->turn, 1, __ATOMIC_SEQ_CST);
    if (sleeper->pid != getpid() || sleeper->tid != gettid())
        futex_wake(&sleeper->turn);
}

/* Of this process: one thread that looks at the world after each step of the others. */
static struct {
    void (*call)(void* data);
    void* data;
    struct ph_sleeper* thread;
    uint64_t seen; /* moves */
} observer;

void ph_observe(void (*call)(void* data), void* data) {
    observer.call = call;
    observer.data = data;
    observer.thread = ph_sleeper_own();
    observer.thread->observes = call != NULL;
    observer.thread->first = call != NULL;
    observer.seen = ph_world->observable_steps;
}

/* The observer's own steps are not looked at again. It is called without the lock, because it may
 * send to a loop; nobody else is awake who could change anything meanwhile. */
static void let_observer_look(void) {
    if (observer.call == NULL || observer.seen == ph_world->observable_steps)
        return;
    observer.seen = ph_world->observable_steps;
    ph_world_unlock();
    observer.call(observer.data);
    ph_world_lock();
}

static void move_the_world(void) {
    let_observer_look();
    for (;;) {
        const char* outside = what_is_outside();
        follow_real_time(outside);
        struct ph_sleeper* next = choose();
        if (next != NULL) {
            wake(next);
            return;
        }
        uint64_t time = next_time();
        if (outside != NULL && time > ph_world->now)
            return; /* whoever waits for it looks again soon */
        if (time == PH_NEVER)
            ph_world_end("nothing can happen any more, and the program has not ended");
        if (time > ph_world->settings.time_limit)
            ph_world_end("the limit of virtual time has come (%llu s)",
                         (unsigned long long)(ph_world->settings.time_limit / PH_S));
        if (time > ph_world->now) {
            ph_world->now = time;
            ph_world->reads = 0;
        }
        while (ph_event_next() <= ph_world->now)
            ph_event_run_next();
    }
}

/* Sleeps for real until something may have changed. */
static void doze(struct ph_sleeper* sleeper, bool all_asleep) {
    bool outside = sleeper->epoll != NULL && sleeper->epoll->outside > 0;
    if (outside) {
        struct pollfd real = {.fd = sleeper->epoll->fd, .events = POLLIN};
        struct timespec limit = {.tv_nsec = LOOK_AGAIN_NS};
        syscall(SYS_ppoll, &real, 1, &limit, NULL, 0);
    } else {
        futex_wait(&sleeper->turn, all_asleep ? SAFETY_NS : LOOK_AGAIN_NS);
    }
}

static _Thread_local struct ph_sleeper* own;

/* In the order of the threads' numbers, which is always the same, and not in that of falling
 * asleep. */
static void fall_asleep(struct ph_sleeper* sleeper) {
    struct uv__queue* after = ph_world->sleepers.prev;
    while (after != &ph_world->sleepers &&
           PH_CONTAINER_OF(after, struct ph_sleeper, node)->number > sleeper->number)
        after = after->prev;
    ph_queue_push(after->next, &sleeper->node);
}

bool ph_thread_counts(void) {
    return own != NULL && own->counts;
}

struct ph_sleeper* ph_sleeper_new(void) {
    struct ph_sleeper* made = ph_world_alloc(sizeof(*made));
    if (made == NULL)
        ph_world_end("the world has no room for another thread");
    ph_queue_init(&made->node);
    made->number = ph_process_here()->next_thread++;
    return made;
}

void ph_sleeper_become(struct ph_sleeper* sleeper) {
    own = sleeper;
}

struct ph_sleeper* ph_sleeper_own(void) {
    if (own == NULL)
        own = ph_sleeper_new();
    return own;
}

bool ph_sleep(uint64_t deadline, struct ph_epoll* epoll) {
    struct ph_sleeper* sleeper = ph_sleeper_own();
    sleeper->pid = getpid();
    sleeper->tid = gettid();
    sleeper->host = ph_host_here();
    sleeper->deadline = deadline;
    sleeper->epoll = epoll;
    sleeper->counts |= epoll != NULL;
    sleeper->turn = 0;
    fall_asleep(sleeper);
    for (;;) {
        if (sleeper->epoll != NULL)
            ph_epoll_look_outside(sleeper->epoll);
        bool all_asleep = everybody_sleeps();
        if (all_asleep)
            move_the_world();
        if (__atomic_load_n(&sleeper->turn, __ATOMIC_SEQ_CST))
            break;
        ph_world_unlock();
        doze(sleeper, all_asleep);
        ph_world_lock();
        if (__atomic_load_n(&sleeper->turn, __ATOMIC_SEQ_CST))
            break;
    }
    bool came = sleeper->ready || (epoll != NULL && ph_epoll_is_ready(epoll));
    sleeper->ready = false;
    return came;
}

void ph_sleeper_rouse(struct ph_sleeper* sleeper) {
    sleeper->ready = true;
}
