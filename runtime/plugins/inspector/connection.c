#include "connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

typedef struct {
    uv_write_t request;
    bool is_last;
    char bytes[];
} writing;

static void on_closed(uv_handle_t* handle) {
    ph_connection* connection = handle->data;
    ph_ws_free(&connection->ws);
    free(connection);
}

void ph_connection_drop(ph_connection* connection) {
    ph_server* server = connection->server;
    if (uv_is_closing((uv_handle_t*)&connection->tcp))
        return;
    for (ph_connection** link = &server->connections; *link != NULL; link = &(*link)->next) {
        if (*link == connection) {
            *link = connection->next;
            server->connection_count--;
            break;
        }
    }
    if (connection->is_websocket)
        ph_mailbox_put(server->box, PH_MAIL_CLOSED, connection->id, NULL, 0);
    uv_close((uv_handle_t*)&connection->tcp, on_closed);
}

static void on_written(uv_write_t* request, int status) {
    writing* done = (writing*)request;
    ph_connection* connection = request->handle->data;
    bool is_over = done->is_last || status != 0;
    free(done);
    if (is_over)
        ph_connection_drop(connection);
}

static void write_bytes(ph_connection* connection, const void* head, size_t head_length,
                        const void* body, size_t length, bool is_last) {
    writing* made = malloc(sizeof(*made) + head_length + length);
    if (made == NULL) {
        ph_connection_drop(connection);
        return;
    }
    made->is_last = is_last;
    memcpy(made->bytes, head, head_length);
    if (length > 0)
        memcpy(made->bytes + head_length, body, length);
    uv_buf_t buffer = uv_buf_init(made->bytes, (unsigned)(head_length + length));
    if (uv_write(&made->request, (uv_stream_t*)&connection->tcp, &buffer, 1, on_written) != 0) {
        free(made);
        ph_connection_drop(connection);
    }
}

static void send_frame(ph_connection* connection, ph_ws_opcode opcode, const void* bytes,
                       size_t length, bool is_last) {
    uint8_t head[PH_WS_HEAD_BYTES];
    write_bytes(connection, head, ph_ws_head(head, opcode, length), bytes, length, is_last);
}

void ph_connection_send(ph_connection* connection, const char* text, size_t length) {
    if (connection->is_websocket && !connection->is_ending)
        send_frame(connection, PH_WS_TEXT, text, length, false);
}

void ph_connection_end(ph_connection* connection, bool says_so) {
    if (connection->is_ending)
        return;
    connection->is_ending = true;
    if (says_so && connection->is_websocket)
        send_frame(connection, PH_WS_END, NULL, 0, true);
    else
        ph_connection_drop(connection);
}

static void answer(ph_connection* connection, int status, const char* type, const char* body) {
    char head[256];
    const char* words = status == 200   ? "OK"
                        : status == 403 ? "Forbidden"
                        : status == 404 ? "Not Found"
                                        : "Bad Request";
    int length = snprintf(head, sizeof(head),
                          "HTTP/1.0 %d %s\r\nContent-Type: %s; charset=UTF-8\r\n"
                          "Cache-Control: no-cache\r\nContent-Length: %zu\r\n\r\n",
                          status, words, type, strlen(body));
    connection->is_ending = true;
    write_bytes(connection, head, (size_t)length, body, strlen(body), true);
}

static void refuse(ph_connection* connection, int status) {
    answer(connection, status, "text/html",
           status == 403 ? "Pages of the web have no access\r\n"
                         : "WebSockets request was expected\r\n");
}

/* The list has one entry; its addresses are those by which the client has come. */
static void answer_list(ph_connection* connection, const char* host) {
    ph_server* server = connection->server;
    static const char front[] = "devtools://devtools/bundled/";
    static const char query[] = "?experiments=true&v8only=true&ws=";
    char own[300];
    if (host[0] == '\0')
        snprintf(own, sizeof(own), strchr(server->host, ':') ? "[%s]:%d" : "%s:%d", server->host,
                 server->port);
    else
        snprintf(own, sizeof(own), "%s", host);
    size_t room = strlen(server->list) + 4 * sizeof(own) + 8 * strlen(server->id) + 1024;
    char* body = malloc(room);
    if (body == NULL) {
        ph_connection_drop(connection);
        return;
    }
    if (server->is_listed)
        snprintf(body, room,
                 "[ {\n  \"description\": \"node.js instance\",\n"
                 "  \"devtoolsFrontendUrl\": \"%sjs_app.html%s%s/%s\",\n"
                 "  \"devtoolsFrontendUrlCompat\": \"%sinspector.html%s%s/%s\",\n"
                 "  \"id\": \"%s\",\n%s,\n  \"type\": \"node\",\n"
                 "  \"webSocketDebuggerUrl\": \"ws://%s/%s\"\n} ]\n\n",
                 front, query, own, server->id, front, query, own, server->id, server->id,
                 server->list, own, server->id);
    else
        snprintf(body, room, "[ ]\n\n");
    answer(connection, 200, "application/json", body);
    free(body);
}

static void upgrade(ph_connection* connection, const ph_request* request) {
    char head[256];
    char key[PH_WS_ACCEPT_BYTES];
    ph_ws_accept(request->key, key);
    int length = snprintf(head, sizeof(head),
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                          key);
    connection->is_websocket = true;
    write_bytes(connection, head, (size_t)length, NULL, 0, false);
    ph_mailbox_put(connection->server->box, PH_MAIL_OPENED, connection->id, NULL, 0);
}

static void on_upgrade(ph_connection* connection, const ph_request* request) {
    const char* path = request->path;
    if (request->key[0] != '\0' && path[0] == '/' && strcmp(path + 1, connection->server->id) == 0)
        upgrade(connection, request);
    else
        refuse(connection, 400);
}

static void serve(ph_connection* connection, const ph_request* request) {
    const char* path = request->path;
    if (request->wants_websocket)
        on_upgrade(connection, request);
    else if (strcmp(path, "/json") == 0 || strcmp(path, "/json/list") == 0)
        answer_list(connection, request->host);
    else if (strcmp(path, "/json/version") == 0)
        answer(connection, 200, "application/json", connection->server->version);
    else
        refuse(connection, 400);
}

static void on_request(ph_connection* connection, const ph_request* request) {
    if (!ph_request_host_is_allowed(request->host))
        refuse(connection, 400);
    else if (!ph_request_origin_is_allowed(request->origin))
        refuse(connection, 403);
    else
        serve(connection, request);
}

static void read_frames(ph_connection* connection) {
    const uint8_t* bytes;
    size_t length;
    while (!connection->is_ending) {
        switch (ph_ws_next(&connection->ws, &bytes, &length)) {
        case PH_WS_NEED_MORE:
            return;
        case PH_WS_MESSAGE:
            ph_mailbox_put(connection->server->box, PH_MAIL_TEXT, connection->id,
                           (const char*)bytes, length);
            break;
        case PH_WS_PING:
            send_frame(connection, PH_WS_ANSWER, bytes, length, false);
            break;
        case PH_WS_PONG:
            break;
        case PH_WS_CLOSE:
            ph_connection_end(connection, true);
            break;
        case PH_WS_BROKEN:
            ph_connection_end(connection, false);
            break;
        }
    }
}

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    ph_server* server = ((ph_connection*)handle->data)->server;
    (void)suggested;
    *buffer = uv_buf_init(server->space, sizeof(server->space));
}

static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
    ph_connection* connection = stream->data;
    if (count < 0 || !ph_ws_push(&connection->ws, buffer->base, (size_t)count)) {
        ph_connection_drop(connection);
        return;
    }
    if (connection->is_ending || count == 0)
        return;
    if (!connection->is_websocket) {
        ph_request request;
        int head = ph_request_read((char*)connection->ws.bytes, connection->ws.length, &request);
        if (head < 0)
            refuse(connection, 400);
        if (head <= 0)
            return;
        connection->ws.used = (size_t)head;
        on_request(connection, &request);
    }
    if (connection->is_websocket)
        read_frames(connection);
}

ph_connection* ph_connection_find(ph_server* server, int id) {
    ph_connection* one = server->connections;
    while (one != NULL && one->id != id)
        one = one->next;
    return one;
}

void ph_connection_accept(ph_server* server, uv_stream_t* listener) {
    ph_connection* connection = calloc(1, sizeof(*connection));
    if (connection == NULL || uv_tcp_init(&server->loop, &connection->tcp) != 0) {
        free(connection);
        return;
    }
    connection->tcp.data = connection;
    connection->server = server;
    connection->id = ++server->last_id;
    connection->next = server->connections;
    server->connections = connection;
    server->connection_count++;
    if (uv_accept(listener, (uv_stream_t*)&connection->tcp) != 0 ||
        server->connection_count > PH_MOST_CONNECTIONS ||
        uv_read_start((uv_stream_t*)&connection->tcp, on_alloc, on_read) != 0)
        ph_connection_drop(connection);
}
