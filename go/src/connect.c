/* Listening, accepting, connecting, shutting down. */
#include <stdlib.h>
#include <string.h>

#include "detached.h"
#include "watch.h"

bool go__detached_leave(void* data, int why) {
    (void)why;
    ((struct go__detached*)data)->go = NULL;
    return true;
}

void go__detached_end(struct go__detached* detached, int status) {
    go_t* go = detached->go;
    free(detached);
    if (go == NULL)
        return;
    go__ready(go, status);
    go__run(go->scheduler);
}

static void on_connection(uv_stream_t* server, int status) {
    struct go__scheduler* s = go__scheduler_of(server->loop);
    struct go__watch* watch = go__watch_find(s, server, GO__ACCEPT);
    struct go_link* waiter = watch != NULL ? go__list_take(&watch->waiters) : NULL;
    if (waiter == NULL)
        return; /* the library keeps the connection for go_accept, and waits with the next */
    if (go__list_empty(&watch->waiters))
        go__watch_drop(s, watch);
    go__waiter_ready(waiter, status);
    go__run(s);
}

int go_listen(uv_stream_t* server, int backlog) {
    return uv_listen(server, backlog, on_connection);
}

static bool stop_accepting(void* data, int why) {
    struct go__waiter* waiter = data;
    struct go_link* next = waiter->link.next;
    (void)why;
    go__list_remove(&waiter->link);
    if (go__list_empty(next)) { /* it was the only one */
        struct go__watch* watch = GO_OF(next, struct go__watch, waiters);
        go__watch_drop(waiter->go->scheduler, watch);
    }
    return true;
}

int go_accept(uv_stream_t* server, uv_stream_t* client, uint64_t deadline) {
    struct go__scheduler* s = go__on(server->loop);
    if (s == NULL || client->loop != server->loop || uv_is_closing((uv_handle_t*)server))
        return UV_EINVAL;
    for (;;) {
        if (s->current->cancelled && s->current->shields == 0)
            return UV_ECANCELED;
        int status = uv_accept(server, client);
        if (status != UV_EAGAIN)
            return status;
        struct go__watch* watch = go__watch_get(s, server, GO__ACCEPT);
        if (watch == NULL)
            return UV_ENOMEM;
        struct go__waiter waiter = {.go = s->current};
        go__list_add(&watch->waiters, &waiter.link);
        status = go__suspend(s, "accept", stop_accepting, &waiter, deadline);
        if (status != 0)
            return status;
    }
}

struct connecting {
    struct go__detached detached; /* first */
    union {
        uv_connect_t connect;
        uv_shutdown_t shutdown;
    } request;
};

static void on_connect(uv_connect_t* request, int status) {
    go__detached_end(&GO_OF(request, struct connecting, request.connect)->detached, status);
}

static struct connecting* new_request(const uv_loop_t* loop, int* status) {
    struct go__scheduler* s = go__on(loop);
    struct connecting* request = NULL;
    if (s == NULL)
        *status = UV_EINVAL;
    else if (s->current->cancelled && s->current->shields == 0)
        *status = UV_ECANCELED;
    else if ((request = calloc(1, sizeof(*request))) == NULL)
        *status = UV_ENOMEM;
    else
        request->detached.go = s->current;
    return request;
}

int go_tcp_connect(uv_tcp_t* tcp, const struct sockaddr* address, uint64_t deadline) {
    int status;
    struct connecting* connecting = new_request(tcp->loop, &status);
    if (connecting == NULL)
        return status;
    status = uv_tcp_connect(&connecting->request.connect, tcp, address, on_connect);
    if (status != 0) {
        free(connecting);
        return status;
    }
    return go__suspend(go__here(), "connect", go__detached_leave, connecting, deadline);
}

int go_pipe_connect(uv_pipe_t* pipe, const char* name, uint64_t deadline) {
    int status;
    struct connecting* connecting = new_request(pipe->loop, &status);
    if (connecting == NULL)
        return status;
    uv_pipe_connect(&connecting->request.connect, pipe, name, on_connect);
    return go__suspend(go__here(), "connect", go__detached_leave, connecting, deadline);
}

static void on_shutdown(uv_shutdown_t* request, int status) {
    go__detached_end(&GO_OF(request, struct connecting, request.shutdown)->detached, status);
}

int go_shutdown(uv_stream_t* stream, uint64_t deadline) {
    int status;
    struct connecting* shutting = new_request(stream->loop, &status);
    if (shutting == NULL)
        return status;
    status = uv_shutdown(&shutting->request.shutdown, stream, on_shutdown);
    if (status != 0) {
        free(shutting);
        return status;
    }
    return go__suspend(go__here(), "shutdown", go__detached_leave, shutting, deadline);
}

static int bind_and_listen(uv_tcp_t* server, const char* ip, int port) {
    struct sockaddr_storage address;
    int status = uv_ip4_addr(ip, port, (struct sockaddr_in*)&address);
    if (status != 0)
        status = uv_ip6_addr(ip, port, (struct sockaddr_in6*)&address);
    if (status == 0)
        status = uv_tcp_bind(server, (const struct sockaddr*)&address, 0);
    if (status == 0)
        status = go_listen((uv_stream_t*)server, 511);
    return status;
}

int go_tcp_listen(uv_loop_t* loop, uv_tcp_t* server, const char* ip, int port) {
    if (loop == NULL)
        loop = go_loop();
    if (loop == NULL || ip == NULL)
        return UV_EINVAL;
    int status = uv_tcp_init(loop, server);
    if (status != 0)
        return status;
    status = bind_and_listen(server, ip, port);
    if (status != 0 && go_close((uv_handle_t*)server) != 0)
        uv_close((uv_handle_t*)server, NULL);
    return status;
}

int go_dial(uv_tcp_t* tcp, const char* host, const char* service, uint64_t deadline) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int status = go_getaddrinfo(host, service, &hints, &found, deadline);
    if (status != 0)
        return status;
    for (const struct addrinfo* one = found; one != NULL; one = one->ai_next) {
        status = uv_tcp_init(go_loop(), tcp);
        if (status != 0)
            break;
        status = go_tcp_connect(tcp, one->ai_addr, deadline);
        if (status == 0)
            break;
        go_close((uv_handle_t*)tcp);
        if (status == UV_ECANCELED || status == UV_ETIMEDOUT)
            break;
    }
    uv_freeaddrinfo(found);
    return status;
}
