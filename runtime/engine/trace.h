/* What a recording (phasor.h) is told about JavaScript: the functions of the program that the
 * runtime calls, with their place, each tick and each promise job. Off, a look costs one branch. */
#ifndef PH_RUNTIME_TRACE_H
#define PH_RUNTIME_TRACE_H

#include <dlfcn.h>
#include <phasor.h>

#include "engine/engine.h"

/* A function of phasor.h, which another libuv does not have; a command in one file has ours. */
#ifdef PHASOR_STATIC
#define PH_IN_LIBRARY(function) ((void*)(function))
#else
#define PH_IN_LIBRARY(function) dlsym(RTLD_DEFAULT, #function)
#endif

/* The recorder's own word: it may change at any time. */
extern const int* ph_trace_flag;

static inline bool ph_trace_on(void) {
    return __builtin_expect(__atomic_load_n(ph_trace_flag, __ATOMIC_RELAXED) & 1, 0);
}

/* Once per process, before the first world. */
void ph_trace_init(void (*ignored)(void));
void ph_trace_free(ph_env* env);

/* The function's own name, never a getter of the program's: a string or undefined. */
JSValue ph_trace_own_name(JSContext* ctx, JSValueConst function);
/* Whether it is a file's own code. */
bool ph_trace_is_script(const char* file, bool is_whole_text, int line, int column);

/* From the first call while recording on, the engine tells which functions run. */
void ph_trace_watch_calls(ph_env* env);

static inline void ph_trace_entry(ph_env* env) {
    if (ph_trace_on())
        ph_trace_watch_calls(env);
}

/* Before a timeout is called. */
static inline void ph_trace_timer(uint64_t due) {
    if (ph_trace_on())
        phasor_trace_due(due);
}

/* A timeout or immediate is made, or about to be called. */
static inline void ph_trace_later(const void* id, enum phasor_later step) {
    if (ph_trace_on())
        phasor_trace_later(id, step);
}

/* What work on the pool is for, after it was queued. */
void ph_trace_request(const void* request, const char* what);
/* mark(name, kind, milliseconds): a moment, or a stretch of time that ends now; see enum
 * phasor_mark. */
JSValue ph_trace_mark(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);

/* Around one tick or promise job; the function that it runs first gives it its name. */
void ph_trace_unit_begins(ph_env* env, enum phasor_span span);
void ph_trace_unit_ends(ph_env* env, enum phasor_span span);

static inline void ph_trace_begins(ph_env* env, enum phasor_span span) {
    if (ph_trace_on())
        ph_trace_unit_begins(env, span);
}

static inline void ph_trace_ends(ph_env* env, enum phasor_span span) {
    if (ph_trace_on())
        ph_trace_unit_ends(env, span);
}

#endif
