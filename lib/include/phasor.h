#ifndef PHASOR_H
#define PHASOR_H

/*
 * What this library has beyond the interface of uv.h: gathering small writes, recording what the
 * loops do, and the simulated world.
 */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PHASOR_EXTERN
#define PHASOR_EXTERN __attribute__((visibility("default")))
#endif

struct uv_loop_s;

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
PHASOR_EXTERN void phasor_trace_due(unsigned long long due);

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

/*
 * Marks: moments and stretches of time that the program names, wherever they begin and end. `ago`
 * is how many ns before now it began; 0: a moment.
 */
enum phasor_mark {
    PHASOR_MARK_MARK,    /* of a runtime: performance.mark */
    PHASOR_MARK_MEASURE, /* performance.measure */
    PHASOR_MARK_TIME,    /* console.time */
    PHASOR_MARK_PROGRAM
};
PHASOR_EXTERN void phasor_trace_mark(unsigned name, enum phasor_mark kind, unsigned long long ago);
/* ns, for phasor_trace_measure; 0 while nothing is recorded. */
PHASOR_EXTERN unsigned long long phasor_trace_now(void);
PHASOR_EXTERN void phasor_trace_measure(const char* text, unsigned long long began);

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
#define PHASOR_BEGIN(name) unsigned long long name = phasor_trace_now != 0 ? phasor_trace_now() : 0
#define PHASOR_END(name) ((name) != 0 ? phasor_trace_measure(#name, (name)) : (void)0)

/*
 * The simulated world, for tests that run under `phasor sim`. Elsewhere phasor_sim_active says 0
 * and the others UV_ENOTSUP. Hosts are numbers from 0 on; a thread is on the host of whoever made
 * it. All may be called from any thread of the world.
 */
struct phasor_sim_link {
    unsigned long long latency_ns;
    unsigned long long jitter_ns; /* at most so much more, by chance */
    unsigned long long bandwidth; /* bytes a second; 0: no limit */
    double loss;                  /* of datagrams: from 0 to 1, as are the next two */
    double duplicate;
    double reorder;
};

PHASOR_EXTERN int phasor_sim_active(void);
PHASOR_EXTERN unsigned long long phasor_sim_seed(void);
/* ns since the world began. */
PHASOR_EXTERN unsigned long long phasor_sim_now(void);
/* A number below the limit, by chance. */
PHASOR_EXTERN unsigned long long phasor_sim_random(unsigned long long limit);
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
 *   "sometimes", name, holds   a search in which it never held fails */
PHASOR_EXTERN int phasor_sim_ask(const char* what, const char* name, int one, int two);
#pragma weak phasor_sim_ask
#define PHASOR_SIM_ASK(what, name, one, two) \
    (phasor_sim_ask != 0 ? phasor_sim_ask((what), (name), (one), (two)) : -95 /* UV_ENOTSUP */)
#define PHASOR_SIM_REACHED(name) PHASOR_SIM_ASK("reached", (name), 1, 0)
#define PHASOR_SIM_SOMETIMES(name, holds) PHASOR_SIM_ASK("sometimes", (name), (holds) ? 1 : 0, 0)

#ifdef __cplusplus
}
#endif

#endif
