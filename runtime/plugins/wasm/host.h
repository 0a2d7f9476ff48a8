/* WebAssembly for JavaScript: a store for each world, and handles of its things.
 *
 * A handle is the object that a program sees (a WebAssembly.Memory, an exported function). It holds
 * the anchor of its thing's group: an object without a face, which has the values that the group's
 * functions and references need. So the engine's collector sees every path, and a group goes with
 * the last handle of any of its things. */
#ifndef PH_WASM_HOST_H
#define PH_WASM_HOST_H

#include "engine/endings.h"
#include "engine/engine.h"
#include "plugins/wasm/wasm.h"

enum { WASM_MODULE = WASM_TAG + 1, WASM_KIND_COUNT };

/* What JavaScript gives to C when it starts. */
typedef enum {
    WASM_GIVEN_TRAP = WASM_KIND_COUNT, /* (text, frames): the RuntimeError */
    WASM_GIVEN_LIST,                   /* (iterable): an array of its values */
    WASM_GIVEN_SHARE,                  /* (bytes): a SharedArrayBuffer */
    WASM_GIVEN_WAIT,                   /* (bytes, at, wide, expected, nanoseconds): as the format */
    WASM_GIVEN_NOTIFY,                 /* (bytes, at, count): how many */
    WASM_GIVEN_COUNT                   /* those before are the prototypes, by kind */
} wasm_given;

typedef struct {
    wasm_store store; /* first: the engine knows the world by it */
    ph_env* env;
    JSContext* ctx;
    JSClassID handle_class, function_class, anchor_class;
    JSValue given[WASM_GIVEN_COUNT];
    unsigned converting; /* arguments that are on their way into slots */
    ph_ending ending;
} wasm_world;

/* A JavaScript value that WebAssembly holds: an imported function, or an externref. */
typedef struct {
    JSValue value;
    bool is_function, is_marked;
} wasm_cell;

typedef struct {
    wasm_world* world;
    wasm_group* group; /* NULL: it has joined another */
    JSValueConst self;
    JSValue into; /* the anchor that it has joined */
    wasm_cell** cells;
    uint32_t cell_count, cell_room, collect_at;
} wasm_anchor;

typedef struct {
    wasm_world* world;
    int kind;
    wasm_thing* thing; /* NULL: a module, or all is over */
    wasm_module* module;
    JSValueConst self;
    JSValue anchor;
    JSValue buffer; /* of a memory */
    uint64_t buffer_size;
} wasm_handle;

wasm_world* wasm_world_of(JSContext* ctx);
/* NULL and an exception. */
wasm_world* wasm_world_start(JSContext* ctx);

/* A group with its anchor, which passes to the caller. NULL and an exception. */
wasm_group* wasm_anchor_new(wasm_world* world, JSValue* anchor);
/* False and an exception. */
bool wasm_join(wasm_world* world, wasm_group* group, wasm_group* into);
wasm_cell* wasm_cell_new(wasm_world* world, wasm_group* group, JSValueConst value);
/* Lets go of references that nothing in WebAssembly has any more, now and then. */
void wasm_collect_cells(wasm_world* world, wasm_group* group);

/* The handle of a thing: the one that there is, or a new one with this prototype (undefined: that
 * of its kind). */
JSValue wasm_handle_of(wasm_world* world, wasm_thing* thing, JSValueConst prototype);
JSValue wasm_module_handle(wasm_world* world, wasm_module* module_owned, JSValueConst prototype);
/* NULL: it is no handle of that kind. */
wasm_handle* wasm_handle_get(wasm_world* world, JSValueConst value, int kind);
/* The thing; NULL and an exception. */
void* wasm_thing_get(JSContext* ctx, JSValueConst value, int kind);

/* values.c. False and an exception; the slots are the thing's own. */
bool wasm_from_js(wasm_world* world, wasm_group* group, wasm_type type, JSValueConst value,
                  uint64_t* slots);
JSValue wasm_to_js(wasm_world* world, wasm_type type, const uint64_t* slots);
wasm_type wasm_type_given(JSContext* ctx, JSValueConst name);

/* calls.c */
JSValue wasm_call_exported(JSContext* ctx, JSValueConst function, JSValueConst self, int argc,
                           JSValueConst* argv, int flags);
wasm_outcome wasm_call_imported(wasm_store* store, wasm_function* function, uint64_t* slots);
/* Throws what the outcome says. */
JSValue wasm_throw(wasm_world* world, wasm_outcome outcome);

/* What the other files add to the binding. */
void wasm_add_modules(JSContext* ctx, JSValueConst exports);
void wasm_add_objects(JSContext* ctx, JSValueConst exports);
/* shared.c */
wasm_memory* wasm_share(wasm_store* store, wasm_group* group, wasm_limits limits);
JSValue wasm_shared_buffer(JSContext* ctx, wasm_memory* memory);
int64_t wasm_wait(wasm_store* store, wasm_memory* memory, uint64_t at, bool is_wide,
                  uint64_t expected, int64_t timeout);
int64_t wasm_notify(wasm_store* store, wasm_memory* memory, uint64_t at, uint32_t count);
void wasm_add_shared(JSContext* ctx, JSValueConst exports);
void wasm_memory_grown(wasm_store* store, wasm_memory* memory);

#endif
