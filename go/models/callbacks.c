/* libuv's callbacks: what happens next is in another function, the state in a struct. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct client {
    uv_tcp_t tcp; /* first */
    uv_timer_t idle;
    char memory[4096];
    size_t used;
    int open;
};

struct answer {
    uv_write_t write; /* first */
    char text[];
};

static void on_closed(uv_handle_t* handle) {
    struct client* client = handle->data;
    if (--client->open == 0)
        free(client);
}

static void end(struct client* client) {
    if (uv_is_closing((uv_handle_t*)&client->tcp))
        return;
    uv_close((uv_handle_t*)&client->tcp, on_closed);
    uv_close((uv_handle_t*)&client->idle, on_closed);
}

static void on_idle(uv_timer_t* timer) {
    end(timer->data);
}

static void on_written(uv_write_t* write, int status) {
    if (status < 0)
        end(write->handle->data);
    free(write);
}

static void answer(struct client* client, const char* line, size_t size) {
    struct answer* answer = malloc(sizeof(*answer) + size);
    for (size_t i = 0; i < size; i++)
        answer->text[i] = (char)toupper((unsigned char)line[i]);
    uv_buf_t buf = uv_buf_init(answer->text, (unsigned)size);
    if (uv_write(&answer->write, (uv_stream_t*)&client->tcp, &buf, 1, on_written) != 0)
        free(answer);
}

static void give_memory(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    struct client* client = handle->data;
    (void)suggested;
    *buf = uv_buf_init(client->memory + client->used,
                       (unsigned)(sizeof(client->memory) - client->used));
}

static void on_read(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf) {
    struct client* client = stream->data;
    char *line = client->memory, *newline;
    (void)buf;
    if (n < 0) {
        end(client);
        return;
    }
    client->used += (size_t)n;
    uv_timer_again(&client->idle);
    while ((newline = memchr(line, '\n', client->used)) != NULL) {
        size_t size = (size_t)(newline - line) + 1;
        answer(client, line, size);
        line += size;
        client->used -= size;
    }
    memmove(client->memory, line, client->used);
}

static void on_connection(uv_stream_t* server, int status) {
    struct client* client = calloc(1, sizeof(*client));
    if (status < 0 || client == NULL)
        abort();
    uv_tcp_init(server->loop, &client->tcp);
    uv_timer_init(server->loop, &client->idle);
    client->tcp.data = client->idle.data = client;
    client->open = 2;
    uv_accept(server, (uv_stream_t*)&client->tcp);
    uv_timer_start(&client->idle, on_idle, 30000, 30000);
    uv_read_start((uv_stream_t*)&client->tcp, give_memory, on_read);
}

int main(void) {
    uv_tcp_t server;
    struct sockaddr_in address;
    int size = sizeof(address);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(uv_default_loop(), &server);
    uv_tcp_bind(&server, (struct sockaddr*)&address, 0);
    uv_listen((uv_stream_t*)&server, 1024, on_connection);
    uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
