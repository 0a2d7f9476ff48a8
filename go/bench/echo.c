/* The same echo server twice: with callbacks, and with a coroutine for each connection. The client
 * is another process and not counted. */
#include <phasor_go.h>

#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { MESSAGE = 64, MEMORY = 4096 };

#define MUST(condition) ((condition) ? (void)0 : (perror(#condition), exit(1)))

struct connection {
    uv_tcp_t tcp; /* first */
    uv_write_t write;
    char memory[MEMORY];
};

static void on_closed(uv_handle_t* handle) {
    free(handle);
}

static void give_memory(uv_handle_t* handle, size_t wished, uv_buf_t* buffer) {
    (void)wished;
    *buffer = uv_buf_init(((struct connection*)handle)->memory, MEMORY);
}

static void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
    if (size < 0) {
        uv_close((uv_handle_t*)stream, on_closed);
        return;
    }
    if (size == 0)
        return;
    uv_buf_t answer = uv_buf_init(buffer->base, (unsigned)size);
    int n = uv_try_write(stream, &answer, 1); /* what go_write does too */
    if (n == (int)size)
        return;
    if (n < 0)
        n = 0;
    answer.base += n;
    answer.len -= (size_t)n;
    uv_write(&((struct connection*)stream)->write, stream, &answer, 1, NULL);
}

static void on_connection(uv_stream_t* server, int status) {
    struct connection* connection = malloc(sizeof(*connection));
    MUST(status == 0 && connection != NULL);
    uv_tcp_init(server->loop, &connection->tcp);
    MUST(uv_accept(server, (uv_stream_t*)&connection->tcp) == 0);
    uv_read_start((uv_stream_t*)&connection->tcp, give_memory, on_read);
}

static int serve(void* arg) {
    struct connection* connection = arg;
    uv_stream_t* stream = (uv_stream_t*)&connection->tcp;
    ssize_t n;
    while ((n = go_read(stream, connection->memory, MEMORY, GO_NEVER)) > 0)
        if (go_write(stream, connection->memory, (size_t)n, GO_NEVER) != 0)
            break;
    go_close((uv_handle_t*)stream);
    free(connection);
    return 0;
}

static int accept_all(void* arg) {
    uv_stream_t* server = arg;
    for (;;) {
        struct connection* connection = malloc(sizeof(*connection));
        MUST(connection != NULL);
        uv_tcp_init(server->loop, &connection->tcp);
        MUST(go_accept(server, (uv_stream_t*)&connection->tcp, GO_NEVER) == 0);
        go_start(server->loop, serve, connection);
    }
}

static void end_by_signal(uv_signal_t* signal, int number) {
    (void)number;
    uv_stop(signal->loop);
}

static void run_server(int fd, int with_coroutines) {
    uv_loop_t* loop = uv_default_loop();
    uv_tcp_t server;
    uv_signal_t signal;
    uv_tcp_init(loop, &server);
    uv_signal_init(loop, &signal);
    uv_signal_start(&signal, end_by_signal, SIGTERM);
    MUST(uv_tcp_open(&server, fd) == 0);
    if (with_coroutines) {
        MUST(go_listen((uv_stream_t*)&server, 1024) == 0);
        go_start(loop, accept_all, &server);
    } else {
        MUST(uv_listen((uv_stream_t*)&server, 1024, on_connection) == 0);
    }
    uv_run(loop, UV_RUN_DEFAULT);
    _exit(0);
}

static int listen_somewhere(struct sockaddr_in* address) {
    socklen_t size = sizeof(*address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    MUST(bind(fd, (struct sockaddr*)address, size) == 0 && listen(fd, 1024) == 0);
    MUST(getsockname(fd, (struct sockaddr*)address, &size) == 0);
    return fd;
}

/* Each connection has one message on its way, until that many were answered. */
static void run_client(const struct sockaddr_in* address, int connections, long messages) {
    struct epoll_event events[256];
    char memory[MEMORY] = "";
    int poller = epoll_create1(0), on = 1;
    for (int i = 0; i < connections; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        MUST(fd >= 0 && connect(fd, (const struct sockaddr*)address, sizeof(*address)) == 0);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        MUST(epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) == 0);
        MUST(write(fd, memory, MESSAGE) == MESSAGE);
    }
    while (messages > 0) {
        int n = epoll_wait(poller, events, 256, -1);
        for (int i = 0; i < n; i++) {
            ssize_t size = read(events[i].data.fd, memory, sizeof(memory));
            MUST(size > 0 && write(events[i].data.fd, memory, (size_t)size) == size);
        }
        messages -= n;
    }
}

void bench_echo(const char* kind, int connections, long messages) {
    struct sockaddr_in address;
    struct rusage used;
    struct rlimit limit;
    int status, fd = listen_somewhere(&address);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    pid_t pid = fork();
    if (pid == 0)
        run_server(fd, strcmp(kind, "coroutines") == 0);
    close(fd);
    run_client(&address, connections, messages);
    kill(pid, SIGTERM);
    MUST(wait4(pid, &status, 0, &used) == pid && status == 0);
    double us = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
                (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    printf("echo_%s_%d %.3f us\n", kind, connections, us / (double)messages);
}
