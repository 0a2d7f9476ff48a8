#include "live/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "read/memory.h"

enum { MOST_CLIENTS = 16, MOST_REQUEST = 8192, PATIENCE_MS = 5000, TOKEN_BYTES = 16 };

struct client {
    int fd; /* -1: the place is free */
    char request[MOST_REQUEST + 1];
    size_t received;
    char* answer; /* NULL: the request is not whole yet */
    size_t size;
    size_t sent;
    int64_t deadline; /* ms */
};

struct server {
    int fd;
    serve_write write;
    void* context;
    const char* path; /* of a text; NULL: a page, below the token */
    char token[2 * TOKEN_BYTES + 1];
    char address[512];
    char hosts[2][32]; /* the names under which it may be asked */
    struct client clients[MOST_CLIENTS];
};

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool make_token(char* token) {
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool listen_on_loopback(struct server* server) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    server->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->fd < 0 || bind(server->fd, (struct sockaddr*)&address, size) != 0 ||
        listen(server->fd, MOST_CLIENTS) != 0 ||
        getsockname(server->fd, (struct sockaddr*)&address, &size) != 0)
        return false;
    unsigned port = ntohs(address.sin_port);
    snprintf(server->hosts[0], sizeof(server->hosts[0]), "127.0.0.1:%u", port);
    snprintf(server->hosts[1], sizeof(server->hosts[1]), "localhost:%u", port);
    snprintf(server->address, sizeof(server->address), "http://127.0.0.1:%u/%s/", port,
             server->token);
    return true;
}

static struct server* new_server(serve_write write, void* context) {
    struct server* server = must(calloc(1, sizeof(*server)));
    server->fd = -1;
    server->write = write;
    server->context = context;
    for (size_t i = 0; i < MOST_CLIENTS; i++)
        server->clients[i].fd = -1;
    return server;
}

struct server* server_open(serve_write write, void* context) {
    struct server* server = new_server(write, context);
    if (make_token(server->token) && listen_on_loopback(server))
        return server;
    int error = errno;
    server_close(server);
    errno = error;
    return NULL;
}

/* "HOST:PORT", with a host of version 6 in brackets; NULL: it is neither that nor a port. */
static struct addrinfo* find_address(const char* where, char* host, size_t size) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found;
    const char* colon = strrchr(where, ':');
    const char* port = colon != NULL ? colon + 1 : where;
    size_t length = colon != NULL ? (size_t)(colon - where) : 0;
    if (length >= 2 && where[0] == '[' && where[length - 1] == ']') {
        where++;
        length -= 2;
    }
    snprintf(host, size, "%.*s", (int)length, where);
    if (length == 0)
        snprintf(host, size, "127.0.0.1");
    bool known = *port != '\0' && getaddrinfo(host, port, &hints, &found) == 0;
    errno = EINVAL;
    return known ? found : NULL;
}

static bool listen_at(struct server* server, const char* where) {
    char host[256], port[16] = "";
    struct sockaddr_storage bound;
    socklen_t size = sizeof(bound);
    const int yes = 1;
    struct addrinfo* at = find_address(where, host, sizeof(host));
    if (at == NULL)
        return false;
    server->fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool good = server->fd >= 0 &&
                setsockopt(server->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
                bind(server->fd, at->ai_addr, at->ai_addrlen) == 0 &&
                listen(server->fd, MOST_CLIENTS) == 0 &&
                getsockname(server->fd, (struct sockaddr*)&bound, &size) == 0 &&
                getnameinfo((struct sockaddr*)&bound, size, NULL, 0, port, sizeof(port),
                            NI_NUMERICSERV) == 0;
    int error = errno;
    freeaddrinfo(at);
    errno = error;
    bool v6 = strchr(host, ':') != NULL;
    snprintf(server->address, sizeof(server->address), "http://%s%s%s:%s%s", v6 ? "[" : "", host,
             v6 ? "]" : "", port, server->path);
    return good;
}

struct server* server_open_text(const char* where, const char* path, serve_write write,
                                void* context) {
    struct server* server = new_server(write, context);
    server->path = path;
    if (listen_at(server, where))
        return server;
    int error = errno;
    server_close(server);
    errno = error;
    return NULL;
}

const char* server_address(const struct server* server) {
    return server->address;
}

static void drop(struct client* client) {
    if (client->fd >= 0)
        close(client->fd);
    free(client->answer);
    *client = (struct client){.fd = -1};
}

void server_close(struct server* server) {
    for (size_t i = 0; i < MOST_CLIENTS; i++)
        drop(&server->clients[i]);
    if (server->fd >= 0)
        close(server->fd);
    free(server);
}

/* Requests */

/* The value of a header, cut off at the end of its line by `size`; NULL: there is none. */
static const char* header(const char* request, const char* name, size_t* size) {
    size_t length = strlen(name);
    for (const char* line = strstr(request, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        line += length + 1;
        line += strspn(line, " \t");
        *size = strcspn(line, "\r\n");
        return line;
    }
    return NULL;
}

static bool is_for_us(const struct server* server, const char* request) {
    size_t size = 0;
    const char* host = header(request, "Host", &size);
    for (size_t i = 0; host != NULL && i < 2; i++)
        if (size == strlen(server->hosts[i]) && strncasecmp(host, server->hosts[i], size) == 0)
            return true;
    return false;
}

/* Takes as long for a wrong path as for one that is almost right. */
static bool has_token(const struct server* server, const char* path) {
    unsigned char difference = 0;
    size_t size = strlen(server->token);
    if (path[0] != '/' || strnlen(path + 1, size) < size)
        return false;
    for (size_t i = 0; i < size; i++)
        difference |= (unsigned char)(path[1 + i] ^ server->token[i]);
    return difference == 0;
}

static void finish(struct client* client, const char* status, const char* type, const char* body,
                   size_t size) {
    FILE* out = must(open_memstream(&client->answer, &client->size));
    fprintf(out,
            "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
            "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
            "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
            status, type, size);
    fwrite(body, 1, size, out);
    fclose(out);
}

static void refuse(struct client* client, const char* status) {
    char body[128];
    int size = snprintf(body, sizeof(body), "%s\n", status);
    finish(client, status, "text/plain", body, (size_t)size);
}

static void answer(struct server* server, struct client* client) {
    char* path = client->request + 4;
    if (strncmp(client->request, "GET ", 4) != 0) {
        refuse(client, "405 Method Not Allowed");
        return;
    }
    if (server->path == NULL && !is_for_us(server, client->request)) {
        refuse(client, "403 Forbidden");
        return;
    }
    path[strcspn(path, " ?\r\n")] = '\0';
    bool is_page = server->path == NULL && has_token(server, path);
    const char* rest = is_page ? path + 1 + strlen(server->token) : "";
    bool only_data = strcmp(rest, "/data") == 0;
    if (server->path != NULL ? strcmp(path, server->path) != 0
                             : !only_data && strcmp(rest, "/") != 0) {
        refuse(client, "404 Not Found");
        return;
    }
    char* body = NULL;
    size_t size = 0;
    FILE* out = must(open_memstream(&body, &size));
    bool made = server->write(server->context, only_data, out);
    fclose(out);
    if (made)
        finish(client, "200 OK", server->path != NULL ? "text/plain; version=0.0.4" : "text/html",
               body, size);
    else
        refuse(client, "503 Service Unavailable");
    free(body);
}

/* Connections */

static void welcome(struct server* server) {
    int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    for (size_t i = 0; i < MOST_CLIENTS; i++)
        if (server->clients[i].fd < 0) {
            server->clients[i].fd = fd;
            server->clients[i].deadline = now_ms() + PATIENCE_MS;
            return;
        }
    close(fd);
}

static void receive(struct server* server, struct client* client) {
    ssize_t got =
        recv(client->fd, client->request + client->received, MOST_REQUEST - client->received, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        drop(client);
        return;
    }
    client->received += (size_t)got;
    client->request[client->received] = '\0';
    if (strstr(client->request, "\r\n\r\n") != NULL)
        answer(server, client);
    else if (client->received == MOST_REQUEST || strlen(client->request) < client->received)
        refuse(client, "400 Bad Request");
}

static void transmit(struct client* client) {
    ssize_t put =
        send(client->fd, client->answer + client->sent, client->size - client->sent, MSG_NOSIGNAL);
    if (put < 0 && errno != EAGAIN && errno != EINTR) {
        drop(client);
        return;
    }
    if (put > 0) {
        client->sent += (size_t)put;
        client->deadline = now_ms() + PATIENCE_MS;
    }
    if (client->sent == client->size) {
        shutdown(client->fd, SHUT_WR);
        drop(client);
    }
}

/* Waits for something to do, at most so long, and does it. */
static void serve_once(struct server* server, int timeout) {
    struct pollfd polls[MOST_CLIENTS + 1];
    for (size_t i = 0; i < MOST_CLIENTS; i++) {
        struct client* client = &server->clients[i];
        if (client->fd >= 0 && now_ms() > client->deadline)
            drop(client);
        polls[i] =
            (struct pollfd){.fd = client->fd, .events = client->answer != NULL ? POLLOUT : POLLIN};
    }
    polls[MOST_CLIENTS] = (struct pollfd){.fd = server->fd, .events = POLLIN};
    if (poll(polls, MOST_CLIENTS + 1, timeout) <= 0)
        return;
    for (size_t i = 0; i < MOST_CLIENTS; i++) {
        if (polls[i].revents == 0)
            continue;
        if (server->clients[i].answer != NULL)
            transmit(&server->clients[i]);
        else
            receive(server, &server->clients[i]);
    }
    if (polls[MOST_CLIENTS].revents != 0)
        welcome(server);
}

void server_run(struct server* server, double seconds, const volatile sig_atomic_t* stop) {
    enum { STEP_MS = 200 };
    int64_t until = now_ms() + (int64_t)(seconds * 1000);
    for (int64_t left; !*stop && (left = until - now_ms()) > 0;)
        serve_once(server, left < STEP_MS ? (int)left : STEP_MS);
}
