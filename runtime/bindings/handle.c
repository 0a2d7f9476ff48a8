#include "bindings/handle.h"

#include <stddef.h>
#include <stdlib.h>

#include "bindings/world.h"
#include "engine/gate.h"
#include "engine/hooked.h"

static void finalize(JSRuntime* rt, JSValueConst value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    ph_handle* handle = JS_GetOpaque(value, ph_world_of(env)->handle_class);
    if (handle != NULL) {
        JS_FreeValueRT(rt, handle->context);
        free(handle);
    }
}

void ph_handle_class_init(ph_env* env) {
    static const JSClassDef definition = {.class_name = "Handle", .finalizer = finalize};
    JS_NewClassID(env->rt, &ph_world_of(env)->handle_class);
    JS_NewClass(env->rt, ph_world_of(env)->handle_class, &definition);
}

JSValue ph_handle_new(JSContext* ctx, ph_handle** handle) {
    *handle = calloc(1, sizeof(**handle));
    if (*handle == NULL)
        return JS_ThrowOutOfMemory(ctx);
    (*handle)->env = ph_env_of(ctx);
    (*handle)->self = (*handle)->on_close = JS_UNDEFINED;
    (*handle)->context = JS_DupValue(ctx, ph_env_of(ctx)->async_context);
    (*handle)->reader = (*handle)->owner = (*handle)->consumer = JS_UNDEFINED;
    (*handle)->plain_consumer = JS_UNDEFINED;
    JSValue object = JS_NewObjectClass(ctx, (int)ph_world_of(ph_env_of(ctx))->handle_class);
    JS_SetOpaque(object, *handle);
    return object;
}

/* What async_hooks calls a handle. */
static const char* type_of(const ph_handle* handle) {
    switch (handle->uv.handle.type) {
    case UV_TCP:
        return handle->is_server ? "TCPSERVERWRAP" : "TCPWRAP";
    case UV_NAMED_PIPE:
        return handle->is_server ? "PIPESERVERWRAP" : "PIPEWRAP";
    case UV_TTY:
        return "TTYWRAP";
    case UV_UDP:
        return "UDPWRAP";
    case UV_PROCESS:
        return "PROCESSWRAP";
    case UV_SIGNAL:
        return "SIGNALWRAP";
    case UV_FS_EVENT:
        return "FSEVENTWRAP";
    case UV_FS_POLL:
        return "STATWATCHER";
    default:
        return NULL;
    }
}

static void count(ph_handle* handle, JSValueConst above) {
    const char* type = type_of(handle);
    if (type == NULL)
        return;
    JSValue before = handle->context;
    handle->context = ph_work_made(handle->env, type, handle->self, above);
    JS_FreeValue(handle->env->ctx, before);
}

void ph_handle_opened(ph_handle* handle, JSValueConst object) {
    ph_handle_opened_below(handle, object, JS_UNDEFINED);
}

void ph_handle_opened_below(ph_handle* handle, JSValueConst object, JSValueConst above) {
    handle->state = PH_HANDLE_OPEN;
    handle->self = JS_DupValue(handle->env->ctx, object);
    handle->uv.handle.data = handle;
    if (ph_is_hooked(handle->env))
        count(handle, above);
}

ph_handle* ph_handle_get(JSContext* ctx, JSValueConst value, uv_handle_type type) {
    ph_handle* handle = JS_GetOpaque(value, ph_world_of(ph_env_of(ctx))->handle_class);
    if (handle == NULL || handle->state != PH_HANDLE_OPEN ||
        (type != UV_UNKNOWN_HANDLE && handle->uv.handle.type != type)) {
        JS_ThrowTypeError(ctx, "not an open handle of this kind");
        return NULL;
    }
    return handle;
}

ph_handle* ph_stream_get(JSContext* ctx, JSValueConst value) {
    ph_handle* handle = ph_handle_get(ctx, value, UV_UNKNOWN_HANDLE);
    if (handle == NULL)
        return NULL;
    uv_handle_type type = handle->uv.handle.type;
    if (type == UV_TCP || type == UV_NAMED_PIPE || type == UV_TTY)
        return handle;
    JS_ThrowTypeError(ctx, "not a stream");
    return NULL;
}

void ph_handle_hold(ph_handle* handle, JSValue* where, JSValueConst value) {
    JSValue before = *where;
    *where = JS_DupValue(handle->env->ctx, value);
    JS_FreeValue(handle->env->ctx, before);
}

void ph_handle_alloc(uv_handle_t* uv, size_t suggested, uv_buf_t* buffer) {
    enum { SIZE = 65536 };
    (void)suggested;
    ph_env* env = ((ph_handle*)uv->data)->env;
    ph_world* world = ph_world_of(env);
    if (world->read_space == NULL)
        world->read_space = malloc(SIZE);
    *buffer = uv_buf_init(world->read_space, world->read_space == NULL ? 0 : SIZE);
}

static void on_closed(uv_handle_t* uv) {
    ph_handle* handle = uv->data;
    ph_env* env = handle->env;
    JSValue self = handle->self;
    JSValue function = handle->on_close;
    handle->state = PH_HANDLE_CLOSED;
    handle->self = handle->on_close = JS_UNDEFINED;
    handle->consume = NULL;
    handle->consume_plain = NULL;
    handle->seal = NULL;
    ph_unpin(&handle->pinned);
    ph_handle_hold(handle, &handle->reader, JS_UNDEFINED);
    ph_handle_hold(handle, &handle->owner, JS_UNDEFINED);
    ph_handle_hold(handle, &handle->consumer, JS_UNDEFINED);
    ph_handle_hold(handle, &handle->plain_consumer, JS_UNDEFINED);
    if (JS_IsFunction(env->ctx, function))
        ph_gate_call_in(env, handle->context, function, self, 0, NULL);
    ph_work_gone(env, handle->context);
    ph_handle_hold(handle, &handle->context, JS_UNDEFINED);
    JS_FreeValue(env->ctx, function);
    JS_FreeValue(env->ctx, self);
}

void ph_handle_emit(ph_env* env, JSValueConst object, const char* name, int argc,
                    JSValue* argv_owned) {
    const ph_handle* handle = JS_GetOpaque(object, ph_world_of(env)->handle_class);
    JSValue method = JS_UNDEFINED;
    if (!env->stopping && handle != NULL)
        method = JS_GetPropertyStr(env->ctx, object, name);
    if (JS_IsFunction(env->ctx, method)) {
        ph_gate_call_in(env, handle->context, method, object, argc, argv_owned);
        JS_FreeValue(env->ctx, method);
        return;
    }
    JS_FreeValue(env->ctx, method);
    for (int i = 0; i < argc; i++)
        JS_FreeValue(env->ctx, argv_owned[i]);
}

void ph_handle_abandon(uv_handle_t* uv) {
    ph_handle* handle = uv->data;
    if (handle == NULL || uv_is_closing(uv))
        return;
    /* Of an addon that has left it open: it is not ours to close, and nobody waits for it. */
    if ((char*)uv != (char*)handle + offsetof(ph_handle, uv)) {
        uv_unref(uv);
        return;
    }
    handle->state = PH_HANDLE_CLOSING;
    uv_close(uv, on_closed);
}

static JSValue close_handle(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = JS_GetOpaque(argv[0], ph_world_of(ph_env_of(ctx))->handle_class);
    if (handle == NULL || handle->state != PH_HANDLE_OPEN)
        return JS_FALSE;
    handle->state = PH_HANDLE_CLOSING;
    handle->on_close = JS_DupValue(ctx, argv[1]);
    /* The third argument: the other side is to be told by a reset. */
    bool resets = ph_flag(ctx, argv[2]) && handle->uv.handle.type == UV_TCP;
    if (!resets || uv_tcp_close_reset(&handle->uv.tcp, on_closed) != 0)
        uv_close(&handle->uv.handle, on_closed);
    return JS_TRUE;
}

enum { REF, UNREF, HAS_REF, FD };

static JSValue change(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    ph_handle* handle = JS_GetOpaque(argv[0], ph_world_of(ph_env_of(ctx))->handle_class);
    bool open = handle != NULL && handle->state == PH_HANDLE_OPEN;
    uv_os_fd_t fd = -1;
    switch (magic) {
    case REF:
        if (open)
            uv_ref(&handle->uv.handle);
        break;
    case UNREF:
        if (open)
            uv_unref(&handle->uv.handle);
        break;
    case HAS_REF:
        return JS_NewBool(ctx, open && uv_has_ref(&handle->uv.handle));
    case FD:
        if (handle == NULL)
            return JS_ThrowTypeError(ctx, "Illegal invocation");
        if (!open || uv_fileno(&handle->uv.handle, &fd) != 0)
            fd = -1;
        return JS_NewInt32(ctx, fd);
    }
    return JS_UNDEFINED;
}

/* handlePrototype(object): what all handles made from now on inherit from. */
static JSValue set_prototype(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (JS_IsObject(argv[0]))
        JS_SetClassProto(ctx, ph_world_of(ph_env_of(ctx))->handle_class, JS_DupValue(ctx, argv[0]));
    return JS_UNDEFINED;
}

void ph_handle_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("close", 3, close_handle),
        JS_CFUNC_MAGIC_DEF("ref", 1, change, REF),
        JS_CFUNC_MAGIC_DEF("unref", 1, change, UNREF),
        JS_CFUNC_MAGIC_DEF("hasRef", 1, change, HAS_REF),
        JS_CFUNC_MAGIC_DEF("fd", 1, change, FD),
        JS_CFUNC_DEF("setPrototype", 1, set_prototype),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
