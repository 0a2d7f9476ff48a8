/* A program that records itself: it switches the recording on around the part that it wants to see,
 * and puts names of its own on the timeline. `phasor report FILE` reads the result. */

#include <phasor.h>
#include <string.h>

#include "must.h"

static unsigned parsing;

static void on_timer(uv_timer_t* timer) {
    int* calls = timer->data;
    phasor_trace_begin(PHASOR_SPAN_MARK, parsing);
    for (volatile int i = 0; i < 100000; i++)
        continue;
    phasor_trace_end(PHASOR_SPAN_MARK);
    if (++*calls == 3)
        uv_close((uv_handle_t*)timer, NULL);
}

static void remove_file(const char* path) {
    uv_fs_t request;
    must(uv_fs_unlink(NULL, &request, path, NULL), "unlink");
    uv_fs_req_cleanup(&request);
}

static uint64_t size_of(const char* path) {
    uv_fs_t request;
    must(uv_fs_stat(NULL, &request, path, NULL), "stat");
    uint64_t size = request.statbuf.st_size;
    uv_fs_req_cleanup(&request);
    return size;
}

/* record [FILE]: keeps the recording if it is told where. */
int main(int argc, char** argv) {
    uv_loop_t* loop = uv_default_loop();
    uv_timer_t timer;
    int calls = 0;
    char file[4096];
    size_t size = sizeof(file) - 64;
    if (argc > 1) {
        snprintf(file, sizeof(file), "%s", argv[1]);
    } else {
        must(uv_os_tmpdir(file, &size), "temporary folder");
        snprintf(file + strlen(file), 64, "/phasor-example-%d.trace", uv_os_getpid());
    }

    must(phasor_trace_start(file), "recording");
    parsing = phasor_trace_name("parsing", __FILE__, __LINE__);
    must(uv_timer_init(loop, &timer), "timer");
    timer.data = &calls;
    must(uv_timer_start(&timer, on_timer, 0, 5), "timer: start");
    uv_run(loop, UV_RUN_DEFAULT);
    must(phasor_trace_stop(), "the end of the recording");

    printf("%d callbacks, %s\n", calls, size_of(file) > 0 ? "recorded" : "nothing recorded");
    if (argc == 1)
        remove_file(file);
    return close_loop(loop);
}
