/* SQLite: databases, statements, sessions and backups in boxes.
 *
 * JavaScript runs inside SQLite only as user functions and callbacks of changesets. Meanwhile the
 * database can't be closed, and the statement that runs can't be used (`inside`, `busy`). No box
 * holds a JavaScript value: functions are in a list that every call brings along, so that the
 * collector sees them. */
#ifndef PH_PLUGIN_SQLITE_H
#define PH_PLUGIN_SQLITE_H

#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <sqlite3.h>

#include "bindings/box.h"
#include "bindings/bytes.h"
#include "bindings/permission.h"
#include "engine/engine.h"

typedef struct sq_database sq_database;

/* What ends when its database is closed. */
typedef struct sq_part sq_part;
struct sq_part {
    sq_database* owner; /* NULL when it has ended */
    sq_part* next;
    sq_part** link;
    void (*end)(sq_part* part);
};

struct sq_database {
    sqlite3* handle; /* NULL when it is closed */
    JSContext* ctx;
    unsigned inside;        /* calls of SQLite that have not returned */
    unsigned quiet;         /* something ends: no JavaScript runs, not even in aggregates */
    JSValueConst functions; /* while inside: the list of the call under way */
    JSValue thrown;         /* by a function, while inside; else undefined */
    sq_part* parts;
    uint64_t patience;     /* milliseconds that a lock is waited for */
    uint64_t locked_since; /* in milliseconds of uv_hrtime */
};

typedef struct {
    sq_part part; /* first */
    sqlite3_stmt* handle;
    bool busy;
} sq_statement;

/* NULL and an exception (ERR_INVALID_STATE) if it is closed. */
sq_database* sq_database_of(JSContext* ctx, JSValueConst value);
/* The same for a statement; if it runs already, too. */
sq_statement* sq_statement_of(JSContext* ctx, JSValueConst value);
void sq_part_add(sq_database* database, sq_part* part);
void sq_part_end(sq_part* part);

/* Around every call of SQLite that may call functions. `enter` gives what `leave` restores. */
typedef struct {
    JSValueConst functions;
} sq_visit;
sq_visit sq_enter(sq_database* database, JSValueConst functions);
/* False and an exception if a function threw. */
bool sq_leave(sq_database* database, sq_visit before);

/* Resets, or ends, a statement without a call of JavaScript. */
void sq_reset(sq_statement* statement);

/* From then on, the end of a worker interrupts what the database does. */
void sq_interruptible(sq_database* database, int patience);

JSValue sq_throw(JSContext* ctx, sqlite3* handle);
JSValue sq_throw_status(JSContext* ctx, int status, bool with_words);
JSValue sq_throw_state(JSContext* ctx, const char* message);

/* Values. Where integers are no BigInts, one that a number can't hold is an exception. */
JSValue sq_column(JSContext* ctx, sqlite3_stmt* handle, int index, bool bigints);
JSValue sq_argument(JSContext* ctx, sqlite3_value* value, bool bigints);
/* SQLITE_OK, an error of SQLite, or -1 and an exception. */
int sq_bind(JSContext* ctx, sqlite3_stmt* handle, int index, JSValueConst value);
void sq_result(JSContext* ctx, sqlite3_context* call, JSValueConst value);

void sq_export_database(JSContext* ctx, JSValueConst exports);
void sq_export_statement(JSContext* ctx, JSValueConst exports);
void sq_export_functions(JSContext* ctx, JSValueConst exports);
void sq_export_sessions(JSContext* ctx, JSValueConst exports);
void sq_export_backup(JSContext* ctx, JSValueConst exports);

#define SQ_FUNCTION(name) \
    static JSValue name(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv)
#define SQ_UNUSED_ARGUMENTS \
    (void)self;             \
    (void)argc

/* The path of a database, or NULL and an exception; see permission.h. */
char* sq_path(JSContext* ctx, JSValueConst value, unsigned access);

#endif
