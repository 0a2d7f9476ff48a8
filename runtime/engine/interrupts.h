/* Scripts that are stopped from outside: by a worker's end, by a time limit, by Ctrl+C. */
#ifndef PH_RUNTIME_INTERRUPTS_H
#define PH_RUNTIME_INTERRUPTS_H

#include "engine/engine.h"

void ph_interrupts_init(ph_env* env);

/* Asked now and then by C that runs long for a script: whether the script is stopped. */
bool ph_is_interrupted(ph_env* env);

typedef struct {
    double milliseconds;   /* the limit; 0: none */
    bool breaks_on_signal; /* SIGINT stops the script, and nobody else hears of it */
} ph_limits;

/* JS_Eval2 within limits. A script that was stopped has thrown an error that says so. */
JSValue ph_eval_limited(JSContext* ctx, const char* source, size_t length, JSEvalOptions* options,
                        ph_limits limits);

/* function(argument) within limits. */
JSValue ph_call_limited(JSContext* ctx, JSValueConst function, JSValueConst argument,
                        ph_limits limits);

/* The promise jobs of a context within limits: how many ran, -1 if they were stopped. */
int ph_limited_jobs(JSContext* ctx, ph_limits limits);

#endif
