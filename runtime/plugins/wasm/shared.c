/* Memories that threads share. Their bytes are those of a SharedArrayBuffer that no program sees,
 * as large as the memory may get; behind them is their size. Programs see others made of the same
 * bytes, as long as the memory was. */
#include "bindings/bytes.h"
#include "plugins/wasm/host.h"

static wasm_memory* open_shared(wasm_world* world, wasm_group* group, wasm_limits limits,
                                JSValueConst hidden) {
    uint8_t* bytes;
    size_t length;
    if (ph_bytes(world->ctx, hidden, &bytes, &length) != 0)
        return NULL;
    if (length != (size_t)limits.most * WASM_PAGE + sizeof(uint64_t)) {
        JS_ThrowTypeError(world->ctx, "the bytes are not those of a memory");
        return NULL;
    }
    wasm_cell* cell = wasm_cell_new(world, group, hidden);
    wasm_memory* memory = cell == NULL ? NULL : wasm_memory_shared(group, limits, bytes);
    if (memory == NULL)
        return NULL;
    cell->is_function = true; /* it stays as long as its group */
    memory->shared = cell;
    return memory;
}

wasm_memory* wasm_share(wasm_store* store, wasm_group* group, wasm_limits limits) {
    wasm_world* world = (wasm_world*)store;
    JSContext* ctx = world->ctx;
    JSValue size = JS_NewInt64(ctx, (int64_t)limits.most * WASM_PAGE + (int64_t)sizeof(uint64_t));
    JSValue hidden = JS_Call(ctx, world->given[WASM_GIVEN_SHARE], JS_UNDEFINED, 1, &size);
    if (JS_IsException(hidden))
        return NULL;
    wasm_memory* memory = open_shared(world, group, limits, hidden);
    JS_FreeValue(ctx, hidden);
    if (memory != NULL)
        __atomic_store_n(memory->size, (uint64_t)limits.least * WASM_PAGE, __ATOMIC_RELEASE);
    return memory;
}

/* The engine counts it among those that hold the bytes. */
JSValue wasm_shared_buffer(JSContext* ctx, wasm_memory* memory) {
    JSValue buffer =
        JS_NewArrayBuffer(ctx, memory->bytes, wasm_memory_size(memory), 0, NULL, NULL, true);
    if (!JS_IsException(buffer))
        JS_FreezeObject(ctx, buffer);
    return buffer;
}

/* sharedParts(memory): what another thread needs to open it */
static JSValue shared_parts(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_memory* memory = wasm_thing_get(ctx, argv[0], WASM_MEMORY);
    if (memory == NULL)
        return JS_EXCEPTION;
    if (!memory->limits.is_shared)
        return JS_UNDEFINED;
    JSValue parts = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, parts, 0, JS_DupValue(ctx, ((wasm_cell*)memory->shared)->value));
    JS_SetPropertyUint32(ctx, parts, 1, JS_NewUint32(ctx, memory->limits.least));
    JS_SetPropertyUint32(ctx, parts, 2, JS_NewUint32(ctx, memory->limits.most));
    return parts;
}

/* openShared(bytes, initial, maximum): the memory of another thread */
static JSValue open_given(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_world* world = wasm_world_of(ctx);
    wasm_limits limits = {.least = (uint32_t)ph_number(ctx, argv[1], 0),
                          .most = (uint32_t)ph_number(ctx, argv[2], 0),
                          .has_most = true,
                          .is_shared = true};
    JSValue anchor;
    wasm_group* group = wasm_anchor_new(world, &anchor);
    if (group == NULL)
        return JS_EXCEPTION;
    wasm_memory* memory =
        limits.most > WASM_MOST_PAGES ? NULL : open_shared(world, group, limits, argv[0]);
    JSValue value = memory != NULL         ? wasm_handle_of(world, &memory->thing, JS_UNDEFINED)
                    : JS_HasException(ctx) ? JS_EXCEPTION
                                           : JS_ThrowOutOfMemory(ctx);
    JS_FreeValue(ctx, anchor);
    return value;
}

static int64_t ask(wasm_world* world, wasm_given which, wasm_memory* memory, uint64_t at,
                   JSValue* more_owned, int count) {
    JSContext* ctx = world->ctx;
    JSValue arguments[5] = {JS_DupValue(ctx, ((wasm_cell*)memory->shared)->value),
                            JS_NewInt64(ctx, (int64_t)at)};
    for (int i = 0; i < count; i++)
        arguments[2 + i] = more_owned[i];
    JSValue result = JS_Call(ctx, world->given[which], JS_UNDEFINED, 2 + count, arguments);
    for (int i = 0; i < 2 + count; i++)
        JS_FreeValue(ctx, arguments[i]);
    if (JS_IsException(result))
        return -1;
    int64_t number = ph_int(ctx, result, 0);
    JS_FreeValue(ctx, result);
    return number;
}

int64_t wasm_wait(wasm_store* store, wasm_memory* memory, uint64_t at, bool is_wide,
                  uint64_t expected, int64_t timeout) {
    wasm_world* world = (wasm_world*)store;
    JSContext* ctx = world->ctx;
    JSValue more[] = {JS_NewBool(ctx, is_wide),
                      is_wide ? JS_NewBigInt64(ctx, (int64_t)expected)
                              : JS_NewInt32(ctx, (int32_t)expected),
                      JS_NewFloat64(ctx, (double)timeout)};
    return ask(world, WASM_GIVEN_WAIT, memory, at, more, 3);
}

int64_t wasm_notify(wasm_store* store, wasm_memory* memory, uint64_t at, uint32_t count) {
    wasm_world* world = (wasm_world*)store;
    JSValue more[] = {JS_NewUint32(world->ctx, count)};
    return ask(world, WASM_GIVEN_NOTIFY, memory, at, more, 1);
}

void wasm_add_shared(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("sharedParts", 1, shared_parts),
        JS_CFUNC_DEF("openShared", 3, open_given),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
