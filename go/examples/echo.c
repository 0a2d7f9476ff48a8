/* An echo server on all processors, in ten lines, and a client that talks to it. */
#include <phasor_go.h>

#include <stdio.h>

#include "must.h"

static go_suspends int serve(uv_stream_t* client, void* arg) {
    char memory[4096];
    ssize_t n;
    (void)arg;
    while ((n = go_read(client, memory, sizeof(memory), go_after(30000))) > 0)
        if (go_write(client, memory, (size_t)n, go_after(5000)) != 0)
            break;
    return 0; /* the connection is closed */
}

static int talk(void* arg) {
    uv_tcp_t tcp;
    char text[32] = "";
    const char* port = arg;
    MUST(go_dial(&tcp, "127.0.0.1", port, go_after(5000)));
    MUST(go_write((uv_stream_t*)&tcp, "hello, echo", 11, GO_NEVER));
    MUST_NOT_FAIL(go_read_exactly((uv_stream_t*)&tcp, text, 11, go_after(5000)));
    printf("%s\n", text);
    return go_close((uv_handle_t*)&tcp);
}

int main(void) {
    go_workers_t* workers;
    int port = 0;
    char text[16];
    MUST(go_workers_start(&workers, 0));
    MUST(go_workers_serve(workers, "127.0.0.1", &port, serve, NULL));
    snprintf(text, sizeof(text), "%d", port);
    MUST(go_main(talk, text));
    go_workers_stop(workers); /* a server without end would go_workers_join */
    return 0;
}
