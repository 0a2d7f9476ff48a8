/* spawnSync: a child on a loop of its own, which runs until the child has ended. */
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "bindings/child.h"
#include "bindings/permission.h"

enum { MOST_STDIO = 1024 };

typedef struct {
    char* bytes;
    size_t length;
    size_t capacity;
    size_t limit;
    uv_pipe_t pipe;
    bool used;
    struct run* run;
} output;

typedef struct run {
    uv_loop_t loop;
    uv_process_t process;
    uv_timer_t timer;
    uv_pipe_t input;
    uv_write_t write;
    uv_shutdown_t shutdown;
    output* out; /* one for each of stdio, the unused first for standard input */
    uint32_t stdio_count;
    int64_t code;
    int signal;
    int error;
    int kill_signal;
    bool exited;
    bool has_input;
    bool has_timer;
} run;

static void close_once(uv_handle_t* handle) {
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* Children of the child may keep the pipes open: they are not waited for. */
static void stop(run* r, int error) {
    if (r->error == 0)
        r->error = error;
    if (!r->exited)
        uv_process_kill(&r->process, r->kill_signal);
    if (r->has_input)
        close_once((uv_handle_t*)&r->input);
    for (uint32_t i = 1; i < r->stdio_count; i++)
        if (r->out[i].used)
            close_once((uv_handle_t*)&r->out[i].pipe);
}

static void on_child_exit(uv_process_t* process, int64_t code, int signal) {
    run* r = process->data;
    r->code = code;
    r->signal = signal;
    r->exited = true;
    uv_close((uv_handle_t*)process, NULL);
    if (r->has_timer)
        uv_close((uv_handle_t*)&r->timer, NULL);
    r->has_timer = false;
}

static void on_timeout(uv_timer_t* timer) {
    stop(timer->data, UV_ETIMEDOUT);
}

static void on_alloc(uv_handle_t* uv, size_t suggested, uv_buf_t* buffer) {
    output* out = uv->data;
    if (out->length + suggested > out->capacity) {
        size_t capacity = (out->length + suggested) * 2;
        char* bigger = realloc(out->bytes, capacity);
        if (bigger == NULL) {
            *buffer = uv_buf_init(NULL, 0);
            return;
        }
        out->bytes = bigger;
        out->capacity = capacity;
    }
    *buffer = uv_buf_init(out->bytes + out->length, (unsigned)suggested);
}

static void on_read(uv_stream_t* uv, ssize_t count, const uv_buf_t* buffer) {
    (void)buffer;
    output* out = uv->data;
    /* Without room for more (UV_ENOBUFS) the output would be a part that looks like the whole. */
    if (count < 0 && count != UV_EOF)
        stop(out->run, count == UV_ENOBUFS ? UV_ENOMEM : (int)count);
    if (count < 0) {
        close_once((uv_handle_t*)uv);
        return;
    }
    out->length += (size_t)count;
    if (out->length > out->limit)
        stop(out->run, UV_ENOBUFS);
}

static void on_shutdown(uv_shutdown_t* shutdown, int status) {
    (void)status;
    close_once((uv_handle_t*)shutdown->handle);
}

static void on_written(uv_write_t* write, int status) {
    (void)status;
    run* r = write->data;
    if (uv_is_closing((uv_handle_t*)&r->input))
        return;
    if (uv_shutdown(&r->shutdown, (uv_stream_t*)&r->input, on_shutdown) != 0)
        uv_close((uv_handle_t*)&r->input, NULL);
}

static int number(JSContext* ctx, JSValueConst options, const char* name, int otherwise) {
    JSValue value = JS_GetPropertyStr(ctx, options, name);
    double found = ph_number(ctx, value, otherwise);
    if (JS_IsBool(value))
        found = ph_flag(ctx, value);
    JS_FreeValue(ctx, value);
    return found > 2147483647 ? 2147483647 : (int)found;
}

/* How many there are is asked once: the list may be anything. */
static int make_room(JSContext* ctx, run* r, JSValueConst list, uv_stdio_container_t** stdio) {
    JSValue length = JS_GetPropertyStr(ctx, list, "length");
    int count = ph_int(ctx, length, 0);
    JS_FreeValue(ctx, length);
    r->stdio_count = (uint32_t)(count < 3 ? 3 : count > MOST_STDIO ? MOST_STDIO : count);
    r->out = calloc(r->stdio_count, sizeof(*r->out));
    *stdio = calloc(r->stdio_count, sizeof(**stdio));
    return r->out == NULL || *stdio == NULL ? UV_ENOMEM : 0;
}

/* "pipe" gets a pipe, a number is inherited, anything else is nothing. */
static void set_stdio(JSContext* ctx, run* r, JSValueConst list, uv_stdio_container_t* stdio) {
    for (uint32_t i = 0; i < r->stdio_count; i++) {
        JSValue item = JS_GetPropertyUint32(ctx, list, i);
        stdio[i].flags = UV_IGNORE;
        if (JS_IsNumber(item)) {
            stdio[i].flags = UV_INHERIT_FD;
            stdio[i].data.fd = ph_int(ctx, item, (int)i);
        } else if (JS_IsString(item)) {
            uv_pipe_t* pipe = i == 0 ? &r->input : &r->out[i].pipe;
            uv_pipe_init(&r->loop, pipe, 0);
            stdio[i].flags = UV_CREATE_PIPE | (i == 0 ? UV_READABLE_PIPE : UV_WRITABLE_PIPE);
            stdio[i].data.stream = (uv_stream_t*)pipe;
            if (i == 0)
                r->has_input = true;
            else
                r->out[i].used = true;
        }
        JS_FreeValue(ctx, item);
    }
}

static void start_streams(JSContext* ctx, run* r, JSValueConst input) {
    uint8_t* bytes = NULL;
    size_t length = 0;
    for (uint32_t i = 1; i < r->stdio_count; i++) {
        r->out[i].pipe.data = &r->out[i];
        r->out[i].run = r;
        if (r->out[i].used)
            uv_read_start((uv_stream_t*)&r->out[i].pipe, on_alloc, on_read);
    }
    if (!r->has_input)
        return;
    if (!JS_IsUndefined(input) && ph_bytes(ctx, input, &bytes, &length) != 0)
        JS_FreeValue(ctx, JS_GetException(ctx));
    uv_buf_t buffer = uv_buf_init((char*)bytes, (unsigned)length);
    r->write.data = r;
    if (uv_write(&r->write, (uv_stream_t*)&r->input, &buffer, 1, on_written) != 0)
        uv_close((uv_handle_t*)&r->input, NULL);
}

static void close_all(uv_handle_t* handle, void* arg) {
    (void)arg;
    close_once(handle);
}

static JSValue result(JSContext* ctx, run* r, int status) {
    ph_env* env = ph_env_of(ctx);
    JSValue object = JS_NewObject(ctx);
    ph_set(ctx, object, "error", JS_NewInt32(ctx, status != 0 ? status : r->error));
    ph_set(ctx, object, "pid", JS_NewInt32(ctx, status != 0 ? 0 : r->process.pid));
    ph_set(ctx, object, "code", JS_NewInt64(ctx, r->code));
    ph_set(ctx, object, "signal", JS_NewInt32(ctx, r->signal));
    JSValue outputs = JS_NewArray(ctx);
    for (uint32_t i = 0; i < r->stdio_count; i++) {
        JSValue bytes = JS_NULL;
        if (r->out[i].used) {
            char* kept = r->out[i].bytes == NULL ? malloc(1) : r->out[i].bytes;
            bytes = ph_buffer(env, kept, r->out[i].length);
        }
        JS_SetPropertyUint32(ctx, outputs, i, bytes);
    }
    ph_set(ctx, object, "output", outputs);
    return object;
}

static void set_limits(JSContext* ctx, run* r, JSValueConst options) {
    r->kill_signal = number(ctx, options, "killSignal", 15);
    size_t limit = (size_t)number(ctx, options, "maxBuffer", 1024 * 1024);
    for (uint32_t i = 0; i < r->stdio_count; i++)
        r->out[i].limit = limit;
}

static void free_run(run* r, uv_stdio_container_t* stdio) {
    free(stdio);
    free(r->out);
    free(r);
}

/* spawnSync({file, args, env, cwd, stdio, input, timeout, killSignal, maxBuffer, ...}) */
static JSValue spawn_sync(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (!ph_demand(ctx, PH_MAY_CHILD, ""))
        return JS_EXCEPTION;
    run* r = calloc(1, sizeof(*r));
    if (r == NULL || uv_loop_init(&r->loop) != 0) {
        free(r);
        return JS_ThrowOutOfMemory(ctx);
    }
    uv_stdio_container_t* stdio = NULL;
    JSValue list = JS_GetPropertyStr(ctx, argv[0], "stdio");
    if (make_room(ctx, r, list, &stdio) != 0) {
        JS_FreeValue(ctx, list);
        uv_loop_close(&r->loop);
        free_run(r, stdio);
        return JS_ThrowOutOfMemory(ctx);
    }
    ph_child_options given;
    ph_child_options_read(ctx, argv[0], &given);
    set_stdio(ctx, r, list, stdio);
    JS_FreeValue(ctx, list);
    given.uv.exit_cb = on_child_exit;
    given.uv.stdio = stdio;
    given.uv.stdio_count = (int)r->stdio_count;
    r->process.data = r->timer.data = r;
    set_limits(ctx, r, argv[0]);
    bool complete = !JS_HasException(ctx) && given.uv.file != NULL && given.args != NULL;
    int status = complete ? uv_spawn(&r->loop, &r->process, &given.uv) : UV_EINVAL;
    int timeout = number(ctx, argv[0], "timeout", 0);
    JSValue input = JS_GetPropertyStr(ctx, argv[0], "input");
    if (status == 0) {
        if (timeout > 0) {
            uv_timer_init(&r->loop, &r->timer);
            r->has_timer = true;
            uv_timer_start(&r->timer, on_timeout, (uint64_t)timeout, 0);
        }
        start_streams(ctx, r, input);
        uv_run(&r->loop, UV_RUN_DEFAULT);
    }
    uv_walk(&r->loop, close_all, NULL);
    uv_run(&r->loop, UV_RUN_DEFAULT);
    JS_FreeValue(ctx, input);
    ph_child_options_release(ctx, &given);
    uv_loop_close(&r->loop);
    JSValue object = result(ctx, r, status);
    free_run(r, stdio);
    if (!JS_HasException(ctx))
        return object;
    JS_FreeValue(ctx, object);
    return JS_EXCEPTION;
}

void ph_spawn_sync_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {JS_CFUNC_DEF("spawnSync", 1, spawn_sync)};
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
