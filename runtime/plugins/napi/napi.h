/* Node-API on the engine: what its files share.
 *
 * One `world` is one ph_env with addons; one napi_env is one addon in it. A napi_value points to a
 * JSValue: a slot of the world's handle stack, or an argument of the native function that runs. */
#ifndef PH_NAPI_H
#define PH_NAPI_H

#include <uv.h>

#include "engine/endings.h"
#include "engine/engine.h"
#include "plugins/napi/api.h"
#include "plugins/napi/calls.h"

enum { SLOTS_OF_A_CHUNK = 256 };

/* Functions of the language, taken once, so that a program that changes its globals later changes
 * nothing here. */
typedef enum {
    NAPI_WEAK_GET,
    NAPI_WEAK_SET,
    NAPI_BIGINT,
    NAPI_BIGINT_TO_STRING,
    NAPI_DATE_VALUE,
    NAPI_DATA_VIEW,
    NAPI_VIEW_BUFFER,
    NAPI_VIEW_OFFSET,
    NAPI_VIEW_LENGTH,
    NAPI_ERROR,
    NAPI_TYPE_ERROR,
    NAPI_RANGE_ERROR,
    NAPI_SYNTAX_ERROR,
    NAPI_INTRINSIC_COUNT
} napi_intrinsic;

typedef struct napi_world napi_world;
typedef struct napi_attachment napi_attachment;
typedef struct napi_cleanup napi_cleanup;

struct napi_world {
    ph_env* env;
    JSContext* ctx;
    JSValue** chunks; /* of the handle stack */
    size_t chunk_count;
    size_t used; /* slots, over all chunks */
    size_t open_scopes;
    JSClassID function_class;
    JSClassID external_class;
    JSClassID extra_class;
    JSClassID lookout_class;
    JSClassID array_buffer_class;
    JSValue extras; /* WeakMap: object -> what addons attached to it */
    JSValue intrinsics[NAPI_INTRINSIC_COUNT];
    JSValue keep_here; /* function: the ArrayBuffer can't be transferred */
    struct napi_env__* envs;
    napi_cleanup* cleanups; /* the newest first */
    napi_attachment* due;   /* their objects are gone: finalizers to run, the first first */
    napi_attachment** due_end;
    uv_async_t* wake;
    uv_check_t* check;
    ph_ending ending;
    uint64_t brands; /* numbers of native classes */
    int64_t external_memory;
    size_t works;         /* under way in the pool */
    size_t async_cleanup; /* hooks that have not said that they are done */
    size_t scopes;        /* open callback scopes */
    bool is_strict;       /* --force-node-api-uncaught-exceptions-policy */
    bool in_finalizer;    /* of an addon for the experimental version: nothing may be made */
    bool has_lookout;     /* collections are told of */
    bool is_ending;       /* JavaScript runs no more, cleanup hooks and finalizers do */
    bool has_ended;
};

struct napi_env__ {
    napi_world* world;
    JSContext* ctx;
    struct napi_env__* next;
    JSValue pending; /* exception; uninitialized if there is none */
    napi_extended_error_info last_error;
    int32_t version; /* of Node-API that the addon was written for */
    char* file;      /* as a URL */
    void* instance_data;
    napi_finalize instance_finalize;
    void* instance_hint;
    struct napi_ref__* refs;
    napi_attachment* attachments; /* all that have not been finalized */
    size_t closings;              /* handles of thread-safe functions that are not closed yet */
};

/* Something native that hangs on an object. It is in two lists: of its addon, and of its object or
 * of what is due. */
struct napi_attachment {
    napi_env env;
    void* data;
    napi_finalize finalize; /* NULL: nobody wants to know */
    void* hint;
    napi_attachment *next, **link;         /* of the object's, or of what is due */
    napi_attachment *env_next, **env_link; /* of the addon's */
    bool is_wrap;
    bool is_posted; /* by node_api_post_finalizer */
};

struct napi_ref__ {
    napi_env env;
    JSValue value; /* counted while count > 0 or is_strong; undefined when the object is gone */
    uint32_t count;
    bool is_gone;
    bool is_strong;               /* a value that can't be held weakly */
    napi_ref next, *link;         /* of the object */
    napi_ref env_next, *env_link; /* of the addon */
};

/* What addons attached to one object. */
typedef struct {
    napi_world* world;
    napi_ref refs;
    napi_attachment* attachments;
    uint64_t brand; /* the native class whose constructor made the object; 0 if none did */
    napi_type_tag tag;
    bool has_tag;
} napi_extra;

/* Handles. */
napi_value napi_handle(napi_world* world, JSValue value_owned);
static inline JSValueConst napi_js(napi_value value) {
    return *(JSValue*)value;
}
void napi_release_handles(napi_world* world, size_t mark);

/* Status. Every function ends with one of these. */
napi_status napi_fail(napi_env env, napi_status status);
static inline napi_status napi_succeed(napi_env env) {
    env->last_error.error_code = napi_ok;
    return napi_ok;
}
/* The engine's exception becomes the addon's pending one. */
napi_status napi_caught(napi_env env);
/* The same, but says what was wrong instead. */
napi_status napi_caught_as(napi_env env, napi_status status);
/* A value that was made: a handle for it, or the exception. */
napi_status napi_give(napi_env env, JSValue value_owned, napi_value* result);
/* Before JavaScript may run: napi_ok, or why it may not. */
napi_status napi_may_run(napi_env env);
napi_status napi_throw_coded(napi_env env, napi_intrinsic type, const char* code,
                             const char* message);
static inline bool napi_has_pending(napi_env env) {
    return !JS_IsUninitialized(env->pending);
}

#define NAPI_NEED_ENV(env)           \
    do {                             \
        if ((env) == NULL)           \
            return napi_invalid_arg; \
    } while (0)
#define NAPI_NEED(env, condition, status)  \
    do {                                   \
        if (!(condition))                  \
            return napi_fail(env, status); \
    } while (0)
#define NAPI_NEED_ARG(env, argument) NAPI_NEED(env, (argument) != NULL, napi_invalid_arg)
/* Of functions that may run JavaScript. */
#define NAPI_BEGIN(env)                           \
    do {                                          \
        NAPI_NEED_ENV(env);                       \
        napi_status may_run_ = napi_may_run(env); \
        if (may_run_ != napi_ok)                  \
            return may_run_;                      \
    } while (0)

/* Objects.
 * The value as an object, which is the caller's. Of undefined and null: an exception that waits,
 * and the other status. */
napi_status napi_to_object(napi_env env, napi_value value, napi_status otherwise, JSValue* object);
napi_extra* napi_extra_of(napi_world* world, JSValueConst object, bool makes);
bool napi_is_external(napi_world* world, JSValueConst value);
void* napi_external_data(napi_world* world, JSValueConst value);
JSValue napi_external_new(napi_world* world, void* data);
napi_attachment* napi_attach(napi_env env, JSValueConst object, void* data, napi_finalize finalize,
                             void* hint);
/* One without an object: whoever has it puts it to what is due. */
napi_attachment* napi_attachment_new(napi_env env, void* data, napi_finalize finalize, void* hint);
void napi_attachment_free(napi_attachment* attachment);
/* Takes it off its object. */
void napi_attachment_leave(napi_attachment* attachment);
void napi_attachment_due(napi_attachment* attachment);
/* Calls the finalizer and frees; it is in no list of an object any more. */
void napi_attachment_finish(napi_attachment* attachment);
napi_status napi_ref_new(napi_env env, JSValueConst value, uint32_t count, napi_ref* result);
void napi_ref_free(napi_ref ref);
bool napi_extras_init(napi_world* world);
bool napi_due_init(napi_world* world);
void napi_due_run(napi_world* world);
void napi_look_out(napi_world* world);

/* Functions. */
bool napi_functions_init(napi_world* world);
JSValue napi_function_new(napi_env env, const char* name, size_t length, napi_callback callback,
                          void* data);
/* A class's methods: they refuse objects that its constructor did not make. */
JSValue napi_method_new(napi_env env, JSValueConst name, napi_callback callback, void* data,
                        uint64_t brand);
JSAtom napi_property_key(napi_env env, const napi_property_descriptor* property,
                         napi_status* status);
int napi_define(napi_env env, JSValueConst object, JSAtom key,
                const napi_property_descriptor* property, uint64_t brand);
JSValue napi_text(napi_env env, const char* text, size_t length);

/* Calls an addon as one entry into JavaScript, in a handle scope of its own and in the context of
 * some asynchronous work. */
typedef void napi_native(napi_env env, void* task);
typedef enum {
    NAPI_UNCAUGHT, /* what it throws is an uncaught exception */
    NAPI_WARNS,    /* or, for addons before version 10, a warning */
} napi_policy;
void napi_run_in(napi_env env, JSValueConst context, napi_policy policy, napi_native* run,
                 void* task);

/* Work with a number of its own (async_hooks); NULL resource: it is a new object. */
napi_status napi_work_new(napi_env env, napi_value resource, napi_value name, JSValue* work);

/* The end. */
napi_cleanup* napi_cleanup_add(napi_env env, napi_cleanup_hook hook, void* arg);
void napi_cleanup_remove(napi_cleanup* cleanup);
void napi_world_end(napi_world* world);
bool napi_world_start(ph_env* env);
napi_world* napi_world_of(ph_env* env);
napi_env napi_env_new(napi_world* world, const char* file, int32_t version);

#endif
