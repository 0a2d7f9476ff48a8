#include "request.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char* find_end(const char* bytes, size_t length) {
    return memmem(bytes, length, "\r\n\r\n", 4);
}

/* False if it does not fit: half a value would be another value. */
static bool copy(char* to, size_t room, const char* from, const char* end) {
    while (from < end && (*from == ' ' || *from == '\t'))
        from++;
    while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    size_t length = (size_t)(end - from);
    if (length >= room || memchr(from, '\0', length) != NULL)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static bool is_named(const char* line, const char* colon, const char* name) {
    return (size_t)(colon - line) == strlen(name) && strncasecmp(line, name, strlen(name)) == 0;
}

static bool read_field(const char* line, const char* end, ph_request* request) {
    const char* colon = memchr(line, ':', (size_t)(end - line));
    char upgrade[32] = "";
    if (colon == NULL)
        return false;
    if (is_named(line, colon, "host"))
        return request->host[0] == '\0' &&
               copy(request->host, sizeof(request->host), colon + 1, end);
    if (is_named(line, colon, "origin"))
        return copy(request->origin, sizeof(request->origin), colon + 1, end);
    if (is_named(line, colon, "sec-websocket-key"))
        return copy(request->key, sizeof(request->key), colon + 1, end);
    if (is_named(line, colon, "upgrade")) {
        request->wants_websocket =
            copy(upgrade, sizeof(upgrade), colon + 1, end) && strcasecmp(upgrade, "websocket") == 0;
    }
    return true;
}

int ph_request_read(const char* bytes, size_t length, ph_request* request) {
    const char* end = find_end(bytes, length);
    memset(request, 0, sizeof(*request));
    if (end == NULL)
        return length >= PH_REQUEST_MOST_BYTES ? -1 : 0;
    if (end - bytes > PH_REQUEST_MOST_BYTES)
        return -1;
    const char* line_end = memmem(bytes, (size_t)(end - bytes) + 2, "\r\n", 2);
    const char* space = length > 4 && memcmp(bytes, "GET ", 4) == 0
                            ? memchr(bytes + 4, ' ', (size_t)(line_end - bytes) - 4)
                            : NULL;
    if (space == NULL || strncmp(space, " HTTP/1.", 8) != 0 ||
        !copy(request->path, sizeof(request->path), bytes + 4, space))
        return -1;
    for (const char* line = line_end + 2; line < end;) {
        line_end = memmem(line, (size_t)(end - line) + 2, "\r\n", 2);
        if (!read_field(line, line_end, request))
            return -1;
        line = line_end + 2;
    }
    return (int)(end + 4 - bytes);
}

bool ph_request_host_is_allowed(const char* host) {
    char name[256];
    unsigned char address[sizeof(struct in6_addr)];
    snprintf(name, sizeof(name), "%s", host);
    char* colon = strrchr(name, ':');
    char* bracket = strrchr(name, ']');
    if (colon != NULL && (bracket == NULL ? strchr(name, ':') == colon : colon > bracket)) {
        if (colon[1 + strspn(colon + 1, "0123456789")] != '\0')
            return false;
        *colon = '\0';
    }
    if (name[0] == '[' && bracket != NULL && bracket[1] == '\0') {
        *bracket = '\0';
        return inet_pton(AF_INET6, name + 1, address) == 1;
    }
    return name[0] == '\0' || strcasecmp(name, "localhost") == 0 ||
           inet_pton(AF_INET, name, address) == 1;
}

bool ph_request_origin_is_allowed(const char* origin) {
    return origin[0] == '\0' || strncmp(origin, "devtools://", 11) == 0 ||
           strncmp(origin, "chrome-devtools://", 18) == 0;
}
