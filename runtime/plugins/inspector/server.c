#include "server.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"

static void on_free(uv_handle_t* handle) {
    free(handle);
}

static void on_connection(uv_stream_t* listener, int status) {
    if (status == 0)
        ph_connection_accept(listener->data, listener);
}

static void on_impatience(uv_timer_t* timer) {
    ph_server* server = timer->data;
    while (server->connections != NULL)
        ph_connection_drop(server->connections);
}

static void end(ph_server* server) {
    for (ph_connection *one = server->connections, *next; one != NULL; one = next) {
        next = one->next;
        ph_connection_end(one, true);
    }
    uv_close((uv_handle_t*)&server->wake, NULL);
    uv_timer_start(&server->patience, on_impatience, 1000, 0);
    uv_unref((uv_handle_t*)&server->patience);
}

/* What the world's thread wants: texts to send, connections to end, the end of it all. */
static void on_orders(uv_async_t* async) {
    ph_server* server = async->data;
    for (ph_mail* one; (one = ph_mailbox_take(&server->orders, false)) != NULL; free(one)) {
        ph_connection* target = ph_connection_find(server, one->connection);
        if (one->kind == PH_MAIL_TEXT && target != NULL)
            ph_connection_send(target, one->text, one->length);
        else if (one->kind == PH_MAIL_CLOSED && one->connection != 0 && target != NULL)
            ph_connection_end(target, true);
        else if (one->kind == PH_MAIL_CLOSED && one->connection == 0)
            server->is_ending = true;
        if ((server->is_ending || one->kind == PH_MAIL_OPENED) && server->listener != NULL) {
            uv_close((uv_handle_t*)server->listener, on_free);
            server->listener = NULL;
        }
    }
    if (server->is_ending)
        end(server);
}

static void run(void* arg) {
    ph_server* server = arg;
    uv_run(&server->loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t*)&server->patience, NULL);
    uv_run(&server->loop, UV_RUN_DEFAULT);
}

/* The first address that a name stands for. */
static int find_address(const char* host, int port, struct sockaddr_storage* found) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo* list = NULL;
    char service[16];
    snprintf(service, sizeof(service), "%d", port);
    if (getaddrinfo(host, service, &hints, &list) != 0)
        return UV_EAI_NONAME;
    memcpy(found, list->ai_addr, list->ai_addrlen);
    freeaddrinfo(list);
    return 0;
}

static int listen_at(ph_server* server, const struct sockaddr_storage* address) {
    server->listener = malloc(sizeof(*server->listener));
    if (server->listener == NULL)
        return UV_ENOMEM;
    int status = uv_tcp_init(&server->loop, server->listener);
    if (status != 0) {
        free(server->listener);
        server->listener = NULL;
        return status;
    }
    server->listener->data = server;
    status = uv_tcp_bind(server->listener, (const struct sockaddr*)address, 0);
    if (status == 0)
        status = uv_listen((uv_stream_t*)server->listener, 16, on_connection);
    struct sockaddr_storage bound;
    int length = sizeof(bound);
    if (status == 0)
        status = uv_tcp_getsockname(server->listener, (struct sockaddr*)&bound, &length);
    if (status == 0)
        server->port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6*)&bound)->sin6_port
                                                         : ((struct sockaddr_in*)&bound)->sin_port);
    return status;
}

static void release(ph_server* server) {
    ph_mailbox_close(&server->orders);
    free(server->host);
    free(server->id);
    free(server->list);
    free(server->version);
    free(server);
}

static int start(ph_server* server) {
    struct sockaddr_storage address;
    int status = find_address(server->host, server->port, &address);
    if (status == 0)
        status = uv_async_init(&server->loop, &server->wake, on_orders);
    if (status != 0)
        return status;
    server->wake.data = server;
    uv_timer_init(&server->loop, &server->patience);
    server->patience.data = server;
    server->orders.knock = &server->wake;
    status = listen_at(server, &address);
    if (status == 0)
        status = uv_thread_create(&server->thread, run, server);
    if (status != 0) {
        if (server->listener != NULL)
            uv_close((uv_handle_t*)server->listener, on_free);
        uv_close((uv_handle_t*)&server->wake, NULL);
        uv_close((uv_handle_t*)&server->patience, NULL);
        uv_run(&server->loop, UV_RUN_DEFAULT);
    }
    return status;
}

int ph_server_start(const ph_server_settings* settings, ph_mailbox* box, ph_server** made) {
    ph_server* server = calloc(1, sizeof(*server));
    if (server == NULL)
        return UV_ENOMEM;
    int status = ph_mailbox_open(&server->orders);
    if (status != 0) {
        free(server);
        return status;
    }
    server->box = box;
    server->host = strdup(settings->host);
    server->port = settings->port;
    server->id = strdup(settings->id);
    server->list = strdup(settings->list);
    server->version = strdup(settings->version);
    server->is_listed = settings->is_listed;
    bool has_all = server->host != NULL && server->id != NULL && server->list != NULL &&
                   server->version != NULL;
    status = has_all ? uv_loop_init(&server->loop) : UV_ENOMEM;
    if (status == 0) {
        status = start(server);
        if (status != 0)
            uv_loop_close(&server->loop);
    }
    if (status != 0)
        release(server);
    else
        *made = server;
    return status;
}

int ph_server_port(const ph_server* server) {
    return server->port;
}

void ph_server_send(ph_server* server, int connection, const char* text, size_t length) {
    ph_mailbox_put(&server->orders, length == 0 ? PH_MAIL_CLOSED : PH_MAIL_TEXT, connection, text,
                   length);
}

void ph_server_refuse(ph_server* server) {
    ph_mailbox_put(&server->orders, PH_MAIL_OPENED, 0, NULL, 0);
}

void ph_server_stop(ph_server* server) {
    ph_mailbox_put(&server->orders, PH_MAIL_CLOSED, 0, NULL, 0);
    uv_thread_join(&server->thread);
    uv_loop_close(&server->loop);
    release(server);
}
