/* What changes of the library nobody noticed before (make mutants): each of these sees one. */

#include <signal.h>
#include <uv.h>

#include "harness.h"

static void on_signal(uv_signal_t* handle, int signum) {
    (void)handle, (void)signum;
}

TEST(signals_have_their_default_again_after_the_library_has_shut_down) {
    uv_loop_t loop;
    uv_signal_t handle;
    struct sigaction action;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, on_signal, SIGUSR1));
    CHECK_OK(sigaction(SIGUSR1, NULL, &action));
    CHECK(action.sa_handler != SIG_DFL);
    uv_library_shutdown();
    CHECK_OK(sigaction(SIGUSR1, NULL, &action));
    CHECK(action.sa_handler == SIG_DFL);
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(signal_handle_has_no_callback_before_it_is_started) {
    uv_loop_t loop;
    uv_signal_t handle;
    memset(&handle, 0xff, sizeof(handle));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK(handle.signal_cb == NULL);
    CHECK_EQ(handle.signum, 0);
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
