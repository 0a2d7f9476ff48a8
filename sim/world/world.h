#ifndef PH_SIM_WORLD_H
#define PH_SIM_WORLD_H

/*
 * The simulated world: one clock, one source of chance, hosts, links, sockets, and the threads that
 * sleep in it. It lives in memory that every process of the world maps at the same address, so
 * pointers into it mean the same everywhere, and one lock guards all of it.
 *
 * The world moves only when everybody in it is asleep. Then exactly one sleeper is woken: one whose
 * turn has come, or the one that the next event makes ready. So the order of everything follows
 * from the seed alone, however many threads, processes and processors there are.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

#include "base/queue.h"
#include "world/unkind.h"

struct ph_epoll;
struct ph_process;
struct ph_sight;
struct ph_inode;

#define PH_NEVER UINT64_MAX
#define PH_US UINT64_C(1000)
#define PH_MS UINT64_C(1000000)
#define PH_S UINT64_C(1000000000)

enum {
    PH_WORLD_MAGIC = 0x50485357, /* checked before a world is entered */
    PH_HOSTS_MAX = 64,
    PH_PROCESSES_MAX = 64,
    PH_NAME_MAX = 64,
    PH_PLAN_MAX = 4096,
    PH_LOG_SIZE = 1 << 20,
    PH_STATES_MAX = 128,
    PH_LEAKS_MAX = 16,
    PH_INODES = 4096, /* lists of them */
    PH_BRANCHES_MAX = 8,
    PH_EDGES = 1 << 16,      /* what a program tells of where it has been: see guide.h */
    PH_NETWORK = 0x0a4d0000, /* 10.77.0.0: the hosts have addresses from here on */
    PH_EXIT_WORLD = 86       /* status of a process that ends because its world does */
};

#define PH_BOOTED (1000 * PH_S) /* what the monotonic clock shows when the world begins */
#define PH_FIRST_DAY (UINT64_C(1893456000) * PH_S) /* 2030-01-01 00:00:00 UTC */
#if UINTPTR_MAX > UINT32_MAX
#define PH_WORLD_ADDRESS UINT64_C(0x510000000000)
#else /* where there is no world yet */
#define PH_WORLD_ADDRESS UINT32_C(0x51000000)
#endif
#define PH_WORLD_SIZE (UINT64_C(1) << 30) /* mostly never touched */

/* What is drawn, each from a row of numbers of its own, so that one more draw of one kind changes
 * no other. */
enum ph_chance {
    PH_CHANCE_ORDER, /* who goes first */
    PH_CHANCE_WORK,  /* how long a piece of work takes */
    PH_CHANCE_DELAY, /* how long a datagram is held back */
    PH_CHANCE_PORT,
    PH_CHANCE_BYTES,   /* what programs get as random bytes */
    PH_CHANCE_LINK,    /* what a link is like */
    PH_CHANCE_SPLIT,   /* how bytes are cut on their way */
    PH_CHANCE_LOSS,    /* datagrams: lost, doubled, overtaken */
    PH_CHANCE_FAULT,   /* whether a call fails */
    PH_CHANCE_PROGRAM, /* what a test asks for itself */
    PH_CHANCE_DISK,    /* what a crash leaves on a disk */
    PH_CHANCES
};

struct ph_event {
    uint64_t time;
    uint64_t order; /* among events of the same time: first made, first run */
    uint32_t kind;
    uint32_t place; /* in the heap, plus 1; 0: not there */
};

enum ph_sleep_turn {
    PH_SLEEP_NONE,
    PH_SLEEP_GO,  /* it may go on */
    PH_SLEEP_MOVE /* the launcher has seen that everybody sleeps: it is to move the world */
};

/* What a sleeping thread waits for, for the text of a world in which nothing can happen. */
enum ph_waiting {
    PH_WAITING_OTHERWISE,
    PH_WAITING_MUTEX,
    PH_WAITING_LOCK, /* of another kind: nothing tells who holds it */
    PH_WAITING_CONDITION,
    PH_WAITING_SEMAPHORE,
    PH_WAITING_BARRIER,
    PH_WAITING_THREAD /* for its end */
};

/* One thread asleep in the world. */
struct ph_sleeper {
    struct uv__queue node; /* in world.sleepers while asleep */
    struct ph_process* process;
    struct uv__queue in_process; /* of threads of this process that the world knows */
    pthread_t thread;
    int pid;
    int tid;
    int host;
    uint32_t turn;     /* futex: enum ph_sleep_turn */
    bool ready;        /* something it waits for is there */
    uint64_t deadline; /* virtual ns, or PH_NEVER */
    uint64_t held;     /* until then it does not go on, whatever it waits for */
    struct ph_epoll* epoll;
    uint64_t number; /* of the thread: by its host, then by the order of making */
    bool observes;   /* its own steps are not looked at */
    bool first;      /* when it is ready, it comes before the others */
    bool begins;     /* it has not run yet: its maker moves the world */
    bool counts;     /* it runs a loop or the pool's work: see ph_thread_counts */
    enum ph_waiting waiting;
    int holder;          /* of the mutex: the system's number of the thread */
    uintptr_t waits_for; /* an address in its process; of a thread, its struct ph_sleeper */
};

struct ph_host {
    char name[PH_NAME_MAX];
    bool used;
    bool up;
    uint32_t address; /* IPv4, host byte order */
    uint32_t crashes;
    bool start_again; /* for the launcher: a process is to be made, */
    bool made_early;  /* or it has made one already, because nobody else was left */

    bool tests;            /* it makes the others: the world is kind to it */
    uint64_t waits;        /* of its loops, so far */
    uint64_t works;        /* pieces of the pool's work */
    uint64_t preempted;    /* threads that were interrupted, or could have been */
    uint64_t stands_until; /* nothing of it goes on before */
    uint64_t full_until;   /* its disk */
    int64_t calendar;      /* ns by which its calendar was set */
};

struct ph_link {
    uint64_t latency; /* ns */
    uint64_t jitter;
    uint64_t bandwidth; /* bytes a second; 0: no limit */
    uint64_t busy_until;
    double loss;
    double duplicate;
    double reorder;
    bool known;
    bool at_once; /* inside of one host, and nobody has described it: for datagrams */
    bool cut;
    uint64_t cut_until; /* by the world's unkindness */
};

/* One planned fault: of the n-th call of that name on the host, or in the world. */
struct ph_planned {
    char host[PH_NAME_MAX]; /* empty: in the world */
    char call[24];
    uint64_t number;
    int error;
    bool happened;
};

/* The n-th delay on the way from one host to another, from 1 on. */
struct ph_delay {
    uint8_t from;
    uint8_t to;
    uint32_t number;
};

/* How often a call of this name was made. */
struct ph_call_count {
    char name[24];
    uint64_t in_world;
    uint64_t on_host[PH_HOSTS_MAX];
};

struct ph_process {
    int pid;
    int host;
    uint32_t lock_waiters; /* atomic: threads that wait for the world's lock are not asleep */
    uint32_t known;        /* threads that have ever slept in the world, or are about to, */
    uint32_t awake;        /* and those of them that do not sleep there now */
    bool strangers;        /* there may be others */
    bool has_waited;       /* in a loop, for the first time */
    bool ended;            /* seen by the launcher; its sockets are still to be closed */
    bool has_forked;       /* it may have children, and they theirs */
    uint64_t next_thread;
};

/* A place or a state that the program has named. */
struct ph_state {
    char name[PH_NAME_MAX];
    uint64_t held;
    bool must_hold; /* in some world of a search */
};

/* Something of the outside that a program has seen or done past the world. */
struct ph_leak {
    char what[96];
    char where[128]; /* in which code; may be empty */
};

/* From this step on chance is that of another seed. */
struct ph_branch {
    uint64_t step;
    uint64_t seed;
};

enum ph_what { PH_CUT, PH_HEAL, PH_CRASH, PH_RESTART };

/* Something that happens to hosts at a time of its own. */
struct ph_happening {
    struct ph_event event;
    uint64_t time;
    enum ph_what what;
    int host;
    int other;
    bool one_way; /* of a cut: from the host to the other */
};

struct ph_settings {
    uint64_t seed;
    uint64_t time_limit; /* ns of virtual time */
    uint64_t until;      /* the world stops before this step; 0: it does not */
    struct ph_branch branches[PH_BRANCHES_MAX];
    uint32_t branch_count;
    bool guided;          /* programs are to tell of their edges */
    double fault_rate[8]; /* by enum ph_fault_class */
    double unkind[PH_UNKINDS];
    bool only_planned; /* faults happen where they are planned, and nowhere else */
    uint32_t planned_count;
    struct ph_planned planned[PH_PLAN_MAX];
    bool mask_delays; /* a delay happens only where it is kept */
    uint32_t kept_count;
    struct ph_delay kept_delays[PH_PLAN_MAX];
};

struct ph_world {
    uint32_t magic;
    uint32_t size_of_world; /* of this struct: launcher and library must agree */
    pthread_mutex_t lock;
    struct ph_settings settings;

    uint64_t now;   /* virtual ns since the world began */
    uint64_t wall;  /* what the calendar showed then, ns since 1970 */
    uint64_t reads; /* of a clock since somebody slept */
    uint64_t spun;  /* ns that have passed because it was read over and over */
    uint64_t draws[PH_CHANCES];
    uint64_t chance_seed; /* that of the settings, or of the last branch */
    uint32_t branch_next;
    bool branches_have_kinds; /* of their seeds, as a world of its own; else they stay */
    double branch_kinds[PH_BRANCHES_MAX][PH_UNKINDS];
    double branch_call_rates[PH_BRANCHES_MAX];

    struct uv__queue sleepers;
    struct ph_sleeper* waking; /* told to go on, but has not heard of it: it only looks blocked */
    struct ph_event** heap;
    uint32_t heap_count;
    uint32_t heap_room;
    uint64_t event_order;

    uint64_t outside_since; /* real ns; 0: time is virtual */
    uint64_t outside_now;   /* virtual ns at that moment */

    struct ph_host hosts[PH_HOSTS_MAX];
    uint32_t host_count;
    struct ph_link links[PH_HOSTS_MAX][PH_HOSTS_MAX];
    uint32_t delay_counts[PH_HOSTS_MAX][PH_HOSTS_MAX];
    struct ph_process processes[PH_PROCESSES_MAX];
    struct ph_happening happenings[256];
    uint32_t happening_count;
    uint32_t summons;  /* futex of the launcher: changes when there is something to do for it */
    bool look;         /* it is to see whether everybody sleeps: see everybody_sleeps */
    uint64_t told_at;  /* the step at which it has told a sleeper to move the world; somebody else
                          may have moved it by the time that one hears of it */
    uint32_t starting; /* processes that are to enter before anything moves */
    uint32_t entered;
    int entered_pids[PH_PROCESSES_MAX];
    uint32_t waits; /* loops made and sleeps so far: whether there was anything to simulate */
    struct uv__queue sockets;
    struct uv__queue unsynced; /* names that a crash would undo, */
    struct uv__queue files;    /* and files; see journal.h */
    uint64_t real_began;       /* the calendar outside then, ns: see times.c */
    struct ph_leak leaks[PH_LEAKS_MAX];
    struct ph_inode* inodes[PH_INODES]; /* see inodes.c */
    uint64_t inode_count;
    struct ph_call_count calls[64];
    struct ph_state states[PH_STATES_MAX];
    uint32_t edges[PH_EDGES]; /* the step at which it was taken first; 0: never */

    /* For the report. */
    struct ph_sight* sights; /* NULL: nobody wants the page */
    uint64_t sight_count;
    uint32_t stopped; /* futex: the world stands before the step that settings.until names, */
    struct ph_sleeper* stopped_before; /* in which this one would go on */
    uint64_t steps;
    uint64_t observable_steps; /* of all but the observer */
    uint64_t faults;
    uint64_t unkind_count[PH_UNKINDS];
    uint64_t delays;
    uint64_t outside_time;
    char outside_why[64];
    char ended[256];  /* why the world had to end; empty: it did not, */
    char stuck[2048]; /* and who waited for what, a line each, if nothing could happen any more */
    bool not_started; /* because a program could not be: see ended */
    uint32_t log_used;
    char log[PH_LOG_SIZE]; /* faults and what happened to hosts, a line each */

    /* The rest of the mapping, handed out by ph_world_alloc. */
    uintptr_t arena_next;
    uintptr_t arena_end;
    void* free_lists[48];
};

/* NULL: there is no world, and every call goes to the kernel. */
extern struct ph_world* ph_world __attribute__((visibility("hidden")));

/* The host that the calling thread is on. */
int ph_host_here(void);
void ph_host_enter(int host);
void ph_host_of_process(int host);
int ph_host_named(const char* name);
int ph_host_add(const char* name);

/* What happens to hosts and the ways between them. With the lock held. */
void ph_host_crash(int host);
void ph_host_restart(int host);
void ph_hosts_cut(int one, int other, bool cut);
void ph_way_cut(int from, int to, bool cut); /* only in this direction */
void ph_run_happening(struct ph_event* event);

void ph_world_lock(void);
void ph_world_unlock(void);
/* In a signal handler: true if the thread is about to hold the lock, or holds it; then the call is
 * made when it has left. */
bool ph_world_postpone(void (*call)(const void* what), const void* what);
/* Memory of the world, zeroed; NULL when it is full. With the lock held. */
void* ph_world_alloc(size_t size);
void ph_world_free(void* memory, size_t size);
/* Ends this process, and with it the world, for the launcher to report. Does not return. */
void ph_world_end(const char* format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The run is not the world's alone; `address`: of the code that did it, or NULL. Said once for each
 * place. With the lock held. */
void ph_leak(const char* what, const void* address);
/* A line for the report. With the lock held. */
void ph_world_log(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* An edge of the program was taken. */
void ph_edge(uint32_t edge);
/* Chance. With the lock held, and only on behalf of a thread that the world has woken. */
uint64_t ph_draw(enum ph_chance chance);
/* The n-th number of a row of the caller's, which is beyond those of enum ph_chance. */
uint64_t ph_draw_of(uint64_t row, uint64_t number);
/* The same, whatever branches the world has taken. */
uint64_t ph_draw_of_world(uint64_t row, uint64_t number);
/* With the step that is to come. */
void ph_chance_branch(uint64_t step);
uint64_t ph_draw_below(enum ph_chance chance, uint64_t limit);
bool ph_draw_yes(enum ph_chance chance, double probability);

/* Events. With the lock held. `kind` names the function that runs it (events.c), since code need
 * not stand at the same address in every process. */
enum ph_event_kind {
    PH_EVENT_ALARM,   /* time has come, nothing else */
    PH_EVENT_ARRIVAL, /* bytes at the end of a stream's way */
    PH_EVENT_CONNECT, /* a connection attempt, there or back */
    PH_EVENT_ROOM,    /* a sender learns that there is room again */
    PH_EVENT_DATAGRAM,
    PH_EVENT_RESET,
    PH_EVENT_HAPPENING, /* what the world's file says about hosts and links */
    PH_EVENT_EXPIRY,    /* of a timerfd */
    PH_EVENT_KINDS
};
void ph_event_at(struct ph_event* event, enum ph_event_kind kind, uint64_t time);
void ph_event_cancel(struct ph_event* event);
uint64_t ph_event_next(void);
void ph_event_run_next(void);

/* The next sleep of the calling thread lasts at least until then. With the lock held. */
void ph_sleep_holds(uint64_t until);
/* Sleeping, with the lock held, which is left for the time of the sleep. True: something came;
 * false: the deadline did. */
bool ph_sleep(uint64_t deadline, struct ph_epoll* epoll);
/* Makes a thread that is on the host of the caller and begins when everybody else sleeps; `counts`:
 * it is one that the world's order is made of. 0, or the error. Without the lock. */
int ph_thread_start(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                    void* argument, bool counts);
/* A thread that the world does not know was made. */
void ph_stranger_came(void);
/* The calling thread may be about to wait for another one in a way that the world does not see. */
void ph_may_block(void);
/* The launcher has something to do: to look, to start a program again. With the lock held. */
void ph_summon_launcher(void);
/* The process that the calling thread is in. */
struct ph_process* ph_process_here(void);
/* The calling thread as a sleeper, so that others can rouse it. */
struct ph_sleeper* ph_sleeper_own(void);
/* The same, NULL where the world does not know the thread. */
struct ph_sleeper* ph_sleeper_known(void);
struct ph_sleeper* ph_sleeper_new(void);
void ph_sleeper_become(struct ph_sleeper* sleeper);
/* NULL: the world does not know it, or it has ended. With the lock held. */
struct ph_sleeper* ph_sleeper_of(pthread_t thread);
/* Of a thread that could not be made. With the lock held. */
void ph_sleeper_free(struct ph_sleeper* sleeper);
/* Makes a sleeper go on when its turn comes. With the lock held. */
void ph_sleeper_rouse(struct ph_sleeper* sleeper);

/* After every step; see phasor_sim_observe. The calling thread becomes the observer. */
void ph_observe(void (*call)(void* data), void* data);

/* Whether the calling thread is one that the world's order is made of: the main one, and those that
 * make or run a loop, enter a host or do the pool's work. Others (an engine's helpers, the
 * tracer's) come and go in real time, so nothing is drawn for them and their looks at the clock do
 * not move it. */
bool ph_thread_counts(void);

/* Whether the descriptor is an end of a pair of sockets that the program has made past the library:
 * it is written to in this process, so nobody outside is awaited. */
bool ph_pair_is_inner(int fd);
/* Whether there is something in such a pair for a thread of this process that sleeps. Whoever has
 * written to one looks, since another process may be the next to move the world. With the lock
 * held. */
void ph_look_at_pairs(void);

/* The clocks, in ns. */
uint64_t ph_world_now(void);
uint64_t ph_real_now(void);
/* When a clock of the host shows this (`absolute`), or so many ns have passed on it: in the world's
 * time. With the lock held. */
uint64_t ph_clock_deadline(clockid_t clock, bool absolute, uint64_t ns);

#endif
