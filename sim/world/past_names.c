/* Names by the older functions of libc: the world's, as getaddrinfo's are. */

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

#include "world/raw.h"
#include "world/real.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

enum { NAME_ROOM = 256 };

/* What an answer needs of the caller's memory. */
struct answer {
    char* addresses[2];
    char* aliases[1];
    unsigned char address[sizeof(struct in6_addr)];
    char name[NAME_ROOM];
};

static int give(const char* name, const void* address, int family, struct hostent* host,
                char* memory, size_t size, struct hostent** found) {
    uintptr_t place = ((uintptr_t)memory + sizeof(void*) - 1) & ~(uintptr_t)(sizeof(void*) - 1);
    if (place + sizeof(struct answer) > (uintptr_t)memory + size || strlen(name) >= NAME_ROOM)
        return ERANGE;
    struct answer* answer = (struct answer*)place; /* NOLINT */
    int length = family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
    memset(answer, 0, sizeof(*answer));
    memcpy(answer->address, address, (size_t)length);
    memcpy(answer->name, name, strlen(name) + 1);
    answer->addresses[0] = (char*)answer->address;
    *host = (struct hostent){.h_name = answer->name,
                             .h_aliases = answer->aliases,
                             .h_addrtype = family,
                             .h_length = length,
                             .h_addr_list = answer->addresses};
    *found = host;
    return 0;
}

/* The error of the older functions for one of getaddrinfo's. */
static int translate(int error) {
    return error == EAI_AGAIN ? TRY_AGAIN : HOST_NOT_FOUND;
}

EXPORT int gethostbyname2_r(const char* restrict name, int family, struct hostent* restrict host,
                            char* restrict memory, size_t size, struct hostent** restrict found,
                            int* restrict why) {
    struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM}, *list = NULL;
    *found = NULL;
    int error = __wrap_getaddrinfo(name, NULL, &hints, &list);
    if (error != 0) {
        *why = translate(error);
        return 0;
    }
    const void* address = family == AF_INET6
                              ? (const void*)&((struct sockaddr_in6*)list->ai_addr)->sin6_addr
                              : (const void*)&((struct sockaddr_in*)list->ai_addr)->sin_addr;
    int result = give(name, address, family, host, memory, size, found);
    freeaddrinfo(list);
    *why = result == 0 ? 0 : NETDB_INTERNAL;
    return result;
}

EXPORT int gethostbyname_r(const char* restrict name, struct hostent* restrict host,
                           char* restrict memory, size_t size, struct hostent** restrict found,
                           int* restrict why) {
    return gethostbyname2_r(name, AF_INET, host, memory, size, found, why);
}

EXPORT int gethostbyaddr_r(const void* restrict address, socklen_t length, int family,
                           struct hostent* restrict host, char* restrict memory, size_t size,
                           struct hostent** restrict found, int* restrict why) {
    struct sockaddr_storage raw = {.ss_family = (sa_family_t)family};
    char name[NAME_ROOM];
    bool six = family == AF_INET6;
    size_t room = six ? sizeof(struct in6_addr) : sizeof(struct in_addr);
    *found = NULL;
    *why = HOST_NOT_FOUND;
    if (length < room)
        return 0;
    memcpy(six ? (void*)&((struct sockaddr_in6*)&raw)->sin6_addr
               : (void*)&((struct sockaddr_in*)&raw)->sin_addr,
           address, room);
    socklen_t raw_size = six ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (__wrap_getnameinfo((struct sockaddr*)&raw, raw_size, name, sizeof(name), NULL, 0,
                           NI_NAMEREQD) != 0)
        return 0;
    *why = 0;
    return give(name, address, family, host, memory, size, found);
}

static struct hostent last;
static char last_memory[sizeof(struct answer) + sizeof(void*)];

EXPORT struct hostent* gethostbyname2(const char* name, int family) {
    struct hostent* found;
    gethostbyname2_r(name, family, &last, last_memory, sizeof(last_memory), &found, &h_errno);
    return found;
}

EXPORT struct hostent* gethostbyname(const char* name) {
    return gethostbyname2(name, AF_INET);
}

EXPORT struct hostent* gethostbyaddr(const void* address, socklen_t length, int family) {
    struct hostent* found;
    gethostbyaddr_r(address, length, family, &last, last_memory, sizeof(last_memory), &found,
                    &h_errno);
    return found;
}
