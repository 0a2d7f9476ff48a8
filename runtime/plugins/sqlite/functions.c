/* Functions and aggregates of programs. Each is an entry of the list that calls bring along: a
 * function, or for an aggregate an object with start, step, inverse and result. */
#include <stdlib.h>
#include <string.h>

#include "plugins/sqlite/sqlite.h"

typedef struct {
    sq_database* owner;
    uint32_t place; /* in the list */
    bool bigints;
} user_function;

/* What SQLite keeps for one group of rows: the value so far, with a reference of ours. */
typedef struct {
    bool has_begun;
    JSValue value;
} group;

/* The first exception is what the caller gets; SQLite only hears that something went wrong. */
static void fail(sq_database* database, sqlite3_context* call) {
    JSValue thrown = JS_GetException(database->ctx);
    if (JS_IsUndefined(database->thrown))
        database->thrown = thrown;
    else
        JS_FreeValue(database->ctx, thrown);
    sqlite3_result_error(call, "", 0);
}

static JSValue entry_of(const user_function* made) {
    return JS_GetPropertyUint32(made->owner->ctx, made->owner->functions, made->place);
}

/* Calls with what is there first, if anything, and SQLite's arguments. */
static JSValue call_with(const user_function* made, JSValueConst function, const JSValue* first,
                         int count, sqlite3_value** values) {
    JSContext* ctx = made->owner->ctx;
    int before = first == NULL ? 0 : 1;
    JSValue* args = calloc((size_t)(count + before) + 1, sizeof(*args));
    if (args == NULL)
        return JS_ThrowOutOfMemory(ctx);
    int given = 0;
    if (first != NULL)
        args[given++] = JS_DupValue(ctx, *first);
    JSValue result = JS_UNDEFINED;
    for (int i = 0; i < count && !JS_IsException(result); i++) {
        JSValue value = sq_argument(ctx, values[i], made->bigints);
        if (JS_IsException(value))
            result = value;
        else
            args[given++] = value;
    }
    if (!JS_IsException(result))
        result = JS_Call(ctx, function, JS_UNDEFINED, given, (JSValueConst*)args);
    for (int i = 0; i < given; i++)
        JS_FreeValue(ctx, args[i]);
    free(args);
    return result;
}

static void give(sq_database* database, sqlite3_context* call, JSValue result_owned) {
    if (JS_IsException(result_owned)) {
        fail(database, call);
        return;
    }
    sq_result(database->ctx, call, result_owned);
    JS_FreeValue(database->ctx, result_owned);
}

static void on_call(sqlite3_context* call, int count, sqlite3_value** values) {
    const user_function* made = sqlite3_user_data(call);
    JSValue function = entry_of(made);
    JSValue result =
        JS_IsException(function) ? JS_EXCEPTION : call_with(made, function, NULL, count, values);
    JS_FreeValue(made->owner->ctx, function);
    give(made->owner, call, result);
}

static bool begin(const user_function* made, group* rows, JSValueConst entry) {
    JSContext* ctx = made->owner->ctx;
    if (rows->has_begun)
        return true;
    JSValue start = JS_GetPropertyStr(ctx, entry, "start");
    if (JS_IsFunction(ctx, start)) {
        JSValue value = JS_Call(ctx, start, JS_UNDEFINED, 0, NULL);
        JS_FreeValue(ctx, start);
        start = value;
    }
    if (JS_IsException(start))
        return false;
    rows->value = start;
    rows->has_begun = true;
    return true;
}

static void advance(sqlite3_context* call, int count, sqlite3_value** values, const char* how) {
    const user_function* made = sqlite3_user_data(call);
    JSContext* ctx = made->owner->ctx;
    group* rows = sqlite3_aggregate_context(call, sizeof(*rows));
    if (rows == NULL) {
        sqlite3_result_error_nomem(call);
        return;
    }
    JSValue entry = entry_of(made);
    JSValue step = JS_IsException(entry) ? JS_EXCEPTION : JS_GetPropertyStr(ctx, entry, how);
    JSValue next = JS_IsException(step) || !begin(made, rows, entry)
                       ? JS_EXCEPTION
                       : call_with(made, step, &rows->value, count, values);
    JS_FreeValue(ctx, step);
    JS_FreeValue(ctx, entry);
    if (JS_IsException(next)) {
        fail(made->owner, call);
        return;
    }
    JS_FreeValue(ctx, rows->value);
    rows->value = next;
}

static void on_step(sqlite3_context* call, int count, sqlite3_value** values) {
    advance(call, count, values, "step");
}

static void on_inverse(sqlite3_context* call, int count, sqlite3_value** values) {
    advance(call, count, values, "inverse");
}

static void on_value(sqlite3_context* call) {
    const user_function* made = sqlite3_user_data(call);
    JSContext* ctx = made->owner->ctx;
    group* rows = sqlite3_aggregate_context(call, sizeof(*rows));
    if (rows == NULL) {
        sqlite3_result_error_nomem(call);
        return;
    }
    JSValue entry = entry_of(made);
    JSValue result = JS_EXCEPTION;
    if (!JS_IsException(entry) && begin(made, rows, entry)) {
        JSValue finish = JS_GetPropertyStr(ctx, entry, "result");
        result = JS_IsFunction(ctx, finish) ? call_with(made, finish, &rows->value, 0, NULL)
                                            : JS_DupValue(ctx, rows->value);
        JS_FreeValue(ctx, finish);
    }
    JS_FreeValue(ctx, entry);
    give(made->owner, call, result);
}

/* Called for every group that was begun, even if something failed. */
static void on_final(sqlite3_context* call) {
    const user_function* made = sqlite3_user_data(call);
    if (made->owner->quiet == 0 && JS_IsUndefined(made->owner->thrown))
        on_value(call);
    group* rows = sqlite3_aggregate_context(call, 0);
    if (rows != NULL && rows->has_begun)
        JS_FreeValue(made->owner->ctx, rows->value);
    if (rows != NULL)
        memset(rows, 0, sizeof(*rows));
}

static user_function* make(JSContext* ctx, sq_database* database, JSValueConst* argv) {
    user_function* made = calloc(1, sizeof(*made));
    if (made == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    made->owner = database;
    made->place = (uint32_t)ph_index(ctx, argv[4], 0, UINT32_MAX);
    made->bigints = ph_flag(ctx, argv[5]);
    return made;
}

/* define(database, name, arguments or -1, flags, place, BigInts?, kind): kind 0 is a function, 1
 * an aggregate, 2 one for windows */
SQ_FUNCTION(define) {
    SQ_UNUSED_ARGUMENTS;
    const char* name = JS_ToCString(ctx, argv[1]);
    sq_database* database = name == NULL ? NULL : sq_database_of(ctx, argv[0]);
    user_function* made = database == NULL ? NULL : make(ctx, database, argv);
    int status = -1;
    if (made != NULL) {
        int count = ph_int(ctx, argv[2], -1);
        int flags =
            SQLITE_UTF8 | (ph_int(ctx, argv[3], 0) & (SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY));
        int kind = ph_int(ctx, argv[6], 0);
        /* SQLite frees what it was given, on failure too. */
        if (kind == 0)
            status = sqlite3_create_function_v2(database->handle, name, count, flags, made, on_call,
                                                NULL, NULL, free);
        else
            status = sqlite3_create_window_function(database->handle, name, count, flags, made,
                                                    on_step, on_final, kind == 2 ? on_value : NULL,
                                                    kind == 2 ? on_inverse : NULL, free);
    }
    JS_FreeCString(ctx, name);
    if (status == SQLITE_OK)
        return JS_UNDEFINED;
    return made == NULL ? JS_EXCEPTION : sq_throw(ctx, database->handle);
}

void sq_export_functions(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {JS_CFUNC_DEF("define", 7, define)};
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
