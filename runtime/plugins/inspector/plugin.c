#include "engine/plugins.h"

#include <stdlib.h>

#include "bindings/bytes.h"
#include "bindings/worker.h"
#include "engine/gate.h"
#include "inspector.h"

bool ph_inspector_tell(ph_inspector* in, JSContext* ctx, ph_handler handler, int argc,
                       JSValueConst* argv) {
    if (JS_IsUndefined(in->handlers[handler]))
        return true;
    JSValue function = JS_DupValue(ctx, in->handlers[handler]);
    in->busy++;
    JSValue result = JS_Call(ctx, function, JS_UNDEFINED, argc, argv);
    in->busy--;
    JS_FreeValue(ctx, function);
    if (JS_IsException(result) && !in->env->stopping) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return true;
    }
    JS_FreeValue(ctx, result);
    return !JS_IsException(result);
}

/* Something came while the loop was waiting or between two callbacks. */
static void on_knock(uv_async_t* async) {
    ph_env* env = async->loop->data;
    ph_inspector* in = ph_inspector_in(env);
    if (in == NULL || env->stopping || JS_IsUndefined(in->handlers[PH_ON_MAIL]))
        return;
    /* Not `busy`: what is evaluated may stop at breakpoints. */
    ph_gate_call(env, in->handlers[PH_ON_MAIL], JS_UNDEFINED, 0, NULL);
}

/* While a script runs. */
static void on_poll(ph_env* env) {
    ph_inspector* in = ph_inspector_in(env);
    if (in->profile != NULL)
        ph_profile_look(in);
    if (in->busy == 0 && !env->stopping && atomic_load(&in->box.is_waiting))
        ph_inspector_tell(in, env->ctx, PH_ON_MAIL, 0, NULL);
}

static void on_knock_closed(uv_handle_t* handle) {
    free(handle);
}

static void at_end(ph_ending* ending) {
    ph_inspector* in = (ph_inspector*)ending;
    ph_env* env = in->env;
    if (in->server != NULL)
        ph_server_stop(in->server);
    ph_threads_remove(in);
    ph_profile_free(in);
    ph_debug_free(in);
    for (int i = 0; i < PH_ON_COUNT; i++)
        JS_FreeValue(env->ctx, in->handlers[i]);
    uv_close((uv_handle_t*)in->knock, on_knock_closed);
    in->box.knock = NULL;
    ph_mailbox_close(&in->box);
    env->parts[PH_PART_INSPECTOR] = NULL;
    env->interrupts.on_poll = NULL;
    free(in);
}

static ph_inspector* make(ph_env* env) {
    ph_inspector* in = calloc(1, sizeof(*in));
    uv_async_t* knock = calloc(1, sizeof(*knock));
    if (in == NULL || knock == NULL || ph_mailbox_open(&in->box) != 0) {
        free(in);
        free(knock);
        return NULL;
    }
    if (uv_async_init(env->loop, knock, on_knock) != 0) {
        ph_mailbox_close(&in->box);
        free(in);
        free(knock);
        return NULL;
    }
    uv_unref((uv_handle_t*)knock);
    in->env = env;
    in->knock = in->box.knock = knock;
    in->thrown = JS_UNDEFINED;
    for (int i = 0; i < PH_ON_COUNT; i++)
        in->handlers[i] = JS_UNDEFINED;
    env->parts[PH_PART_INSPECTOR] = in;
    env->interrupts.on_poll = on_poll;
    in->ending.run = at_end;
    ph_ending_add(env, &in->ending);
    ph_threads_add(in);
    ph_debug_start(in);
    return in;
}

ph_inspector* ph_inspector_of(JSContext* ctx) {
    return ph_inspector_in(ph_env_of(ctx));
}

/* setHandlers(onMail, onPause, onScript) */
static JSValue set_handlers(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    for (int i = 0; i < PH_ON_COUNT; i++) {
        JS_FreeValue(ctx, in->handlers[i]);
        in->handlers[i] = JS_DupValue(ctx, argv[i]);
    }
    return JS_UNDEFINED;
}

/* start(host, port, id, list, version, isListed): the port, or an error's number */
static JSValue start(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    const char* texts[4];
    static const int places[] = {0, 2, 3, 4};
    bool has_all = true;
    if (in->server != NULL)
        return JS_ThrowPlainError(ctx, "the server runs already");
    for (int i = 0; i < 4; i++) {
        texts[i] = JS_ToCString(ctx, argv[places[i]]);
        has_all = has_all && texts[i] != NULL;
    }
    JSValue result = JS_EXCEPTION;
    if (has_all) {
        ph_server_settings settings = {texts[0], ph_int(ctx, argv[1], 0), texts[1], texts[2],
                                       texts[3], ph_flag(ctx, argv[5])};
        int status = ph_server_start(&settings, &in->box, &in->server);
        result = JS_NewInt32(ctx, status != 0 ? status : ph_server_port(in->server));
    }
    for (int i = 0; i < 4; i++)
        JS_FreeCString(ctx, texts[i]);
    return result;
}

/* stop(): what was sent before still goes out */
static JSValue stop(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc, (void)argv;
    ph_inspector* in = ph_inspector_of(ctx);
    if (in->server != NULL)
        ph_server_stop(in->server);
    in->server = NULL;
    return JS_UNDEFINED;
}

/* refuse(): nobody else may connect */
static JSValue refuse(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc, (void)argv;
    ph_inspector* in = ph_inspector_of(ctx);
    if (in->server != NULL)
        ph_server_refuse(in->server);
    return JS_UNDEFINED;
}

/* send(connection, text): an empty text ends the connection */
static JSValue send_text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    size_t length;
    const char* text = ph_text(ctx, argv[1], &length);
    if (text == NULL)
        return JS_EXCEPTION;
    if (in->server != NULL)
        ph_server_send(in->server, ph_int(ctx, argv[0], 0), text, length);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}

/* receive(waits): [connection, kind, text], or undefined if there is nothing */
static JSValue receive(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    bool waits = ph_flag(ctx, argv[0]);
    ph_mail* mail;
    while ((mail = ph_mailbox_take(&in->box, waits)) == NULL && waits) {
        ph_env* env = ph_env_of(ctx);
        if (ph_worker_should_stop(env)) {
            env->stopping = true;
            JSValue end = JS_NewError(ctx);
            JS_SetUncatchableError(ctx, end);
            return JS_Throw(ctx, end);
        }
    }
    if (mail == NULL)
        return JS_UNDEFINED;
    JSValue row[] = {JS_NewInt32(ctx, mail->connection), JS_NewInt32(ctx, mail->kind),
                     JS_NewStringLen(ctx, mail->text, mail->length)};
    free(mail);
    return JS_NewArrayFrom(ctx, PH_COUNT(row), row);
}

/* quietly(function, self, ...arguments): calls it, and nothing stops in it */
static JSValue quietly(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_inspector* in = ph_inspector_of(ctx);
    in->busy++;
    JSValue result = JS_Call(ctx, argv[0], argc > 1 ? argv[1] : JS_UNDEFINED,
                             argc > 2 ? argc - 2 : 0, argc > 2 ? argv + 2 : NULL);
    in->busy--;
    return result;
}

/* loudly(function, self, ...arguments): calls it, and breakpoints stop in it unless it is paused; a
 * step that waits for the program's next statement does not */
static JSValue loudly(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_inspector* in = ph_inspector_of(ctx);
    int busy = in->busy;
    ph_step step = in->step;
    if (in->frame == NULL)
        in->busy = 0;
    in->step = PH_STEP_NONE;
    JSValue result = JS_Call(ctx, argv[0], argc > 1 ? argv[1] : JS_UNDEFINED,
                             argc > 2 ? argc - 2 : 0, argc > 2 ? argv + 2 : NULL);
    in->busy = busy;
    if (in->step == PH_STEP_NONE)
        in->step = step;
    return result;
}

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("setHandlers", 3, set_handlers),
        JS_CFUNC_DEF("start", 6, start),
        JS_CFUNC_DEF("stop", 0, stop),
        JS_CFUNC_DEF("refuse", 0, refuse),
        JS_CFUNC_DEF("send", 2, send_text),
        JS_CFUNC_DEF("receive", 1, receive),
        JS_CFUNC_DEF("quietly", 1, quietly),
        JS_CFUNC_DEF("loudly", 1, loudly),
    };
    ph_env* env = ph_env_of(ctx);
    if (ph_inspector_in(env) == NULL && make(env) == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return -1;
    }
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    ph_threads_export(ctx, exports);
    ph_debug_export(ctx, exports);
    ph_profile_export(ctx, exports);
    return 0;
}
