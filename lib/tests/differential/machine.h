#ifndef DIFFERENTIAL_MACHINE_H
#define DIFFERENTIAL_MACHINE_H

/*
 * A machine that runs small programs over the public API and writes down everything that they can
 * notice. A program is a text (docs/DIFFERENTIAL.md): objects, operations of the main function, and
 * operations for the n-th callback of an object. The same text gives the same log on every library
 * that keeps the contract, because whatever could race is made to wait: time is virtual (clock.c),
 * and before each poll the pool and the children are waited for (settle.c).
 *
 * Each program runs in a process of its own. Only what libuv 1.44 has is used.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum { OBJECTS = 32, LOOPS = 3, ARGUMENTS = 4, SKIPPED = 1 << 30, NOTHING = SKIPPED + 1 };

enum kind {
    TIMER,
    IDLE,
    PREPARE,
    CHECK,
    ASYNC,
    SIGNAL,
    POLL,
    PIPE,
    TCP,
    UDP,
    TTY,
    PROCESS,
    FS_EVENT,
    FS_POLL,
    WORK,
    FS,
    ADDRINFO,
    NAMEINFO,
    RANDOM,
    KINDS
};

enum {
    REQUESTS = 1 << WORK | 1 << FS | 1 << ADDRINFO | 1 << NAMEINFO | 1 << RANDOM,
    HANDLES = (1 << KINDS) - 1 - REQUESTS,
    MAIL = REQUESTS | 1 << ASYNC | 1 << FS_POLL,
    STREAMS = 1 << PIPE | 1 << TCP | 1 << TTY
};

enum state { UNBORN, LIVE, CLOSING, CLOSED };

struct object {
    int id;
    enum kind kind;
    enum state state; /* of a request: LIVE while it is in flight */
    uv_loop_t* loop;
    union {
        void* memory; /* allocated by its exact size, freed in the close callback */
        uv_handle_t* handle;
        uv_stream_t* stream;
        uv_timer_t* timer;
        uv_idle_t* idle;
        uv_prepare_t* prepare;
        uv_check_t* check;
        uv_async_t* async;
        uv_signal_t* signal;
        uv_poll_t* poll;
        uv_pipe_t* pipe;
        uv_tcp_t* tcp;
        uv_udp_t* udp;
        uv_tty_t* tty;
        uv_process_t* process;
        uv_fs_event_t* fs_event;
        uv_fs_poll_t* fs_poll;
        uv_req_t* request;
        uv_work_t* work;
        uv_fs_t* fs;
        uv_getaddrinfo_t* addrinfo;
        uv_getnameinfo_t* nameinfo;
        uv_random_t* random;
    };
    int callbacks;
    int age;  /* objects of the loop that are older were begun before */
    int far;  /* the other end, which the machine reads and writes itself; -1: none */
    int near; /* this end's descriptor, if it is the machine's to close */
    int fd;   /* of the file that a file request opened */
    int cancels;
    int sends;
    size_t wanted; /* size of the next read buffer */
    void* writing; /* the newest of its writes that has not been told; NULL: none */
    bool connecting;
    unsigned char sent;
    char bytes[64]; /* where a request puts its bytes */
};

struct operation {
    const char* name;
    int kinds; /* which kinds the first argument may have; 0: there is no object */
    bool dead; /* may be used on an object that is not live */
    int (*run)(struct object* object, const int* arguments);
};

/* Each family's operations; ended by a name that is NULL. */
extern const struct operation core_operations[], stream_operations[], socket_operations[],
    file_operations[], pool_operations[], process_operations[], process_wide_operations[];

/* machine.c */
struct object* object_at(int id); /* NULL if there is none */
struct object* object_of(const void* handle);
bool is_live(const struct object* object, int kinds);
/* Gives the object memory of this size, zeroed, and notes that it is live if `result` is 0. */
void* born(struct object* object, size_t size);
/* Logs a callback, with what the handle says of itself, then runs the program's operations for
 * it. */
void called(struct object* object, const char* what, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void close_object(struct object* object);
int reset_object(struct object* object); /* a TCP connection; what uv_tcp_close_reset says */
/* Whether a send to this async now would reach it in the pass that is under way: libuv's walks the
 * asyncs in the order of their age, after the finished work. */
bool is_ahead_of_mail(const struct object* async);
/* Whether the operation stands in a callback of an async or of finished work. */
bool is_mail_told(void);
/* Whether the operation stands in a callback of an object of this kind. */
bool is_called(enum kind kind);
/* Whether its own timer may be among those that are being called, which 1.53 takes for stopped. */
bool may_be_due(const struct object* object);
/* Whether something was sent to this async, or a signal caught for this handle, and not told yet:
 * in libuv that still wakes the loop, or delays the close callback. */
bool is_on_its_way(const struct object* object);
bool is_alone_in_flight(const struct object* request); /* in its loop */
void close_everything(void);
/* Objects of this kind and how they begin; returns what the library says. */
int begin_handle(struct object* object);
int begin_stream(struct object* object);
int begin_watcher(struct object* object);
void free_request(struct object* object);
extern bool quiet;   /* the program is over: callbacks only log */
extern bool resting; /* the loop was woken from a wait without an end: the same until it returns */
/* The program is compared with 1.53 too, which starts children of its own: their ends, too, make
 * the loop look for children that have ended. */
extern bool stray_signals;
extern uv_loop_t loops[LOOPS];
extern uv_loop_t* running;
bool has_turned(int loop); /* at least once */
/* From the prepare phase to the end of the check phase. */
bool is_polling(const uv_loop_t* loop);
int run_loop(int which, uv_run_mode mode);

/* log.c */
void log_line(const char* format, ...) __attribute__((format(printf, 1, 2)));
void log_note(const char* format, ...) __attribute__((format(printf, 1, 2)));
extern int log_depth;
/* "ok" for 0, the error's name if negative, else the number. */
const char* result_text(long long result);
unsigned sum_of(const char* bytes, size_t count);

/* clock.c */
void clock_begin(void);
void clock_counter_is_virtual(bool is); /* for this thread and what it starts */
void clock_advance(int ms);
int clock_since_start(const uv_loop_t* loop); /* ms */
extern int patience; /* ms of real time to wait for the network before virtual time jumps */

/* settle.c */
void settle(void);
void settle_children(void);
void settle_end(void);
bool is_pool_held(void);
void pool_is_used(bool slow); /* before each request that goes to the pool */
void child_is_expected(int pid);
uv_async_t* waker_of(uv_loop_t* loop);

#endif
