#ifndef PHASOR_H
#define PHASOR_H

/*
 * What this library has beyond the interface of uv.h: recording what the loops do.
 *
 * A recording is also switched on by the environment (PHASOR_TRACE=file, and
 * PHASOR_TRACE_LIMIT=bytes for a file that keeps the newest only) or from outside (phasor attach).
 * All functions may be called from any thread.
 */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PHASOR_EXTERN
#define PHASOR_EXTERN __attribute__((visibility("default")))
#endif

/* Starts to record into the file, which is replaced. 0, or a negative uv error code: UV_EALREADY
 * while recording, or what opening or locking the file said. */
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
 * there is no room for more names. Numbers stay valid in later recordings. */
PHASOR_EXTERN unsigned phasor_trace_name(const char* function, const char* file, int line);
PHASOR_EXTERN void phasor_trace_begin(enum phasor_span span, unsigned name);
PHASOR_EXTERN void phasor_trace_end(enum phasor_span span);
/* Before the function span of a timer that the runtime keeps itself: when it was due, in ms on the
 * clock of uv_now. */
PHASOR_EXTERN void phasor_trace_due(unsigned long long due);

#ifdef __cplusplus
}
#endif

#endif
