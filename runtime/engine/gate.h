/* The one gate around every entry into JavaScript.
 *
 * After the outermost entry returns: run the whole nextTick queue, then every promise job, again
 * until both are empty, then report rejections that nobody handles. An exception that reaches the
 * gate goes to the uncaught-exception hook. */
#ifndef PH_RUNTIME_GATE_H
#define PH_RUNTIME_GATE_H

#include "engine/engine.h"

void ph_gate_init(ph_env* env);
void ph_gate_free(ph_env* env);

/* What ph_gate_call does around its call, for C that calls JavaScript several times in one entry.
 */
void ph_gate_enter(ph_env* env);
/* Drains; the result passes to the gate. 0, or -1 if it is an exception. */
int ph_gate_leave(ph_env* env, JSValue result);
/* Calls, then drains. 0, or -1 if the function threw (the exception has been dealt with). */
int ph_gate_call(ph_env* env, JSValueConst function, JSValueConst self, int argc,
                 JSValueConst* argv);
/* The same inside an async context; the arguments pass to the gate. */
int ph_gate_call_in(ph_env* env, JSValueConst context, JSValueConst function, JSValueConst self,
                    int argc, JSValue* argv_owned);
/* A tick that runs C: run(ctx, task, values) with these three values, which the queue keeps. */
typedef JSValue ph_tick_run(JSContext* ctx, void* task, JSValueConst* values);
int ph_gate_tick(ph_env* env, ph_tick_run* run, void* task, JSValueConst* values);
void ph_gate_hook(ph_env* env, ph_hook hook);
/* Deals with the pending exception as uncaught. */
void ph_gate_exception(ph_env* env);
void ph_gate_drain(ph_env* env);
/* Promise jobs only. */
void ph_gate_jobs(ph_env* env);

JSValue ph_gate_binding(JSContext* ctx);

#endif
