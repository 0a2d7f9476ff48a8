#ifndef PHASOR_H
#define PHASOR_H

/*
 * What this library has beyond the interface of uv.h: gathering small writes, what libuv's users
 * asked for (pools, precise timers, terminals for children and more), recording what the loops do,
 * the simulated world, and, where it is installed, straight-line code on the loop (phasor_go.h).
 */

#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#if defined(__has_include)
#if __has_include(<phasor_go.h>)
#include <phasor_go.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PHASOR_EXTERN
#define PHASOR_EXTERN __attribute__((visibility("default")))
#endif

/* In C89 and C++98 programs too, whose standards do not know it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
typedef unsigned long long phasor_u64;
#pragma GCC diagnostic pop

/*
 * Whether the loop gathers writes. Off, as every loop begins: a write leaves inside uv_write if
 * nothing is queued before it. On: writes on sockets and pipes join the stream's queue, and the
 * loop sends a stream's whole queue with one system call when the callbacks of the phase have run.
 * Many small writes cost a fraction then.
 *
 * Whoever asks for it knows: until the loop goes on, what was written has not left, and the queue's
 * size says so. A callback that waits for the peer's answer waits for ever; write(2) to the same
 * descriptor overtakes; fork, exec, a child that shares the descriptor, exit and abort find the
 * bytes still here. uv_try_write, uv_shutdown and uv_close come after what was gathered, a write
 * with a handle to pass sends it, and so do 64 KB in one stream's queue. Terminals, blocking
 * streams and the descriptors 0 to 2 are never gathered for.
 *
 * Turning it off sends what has been gathered at once: do that, and on again if wanted, before any
 * of the above. To be called on the loop's thread.
 */
PHASOR_EXTERN void phasor_loop_batch_writes(struct uv_loop_s* loop, int on);

/*
 * Everything down to the recordings is explained in docs/BEYOND_LIBUV.md. A program that uses none
 * of it sees libuv. Results are 0 or a negative uv error code, unless said otherwise.
 */

/*
 * uv_loop_init for a loop with an allocator of its own: the loop takes from it what it and its
 * handles keep. It is called on the loop's thread alone and needs no lock. What threads of the
 * pool make, what is posted, and what may outlive the loop (requests for files and names, children)
 * comes from that of the process. The struct stays where it is until the loop is closed; memory
 * that is freed is never NULL. UV_EINVAL: a function is missing.
 */
struct phasor_allocator {
    void* (*malloc)(void* context, size_t size);
    void* (*calloc)(void* context, size_t count, size_t size);
    void* (*realloc)(void* context, void* memory, size_t size);
    void (*free)(void* context, void* memory);
    void* context;
};
PHASOR_EXTERN int phasor_loop_init(uv_loop_t* loop, const struct phasor_allocator* allocator);

/* Calls fn(loop, data) on the loop's thread, in its next turn; in the order of the calls of one
 * thread. From any thread. A loop is alive while something is posted to it, but nothing keeps it
 * waiting for more. UV_ENOMEM: it is not called. What uv_loop_close finds posted is not called. */
PHASOR_EXTERN int phasor_loop_post(uv_loop_t* loop, void (*fn)(uv_loop_t* loop, void* data),
                                   void* data);

/*
 * A thread pool of one's own. With `threads_most` above `threads_least` it adapts: a thread more
 * starts when work comes and all are busy, and one that had nothing to do for `idle_ms` ends.
 */
typedef struct phasor_pool phasor_pool_t;
#define PHASOR_PRIORITIES 8 /* 0 comes first; what has the same comes in order */
struct phasor_pool_options {
    const char* name;       /* of the threads; NULL: "phasor-pool" */
    unsigned threads_least; /* kept, once they have started; may be 0 */
    unsigned threads_most;  /* 0: as many as threads_least */
    unsigned idle_ms;       /* 0: 1,000 */
    int thread_priority;    /* UV_THREAD_PRIORITY_..., as far as the system permits */
};
/* UV_EINVAL: no threads at all, or more than 1,024, or fewer than the least, or a priority that is
 * none. Threads start when they are needed first. */
PHASOR_EXTERN int phasor_pool_new(phasor_pool_t** pool, const struct phasor_pool_options* options);
/* Waits for what has begun; what has not ends with UV_ECANCELED. Not on a thread of the pool.
 * UV_EBUSY while a loop uses it. */
PHASOR_EXTERN int phasor_pool_free(phasor_pool_t* pool);
/* As uv_queue_work, on this pool; uv_cancel works. UV_EINVAL: no such priority. */
PHASOR_EXTERN int phasor_pool_queue(phasor_pool_t* pool, uv_loop_t* loop, uv_work_t* req,
                                    unsigned priority, uv_work_cb work_cb,
                                    uv_after_work_cb after_work_cb);
/* From now on, what the loop gives to the process's pool (files, names, uv_queue_work, uv_random)
 * goes to this one, with this priority. NULL: to the process's again. On the loop's thread. */
PHASOR_EXTERN int phasor_loop_use_pool(uv_loop_t* loop, phasor_pool_t* pool, unsigned priority);

struct phasor_pool_figures {
    unsigned threads, idle, running;
    size_t queued;
    uint64_t done, cancelled;
    /* Not counted in the process's pool: 0. */
    size_t queued_most;
    uint64_t oldest_ns;                 /* how long the piece that waits longest has waited */
    uint64_t waited_ns, waited_most_ns; /* from queue to thread: all together, the longest */
    uint64_t ran_ns;                    /* on the threads, all together */
    uint64_t threads_started, threads_ended;
};
/* From any thread. NULL: the process's pool. */
PHASOR_EXTERN void phasor_pool_look(phasor_pool_t* pool, struct phasor_pool_figures* figures);

/*
 * Timers in nanoseconds. They are due on the clock of uv_hrtime, run with the other timers, in
 * order, and keep the loop alive while they run unless they are unreferenced. A timer is not a
 * handle: when it is stopped, or has run without repeating, its memory is the program's.
 */
typedef struct phasor_timer phasor_timer_t;
typedef void (*phasor_timer_cb)(phasor_timer_t* timer);
struct phasor_timer {
    void* data;
    uv_loop_t* loop;
    /* Private. */
    phasor_timer_cb cb;
    uint64_t due, repeat, order;
    size_t place;
    unsigned unreferenced;
};
PHASOR_EXTERN void phasor_timer_init(uv_loop_t* loop, phasor_timer_t* timer);
/* Also anew while it runs. With a repeat it stays on the grid that begins with the first time; what
 * a busy loop has missed of it is skipped. */
PHASOR_EXTERN int phasor_timer_start(phasor_timer_t* timer, phasor_timer_cb cb, uint64_t ns,
                                     uint64_t repeat_ns);
PHASOR_EXTERN void phasor_timer_stop(phasor_timer_t* timer);
PHASOR_EXTERN int phasor_timer_is_active(const phasor_timer_t* timer);
/* 0 when it is due or does not run. */
PHASOR_EXTERN uint64_t phasor_timer_due_in(const phasor_timer_t* timer);
PHASOR_EXTERN void phasor_timer_ref(phasor_timer_t* timer);
PHASOR_EXTERN void phasor_timer_unref(phasor_timer_t* timer);

/*
 * A child in a terminal of its own: as uv_spawn, in a new session whose controlling terminal is new
 * and is the child's standard input, output and error, unless the options give it others for them
 * (UV_IGNORE means the terminal). `terminal` is an initialized pipe handle without a descriptor:
 * what is written there is typed, what is read there is what the child prints; UV_EOF when nobody
 * has the terminal open any more.
 */
struct phasor_terminal_size {
    unsigned short columns, rows, width, height; /* 0: not known; the last two in pixels */
};
PHASOR_EXTERN int phasor_spawn_in_terminal(uv_loop_t* loop, uv_process_t* process,
                                           const uv_process_options_t* options, uv_pipe_t* terminal,
                                           const struct phasor_terminal_size* size);
/* The child's foreground processes get SIGWINCH if it has changed. */
PHASOR_EXTERN int phasor_terminal_resize(uv_pipe_t* terminal,
                                         const struct phasor_terminal_size* size);

/*
 * Datagrams in bulk. One buffer leaves as datagrams of segment_size bytes, the last one may be
 * shorter; the kernel or the network card cuts it (UDP_SEGMENT). At most 64 of them and 65,000
 * bytes. As uv_udp_try_send, whose result it has; UV_ENOTSUP where the system can't.
 */
PHASOR_EXTERN int phasor_udp_try_send_segments(uv_udp_t* udp, const uv_buf_t* buf,
                                               unsigned segment_size, const struct sockaddr* addr);
/* Receive offload (UDP_GRO), for a handle that has a socket. On, the receive callback may get
 * several datagrams of one sender as one buffer; in the callback phasor_udp_segment_size says how
 * long each is (the last one may be shorter), 0 if it is a single one. Give it buffers of 64 KB. */
PHASOR_EXTERN int phasor_udp_receive_offload(uv_udp_t* udp, int on);
PHASOR_EXTERN unsigned phasor_udp_segment_size(const uv_udp_t* udp);

/*
 * Unix datagrams, on uv_udp_t: after one of these calls it sends and receives as any other, and
 * addresses are sockaddr_un. A name that begins with NUL is abstract and has no file; a file is the
 * program's to remove. To answer or send to an abstract name, connect to it. bind with a length of
 * 0 takes a name that the kernel makes up. UV_ENAMETOOLONG beyond 107 bytes. UV_EINVAL for a handle
 * with a socket of another kind.
 */
PHASOR_EXTERN int phasor_udp_bind_unix(uv_udp_t* udp, const char* name, size_t length);
PHASOR_EXTERN int phasor_udp_connect_unix(uv_udp_t* udp, const char* name, size_t length);
/* Two that are connected with each other; both handles have no socket yet. */
PHASOR_EXTERN int phasor_udp_pair(uv_udp_t* one, uv_udp_t* other);

/*
 * Recordings. One is also switched on by the environment (PHASOR_TRACE=file, and
 * PHASOR_TRACE_LIMIT=bytes for a file that keeps the newest only) or from outside (phasor attach).
 * All functions below may be called from any thread.
 */

/* Starts to record into the file, which is replaced. 0, or a negative uv error code: UV_EALREADY
 * while recording, UV_ENOSYS where the recorder (phasor/libphasor-trace.so beside the library)
 * can't be loaded, or what opening or locking the file said. */
PHASOR_EXTERN int phasor_trace_start(const char* file);
/* Writes out what is left and closes the file. 0 also when nothing was recorded; the error that
 * ended the recording early, a full disk for example. */
PHASOR_EXTERN int phasor_trace_stop(void);
/* Whether events are recorded at this moment. */
PHASOR_EXTERN int phasor_trace_active(void);
/* The word whose lowest bit says so, for those who ask so often that a call would cost. */
PHASOR_EXTERN const int* phasor_trace_flag(void);

/*
 * For runtimes on top of the loop: what a callback does inside. Spans of one thread nest. The first
 * function span inside a callback gives it its name.
 */
enum phasor_span {
    PHASOR_SPAN_FUNCTION = 1, /* a function of the program that the runtime calls */
    PHASOR_SPAN_TICK,         /* one entry of the nextTick queue */
    PHASOR_SPAN_MICROTASK,    /* one promise job */
    PHASOR_SPAN_MARK          /* anything else */
};

/* A number for this name; the same one for equal arguments. `file` may be NULL, `line` 0. 0 when
 * there is no room for more names, or no recorder. Numbers stay valid in later recordings. */
PHASOR_EXTERN unsigned phasor_trace_name(const char* function, const char* file, int line);
PHASOR_EXTERN void phasor_trace_begin(enum phasor_span span, unsigned name);
PHASOR_EXTERN void phasor_trace_end(enum phasor_span span);
/* Before the function span of a timer that the runtime keeps itself: when it was due, in ms on the
 * clock of uv_now. */
PHASOR_EXTERN void phasor_trace_due(phasor_u64 due);

/* A runtime's own alloc callback, which tells nobody anything: it is not recorded. */
PHASOR_EXTERN void phasor_trace_ignore(void (*alloc_callback)(void));

/*
 * While a callback takes long, its stack is wanted now and then. A runtime that asks every
 * millisecond or so and then tells what it runs makes reports name the function that took the time.
 * Both on the thread that runs it; to ask costs next to nothing.
 */
struct phasor_frame {
    const char* function; /* NULL or empty: it has no name */
    const char* file;
    int line;    /* where the function is written; 0: not known */
    int running; /* the line that runs */
};
PHASOR_EXTERN int phasor_trace_stack_wanted(void);
/* Innermost first. */
PHASOR_EXTERN void phasor_trace_stack(const struct phasor_frame* frames, unsigned count);

/* What a request to the pool is for ("deflate"), best said right before uv_queue_work: said after
 * it, a thread of the pool may have done the work already. */
PHASOR_EXTERN void phasor_trace_request(const void* request, unsigned name);

/* What a runtime puts off by itself, a timer that shares a handle with others: when it is made, and
 * right before its function span begins. `id` is any number of it, that may be used again. Reports
 * follow it to whoever made it. */
enum phasor_later { PHASOR_LATER_IS_MADE, PHASOR_LATER_RUNS };
PHASOR_EXTERN void phasor_trace_later(const void* id, enum phasor_later step);

/*
 * Marks: moments and stretches of time that the program names, wherever they begin and end. `ago`
 * is how many ns before now it began; 0: a moment.
 */
enum phasor_mark {
    PHASOR_MARK_MARK,    /* of a runtime: performance.mark */
    PHASOR_MARK_MEASURE, /* performance.measure */
    PHASOR_MARK_TIME,    /* console.time */
    PHASOR_MARK_PROGRAM,
    PHASOR_MARK_TASK_WAITS, /* in reports: see phasor_trace_task */
    PHASOR_MARK_TASK_RUNS
};
PHASOR_EXTERN void phasor_trace_mark(unsigned name, enum phasor_mark kind, phasor_u64 ago);
/* ns, for phasor_trace_measure; 0 while nothing is recorded. */
PHASOR_EXTERN phasor_u64 phasor_trace_now(void);
PHASOR_EXTERN void phasor_trace_measure(const char* text, phasor_u64 began);

/*
 * Tasks that take turns on a thread, such as coroutines: each gets a row of its own. `id` is any
 * number that no other task has until this one ends, an address for example. The name is the
 * task's own where it starts or runs, and that of what it waits for where it waits.
 */
enum phasor_task_step { PHASOR_TASK_STARTS, PHASOR_TASK_WAITS, PHASOR_TASK_RUNS, PHASOR_TASK_ENDS };
PHASOR_EXTERN void phasor_trace_task(const void* id, enum phasor_task_step step, unsigned name);

/*
 * The same in one line:
 *     PHASOR_MARK("cache is warm");
 *     PHASOR_BEGIN(parsing);
 *     ...
 *     PHASOR_END(parsing);
 * A stretch is a variable of that name, and may be begun in one function and ended in another if
 * it is kept. While nothing is recorded they cost a call; on a libuv that is not ours, nothing.
 */
#pragma weak phasor_trace_now
#pragma weak phasor_trace_measure
#define PHASOR_MARK(text) (phasor_trace_measure != 0 ? phasor_trace_measure((text), 0) : (void)0)
#define PHASOR_BEGIN(name) phasor_u64 name = phasor_trace_now != 0 ? phasor_trace_now() : 0
#define PHASOR_END(name) ((name) != 0 ? phasor_trace_measure(#name, (name)) : (void)0)

/*
 * The simulated world, for tests that run under `phasor sim`. Elsewhere phasor_sim_active says 0
 * and the others UV_ENOTSUP. Hosts are numbers from 0 on; a thread is on the host of whoever made
 * it. All may be called from any thread of the world.
 */
struct phasor_sim_link {
    phasor_u64 latency_ns;
    phasor_u64 jitter_ns; /* at most so much more, by chance */
    phasor_u64 bandwidth; /* bytes a second; 0: no limit */
    double loss;          /* of datagrams: from 0 to 1, as are the next two */
    double duplicate;
    double reorder;
};

PHASOR_EXTERN int phasor_sim_active(void);
PHASOR_EXTERN phasor_u64 phasor_sim_seed(void);
/* ns since the world began. */
PHASOR_EXTERN phasor_u64 phasor_sim_now(void);
/* A number below the limit, by chance. */
PHASOR_EXTERN phasor_u64 phasor_sim_random(phasor_u64 limit);
/* The host of that name, made if it is not there. */
PHASOR_EXTERN int phasor_sim_host(const char* name);
/* The calling thread is on that host from now on; its sockets are that host's. */
PHASOR_EXTERN int phasor_sim_enter(int host);
/* The host's address, as text, into at least 16 bytes. */
PHASOR_EXTERN int phasor_sim_address(int host, char* text);
/* At once, and nobody is told: its connections are gone, and what it has not synced. Its threads in
 * this process are the caller's to end; its processes are ended. */
PHASOR_EXTERN int phasor_sim_crash(int host);
PHASOR_EXTERN int phasor_sim_restart(int host);
/* Nothing gets through between the two, or everything does again. */
PHASOR_EXTERN int phasor_sim_cut(int host, int other);
PHASOR_EXTERN int phasor_sim_heal(int host, int other);
PHASOR_EXTERN int phasor_sim_link(int host, int other, const struct phasor_sim_link* link);
/* `call` runs, on whatever thread, after every step of the world that `call` itself has not caused;
 * it may send a uv_async_t, whose loop then comes before all others. NULL ends it. */
PHASOR_EXTERN int phasor_sim_observe(void (*call)(void* data), void* data);
/* Ends the world as failed, for this reason. Returns only where there is none. */
PHASOR_EXTERN int phasor_sim_fail(const char* why);
/* Only in the library of the simulated world: elsewhere the macros below say so.
 *   "host", name               the number of the host of that name; UV_ENOENT: there is none
 *   "cut", NULL, from, to      nothing gets through that way; "heal": it does again
 *   "reached", name            this place, or this state, was reached
 *   "sometimes", name, holds   a search in which it never held fails
 *   "edge", NULL, number       the program was there; 1: a search is guided by it
 *   "prepare"                  1: the program is to load what all worlds need, "begin": and then
 *                              to wait for its world, in which the call comes back */
PHASOR_EXTERN int phasor_sim_ask(const char* what, const char* name, int one, int two);
#pragma weak phasor_sim_ask
#define PHASOR_SIM_ASK(what, name, one, two) \
    (phasor_sim_ask != 0 ? phasor_sim_ask((what), (name), (one), (two)) : -95 /* UV_ENOTSUP */)
/* Once in a program that is compiled with -fsanitize-coverage=trace-pc: where it has been guides a
 * search (phasor sim --guided). Elsewhere it does nothing. */
#if defined(__clang__)
#define PHASOR_SIM_UNCOUNTED __attribute__((no_sanitize("coverage")))
#else
#define PHASOR_SIM_UNCOUNTED __attribute__((no_sanitize_coverage))
#endif
#define PHASOR_SIM_COVERAGE                                                              \
    PHASOR_SIM_UNCOUNTED void __sanitizer_cov_trace_pc(void);                            \
    PHASOR_SIM_UNCOUNTED void __sanitizer_cov_trace_pc(void) {                           \
        static __thread unsigned phasor_before;                                          \
        unsigned long phasor_place = (unsigned long)__builtin_return_address(0);         \
        unsigned phasor_here = (unsigned)(phasor_place ^ phasor_place >> 16) * 40503u;   \
        if (phasor_sim_ask != 0)                                                         \
            phasor_sim_ask("edge", 0, (int)((phasor_here ^ phasor_before) & 0xffff), 0); \
        phasor_before = (phasor_here & 0xffff) >> 1;                                     \
    }
#define PHASOR_SIM_REACHED(name) PHASOR_SIM_ASK("reached", (name), 1, 0)
#define PHASOR_SIM_SOMETIMES(name, holds) PHASOR_SIM_ASK("sometimes", (name), (holds) ? 1 : 0, 0)

#ifdef __cplusplus
}
#endif

#endif
