/* The loop inside a program that waits in poll(2): wait on its descriptor for its timeout, then run
 * it once without blocking. */

#include <errno.h>
#include <poll.h>

#include "embedded.h"

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    int runs = 0;
    start_embedded(loop);
    do {
        /* The program's own descriptors would stand beside it. */
        struct pollfd backend = {.fd = uv_backend_fd(loop), .events = POLLIN};
        if (poll(&backend, 1, uv_backend_timeout(loop)) == -1 && errno != EINTR)
            must(-errno, "poll");
        runs++;
    } while (uv_run(loop, UV_RUN_NOWAIT) != 0);
    say_runs(runs);
    return close_loop(loop);
}
