#include "live/post.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { SECONDS = 10 /* that each step may take */ };

struct address {
    char host[256];
    char port[8];
    char path[1024]; /* without a / at its end */
};

static bool parse(const char* text, struct address* address, char* error, size_t size) {
    static const char scheme[] = "http://";
    if (strncmp(text, scheme, strlen(scheme)) != 0) {
        snprintf(error, size, "%s does not begin with http://, the only way that is known here",
                 text);
        return false;
    }
    text += strlen(scheme);
    bool bracketed = *text == '[';
    const char* host = text + bracketed;
    size_t length = strcspn(host, bracketed ? "]" : ":/");
    const char* rest = host + length + (bracketed && host[length] == ']');
    snprintf(address->port, sizeof(address->port), "4318");
    if (*rest == ':') {
        size_t digits = strspn(rest + 1, "0123456789");
        if (digits == 0 || digits >= sizeof(address->port)) {
            snprintf(error, size, "the port in %s is no number", text);
            return false;
        }
        snprintf(address->port, sizeof(address->port), "%.*s", (int)digits, rest + 1);
        rest += 1 + digits;
    }
    if (length == 0 || length >= sizeof(address->host) || (*rest != '/' && *rest != '\0') ||
        strlen(rest) >= sizeof(address->path) || strpbrk(rest, " \r\n") != NULL) {
        snprintf(error, size, "%s is no address", text);
        return false;
    }
    snprintf(address->host, sizeof(address->host), "%.*s", (int)length, host);
    snprintf(address->path, sizeof(address->path), "%s", rest);
    for (size_t n = strlen(address->path); n > 0 && address->path[n - 1] == '/'; n--)
        address->path[n - 1] = '\0';
    return true;
}

static int dial(const struct address* address, char* error, size_t size) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    struct timeval limit = {.tv_sec = SECONDS};
    int fd = -1, err = getaddrinfo(address->host, address->port, &hints, &found);
    if (err != 0) {
        snprintf(error, size, "%s is not known: %s", address->host, gai_strerror(err));
        return -1;
    }
    for (struct addrinfo* at = found; at != NULL && fd == -1; at = at->ai_next) {
        fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        if (fd == -1)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
        if (connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
            err = errno;
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    if (fd == -1)
        snprintf(error, size, "%s:%s can't be reached: %s", address->host, address->port,
                 strerror(err));
    return fd;
}

static bool send_all(int fd, const char* data, size_t size) {
    while (size > 0) {
        ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
        if (n == -1 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/* The status of the answer, 0: there is none. The rest of it does not matter. */
static int receive_status(int fd, char* line, size_t size) {
    size_t got = 0;
    int status = 0;
    while (got + 1 < size && memchr(line, '\n', got) == NULL) {
        ssize_t n = recv(fd, line + got, size - 1 - got, 0);
        if (n == -1 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    line[got] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return sscanf(line, "HTTP/%*d.%*d %d", &status) == 1 ? status : 0;
}

bool post_json(const char* address, const char* path, const char* json, size_t size, char* error,
               size_t error_size) {
    struct address to;
    char head[1600], line[512];
    if (!parse(address, &to, error, error_size))
        return false;
    int fd = dial(&to, error, error_size);
    if (fd == -1)
        return false;
    bool v6 = strchr(to.host, ':') != NULL;
    int length = snprintf(head, sizeof(head),
                          "POST %s%s HTTP/1.1\r\nHost: %s%s%s:%s\r\nContent-Type: "
                          "application/json\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
                          to.path, path, v6 ? "[" : "", to.host, v6 ? "]" : "", to.port, size);
    bool sent = send_all(fd, head, (size_t)length) && send_all(fd, json, size);
    int status = receive_status(fd, line, sizeof(line));
    close(fd);
    if (status >= 200 && status < 300)
        return true;
    snprintf(error, error_size, "%s%s %s%.200s", address, path,
             status != 0 ? "answered "
             : sent      ? "gave no answer"
                         : "did not take all of it",
             status != 0 ? line : "");
    return false;
}
