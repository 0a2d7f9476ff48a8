/* Whose address it is, and who is behind a port. */

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "world/socket.h"

enum { FIRST_PORT = 32768, LAST_PORT = 60999 };

static int host_with(uint32_t ip) {
    for (uint32_t i = 0; i < ph_world->host_count; i++)
        if (ph_world->hosts[i].used && ph_world->hosts[i].address == ip)
            return (int)i;
    return -1;
}

static void read_ip4(struct ph_address* address, int host, uint32_t ip) {
    address->any = ip == INADDR_ANY;
    address->loopback = ip >> 24 == 127;
    address->host = address->any || address->loopback ? host : host_with(ip);
}

/* The hosts' IPv6 addresses are fd77::N beside their 10.77.0.N. */
static void read_ip6(struct ph_address* address, int host, const struct in6_addr* ip) {
    static const unsigned char network[12] = {0xfd, 0x77};
    uint32_t low;
    memcpy(&low, ip->s6_addr + 12, sizeof(low));
    if (IN6_IS_ADDR_V4MAPPED(ip)) {
        read_ip4(address, host, ntohl(low));
        return;
    }
    address->any = IN6_IS_ADDR_UNSPECIFIED(ip);
    address->loopback = IN6_IS_ADDR_LOOPBACK(ip);
    if (address->any || address->loopback)
        address->host = host;
    else if (memcmp(ip->s6_addr, network, sizeof(network)) == 0)
        address->host = host_with(PH_NETWORK + ntohl(low));
    else
        address->host = -1;
}

int ph_address_read(struct ph_address* address, int host, const struct sockaddr* raw,
                    socklen_t size) {
    memset(address, 0, sizeof(*address));
    if (size < sizeof(sa_family_t) || size > sizeof(address->raw))
        return EINVAL;
    address->family = raw->sa_family;
    memcpy(&address->raw, raw, size);
    address->raw_size = size;
    if (raw->sa_family == AF_INET && size >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in* ip4 = (const struct sockaddr_in*)raw;
        address->port = ntohs(ip4->sin_port);
        read_ip4(address, host, ntohl(ip4->sin_addr.s_addr));
        return 0;
    }
    if (raw->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6)) {
        const struct sockaddr_in6* ip6 = (const struct sockaddr_in6*)raw;
        address->port = ntohs(ip6->sin6_port);
        read_ip6(address, host, &ip6->sin6_addr);
        return 0;
    }
    if (raw->sa_family == AF_UNSPEC)
        return 0;
    return raw->sa_family == AF_INET || raw->sa_family == AF_INET6 ? EINVAL : EAFNOSUPPORT;
}

/* What a socket that is bound to all addresses of its host is called by a peer. */
void ph_address_settle(struct ph_address* own, const struct ph_address* towards) {
    if (!own->any)
        return;
    uint32_t ip = ph_world->hosts[own->host].address;
    own->any = false;
    own->loopback = towards->loopback;
    if (own->family == AF_INET) {
        struct sockaddr_in* raw = (struct sockaddr_in*)&own->raw;
        raw->sin_addr.s_addr = htonl(own->loopback ? INADDR_LOOPBACK : ip);
    } else if (own->family == AF_INET6) {
        struct sockaddr_in6* raw = (struct sockaddr_in6*)&own->raw;
        uint32_t low = htonl(ip - PH_NETWORK);
        raw->sin6_addr = in6addr_loopback;
        if (own->loopback && towards->family == AF_INET6)
            return;
        memset(&raw->sin6_addr, 0, sizeof(raw->sin6_addr));
        raw->sin6_addr.s6_addr[0] = 0xfd;
        raw->sin6_addr.s6_addr[1] = 0x77;
        memcpy(raw->sin6_addr.s6_addr + 12, &low, sizeof(low));
    }
}

void ph_address_write(const struct ph_address* address, struct sockaddr* raw, socklen_t* size) {
    socklen_t room = *size;
    memcpy(raw, &address->raw, room < address->raw_size ? room : address->raw_size);
    *size = address->raw_size;
}

static void set_port(struct ph_address* address, uint16_t port) {
    address->port = port;
    if (address->family == AF_INET)
        ((struct sockaddr_in*)&address->raw)->sin_port = htons(port);
    else if (address->family == AF_INET6)
        ((struct sockaddr_in6*)&address->raw)->sin6_port = htons(port);
}

/* Whether a socket bound to `own` gets what is sent to `to`. */
static bool covers(const struct ph_socket* socket, const struct ph_address* to) {
    const struct ph_address* own = &socket->local;
    if (!socket->bound || own->port != to->port || own->host != to->host)
        return false;
    if (own->family != to->family && (own->family != AF_INET6 || socket->only_ipv6 || !own->any))
        return false;
    return own->any || to->any || own->loopback == to->loopback;
}

struct ph_socket* ph_socket_at(int type, const struct ph_address* address) {
    struct ph_socket* found = NULL;
    for (struct uv__queue* node = ph_world->sockets.next; node != &ph_world->sockets;
         node = node->next) {
        struct ph_socket* socket = PH_CONTAINER_OF(node, struct ph_socket, node);
        if (socket->type != type || !socket->open || !covers(socket, address))
            continue;
        if (type == SOCK_STREAM && socket->state != PH_SOCKET_LISTENING)
            continue;
        /* A socket that is bound to this very address comes before one that takes all. */
        if (found == NULL || (found->local.any && !socket->local.any))
            found = socket;
    }
    return found;
}

static bool is_taken(const struct ph_socket* socket, const struct ph_address* address) {
    for (struct uv__queue* node = ph_world->sockets.next; node != &ph_world->sockets;
         node = node->next) {
        struct ph_socket* other = PH_CONTAINER_OF(node, struct ph_socket, node);
        if (other == socket || other->type != socket->type || !other->open ||
            !covers(other, address))
            continue;
        if (other->type == SOCK_STREAM && other->state != PH_SOCKET_LISTENING &&
            other->state != PH_SOCKET_NEW)
            continue; /* a connection does not keep its port from a listener that may reuse it */
        if (other->exclusive || socket->exclusive || other->state == PH_SOCKET_LISTENING)
            return true;
    }
    return false;
}

int ph_socket_bind(struct ph_socket* socket, const struct ph_address* address) {
    if (socket->bound)
        return EINVAL;
    if (address->host != socket->host)
        return EADDRNOTAVAIL;
    struct ph_address wanted = *address;
    for (int tries = 0; wanted.port == 0 || tries > 0; tries++) {
        set_port(&wanted, (uint16_t)(FIRST_PORT +
                                     ph_draw_below(PH_CHANCE_PORT, LAST_PORT - FIRST_PORT + 1)));
        if (!is_taken(socket, &wanted))
            break;
        if (tries == LAST_PORT - FIRST_PORT)
            return EADDRINUSE;
    }
    if (address->port != 0 && is_taken(socket, &wanted))
        return EADDRINUSE;
    socket->local = wanted;
    socket->bound = true;
    return 0;
}

int ph_socket_bind_any(struct ph_socket* socket) {
    struct ph_address any = {.family = (sa_family_t)socket->family, .any = true};
    if (socket->bound)
        return 0;
    any.host = socket->host;
    any.raw.ss_family = (sa_family_t)socket->family;
    any.raw_size =
        socket->family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    return ph_socket_bind(socket, &any);
}
