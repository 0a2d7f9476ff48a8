/* Whole files. As in Node, a file is opened, measured, read in parts and closed, each in a trip to
 * the thread pool of its own: what programs do beside it comes in the same order, and a large file
 * lets others have their turn. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bindings/fs_results.h"
#include "bindings/granted.h"
#include "bindings/permission.h"
#include "bindings/pinned.h"
#include "bindings/request.h"
#include "bindings/world.h"
#include "engine/trace.h"

typedef struct {
    char* bytes;
    size_t length;
    int error;
    const char* failed; /* the call that failed; NULL: the file is too large */
    int64_t size;
    size_t capacity; /* of the bytes */
    bool regular;    /* it ends where its size says */
} content;

enum { PART = 512 * 1024, UNKNOWN = 64 * 1024 };

/* Reads to the end; the size is a hint, since files in /proc say 0.
 * Through the library, so that the simulated world sees it too. */
static ssize_t read_some(int fd, char* bytes, size_t size) {
    uv_fs_t request;
    uv_buf_t buffer = uv_buf_init(bytes, (unsigned)(size < INT_MAX ? size : INT_MAX));
    ssize_t got = uv_fs_read(NULL, &request, fd, &buffer, 1, -1, NULL);
    uv_fs_req_cleanup(&request);
    return got;
}

/* Whether there is something to read. */
static bool measure(int fd, content* out) {
    struct stat stat;
    memset(out, 0, sizeof(*out));
    out->failed = "read";
    if (fstat(fd, &stat) != 0) {
        out->error = -errno;
        out->failed = "fstat";
        return false;
    }
    out->regular = S_ISREG(stat.st_mode) && stat.st_size > 0;
    if (out->regular && stat.st_size > INT_MAX) {
        out->error = UV_EFBIG;
        out->failed = NULL;
        out->size = stat.st_size;
        return false;
    }
    out->capacity = out->regular ? (size_t)stat.st_size : UNKNOWN;
    out->bytes = malloc(out->capacity + 1);
    if (out->bytes == NULL)
        out->error = UV_ENOMEM;
    return out->bytes != NULL;
}

static bool make_room(content* out) {
    if (out->length < out->capacity)
        return true;
    char* bigger = realloc(out->bytes, out->capacity * 2 + 1);
    if (bigger == NULL) {
        out->error = UV_ENOMEM;
        return false;
    }
    out->bytes = bigger;
    out->capacity *= 2;
    return true;
}

/* Whether there may be more. */
static bool read_part(int fd, content* out, size_t most) {
    if (!make_room(out))
        return false;
    size_t room = out->capacity - out->length;
    ssize_t got;
    do
        got = read_some(fd, out->bytes + out->length, room < most ? room : most);
    while (got == UV_EINTR);
    if (got <= 0) {
        out->error = (int)got;
        return false;
    }
    out->length += (size_t)got;
    return !(out->regular && out->length == out->capacity);
}

static void read_everything(int fd, content* out) {
    if (measure(fd, out))
        while (read_part(fd, out, SIZE_MAX))
            ;
}

/* A string (text) or a Buffer; takes the bytes. */
static JSValue to_value(ph_env* env, content* got, bool text) {
    if (!text)
        return ph_buffer(env, got->bytes, got->length);
    JSValue string = JS_NewStringLen(env->ctx, got->bytes, got->length);
    free(got->bytes);
    return string;
}

static JSValue throw_failure(JSContext* ctx, const content* got) {
    if (got->failed != NULL)
        return ph_throw(ctx, got->error, got->failed, NULL, NULL);
    JS_ThrowRangeError(ctx, "File size (%" PRId64 ") is greater than 2 GiB", got->size);
    JSValue error = JS_GetException(ctx);
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_FS_FILE_TOO_LARGE"));
    return JS_Throw(ctx, error);
}

typedef struct {
    uv_fs_t open;
    uv_work_t work;
    ph_pending pending;
    char* path;
    ph_pinned pinned;
    int failure;    /* of the look for what the path leads to */
    JSValue denied; /* the error, if the permission model refuses */
    bool text;
    enum { MEASURE, READ, CLOSE } step; /* that is next */
    bool is_closing;                    /* the last one is under way */
    int fd;
    content got;
} reader;

static void release(reader* r) {
    free(r->path);
    ph_unpin(&r->pinned);
    JS_FreeValue(r->pending.env->ctx, r->denied);
    ph_pending_drop(&r->pending);
    free(r);
}

static void finish(reader* r, const char* syscall, int error) {
    ph_env* env = r->pending.env;
    ph_world_of(env)->fs_requests--;
    if (!env->stopping) {
        JSValue args[2] = {JS_NULL, JS_UNDEFINED};
        if (error != 0) {
            if (!JS_IsUndefined(r->denied)) {
                args[0] = JS_DupValue(env->ctx, r->denied);
            } else if (syscall != NULL) {
                args[0] = ph_error(env->ctx, error, syscall,
                                   strcmp(syscall, "open") == 0 ? r->path : NULL, NULL);
            } else {
                throw_failure(env->ctx, &r->got);
                args[0] = JS_GetException(env->ctx);
            }
            free(r->got.bytes);
        } else {
            args[1] = to_value(env, &r->got, r->text);
        }
        bool failed = error != 0 || JS_IsException(args[1]);
        if (JS_IsException(args[1]))
            args[0] = JS_GetException(env->ctx);
        ph_pending_call(&r->pending, failed ? 1 : 2, args);
    } else {
        free(r->got.bytes);
    }
    release(r);
}

static void do_step(uv_work_t* work) {
    reader* r = work->data;
    if (r->step == CLOSE)
        close(r->fd);
    else if (r->step == MEASURE ? measure(r->fd, &r->got) : read_part(r->fd, &r->got, PART))
        r->step = READ;
    else
        r->step = CLOSE;
}

static void on_step(uv_work_t* work, int status);

static void begin_step(reader* r) {
    ph_trace_request(&r->work, "file");
    int status = uv_queue_work(r->pending.env->loop, &r->work, do_step, on_step);
    if (status != 0)
        on_step(&r->work, status);
}

static void on_step(uv_work_t* work, int status) {
    reader* r = work->data;
    if (status != 0) {
        close(r->fd);
        finish(r, "read", status);
    } else if (r->is_closing) {
        finish(r, r->got.failed, r->got.error);
    } else {
        r->is_closing = r->step == CLOSE;
        begin_step(r);
    }
}

static void on_open(uv_fs_t* open) {
    reader* r = open->data;
    int result = r->failure != 0 ? r->failure : (int)open->result;
    uv_fs_req_cleanup(open);
    if (result < 0) {
        finish(r, "open", result);
        return;
    }
    r->fd = result;
    begin_step(r);
}

/* What may be opened so, held; or NULL, and an exception unless *failure says what failed. */
static char* take_file(JSContext* ctx, JSValueConst value, int flags, unsigned access,
                       ph_pinned* pinned, int* failure) {
    char* path = ph_path(ctx, value, PH_LOOK_UP);
    path = path == NULL ? NULL : ph_permitted(ctx, path, access);
    int status = path == NULL ? 0 : ph_pin(path, access, flags, pinned);
    *failure = status < 0 ? status : 0;
    if (status != PH_PIN_DENIED)
        return path;
    ph_denied(ctx, path, access);
    free(path);
    return NULL;
}

/* The callback hears of a refusal as late as of anything else: there is no file without a name. */
static int start_open(reader* r, int flags) {
    uv_loop_t* loop = r->pending.env->loop;
    if (r->path == NULL || r->failure != 0)
        return uv_fs_open(loop, &r->open, "", 0, 0, on_open);
    return uv_fs_open(loop, &r->open, ph_pinned_path(&r->pinned, r->path),
                      ph_pinned_flags(&r->pinned, flags), 0666, on_open);
}

/* readFile(path, text, flags, callback) */
static JSValue read_file(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int flags = ph_int(ctx, argv[2], 0);
    reader* r = calloc(1, sizeof(*r));
    if (r == NULL)
        return JS_ThrowOutOfMemory(ctx);
    r->path = take_file(ctx, argv[0], flags, ph_access_of_flags(flags), &r->pinned, &r->failure);
    r->denied = r->path == NULL ? JS_GetException(ctx) : JS_UNDEFINED;
    ph_pending_begin(ctx, &r->pending, argv[3], JS_UNDEFINED);
    ph_pending_is(&r->pending, "FSREQCALLBACK", JS_UNDEFINED);
    r->text = ph_flag(ctx, argv[1]);
    r->open.data = r->work.data = r;
    int status = start_open(r, flags);
    if (status == 0) {
        ph_world_of(r->pending.env)->fs_requests++;
        return JS_UNDEFINED;
    }
    JSValue error = ph_throw(ctx, status, "open", r->path == NULL ? "" : r->path, NULL);
    release(r);
    return error;
}

enum { CHECKED, LOOK_UP };

static const char package_name[] = "/package.json";

static bool names_package(const char* path) {
    size_t length = strlen(path);
    size_t size = sizeof(package_name) - 1;
    return length >= size && strcmp(path + length - size, package_name) == 0;
}

/* Those who look for modules see what a package says of itself, and nothing else, without being
 * permitted to. A link of that name to another file is none. */
static unsigned access_of(JSContext* ctx, JSValueConst path, int flags, int magic) {
    char place[PATH_MAX];
    const char* text = magic == CHECKED ? NULL : JS_ToCString(ctx, path);
    bool is_package = text != NULL && flags == 0 && names_package(text) &&
                      (ph_has_all_files() || !ph_find_place(text, place) || names_package(place));
    JS_FreeCString(ctx, text);
    return is_package ? PH_LOOK_UP : ph_access_of_flags(flags);
}

/* A descriptor, or -1 and an exception. */
static int open_now(JSContext* ctx, JSValueConst value, int flags, unsigned access) {
    ph_pinned pinned = {0};
    int failure;
    char* path = take_file(ctx, value, flags, access, &pinned, &failure);
    if (path == NULL)
        return -1;
    uv_fs_t open;
    int fd = failure;
    if (failure == 0) {
        fd = uv_fs_open(NULL, &open, ph_pinned_path(&pinned, path), ph_pinned_flags(&pinned, flags),
                        0666, NULL);
        uv_fs_req_cleanup(&open);
    }
    ph_unpin(&pinned);
    if (fd < 0)
        ph_throw(ctx, fd, "open", path, NULL);
    free(path);
    return fd < 0 ? -1 : fd;
}

/* readFileSync(path or fd, text, flags), readPackage(path, text, 0) */
static JSValue read_file_now(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                             int magic) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    content got;
    bool given = JS_IsNumber(argv[0]);
    int fd = ph_int(ctx, argv[0], -1);
    if (!given) {
        int flags = ph_int(ctx, argv[2], 0);
        fd = open_now(ctx, argv[0], flags, access_of(ctx, argv[0], flags, magic));
        if (fd < 0)
            return JS_EXCEPTION;
    }
    read_everything(fd, &got);
    if (!given)
        close(fd);
    if (got.error != 0) {
        free(got.bytes);
        return throw_failure(ctx, &got);
    }
    return to_value(env, &got, ph_flag(ctx, argv[1]));
}

/* kind(path): 1 a file, 2 a folder, 0 neither or nothing. Cheaper than an error that is thrown
 * away. lookUp(path) is the same for those who look for modules, which they may not read. */
static JSValue kind(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    ph_pinned pinned = {0};
    int failure;
    char* path =
        take_file(ctx, argv[0], 0, magic == CHECKED ? PH_READ : PH_LOOK_UP, &pinned, &failure);
    if (path == NULL)
        return JS_EXCEPTION;
    struct stat found;
    int what = 0;
    if (failure == 0 && stat(ph_pinned_path(&pinned, path), &found) == 0)
        what = S_ISDIR(found.st_mode) ? 2 : 1;
    ph_unpin(&pinned);
    free(path);
    return JS_NewInt32(ctx, what);
}

/* placeOf(path, as bytes?): its real name, for those who look for modules. */
static JSValue place_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    char* path = ph_path(ctx, argv[0], PH_LOOK_UP);
    if (path == NULL)
        return JS_EXCEPTION;
    uv_fs_t request;
    int status = uv_fs_realpath(NULL, &request, path, NULL);
    JSValue result = status < 0 ? ph_throw(ctx, status, "realpath", path, NULL)
                                : ph_fs_result(ctx, &request, ph_flag(ctx, argv[1]));
    uv_fs_req_cleanup(&request);
    free(path);
    return result;
}

void ph_fs_files_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("readFile", 4, read_file),
        JS_CFUNC_MAGIC_DEF("readFileSync", 3, read_file_now, CHECKED),
        JS_CFUNC_MAGIC_DEF("readPackage", 3, read_file_now, LOOK_UP),
        JS_CFUNC_MAGIC_DEF("kind", 1, kind, CHECKED),
        JS_CFUNC_MAGIC_DEF("lookUp", 1, kind, LOOK_UP),
        JS_CFUNC_DEF("placeOf", 2, place_of),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
