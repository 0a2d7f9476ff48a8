#ifndef PH_BASE_CERTAIN_H
#define PH_BASE_CERTAIN_H

/*
 * Conditions that hold, or do not, as far as we know, but whose other side is handled all the same:
 * what the kernel, the C library or the code around rules out today. A debug build ends the program
 * when one is wrong. No test can take the other side, so coverage builds do not have it: the
 * condition itself is not evaluated there and must have no effects.
 */
#ifdef PH_COVERAGE
#define ALWAYS(condition) 1
#define NEVER(condition) 0
#elif !defined(NDEBUG)
#include "base/error.h"
#define ALWAYS(condition) \
    ((condition) ? 1 : (ph_fatal("%s:%d: not so: %s", __FILE__, __LINE__, #condition), 0))
#define NEVER(condition) \
    ((condition) ? (ph_fatal("%s:%d: is so: %s", __FILE__, __LINE__, #condition), 1) : 0)
#else
#define ALWAYS(condition) (condition)
#define NEVER(condition) (condition)
#endif

#endif
