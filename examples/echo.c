/* An echo server on a free port, and a client in the same loop that talks to it. */

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

typedef struct {
    uv_write_t request;
    uv_buf_t data;
} write_job;

static uv_tcp_t server;
static uv_tcp_t client;

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    (void)handle;
    *buffer = uv_buf_init(malloc(suggested), (unsigned)suggested);
}

static void on_close_peer(uv_handle_t* peer) {
    free(peer);
}

/* The server: what was read is written back; it belongs to the write until that is done. */

static void on_written(uv_write_t* request, int status) {
    write_job* job = (write_job*)request;
    (void)status;
    free(job->data.base);
    free(job);
}

static void on_peer_read(uv_stream_t* peer, ssize_t length, const uv_buf_t* buffer) {
    if (length > 0) {
        write_job* job = malloc(sizeof(*job));
        job->data = uv_buf_init(buffer->base, (unsigned)length);
        uv_write(&job->request, peer, &job->data, 1, on_written);
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
    uv_tcp_t* peer = malloc(sizeof(*peer));
    (void)status;
    uv_tcp_init(listener->loop, peer);
    uv_accept(listener, (uv_stream_t*)peer);
    printf("server: somebody has connected\n");
    uv_read_start((uv_stream_t*)peer, on_alloc, on_peer_read);
}

/* The client: says one thing and leaves when it has heard it. */

static void on_echo(uv_stream_t* stream, ssize_t length, const uv_buf_t* buffer) {
    if (length > 0) {
        printf("client: heard \"%.*s\"\n", (int)length, buffer->base);
        uv_close((uv_handle_t*)stream, NULL);
    }
    free(buffer->base);
}

static void on_connected(uv_connect_t* request, int status) {
    static uv_write_t write;
    static char text[] = "hello";
    uv_buf_t buffer = uv_buf_init(text, sizeof(text) - 1);
    (void)status;
    uv_write(&write, request->handle, &buffer, 1, NULL);
    uv_read_start(request->handle, on_alloc, on_echo);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_connect_t connect;
    struct sockaddr_in address;
    int length = sizeof(address);

    uv_ip4_addr("127.0.0.1", 0, &address); /* port 0: any that is free */
    uv_tcp_init(loop, &server);
    uv_tcp_bind(&server, (struct sockaddr*)&address, 0);
    int result = uv_listen((uv_stream_t*)&server, 16, on_connection);
    if (result != 0) {
        fprintf(stderr, "listen: %s\n", uv_strerror(result));
        return 1;
    }
    uv_tcp_getsockname(&server, (struct sockaddr*)&address, &length);
    uv_tcp_init(loop, &client);
    uv_tcp_connect(&connect, &client, (struct sockaddr*)&address, on_connected);
    uv_run(loop, UV_RUN_DEFAULT);
    return uv_loop_close(loop);
}
