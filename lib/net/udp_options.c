/* Socket options of a UDP handle: multicast groups, time to live, broadcast. */

#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

#include "base/error.h"
#include "core/handle.h"
#include "net/udp.h"

static int set_bytes(const uv_udp_t* handle, int level, int name, const void* value, size_t size) {
    if (setsockopt(handle->io_watcher.fd, level, name, value, (socklen_t)size) == 0)
        return 0;
    /* What the kernel says about an interface that is not there. */
    return errno == ENXIO ? UV_ENODEV : ph_errno();
}

/* The same option has another name and level on a socket of the other domain. */
static int set_by_domain(const uv_udp_t* handle, int name4, int name6, int value) {
    if (handle->flags & PH_UDP_IPV6)
        return set_bytes(handle, IPPROTO_IPV6, name6, &value, sizeof(value));
    return set_bytes(handle, IPPROTO_IP, name4, &value, sizeof(value));
}

int uv_udp_set_broadcast(uv_udp_t* handle, int on) {
    return set_bytes(handle, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on));
}

int uv_udp_set_ttl(uv_udp_t* handle, int ttl) {
    if (ttl < 1 || ttl > 255)
        return UV_EINVAL;
    return set_by_domain(handle, IP_TTL, IPV6_UNICAST_HOPS, ttl);
}

int uv_udp_set_multicast_ttl(uv_udp_t* handle, int ttl) {
    if (ttl < 0 || ttl > 255)
        return UV_EINVAL;
    return set_by_domain(handle, IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS, ttl);
}

int uv_udp_set_multicast_loop(uv_udp_t* handle, int on) {
    if (on < 0 || on > 255)
        return UV_EINVAL;
    return set_by_domain(handle, IP_MULTICAST_LOOP, IPV6_MULTICAST_LOOP, on != 0);
}

int uv_udp_set_multicast_interface(uv_udp_t* handle, const char* interface_addr) {
    struct sockaddr_in addr4;
    struct sockaddr_in6 addr6;
    bool ipv6 = (handle->flags & PH_UDP_IPV6) != 0;
    memset(&addr4, 0, sizeof(addr4));
    memset(&addr6, 0, sizeof(addr6));
    if (interface_addr != NULL) {
        ipv6 = uv_ip4_addr(interface_addr, 0, &addr4) != 0;
        if (ipv6 && uv_ip6_addr(interface_addr, 0, &addr6) != 0)
            return UV_EINVAL;
    }
    if (ipv6)
        return set_bytes(handle, IPPROTO_IPV6, IPV6_MULTICAST_IF, &addr6.sin6_scope_id,
                         sizeof(addr6.sin6_scope_id));
    return set_bytes(handle, IPPROTO_IP, IP_MULTICAST_IF, &addr4.sin_addr, sizeof(addr4.sin_addr));
}

static bool is_membership(uv_membership membership) {
    return membership == UV_JOIN_GROUP || membership == UV_LEAVE_GROUP;
}

static int membership4(uv_udp_t* handle, const struct sockaddr_in* group,
                       const char* interface_addr, uv_membership membership) {
    struct ip_mreq request = {.imr_multiaddr = group->sin_addr};
    if (interface_addr != NULL) {
        int err = uv_inet_pton(AF_INET, interface_addr, &request.imr_interface);
        if (err != 0)
            return err;
    }
    int option = membership == UV_JOIN_GROUP ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP;
    return set_bytes(handle, IPPROTO_IP, option, &request, sizeof(request));
}

static int membership6(uv_udp_t* handle, const struct sockaddr_in6* group,
                       const char* interface_addr, uv_membership membership) {
    struct ipv6_mreq request = {.ipv6mr_multiaddr = group->sin6_addr};
    struct sockaddr_in6 interface;
    if (interface_addr != NULL) {
        if (uv_ip6_addr(interface_addr, 0, &interface) != 0)
            return UV_EINVAL;
        request.ipv6mr_interface = interface.sin6_scope_id;
    }
    int option = membership == UV_JOIN_GROUP ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP;
    return set_bytes(handle, IPPROTO_IPV6, option, &request, sizeof(request));
}

int uv_udp_set_membership(uv_udp_t* handle, const char* multicast_addr, const char* interface_addr,
                          uv_membership membership) {
    struct sockaddr_in group4;
    struct sockaddr_in6 group6;
    if (ph_is_closing(handle) || !is_membership(membership))
        return UV_EINVAL;
    if (uv_ip4_addr(multicast_addr, 0, &group4) == 0) {
        int err = ph_udp_ensure_socket(handle, AF_INET, UV_UDP_REUSEADDR);
        return err != 0 ? err : membership4(handle, &group4, interface_addr, membership);
    }
    if (uv_ip6_addr(multicast_addr, 0, &group6) != 0)
        return UV_EINVAL;
    int err = ph_udp_ensure_socket(handle, AF_INET6, UV_UDP_REUSEADDR);
    return err != 0 ? err : membership6(handle, &group6, interface_addr, membership);
}

static int source_membership4(uv_udp_t* handle, const struct sockaddr_in* group,
                              const char* interface_addr, const char* source_addr,
                              uv_membership membership) {
    struct ip_mreq_source request = {.imr_multiaddr = group->sin_addr};
    int err = ph_udp_ensure_socket(handle, AF_INET, UV_UDP_REUSEADDR);
    if (err == 0 && interface_addr != NULL)
        err = uv_inet_pton(AF_INET, interface_addr, &request.imr_interface);
    if (err == 0)
        err = uv_inet_pton(AF_INET, source_addr, &request.imr_sourceaddr);
    if (err != 0)
        return err;
    int option = membership == UV_JOIN_GROUP ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP;
    return set_bytes(handle, IPPROTO_IP, option, &request, sizeof(request));
}

static int source_membership6(uv_udp_t* handle, const struct sockaddr_in6* group,
                              const char* interface_addr, const char* source_addr,
                              uv_membership membership) {
    struct group_source_req request;
    struct sockaddr_in6 interface;
    struct sockaddr_in6 source;
    memset(&request, 0, sizeof(request));
    int err = ph_udp_ensure_socket(handle, AF_INET6, UV_UDP_REUSEADDR);
    if (err == 0 && interface_addr != NULL) {
        err = uv_ip6_addr(interface_addr, 0, &interface);
        request.gsr_interface = interface.sin6_scope_id;
    }
    if (err == 0)
        err = uv_ip6_addr(source_addr, 0, &source);
    if (err != 0)
        return err;
    memcpy(&request.gsr_group, group, sizeof(*group));
    memcpy(&request.gsr_source, &source, sizeof(source));
    int option = membership == UV_JOIN_GROUP ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP;
    return set_bytes(handle, IPPROTO_IPV6, option, &request, sizeof(request));
}

int uv_udp_set_source_membership(uv_udp_t* handle, const char* multicast_addr,
                                 const char* interface_addr, const char* source_addr,
                                 uv_membership membership) {
    struct sockaddr_in group4;
    struct sockaddr_in6 group6;
    if (ph_is_closing(handle) || !is_membership(membership))
        return UV_EINVAL;
    if (uv_ip4_addr(multicast_addr, 0, &group4) == 0)
        return source_membership4(handle, &group4, interface_addr, source_addr, membership);
    if (uv_ip6_addr(multicast_addr, 0, &group6) == 0)
        return source_membership6(handle, &group6, interface_addr, source_addr, membership);
    return UV_EINVAL;
}
