/* File operations: one JavaScript function per uv_fs_* call. Without a callback it runs at once and
 * throws; with one, the callback gets (error) or (null, result). */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/fs_results.h"
#include "bindings/open_files.h"
#include "bindings/permission.h"
#include "bindings/pinned.h"
#include "bindings/request.h"
#include "bindings/world.h"

typedef enum {
    OP_ACCESS,
    OP_CHMOD,
    OP_CHOWN,
    OP_CLOSE,
    OP_COPYFILE,
    OP_FCHMOD,
    OP_FCHOWN,
    OP_FDATASYNC,
    OP_FSTAT,
    OP_FSYNC,
    OP_FTRUNCATE,
    OP_FUTIME,
    OP_LCHOWN,
    OP_LINK,
    OP_LSTAT,
    OP_LUTIME,
    OP_MKDIR,
    OP_MKDTEMP,
    OP_OPEN,
    OP_READ,
    OP_READLINK,
    OP_READV,
    OP_REALPATH,
    OP_RENAME,
    OP_RMDIR,
    OP_SCANDIR,
    OP_STAT,
    OP_STATFS,
    OP_SYMLINK,
    OP_UNLINK,
    OP_UTIME,
    OP_WRITE,
    OP_WRITEV,
} operation;

/* What each operation takes, in order: i integer, d number, b bytes with offset and length, v a
 * list of bytes; and paths, by what is done with them: r read, w written, c written or made, o
 * opened with the flags that follow, l the name itself read, a the name itself changed, n the name
 * itself made or removed, m moved, t what a link is to hold. x is a descriptor that the permission
 * model would have to know the path of. The callback comes next; then, for operations that give
 * names, whether these are wanted as bytes. */
static const struct {
    const char* name;
    const char* takes;
    bool denies_at_once; /* even with a callback, as in Node */
} operations[] = {
    [OP_ACCESS] = {"access", "ri", false},
    [OP_CHMOD] = {"chmod", "wi", true},
    [OP_CHOWN] = {"chown", "wii", false},
    [OP_CLOSE] = {"close", "i", false},
    [OP_COPYFILE] = {"copyfile", "rci", false},
    [OP_FCHMOD] = {"fchmod", "xi", false},
    [OP_FCHOWN] = {"fchown", "xii", false},
    [OP_FDATASYNC] = {"fdatasync", "i", false},
    [OP_FSTAT] = {"fstat", "i", false},
    [OP_FSYNC] = {"fsync", "i", false},
    [OP_FTRUNCATE] = {"ftruncate", "id", false},
    [OP_FUTIME] = {"futime", "xdd", false},
    [OP_LCHOWN] = {"lchown", "aii", false},
    [OP_LINK] = {"link", "mn", false},
    [OP_LSTAT] = {"lstat", "l", false},
    [OP_LUTIME] = {"lutime", "add", true},
    [OP_MKDIR] = {"mkdir", "ni", true},
    [OP_MKDTEMP] = {"mkdtemp", "n", false},
    [OP_OPEN] = {"open", "oii", false},
    [OP_READ] = {"read", "ibd", false},
    [OP_READLINK] = {"readlink", "l", true},
    [OP_READV] = {"read", "ivd", false},
    [OP_REALPATH] = {"realpath", "r", false},
    [OP_RENAME] = {"rename", "mn", false},
    [OP_RMDIR] = {"rmdir", "n", true},
    [OP_SCANDIR] = {"scandir", "r", false},
    [OP_STAT] = {"stat", "r", false},
    [OP_STATFS] = {"statfs", "r", false},
    [OP_SYMLINK] = {"symlink", "tni", false},
    [OP_UNLINK] = {"unlink", "n", false},
    [OP_UTIME] = {"utime", "wdd", true},
    [OP_WRITE] = {"write", "ibd", false},
    [OP_WRITEV] = {"write", "ivd", false},
};

typedef struct {
    uv_fs_t uv;
    ph_pending pending;
    operation op;
    JSValue denied; /* the error, if the permission model refuses */
    char* text[2];
    ph_pinned pinned[2]; /* what the paths lead to */
    int failure;         /* of the look for that */
    bool names_as_bytes;
    int32_t integer[3];
    double number[2];
    const uv_buf_t* buffers; /* the one, or the list */
    uv_buf_t one;
    uv_buf_t* list;
    unsigned count;
} request;

static void release(request* r) {
    free(r->text[0]);
    free(r->text[1]);
    ph_unpin(&r->pinned[0]);
    ph_unpin(&r->pinned[1]);
    JS_FreeValue(r->pending.env->ctx, r->denied);
    ph_pending_drop(&r->pending);
    free(r->list);
    uv_fs_req_cleanup(&r->uv);
}

static JSValue result_error(request* r, int error) {
    return ph_error(r->pending.env->ctx, error, operations[r->op].name, r->text[0], r->text[1]);
}

/* A worker keeps account of its files. A descriptor is free for others as soon as it is closed, so
 * that its closing counts from the start. */
static void note_file(request* r, ssize_t result) {
    if (r->op != OP_OPEN || result < 0)
        return;
    ph_open_files_add(r->pending.env, (int)result);
    ph_descriptor_is_programs((int)result);
}

/* What the request gives. The name of a folder that was made is the one that was asked for. */
static JSValue result_value(request* r) {
    if (r->op != OP_MKDTEMP || r->pinned[0].path == NULL)
        return ph_fs_result(r->pending.env->ctx, &r->uv, r->names_as_bytes);
    enum { CHOSEN = 6 };
    size_t length = strlen(r->text[0]);
    memcpy(r->text[0] + length - CHOSEN, r->uv.path + strlen(r->uv.path) - CHOSEN, CHOSEN);
    const char* made = r->uv.path;
    r->uv.path = r->text[0];
    JSValue value = ph_fs_result(r->pending.env->ctx, &r->uv, r->names_as_bytes);
    r->uv.path = made;
    return value;
}

static void on_done(uv_fs_t* uv) {
    request* r = (request*)uv;
    ph_env* env = r->pending.env;
    ph_world_of(env)->fs_requests--;
    note_file(r, uv->result);
    if (!env->stopping) {
        JSValue args[2] = {JS_NULL, JS_UNDEFINED};
        int count = 1;
        if (uv->result < 0) {
            int error = r->failure != 0 ? r->failure : (int)uv->result;
            args[0] = JS_IsUndefined(r->denied) ? result_error(r, error)
                                                : JS_DupValue(env->ctx, r->denied);
        } else {
            args[1] = result_value(r);
            count = JS_IsUndefined(args[1]) ? 1 : 2;
        }
        ph_pending_call(&r->pending, count, args);
    }
    release(r);
    free(r);
}

static int take_bytes(JSContext* ctx, request* r, JSValueConst* argv) {
    uint8_t* bytes;
    size_t length;
    if (ph_pins_add(ctx, &r->pending.pins, argv[0], &bytes, &length) != 0)
        return -1;
    double offset = ph_number(ctx, argv[1], 0);
    double wanted = ph_number(ctx, argv[2], (double)length - offset);
    if (!(offset >= 0 && wanted >= 0 && offset + wanted <= (double)length)) {
        JS_ThrowRangeError(ctx, "The offset and length are out of range");
        return -1;
    }
    r->one = uv_buf_init((char*)bytes + (size_t)offset, (unsigned)wanted);
    r->buffers = &r->one;
    r->count = 1;
    return 0;
}

static int take_list(JSContext* ctx, request* r, JSValueConst list) {
    int status = ph_pins_add_list(ctx, &r->pending.pins, list, &r->list, &r->count);
    r->buffers = r->list;
    return status;
}

/* Numbers that are no integers of this size are none that the system knows, either. */
static int32_t take_integer(JSContext* ctx, JSValueConst value) {
    double number = ph_number(ctx, value, 0);
    return number >= INT32_MIN && number <= UINT32_MAX ? (int32_t)(uint32_t)(int64_t)number : -1;
}

static double take_number(JSContext* ctx, JSValueConst value) {
    const double most = 9007199254740991.0;
    double number = ph_number(ctx, value, -1);
    return number >= -most && number <= most ? number : -1;
}

static unsigned access_of(JSContext* ctx, char kind, JSValueConst next) {
    switch (kind) {
    case 'r':
        return PH_READ;
    case 'w':
    case 'c':
        return PH_WRITE;
    case 'l':
        return PH_READ | PH_ITSELF;
    case 'a':
    case 'n':
        return PH_WRITE | PH_ITSELF;
    case 'm':
        return PH_READ | PH_WRITE | PH_ITSELF;
    case 'o':
        return ph_access_of_flags(take_integer(ctx, next));
    default:
        return PH_LOOK_UP;
    }
}

/* A slash at its end makes a link lead on, except where a name is made or removed. */
static unsigned access_to(JSContext* ctx, const char* path, char kind, JSValueConst next) {
    size_t length = strlen(path);
    bool leads_on = length > 0 && path[length - 1] == '/' && (kind == 'l' || kind == 'a');
    return access_of(ctx, kind, next) & ~(leads_on ? (unsigned)PH_ITSELF : 0);
}

/* A path, whether it may be used so, and what it leads to now. */
static char* take_path(JSContext* ctx, request* r, char kind, JSValueConst* argv,
                       ph_pinned* pinned) {
    char* path = ph_path(ctx, argv[0], PH_LOOK_UP);
    if (path == NULL)
        return NULL;
    unsigned access = access_to(ctx, path, kind, argv[1]);
    if (kind == 't' && !ph_demand_links(ctx)) {
        free(path);
        path = NULL;
    } else {
        path = ph_permitted(ctx, path, access);
    }
    int flags = kind == 'o' ? take_integer(ctx, argv[1]) : kind == 'c' ? O_CREAT : 0;
    int status = path == NULL ? 0 : ph_pin(path, access, flags, pinned);
    if (status == PH_PIN_DENIED) {
        ph_denied(ctx, path, access);
        free(path);
        path = NULL;
    }
    if (path == NULL)
        r->denied = JS_GetException(ctx);
    if (status < 0 && r->failure == 0)
        r->failure = status;
    return path;
}

static const char* name_of_call(operation op) {
    return op == OP_FUTIME ? "futimes" : operations[op].name;
}

static bool take_descriptor(JSContext* ctx, request* r) {
    if (ph_demand_off(ctx, name_of_call(r->op)))
        return true;
    r->denied = JS_GetException(ctx);
    return false;
}

/* Reads the arguments; the number of them, or -1 and an exception or r->denied. */
static int take_arguments(JSContext* ctx, request* r, JSValueConst* argv) {
    int at = 0;
    int texts = 0;
    int integers = 0;
    int numbers = 0;
    for (const char* kind = operations[r->op].takes; *kind != '\0'; kind++) {
        switch (*kind) {
        case 'x':
            if (!take_descriptor(ctx, r))
                return -1;
            r->integer[integers++] = take_integer(ctx, argv[at++]);
            break;
        case 'i':
            r->integer[integers++] = take_integer(ctx, argv[at++]);
            break;
        case 'd':
            r->number[numbers++] = take_number(ctx, argv[at++]);
            break;
        case 'b':
            if (take_bytes(ctx, r, argv + at) != 0)
                return -1;
            at += 3;
            break;
        case 'v':
            if (take_list(ctx, r, argv[at++]) != 0)
                return -1;
            break;
        default:
            r->text[texts] = take_path(ctx, r, *kind, argv + at++, &r->pinned[texts]);
            if (r->text[texts++] == NULL)
                return -1;
        }
    }
    return at;
}

static int start_on_path(uv_loop_t* loop, request* r, uv_fs_cb done) {
    const char* a = ph_pinned_path(&r->pinned[0], r->text[0]);
    const char* b = ph_pinned_path(&r->pinned[1], r->text[1]);
    int x = r->integer[0];
    int y = r->integer[1];
    switch (r->op) {
    case OP_ACCESS:
        return uv_fs_access(loop, &r->uv, a, x, done);
    case OP_CHMOD:
        return uv_fs_chmod(loop, &r->uv, a, x, done);
    case OP_CHOWN:
        return uv_fs_chown(loop, &r->uv, a, (uv_uid_t)x, (uv_gid_t)y, done);
    case OP_COPYFILE:
        /* What is new is made, and nothing that came there meanwhile is written to. */
        x |= r->pinned[1].is_new ? UV_FS_COPYFILE_EXCL : 0;
        return uv_fs_copyfile(loop, &r->uv, a, b, x, done);
    case OP_LCHOWN:
        return uv_fs_lchown(loop, &r->uv, a, (uv_uid_t)x, (uv_gid_t)y, done);
    case OP_LINK:
        return uv_fs_link(loop, &r->uv, a, b, done);
    case OP_LSTAT:
        return uv_fs_lstat(loop, &r->uv, a, done);
    case OP_LUTIME:
        return uv_fs_lutime(loop, &r->uv, a, r->number[0], r->number[1], done);
    case OP_MKDIR:
        return uv_fs_mkdir(loop, &r->uv, a, x, done);
    case OP_MKDTEMP:
        return uv_fs_mkdtemp(loop, &r->uv, a, done);
    case OP_OPEN:
        return uv_fs_open(loop, &r->uv, a, ph_pinned_flags(&r->pinned[0], x), y, done);
    case OP_READLINK:
        return uv_fs_readlink(loop, &r->uv, a, done);
    case OP_REALPATH:
        return uv_fs_realpath(loop, &r->uv, a, done);
    case OP_RENAME:
        return uv_fs_rename(loop, &r->uv, a, b, done);
    case OP_RMDIR:
        return uv_fs_rmdir(loop, &r->uv, a, done);
    case OP_SCANDIR:
        return uv_fs_scandir(loop, &r->uv, a, 0, done);
    case OP_STAT:
        return uv_fs_stat(loop, &r->uv, a, done);
    case OP_STATFS:
        return uv_fs_statfs(loop, &r->uv, a, done);
    case OP_SYMLINK:
        return uv_fs_symlink(loop, &r->uv, a, b, x, done);
    case OP_UNLINK:
        return uv_fs_unlink(loop, &r->uv, a, done);
    default:
        return uv_fs_utime(loop, &r->uv, a, r->number[0], r->number[1], done);
    }
}

static int start(uv_loop_t* loop, request* r, uv_fs_cb done) {
    int fd = r->integer[0];
    switch (r->op) {
    case OP_CLOSE:
        if (!ph_may_close(fd))
            fd = -1;
        ph_open_files_remove(r->pending.env, fd);
        return uv_fs_close(loop, &r->uv, fd, done);
    case OP_FCHMOD:
        return uv_fs_fchmod(loop, &r->uv, fd, r->integer[1], done);
    case OP_FCHOWN:
        return uv_fs_fchown(loop, &r->uv, fd, (uv_uid_t)r->integer[1], (uv_gid_t)r->integer[2],
                            done);
    case OP_FDATASYNC:
        return uv_fs_fdatasync(loop, &r->uv, fd, done);
    case OP_FSTAT:
        return uv_fs_fstat(loop, &r->uv, fd, done);
    case OP_FSYNC:
        return uv_fs_fsync(loop, &r->uv, fd, done);
    case OP_FTRUNCATE:
        return uv_fs_ftruncate(loop, &r->uv, fd, (int64_t)r->number[0], done);
    case OP_FUTIME:
        return uv_fs_futime(loop, &r->uv, fd, r->number[0], r->number[1], done);
    case OP_READ:
    case OP_READV:
        return uv_fs_read(loop, &r->uv, fd, r->buffers, r->count, (int64_t)r->number[0], done);
    case OP_WRITE:
    case OP_WRITEV:
        return uv_fs_write(loop, &r->uv, fd, r->buffers, r->count, (int64_t)r->number[0], done);
    default:
        return start_on_path(loop, r, done);
    }
}

static void begin(JSContext* ctx, request* r, int op) {
    memset(r, 0, sizeof(*r));
    ph_pending_begin(ctx, &r->pending, JS_UNDEFINED, JS_UNDEFINED);
    r->op = (operation)op;
    r->denied = JS_UNDEFINED;
}

/* The refusal as an exception. */
static JSValue refuse(JSContext* ctx, request* r) {
    if (JS_IsUndefined(r->denied))
        return JS_EXCEPTION;
    return JS_Throw(ctx, JS_DupValue(ctx, r->denied));
}

/* The callback hears of a refusal as late as of anything else: a request that fails. */
static int start_refused(uv_loop_t* loop, request* r) {
    return uv_fs_fstat(loop, &r->uv, -1, on_done);
}

static int start_taken(uv_loop_t* loop, request* r) {
    return r->failure != 0 ? start_refused(loop, r) : start(loop, r, on_done);
}

static JSValue run_now(JSContext* ctx, JSValueConst* argv, int op, bool names_as_bytes) {
    request r;
    begin(ctx, &r, op);
    r.names_as_bytes = names_as_bytes;
    JSValue result = JS_EXCEPTION;
    if (take_arguments(ctx, &r, argv) < 0) {
        result = refuse(ctx, &r);
    } else {
        int status = r.failure != 0 ? r.failure : start(r.pending.env->loop, &r, NULL);
        note_file(&r, status);
        result = status < 0 ? JS_Throw(ctx, result_error(&r, status)) : result_value(&r);
    }
    release(&r);
    return result;
}

enum { MOST_ARGUMENTS = 6 };

static JSValue call(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int op) {
    (void)self;
    (void)argc;
    /* The callback's place follows the operation's own arguments. */
    int at = 0;
    for (const char* kind = operations[op].takes; *kind != '\0'; kind++)
        at += *kind == 'b' ? 3 : 1;
    bool names_as_bytes = at + 1 < MOST_ARGUMENTS && ph_flag(ctx, argv[at + 1]);
    if (!JS_IsFunction(ctx, argv[at]))
        return run_now(ctx, argv, op, names_as_bytes);
    request* r = malloc(sizeof(*r));
    if (r == NULL)
        return JS_ThrowOutOfMemory(ctx);
    begin(ctx, r, op);
    r->names_as_bytes = names_as_bytes;
    bool taken = take_arguments(ctx, r, argv) >= 0;
    if (!taken && (JS_IsUndefined(r->denied) || operations[op].denies_at_once)) {
        JSValue error = refuse(ctx, r);
        release(r);
        free(r);
        return error;
    }
    r->pending.callback = JS_DupValue(ctx, argv[at]);
    ph_pending_is(&r->pending, "FSREQCALLBACK", JS_UNDEFINED);
    uv_loop_t* loop = r->pending.env->loop;
    int status = taken ? start_taken(loop, r) : start_refused(loop, r);
    if (status < 0) {
        JSValue error = JS_Throw(ctx, result_error(r, status));
        release(r);
        free(r);
        return error;
    }
    ph_world_of(r->pending.env)->fs_requests++;
    return JS_UNDEFINED;
}

#define OPERATION(name, op) JS_CFUNC_MAGIC_DEF(name, MOST_ARGUMENTS, call, op)

JSValue ph_fs_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        OPERATION("access", OP_ACCESS),       OPERATION("chmod", OP_CHMOD),
        OPERATION("chown", OP_CHOWN),         OPERATION("close", OP_CLOSE),
        OPERATION("copyFile", OP_COPYFILE),   OPERATION("fchmod", OP_FCHMOD),
        OPERATION("fchown", OP_FCHOWN),       OPERATION("fdatasync", OP_FDATASYNC),
        OPERATION("fstat", OP_FSTAT),         OPERATION("fsync", OP_FSYNC),
        OPERATION("ftruncate", OP_FTRUNCATE), OPERATION("futimes", OP_FUTIME),
        OPERATION("lchown", OP_LCHOWN),       OPERATION("link", OP_LINK),
        OPERATION("lstat", OP_LSTAT),         OPERATION("lutimes", OP_LUTIME),
        OPERATION("mkdir", OP_MKDIR),         OPERATION("mkdtemp", OP_MKDTEMP),
        OPERATION("open", OP_OPEN),           OPERATION("read", OP_READ),
        OPERATION("readlink", OP_READLINK),   OPERATION("readv", OP_READV),
        OPERATION("realpath", OP_REALPATH),   OPERATION("rename", OP_RENAME),
        OPERATION("rmdir", OP_RMDIR),         OPERATION("scandir", OP_SCANDIR),
        OPERATION("stat", OP_STAT),           OPERATION("statfs", OP_STATFS),
        OPERATION("symlink", OP_SYMLINK),     OPERATION("unlink", OP_UNLINK),
        OPERATION("utimes", OP_UTIME),        OPERATION("write", OP_WRITE),
        OPERATION("writev", OP_WRITEV),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_fs_files_export(ctx, binding);
    return binding;
}
