#include "engine/debug_signal.h"

#include <signal.h>

#include "engine/endings.h"
#include "engine/gate.h"

static uv_async_t wake;
static ph_ending ending;

static void on_signal(int number) {
    (void)number;
    uv_async_send(&wake);
}

static void on_wake(uv_async_t* async) {
    ph_env* env = async->loop->data;
    if (!env->stopping)
        ph_gate_hook(env, PH_HOOK_DEBUG);
}

static void at_end(ph_ending* self) {
    (void)self;
    struct sigaction now;
    if (sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == on_signal)
        signal(SIGUSR1, SIG_DFL);
    uv_close((uv_handle_t*)&wake, NULL);
}

void ph_debug_signal_start(ph_env* env) {
    struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (uv_async_init(env->loop, &wake, on_wake) != 0)
        return;
    uv_unref((uv_handle_t*)&wake);
    ending.run = at_end;
    ph_ending_add(env, &ending);
    sigaction(SIGUSR1, &ours, NULL);
}
