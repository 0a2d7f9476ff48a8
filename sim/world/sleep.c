/*
 * Falling asleep in the world, and who wakes next.
 *
 * Every thread that waits for something of the world sleeps here. The last one to fall asleep moves
 * the world: it wakes one whose turn it is, or lets the next event happen until there is one.
 * Where the world does not know all threads, or one of those that it has woken may be blocked
 * elsewhere (in a lock), the launcher looks at them through /proc, from outside, and tells one of
 * the sleepers when they all sleep (sim/search/look.c).
 */

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/children.h"
#include "world/epoll.h"
#include "world/machine.h"
#include "world/raw.h"
#include "world/sight.h"
#include "world/socket.h"
#include "world/waiting.h"
#include "world/waits.h"
#include "world/world.h"

enum {
    LOOK_AGAIN_NS = 200000,  /* real: at what is outside of the world */
    LOOK_EVERY = 64,         /* steps: whether there are more threads than the world knows */
    SPINNING_READS = 100000, /* of a clock without a sleep: the program waits by looking at it */
    NS_PER_SPINNING_READ = 10000
};

static _Thread_local struct ph_sleeper* own;
static _Thread_local struct ph_sleeper* woken; /* by this thread, which has still to say so */

static void futex_wait(uint32_t* word) {
    ph_raw_call(SYS_futex, word, FUTEX_WAIT, PH_SLEEP_NONE, NULL, NULL, 0);
}

static void futex_wake(uint32_t* word) {
    ph_raw_call(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

uint64_t ph_real_now(void) {
    struct timespec now;
    ph_raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * PH_S + (uint64_t)now.tv_nsec;
}

/* A clock that is read over and over moves, so that a program that waits by looking at it gets on.
 * The count is exact because only one thread of the world is awake. */
uint64_t ph_world_now(void) {
    if (ph_world->outside_since != 0)
        return ph_world->outside_now + (ph_real_now() - ph_world->outside_since);
    if (++ph_world->reads > SPINNING_READS) {
        ph_world->now += NS_PER_SPINNING_READ;
        ph_world->spun += NS_PER_SPINNING_READ;
    }
    return ph_world->now;
}

void ph_summon_launcher(void) {
    __atomic_add_fetch(&ph_world->summons, 1, __ATOMIC_SEQ_CST);
    futex_wake(&ph_world->summons);
}

void ph_may_block(void) {
    if (ph_world == NULL)
        return;
    ph_world_lock();
    ph_world->look = true;
    ph_summon_launcher();
    ph_world_unlock();
}

void ph_stranger_came(void) {
    __atomic_store_n(&ph_process_here()->strangers, true, __ATOMIC_SEQ_CST);
}

/* A folder has two links of its own and one per thread. The look costs a system call, so it is only
 * taken where somebody may have come; those that were made past libc are found now and then. */
static bool all_threads_are_known(struct ph_process* process) {
    char path[32];
    struct stat info;
    if (!process->strangers && ph_world->steps % LOOK_EVERY != 0)
        return true;
    snprintf(path, sizeof(path), "/proc/%d/task", process->pid);
    bool known = ph_raw_stat(path, &info) == 0 && info.st_nlink - 2 == process->known;
    process->strangers = !known;
    return known;
}

/* Whether it is certain. If it is not, the launcher looks. */
static bool everybody_sleeps(void) {
    if (ph_world->entered < ph_world->starting)
        return false;
    for (int i = 0; i < PH_PROCESSES_MAX && ph_world->processes[i].pid != 0; i++) {
        struct ph_process* process = &ph_world->processes[i];
        if (process->pid > 0 && !process->ended &&
            (process->awake > 0 || !all_threads_are_known(process))) {
            ph_world->look = true;
            ph_summon_launcher();
            return false;
        }
    }
    return true;
}

/* The sockets of processes that have ended; nobody else closes what they had open. */
static void bury_the_dead(void) {
    for (int i = 0; i < PH_PROCESSES_MAX && ph_world->processes[i].pid != 0; i++) {
        struct ph_process* process = &ph_world->processes[i];
        if (!process->ended)
            continue;
        ph_sockets_close_all(process->pid, -1);
        process->ended = false;
        process->pid = -1;
    }
}

static bool is_ready(const struct ph_sleeper* sleeper) {
    return sleeper->ready || (sleeper->epoll != NULL && ph_epoll_is_ready(sleeper->epoll));
}

/* Until when it does not go on, because it is held or its host stands. */
static uint64_t hold_of(const struct ph_sleeper* sleeper) {
    uint64_t stands = ph_world->hosts[sleeper->host].stands_until;
    return sleeper->first ? 0 : sleeper->held > stands ? sleeper->held : stands;
}

static bool is_due(const struct ph_sleeper* sleeper) {
    return hold_of(sleeper) <= ph_world->now &&
           (sleeper->deadline <= ph_world->now || is_ready(sleeper));
}

/* When it goes on if nothing more happens. */
static uint64_t due_time(const struct ph_sleeper* sleeper) {
    uint64_t hold = hold_of(sleeper);
    uint64_t due = hold > ph_world->now && is_ready(sleeper) ? hold : sleeper->deadline;
    return due > hold ? due : hold;
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
        uint64_t due = due_time(PH_CONTAINER_OF(node, struct ph_sleeper, node));
        if (due < next)
            next = due;
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
        /* What the program has made for itself may be a child's now. */
        if (sleeper->epoll != NULL && sleeper->epoll->inner > 0 &&
            ph_children_live(sleeper->process))
            return "a child process";
    }
    return NULL;
}

/* While something outside is awaited the world's clock runs beside the real one. */
static void follow_real_time(const char* what) {
    if (what == NULL && ph_world->outside_since == 0)
        return;
    uint64_t real = ph_real_now();
    if (ph_world->outside_since == 0) {
        ph_world->outside_since = real;
        ph_world->outside_now = ph_world->now;
        snprintf(ph_world->outside_why, sizeof(ph_world->outside_why), "%s", what);
    }
    uint64_t passed = real - ph_world->outside_since;
    if (ph_world->outside_now + passed > ph_world->now)
        ph_world->now = ph_world->outside_now + passed;
    if (what == NULL) {
        ph_world->outside_time += passed;
        ph_world->outside_since = 0;
    }
}

/* The launcher shows the world to somebody, and lets it go on, or ends it. */
static void stop_here(struct ph_sleeper* next) {
    ph_world->stopped = 1;
    ph_world->stopped_before = next;
    ph_summon_launcher();
    ph_world_unlock();
    while (__atomic_load_n(&ph_world->stopped, __ATOMIC_SEQ_CST) != 0)
        ph_raw_call(SYS_futex, &ph_world->stopped, FUTEX_WAIT, 1, NULL, NULL, 0);
    ph_world_lock();
}

static void wake(struct ph_sleeper* sleeper) {
    if (ph_world->settings.until != 0 && ph_world->steps + 1 == ph_world->settings.until)
        stop_here(sleeper);
    ph_queue_remove(&sleeper->node);
    sleeper->process->awake++;
    ph_world->look = false;
    ph_world->steps++;
    ph_chance_branch(ph_world->steps);
    ph_world->observable_steps += !sleeper->observes;
    __atomic_store_n(&sleeper->turn, PH_SLEEP_GO, __ATOMIC_SEQ_CST);
    if (sleeper != own)
        woken = ph_world->waking = sleeper;
}

/* Only after the lock is free: the first thing that the woken thread does is to ask for it. */
static void unlock_and_wake(void) {
    struct ph_sleeper* sleeper = woken;
    woken = NULL;
    ph_world_unlock();
    if (sleeper != NULL)
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

/* Beside real time several things may be due at once: what happens to hosts comes before what they
 * do. Where time is virtual nothing is ever late. */
static void catch_up(const char* outside) {
    bool is_real = outside != NULL || ph_world->outside_since != 0;
    follow_real_time(outside);
    while (is_real && ph_event_next() <= ph_world->now)
        ph_event_run_next();
}

/* Threads that the world does not know, or children: one of them may still do something. */
static bool others_are_here(void) {
    for (int i = 0; i < PH_PROCESSES_MAX && ph_world->processes[i].pid != 0; i++) {
        struct ph_process* process = &ph_world->processes[i];
        bool starts_others = process->has_forked && !process->has_waited && process->awake > 0;
        bool others = process->strangers && !all_threads_are_known(process);
        if (process->pid > 0 && (others || starts_others || ph_children_live(process)))
            return true;
    }
    return false;
}

void ph_look_at_pairs(void) {
    for (struct uv__queue* node = ph_world->sleepers.next; node != &ph_world->sleepers;
         node = node->next) {
        const struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (sleeper->epoll != NULL && sleeper->epoll->inner > 0 && sleeper->pid == ph_raw_pid())
            ph_epoll_look_outside(sleeper->epoll);
    }
}

/* The pool's threads that have nothing to do are not told of. */
static void end_stuck(void) {
    size_t used = 0;
    for (struct uv__queue* node = ph_world->sleepers.next; node != &ph_world->sleepers;
         node = node->next) {
        const struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        char line[256];
        if (sleeper->epoll == NULL && sleeper->waiting == PH_WAITING_OTHERWISE)
            continue;
        ph_waiting_text(ph_world, sleeper, line, sizeof(line));
        ph_see_text(PH_SIGHT_LOG, sleeper->host, line, strlen(line));
        if (used + sizeof(line) < sizeof(ph_world->stuck))
            used += (size_t)snprintf(ph_world->stuck + used, sizeof(ph_world->stuck) - used,
                                     "  %s\n", line);
    }
    ph_world_end("nothing can happen any more, and the program has not ended");
}

static void move_the_world(void) {
    bury_the_dead();
    ph_look_at_pairs();
    let_observer_look();
    for (;;) {
        const char* outside = what_is_outside();
        catch_up(outside);
        if (ph_world->entered < ph_world->starting)
            return; /* a program starts again: it moves the world when it has entered */
        struct ph_sleeper* next = choose();
        if (next != NULL) {
            wake(next);
            return;
        }
        uint64_t time = next_time();
        if (outside != NULL && time > ph_world->now)
            return; /* whoever waits for it looks again soon */
        if (time == PH_NEVER && others_are_here())
            return; /* the launcher looks again */
        if (time == PH_NEVER)
            end_stuck();
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
static void doze(struct ph_sleeper* sleeper) {
    if (sleeper->epoll != NULL && sleeper->epoll->outside + sleeper->epoll->inner > 0) {
        struct pollfd real = {.fd = sleeper->epoll->fd, .events = POLLIN};
        struct timespec limit = {.tv_nsec = LOOK_AGAIN_NS};
        ph_raw_call(SYS_ppoll, &real, 1, &limit, NULL, 0);
    } else {
        futex_wait(&sleeper->turn);
    }
}

static pthread_key_t ending;
static struct uv__queue known = {&known, &known};

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
    struct ph_process* process = ph_process_here();
    if (made == NULL)
        ph_world_end("the world has no room for another thread");
    ph_queue_init(&made->node);
    ph_queue_init(&made->in_process);
    made->process = process;
    made->number = process->next_thread++;
    process->known++;
    process->awake++;
    return made;
}

struct ph_sleeper* ph_sleeper_of(pthread_t thread) {
    for (struct uv__queue* node = known.next; node != &known; node = node->next) {
        struct ph_sleeper* sleeper = PH_CONTAINER_OF(node, struct ph_sleeper, in_process);
        if (pthread_equal(sleeper->thread, thread))
            return sleeper;
    }
    return NULL;
}

void ph_sleeper_free(struct ph_sleeper* sleeper) {
    ph_thread_numbered(sleeper->number, 0);
    ph_queue_remove(&sleeper->in_process);
    ph_process_here()->known--;
    ph_process_here()->awake--;
    ph_world_free(sleeper, sizeof(*sleeper));
}

/* Whoever waits for the end of the thread goes on by itself; the others may be waited for. */
static void end_thread(void* sleeper) {
    own = NULL;
    if (ph_world == NULL)
        return;
    ph_world_lock();
    ph_waits_thread_ended(sleeper);
    ph_sleeper_free(sleeper);
    ph_stranger_came(); /* until it is really gone */
    ph_world->look = true;
    ph_summon_launcher();
    ph_world_unlock();
}

static void make_key(void) {
    pthread_key_create(&ending, end_thread);
}

void ph_sleeper_become(struct ph_sleeper* sleeper) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    pthread_setspecific(ending, sleeper);
    ph_queue_push(&known, &sleeper->in_process);
    sleeper->thread = pthread_self();
    sleeper->pid = ph_raw_pid();
    sleeper->tid = ph_raw_tid();
    ph_thread_numbered(sleeper->number, sleeper->tid);
    own = sleeper;
}

struct ph_sleeper* ph_sleeper_known(void) {
    return own;
}

struct ph_sleeper* ph_sleeper_own(void) {
    if (own == NULL)
        ph_sleeper_become(ph_sleeper_new());
    return own;
}

/* Until it is this thread's turn to go on. */
static void wait_for_turn(struct ph_sleeper* sleeper) {
    while (__atomic_load_n(&sleeper->turn, __ATOMIC_SEQ_CST) != PH_SLEEP_GO) {
        if (sleeper->epoll != NULL)
            ph_epoll_look_outside(sleeper->epoll);
        if (__atomic_load_n(&sleeper->turn, __ATOMIC_SEQ_CST) == PH_SLEEP_MOVE) {
            __atomic_store_n(&sleeper->turn, PH_SLEEP_NONE, __ATOMIC_SEQ_CST);
            if (ph_world->told_at == ph_world->steps)
                move_the_world();
        } else if (!sleeper->begins && everybody_sleeps()) {
            move_the_world();
        }
        if (__atomic_load_n(&sleeper->turn, __ATOMIC_SEQ_CST) == PH_SLEEP_GO)
            break;
        unlock_and_wake();
        doze(sleeper);
        ph_world_lock();
    }
    if (ph_world->waking == sleeper)
        ph_world->waking = NULL;
}

bool ph_sleep(uint64_t deadline, struct ph_epoll* epoll) {
    struct ph_sleeper* sleeper = ph_sleeper_own();
    sleeper->host = ph_host_here();
    sleeper->deadline = deadline;
    sleeper->epoll = epoll;
    sleeper->counts |= epoll != NULL;
    sleeper->turn = PH_SLEEP_NONE;
    fall_asleep(sleeper);
    ph_process_here()->awake--;
    wait_for_turn(sleeper);
    bool came = sleeper->ready || (epoll != NULL && ph_epoll_is_ready(epoll));
    sleeper->ready = false;
    sleeper->held = 0;
    return came;
}

void ph_sleep_holds(uint64_t until) {
    ph_sleeper_own()->held = until;
}

void ph_sleeper_rouse(struct ph_sleeper* sleeper) {
    sleeper->ready = true;
}
