/* Child processes. */
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/child.h"
#include "bindings/handle.h"
#include "bindings/permission.h"
#include "engine/gate.h"

static void on_child_exit(uv_process_t* uv, int64_t code, int signal) {
    ph_handle* handle = uv->data;
    ph_env* env = handle->env;
    JSValue args[2] = {JS_NewInt64(env->ctx, code), JS_NewInt32(env->ctx, signal)};
    JSValue self = JS_DupValue(env->ctx, handle->self);
    ph_handle_emit(env, self, "onexit", 2, args);
    JS_FreeValue(env->ctx, self);
}

static void free_list(JSContext* ctx, const char** list) {
    for (const char** one = list; list != NULL && *one != NULL; one++)
        JS_FreeCString(ctx, *one);
    free(list);
}

enum { MOST_ITEMS = 1 << 24 };

/* The length of an array; -1 if it is none, or none that fits. */
static int64_t count_of(JSContext* ctx, JSValueConst value) {
    int64_t count = 0;
    if (!JS_IsArray(value) || JS_GetLength(ctx, value, &count) != 0)
        return -1;
    return count <= MOST_ITEMS ? count : -1;
}

/* A NULL-terminated list of strings; it ends before one that can't be had. NULL if the value is no
 * array. */
static const char** to_list(JSContext* ctx, JSValueConst value) {
    int64_t count = count_of(ctx, value);
    const char** list = count < 0 ? NULL : calloc((size_t)count + 1, sizeof(*list));
    for (int64_t i = 0; i < count && list != NULL; i++) {
        JSValue item = JS_GetPropertyInt64(ctx, value, i);
        list[i] = JS_ToCString(ctx, item);
        JS_FreeValue(ctx, item);
        if (list[i] == NULL)
            break;
    }
    return list;
}

/* Each entry is a number (a descriptor to inherit), a pipe handle, or null. */
static uv_stdio_container_t* to_stdio(JSContext* ctx, JSValueConst value, int* count) {
    int64_t length = count_of(ctx, value);
    if (length < 0)
        length = 0;
    *count = (int)length;
    uv_stdio_container_t* list = calloc((size_t)length + 1, sizeof(*list));
    for (int64_t i = 0; i < length && list != NULL; i++) {
        JSValue item = JS_GetPropertyInt64(ctx, value, i);
        if (JS_IsNumber(item)) {
            list[i].flags = UV_INHERIT_FD;
            list[i].data.fd = ph_int(ctx, item, 0);
        } else if (JS_IsObject(item)) {
            ph_handle* pipe = ph_handle_get(ctx, item, UV_NAMED_PIPE);
            list[i].flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE;
            if (pipe != NULL)
                list[i].data.stream = &pipe->uv.stream;
            else
                list[i].flags = UV_IGNORE;
        } else {
            list[i].flags = UV_IGNORE;
        }
        JS_FreeValue(ctx, item);
    }
    return list;
}

static int option(JSContext* ctx, JSValueConst options, const char* name, int otherwise) {
    JSValue value = JS_GetPropertyStr(ctx, options, name);
    int number = ph_int(ctx, value, JS_IsBool(value) ? ph_flag(ctx, value) : otherwise);
    JS_FreeValue(ctx, value);
    return number;
}

static const char* text_option(JSContext* ctx, JSValueConst options, const char* name) {
    JSValue value = JS_GetPropertyStr(ctx, options, name);
    const char* text = JS_IsString(value) ? JS_ToCString(ctx, value) : NULL;
    JS_FreeValue(ctx, value);
    return text;
}

static const char** list_option(JSContext* ctx, JSValueConst options, const char* name) {
    JSValue value = JS_GetPropertyStr(ctx, options, name);
    const char** list = to_list(ctx, value);
    JS_FreeValue(ctx, value);
    return list;
}

void ph_child_options_read(JSContext* ctx, JSValueConst given, ph_child_options* out) {
    memset(out, 0, sizeof(*out));
    out->uv.file = text_option(ctx, given, "file");
    out->uv.cwd = text_option(ctx, given, "cwd");
    out->args = list_option(ctx, given, "args");
    out->environment = list_option(ctx, given, "env");
    out->uv.args = (char**)out->args;
    out->uv.env = (char**)out->environment;
    int uid = option(ctx, given, "uid", -1);
    int gid = option(ctx, given, "gid", -1);
    if (uid >= 0)
        out->uv.flags |= UV_PROCESS_SETUID;
    if (gid >= 0)
        out->uv.flags |= UV_PROCESS_SETGID;
    out->uv.uid = (uv_uid_t)uid;
    out->uv.gid = (uv_gid_t)gid;
    if (option(ctx, given, "detached", 0))
        out->uv.flags |= UV_PROCESS_DETACHED;
}

void ph_child_options_release(JSContext* ctx, ph_child_options* options) {
    JS_FreeCString(ctx, options->uv.file);
    JS_FreeCString(ctx, options->uv.cwd);
    free_list(ctx, options->args);
    free_list(ctx, options->environment);
}

/* spawn({file, args, env, cwd, stdio, uid, gid, detached}): a handle with pid, or an error */
static JSValue spawn(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (!ph_demand(ctx, PH_MAY_CHILD, ""))
        return JS_EXCEPTION;
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    if (JS_IsException(object))
        return object;
    ph_child_options options;
    ph_child_options_read(ctx, argv[0], &options);
    options.uv.exit_cb = on_child_exit;
    JSValue stdio = JS_GetPropertyStr(ctx, argv[0], "stdio");
    options.uv.stdio = to_stdio(ctx, stdio, &options.uv.stdio_count);
    if (JS_HasException(ctx) || options.uv.file == NULL || options.args == NULL ||
        options.uv.stdio == NULL) {
        free(options.uv.stdio);
        JS_FreeValue(ctx, stdio);
        ph_child_options_release(ctx, &options);
        JS_FreeValue(ctx, object);
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_NewInt32(ctx, UV_EINVAL);
    }
    int status = uv_spawn(handle->env->loop, &handle->uv.process, &options.uv);
    /* uv_spawn initialises the handle even when it fails. */
    ph_handle_opened(handle, object);
    if (status == 0)
        ph_set(ctx, object, "pid", JS_NewInt32(ctx, handle->uv.process.pid));
    else
        ph_handle_abandon(&handle->uv.handle);
    free(options.uv.stdio);
    JS_FreeValue(ctx, stdio);
    ph_child_options_release(ctx, &options);
    if (status == 0)
        return object;
    JS_FreeValue(ctx, object);
    return JS_NewInt32(ctx, status);
}

static JSValue kill_child(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_PROCESS);
    if (handle == NULL)
        return JS_EXCEPTION;
    return JS_NewInt32(ctx, uv_process_kill(&handle->uv.process, ph_int(ctx, argv[1], 15)));
}

JSValue ph_child_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("spawn", 1, spawn),
        JS_CFUNC_DEF("kill", 2, kill_child),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_handle_export(ctx, binding);
    ph_spawn_sync_export(ctx, binding);
    return binding;
}
