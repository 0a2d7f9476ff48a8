/* Calls between JavaScript and WebAssembly, both ways. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/wasm/host.h"

enum { FEW_SLOTS = 16, LONGEST_NAME = 100, LONGEST_PLACE = 300, LONGEST_FRAME = 480 };

/* Modules have no file: V8 shows a hash of their bytes. */
static uint32_t hash_of(const wasm_module* module) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < module->length; i++)
        hash = (hash ^ module->bytes[i]) * 16777619u;
    return hash;
}

static void write_place(const wasm_module* module, char place[LONGEST_PLACE]) {
    if (module->url != NULL)
        snprintf(place, LONGEST_PLACE, "%s", module->url);
    else
        snprintf(place, LONGEST_PLACE, "wasm://wasm/%08x", (unsigned)hash_of(module));
}

static JSValue frames_text(wasm_world* world) {
    const wasm_store* store = &world->store;
    char* text = malloc(store->spot_count * (size_t)LONGEST_FRAME + 1);
    if (text == NULL)
        return JS_NewString(world->ctx, "");
    size_t used = 0;
    const wasm_module* placed = NULL;
    char place[LONGEST_PLACE];
    for (uint32_t i = 0; i < store->spot_count; i++) {
        const wasm_spot* spot = &store->spots[i];
        const wasm_module* module = spot->function->instance->module;
        if (module != placed)
            write_place(module, place);
        placed = module;
        wasm_name name = wasm_function_name(module, spot->function->index);
        int length = name.length > LONGEST_NAME ? 0 : (int)name.length;
        used += (size_t)snprintf(
            text + used, LONGEST_FRAME, "\n    at %.*s%s%s:wasm-function[%u]:0x%x%s", length,
            (const char*)name.bytes, length > 0 ? " (" : "", place, (unsigned)spot->function->index,
            (unsigned)spot->byte, length > 0 ? ")" : "");
    }
    JSValue value = JS_NewStringLen(world->ctx, text, used);
    free(text);
    return value;
}

static JSValue throw_trap(wasm_world* world, wasm_outcome outcome) {
    JSContext* ctx = world->ctx;
    JSValue arguments[] = {JS_NewString(ctx, wasm_outcome_text(outcome)), frames_text(world)};
    JSValue error = JS_Call(ctx, world->given[WASM_GIVEN_TRAP], JS_UNDEFINED, 2, arguments);
    JS_FreeValue(ctx, arguments[0]);
    JS_FreeValue(ctx, arguments[1]);
    return JS_IsException(error) ? error : JS_Throw(ctx, error);
}

JSValue wasm_throw(wasm_world* world, wasm_outcome outcome) {
    JSContext* ctx = world->ctx;
    JSValue error;
    switch (outcome) {
    case WASM_HOST_THREW:
        return JS_EXCEPTION;
    case WASM_NO_ROOM:
        return JS_ThrowRangeError(ctx, "Maximum call stack size exceeded");
    case WASM_NO_MEMORY:
        return JS_ThrowOutOfMemory(ctx);
    case WASM_STOPPED:
        JS_ThrowInternalError(ctx, "interrupted");
        error = JS_GetException(ctx);
        JS_SetUncatchableError(ctx, error);
        return JS_Throw(ctx, error);
    default:
        return throw_trap(world, outcome);
    }
}

static JSValue give_results(wasm_world* world, const wasm_signature* signature,
                            const uint64_t* slots) {
    const wasm_type* types = signature->types + signature->param_count;
    if (signature->result_count == 0)
        return JS_UNDEFINED;
    if (signature->result_count == 1)
        return wasm_to_js(world, types[0], slots);
    JSValue list = JS_NewArray(world->ctx);
    for (uint32_t i = 0; i < signature->result_count && !JS_IsException(list); i++) {
        JSValue value = wasm_to_js(world, types[i], slots);
        slots += wasm_slots(types[i]);
        if (JS_IsException(value) ||
            JS_DefinePropertyValueUint32(world->ctx, list, i, value, JS_PROP_C_W_E) < 0) {
            JS_FreeValue(world->ctx, list);
            return JS_EXCEPTION;
        }
    }
    return list;
}

static bool has_vectors(const wasm_signature* signature) {
    return signature->param_slots + signature->result_slots >
           signature->param_count + signature->result_count;
}

static JSValue call_with(wasm_world* world, wasm_function* function, int argc, JSValueConst* argv,
                         uint64_t* slots) {
    const wasm_signature* signature = function->signature;
    bool is_right = true;
    world->converting++;
    for (uint32_t i = 0; i < signature->param_count && is_right; i++)
        is_right = wasm_from_js(world, function->thing.group, signature->types[i],
                                i < (uint32_t)argc ? argv[i] : JS_UNDEFINED, slots + i);
    world->converting--;
    if (!is_right)
        return JS_EXCEPTION;
    wasm_outcome outcome = wasm_call(&world->store, function, slots);
    if (outcome != WASM_OK)
        return wasm_throw(world, outcome);
    return give_results(world, signature, slots);
}

JSValue wasm_call_exported(JSContext* ctx, JSValueConst value, JSValueConst self, int argc,
                           JSValueConst* argv, int flags) {
    (void)self;
    wasm_world* world = wasm_world_of(ctx);
    wasm_handle* handle = wasm_handle_get(world, value, WASM_FUNCTION);
    if (handle == NULL || (flags & JS_CALL_FLAG_CONSTRUCTOR) != 0)
        return JS_ThrowTypeError(ctx, "function is not a constructor");
    wasm_function* function = (wasm_function*)handle->thing;
    const wasm_signature* signature = function->signature;
    if (has_vectors(signature))
        return JS_ThrowTypeError(ctx, "type incompatibility when transforming from/to JS");
    wasm_collect_cells(world, function->thing.group);
    uint32_t count = signature->param_count > signature->result_count ? signature->param_count
                                                                      : signature->result_count;
    /* The group stays while its code runs, whatever the program lets go of. */
    JSValue anchor = JS_DupValue(ctx, handle->anchor);
    JSValue result;
    if (count <= FEW_SLOTS) {
        uint64_t slots[FEW_SLOTS];
        result = call_with(world, function, argc, argv, slots);
    } else {
        uint64_t* slots = malloc(count * sizeof(*slots));
        result = slots == NULL ? JS_ThrowOutOfMemory(ctx)
                               : call_with(world, function, argc, argv, slots);
        free(slots);
    }
    JS_FreeValue(ctx, anchor);
    return result;
}

static bool take_list(wasm_world* world, wasm_function* function, JSValueConst given,
                      uint64_t* slots) {
    JSContext* ctx = world->ctx;
    const wasm_signature* signature = function->signature;
    JSValue list = JS_Call(ctx, world->given[WASM_GIVEN_LIST], JS_UNDEFINED, 1, &given);
    int64_t length = -1;
    bool is_right = !JS_IsException(list) && JS_GetLength(ctx, list, &length) == 0;
    if (is_right && length != signature->result_count) {
        JS_ThrowTypeError(ctx, "multi-return length mismatch");
        is_right = false;
    }
    for (uint32_t i = 0; is_right && i < signature->result_count; i++) {
        JSValue value = JS_GetPropertyUint32(ctx, list, i);
        is_right = !JS_IsException(value) &&
                   wasm_from_js(world, function->thing.group,
                                signature->types[signature->param_count + i], value, slots + i);
        JS_FreeValue(ctx, value);
    }
    JS_FreeValue(ctx, list);
    return is_right;
}

static bool take_results(wasm_world* world, wasm_function* function, JSValueConst value,
                         uint64_t* slots) {
    const wasm_signature* signature = function->signature;
    if (signature->result_count == 0)
        return true;
    world->converting++;
    bool is_right = signature->result_count == 1
                        ? wasm_from_js(world, function->thing.group,
                                       signature->types[signature->param_count], value, slots)
                        : take_list(world, function, value, slots);
    world->converting--;
    return is_right;
}

wasm_outcome wasm_call_imported(wasm_store* store, wasm_function* function, uint64_t* slots) {
    wasm_world* world = (wasm_world*)store;
    JSContext* ctx = world->ctx;
    const wasm_signature* signature = function->signature;
    if (has_vectors(signature)) {
        JS_ThrowTypeError(ctx, "type incompatibility when transforming from/to JS");
        return WASM_HOST_THREW;
    }
    JSValue few[FEW_SLOTS];
    JSValue* arguments = few;
    if (signature->param_count > FEW_SLOTS)
        arguments = malloc(signature->param_count * sizeof(*arguments));
    if (arguments == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return WASM_HOST_THREW;
    }
    bool is_right = true;
    uint32_t made = 0;
    for (; made < signature->param_count && is_right; made++) {
        arguments[made] = wasm_to_js(world, signature->types[made], slots + made);
        is_right = !JS_IsException(arguments[made]);
    }
    if (is_right) {
        JSValueConst target = ((wasm_cell*)function->host)->value;
        JSValue result = JS_Call(ctx, target, JS_UNDEFINED, (int)made, arguments);
        is_right = !JS_IsException(result) && take_results(world, function, result, slots);
        JS_FreeValue(ctx, result);
    }
    while (made > 0)
        JS_FreeValue(ctx, arguments[--made]);
    if (arguments != few)
        free(arguments);
    return is_right ? WASM_OK : WASM_HOST_THREW;
}
