/* Sessions record changes; changesets are applied elsewhere. Not every SQLite has them. */
#include <stdlib.h>
#include <string.h>

#include "plugins/sqlite/sqlite.h"

#pragma weak sqlite3session_create
#pragma weak sqlite3session_attach
#pragma weak sqlite3session_delete
#pragma weak sqlite3session_changeset
#pragma weak sqlite3session_patchset
#pragma weak sqlite3changeset_apply

typedef struct {
    sq_part part; /* first */
    sqlite3_session* handle;
} session;

static void end_session(sq_part* part) {
    session* made = (session*)part;
    sqlite3session_delete(made->handle);
    made->handle = NULL;
}

static void release(void* content) {
    session* made = content;
    sq_part_end(&made->part);
    free(made);
}

static const ph_box_kind session_kind = {"session", release};

static bool is_there(JSContext* ctx) {
    if (sqlite3session_create != NULL && sqlite3changeset_apply != NULL)
        return true;
    JSValue error = JS_NewPlainError(ctx, "This machine's SQLite has no sessions");
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"));
    JS_Throw(ctx, error);
    return false;
}

/* createSession(database, name of the database, table or undefined for all) */
SQ_FUNCTION(create_session) {
    SQ_UNUSED_ARGUMENTS;
    if (!is_there(ctx))
        return JS_EXCEPTION;
    const char* name = JS_ToCString(ctx, argv[1]);
    const char* table = JS_IsUndefined(argv[2]) ? NULL : JS_ToCString(ctx, argv[2]);
    bool usable = name != NULL && (table != NULL || JS_IsUndefined(argv[2]));
    sq_database* database = usable ? sq_database_of(ctx, argv[0]) : NULL;
    session* made = database == NULL ? NULL : calloc(1, sizeof(*made));
    JSValue result = JS_EXCEPTION;
    if (made != NULL) {
        int status = sqlite3session_create(database->handle, name, &made->handle);
        if (status == SQLITE_OK)
            status = sqlite3session_attach(made->handle, table);
        if (status == SQLITE_OK) {
            made->part.end = end_session;
            sq_part_add(database, &made->part);
            result = ph_box(ctx, &session_kind, made);
        } else {
            sqlite3session_delete(made->handle);
            free(made);
            sq_throw(ctx, database->handle);
        }
    }
    JS_FreeCString(ctx, name);
    JS_FreeCString(ctx, table);
    return result;
}

/* changes(session, a patchset?) */
SQ_FUNCTION(changes) {
    SQ_UNUSED_ARGUMENTS;
    session* made = ph_box_content(ctx, argv[0], &session_kind);
    if (made == NULL)
        return JS_EXCEPTION;
    if (made->handle == NULL)
        return sq_throw_state(ctx, "session is not open");
    int size = 0;
    void* bytes = NULL;
    int status = ph_flag(ctx, argv[1]) ? sqlite3session_patchset(made->handle, &size, &bytes)
                                       : sqlite3session_changeset(made->handle, &size, &bytes);
    JSValue result =
        status != SQLITE_OK
            ? sq_throw(ctx, made->part.owner->handle)
            : JS_NewUint8ArrayCopy(ctx, bytes == NULL ? (uint8_t*)"" : bytes, (size_t)size);
    sqlite3_free(bytes);
    return result;
}

SQ_FUNCTION(close_session) {
    SQ_UNUSED_ARGUMENTS;
    session* made = ph_box_content(ctx, argv[0], &session_kind);
    if (made == NULL)
        return JS_EXCEPTION;
    if (made->handle == NULL)
        return sq_throw_state(ctx, "session is not open");
    if (made->part.owner->inside > 0)
        return sq_throw_state(ctx, "database is in use");
    sq_part_end(&made->part);
    return JS_UNDEFINED;
}

typedef struct {
    sq_database* database;
    JSValueConst filter;
    JSValueConst on_conflict;
} application;

static void keep_exception(sq_database* database) {
    JSValue thrown = JS_GetException(database->ctx);
    if (JS_IsUndefined(database->thrown))
        database->thrown = thrown;
    else
        JS_FreeValue(database->ctx, thrown);
}

static int on_filter(void* arg, const char* table) {
    application* one = arg;
    JSContext* ctx = one->database->ctx;
    if (!JS_IsFunction(ctx, one->filter))
        return 1;
    if (!JS_IsUndefined(one->database->thrown))
        return 0;
    JSValue name = JS_NewString(ctx, table);
    JSValue wanted = JS_Call(ctx, one->filter, JS_UNDEFINED, 1, (JSValueConst*)&name);
    JS_FreeValue(ctx, name);
    if (JS_IsException(wanted)) {
        keep_exception(one->database);
        return 0;
    }
    int result = JS_ToBool(ctx, wanted);
    JS_FreeValue(ctx, wanted);
    return result > 0;
}

static int on_conflict(void* arg, int kind, sqlite3_changeset_iter* changes_left) {
    (void)changes_left;
    application* one = arg;
    JSContext* ctx = one->database->ctx;
    if (!JS_IsFunction(ctx, one->on_conflict) || !JS_IsUndefined(one->database->thrown))
        return SQLITE_CHANGESET_ABORT;
    JSValue what = JS_NewInt32(ctx, kind);
    JSValue answer = JS_Call(ctx, one->on_conflict, JS_UNDEFINED, 1, (JSValueConst*)&what);
    if (JS_IsException(answer)) {
        keep_exception(one->database);
        return SQLITE_CHANGESET_ABORT;
    }
    int result = ph_int(ctx, answer, -1);
    JS_FreeValue(ctx, answer);
    return result; /* SQLite refuses what it does not know */
}

/* applyChangeset(database, functions, bytes, filter, onConflict): was it applied? */
SQ_FUNCTION(apply) {
    SQ_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    sq_database* database = is_there(ctx) ? sq_database_of(ctx, argv[0]) : NULL;
    if (database == NULL || ph_bytes(ctx, argv[2], &bytes, &length) != 0)
        return JS_EXCEPTION;
    if (length > INT32_MAX)
        return JS_ThrowRangeError(ctx, "the changeset is too large");
    /* A copy: callbacks may change or detach the bytes. */
    void* copy = malloc(length + 1);
    if (copy == NULL)
        return JS_ThrowOutOfMemory(ctx);
    memcpy(copy, bytes, length);
    application one = {database, argv[3], argv[4]};
    sq_visit before = sq_enter(database, argv[1]);
    int status =
        sqlite3changeset_apply(database->handle, (int)length, copy, on_filter, on_conflict, &one);
    free(copy);
    if (!sq_leave(database, before))
        return JS_EXCEPTION;
    if (status == SQLITE_OK || status == SQLITE_ABORT)
        return JS_NewBool(ctx, status == SQLITE_OK);
    return sq_throw_status(ctx, status, false);
}

void sq_export_sessions(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("createSession", 3, create_session),
        JS_CFUNC_DEF("changes", 2, changes),
        JS_CFUNC_DEF("closeSession", 1, close_session),
        JS_CFUNC_DEF("applyChangeset", 5, apply),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
