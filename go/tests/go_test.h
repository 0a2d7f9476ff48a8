#ifndef GO_TEST_H
#define GO_TEST_H

/* What tests of coroutines share: a loop that must be empty at the end. */

#include <phasor_go.h>

#include "harness.h"

static uv_loop_t loop;

static inline void finish_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(go_count(&loop), 0);
    CHECK_OK(go_loop_close(&loop));
    CHECK_OK(uv_loop_close(&loop));
}

/* Runs fn(arg) as the first coroutine, and the loop until nothing is left. */
static inline void in_coroutine(go_fn fn, void* arg) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start_with(&loop, &(go_options_t){.name = "first"}, fn, arg, NULL));
    finish_loop();
}

#endif
