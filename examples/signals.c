/* Signals as callbacks, and the way in which a server ends: the first SIGTERM stops taking new work
 * and lets what is under way finish, a second one would not wait. */

#include <signal.h>

#include "must.h"

static uv_signal_t reload;
static uv_signal_t terminate;
static uv_timer_t job;

static void send_to_ourselves(int signum) {
    must(uv_kill(uv_os_getpid(), signum), "kill");
}

static void on_reload(uv_signal_t* handle, int signum) {
    (void)handle;
    printf("signal %s: read the settings again\n", signum == SIGHUP ? "SIGHUP" : "?");
    send_to_ourselves(SIGTERM);
}

static void on_job_done(uv_timer_t* timer) {
    printf("the job under way has ended\n");
    uv_close((uv_handle_t*)timer, NULL);
    uv_close((uv_handle_t*)&terminate, NULL);
}

static void on_terminate(uv_signal_t* handle, int signum) {
    static int asked;
    (void)handle, (void)signum;
    if (++asked > 1)
        exit(1);
    printf("signal SIGTERM: no new work\n");
    uv_close((uv_handle_t*)&reload, NULL);
    /* Waiting for a second SIGTERM is no reason to stay once the job is done. */
    uv_unref((uv_handle_t*)&terminate);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    must(uv_signal_init(loop, &reload), "signal");
    must(uv_signal_start(&reload, on_reload, SIGHUP), "signal: start");
    must(uv_signal_init(loop, &terminate), "signal");
    must(uv_signal_start(&terminate, on_terminate, SIGTERM), "signal: start");
    must(uv_timer_init(loop, &job), "timer");
    must(uv_timer_start(&job, on_job_done, 50, 0), "timer: start");
    send_to_ourselves(SIGHUP);
    uv_run(loop, UV_RUN_DEFAULT);
    return close_loop(loop);
}
