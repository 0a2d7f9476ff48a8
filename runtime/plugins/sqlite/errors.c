/* Errors with the codes that programs look for. */
#include "bindings/worker.h"
#include "plugins/sqlite/sqlite.h"

JSValue sq_throw(JSContext* ctx, sqlite3* handle) {
    int status = sqlite3_extended_errcode(handle);
    /* What ends the worker is not for its handlers of errors. */
    if (ph_worker_should_stop(ph_env_of(ctx)))
        return ph_env_exit(ph_env_of(ctx), 1);
    JSValue error = JS_NewPlainError(ctx, "%s", sqlite3_errmsg(handle));
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_SQLITE_ERROR"));
    ph_set(ctx, error, "errcode", JS_NewInt32(ctx, status));
    ph_set(ctx, error, "errstr", JS_NewString(ctx, sqlite3_errstr(status)));
    return JS_Throw(ctx, error);
}

JSValue sq_throw_status(JSContext* ctx, int status, bool with_words) {
    JSValue error = JS_NewPlainError(ctx, "%s", sqlite3_errstr(status));
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_SQLITE_ERROR"));
    ph_set(ctx, error, "errcode", JS_NewInt32(ctx, status));
    if (with_words)
        ph_set(ctx, error, "errstr", JS_NewString(ctx, sqlite3_errstr(status)));
    return JS_Throw(ctx, error);
}

JSValue sq_throw_state(JSContext* ctx, const char* message) {
    JSValue error = JS_NewPlainError(ctx, "%s", message);
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_INVALID_STATE"));
    return JS_Throw(ctx, error);
}

sq_visit sq_enter(sq_database* database, JSValueConst functions) {
    sq_visit before = {database->functions};
    database->functions = functions;
    database->inside++;
    return before;
}

bool sq_leave(sq_database* database, sq_visit before) {
    database->functions = before.functions;
    database->inside--;
    if (JS_IsUndefined(database->thrown))
        return true;
    JSValue thrown = database->thrown;
    database->thrown = JS_UNDEFINED;
    JS_Throw(database->ctx, thrown);
    return false;
}
