#include "bindings/runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bindings/bindings.h"
#include "bindings/handle.h"
#include "bindings/prepared.h"
#include "bindings/worker.h"
#include "bindings/world.h"
#include "engine/debug_signal.h"
#include "engine/engine.h"
#include "engine/frames.h"
#include "engine/guided.h"
#include "engine/patched.h"
#include "engine/play.h"
#include "engine/promise_context.h"
#include "engine/trace.h"

/* As many descriptors as the system lets us have: servers need them. */
static void raise_limits(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* What the engine hashes can't be foreseen. The simulated world gives its own random bytes, so that
 * its runs repeat; where the system gives none, there are those that it gave the process to start.
 */
static void seed_hashes(void) {
    uint64_t seed[2] = {0, 0};
    if (js_seed_hashes == NULL || ph_prepared_is_wanted())
        return;
    const void* given = (const void*)getauxval(AT_RANDOM);
    if (uv_random(NULL, NULL, seed, sizeof(seed), 0, NULL) != 0 && given != NULL)
        memcpy(seed, given, sizeof(seed));
    js_seed_hashes(seed);
}

int ph_runtime_main(int argc, char** argv) {
    argv = uv_setup_args(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a write that is too much is an error */
    ph_process_open_stdio();
    raise_limits();
    ph_frames_start();
    ph_promise_contexts_start();
    seed_hashes();
    uv_loop_t* loop = uv_default_loop();
    ph_trace_init((void (*)(void))ph_handle_alloc);
    ph_play_init();
    bool prepares = ph_prepared_is_wanted();
    if (!prepares)
        ph_guided_init();
    ph_env* env = loop == NULL ? NULL : ph_world_new(loop, argc, argv);
    if (env == NULL) {
        fprintf(stderr, "phasor: the runtime could not be started\n");
        return 1;
    }
    uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
    int code = prepares ? ph_prepared_boot(env) : 0;
    if (code != 0)
        return 1;
    if (prepares)
        ph_guided_init();
    ph_debug_signal_start(env);
    if (prepares) {
        ph_env_note_start(env);
        ph_env_begin(env);
    } else {
        ph_env_boot(env, "internal/boot/boot");
    }
    code = ph_env_run(env);
    ph_worker_end_all(env);
    /* As in Node, addons are not told of process.exit() nor of an uncaught exception. */
    if (!env->stopping)
        ph_env_end(env);
    fflush(NULL);
    phasor_trace_stop();
    /* Everything is returned to the system at once, unless someone looks for leaks. */
    const char* check = getenv("PHASOR_CHECK_LEAKS");
    if (check == NULL || check[0] == '\0')
        _exit(code);
    JS_SetDumpFlags(env->rt, JS_DUMP_LEAKS);
    if (!ph_env_free(env)) {
        fprintf(stderr, "phasor: the engine found a leak\n");
        code = 99;
    }
    return code;
}
