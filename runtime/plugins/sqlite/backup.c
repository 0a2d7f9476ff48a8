/* Backups: some pages at a time, into a database of their own. */
#include <stdlib.h>

#include "plugins/sqlite/sqlite.h"

typedef struct {
    sq_part part; /* first; of the source */
    sqlite3* target;
    sqlite3_backup* handle;
} backup;

static void end_backup(sq_part* part) {
    backup* made = (backup*)part;
    sqlite3_backup_finish(made->handle);
    sqlite3_close_v2(made->target);
    made->handle = NULL;
    made->target = NULL;
}

static void release(void* content) {
    backup* made = content;
    sq_part_end(&made->part);
    free(made);
}

static const ph_box_kind backup_kind = {"backup", release};

static JSValue start(JSContext* ctx, sq_database* database, const char* path, const char* source,
                     const char* target) {
    backup* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return JS_ThrowOutOfMemory(ctx);
    int status = sqlite3_open_v2(
        path, &made->target,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, NULL);
    if (status == SQLITE_OK)
        made->handle = sqlite3_backup_init(made->target, target, database->handle, source);
    if (made->handle == NULL) {
        sq_throw(ctx, made->target);
        sqlite3_close_v2(made->target);
        free(made);
        return JS_EXCEPTION;
    }
    made->part.end = end_backup;
    sq_part_add(database, &made->part);
    return ph_box(ctx, &backup_kind, made);
}

/* backup(database, path, name of the source, name of the target) */
SQ_FUNCTION(start_backup) {
    SQ_UNUSED_ARGUMENTS;
    char* path = sq_path(ctx, argv[1], PH_READ | PH_WRITE);
    const char* source = path == NULL ? NULL : JS_ToCString(ctx, argv[2]);
    const char* target = source == NULL ? NULL : JS_ToCString(ctx, argv[3]);
    sq_database* database = target == NULL ? NULL : sq_database_of(ctx, argv[0]);
    JSValue result = database == NULL ? JS_EXCEPTION : start(ctx, database, path, source, target);
    JS_FreeCString(ctx, source);
    JS_FreeCString(ctx, target);
    free(path);
    return result;
}

/* backupStep(backup, pages): [is it done?, pages left, pages in all] */
SQ_FUNCTION(backup_step) {
    SQ_UNUSED_ARGUMENTS;
    backup* made = ph_box_content(ctx, argv[0], &backup_kind);
    if (made == NULL)
        return JS_EXCEPTION;
    if (made->handle == NULL)
        return sq_throw_state(ctx, "database is not open");
    if (made->part.owner->inside > 0)
        return sq_throw_state(ctx, "database is in use");
    int status = sqlite3_backup_step(made->handle, ph_int(ctx, argv[1], 100));
    bool waits = status == SQLITE_OK || status == SQLITE_BUSY || status == SQLITE_LOCKED;
    if (!waits && status != SQLITE_DONE)
        return sq_throw_status(ctx, status, true);
    JSValue result = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, result, 0, JS_NewBool(ctx, status == SQLITE_DONE));
    JS_SetPropertyUint32(ctx, result, 1, JS_NewInt32(ctx, sqlite3_backup_remaining(made->handle)));
    JS_SetPropertyUint32(ctx, result, 2, JS_NewInt32(ctx, sqlite3_backup_pagecount(made->handle)));
    return result;
}

SQ_FUNCTION(backup_end) {
    SQ_UNUSED_ARGUMENTS;
    backup* made = ph_box_content(ctx, argv[0], &backup_kind);
    if (made == NULL)
        return JS_EXCEPTION;
    if (made->handle != NULL && made->part.owner->inside == 0)
        sq_part_end(&made->part);
    return JS_UNDEFINED;
}

void sq_export_backup(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("backup", 4, start_backup),
        JS_CFUNC_DEF("backupStep", 2, backup_step),
        JS_CFUNC_DEF("backupEnd", 1, backup_end),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
