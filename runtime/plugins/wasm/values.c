/* Values that pass between JavaScript and WebAssembly. */
#include <stdlib.h>
#include <string.h>

#include "plugins/wasm/host.h"

static bool take_function(wasm_world* world, wasm_group* group, JSValueConst value,
                          uint64_t* slots) {
    slots[0] = 0;
    if (JS_IsNull(value))
        return true;
    wasm_handle* handle = wasm_handle_get(world, value, WASM_FUNCTION);
    if (handle == NULL) {
        JS_ThrowTypeError(world->ctx, "type incompatibility when transforming from/to JS");
        return false;
    }
    if (!wasm_join(world, handle->thing->group, group))
        return false;
    slots[0] = (uint64_t)(uintptr_t)handle->thing;
    return true;
}

bool wasm_from_js(wasm_world* world, wasm_group* group, wasm_type type, JSValueConst value,
                  uint64_t* slots) {
    JSContext* ctx = world->ctx;
    int32_t i32;
    int64_t i64;
    double number;
    float narrow;
    switch (type) {
    case WASM_I32:
        if (JS_ToInt32(ctx, &i32, value) < 0)
            return false;
        slots[0] = (uint32_t)i32;
        return true;
    case WASM_I64:
        if (JS_ToBigInt64(ctx, &i64, value) < 0)
            return false;
        slots[0] = (uint64_t)i64;
        return true;
    case WASM_F32:
    case WASM_F64:
        if (JS_ToFloat64(ctx, &number, value) < 0)
            return false;
        narrow = (float)number;
        slots[0] = 0;
        memcpy(slots, type == WASM_F32 ? (void*)&narrow : (void*)&number,
               type == WASM_F32 ? sizeof(narrow) : sizeof(number));
        return true;
    case WASM_FUNCREF:
        return take_function(world, group, value, slots);
    case WASM_EXTERNREF:
        slots[0] = 0;
        if (JS_IsNull(value))
            return true;
        slots[0] = (uint64_t)(uintptr_t)wasm_cell_new(world, group, value);
        return slots[0] != 0;
    default:
        JS_ThrowTypeError(ctx, "type incompatibility when transforming from/to JS");
        return false;
    }
}

JSValue wasm_to_js(wasm_world* world, wasm_type type, const uint64_t* slots) {
    JSContext* ctx = world->ctx;
    float narrow;
    double number;
    wasm_cell* cell = (wasm_cell*)(uintptr_t)slots[0];
    switch (type) {
    case WASM_I32:
        return JS_NewInt32(ctx, (int32_t)slots[0]);
    case WASM_I64:
        return JS_NewBigInt64(ctx, (int64_t)slots[0]);
    case WASM_F32:
        memcpy(&narrow, slots, sizeof(narrow));
        return JS_NewFloat64(ctx, narrow);
    case WASM_F64:
        memcpy(&number, slots, sizeof(number));
        return JS_NewFloat64(ctx, number);
    case WASM_EXTERNREF:
        return cell == NULL ? JS_NULL : JS_DupValue(ctx, cell->value);
    case WASM_FUNCREF:
        return cell == NULL ? JS_NULL
                            : wasm_handle_of(world, (wasm_thing*)(uintptr_t)slots[0], JS_UNDEFINED);
    default:
        return JS_ThrowTypeError(ctx, "type incompatibility when transforming from/to JS");
    }
}

wasm_type wasm_type_given(JSContext* ctx, JSValueConst name) {
    static const struct {
        const char* name;
        wasm_type type;
    } types[] = {{"i32", WASM_I32},         {"i64", WASM_I64},        {"f32", WASM_F32},
                 {"f64", WASM_F64},         {"v128", WASM_V128},      {"externref", WASM_EXTERNREF},
                 {"anyfunc", WASM_FUNCREF}, {"funcref", WASM_FUNCREF}};
    const char* text = JS_ToCString(ctx, name);
    wasm_type type = WASM_ANY;
    for (size_t i = 0; text != NULL && i < PH_COUNT(types); i++)
        if (strcmp(types[i].name, text) == 0)
            type = types[i].type;
    if (text == NULL)
        JS_FreeValue(ctx, JS_GetException(ctx));
    JS_FreeCString(ctx, text);
    return type;
}
