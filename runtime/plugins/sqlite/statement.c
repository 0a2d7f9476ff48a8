/* Statements: bound, stepped, read. */
#include <stdlib.h>
#include <string.h>

#include "plugins/sqlite/sqlite.h"

static void end_statement(sq_part* part) {
    sq_statement* statement = (sq_statement*)part;
    part->owner->quiet++;
    sqlite3_finalize(statement->handle);
    part->owner->quiet--;
    statement->handle = NULL;
}

void sq_reset(sq_statement* statement) {
    statement->part.owner->quiet++;
    sqlite3_reset(statement->handle);
    statement->part.owner->quiet--;
}

static void release(void* content) {
    sq_statement* statement = content;
    sq_part_end(&statement->part);
    free(statement);
}

static const ph_box_kind statement_kind = {"statement", release};

sq_statement* sq_statement_of(JSContext* ctx, JSValueConst value) {
    sq_statement* statement = ph_box_content(ctx, value, &statement_kind);
    if (statement == NULL)
        return NULL;
    if (statement->handle != NULL && !statement->busy)
        return statement;
    sq_throw_state(ctx, statement->busy ? "statement is in use" : "statement has been finalized");
    return NULL;
}

/* prepare(database, functions, sql): null if there is nothing to do in it */
SQ_FUNCTION(prepare) {
    SQ_UNUSED_ARGUMENTS;
    const char* sql = JS_ToCString(ctx, argv[2]);
    sq_database* database = sql == NULL ? NULL : sq_database_of(ctx, argv[0]);
    if (database == NULL) {
        JS_FreeCString(ctx, sql);
        return JS_EXCEPTION;
    }
    sqlite3_stmt* handle = NULL;
    sq_visit before = sq_enter(database, argv[1]);
    int status = sqlite3_prepare_v2(database->handle, sql, -1, &handle, NULL);
    JS_FreeCString(ctx, sql);
    bool went = sq_leave(database, before);
    sq_statement* statement = handle == NULL ? NULL : calloc(1, sizeof(*statement));
    if (statement == NULL || !went) {
        sqlite3_finalize(handle);
        free(statement);
        return !went                 ? JS_EXCEPTION
               : status != SQLITE_OK ? sq_throw(ctx, database->handle)
               : handle != NULL      ? JS_ThrowOutOfMemory(ctx)
                                     : JS_NULL;
    }
    statement->handle = handle;
    statement->part.end = end_statement;
    sq_part_add(database, &statement->part);
    return ph_box(ctx, &statement_kind, statement);
}

/* bind(statement, [index, value, ...]): all others are null */
SQ_FUNCTION(bind_all) {
    SQ_UNUSED_ARGUMENTS;
    int64_t length = 0;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    if (statement == NULL || JS_GetLength(ctx, argv[1], &length) != 0)
        return JS_EXCEPTION;
    statement = sq_statement_of(ctx, argv[0]); /* a getter may have done anything */
    if (statement == NULL)
        return JS_EXCEPTION;
    sq_reset(statement);
    sqlite3_clear_bindings(statement->handle);
    for (int64_t i = 0; i + 1 < length; i += 2) {
        JSValue index = JS_GetPropertyInt64(ctx, argv[1], i);
        JSValue value = JS_GetPropertyInt64(ctx, argv[1], i + 1);
        statement =
            JS_IsException(index) || JS_IsException(value) ? NULL : sq_statement_of(ctx, argv[0]);
        int status =
            statement == NULL ? -1 : sq_bind(ctx, statement->handle, ph_int(ctx, index, 0), value);
        JS_FreeValue(ctx, index);
        JS_FreeValue(ctx, value);
        if (status > SQLITE_OK)
            return sq_throw(ctx, statement->part.owner->handle);
        if (status != SQLITE_OK)
            return JS_EXCEPTION;
    }
    return JS_UNDEFINED;
}

/* One step: SQLITE_ROW, SQLITE_DONE, or -1 and an exception. */
static int step(JSContext* ctx, sq_statement* statement, JSValueConst functions) {
    sq_database* database = statement->part.owner;
    statement->busy = true;
    sq_visit before = sq_enter(database, functions);
    int status = sqlite3_step(statement->handle);
    statement->busy = false;
    bool went = sq_leave(database, before);
    if (went && (status == SQLITE_ROW || status == SQLITE_DONE))
        return status;
    if (went)
        sq_throw(ctx, database->handle);
    sq_reset(statement);
    return -1;
}

enum { BIGINTS = 1, ARRAYS = 2 };

static JSValue row_value(JSContext* ctx, sqlite3_stmt* handle, int flags) {
    int count = sqlite3_data_count(handle);
    bool is_array = (flags & ARRAYS) != 0;
    JSValue row = is_array ? JS_NewArray(ctx) : JS_NewObjectProto(ctx, JS_NULL);
    for (int i = 0; i < count && !JS_IsException(row); i++) {
        JSValue value = sq_column(ctx, handle, i, (flags & BIGINTS) != 0);
        int status = -1;
        if (JS_IsException(value))
            ;
        else if (is_array)
            status = JS_DefinePropertyValueUint32(ctx, row, (uint32_t)i, value, JS_PROP_C_W_E);
        else
            status = JS_DefinePropertyValueStr(ctx, row, sqlite3_column_name(handle, i), value,
                                               JS_PROP_C_W_E);
        if (status < 0) {
            JS_FreeValue(ctx, row);
            row = JS_EXCEPTION;
        }
    }
    return row;
}

/* step(statement, functions, flags): a row, or undefined at the end, where it is reset */
SQ_FUNCTION(step_once) {
    SQ_UNUSED_ARGUMENTS;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    int status = statement == NULL ? -1 : step(ctx, statement, argv[1]);
    if (status == SQLITE_ROW)
        return row_value(ctx, statement->handle, ph_int(ctx, argv[2], 0));
    if (status == SQLITE_DONE)
        sq_reset(statement);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

/* all(statement, functions, flags): the rows */
SQ_FUNCTION(all) {
    SQ_UNUSED_ARGUMENTS;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    if (statement == NULL)
        return JS_EXCEPTION;
    int flags = ph_int(ctx, argv[2], 0);
    JSValue rows = JS_NewArray(ctx);
    int status;
    for (uint32_t i = 0; (status = step(ctx, statement, argv[1])) == SQLITE_ROW; i++) {
        JSValue row = row_value(ctx, statement->handle, flags);
        if (JS_IsException(row) || JS_SetPropertyUint32(ctx, rows, i, row) < 0) {
            status = -1;
            break;
        }
    }
    sq_reset(statement);
    if (status == SQLITE_DONE)
        return rows;
    JS_FreeValue(ctx, rows);
    return JS_EXCEPTION;
}

/* run(statement, functions, flags): { changes, lastInsertRowid } */
SQ_FUNCTION(run) {
    SQ_UNUSED_ARGUMENTS;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    if (statement == NULL)
        return JS_EXCEPTION;
    int status;
    do
        status = step(ctx, statement, argv[1]);
    while (status == SQLITE_ROW);
    sq_reset(statement);
    if (status < 0)
        return JS_EXCEPTION;
    sqlite3* handle = statement->part.owner->handle;
    int64_t changes = sqlite3_changes64(handle);
    int64_t row = sqlite3_last_insert_rowid(handle);
    bool bigints = (ph_int(ctx, argv[2], 0) & BIGINTS) != 0;
    JSValue result = JS_NewObject(ctx);
    ph_set(ctx, result, "changes",
           bigints ? JS_NewBigInt64(ctx, changes) : JS_NewInt64(ctx, changes));
    ph_set(ctx, result, "lastInsertRowid",
           bigints ? JS_NewBigInt64(ctx, row) : JS_NewInt64(ctx, row));
    return result;
}

SQ_FUNCTION(reset) {
    SQ_UNUSED_ARGUMENTS;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    if (statement == NULL)
        return JS_EXCEPTION;
    sq_reset(statement);
    return JS_UNDEFINED;
}

static JSValue text_or_null(JSContext* ctx, const char* text) {
    return text == NULL ? JS_NULL : JS_NewString(ctx, text);
}

SQ_FUNCTION(columns) {
    SQ_UNUSED_ARGUMENTS;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    if (statement == NULL)
        return JS_EXCEPTION;
    sqlite3_stmt* handle = statement->handle;
    JSValue list = JS_NewArray(ctx);
    for (int i = 0; i < sqlite3_column_count(handle); i++) {
        JSValue one = JS_NewObjectProto(ctx, JS_NULL);
        ph_set(ctx, one, "column", text_or_null(ctx, sqlite3_column_origin_name(handle, i)));
        ph_set(ctx, one, "database", text_or_null(ctx, sqlite3_column_database_name(handle, i)));
        ph_set(ctx, one, "name", text_or_null(ctx, sqlite3_column_name(handle, i)));
        ph_set(ctx, one, "table", text_or_null(ctx, sqlite3_column_table_name(handle, i)));
        ph_set(ctx, one, "type", text_or_null(ctx, sqlite3_column_decltype(handle, i)));
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, one);
    }
    return list;
}

/* parameters(statement): their names, null for those that have none */
SQ_FUNCTION(parameters) {
    SQ_UNUSED_ARGUMENTS;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    if (statement == NULL)
        return JS_EXCEPTION;
    JSValue list = JS_NewArray(ctx);
    int count = sqlite3_bind_parameter_count(statement->handle);
    for (int i = 1; i <= count; i++)
        JS_SetPropertyUint32(ctx, list, (uint32_t)i - 1,
                             text_or_null(ctx, sqlite3_bind_parameter_name(statement->handle, i)));
    return list;
}

/* sql(statement, expanded?) */
SQ_FUNCTION(sql_of) {
    SQ_UNUSED_ARGUMENTS;
    sq_statement* statement = sq_statement_of(ctx, argv[0]);
    if (statement == NULL)
        return JS_EXCEPTION;
    if (!ph_flag(ctx, argv[1]))
        return JS_NewString(ctx, sqlite3_sql(statement->handle));
    char* text = sqlite3_expanded_sql(statement->handle);
    JSValue result = text == NULL ? JS_ThrowOutOfMemory(ctx) : JS_NewString(ctx, text);
    sqlite3_free(text);
    return result;
}

void sq_export_statement(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("prepare", 3, prepare), JS_CFUNC_DEF("bind", 2, bind_all),
        JS_CFUNC_DEF("step", 3, step_once),  JS_CFUNC_DEF("all", 3, all),
        JS_CFUNC_DEF("run", 3, run),         JS_CFUNC_DEF("reset", 1, reset),
        JS_CFUNC_DEF("columns", 1, columns), JS_CFUNC_DEF("parameters", 1, parameters),
        JS_CFUNC_DEF("sql", 2, sql_of),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
