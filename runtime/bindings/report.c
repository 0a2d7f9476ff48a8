/* The parts of a diagnostic report that only C can tell: handles, limits, the native stack, what is
 * loaded. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bindings/bindings.h"

/* Other C libraries neither walk their stack nor say their version. */
#ifdef __GLIBC__
#include <execinfo.h>
#include <gnu/libc-version.h>
#endif

typedef struct {
    JSContext* ctx;
    JSValue list;
    uint32_t count;
    bool with_names; /* of addresses */
} walk;

static void set_pointer(JSContext* ctx, JSValueConst object, const char* name, const void* at) {
    char text[2 + 16 + 1];
    snprintf(text, sizeof(text), "0x%016llx", (unsigned long long)(uintptr_t)at);
    ph_set(ctx, object, name, JS_NewString(ctx, text));
}

/* Names are asked for addresses of this machine only: others may take long to be found. */
static bool is_loopback(const struct sockaddr_storage* address) {
    if (address->ss_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6*)address)->sin6_addr);
    return ((const uint8_t*)&((const struct sockaddr_in*)address)->sin_addr)[0] == 127;
}

static void set_endpoint(const walk* w, JSValueConst object, const char* name, int status,
                         const struct sockaddr_storage* address) {
    JSContext* ctx = w->ctx;
    char number[64] = "";
    bool v6 = address->ss_family == AF_INET6;
    if (status != 0 || (!v6 && address->ss_family != AF_INET)) {
        ph_set(ctx, object, name, JS_NULL);
        return;
    }
    uv_ip_name((const struct sockaddr*)address, number, sizeof(number));
    uv_getnameinfo_t request;
    bool named = w->with_names && is_loopback(address) &&
                 uv_getnameinfo(ph_env_of(ctx)->loop, &request, NULL,
                                (const struct sockaddr*)address, 0) == 0;
    JSValue endpoint = JS_NewObject(ctx);
    ph_set(ctx, endpoint, "host", JS_NewString(ctx, named ? request.host : number));
    ph_set(ctx, endpoint, v6 ? "ip6" : "ip4", JS_NewString(ctx, number));
    ph_set(ctx, endpoint, "port",
           JS_NewInt32(ctx, ntohs(v6 ? ((const struct sockaddr_in6*)address)->sin6_port
                                     : ((const struct sockaddr_in*)address)->sin_port)));
    ph_set(ctx, object, name, endpoint);
}

static void describe_tcp(const walk* w, JSValueConst object, const uv_tcp_t* tcp) {
    struct sockaddr_storage address = {0};
    int length = sizeof(address);
    int status = uv_tcp_getsockname(tcp, (struct sockaddr*)&address, &length);
    set_endpoint(w, object, "localEndpoint", status, &address);
    length = sizeof(address);
    status = uv_tcp_getpeername(tcp, (struct sockaddr*)&address, &length);
    set_endpoint(w, object, "remoteEndpoint", status, &address);
}

static void describe_udp(const walk* w, JSValueConst object, const uv_udp_t* udp) {
    JSContext* ctx = w->ctx;
    struct sockaddr_storage address = {0};
    int length = sizeof(address);
    int status = uv_udp_getsockname(udp, (struct sockaddr*)&address, &length);
    set_endpoint(w, object, "localEndpoint", status, &address);
    length = sizeof(address);
    status = uv_udp_getpeername(udp, (struct sockaddr*)&address, &length);
    set_endpoint(w, object, "remoteEndpoint", status, &address);
    ph_set(ctx, object, "writeQueueSize",
           JS_NewInt64(ctx, (int64_t)uv_udp_get_send_queue_size(udp)));
    ph_set(ctx, object, "writeQueueCount",
           JS_NewInt64(ctx, (int64_t)uv_udp_get_send_queue_count(udp)));
}

static void set_path(JSContext* ctx, JSValueConst object, const char* name, int status,
                     const char* path, size_t length) {
    ph_set(ctx, object, name,
           status == 0 && length > 0 ? JS_NewStringLen(ctx, path, length) : JS_NULL);
}

static void describe_pipe(JSContext* ctx, JSValueConst object, const uv_pipe_t* pipe) {
    char path[256];
    size_t length = sizeof(path);
    int status = uv_pipe_getsockname(pipe, path, &length);
    set_path(ctx, object, "localEndpoint", status, path, length);
    length = sizeof(path);
    status = uv_pipe_getpeername(pipe, path, &length);
    set_path(ctx, object, "remoteEndpoint", status, path, length);
}

static void describe_watcher(JSContext* ctx, JSValueConst object, uv_handle_t* handle) {
    char path[4096];
    size_t length = sizeof(path);
    int status = handle->type == UV_FS_EVENT
                     ? uv_fs_event_getpath((uv_fs_event_t*)handle, path, &length)
                     : uv_fs_poll_getpath((uv_fs_poll_t*)handle, path, &length);
    set_path(ctx, object, "filename", status, path, length);
}

static void describe_timer(JSContext* ctx, JSValueConst object, const uv_timer_t* timer) {
    double due = (double)uv_timer_get_due_in(timer);
    ph_set(ctx, object, "repeat", JS_NewInt64(ctx, (int64_t)uv_timer_get_repeat(timer)));
    ph_set(ctx, object, "firesInMsFromNow", JS_NewFloat64(ctx, due));
    ph_set(ctx, object, "expired", JS_NewBool(ctx, due == 0));
}

static void describe_tty(JSContext* ctx, JSValueConst object, uv_tty_t* tty) {
    int width, height;
    if (uv_tty_get_winsize(tty, &width, &height) != 0)
        return;
    ph_set(ctx, object, "width", JS_NewInt32(ctx, width));
    ph_set(ctx, object, "height", JS_NewInt32(ctx, height));
}

static void describe_kind(const walk* w, JSValueConst object, uv_handle_t* handle) {
    JSContext* ctx = w->ctx;
    switch (handle->type) {
    case UV_TCP:
        describe_tcp(w, object, (uv_tcp_t*)handle);
        break;
    case UV_UDP:
        describe_udp(w, object, (uv_udp_t*)handle);
        break;
    case UV_NAMED_PIPE:
        describe_pipe(ctx, object, (uv_pipe_t*)handle);
        break;
    case UV_FS_EVENT:
    case UV_FS_POLL:
        describe_watcher(ctx, object, handle);
        break;
    case UV_TIMER:
        describe_timer(ctx, object, (uv_timer_t*)handle);
        break;
    case UV_TTY:
        describe_tty(ctx, object, (uv_tty_t*)handle);
        break;
    case UV_PROCESS:
        ph_set(ctx, object, "pid", JS_NewInt32(ctx, uv_process_get_pid((uv_process_t*)handle)));
        break;
    case UV_SIGNAL:
        ph_set(ctx, object, "signum", JS_NewInt32(ctx, ((uv_signal_t*)handle)->signum));
        break;
    default:
        break;
    }
}

static void describe_descriptor(JSContext* ctx, JSValueConst object, uv_handle_t* handle) {
    uv_os_fd_t fd;
    bool is_stream =
        handle->type == UV_TCP || handle->type == UV_NAMED_PIPE || handle->type == UV_TTY;
    if (handle->type == UV_TCP || handle->type == UV_NAMED_PIPE || handle->type == UV_UDP) {
        int send = 0, receive = 0;
        if (uv_send_buffer_size(handle, &send) == 0)
            ph_set(ctx, object, "sendBufferSize", JS_NewInt32(ctx, send));
        if (uv_recv_buffer_size(handle, &receive) == 0)
            ph_set(ctx, object, "recvBufferSize", JS_NewInt32(ctx, receive));
    }
    if ((is_stream || handle->type == UV_UDP || handle->type == UV_POLL) &&
        uv_fileno(handle, &fd) == 0)
        ph_set(ctx, object, "fd", JS_NewInt32(ctx, fd));
    if (!is_stream)
        return;
    const uv_stream_t* stream = (const uv_stream_t*)handle;
    ph_set(ctx, object, "writeQueueSize",
           JS_NewInt64(ctx, (int64_t)uv_stream_get_write_queue_size(stream)));
    ph_set(ctx, object, "readable", JS_NewBool(ctx, uv_is_readable(stream)));
    ph_set(ctx, object, "writable", JS_NewBool(ctx, uv_is_writable(stream)));
}

static void add_handle(uv_handle_t* handle, void* arg) {
    walk* w = arg;
    JSContext* ctx = w->ctx;
    JSValue object = JS_NewObject(ctx);
    const char* type = uv_handle_type_name(handle->type);
    ph_set(ctx, object, "type", JS_NewString(ctx, type == NULL ? "unknown" : type));
    ph_set(ctx, object, "is_active", JS_NewBool(ctx, uv_is_active(handle)));
    ph_set(ctx, object, "is_referenced", JS_NewBool(ctx, uv_has_ref(handle)));
    set_pointer(ctx, object, "address", handle);
    if (!uv_is_closing(handle)) {
        describe_kind(w, object, handle);
        describe_descriptor(ctx, object, handle);
    }
    JS_SetPropertyUint32(ctx, w->list, w->count++, object);
}

/* handles(with the names of addresses?): those of the loop, and the loop itself */
static JSValue handles(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_loop_t* loop = ph_env_of(ctx)->loop;
    walk w = {ctx, JS_NewArray(ctx), 0, ph_flag(ctx, argv[0])};
    uv_walk(loop, add_handle, &w);
    JSValue object = JS_NewObject(ctx);
    ph_set(ctx, object, "type", JS_NewString(ctx, "loop"));
    ph_set(ctx, object, "is_active", JS_NewBool(ctx, uv_loop_alive(loop)));
    set_pointer(ctx, object, "address", loop);
    ph_set(ctx, object, "loopIdleTimeSeconds",
           JS_NewFloat64(ctx, (double)uv_metrics_idle_time(loop) / 1e9));
    JS_SetPropertyUint32(ctx, w.list, w.count++, object);
    return w.list;
}

static JSValue limit_value(JSContext* ctx, rlim_t value) {
    return value == RLIM_INFINITY ? JS_NewString(ctx, "unlimited")
                                  : JS_NewFloat64(ctx, (double)value);
}

/* limits(): {name: {soft, hard}} */
static JSValue limits(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    static const struct {
        const char* name;
        int which;

    } known[] = {
        {"core_file_size_blocks", RLIMIT_CORE}, {"data_seg_size_kbytes", RLIMIT_DATA},
        {"file_size_blocks", RLIMIT_FSIZE},     {"max_locked_memory_bytes", RLIMIT_MEMLOCK},
        {"max_memory_size_kbytes", RLIMIT_RSS}, {"open_files", RLIMIT_NOFILE},
        {"stack_size_bytes", RLIMIT_STACK},     {"cpu_time_seconds", RLIMIT_CPU},
        {"max_user_processes", RLIMIT_NPROC},   {"virtual_memory_kbytes", RLIMIT_AS},
    };
    JSValue object = JS_NewObject(ctx);
    for (size_t i = 0; i < PH_COUNT(known); i++) {
        struct rlimit found;
        if (getrlimit(known[i].which, &found) != 0)
            continue;
        JSValue pair = JS_NewObject(ctx);
        ph_set(ctx, pair, "soft", limit_value(ctx, found.rlim_cur));
        ph_set(ctx, pair, "hard", limit_value(ctx, found.rlim_max));
        ph_set(ctx, object, known[i].name, pair);
    }
    return object;
}

/* nativeStack(): [{pc, symbol}] */
static JSValue native_stack(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    JSValue list = JS_NewArray(ctx);
#ifdef __GLIBC__
    void* frames[64];
    int count = backtrace(frames, PH_COUNT(frames));
    char** symbols = backtrace_symbols(frames, count);
    for (int i = 0; i < count; i++) {
        JSValue frame = JS_NewObject(ctx);
        set_pointer(ctx, frame, "pc", frames[i]);
        ph_set(ctx, frame, "symbol", JS_NewString(ctx, symbols == NULL ? "" : symbols[i]));
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, frame);
    }
    free(symbols);
#endif
    return list;
}

static int add_object(struct dl_phdr_info* info, size_t size, void* arg) {
    (void)size;
    walk* w = arg;
    if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0')
        JS_SetPropertyUint32(w->ctx, w->list, w->count++, JS_NewString(w->ctx, info->dlpi_name));
    return 0;
}

/* sharedObjects(): the names of what is loaded */
static JSValue shared_objects(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    walk w = {ctx, JS_NewArray(ctx), 0, false};
    dl_iterate_phdr(add_object, &w);
    return w.list;
}

/* glibc(): [the version that runs, the version that the runtime was built with], or nothing */
static JSValue glibc(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    JSValue list = JS_NewArray(ctx);
#ifdef __GLIBC__
    char built[32];
    snprintf(built, sizeof(built), "%d.%d", __GLIBC__, __GLIBC_MINOR__);
    JS_SetPropertyUint32(ctx, list, 0, JS_NewString(ctx, gnu_get_libc_version()));
    JS_SetPropertyUint32(ctx, list, 1, JS_NewString(ctx, built));
#endif
    return list;
}

/* threadUsage(): [seconds for the program, seconds for the kernel, reads, writes] of this thread */
static JSValue thread_usage(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    struct rusage used;
    if (getrusage(RUSAGE_THREAD, &used) != 0)
        return JS_UNDEFINED;
    const double values[] = {
        (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6,
        (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6,
        (double)used.ru_inblock,
        (double)used.ru_oublock,
    };
    JSValue list = JS_NewArray(ctx);
    for (uint32_t i = 0; i < PH_COUNT(values); i++)
        JS_SetPropertyUint32(ctx, list, i, JS_NewFloat64(ctx, values[i]));
    return list;
}

JSValue ph_report_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("handles", 1, handles),
        JS_CFUNC_DEF("limits", 0, limits),
        JS_CFUNC_DEF("nativeStack", 0, native_stack),
        JS_CFUNC_DEF("sharedObjects", 0, shared_objects),
        JS_CFUNC_DEF("glibc", 0, glibc),
        JS_CFUNC_DEF("threadUsage", 0, thread_usage),
    };
    JSValue exports = JS_NewObject(ctx);
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    return exports;
}
