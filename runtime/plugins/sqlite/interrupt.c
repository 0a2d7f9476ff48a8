/* A worker that is to end does not wait for its statements, nor for the locks of others. */
#include "bindings/worker.h"
#include "plugins/sqlite/sqlite.h"

enum { STEPS_BETWEEN_LOOKS = 10000, LONGEST_NAP = 25 };

static bool is_ending(const sq_database* database) {
    return ph_worker_should_stop(ph_env_of(database->ctx));
}

static int on_progress(void* data) {
    return is_ending(data);
}

/* 0 gives up. `count` is how often it was asked for this lock. */
static int on_locked(void* data, int count) {
    sq_database* database = data;
    uint64_t now = uv_hrtime() / 1000000;
    if (count == 0)
        database->locked_since = now;
    uint64_t waited = now - database->locked_since;
    if (is_ending(database) || waited >= database->patience)
        return 0;
    uint64_t nap = (uint64_t)count + 1 < LONGEST_NAP ? (uint64_t)count + 1 : LONGEST_NAP;
    uint64_t left = database->patience - waited;
    uv_sleep((unsigned)(nap < left ? nap : left));
    return 1;
}

void sq_interruptible(sq_database* database, int patience) {
    sqlite3_progress_handler(database->handle, STEPS_BETWEEN_LOOKS, on_progress, database);
    database->patience = patience > 0 ? (uint64_t)patience : 0;
    if (patience > 0)
        sqlite3_busy_handler(database->handle, on_locked, database);
}
