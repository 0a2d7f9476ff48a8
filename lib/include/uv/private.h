#ifndef UV_PRIVATE_H
#define UV_PRIVATE_H

/*
 * The private bytes of the public structs. Programs reserve this memory because they allocate
 * handles and requests themselves, but nothing here is part of the API, with the exceptions that
 * real programs rely on: uv_handle_t's close_cb and flags, io_watcher.fd, and uv_signal_t's signum.
 */

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

/* Sizes are those of libuv on each processor, so on 32 bits some fields are narrower. */
#if __SIZEOF_POINTER__ == 8
#define UV__WORD_BITS 64
#else
#define UV__WORD_BITS 32
#endif

struct uv_loop_s;
struct uv_handle_s;
struct uv_stream_s;
struct uv_timer_s;
struct uv_async_s;
struct uv_signal_s;

#if defined(__GLIBC__) && !defined(__USE_XOPEN2K)
/* With -std=c99 and the like, and nothing that asks for more, the C library keeps these names to
 * itself, but not their sizes. */
typedef union {
    char bytes[__SIZEOF_PTHREAD_RWLOCK_T];
    long align;
} uv_rwlock_t;
typedef union {
    char bytes[__SIZEOF_PTHREAD_BARRIER_T];
    long align;
} uv_barrier_t;
#else
typedef pthread_rwlock_t uv_rwlock_t;
typedef pthread_barrier_t uv_barrier_t;
#endif

/* A circular list with a sentinel. */
struct uv__queue {
    struct uv__queue* next;
    struct uv__queue* prev;
};

/* One descriptor that a loop watches. */
struct uv__io_s {
    void (*on_events)(struct uv_loop_s* loop, struct uv__io_s* watcher, unsigned int events);
    unsigned short wanted;     /* the epoll events that the owner asked for */
    unsigned short registered; /* those that the kernel knows; 0: not in its set */
#if UV__WORD_BITS == 64
    unsigned int generation; /* of the registration; 0: the descriptor is not this watcher's */
#else
    unsigned short generation;
    unsigned short fed;
#endif
    struct uv__queue pending; /* in the loop's pending queue, or empty */
    struct uv__queue changed; /* in the poller's list of registrations to update, or empty */
    int fd;                   /* offset 48 (or 28): dqlite and libwebsockets read it here */
#if UV__WORD_BITS == 64
    unsigned int fed; /* the events to deliver from the pending queue */
#endif
};

typedef struct uv__io_s uv__io_t;

/* One piece of work for the thread pool. */
struct uv__work {
    void (*work)(struct uv__work* w);
    void (*done)(struct uv__work* w, int status);
    struct uv_loop_s* loop;
    struct uv__work* next;
    uintptr_t state;
};

/* What one loop's poller knows. */
struct uv__poller {
    int epoll_fd;
    int wake_fd;
    struct uv__io_s** watchers; /* by descriptor; NULL: nobody's */
    unsigned int watcher_count; /* room for so many */
    unsigned int watched;       /* watchers that want any event */
    unsigned int generation;
    unsigned int reported;    /* events that the last wait brought */
    unsigned int embedded;    /* another loop waits on epoll_fd */
    struct uv__queue changed; /* watchers whose registration is too narrow */
    struct uv__poll_set* set; /* of the poller that asks with poll(2) */
};

/*
 * What other threads and signal handlers hand to a loop: two stacks, each pushed with an atomic
 * compare-and-exchange and taken whole by the loop, the log of caught signals, and the word that
 * says whether the loop must be woken. Poll moves what has arrived when its wait returns to the
 * loop's own lists.
 */
struct uv__mailbox {
    void* asyncs;   /* uv_async_t that were sent */
    void* finished; /* struct uv__work that are done */
    void* signals;  /* not NULL: the log has something new */
    int sleep_state;
    int marked; /* 1: handles were sent that are in no list, see core/async.c */
    unsigned int
        pushed; /* onto `asyncs` since it was taken; sends at the same time may count once */
    unsigned int push_most; /* beyond that, handles are only marked */
};

/* What signal handlers caught for a loop, in order. They append at `tail` under the registry's
 * lock, the loop takes at `head`; what finds no room is counted in its handle. */
struct uv__signal_log {
    struct uv__caught_signal {
        struct uv_signal_s* handle; /* NULL: closed meanwhile */
        int signum;
    } entries[16];
    unsigned int head;
    unsigned int tail;
    unsigned int missed; /* by all handles of the loop together */
};

/* The loop's own: what it has taken from the mailbox, and how it waits for more. */
struct uv__taken_mail {
    struct uv_async_s* asyncs; /* to be called in this turn, in order */
    struct uv__work* work;
    unsigned int asyncs_made; /* numbers the loop's async handles */
    short spin_credit;        /* see ph_mailbox_spin */
    short spin_penalty;
};

struct uv__loop_metrics {
    uint64_t loop_count;
    uint64_t events;
    uint64_t events_waiting;
    uint64_t idle_time;  /* ns */
    uint64_t idle_since; /* ns, 0 while not blocked */
};

/* The millisecond it is, and how long the answer holds on the processor's tick counter. */
struct uv__clock {
    uint64_t ms;
    uint64_t ticks;
    uint64_t holds;
};

/* libuv's loop has a lock of each kind, and theirs is the only size that differs between processors
 * and C libraries with the same word. */
#if UV__WORD_BITS == 64
#define UV__LOOP_SPARE \
    (15 + (sizeof(pthread_mutex_t) + sizeof(uv_rwlock_t) - 96) / sizeof(unsigned long))
#else
#define UV__LOOP_SPARE \
    (6 + (sizeof(pthread_mutex_t) + sizeof(uv_rwlock_t) - 56) / sizeof(unsigned long))
#endif

struct uv__loop_state {
    struct uv__clock clock; /* cached: what uv_now says */
    struct uv__timers* timers;
    struct uv__queue idle;
    struct uv__queue prepare;
    struct uv__queue check;
    struct uv__queue pending;
    struct uv_handle_s* closing;
    struct uv__poller poller;
    struct uv__loop_metrics metrics;
    struct uv__children* children; /* NULL until the first */
    struct uv__inotify* inotify;
    struct uv__precise* precise; /* timers in nanoseconds; NULL until the first */
    unsigned int stop_flag;
    unsigned int options;
    struct uv__taken_mail taken;
    unsigned int trace_session; /* the recording that has been told of the loop's handles */
    unsigned int trace_turn;    /* an iteration that it has been told of, and not of its end */
    unsigned long handle_count; /* in handle_queue */
    struct uv__walk* walks;     /* uv_walk that run, the innermost first */
    unsigned long distance[8];  /* other threads write what follows, the loop what precedes */
    struct uv__mailbox mailbox;
    struct uv__signal_log signal_log;
    struct phasor_pool* pool; /* instead of the process's; NULL: that one */
    unsigned int pool_priority;
    unsigned int posting;                     /* threads inside phasor_loop_post */
    const struct phasor_allocator* allocator; /* of the loop's own; NULL: the process's */
    unsigned long spare[UV__LOOP_SPARE];
};

/* A list node and the time it is due, ms on the loop's clock. */
struct uv__wheel_timer {
    struct uv__queue node;
    uint64_t due;
};

/* What firing touches stands together, right behind the handle's flags. */
struct uv__timer_state {
    uint64_t repeat;
    void (*cb)(struct uv_timer_s* handle);
#if UV__WORD_BITS == 32
    void* spare_word; /* some processors would leave it empty, others not */
#endif
    struct uv__wheel_timer wheel;
    uint64_t spare[UV__WORD_BITS / 32];
};

struct uv__async_state {
    void (*cb)(struct uv_async_s* handle);
    struct uv_async_s* next;
#if UV__WORD_BITS == 64
    int pending; /* not 0 from a send until just before the callback, see core/async.c */
    int listed;  /* taken by the loop, or closing and perhaps still in the mailbox */
    int senders; /* threads inside uv_async_send that still touch the handle or its loop */
#else
    unsigned char pending;
    unsigned char listed;
    unsigned short senders;
#endif
    unsigned int number; /* in the order in which the loop's async handles were initialised */
};

struct uv__signal_state {
    struct uv__queue registered; /* in the process-wide list of its signal */
    unsigned int missed;         /* caught while the loop's log was full */
    unsigned char oneshot;       /* stops after its callback */
    unsigned char own;           /* the loop's, not the program's; never changes */
    unsigned char spare[2 + 2 * sizeof(void*)];
};

struct uv__process_state {
    struct uv__child* child; /* NULL: not started, reaped, or closed */
    int killable;            /* started, and not reaped as far as the handle knows */
    void* spare;
};

struct uv__stream_requests {
    struct uv_connect_s* connect;
    struct uv_shutdown_s* shutdown;
};

struct uv__stream_state {
    struct uv__queue write_queue;
    struct uv__queue write_completed_queue;
    void (*connection_cb)(struct uv_stream_s* server, int status);
    int delayed_error;
    int accepted_fd;
    void* queued_fds;
};

struct uv__tty_state {
    struct termios original;
    int mode;
};

#endif
