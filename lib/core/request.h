#ifndef PH_CORE_REQUEST_H
#define PH_CORE_REQUEST_H

/* An active request keeps its loop alive. */

#include "hooks.h"
#include "uv.h"

static inline void ph_request_init(uv_loop_t* loop, void* req, uv_req_type type) {
    ((uv_req_t*)req)->type = type;
    loop->active_reqs.count++;
    ph_tell_request_begins(loop, req, type);
}

/* Where no callback follows, ph_tell_request_ends must: a recording would show it to the end. */
static inline void ph_request_end(uv_loop_t* loop) {
    loop->active_reqs.count--;
}

/* For one that could not be started. */
static inline void ph_request_refuse(uv_loop_t* loop, const void* req) {
    ph_request_end(loop);
    ph_tell_request_ends(loop, req);
}

#endif
