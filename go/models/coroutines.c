/* Coroutines on the same loop: one function from the first line to the last. */
#include <ctype.h>
#include <phasor_go.h>
#include <stdio.h>
#include <stdlib.h>

static int serve(void* arg) {
    uv_stream_t* client = arg;
    char memory[4096], *line;
    go_reader_t reader;
    ssize_t n;
    go_reader_init(&reader, client, memory, sizeof(memory));
    while ((n = go_read_until(&reader, "\n", 1, &line, go_after(30000))) > 0) {
        for (ssize_t i = 0; i < n; i++)
            line[i] = (char)toupper((unsigned char)line[i]);
        if (go_write(client, line, (size_t)n, GO_NEVER) != 0)
            break;
    }
    go_close((uv_handle_t*)client);
    free(client);
    return 0;
}

static int accept_all(void* arg) {
    uv_tcp_t server;
    struct sockaddr_in address;
    int size = sizeof(address);
    (void)arg;
    if (go_tcp_listen(NULL, &server, "127.0.0.1", 0) != 0)
        return 1;
    uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        uv_tcp_t* client = malloc(sizeof(*client));
        uv_tcp_init(go_loop(), client);
        if (go_accept((uv_stream_t*)&server, (uv_stream_t*)client, GO_NEVER) == 0)
            go_start(go_loop(), serve, client);
    }
}

int main(void) {
    return go_main(accept_all, NULL);
}
