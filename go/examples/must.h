#ifndef MUST_H
#define MUST_H

#include <stdio.h>
#include <stdlib.h>

static inline void must_not_fail(ssize_t result, const char* call) {
    if (result < 0) {
        fprintf(stderr, "%s: %s\n", call, uv_strerror((int)result));
        exit(1);
    }
}

#define MUST_NOT_FAIL(call) must_not_fail((call), #call)
#define MUST(call) MUST_NOT_FAIL(call)

#endif
