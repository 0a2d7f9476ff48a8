// While async_hooks has hooks, JavaScript is asked what is to be queued instead of a function, and
// told what was queued and what was taken back.
#ifndef PH_RUNTIME_HOOKED_H
#define PH_RUNTIME_HOOKED_H

#include "engine/engine.h"

typedef enum {
    PH_QUEUE_TICK,
    PH_QUEUE_MICROTASK,
    PH_QUEUE_TIMEOUT,
    PH_QUEUE_INTERVAL,
    PH_QUEUE_IMMEDIATE,
    PH_QUEUE_CLEARED
} ph_queue_kind;

typedef JSValue ph_queue(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int magic);

static inline bool ph_is_hooked(ph_env* env) {
    return !JS_IsUndefined(env->queue_hook);
}
// Calls `queue` with the function that stands for the one given.
JSValue ph_hooked(JSContext* ctx, ph_queue* queue, ph_queue_kind kind, int argc, JSValueConst* argv,
                  int magic);
void ph_hooked_cleared(JSContext* ctx, JSValueConst object);

#endif
