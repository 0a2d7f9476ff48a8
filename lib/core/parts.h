#ifndef PH_CORE_PARTS_H
#define PH_CORE_PARTS_H

/*
 * What families keep in a loop or in the process, opened on first use and ended by core, which
 * stands below them: it calls what they give through the table, and nothing of theirs by name.
 */

#include <stdbool.h>

#include "uv.h"

/* Filled in by assembly/tables.c; each member is the function of that name. */
struct ph_parts {
    bool (*pool_shares_processor)(const uv_loop_t* loop);
    void (*pool_release)(uv_loop_t* loop);
    void (*processes_close)(uv_loop_t* loop);
    void (*inotify_close)(uv_loop_t* loop);
    int (*inotify_fork)(uv_loop_t* loop);
    void (*signals_fork)(uv_loop_t* loop);
    void (*signals_run)(uv_loop_t* loop);
    int (*work_cancel)(struct uv__work* work);
    int (*fs_cancel)(uv_fs_t* req);
    int (*write_cancel)(uv_write_t* req);
    void (*pool_shutdown)(bool at_exit);
    void (*signals_shutdown)(void);
    void (*title_shutdown)(void);
};

extern const struct ph_parts ph_parts;

/* So much waits for the pool that its threads make better use of the processor than a loop that
 * only looks out for what they have done. */
bool ph_pool_shares_processor(const uv_loop_t* loop);
/* Waits until no pool thread touches the loop any more; its requests have ended by then. */
void ph_pool_release(uv_loop_t* loop);
void ph_processes_close(uv_loop_t* loop);
void ph_inotify_close(uv_loop_t* loop);
int ph_inotify_fork(uv_loop_t* loop);
void ph_signals_fork(uv_loop_t* loop);
/* Everything caught so far, in order. */
void ph_signals_run(uv_loop_t* loop);

/* UV_ECANCELED later in the request's callback, or UV_EBUSY now. */
int ph_fs_cancel(uv_fs_t* req);
int ph_write_cancel(uv_write_t* req);

void ph_pool_shutdown(bool at_exit);
void ph_signals_shutdown(void);
void ph_title_shutdown(void);

#endif
