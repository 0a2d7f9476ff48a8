/* Who the process is: user, group and the groups it belongs to. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bindings/bindings.h"
#include "bindings/handle.h"
#include "bindings/world.h"

enum { USER, GROUP };
enum { SET_USER, SET_EFFECTIVE_USER, SET_GROUP, SET_EFFECTIVE_GROUP };

/* idOf(name): the number of a user or group; undefined if there is none. */
static JSValue id_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    JSValue id = JS_UNDEFINED;
    const struct passwd* user = magic == USER ? getpwnam(name) : NULL;
    const struct group* group = magic == GROUP ? getgrnam(name) : NULL;
    if (user != NULL)
        id = JS_NewInt64(ctx, user->pw_uid);
    else if (group != NULL)
        id = JS_NewInt64(ctx, group->gr_gid);
    JS_FreeCString(ctx, name);
    return id;
}

static JSValue result_of(JSContext* ctx, int result, const char* call) {
    return result == 0 ? JS_UNDEFINED
                       : ph_throw(ctx, uv_translate_sys_error(errno), call, NULL, NULL);
}

static JSValue set_id(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    int64_t number = 0;
    if (JS_ToInt64(ctx, &number, argv[0]) != 0)
        return JS_EXCEPTION;
    uint32_t id = (uint32_t)number;
    switch (magic) {
    case SET_USER:
        return result_of(ctx, setuid(id), "setuid");
    case SET_EFFECTIVE_USER:
        return result_of(ctx, seteuid(id), "seteuid");
    case SET_GROUP:
        return result_of(ctx, setgid(id), "setgid");
    default:
        return result_of(ctx, setegid(id), "setegid");
    }
}

/* setGroups(ids) */
static JSValue set_groups(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int64_t count = 0;
    if (JS_GetLength(ctx, argv[0], &count) != 0)
        return JS_EXCEPTION;
    gid_t* ids = calloc((size_t)count + 1, sizeof(*ids));
    if (ids == NULL)
        return JS_ThrowOutOfMemory(ctx);
    for (int64_t i = 0; i < count; i++) {
        JSValue item = JS_GetPropertyInt64(ctx, argv[0], i);
        int64_t id = 0;
        JS_ToInt64(ctx, &id, item);
        JS_FreeValue(ctx, item);
        ids[i] = (gid_t)id;
    }
    int result = setgroups((size_t)count, ids);
    free(ids);
    return result_of(ctx, result, "setgroups");
}

/* initGroups(user's name or number, group): undefined user gives false. */
static JSValue init_groups(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int64_t group = 0;
    if (JS_ToInt64(ctx, &group, argv[1]) != 0)
        return JS_EXCEPTION;
    if (JS_IsNumber(argv[0])) {
        int64_t id = 0;
        JS_ToInt64(ctx, &id, argv[0]);
        const struct passwd* user = getpwuid((uid_t)id);
        if (user == NULL)
            return JS_FALSE;
        return result_of(ctx, initgroups(user->pw_name, (gid_t)group), "initgroups");
    }
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    int result = getpwnam(name) == NULL ? 1 : initgroups(name, (gid_t)group);
    JS_FreeCString(ctx, name);
    return result == 1 ? JS_FALSE : result_of(ctx, result, "initgroups");
}

static const char* resource_name(const uv_handle_t* handle) {
    switch (handle->type) {
    case UV_TCP:
        return uv_is_readable((const uv_stream_t*)handle) ? "TCPSocketWrap" : "TCPServerWrap";
    case UV_NAMED_PIPE:
        return "PipeWrap";
    case UV_TTY:
        return "TTYWrap";
    case UV_UDP:
        return "UDPWrap";
    case UV_PROCESS:
        return "ProcessWrap";
    case UV_FS_EVENT:
        return "FSEventWrap";
    case UV_FS_POLL:
        return "StatWatcher";
    case UV_SIGNAL:
        return "SignalWrap";
    default:
        return NULL;
    }
}

typedef struct {
    JSContext* ctx;
    JSValue list;
    uint32_t count;
} walk;

/* Sockets count before they read, too. */
static bool counts(const uv_handle_t* handle) {
    return handle->data != NULL && uv_has_ref(handle) && !uv_is_closing(handle) &&
           (uv_is_active(handle) || handle->type == UV_TCP);
}

static void add_resource(uv_handle_t* handle, void* arg) {
    walk* w = arg;
    const char* name = resource_name(handle);
    if (name != NULL && counts(handle))
        JS_SetPropertyUint32(w->ctx, w->list, w->count++, JS_NewString(w->ctx, name));
}

/* Whom the handle belongs to, or the handle itself. */
static void add_owner(uv_handle_t* uv, void* arg) {
    walk* w = arg;
    if (resource_name(uv) == NULL || !counts(uv))
        return;
    const ph_handle* handle = uv->data;
    JSValueConst owner = JS_IsObject(handle->owner) ? handle->owner : handle->self;
    JS_SetPropertyUint32(w->ctx, w->list, w->count++, JS_DupValue(w->ctx, owner));
}

enum { NAMES, OWNERS };

/* handles(): the names of the handles that keep the program alive; owners(): whose they are. */
static JSValue handles(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    (void)argv;
    walk w = {ctx, JS_NewArray(ctx), 0};
    uv_walk(ph_env_of(ctx)->loop, magic == NAMES ? add_resource : add_owner, &w);
    return w.list;
}

/* How many requests to files are under way. */
static JSValue file_requests(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewInt64(ctx, (int64_t)ph_world_of(ph_env_of(ctx))->fs_requests);
}

JSValue ph_identity_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("userId", 1, id_of, USER),
        JS_CFUNC_MAGIC_DEF("groupId", 1, id_of, GROUP),
        JS_CFUNC_MAGIC_DEF("setuid", 1, set_id, SET_USER),
        JS_CFUNC_MAGIC_DEF("seteuid", 1, set_id, SET_EFFECTIVE_USER),
        JS_CFUNC_MAGIC_DEF("setgid", 1, set_id, SET_GROUP),
        JS_CFUNC_MAGIC_DEF("setegid", 1, set_id, SET_EFFECTIVE_GROUP),
        JS_CFUNC_DEF("setGroups", 1, set_groups),
        JS_CFUNC_DEF("initGroups", 2, init_groups),
        JS_CFUNC_MAGIC_DEF("handles", 0, handles, NAMES),
        JS_CFUNC_MAGIC_DEF("owners", 0, handles, OWNERS),
        JS_CFUNC_DEF("fileRequests", 0, file_requests),
    };
    return PH_EXPORT(ctx, functions);
}
