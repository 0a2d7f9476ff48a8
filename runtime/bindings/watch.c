/* fs.watch and fs.watchFile. */
#include <stdlib.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "bindings/handle.h"
#include "bindings/permission.h"
#include "engine/gate.h"

static void on_change(uv_fs_event_t* uv, const char* name, int events, int status) {
    ph_handle* handle = uv->data;
    JSContext* ctx = handle->env->ctx;
    const char* what = events & UV_RENAME ? "rename" : "change";
    JSValue args[3] = {JS_NewInt32(ctx, status), JS_NewString(ctx, what),
                       name == NULL ? JS_NULL : JS_NewString(ctx, name)};
    JSValue self = JS_DupValue(ctx, handle->self);
    ph_handle_emit(handle->env, self, "onchange", 3, args);
    JS_FreeValue(ctx, self);
}

static void on_poll(uv_fs_poll_t* uv, int status, const uv_stat_t* before, const uv_stat_t* now) {
    (void)before;
    (void)now;
    ph_handle* handle = uv->data;
    JSValue args[1] = {JS_NewInt32(handle->env->ctx, status)};
    JSValue self = JS_DupValue(handle->env->ctx, handle->self);
    ph_handle_emit(handle->env, self, "onchange", 1, args);
    JS_FreeValue(handle->env->ctx, self);
}

enum { EVENT, POLL };

/* watch(path, recursive), poll(path, interval): a handle or a negative error */
static JSValue watch(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    char* path = JS_IsException(object) ? NULL : ph_path(ctx, argv[0], PH_READ);
    if (path == NULL) {
        JS_FreeValue(ctx, object);
        return JS_EXCEPTION;
    }
    uv_loop_t* loop = handle->env->loop;
    int status;
    if (magic == EVENT) {
        uv_fs_event_init(loop, &handle->uv.fs_event);
        ph_handle_opened(handle, object);
        unsigned flags = ph_flag(ctx, argv[1]) ? UV_FS_EVENT_RECURSIVE : 0;
        status = uv_fs_event_start(&handle->uv.fs_event, on_change, path, flags);
    } else {
        uv_fs_poll_init(loop, &handle->uv.fs_poll);
        ph_handle_opened(handle, object);
        status = uv_fs_poll_start(&handle->uv.fs_poll, on_poll, path,
                                  (unsigned)ph_int(ctx, argv[1], 5007));
    }
    free(path);
    if (status == 0)
        return object;
    ph_handle_abandon(&handle->uv.handle);
    JS_FreeValue(ctx, object);
    return JS_NewInt32(ctx, status);
}

JSValue ph_watch_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("watch", 2, watch, EVENT),
        JS_CFUNC_MAGIC_DEF("poll", 2, watch, POLL),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_handle_export(ctx, binding);
    return binding;
}
