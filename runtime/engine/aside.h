/* What runs in the middle of a script without being part of it: hooks that are told of promises and
 * of asynchronous work, and the report of an exception. It must not fail because the script has
 * used up its stack, and a time limit of the script is not its own. */
#ifndef PH_RUNTIME_ASIDE_H
#define PH_RUNTIME_ASIDE_H

#include "engine/engine.h"

/* As much stack as a thread of scripts gets, at most. Sanitizers make the frames of C larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PH_STACK_MOST = 64 << 20 };
#else
enum { PH_STACK_MOST = 16 << 20 };
#endif

typedef struct {
    size_t lent;
    struct ph_limited* limited;
} ph_aside;

/* The stack of scripts in bytes, and as much below it as may be lent. */
void ph_aside_set_stack(ph_env* env, size_t room, size_t reserve);

/* Between these, stack of the reserve is lent: half of it, or all for the last words of the
 * process. */
void ph_aside_begin(ph_env* env, ph_aside* aside);
void ph_aside_begin_last(ph_env* env, ph_aside* aside);
void ph_aside_end(ph_env* env, const ph_aside* aside);

/* Calls a hook. Its exceptions are uncaught ones. What the caller is in the middle of may have one
 * pending: it stays. */
void ph_aside_call(ph_env* env, JSValueConst hook, int argc, JSValueConst* argv);

#endif
