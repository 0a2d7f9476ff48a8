/* Contexts whose global object answers itself: what is asked of it goes to functions of JavaScript
 * (runtime/js/internal/vm/contexts.js), which look into the sandbox. */
#include <stdlib.h>

#include "bindings/contexts.h"
#include "bindings/world.h"
#include "engine/interrupts.h"
#include "engine/patched.h"

enum { GET_OWN, KEYS, DELETE, DEFINE, HAS, GET, SET, ANSWERS };

/* What a global object holds: the functions that answer for it. */
typedef struct {
    JSValue answers[ANSWERS];
} guarded;

static guarded* content(JSValueConst object) {
    JSClassID kind;
    return JS_GetAnyOpaque(object, &kind);
}

static void finalize(JSRuntime* rt, JSValueConst object) {
    guarded* self = content(object);
    if (self == NULL)
        return;
    for (int i = 0; i < ANSWERS; i++)
        JS_FreeValueRT(rt, self->answers[i]);
    free(self);
}

static void mark(JSRuntime* rt, JSValueConst object, JS_MarkFunc* mark_func) {
    guarded* self = content(object);
    for (int i = 0; self != NULL && i < ANSWERS; i++)
        JS_MarkValue(rt, self->answers[i], mark_func);
}

static JSValue ask(JSContext* ctx, JSValueConst object, int what, int argc, JSValueConst* argv) {
    JSValue function = JS_DupValue(ctx, content(object)->answers[what]);
    JSValue result = JS_Call(ctx, function, JS_UNDEFINED, argc, argv);
    JS_FreeValue(ctx, function);
    return result;
}

/* For those that ask about one name; -1 on an exception. */
static int ask_flag(JSContext* ctx, JSValueConst object, int what, JSAtom name) {
    JSValue key = JS_AtomToValue(ctx, name);
    JSValue answer = ask(ctx, object, what, 1, &key);
    JS_FreeValue(ctx, key);
    if (JS_IsException(answer))
        return -1;
    int flag = JS_ToBool(ctx, answer);
    JS_FreeValue(ctx, answer);
    return flag;
}

static bool take_flag(JSContext* ctx, JSValueConst record, const char* name) {
    JSValue value = JS_GetPropertyStr(ctx, record, name);
    bool is_set = JS_ToBool(ctx, value) == 1;
    JS_FreeValue(ctx, value);
    return is_set;
}

static int get_own(JSContext* ctx, JSPropertyDescriptor* out, JSValueConst object, JSAtom name) {
    JSValue key = JS_AtomToValue(ctx, name);
    JSValue record = ask(ctx, object, GET_OWN, 1, &key);
    JS_FreeValue(ctx, key);
    if (JS_IsException(record))
        return -1;
    if (!JS_IsObject(record)) {
        JS_FreeValue(ctx, record);
        return 0;
    }
    if (out != NULL) {
        out->getter = JS_GetPropertyStr(ctx, record, "get");
        out->setter = JS_GetPropertyStr(ctx, record, "set");
        out->value = JS_GetPropertyStr(ctx, record, "value");
        bool is_pair = !JS_IsUndefined(out->getter) || !JS_IsUndefined(out->setter);
        out->flags = (take_flag(ctx, record, "configurable") ? JS_PROP_CONFIGURABLE : 0) |
                     (take_flag(ctx, record, "enumerable") ? JS_PROP_ENUMERABLE : 0) |
                     (take_flag(ctx, record, "writable") ? JS_PROP_WRITABLE : 0) |
                     (is_pair ? JS_PROP_GETSET : 0);
    }
    JS_FreeValue(ctx, record);
    return 1;
}

static int get_names(JSContext* ctx, JSPropertyEnum** names, uint32_t* count, JSValueConst object) {
    JSValue list = ask(ctx, object, KEYS, 0, NULL);
    int64_t length = 0;
    if (JS_IsException(list) || JS_GetLength(ctx, list, &length) < 0)
        return -1;
    JSPropertyEnum* table = js_mallocz(ctx, sizeof(*table) * (size_t)(length + 1));
    int64_t i = 0;
    for (; table != NULL && i < length; i++) {
        JSValue key = JS_GetPropertyInt64(ctx, list, i);
        table[i].atom = JS_ValueToAtom(ctx, key);
        JS_FreeValue(ctx, key);
        if (table[i].atom == JS_ATOM_NULL)
            break;
    }
    JS_FreeValue(ctx, list);
    if (table != NULL && i == length) {
        *names = table;
        *count = (uint32_t)length;
        return 0;
    }
    while (table != NULL && i-- > 0)
        JS_FreeAtom(ctx, table[i].atom);
    js_free(ctx, table);
    return -1;
}

static int delete_name(JSContext* ctx, JSValueConst object, JSAtom name) {
    return ask_flag(ctx, object, DELETE, name);
}

static int has_name(JSContext* ctx, JSValueConst object, JSAtom name) {
    return ask_flag(ctx, object, HAS, name);
}

/* What "not done" means to the caller: an error if he wants one. */
static int refused(JSContext* ctx, int flags, const char* words, JSAtom name, const char* more) {
    bool throws = flags & JS_PROP_THROW;
    if ((flags & JS_PROP_THROW_STRICT) && js_is_strict(ctx))
        throws = true;
    if (!throws)
        return 0;
    const char* text = JS_AtomToCString(ctx, name);
    JS_ThrowTypeError(ctx, "%s%s%s", words, text == NULL ? "" : text, more);
    JS_FreeCString(ctx, text);
    return -1;
}

static int define(JSContext* ctx, JSValueConst object, JSAtom name, JSValueConst value,
                  JSValueConst getter, JSValueConst setter, int flags) {
    JSValue key = JS_AtomToValue(ctx, name);
    JSValue record = JS_NewObjectProto(ctx, JS_NULL);
    if (flags & JS_PROP_HAS_VALUE)
        ph_set(ctx, record, "value", JS_DupValue(ctx, value));
    if (flags & JS_PROP_HAS_GET)
        ph_set(ctx, record, "get", JS_DupValue(ctx, getter));
    if (flags & JS_PROP_HAS_SET)
        ph_set(ctx, record, "set", JS_DupValue(ctx, setter));
    if (flags & JS_PROP_HAS_WRITABLE)
        ph_set(ctx, record, "writable", JS_NewBool(ctx, (flags & JS_PROP_WRITABLE) != 0));
    if (flags & JS_PROP_HAS_ENUMERABLE)
        ph_set(ctx, record, "enumerable", JS_NewBool(ctx, (flags & JS_PROP_ENUMERABLE) != 0));
    if (flags & JS_PROP_HAS_CONFIGURABLE)
        ph_set(ctx, record, "configurable", JS_NewBool(ctx, (flags & JS_PROP_CONFIGURABLE) != 0));
    JSValueConst args[] = {key, record};
    JSValue answer = ask(ctx, object, DEFINE, 2, args);
    JS_FreeValue(ctx, key);
    JS_FreeValue(ctx, record);
    if (JS_IsException(answer))
        return -1;
    int done = JS_ToBool(ctx, answer);
    JS_FreeValue(ctx, answer);
    return done != 0 ? done : refused(ctx, flags, "Cannot redefine property: ", name, "");
}

static JSValue get(JSContext* ctx, JSValueConst object, JSAtom name, JSValueConst receiver) {
    (void)receiver;
    JSValue key = JS_AtomToValue(ctx, name);
    JSValue answer = ask(ctx, object, GET, 1, &key);
    JS_FreeValue(ctx, key);
    return answer;
}

static int set(JSContext* ctx, JSValueConst object, JSAtom name, JSValueConst value,
               JSValueConst receiver, int flags) {
    JSValue key = JS_AtomToValue(ctx, name);
    JSValueConst args[] = {key, value, receiver};
    JSValue answer = ask(ctx, object, SET, 3, args);
    JS_FreeValue(ctx, key);
    if (JS_IsException(answer))
        return -1;
    int done = JS_ToBool(ctx, answer);
    bool is_of_sandbox = JS_IsNull(answer);
    JS_FreeValue(ctx, answer);
    if (done != 0)
        return done;
    if (is_of_sandbox)
        return refused(ctx, flags, "Cannot redefine property: ", name, "");
    return refused(ctx, flags, "Cannot assign to read only property '", name,
                   "' of object '[object Object]'");
}

static int add_class(ph_env* env) {
    static JSClassExoticMethods methods = {.get_own_property = get_own,
                                           .get_own_property_names = get_names,
                                           .delete_property = delete_name,
                                           .define_own_property = define,
                                           .has_property = has_name,
                                           .get_property = get,
                                           .set_property = set};
    static const JSClassDef definition = {"Object", .finalizer = finalize, .gc_mark = mark,
                                          .exotic = &methods};
    if (ph_world_of(env)->guarded_class != 0)
        return 0;
    JS_NewClassID(env->rt, &ph_world_of(env)->guarded_class);
    return JS_NewClass(env->rt, ph_world_of(env)->guarded_class, &definition);
}

JSValue ph_guard_context(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    if (js_set_global == NULL || !JS_IsFunction(ctx, argv[0]))
        return JS_UNDEFINED;
    JSContext* own = js_context_of(ctx, argv[0]);
    if (own == NULL || own == env->ctx || add_class(env) != 0)
        return JS_ThrowTypeError(ctx, "no context of vm");
    JSValue prototype = JS_GetClassProto(own, 1); /* of Object */
    JSValue global = JS_NewObjectProtoClass(own, prototype, ph_world_of(env)->guarded_class);
    JS_FreeValue(ctx, prototype);
    guarded* content = JS_IsException(global) ? NULL : malloc(sizeof(*content));
    if (content == NULL) {
        JS_FreeValue(ctx, global);
        return JS_ThrowOutOfMemory(ctx);
    }
    for (uint32_t i = 0; i < ANSWERS; i++)
        content->answers[i] = JS_GetPropertyUint32(ctx, argv[1], i);
    JS_SetOpaque(global, content);
    js_set_global(own, JS_DupValue(ctx, global));
    return global;
}
