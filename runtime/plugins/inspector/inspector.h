/* The inspector of one world: what the protocol's JavaScript (runtime/js/internal/inspector) needs
 * of the engine, of the loop and of the server. */
#ifndef PH_INSPECTOR_H
#define PH_INSPECTOR_H

#include "bindings/worker.h"
#include "engine/endings.h"
#include "engine/engine.h"
#include "engine/patched.h"
#include "mail.h"
#include "server.h"

typedef enum { PH_STEP_NONE, PH_STEP_INTO, PH_STEP_OVER, PH_STEP_OUT } ph_step;
typedef enum { PH_PAUSE_NEVER, PH_PAUSE_UNCAUGHT, PH_PAUSE_ALWAYS } ph_pause_on;

/* Functions of JavaScript. */
typedef enum {
    PH_ON_MAIL,   /* () something came */
    PH_ON_PAUSE,  /* (reason, exception, isUncaught) serves the protocol until it resumes */
    PH_ON_SCRIPT, /* (file, source, flags, marks, context) a text was compiled */
    PH_ON_COUNT
} ph_handler;

typedef struct {
    JSAtom file;
    int line, column;
} ph_breakpoint;

enum { PH_KNOWN_PLACES = 1024 };

typedef struct ph_inspector {
    ph_ending ending;
    struct ph_inspector* next; /* see threads.c */
    int thread;                /* 0: the main one */
    ph_env* env;
    JSValue handlers[PH_ON_COUNT];
    ph_mailbox box;
    uv_async_t* knock;
    ph_server* server;
    int busy;     /* the protocol's JavaScript runs: nothing stops, nothing is served */
    bool is_on;   /* the debugger is enabled: "debugger" stops */
    bool is_over; /* evaluation is to end, see terminate */
    ph_breakpoint* breakpoints;
    int breakpoint_count;
    const void* empty[PH_KNOWN_PLACES]; /* places that have no breakpoint, by address */
    ph_step step;
    void* step_frame;
    bool step_awaits; /* the frame may come back after others have run */
    ph_pause_on pause_on;
    JSValue thrown; /* the exception that was looked at last */
    void* frame;    /* innermost, while paused */
    struct ph_profile* profile;
} ph_inspector;

/* NULL while nobody debugs this world. */
static inline ph_inspector* ph_inspector_in(const ph_env* env) {
    return env->parts[PH_PART_INSPECTOR];
}

/* Of the world, made when it is first asked for; NULL: no memory. */
ph_inspector* ph_inspector_of(JSContext* ctx);
/* Calls a handler while nothing can stop; an exception that is not the program's end is dropped.
 * False: the program ends. */
bool ph_inspector_tell(ph_inspector* inspector, JSContext* ctx, ph_handler handler, int argc,
                       JSValueConst* argv);

void ph_threads_add(ph_inspector* inspector);
void ph_threads_remove(ph_inspector* inspector);
void ph_threads_export(JSContext* ctx, JSValueConst exports);

void ph_debug_start(ph_inspector* inspector);
void ph_debug_free(ph_inspector* inspector);
void ph_debug_export(JSContext* ctx, JSValueConst exports);

/* Called now and then while scripts run. */
void ph_profile_look(ph_inspector* inspector);
void ph_profile_free(ph_inspector* inspector);
void ph_profile_export(JSContext* ctx, JSValueConst exports);

#endif
