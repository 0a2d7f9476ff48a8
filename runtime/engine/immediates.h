/* setImmediate: a queue that the check phase takes whole. */
#ifndef PH_RUNTIME_IMMEDIATES_H
#define PH_RUNTIME_IMMEDIATES_H

#include "engine/engine.h"

typedef struct ph_immediate ph_immediate;

typedef struct {
    uv_check_t check;
    uv_idle_t idle;  /* active while a referenced immediate waits: poll must not block */
    JSValue starter; /* the program, until the loop's first turn has reached its idle phase */
    JSClassID class_id;
    ph_immediate* head;
    ph_immediate* tail;
    size_t referenced;
} ph_immediates;

ph_immediates* ph_immediates_of(ph_env* env);
void ph_immediates_init(ph_env* env, ph_immediates* immediates);
void ph_immediates_close(ph_env* env);
/* One that does nothing: an exception was handled, and what it left in the queues must not wait for
 * an event. */
void ph_immediates_add_empty(ph_env* env);
void ph_immediates_export(JSContext* ctx, JSValueConst binding);
/* False if the value is no immediate. */
bool ph_immediates_clear(JSContext* ctx, JSValueConst value);
JSValue ph_timers_not_a_function(JSContext* ctx, JSValueConst value);

#endif
