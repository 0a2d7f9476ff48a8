/* An echo server on a free port, and a client in the same loop that talks to it. */

#include "must.h"

typedef struct {
    uv_write_t request;
    uv_buf_t data;
} write_job;

static uv_tcp_t server;
static uv_tcp_t client;

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    (void)handle;
    *buffer = uv_buf_init(must_have(malloc(suggested)), (unsigned)suggested);
}

static void on_close_peer(uv_handle_t* peer) {
    free(peer);
}

/* The server: what was read is written back; it belongs to the write until that is done. */

static void on_written(uv_write_t* request, int status) {
    write_job* job = (write_job*)request;
    free(job->data.base);
    free(job);
    if (status != UV_ECANCELED) /* the connection was closed meanwhile */
        must(status, "server: writing");
}

static void on_peer_read(uv_stream_t* peer, ssize_t length, const uv_buf_t* buffer) {
    if (length > 0) {
        write_job* job = must_have(malloc(sizeof(*job)));
        job->data = uv_buf_init(buffer->base, (unsigned)length);
        must(uv_write(&job->request, peer, &job->data, 1, on_written), "server: writing");
        return;
    }
    free(buffer->base);
    if (length < 0) { /* UV_EOF, or an error: either way it is over */
        printf("server: %s\n", uv_strerror((int)length));
        uv_close((uv_handle_t*)peer, on_close_peer);
        uv_close((uv_handle_t*)&server, NULL);
    }
}

static void on_connection(uv_stream_t* listener, int status) {
    must(status, "server: listening");
    uv_tcp_t* peer = must_have(malloc(sizeof(*peer)));
    must(uv_tcp_init(listener->loop, peer), "server: socket");
    must(uv_accept(listener, (uv_stream_t*)peer), "server: accept");
    printf("server: somebody has connected\n");
    must(uv_read_start((uv_stream_t*)peer, on_alloc, on_peer_read), "server: reading");
}

/* The client: says one thing and leaves when it has heard it. */

static void on_echo(uv_stream_t* stream, ssize_t length, const uv_buf_t* buffer) {
    must((int)length, "client: reading");
    if (length > 0) { /* 0: nothing to read after all */
        printf("client: heard \"%.*s\"\n", (int)length, buffer->base);
        uv_close((uv_handle_t*)stream, NULL);
    }
    free(buffer->base);
}

static void on_connected(uv_connect_t* request, int status) {
    static uv_write_t write;
    static char text[] = "hello";
    uv_buf_t buffer = uv_buf_init(text, sizeof(text) - 1);
    must(status, "client: connecting");
    must(uv_write(&write, request->handle, &buffer, 1, NULL), "client: writing");
    must(uv_read_start(request->handle, on_alloc, on_echo), "client: reading");
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_connect_t connect;
    struct sockaddr_in address;
    int length = sizeof(address);

    must(uv_ip4_addr("127.0.0.1", 0, &address), "address"); /* port 0: any that is free */
    must(uv_tcp_init(loop, &server), "server: socket");
    must(uv_tcp_bind(&server, (struct sockaddr*)&address, 0), "server: bind");
    must(uv_listen((uv_stream_t*)&server, 16, on_connection), "server: listen");
    must(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &length), "server: name");
    must(uv_tcp_init(loop, &client), "client: socket");
    must(uv_tcp_connect(&connect, &client, (struct sockaddr*)&address, on_connected),
         "client: connect");
    uv_run(loop, UV_RUN_DEFAULT);
    return close_loop(loop);
}
