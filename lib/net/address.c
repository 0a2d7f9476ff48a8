/* Addresses as text and as bytes. */

#include <arpa/inet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/copy_out.h"
#include "base/error.h"
#include "uv.h"

int uv_ip4_addr(const char* ip, int port, struct sockaddr_in* addr) {
    memset(addr, 0, sizeof(*addr));
    addr->sin_family = AF_INET;
    addr->sin_port = htons((uint16_t)port);
    return uv_inet_pton(AF_INET, ip, &addr->sin_addr);
}

/* A zone ("fe80::1%eth0") must be the name of an interface; any other leaves the scope at 0. */
int uv_ip6_addr(const char* ip, int port, struct sockaddr_in6* addr) {
    memset(addr, 0, sizeof(*addr));
    addr->sin6_family = AF_INET6;
    addr->sin6_port = htons((uint16_t)port);
    if (ip == NULL)
        return UV_EINVAL;
    const char* zone = strchr(ip, '%');
    if (zone != NULL)
        addr->sin6_scope_id = if_nametoindex(zone + 1);
    return uv_inet_pton(AF_INET6, ip, &addr->sin6_addr);
}

int uv_ip4_name(const struct sockaddr_in* src, char* dst, size_t size) {
    return uv_inet_ntop(AF_INET, &src->sin_addr, dst, size);
}

int uv_ip6_name(const struct sockaddr_in6* src, char* dst, size_t size) {
    return uv_inet_ntop(AF_INET6, &src->sin6_addr, dst, size);
}

int uv_ip_name(const struct sockaddr* src, char* dst, size_t size) {
    switch (src->sa_family) {
    case AF_INET:
        return uv_ip4_name((const struct sockaddr_in*)src, dst, size);
    case AF_INET6:
        return uv_ip6_name((const struct sockaddr_in6*)src, dst, size);
    default:
        return UV_EAFNOSUPPORT;
    }
}

/* An IPv6 address of nothing but an IPv4 one, as in ::1.2.3.4: not every C library writes it so. */
static bool ends_in_ip4(const unsigned char* bytes) {
    static const unsigned char nothing[12];
    return memcmp(bytes, nothing, sizeof(nothing)) == 0 && (bytes[12] != 0 || bytes[13] != 0);
}

static void write_with_ip4(const unsigned char* bytes, char* text, size_t size) {
    snprintf(text, size, "::%u.%u.%u.%u", bytes[12], bytes[13], bytes[14], bytes[15]);
}

int uv_inet_ntop(int af, const void* src, char* dst, size_t size) {
    if (af != AF_INET && af != AF_INET6)
        return UV_EAFNOSUPPORT;
    char text[INET6_ADDRSTRLEN];
    if (af == AF_INET6 && ends_in_ip4(src))
        write_with_ip4(src, text, sizeof(text));
    else if (inet_ntop(af, src, text, sizeof(text)) == NULL)
        return ph_errno();
    size_t length = strlen(text);
    if (dst == NULL || size <= length)
        return UV_ENOSPC;
    memcpy(dst, text, length + 1);
    return 0;
}

/* The zone of an IPv6 address is skipped. `dst` is written only on success. */
int uv_inet_pton(int af, const char* src, void* dst) {
    char without_zone[INET6_ADDRSTRLEN];
    if (src == NULL || dst == NULL)
        return UV_EINVAL;
    if (af != AF_INET && af != AF_INET6)
        return UV_EAFNOSUPPORT;
    const char* zone = af == AF_INET6 ? strchr(src, '%') : NULL;
    if (zone != NULL) {
        size_t length = (size_t)(zone - src);
        if (length >= sizeof(without_zone))
            return UV_EINVAL;
        memcpy(without_zone, src, length);
        without_zone[length] = '\0';
        src = without_zone;
    }
    struct in6_addr bytes; /* the C library may write a part of what turns out to be none */
    if (inet_pton(af, src, &bytes) != 1)
        return UV_EINVAL;
    memcpy(dst, &bytes, af == AF_INET ? sizeof(struct in_addr) : sizeof(bytes));
    return 0;
}

int uv_if_indextoname(unsigned int ifindex, char* buffer, size_t* size) {
    char name[UV_IF_NAMESIZE];
    if (buffer == NULL || size == NULL || *size == 0)
        return UV_EINVAL;
    if (if_indextoname(ifindex, name) == NULL)
        return ph_errno();
    return ph_copy_out(name, strnlen(name, sizeof(name) - 1), buffer, size);
}

int uv_if_indextoiid(unsigned int ifindex, char* buffer, size_t* size) {
    return uv_if_indextoname(ifindex, buffer, size);
}
