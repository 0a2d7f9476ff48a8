/* The seam between the loop (<uv.h>) and the JavaScript engine (quickjs-ng).
 *
 * One ph_env is one JavaScript world on one loop, used by one thread only. Bindings reach it with
 * ph_env_of(ctx). A JSValue parameter named *_owned passes to the callee; all others stay the
 * caller's. */
#ifndef PH_RUNTIME_ENGINE_H
#define PH_RUNTIME_ENGINE_H

#include <quickjs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

typedef struct ph_env ph_env;
typedef struct ph_ticks ph_ticks;
typedef struct ph_timers ph_timers;

/* Functions that JavaScript hands to C, by the names of hooks.def. */
typedef enum {
#define HOOK(id, name) PH_HOOK_##id,
#include "engine/hooks.def"
#undef HOOK
    PH_HOOK_COUNT
} ph_hook;

/* What stands above the engine and gives a world all that is not the language. The engine knows
 * nothing else of it. */
typedef struct {
    bool (*begin)(ph_env* env); /* the world is made and nothing ran yet */
    JSValue (*binding)(JSContext* ctx, const char* name); /* undefined if there is none */
    bool (*should_stop)(ph_env* env);                     /* asked while a script runs */
    void (*end)(ph_env* env);                             /* before the handles are closed */
    void (*abandon)(uv_handle_t* handle); /* closes a handle without calling JavaScript */
    void (*ended)(ph_env* env);           /* the loop is empty */
} ph_above;

/* What others keep for a world: each declares its struct in a file of its own. */
typedef enum {
    PH_PART_BINDINGS,  /* bindings/world.h */
    PH_PART_HTTP,      /* http/binding.c */
    PH_PART_INSPECTOR, /* plugins/inspector */
    PH_PART_NAPI,      /* plugins/napi */
    PH_PART_WASM,      /* plugins/wasm */
    PH_PART_COUNT
} ph_part_name;

/* Of hooked.c. */
typedef struct {
    JSClassID type;
    JSValue hook;
    bool is_hooked; /* the hook wants to know */
    bool any_gone;  /* it has something to tell in the check phase */
} ph_work_part;

/* Of aside.c: the stack that scripts have, and a worker's memory. */
typedef struct {
    size_t size, reserve, lent;
    size_t memory; /* in bytes; 0 if there is no limit */
} ph_room_part;

/* Of gate.c. */
typedef struct {
    int depth;           /* entries into JavaScript that have not returned */
    bool has_rejections; /* the rejection hooks have something to report */
    bool in_batch;       /* the timers or check phase: callbacks follow each other */
    bool drain_failed;   /* the last drain ended with a tick that threw */
    bool has_base;       /* the outermost entry has a number that no work has */
} ph_gate_part;

/* Of interrupts.c. */
typedef struct {
    struct ph_limited* limited;      /* the innermost script with limits */
    void (*on_poll)(struct ph_env*); /* the debugger's look at a script that runs */
} ph_interrupts_part;

/* Of values.c: what makes an array of bytes a Buffer. */
typedef struct {
    JSClassID class_id; /* of Uint8Array, known when the prototype is */
    JSValue prototype;
} ph_bytes_part;

/* Of engine.c: how the world started and how it ends. */
typedef struct {
    int argc;
    char** argv;
    uint64_t started;      /* uv_hrtime at start; a worker has its parent's */
    double started_on;     /* the same in milliseconds of the calendar */
    uint64_t loop_started; /* uv_hrtime when the loop first ran; 0 before that */
    bool wanted_end;       /* beforeExit was told */
    bool is_prepared;      /* booted, but for what the begin hook does */
    int exit_code;
    void (*on_end)(struct ph_env*);     /* what addons do last, while there is a loop */
    size_t allocated;                   /* live bytes of the engine, for the leak check */
    struct ph_allocations* allocations; /* NULL: nobody watches them; see allocations.h */
} ph_life_part;

struct ph_env {
    JSRuntime* rt;
    JSContext* ctx;
    uv_loop_t* loop;
    ph_ticks* ticks;
    ph_timers* timers;
    const ph_above* above;
    void* parts[PH_PART_COUNT];
    ph_work_part work;
    ph_room_part room;
    ph_gate_part gate;
    ph_interrupts_part interrupts;
    ph_bytes_part bytes;
    ph_life_part life;
    JSValue hooks[PH_HOOK_COUNT];
    JSValue async_context;
    JSValue promise_hook; /* told of what happens to promises; undefined if nobody wants to know */
    JSValue prepare_stack;
    bool stopping;              /* no JavaScript runs from now on */
    struct ph_kept* kept;       /* what weak references gave out; see kept.h */
    struct ph_trace* trace;     /* names of functions, while recording; see trace.c */
    struct ph_ending* endings;  /* who is told of the end; see endings.h */
    struct ph_events* events;   /* see events/events.h */
    struct ph_streams* streams; /* see streams/streams.h */
};

typedef struct {
    const char* id;
    const uint8_t* code;
    size_t length;
} ph_builtin;
extern const ph_builtin ph_builtins[];
extern const size_t ph_builtin_count;

static inline ph_env* ph_env_of(JSContext* ctx) {
    return JS_GetContextOpaque(ctx);
}

ph_env* ph_env_new(uv_loop_t* loop, int argc, char** argv, const ph_above* above);
/* The part of that name: zeros when it is first asked for, freed with the world; NULL without
 * memory. */
void* ph_part(ph_env* env, ph_part_name name, size_t size);
/* The program is done: no JavaScript runs any more, and addons are told, once. */
void ph_env_end(ph_env* env);
/* Ends it, closes every handle, then frees the world. False if the engine found a leak. */
bool ph_env_free(ph_env* env);
/* Loads the built-in module that starts everything; -1 if it threw. */
int ph_env_boot(ph_env* env, const char* id);
/* Starts the program of a world that was booted as a prepared one, as if it had been made now and
 * by the calling thread. */
int ph_env_begin(ph_env* env);
/* The program starts now: what uptime counts from. */
void ph_env_note_start(ph_env* env);
/* Runs the loop until it is done, with beforeExit and exit; gives the exit code. */
int ph_env_run(ph_env* env);
/* Ends JavaScript: the running script is unwound without running its catch or finally blocks. */
JSValue ph_env_exit(ph_env* env, int code);

JSValue ph_binding(JSContext* ctx, const char* name);
JSValue ph_hook_call(ph_env* env, ph_hook hook, int argc, JSValueConst* argv);

/* ES modules (modules.c), stack traces (stack.c). */
void ph_modules_init(ph_env* env);
JSValue ph_modules_binding(JSContext* ctx);
void ph_stack_init(ph_env* env);
/* Takes fileName and its kin from a new context's functions. The language does not have them, and
 * programs that set such names on functions of their own would meet accessors without a setter. */
void ph_stack_remove_positions(JSContext* ctx);

/* Values. */
JSValue ph_error(JSContext* ctx, int error, const char* syscall, const char* path,
                 const char* dest);
JSValue ph_throw(JSContext* ctx, int error, const char* syscall, const char* path,
                 const char* dest);
/* A Buffer that owns the bytes, which came from malloc. */
JSValue ph_buffer(ph_env* env, void* bytes_owned, size_t length);
/* The same with a copy of the bytes. */
JSValue ph_buffer_copy(ph_env* env, const void* bytes, size_t length);
/* UTF-8 for JS_FreeCString, with U+FFFD for lone surrogates. */
const char* ph_text(JSContext* ctx, JSValueConst value, size_t* length);
bool ph_flag(JSContext* ctx, JSValueConst value);
int32_t ph_int(JSContext* ctx, JSValueConst value, int32_t otherwise);
double ph_number(JSContext* ctx, JSValueConst value, double otherwise);
void ph_set(JSContext* ctx, JSValueConst object, const char* name, JSValue value_owned);

/* JS_FreeValue without a call where there is nothing to count, for the hot paths. */
static inline void ph_drop(JSContext* ctx, JSValue value_owned) {
    if (JS_VALUE_HAS_REF_COUNT(value_owned))
        JS_FreeValue(ctx, value_owned);
}
static inline JSValue ph_keep(JSContext* ctx, JSValueConst value) {
    return JS_VALUE_HAS_REF_COUNT(value) ? JS_DupValue(ctx, value) : value;
}

#define PH_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PH_EXPORT(ctx, table) ph_exports(ctx, table, (int)PH_COUNT(table))
JSValue ph_exports(JSContext* ctx, const JSCFunctionListEntry* table, int count);

#endif
