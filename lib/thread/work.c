/* uv_queue_work: the caller's own work in the pool. */

#include "base/queue.h"
#include "core/dispatch.h"
#include "core/request.h"
#include "hooks.h"
#include "thread/own_pool.h"
#include "thread/pool.h"

static uv_work_t* request_of(struct uv__work* work) {
    return PH_CONTAINER_OF(work, uv_work_t, work_req);
}

/* Not through PH_DISPATCH, which accounts to the loop's thread: this is a pool thread. */
static void run_request(struct uv__work* work) {
    uv_work_t* req = request_of(work);
    void (*run)(uv_work_t*) = req->work_cb;
    const struct ph_hooks* watcher = ph_watcher();
    bool told = watcher != NULL && watcher->callback_begins(NULL, req, (uintptr_t)run, PH_CB_WORK);
    run(req);
    if (told)
        watcher->callback_ends();
}

static void end_request(struct uv__work* work, int status) {
    uv_work_t* req = request_of(work);
    ph_request_end(req->loop);
    if (req->after_work_cb != NULL)
        PH_DISPATCH(req->loop, req, req->after_work_cb, req, status);
    else
        ph_tell_request_ends(req->loop, req);
}

static void begin_request(uv_loop_t* loop, uv_work_t* req, uv_work_cb work_cb,
                          uv_after_work_cb after_work_cb) {
    ph_request_init(loop, req, UV_WORK);
    req->loop = loop;
    req->work_cb = work_cb;
    req->after_work_cb = after_work_cb;
}

int uv_queue_work(uv_loop_t* loop, uv_work_t* req, uv_work_cb work_cb,
                  uv_after_work_cb after_work_cb) {
    if (work_cb == NULL)
        return UV_EINVAL;
    begin_request(loop, req, work_cb, after_work_cb);
    int err = ph_work_submit(loop, &req->work_req, PH_WORK_FAST, run_request, end_request);
    if (err != 0)
        ph_request_refuse(loop, req);
    return err;
}

int phasor_pool_queue(phasor_pool_t* pool, uv_loop_t* loop, uv_work_t* req, unsigned priority,
                      uv_work_cb work_cb, uv_after_work_cb after_work_cb) {
    if (pool == NULL || work_cb == NULL || priority >= PHASOR_PRIORITIES)
        return UV_EINVAL;
    begin_request(loop, req, work_cb, after_work_cb);
    int err = ph_own_pool_submit(pool, priority, loop, &req->work_req, PH_WORK_FAST, run_request,
                                 end_request);
    if (err != 0)
        ph_request_refuse(loop, req);
    return err;
}
