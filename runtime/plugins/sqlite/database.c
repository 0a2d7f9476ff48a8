/* Databases: opened, closed with all that is theirs, and what is asked of them directly. */
#include <stdlib.h>
#include <string.h>

#include "plugins/sqlite/sqlite.h"

void sq_part_add(sq_database* database, sq_part* part) {
    part->owner = database;
    part->next = database->parts;
    part->link = &database->parts;
    if (part->next != NULL)
        part->next->link = &part->next;
    database->parts = part;
}

void sq_part_end(sq_part* part) {
    if (part->owner == NULL)
        return;
    *part->link = part->next;
    if (part->next != NULL)
        part->next->link = part->link;
    part->end(part);
    part->owner = NULL;
}

static void close_database(sq_database* database) {
    while (database->parts != NULL)
        sq_part_end(database->parts);
    sqlite3_close_v2(database->handle);
    database->handle = NULL;
}

static void release(void* content) {
    close_database(content);
    free(content);
}

static const ph_box_kind database_kind = {"database", release};

sq_database* sq_database_of(JSContext* ctx, JSValueConst value) {
    sq_database* database = ph_box_content(ctx, value, &database_kind);
    if (database == NULL || database->handle != NULL)
        return database;
    sq_throw_state(ctx, "database is not open");
    return NULL;
}

static bool configure(sq_database* database, JSContext* ctx, JSValueConst* argv) {
    sqlite3* handle = database->handle;
    int strings = ph_flag(ctx, argv[3]);
    int extensions = ph_flag(ctx, argv[4]);
    sqlite3_extended_result_codes(handle, 1);
    return sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, (int)ph_flag(ctx, argv[2]),
                             NULL) == SQLITE_OK &&
           sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, strings, NULL) == SQLITE_OK &&
           sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, strings, NULL) == SQLITE_OK &&
           (!extensions ||
            sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL) == SQLITE_OK);
}

/* With the permission model, other files than that of the database are out of reach: ATTACH, VACUUM
 * INTO, folders for temporary files. What they name is not always a name that could be looked at.
 */
static int authorize(void* data, int action, const char* first, const char* second,
                     const char* third, const char* fourth) {
    (void)data;
    (void)second;
    (void)third;
    (void)fourth;
    if (action == SQLITE_ATTACH && first != NULL && *first != '\0' &&
        strcmp(first, ":memory:") != 0)
        return SQLITE_DENY;
    bool names_folder = action == SQLITE_PRAGMA && first != NULL &&
                        sqlite3_strlike("%store\\_directory", first, '\\') == 0;
    return names_folder ? SQLITE_DENY : SQLITE_OK;
}

char* sq_path(JSContext* ctx, JSValueConst value, unsigned access) {
    char* path = ph_path(ctx, value, PH_LOOK_UP);
    if (path == NULL || ph_has_all_files() || strcmp(path, ":memory:") == 0)
        return path;
    /* An address may name any file. */
    if (strncmp(path, "file:", 5) == 0) {
        free(path);
        ph_demand_off(ctx, "The address of a database");
        return NULL;
    }
    return ph_bound(ctx, ph_permitted(ctx, path, access));
}

/* open(path, read only?, foreign keys?, strings in double quotes?, extensions?, timeout) */
SQ_FUNCTION(open_database) {
    SQ_UNUSED_ARGUMENTS;
    sq_database* database = calloc(1, sizeof(*database));
    bool reads = ph_flag(ctx, argv[1]);
    char* path = sq_path(ctx, argv[0], reads ? PH_READ : PH_READ | PH_WRITE);
    if (database == NULL || path == NULL) {
        free(database);
        free(path);
        return JS_EXCEPTION;
    }
    database->ctx = ctx;
    database->thrown = JS_UNDEFINED;
    database->functions = JS_UNDEFINED;
    int flags = reads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int status = sqlite3_open_v2(path, &database->handle,
                                 flags | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, NULL);
    free(path);
    if (status != SQLITE_OK || !configure(database, ctx, argv)) {
        if (database->handle == NULL)
            JS_ThrowOutOfMemory(ctx);
        else
            sq_throw(ctx, database->handle);
        release(database);
        return JS_EXCEPTION;
    }
    sq_interruptible(database, ph_int(ctx, argv[5], 0));
    if (!ph_has_all_files())
        sqlite3_set_authorizer(database->handle, authorize, NULL);
    return ph_box(ctx, &database_kind, database);
}

SQ_FUNCTION(close_box) {
    SQ_UNUSED_ARGUMENTS;
    sq_database* database = sq_database_of(ctx, argv[0]);
    if (database == NULL)
        return JS_EXCEPTION;
    if (database->inside > 0)
        return sq_throw_state(ctx, "database is in use");
    close_database(database);
    return JS_UNDEFINED;
}

/* exec(database, functions, sql) */
SQ_FUNCTION(exec) {
    SQ_UNUSED_ARGUMENTS;
    const char* sql = JS_ToCString(ctx, argv[2]);
    sq_database* database = sql == NULL ? NULL : sq_database_of(ctx, argv[0]);
    if (database == NULL) {
        JS_FreeCString(ctx, sql);
        return JS_EXCEPTION;
    }
    sq_visit before = sq_enter(database, argv[1]);
    int status = sqlite3_exec(database->handle, sql, NULL, NULL, NULL);
    JS_FreeCString(ctx, sql);
    if (!sq_leave(database, before))
        return JS_EXCEPTION;
    return status == SQLITE_OK ? JS_UNDEFINED : sq_throw(ctx, database->handle);
}

/* location(database, name): the path, or null */
SQ_FUNCTION(location) {
    SQ_UNUSED_ARGUMENTS;
    const char* name = JS_ToCString(ctx, argv[1]);
    sq_database* database = name == NULL ? NULL : sq_database_of(ctx, argv[0]);
    const char* path = database == NULL ? NULL : sqlite3_db_filename(database->handle, name);
    JS_FreeCString(ctx, name);
    if (database == NULL)
        return JS_EXCEPTION;
    return path == NULL || *path == '\0' ? JS_NULL : JS_NewString(ctx, path);
}

SQ_FUNCTION(in_transaction) {
    SQ_UNUSED_ARGUMENTS;
    sq_database* database = sq_database_of(ctx, argv[0]);
    if (database == NULL)
        return JS_EXCEPTION;
    return JS_NewBool(ctx, sqlite3_get_autocommit(database->handle) == 0);
}

SQ_FUNCTION(allow_extensions) {
    SQ_UNUSED_ARGUMENTS;
    sq_database* database = sq_database_of(ctx, argv[0]);
    if (database == NULL)
        return JS_EXCEPTION;
    int status = sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                                   (int)ph_flag(ctx, argv[1]), NULL);
    return status == SQLITE_OK ? JS_UNDEFINED : sq_throw(ctx, database->handle);
}

/* loadExtension(database, functions, path) */
SQ_FUNCTION(load_extension) {
    SQ_UNUSED_ARGUMENTS;
    if (!ph_demand(ctx, PH_MAY_ADDONS, ""))
        return JS_EXCEPTION;
    char* path = ph_path(ctx, argv[2], PH_READ);
    sq_database* database = path == NULL ? NULL : sq_database_of(ctx, argv[0]);
    if (database == NULL) {
        free(path);
        return JS_EXCEPTION;
    }
    char* words = NULL;
    sq_visit before = sq_enter(database, argv[1]);
    int status = sqlite3_load_extension(database->handle, path, NULL, &words);
    free(path);
    JSValue result = JS_UNDEFINED;
    if (!sq_leave(database, before)) {
        result = JS_EXCEPTION;
    } else if (status != SQLITE_OK) {
        JSValue error = JS_NewPlainError(ctx, "%s", words == NULL ? "" : words);
        ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_LOAD_SQLITE_EXTENSION"));
        result = JS_Throw(ctx, error);
    }
    sqlite3_free(words);
    return result;
}

void sq_export_database(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("open", 6, open_database),
        JS_CFUNC_DEF("close", 1, close_box),
        JS_CFUNC_DEF("exec", 3, exec),
        JS_CFUNC_DEF("location", 2, location),
        JS_CFUNC_DEF("inTransaction", 1, in_transaction),
        JS_CFUNC_DEF("allowExtensions", 2, allow_extensions),
        JS_CFUNC_DEF("loadExtension", 3, load_extension),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    ph_set(ctx, exports, "version", JS_NewString(ctx, sqlite3_libversion()));
}
