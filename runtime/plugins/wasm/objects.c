/* WebAssembly.Memory, Table and Global for JavaScript: what their methods do once the arguments are
 * what they should be (internal/wasm/objects). */
#include <stdlib.h>

#include "plugins/wasm/host.h"

static JSValue finish(wasm_world* world, JSValue anchor_owned, wasm_thing* thing,
                      JSValueConst prototype) {
    JSValue value = thing == NULL ? JS_EXCEPTION : wasm_handle_of(world, thing, prototype);
    JS_FreeValue(world->ctx, anchor_owned);
    return value;
}

static wasm_limits limits_given(JSContext* ctx, JSValueConst least, JSValueConst most,
                                uint32_t otherwise) {
    wasm_limits limits = {.least = (uint32_t)ph_number(ctx, least, 0), .most = otherwise};
    limits.has_most = !JS_IsUndefined(most);
    if (limits.has_most)
        limits.most = (uint32_t)ph_number(ctx, most, otherwise);
    return limits;
}

/* newMemory(prototype, initial, maximum, shared) */
static JSValue new_memory(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_world* world = wasm_world_of(ctx);
    wasm_limits limits = limits_given(ctx, argv[1], argv[2], WASM_MOST_PAGES);
    limits.is_shared = ph_flag(ctx, argv[3]);
    if (limits.least > WASM_MOST_PAGES || limits.most < limits.least)
        return JS_ThrowRangeError(ctx, "the size is out of range");
    JSValue anchor;
    wasm_group* group = wasm_anchor_new(world, &anchor);
    if (group == NULL)
        return JS_EXCEPTION;
    wasm_memory* memory = limits.is_shared ? wasm_share(&world->store, group, limits)
                                           : wasm_memory_new(group, limits);
    if (memory == NULL && !JS_HasException(ctx))
        JS_ThrowRangeError(ctx, "could not allocate memory");
    return finish(world, anchor, memory == NULL ? NULL : &memory->thing, argv[0]);
}

static void* release_space(JSRuntime* rt, void* opaque, void* bytes, size_t size) {
    (void)rt;
    (void)bytes;
    if (size == 0)
        wasm_space_release(opaque);
    return NULL;
}

static void detach_buffer(wasm_handle* handle) {
    JSContext* ctx = handle->world->ctx;
    if (JS_IsUndefined(handle->buffer))
        return;
    JSValue buffer = handle->buffer;
    handle->buffer = JS_UNDEFINED;
    /* A SharedArrayBuffer stays what it is. */
    JS_DetachArrayBuffer(ctx, buffer);
    JS_FreeValue(ctx, buffer);
}

void wasm_memory_grown(wasm_store* store, wasm_memory* memory) {
    (void)store;
    if (memory->thing.handle != NULL)
        detach_buffer(memory->thing.handle);
}

static JSValue new_buffer(JSContext* ctx, wasm_memory* memory) {
    wasm_space* space = wasm_space_hold(memory->space);
    JSValue buffer =
        JS_NewArrayBuffer(ctx, memory->bytes, memory->own_size, 0, release_space, space, false);
    if (JS_IsException(buffer))
        wasm_space_release(space);
    return buffer;
}

/* buffer(memory): the same one until it grows */
static JSValue memory_buffer(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_memory* memory = wasm_thing_get(ctx, argv[0], WASM_MEMORY);
    if (memory == NULL)
        return JS_EXCEPTION;
    wasm_handle* handle = memory->thing.handle;
    uint64_t size = wasm_memory_size(memory);
    if (JS_IsUndefined(handle->buffer) || handle->buffer_size != size) {
        JSValue buffer =
            memory->limits.is_shared ? wasm_shared_buffer(ctx, memory) : new_buffer(ctx, memory);
        if (JS_IsException(buffer))
            return buffer;
        JS_FreeValue(ctx, handle->buffer);
        handle->buffer = buffer;
        handle->buffer_size = size;
    }
    return JS_DupValue(ctx, handle->buffer);
}

/* growMemory(memory, pages): how many there were, -1 if it can't grow so far */
static JSValue grow_memory(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_memory* memory = wasm_thing_get(ctx, argv[0], WASM_MEMORY);
    if (memory == NULL)
        return JS_EXCEPTION;
    int64_t before = wasm_memory_grow(memory, (uint32_t)ph_number(ctx, argv[1], 0));
    if (before >= 0)
        detach_buffer(memory->thing.handle);
    return JS_NewInt64(ctx, before);
}

/* newTable(prototype, type, initial, maximum, value) */
static JSValue new_table(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_world* world = wasm_world_of(ctx);
    wasm_table_type type = {.element = wasm_type_given(ctx, argv[1]),
                            .limits = limits_given(ctx, argv[2], argv[3], UINT32_MAX)};
    if (!wasm_is_reference(type.element) || type.limits.least > type.limits.most)
        return JS_ThrowTypeError(ctx, "wrong type of table");
    JSValue anchor;
    uint64_t value = 0;
    wasm_group* group = wasm_anchor_new(world, &anchor);
    if (group == NULL)
        return JS_EXCEPTION;
    wasm_table* table = NULL;
    if (wasm_from_js(world, group, type.element, argv[4], &value)) {
        table = wasm_table_new(wasm_group_root(group), type, value);
        if (table == NULL)
            JS_ThrowRangeError(ctx, "could not allocate table");
    }
    return finish(world, anchor, table == NULL ? NULL : &table->thing, argv[0]);
}

static JSValue table_length(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_table* table = wasm_thing_get(ctx, argv[0], WASM_TABLE);
    return table == NULL ? JS_EXCEPTION : JS_NewUint32(ctx, table->size);
}

/* tableGet(table, index) */
static JSValue table_get(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_table* table = wasm_thing_get(ctx, argv[0], WASM_TABLE);
    if (table == NULL)
        return JS_EXCEPTION;
    double index = ph_number(ctx, argv[1], -1);
    if (!(index >= 0 && index < table->size))
        return JS_ThrowRangeError(ctx, "the index is out of range");
    return wasm_to_js(wasm_world_of(ctx), table->type.element, &table->elements[(uint32_t)index]);
}

/* tableSet(table, index, value) */
static JSValue table_set(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_table* table = wasm_thing_get(ctx, argv[0], WASM_TABLE);
    uint64_t value;
    double index = ph_number(ctx, argv[1], -1);
    if (table == NULL ||
        !wasm_from_js(wasm_world_of(ctx), table->thing.group, table->type.element, argv[2], &value))
        return JS_EXCEPTION;
    if (!(index >= 0 && index < table->size))
        return JS_ThrowRangeError(ctx, "the index is out of range");
    table->elements[(uint32_t)index] = value;
    return JS_UNDEFINED;
}

/* tableGrow(table, count, value): how many there were, -1 if it can't grow so far */
static JSValue table_grow(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_table* table = wasm_thing_get(ctx, argv[0], WASM_TABLE);
    uint64_t value;
    if (table == NULL ||
        !wasm_from_js(wasm_world_of(ctx), table->thing.group, table->type.element, argv[2], &value))
        return JS_EXCEPTION;
    return JS_NewInt64(ctx, wasm_table_grow(table, (uint32_t)ph_number(ctx, argv[1], 0), value));
}

/* tableType(table) */
static JSValue table_type(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_table* table = wasm_thing_get(ctx, argv[0], WASM_TABLE);
    return table == NULL
               ? JS_EXCEPTION
               : JS_NewString(ctx, table->type.element == WASM_FUNCREF ? "funcref" : "externref");
}

/* newGlobal(prototype, type, mutable, value) */
static JSValue new_global(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_world* world = wasm_world_of(ctx);
    wasm_global_type type = {wasm_type_given(ctx, argv[1]), ph_flag(ctx, argv[2])};
    if (type.type == WASM_ANY)
        return JS_ThrowTypeError(ctx, "wrong type of global");
    JSValue anchor;
    wasm_group* group = wasm_anchor_new(world, &anchor);
    if (group == NULL)
        return JS_EXCEPTION;
    uint64_t value[2] = {0, 0};
    bool is_right = type.type == WASM_V128 ? JS_IsUndefined(argv[3])
                                           : wasm_from_js(world, group, type.type, argv[3], value);
    if (!is_right && !JS_HasException(ctx))
        JS_ThrowTypeError(ctx, "type incompatibility when transforming from/to JS");
    wasm_global* global = is_right ? wasm_global_new(wasm_group_root(group), type) : NULL;
    if (is_right && global == NULL)
        JS_ThrowOutOfMemory(ctx);
    if (global != NULL) {
        global->value[0] = value[0];
        global->value[1] = value[1];
    }
    return finish(world, anchor, global == NULL ? NULL : &global->thing, argv[0]);
}

static JSValue global_get(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_global* global = wasm_thing_get(ctx, argv[0], WASM_GLOBAL);
    return global == NULL ? JS_EXCEPTION
                          : wasm_to_js(wasm_world_of(ctx), global->type.type, global->value);
}

/* globalSet(global, value): false if it is not mutable */
static JSValue global_set(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_global* global = wasm_thing_get(ctx, argv[0], WASM_GLOBAL);
    uint64_t value;
    if (global == NULL)
        return JS_EXCEPTION;
    if (!global->type.is_mutable)
        return JS_FALSE;
    if (!wasm_from_js(wasm_world_of(ctx), global->thing.group, global->type.type, argv[1], &value))
        return JS_EXCEPTION;
    global->value[0] = value;
    return JS_TRUE;
}

/* isMutable(global) */
static JSValue is_mutable(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_global* global = wasm_thing_get(ctx, argv[0], WASM_GLOBAL);
    return global == NULL ? JS_EXCEPTION : JS_NewBool(ctx, global->type.is_mutable);
}

void wasm_add_objects(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("newMemory", 4, new_memory),     JS_CFUNC_DEF("buffer", 1, memory_buffer),
        JS_CFUNC_DEF("growMemory", 2, grow_memory),   JS_CFUNC_DEF("newTable", 5, new_table),
        JS_CFUNC_DEF("tableLength", 1, table_length), JS_CFUNC_DEF("tableGet", 2, table_get),
        JS_CFUNC_DEF("tableSet", 3, table_set),       JS_CFUNC_DEF("tableGrow", 3, table_grow),
        JS_CFUNC_DEF("tableType", 1, table_type),     JS_CFUNC_DEF("newGlobal", 4, new_global),
        JS_CFUNC_DEF("globalGet", 1, global_get),     JS_CFUNC_DEF("globalSet", 2, global_set),
        JS_CFUNC_DEF("isMutable", 1, is_mutable),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
