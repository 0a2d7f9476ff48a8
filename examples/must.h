#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

/* Every call of the library can fail. The examples have nothing better to do then than to say what
 * failed and leave; a program with users would close what it has opened. */

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

static inline void must(int result, const char* what) {
    if (result >= 0)
        return;
    fprintf(stderr, "%s: %s (%s)\n", what, uv_strerror(result), uv_err_name(result));
    exit(1);
}

static inline void* must_have(void* memory) {
    must(memory != NULL ? 0 : UV_ENOMEM, "memory");
    return memory;
}

/* uv_run has returned: nothing may be open any more. */
static inline int close_loop(uv_loop_t* loop) {
    must(uv_loop_close(loop), "closing the loop");
    return 0;
}

#endif
