/* Names: those of the hosts, "localhost", and addresses written as numbers. */

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "world/faults.h"
#include "world/real.h"
#include "world/socket.h"
#include "world/world.h"

/* The address of a host as text, in the family that is asked for. */
static void host_text(int host, int family, char text[INET6_ADDRSTRLEN]) {
    uint32_t address = ph_world->hosts[host].address;
    if (family == AF_INET6)
        snprintf(text, INET6_ADDRSTRLEN, "fd77::%x", address - PH_NETWORK);
    else
        snprintf(text, INET6_ADDRSTRLEN, "%u.%u.%u.%u", address >> 24, address >> 16 & 255,
                 address >> 8 & 255, address & 255);
}

/* Node and others first ask for a name with AF_UNSPEC: they get the host's IPv4 address. */
int __wrap_getaddrinfo(const char* name, const char* service, const struct addrinfo* hints,
                       struct addrinfo** found) {
    struct addrinfo none = {.ai_family = AF_UNSPEC};
    char text[INET6_ADDRSTRLEN];
    if (ph_world == NULL || name == NULL)
        return __real_getaddrinfo(name, service, hints, found);
    struct addrinfo numeric = hints != NULL ? *hints : none;
    numeric.ai_flags |= AI_NUMERICHOST;
    numeric.ai_flags &= ~(AI_ADDRCONFIG | AI_V4MAPPED);
    if (strspn(name, "0123456789.") == strlen(name) || strchr(name, ':') != NULL)
        return __real_getaddrinfo(name, service, &numeric, found);
    ph_world_lock();
    bool failed = ph_fault("getaddrinfo", PH_FAULT_NET, EAGAIN, ENOENT, 0);
    int error = errno;
    int host = strcmp(name, "localhost") == 0 ? ph_host_here() : ph_host_named(name);
    if (strcmp(name, "localhost") == 0)
        snprintf(text, sizeof(text), "%s", numeric.ai_family == AF_INET6 ? "::1" : "127.0.0.1");
    else if (host >= 0)
        host_text(host, numeric.ai_family, text);
    ph_world_unlock();
    if (failed)
        return error == EAGAIN ? EAI_AGAIN : EAI_NONAME;
    return host < 0 ? EAI_NONAME : __real_getaddrinfo(text, service, &numeric, found);
}

int __wrap_getnameinfo(const struct sockaddr* raw, socklen_t size, char* name, socklen_t name_size,
                       char* service, socklen_t service_size, int flags) {
    struct ph_address address;
    if (ph_world == NULL || name == NULL || (flags & NI_NUMERICHOST))
        return __real_getnameinfo(raw, size, name, name_size, service, service_size, flags);
    ph_world_lock();
    int err = ph_address_read(&address, ph_host_here(), raw, size);
    const char* found = err != 0            ? NULL
                        : address.loopback  ? "localhost"
                        : address.host >= 0 ? ph_world->hosts[address.host].name
                                            : NULL;
    ph_world_unlock();
    if (found == NULL && (flags & NI_NAMEREQD))
        return EAI_NONAME;
    int result = __real_getnameinfo(raw, size, name, name_size, service, service_size,
                                    (flags & ~NI_NAMEREQD) | NI_NUMERICHOST);
    if (result == 0 && found != NULL && strlen(found) < name_size)
        memcpy(name, found, strlen(found) + 1);
    return result;
}

int __wrap_gethostname(char* name, size_t size) {
    if (ph_world == NULL)
        return __real_gethostname(name, size);
    const char* own = ph_world->hosts[ph_host_here()].name;
    if (strlen(own) >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name, own, strlen(own) + 1);
    return 0;
}
