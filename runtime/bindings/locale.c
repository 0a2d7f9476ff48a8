/* toLocaleString and its kin, which the language leaves to Intl: put in the place of the engine's,
 * they load what does the work when one of them is first called (internal/intl/methods). */
#include <string.h>

#include "bindings/bindings.h"
#include "engine/engine.h"

static const struct {
    const char* owner; /* of the global object; "TypedArray" is what typed arrays inherit from */
    const char* name;
    const char* work; /* of internal/intl/methods */
    int length;
} replaced[] = {
    {"Number", "toLocaleString", "number", 0},   {"BigInt", "toLocaleString", "bigint", 0},
    {"Array", "toLocaleString", "list", 0},      {"TypedArray", "toLocaleString", "bytes", 0},
    {"Date", "toString", "dateText", 0},         {"Date", "toTimeString", "dateText", 0},
    {"Date", "toLocaleString", "date", 0},       {"Date", "toLocaleDateString", "day", 0},
    {"Date", "toLocaleTimeString", "time", 0},   {"String", "localeCompare", "compare", 1},
    {"String", "toLocaleUpperCase", "upper", 0}, {"String", "toLocaleLowerCase", "lower", 0},
};

enum { LOADER, ENGINES_OWN, DATA, MOST_ARGUMENTS = 8 };

/* work(this, the engine's own function, ...arguments) */
static JSValue call(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic,
                    JSValueConst* data) {
    JSValue methods = JS_Call(ctx, data[LOADER], JS_UNDEFINED, 0, NULL);
    if (JS_IsException(methods)) {
        /* A date's text ends with the name of the zone only where ICU is there to tell it. */
        if (strcmp(replaced[magic].work, "dateText") != 0)
            return methods;
        JS_FreeValue(ctx, JS_GetException(ctx));
        return JS_Call(ctx, data[ENGINES_OWN], self, 0, NULL);
    }
    JSValue work = JS_GetPropertyStr(ctx, methods, replaced[magic].work);
    JS_FreeValue(ctx, methods);
    if (JS_IsException(work))
        return work;
    JSValueConst arguments[MOST_ARGUMENTS + 2] = {self, data[ENGINES_OWN]};
    int count = argc < MOST_ARGUMENTS ? argc : MOST_ARGUMENTS;
    for (int i = 0; i < count; i++)
        arguments[i + 2] = argv[i];
    JSValue result = JS_Call(ctx, work, JS_UNDEFINED, count + 2, arguments);
    JS_FreeValue(ctx, work);
    return result;
}

static JSValue prototype_of(JSContext* ctx, JSValueConst global, const char* owner) {
    bool typed = owner[0] == 'T';
    JSValue constructor = JS_GetPropertyStr(ctx, global, typed ? "Uint8Array" : owner);
    if (typed) {
        JSValue above = JS_GetPrototype(ctx, constructor);
        JS_FreeValue(ctx, constructor);
        constructor = above;
    }
    JSValue prototype = JS_GetPropertyStr(ctx, constructor, "prototype");
    JS_FreeValue(ctx, constructor);
    return prototype;
}

/* install(load): load() gives internal/intl/methods. */
static JSValue install(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JSValue global = JS_GetGlobalObject(ctx);
    for (size_t i = 0; i < PH_COUNT(replaced); i++) {
        JSValue prototype = prototype_of(ctx, global, replaced[i].owner);
        JSValue own = JS_GetPropertyStr(ctx, prototype, replaced[i].name);
        JSValueConst data[DATA] = {argv[0], own};
        JSValue function = JS_NewCFunctionData(ctx, call, replaced[i].length, (int)i, DATA, data);
        JS_DefinePropertyValueStr(ctx, function, "name", JS_NewString(ctx, replaced[i].name),
                                  JS_PROP_CONFIGURABLE);
        JS_DefinePropertyValueStr(ctx, prototype, replaced[i].name, function,
                                  JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
        JS_FreeValue(ctx, own);
        JS_FreeValue(ctx, prototype);
    }
    JS_FreeValue(ctx, global);
    return JS_UNDEFINED;
}

JSValue ph_locale_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("install", 1, install),
    };
    return PH_EXPORT(ctx, functions);
}
