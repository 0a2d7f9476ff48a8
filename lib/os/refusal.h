#ifndef PH_OS_REFUSAL_H
#define PH_OS_REFUSAL_H

/*
 * How a call that is newer than the kernel fails, or one that a sandbox does not let through. Some
 * calls also fail with these for reasons of their own: whoever remembers a refusal makes sure of it
 * first, with a call that can only fail in another way if the kernel sees it.
 */

#include <errno.h>
#include <stdbool.h>

static inline bool ph_is_refusal(int error) {
    return error == ENOSYS || error == EPERM || error == EACCES;
}

#endif
