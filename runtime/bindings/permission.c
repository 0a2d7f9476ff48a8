#include "bindings/permission.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "bindings/granted.h"
#include "bindings/world.h"

static struct {
    bool on;
    bool may[PH_MAY_INSPECT + 1];
    ph_granted reads;
    ph_granted writes;
} model;

static const char* const names[] = {
    [PH_MAY_CHILD] = "ChildProcess", [PH_MAY_WORKER] = "WorkerThreads", [PH_MAY_WASI] = "WASI",
    [PH_MAY_ADDONS] = "Addon",       [PH_MAY_INSPECT] = "Inspector",
};

bool ph_is_permission_on(void) {
    return model.on;
}

bool ph_has_all_files(void) {
    return !model.on || (model.reads.all && model.writes.all);
}

bool ph_has_all_of(unsigned access) {
    return !model.on || (((access & PH_READ) == 0 || model.reads.all) &&
                         ((access & PH_WRITE) == 0 || model.writes.all));
}

bool ph_may_use_place(const char* place, unsigned access) {
    return ((access & PH_READ) == 0 || ph_granted_has_place(&model.reads, place)) &&
           ((access & PH_WRITE) == 0 || ph_granted_has_place(&model.writes, place));
}

static bool covers(unsigned access, const char* path, unsigned wanted) {
    const ph_granted* list = wanted == PH_READ ? &model.reads : &model.writes;
    return (access & wanted) == 0 || ph_granted_covers(list, path, (access & PH_ITSELF) == 0);
}

bool ph_may_use(const char* path, unsigned access) {
    return !model.on || (covers(access, path, PH_READ) && covers(access, path, PH_WRITE));
}

static bool deny(JSContext* ctx, const char* message, const char* permission,
                 const char* resource) {
    JSValue error = JS_NewPlainError(ctx, "%s", message);
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_ACCESS_DENIED"));
    ph_set(ctx, error, "permission", JS_NewString(ctx, permission));
    ph_set(ctx, error, "resource", JS_NewString(ctx, resource));
    JS_Throw(ctx, error);
    return false;
}

static const char* const restricted = "Access to this API has been restricted";

static bool demand_files(JSContext* ctx, const char* path, unsigned access) {
    if (!covers(access, path, PH_READ))
        return deny(ctx, restricted, "FileSystemRead", path);
    return covers(access, path, PH_WRITE) || deny(ctx, restricted, "FileSystemWrite", path);
}

JSValue ph_denied(JSContext* ctx, const char* path, unsigned access) {
    deny(ctx, restricted, (access & PH_READ) != 0 ? "FileSystemRead" : "FileSystemWrite", path);
    return JS_EXCEPTION;
}

char* ph_permitted(JSContext* ctx, char* path_owned, unsigned access) {
    if (access == PH_LOOK_UP || ph_has_all_files() || demand_files(ctx, path_owned, access))
        return path_owned;
    free(path_owned);
    return NULL;
}

char* ph_bound(JSContext* ctx, char* path_owned) {
    if (path_owned == NULL || path_owned[0] == '/' || path_owned[0] == '\0' || ph_has_all_files())
        return path_owned;
    char* absolute = ph_granted_absolute(path_owned);
    free(path_owned);
    if (absolute == NULL)
        JS_ThrowOutOfMemory(ctx);
    return absolute;
}

bool ph_demand(JSContext* ctx, ph_may_do what, const char* resource) {
    return !model.on || model.may[what] || deny(ctx, restricted, names[what], resource);
}

bool ph_demand_off(JSContext* ctx, const char* name) {
    if (!model.on)
        return true;
    char message[96];
    snprintf(message, sizeof(message), "%s API is disabled when Permission Model is enabled.",
             name);
    return deny(ctx, message, "", "");
}

/* Where a link leads is not known when it is made: a relative one can be moved afterwards. */
bool ph_demand_links(JSContext* ctx) {
    return ph_has_all_files() ||
           deny(ctx, "fs.symlink API requires full fs.read and fs.write permissions.", "", "");
}

unsigned ph_access_of_flags(int flags) {
    unsigned access = (flags & O_ACCMODE) == O_WRONLY ? 0 : PH_READ;
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC | O_APPEND)) != 0;
#ifdef __O_TMPFILE
    writes = writes || (flags & __O_TMPFILE) != 0;
#endif
    return access | (writes ? PH_WRITE : 0);
}

static bool take_list(JSContext* ctx, ph_granted* list, JSValueConst given) {
    int64_t length = 0;
    if (JS_GetLength(ctx, given, &length) != 0)
        return false;
    for (int64_t i = 0; i < length; i++) {
        JSValue one = JS_GetPropertyInt64(ctx, given, i);
        char* path = ph_path(ctx, one, PH_LOOK_UP);
        JS_FreeValue(ctx, one);
        bool added = path != NULL && ph_granted_add(list, path);
        free(path);
        if (!added)
            return false;
    }
    return true;
}

/* enable(reads, writes, child?, worker?, wasi?, addons?), once */
static JSValue enable(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (model.on || ph_world_of(ph_env_of(ctx))->worker != NULL)
        return JS_ThrowTypeError(ctx, "permissions are set once");
    if (!take_list(ctx, &model.reads, argv[0]) || !take_list(ctx, &model.writes, argv[1]))
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_ThrowOutOfMemory(ctx);
    for (int i = PH_MAY_CHILD; i < PH_MAY_INSPECT; i++)
        model.may[i] = ph_flag(ctx, argv[2 + i]);
    model.on = true;
    return JS_UNDEFINED;
}

static JSValue is_on(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewBool(ctx, model.on);
}

/* mayUse(path or undefined, access): without a path, everything of that kind */
static JSValue may_use(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    unsigned access = (unsigned)ph_int(ctx, argv[1], PH_READ | PH_WRITE);
    if (JS_IsUndefined(argv[0]))
        return JS_NewBool(ctx, ph_has_all_of(access));
    char* path = ph_path(ctx, argv[0], PH_LOOK_UP);
    if (path == NULL)
        return JS_EXCEPTION;
    bool may = ph_may_use(path, access);
    free(path);
    return JS_NewBool(ctx, may);
}

static bool is_kind(int kind) {
    return kind >= PH_MAY_CHILD && kind <= PH_MAY_INSPECT;
}

static JSValue may_do(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int kind = ph_int(ctx, argv[0], -1);
    return JS_NewBool(ctx, !model.on || (is_kind(kind) && model.may[kind]));
}

/* demand(kind, resource) throws */
static JSValue demand(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int kind = ph_int(ctx, argv[0], -1);
    const char* resource = JS_IsString(argv[1]) ? JS_ToCString(ctx, argv[1]) : NULL;
    bool may = is_kind(kind) && ph_demand(ctx, (ph_may_do)kind, resource == NULL ? "" : resource);
    JS_FreeCString(ctx, resource);
    return may ? JS_UNDEFINED : JS_EXCEPTION;
}

/* demandPath(path, access) throws */
static JSValue demand_path(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    char* path = ph_path(ctx, argv[0], (unsigned)ph_int(ctx, argv[1], PH_READ | PH_WRITE));
    bool may = path != NULL;
    free(path);
    return may ? JS_UNDEFINED : JS_EXCEPTION;
}

JSValue ph_permission_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("enable", 6, enable),  JS_CFUNC_DEF("isOn", 0, is_on),
        JS_CFUNC_DEF("mayUse", 2, may_use), JS_CFUNC_DEF("mayDo", 1, may_do),
        JS_CFUNC_DEF("demand", 2, demand),  JS_CFUNC_DEF("demandPath", 2, demand_path),
    };
    return PH_EXPORT(ctx, functions);
}
