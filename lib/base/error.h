#ifndef PH_BASE_ERROR_H
#define PH_BASE_ERROR_H

#include <errno.h>

/* The library's error for the current errno. */
static inline int ph_errno(void) {
    return -errno;
}

/* Prints to standard error and aborts: for a caller's programming error that can't be answered with
 * a return value. */
__attribute__((noreturn, format(printf, 1, 2))) void ph_fatal(const char* format, ...);

#endif
