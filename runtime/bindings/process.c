/* The binding behind process: its surroundings, its end, plain writes, signals. */
#include <errno.h>
#include <fcntl.h>
#include <phasor.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "bindings/handle.h"
#include "bindings/permission.h"
#include "bindings/pinned.h"
#include "bindings/world.h"
#include "engine/gate.h"
#include "engine/patched.h"
#include "engine/play.h"
#include "engine/trace.h"

static JSValue cwd(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    size_t size = 4096;
    char* path = malloc(size);
    int status = path == NULL ? UV_ENOMEM : uv_cwd(path, &size);
    if (status == UV_ENOBUFS) {
        free(path);
        path = malloc(size);
        status = path == NULL ? UV_ENOMEM : uv_cwd(path, &size);
    }
    JSValue result = status == 0 ? JS_NewStringLen(ctx, path, size)
                                 : ph_throw(ctx, status, "uv_cwd", NULL, NULL);
    free(path);
    return result;
}

static JSValue change_dir(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    char* path = ph_path(ctx, argv[0], PH_LOOK_UP);
    path = path == NULL ? NULL : ph_permitted(ctx, path, PH_READ);
    if (path == NULL)
        return JS_EXCEPTION;
    ph_pinned pinned;
    int status = ph_pin(path, PH_READ, 0, &pinned);
    JSValue result = status == PH_PIN_DENIED ? ph_denied(ctx, path, PH_READ) : JS_UNDEFINED;
    if (status == 0)
        status = uv_chdir(ph_pinned_path(&pinned, path));
    if (status < 0)
        result = ph_throw(ctx, status, "chdir", path, NULL);
    ph_unpin(&pinned);
    free(path);
    return result;
}

/* Workers may share the environment. */
static uv_once_t environment_once = UV_ONCE_INIT;
static uv_mutex_t environment_lock;

static void init_environment(void) {
    uv_mutex_init(&environment_lock);
}

static JSValue environment(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    JSValue object = JS_NewObject(ctx);
    uv_once(&environment_once, init_environment);
    uv_mutex_lock(&environment_lock);
    for (char** entry = environ; entry != NULL && *entry != NULL; entry++) {
        const char* equals = strchr(*entry, '=');
        if (equals == NULL)
            continue;
        JSAtom name = JS_NewAtomLen(ctx, *entry, (size_t)(equals - *entry));
        JS_DefinePropertyValue(ctx, object, name, JS_NewString(ctx, equals + 1), JS_PROP_C_W_E);
        JS_FreeAtom(ctx, name);
    }
    uv_mutex_unlock(&environment_lock);
    return object;
}

/* Whether the process has more rights than who started it: then a variable such as HOME does not
 * say where code is. */
static JSValue is_secure(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewBool(ctx, getauxval(AT_SECURE) != 0);
}

static JSValue set_environment(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    const char* value = JS_IsUndefined(argv[1]) ? NULL : JS_ToCString(ctx, argv[1]);
    uv_once(&environment_once, init_environment);
    uv_mutex_lock(&environment_lock);
    if (name != NULL && value != NULL)
        uv_os_setenv(name, value);
    else if (name != NULL && JS_IsUndefined(argv[1]))
        uv_os_unsetenv(name);
    if (name != NULL && strcmp(name, "TZ") == 0)
        tzset(); /* dates are of the new zone from now on */
    uv_mutex_unlock(&environment_lock);
    JS_FreeCString(ctx, name);
    JS_FreeCString(ctx, value);
    return JS_HasException(ctx) ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue arguments(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    JSValue list = JS_NewArray(ctx);
    for (int i = 0; i < env->life.argc; i++)
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, JS_NewString(ctx, env->life.argv[i]));
    return list;
}

static JSValue executable(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    char path[4096];
    size_t size = sizeof(path);
    if (uv_exepath(path, &size) != 0)
        return JS_NewString(ctx, ph_env_of(ctx)->life.argv[0]);
    return JS_NewStringLen(ctx, path, size);
}

static JSValue exit_now(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return ph_env_exit(ph_env_of(ctx), ph_int(ctx, argv[0], 0));
}

/* endNow(status): at once, whatever is running; a worker is unwound. */
static JSValue end_now(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    if (ph_world_of(ph_env_of(ctx))->worker != NULL)
        return exit_now(ctx, self, argc, argv);
    fflush(stdout);
    _exit(ph_int(ctx, argv[0], 1));
}

/* metricsInfo(): what libuv counts: [turns, events, events that waited] */
static JSValue metrics_info(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    uv_metrics_t counts = {0};
    uv_metrics_info(ph_env_of(ctx)->loop, &counts);
    JSValue list[] = {JS_NewInt64(ctx, (int64_t)counts.loop_count),
                      JS_NewInt64(ctx, (int64_t)counts.events),
                      JS_NewInt64(ctx, (int64_t)counts.events_waiting)};
    return JS_NewArrayFrom(ctx, PH_COUNT(list), list);
}

/* loopStart(): milliseconds from the start of this world to that of its loop; -1 before that */
static JSValue loop_start(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    const ph_env* env = ph_env_of(ctx);
    if (env->life.loop_started == 0)
        return JS_NewInt32(ctx, -1);
    return JS_NewFloat64(ctx, (double)(env->life.loop_started - env->life.started) / 1e6);
}

static JSValue abort_now(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)ctx;
    (void)self;
    (void)argc;
    (void)argv;
    phasor_trace_stop();
    abort();
}

/* thrownAt(value): [file, line, column] where a script threw it, if nothing was thrown since. */
static JSValue thrown_at(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return js_thrown_place == NULL ? JS_UNDEFINED : js_thrown_place(ctx, argv[0]);
}

static JSValue hrtime(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    (void)argv;
    uint64_t now = uv_hrtime();
    switch (magic) {
    case 0:
        return JS_NewBigUint64(ctx, now);
    case 1: /* seconds since start, for uptime and performance.now */
        return JS_NewFloat64(ctx, (double)(now - ph_env_of(ctx)->life.started) / 1e9);
    case 3: /* when that was, in milliseconds of the calendar */
        return JS_NewFloat64(ctx, ph_env_of(ctx)->life.started_on);
    default: /* [seconds, nanoseconds] without a BigInt */
        break;
    }
    JSValue pair = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, pair, 0, JS_NewInt64(ctx, (int64_t)(now / 1000000000)));
    JS_SetPropertyUint32(ctx, pair, 1, JS_NewInt64(ctx, (int64_t)(now % 1000000000)));
    return pair;
}

static JSValue memory(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    size_t resident = 0;
    uv_resident_set_memory(&resident);
    JSMemoryUsage usage;
    JS_ComputeMemoryUsage(env->rt, &usage);
    JSValue object = JS_NewObject(ctx);
    ph_set(ctx, object, "rss", JS_NewInt64(ctx, (int64_t)resident));
    ph_set(ctx, object, "heapTotal", JS_NewInt64(ctx, usage.malloc_size));
    ph_set(ctx, object, "heapUsed", JS_NewInt64(ctx, usage.memory_used_size));
    int64_t bytes = js_buffer_bytes == NULL ? 0 : (int64_t)js_buffer_bytes(env->rt);
    ph_set(ctx, object, "external", JS_NewInt64(ctx, usage.binary_object_size + bytes));
    ph_set(ctx, object, "arrayBuffers", JS_NewInt64(ctx, bytes));
    return object;
}

static JSValue usage(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    uv_rusage_t used;
    int status = uv_getrusage(&used);
    if (status != 0)
        return ph_throw(ctx, status, "uv_getrusage", NULL, NULL);
    JSValue object = JS_NewObject(ctx);
    double user = (double)used.ru_utime.tv_sec * 1e6 + (double)used.ru_utime.tv_usec;
    double system = (double)used.ru_stime.tv_sec * 1e6 + (double)used.ru_stime.tv_usec;
    ph_set(ctx, object, "userCPUTime", JS_NewFloat64(ctx, user));
    ph_set(ctx, object, "systemCPUTime", JS_NewFloat64(ctx, system));
    const struct {
        const char* name;
        uint64_t value;
    } others[] = {
        {"maxRSS", used.ru_maxrss},
        {"sharedMemorySize", used.ru_ixrss},
        {"unsharedDataSize", used.ru_idrss},
        {"unsharedStackSize", used.ru_isrss},
        {"minorPageFault", used.ru_minflt},
        {"majorPageFault", used.ru_majflt},
        {"swappedOut", used.ru_nswap},
        {"fsRead", used.ru_inblock},
        {"fsWrite", used.ru_oublock},
        {"ipcSent", used.ru_msgsnd},
        {"ipcReceived", used.ru_msgrcv},
        {"signalsCount", used.ru_nsignals},
        {"voluntaryContextSwitches", used.ru_nvcsw},
        {"involuntaryContextSwitches", used.ru_nivcsw},
    };
    for (size_t i = 0; i < PH_COUNT(others); i++)
        ph_set(ctx, object, others[i].name, JS_NewInt64(ctx, (int64_t)others[i].value));
    return object;
}

static JSValue kill_process(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewInt32(ctx, uv_kill(ph_int(ctx, argv[0], 0), ph_int(ctx, argv[1], 0)));
}

static JSValue set_umask(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    mode_t before = umask(0);
    umask(JS_IsUndefined(argv[0]) ? before : (mode_t)ph_int(ctx, argv[0], 0));
    return JS_NewInt32(ctx, (int32_t)before);
}

static JSValue title(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (JS_IsString(argv[0])) {
        const char* text = JS_ToCString(ctx, argv[0]);
        if (text == NULL)
            return JS_EXCEPTION;
        uv_set_process_title(text);
        JS_FreeCString(ctx, text);
        return JS_UNDEFINED;
    }
    char buffer[1024];
    if (uv_get_process_title(buffer, sizeof(buffer)) != 0)
        buffer[0] = '\0';
    return JS_NewString(ctx, buffer);
}

/* A closed standard descriptor becomes /dev/null, or the next file that is opened would be it. */
void ph_process_open_stdio(void) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDWR) != fd)
            abort();
    }
}

enum { PID, PPID, UID, GID, EUID, EGID };

static JSValue identity(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                        int magic) {
    (void)self;
    (void)argc;
    (void)argv;
    switch (magic) {
    case PID:
        return JS_NewInt32(ctx, uv_os_getpid());
    case PPID:
        return JS_NewInt32(ctx, uv_os_getppid());
    case UID:
        return JS_NewInt64(ctx, getuid());
    case GID:
        return JS_NewInt64(ctx, getgid());
    case EUID:
        return JS_NewInt64(ctx, geteuid());
    default:
        return JS_NewInt64(ctx, getegid());
    }
}

static JSValue groups(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    int count = getgroups(0, NULL);
    gid_t* ids = count > 0 ? malloc((size_t)count * sizeof(*ids)) : NULL;
    JSValue list = JS_NewArray(ctx);
    if (ids != NULL)
        count = getgroups(count, ids);
    for (int i = 0; ids != NULL && i < count; i++)
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, JS_NewInt64(ctx, ids[i]));
    free(ids);
    return list;
}

static JSValue memory_limits(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                             int magic) {
    (void)self;
    (void)argc;
    (void)argv;
    uint64_t bytes = magic == 0 ? uv_get_constrained_memory() : uv_get_available_memory();
    return JS_NewFloat64(ctx, (double)bytes);
}

/* Writes everything, waiting if the descriptor is not ready; 0 or a negative error. */
static int write_all(int fd, const char* bytes, size_t length) {
    ph_play_output(fd, bytes, length);
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EAGAIN) {
            struct pollfd waiting = {.fd = fd, .events = POLLOUT};
            poll(&waiting, 1, -1);
        } else if (done < 0 && errno != EINTR) {
            return -errno;
        } else if (done > 0) {
            bytes += done;
            length -= (size_t)done;
        }
    }
    return 0;
}

/* write(fd, string or bytes) */
static JSValue write_now(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int fd = ph_int(ctx, argv[0], -1);
    size_t length;
    int status;
    if (JS_IsString(argv[1])) {
        const char* text = JS_ToCStringLen(ctx, &length, argv[1]);
        if (text == NULL)
            return JS_EXCEPTION;
        status = write_all(fd, text, length);
        JS_FreeCString(ctx, text);
    } else {
        uint8_t* bytes;
        if (ph_bytes(ctx, argv[1], &bytes, &length) != 0)
            return JS_EXCEPTION;
        status = write_all(fd, (char*)bytes, length);
    }
    return JS_NewInt32(ctx, status);
}

static JSValue guess(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int fd = ph_int(ctx, argv[0], -1);
    switch (uv_guess_handle(fd)) {
    case UV_TTY:
        return JS_NewString(ctx, "TTY");
    case UV_FILE:
        return JS_NewString(ctx, "FILE");
    case UV_NAMED_PIPE:
        return JS_NewString(ctx, "PIPE");
    case UV_TCP:
        return JS_NewString(ctx, "TCP");
    case UV_UDP:
        return JS_NewString(ctx, "UDP");
    default:
        return JS_NewString(ctx, fcntl(fd, F_GETFD) < 0 ? "INVALID" : "UNKNOWN");
    }
}

static void on_signal(uv_signal_t* uv, int number) {
    ph_handle* handle = uv->data;
    JSValue args[] = {JS_NewInt32(handle->env->ctx, number)};
    ph_handle_emit(handle->env, handle->self, "onsignal", 1, args);
}

static JSValue new_signal(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    if (JS_IsException(object))
        return object;
    uv_signal_init(handle->env->loop, &handle->uv.signal);
    ph_handle_opened(handle, object);
    uv_unref(&handle->uv.handle);
    int status = uv_signal_start(&handle->uv.signal, on_signal, ph_int(ctx, argv[0], 0));
    if (status != 0) {
        ph_handle_abandon(&handle->uv.handle);
        JS_FreeValue(ctx, object);
        return JS_NewInt32(ctx, status);
    }
    return object;
}

static JSValue error_name(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic) {
    (void)self;
    (void)argc;
    char text[256];
    int error = ph_int(ctx, argv[0], 0);
    if (magic == 0)
        uv_err_name_r(error, text, sizeof(text));
    else
        uv_strerror_r(error, text, sizeof(text));
    return JS_NewString(ctx, text);
}

static JSValue uv_error(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    const char* syscall = JS_ToCString(ctx, argv[1]);
    if (syscall == NULL)
        return JS_EXCEPTION;
    const char* path = argc > 2 && JS_IsString(argv[2]) ? JS_ToCString(ctx, argv[2]) : NULL;
    const char* dest = argc > 3 && JS_IsString(argv[3]) ? JS_ToCString(ctx, argv[3]) : NULL;
    JSValue error = ph_error(ctx, ph_int(ctx, argv[0], 0), syscall, path, dest);
    JS_FreeCString(ctx, syscall);
    JS_FreeCString(ctx, path);
    JS_FreeCString(ctx, dest);
    return error;
}

static JSValue collect(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    JS_RunGC(JS_GetRuntime(ctx));
    return JS_UNDEFINED;
}

static JSValue metrics(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewFloat64(ctx, (double)uv_metrics_idle_time(ph_env_of(ctx)->loop) / 1e6);
}

static JSValue versions(JSContext* ctx) {
    JSValue object = JS_NewObject(ctx);
    ph_set(ctx, object, "uv", JS_NewString(ctx, uv_version_string()));
    ph_set(ctx, object, "quickjs", JS_NewString(ctx, JS_GetVersion()));
    ph_set(ctx, object, "phasor", JS_NewString(ctx, PHASOR_VERSION));
#ifdef PHASOR_OPENSSL_VERSION
    ph_set(ctx, object, "openssl", JS_NewString(ctx, PHASOR_OPENSSL_VERSION));
#endif
    return object;
}

JSValue ph_process_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("cwd", 0, cwd),
        JS_CFUNC_DEF("chdir", 1, change_dir),
        JS_CFUNC_DEF("environment", 0, environment),
        JS_CFUNC_DEF("setEnvironment", 2, set_environment),
        JS_CFUNC_DEF("isSecure", 0, is_secure),
        JS_CFUNC_DEF("arguments", 0, arguments),
        JS_CFUNC_DEF("executable", 0, executable),
        JS_CFUNC_DEF("exit", 1, exit_now),
        JS_CFUNC_DEF("endNow", 1, end_now),
        JS_CFUNC_DEF("mark", 3, ph_trace_mark),
        JS_CFUNC_DEF("abort", 0, abort_now),
        JS_CFUNC_MAGIC_DEF("hrtimeBigint", 0, hrtime, 0),
        JS_CFUNC_MAGIC_DEF("uptime", 0, hrtime, 1),
        JS_CFUNC_DEF("thrownAt", 1, thrown_at),
        JS_CFUNC_MAGIC_DEF("startedOn", 0, hrtime, 3),
        JS_CFUNC_MAGIC_DEF("hrtimePair", 0, hrtime, 2),
        JS_CFUNC_DEF("loopStart", 0, loop_start),
        JS_CFUNC_DEF("metricsInfo", 0, metrics_info),
        JS_CFUNC_DEF("memory", 0, memory),
        JS_CFUNC_DEF("usage", 0, usage),
        JS_CFUNC_DEF("kill", 2, kill_process),
        JS_CFUNC_DEF("umask", 1, set_umask),
        JS_CFUNC_DEF("title", 1, title),
        JS_CFUNC_MAGIC_DEF("pid", 0, identity, PID),
        JS_CFUNC_MAGIC_DEF("ppid", 0, identity, PPID),
        JS_CFUNC_MAGIC_DEF("uid", 0, identity, UID),
        JS_CFUNC_MAGIC_DEF("gid", 0, identity, GID),
        JS_CFUNC_MAGIC_DEF("euid", 0, identity, EUID),
        JS_CFUNC_MAGIC_DEF("egid", 0, identity, EGID),
        JS_CFUNC_DEF("groups", 0, groups),
        JS_CFUNC_MAGIC_DEF("constrainedMemory", 0, memory_limits, 0),
        JS_CFUNC_MAGIC_DEF("availableMemory", 0, memory_limits, 1),
        JS_CFUNC_DEF("write", 2, write_now),
        JS_CFUNC_DEF("guessHandle", 1, guess),
        JS_CFUNC_DEF("newSignal", 1, new_signal),
        JS_CFUNC_MAGIC_DEF("errorName", 1, error_name, 0),
        JS_CFUNC_MAGIC_DEF("errorText", 1, error_name, 1),
        JS_CFUNC_DEF("uvError", 4, uv_error),
        JS_CFUNC_DEF("gc", 0, collect),
        JS_CFUNC_DEF("idleTime", 0, metrics),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_set(ctx, binding, "versions", versions(ctx));
    ph_handle_export(ctx, binding);
    return binding;
}
