/* The simulated world (phasor sim), and a board on which its hosts publish what a test looks at. */
#include <phasor.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/handle.h"
#include "engine/gate.h"

static JSValue number(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    (void)argv;
    switch (magic) {
    case 0:
        return JS_NewBool(ctx, phasor_sim_active());
    case 1:
        return JS_NewFloat64(ctx, (double)phasor_sim_seed());
    default:
        return JS_NewFloat64(ctx, (double)phasor_sim_now());
    }
}

static JSValue draw(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    double limit;
    if (JS_ToFloat64(ctx, &limit, argv[0]) != 0)
        return JS_EXCEPTION;
    if (!(limit >= 1 && limit <= 0x1p53))
        return JS_ThrowRangeError(ctx, "the limit must be a number from 1 to 2 ** 53");
    return JS_NewFloat64(ctx, (double)phasor_sim_random((unsigned long long)limit));
}

/* host(name): its number or a negative error */
static JSValue host(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    int result = phasor_sim_host(name);
    JS_FreeCString(ctx, name);
    return JS_NewInt32(ctx, result);
}

static JSValue address(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    char text[16];
    int result = phasor_sim_address(ph_int(ctx, argv[0], -1), text);
    return result == 0 ? JS_NewString(ctx, text) : JS_NewInt32(ctx, result);
}

/* ask(what, name, one, two): see phasor_sim_ask */
static JSValue ask(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    const char* what = JS_ToCString(ctx, argv[0]);
    const char* name = what != NULL ? JS_ToCString(ctx, argv[1]) : NULL;
    int one = argc > 2 ? ph_int(ctx, argv[2], 0) : 0;
    int two = argc > 3 ? ph_int(ctx, argv[3], 0) : 0;
    int result = name != NULL ? PHASOR_SIM_ASK(what, name, one, two) : 0;
    JS_FreeCString(ctx, what);
    JS_FreeCString(ctx, name);
    return name == NULL ? JS_EXCEPTION : JS_NewInt32(ctx, result);
}

enum { ENTER, CRASH, RESTART, CUT, HEAL };

static JSValue happen(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    int one = ph_int(ctx, argv[0], -1);
    int other = argc > 1 ? ph_int(ctx, argv[1], -1) : -1;
    int (*const alone[])(int) = {phasor_sim_enter, phasor_sim_crash, phasor_sim_restart};
    int result = magic == CUT    ? phasor_sim_cut(one, other)
                 : magic == HEAL ? phasor_sim_heal(one, other)
                                 : alone[magic](one);
    return JS_NewInt32(ctx, result);
}

/* link(one, other, latency, jitter, bandwidth, loss, duplicate, reorder), times in ns */
static JSValue set_link(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    double values[6];
    for (int i = 0; i < 6; i++)
        if (JS_ToFloat64(ctx, &values[i], i + 2 < argc ? argv[i + 2] : JS_UNDEFINED) != 0)
            return JS_EXCEPTION;
    for (int i = 0; i < 3; i++)
        if (!(values[i] >= 0 && values[i] < 0x1p62))
            return JS_NewInt32(ctx, UV_EINVAL);
    struct phasor_sim_link link = {.latency_ns = (unsigned long long)values[0],
                                   .jitter_ns = (unsigned long long)values[1],
                                   .bandwidth = (unsigned long long)values[2],
                                   .loss = values[3],
                                   .duplicate = values[4],
                                   .reorder = values[5]};
    return JS_NewInt32(ctx,
                       phasor_sim_link(ph_int(ctx, argv[0], -1), ph_int(ctx, argv[1], -1), &link));
}

static JSValue fail(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* why = JS_ToCString(ctx, argv[0]);
    if (why == NULL)
        return JS_EXCEPTION;
    int result = phasor_sim_fail(why);
    JS_FreeCString(ctx, why);
    return JS_NewInt32(ctx, result);
}

static void on_step(void* data) {
    uv_async_send(&((ph_handle*)data)->uv.async);
}

static void on_observed(uv_async_t* async) {
    ph_handle* handle = async->data;
    JSValue self = JS_DupValue(handle->env->ctx, handle->self);
    ph_handle_emit(handle->env, self, "onstep", 0, NULL);
    JS_FreeValue(handle->env->ctx, self);
}

/* observe(): a handle whose onstep is called after every step of the others */
static JSValue observe(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    if (JS_IsException(object))
        return object;
    uv_async_init(handle->env->loop, &handle->uv.async, on_observed);
    ph_handle_opened(handle, object);
    uv_unref(&handle->uv.handle);
    phasor_sim_observe(on_step, handle);
    return object;
}

/* unobserve(): before the handle is closed */
static JSValue unobserve(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewInt32(ctx, phasor_sim_observe(NULL, NULL));
}

/* The board: texts by name, for all threads. */
typedef struct note {
    struct note* next;
    char* name;
    char* text;
} note;

static note* notes;
static uv_mutex_t notes_lock;
static uv_once_t once = UV_ONCE_INIT;

static void make_lock(void) {
    if (uv_mutex_init(&notes_lock) != 0)
        abort();
}

static note* find_note(const char* name) {
    note* found = notes;
    while (found != NULL && strcmp(found->name, name) != 0)
        found = found->next;
    return found;
}

/* publish(name, text) */
static JSValue publish(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    const char* text = name != NULL ? JS_ToCString(ctx, argv[1]) : NULL;
    char* copy = text != NULL ? strdup(text) : NULL;
    bool done = false;
    uv_once(&once, make_lock);
    uv_mutex_lock(&notes_lock);
    note* found = copy != NULL ? find_note(name) : NULL;
    if (found == NULL && copy != NULL && (found = calloc(1, sizeof(*found))) != NULL) {
        found->name = strdup(name);
        if (found->name == NULL) {
            free(found);
            found = NULL;
        } else {
            found->next = notes;
            notes = found;
        }
    }
    if (found != NULL) {
        free(found->text);
        found->text = copy;
        done = true;
    }
    uv_mutex_unlock(&notes_lock);
    JS_FreeCString(ctx, name);
    JS_FreeCString(ctx, text);
    if (!done)
        free(copy);
    return text == NULL ? JS_EXCEPTION : done ? JS_UNDEFINED : JS_ThrowOutOfMemory(ctx);
}

/* published(name): the text or undefined */
static JSValue published(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    uv_once(&once, make_lock);
    uv_mutex_lock(&notes_lock);
    note* found = find_note(name);
    JSValue text = found != NULL ? JS_NewString(ctx, found->text) : JS_UNDEFINED;
    uv_mutex_unlock(&notes_lock);
    JS_FreeCString(ctx, name);
    return text;
}

JSValue ph_sim_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("active", 0, number, 0),
        JS_CFUNC_MAGIC_DEF("seed", 0, number, 1),
        JS_CFUNC_MAGIC_DEF("now", 0, number, 2),
        JS_CFUNC_DEF("random", 1, draw),
        JS_CFUNC_DEF("host", 1, host),
        JS_CFUNC_DEF("address", 1, address),
        JS_CFUNC_MAGIC_DEF("enter", 1, happen, ENTER),
        JS_CFUNC_MAGIC_DEF("crash", 1, happen, CRASH),
        JS_CFUNC_MAGIC_DEF("restart", 1, happen, RESTART),
        JS_CFUNC_MAGIC_DEF("cut", 2, happen, CUT),
        JS_CFUNC_MAGIC_DEF("heal", 2, happen, HEAL),
        JS_CFUNC_DEF("link", 8, set_link),
        JS_CFUNC_DEF("ask", 4, ask),
        JS_CFUNC_DEF("fail", 1, fail),
        JS_CFUNC_DEF("observe", 0, observe),
        JS_CFUNC_DEF("unobserve", 0, unobserve),
        JS_CFUNC_DEF("publish", 2, publish),
        JS_CFUNC_DEF("published", 1, published),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_handle_export(ctx, binding);
    return binding;
}
