/*
 * HTTP fetch with a timeout for each try, and retries with growing pauses. The server, on loopback,
 * does not answer the first time, answers 503 the second time, and then as it should.
 */
#include <phasor_go.h>

#include <string.h>

#include "must.h"

struct page {
    int status;
    char body[256];
};

static go_suspends int read_page(uv_stream_t* stream, struct page* page, uint64_t deadline) {
    char memory[1024], *line;
    go_reader_t reader;
    ssize_t n, length = -1;
    go_reader_init(&reader, stream, memory, sizeof(memory));
    n = go_read_until(&reader, "\r\n", 2, &line, deadline);
    if (n < 0)
        return (int)n;
    if (sscanf(line, "HTTP/1.%*d %d", &page->status) != 1)
        return UV_EPROTO;
    while ((n = go_read_until(&reader, "\r\n", 2, &line, deadline)) > 2)
        sscanf(line, "Content-Length: %zd", &length);
    if (n < 0 || length < 0 || length >= (ssize_t)sizeof(page->body))
        return n < 0 ? (int)n : UV_EPROTO;
    page->body[length] = '\0';
    n = go_reader_exactly(&reader, page->body, (size_t)length, deadline);
    return n < 0 ? (int)n : 0;
}

static go_suspends int fetch_once(const char* port, struct page* page, uint64_t deadline) {
    static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    uv_tcp_t tcp;
    int status = go_dial(&tcp, "127.0.0.1", port, deadline);
    if (status != 0)
        return status;
    status = go_write((uv_stream_t*)&tcp, request, sizeof(request) - 1, deadline);
    if (status == 0)
        status = read_page((uv_stream_t*)&tcp, page, deadline);
    go_close((uv_handle_t*)&tcp);
    return status;
}

static go_suspends int fetch(const char* port, struct page* page) {
    int status = 0;
    for (int attempt = 1; attempt <= 5; attempt++) {
        status = fetch_once(port, page, go_after(2000));
        if (status == 0 && page->status == 200)
            return 0;
        if (status != 0)
            printf("try %d: %s\n", attempt, uv_err_name(status));
        else
            printf("try %d: status %d\n", attempt, page->status);
        MUST(go_sleep(10u << attempt));
    }
    return status != 0 ? status : UV_EIO;
}

static int serve(void* arg) {
    static const char* answers[] = {NULL, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
                                    "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHello, world\n"};
    for (int i = 0; i < 3; i++) {
        char memory[1024], *line;
        uv_tcp_t client;
        go_reader_t reader;
        MUST(uv_tcp_init(go_loop(), &client));
        MUST(go_accept(arg, (uv_stream_t*)&client, GO_NEVER));
        go_reader_init(&reader, (uv_stream_t*)&client, memory, sizeof(memory));
        MUST_NOT_FAIL(go_read_until(&reader, "\r\n\r\n", 4, &line, GO_NEVER));
        if (answers[i] != NULL)
            MUST(go_write((uv_stream_t*)&client, answers[i], strlen(answers[i]), GO_NEVER));
        go_read((uv_stream_t*)&client, memory, 1, GO_NEVER); /* until the client closes */
        go_close((uv_handle_t*)&client);
    }
    return 0;
}

static int run(void* arg) {
    uv_tcp_t server;
    struct sockaddr_in address;
    int size = sizeof(address);
    char port[16];
    struct page page;
    go_group_t group;
    (void)arg;
    MUST(go_tcp_listen(NULL, &server, "127.0.0.1", 0));
    MUST(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    snprintf(port, sizeof(port), "%d", ntohs(address.sin_port));
    MUST(go_group_init(&group, NULL));
    MUST(go_group_start(&group, serve, &server));
    MUST(fetch(port, &page));
    printf("status %d: %s", page.status, page.body);
    MUST(go_group_wait(&group, GO_NEVER));
    return go_close((uv_handle_t*)&server);
}

int main(void) {
    MUST(go_main(run, NULL));
    return 0;
}
