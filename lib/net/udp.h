#ifndef PH_NET_UDP_H
#define PH_NET_UDP_H

/* What the files of the UDP family share. */

#include <stdbool.h>
#include <sys/socket.h>

#include "uv.h"

/* The kind's own bits of the flags word. */
enum {
    PH_UDP_RECVMMSG = 0x100,
    PH_UDP_CONNECTED = 0x200,
    PH_UDP_IPV6 = 0x400,         /* the socket's domain */
    PH_UDP_SEGMENTS = 0x800,     /* the kernel cuts a large send into datagrams for us */
    PH_UDP_NO_SEGMENTS = 0x1000, /* it does not; neither bit: not asked yet */
    PH_UDP_REPORTING = 0x2000, /* callbacks of sends run: what they send waits for the next poll */
    PH_UDP_OFFLOAD = 0x10000,  /* the kernel joins datagrams for us, and says how */
    PH_UDP_UNIX = 0x20000      /* the socket's domain */
};

/* The size of an address that datagrams can be sent to; 0 for any other. */
socklen_t ph_udp_address_size(const struct sockaddr* addr);
/* Without a socket: makes one and binds it to any address and port of the domain. */
int ph_udp_ensure_socket(uv_udp_t* handle, int domain, unsigned int flags);
int ph_udp_create_socket(uv_udp_t* handle, int domain);
void ph_udp_drop_socket(uv_udp_t* handle);
int ph_udp_connect_socket(int fd, const struct sockaddr* addr, socklen_t size);
/* What uv_udp_try_send looks at before it sends. */
int ph_udp_ready_to_try(uv_udp_t* handle, const uv_buf_t* buf, const struct sockaddr* addr);
/* A handle that neither reads nor sends is not active. */
void ph_udp_settle(uv_udp_t* handle);

static inline bool ph_udp_is_reading(const uv_udp_t* handle) {
    return handle->recv_cb != NULL;
}

/* The socket is readable or has an error. */
void ph_udp_receive(uv_udp_t* handle, unsigned int events);
/* Sends what is queued, as far as the socket takes it. */
void ph_udp_send_queued(uv_udp_t* handle);
/* The callbacks of what was sent, or has failed. */
void ph_udp_report_sent(uv_udp_t* handle);
/* Everything queued ends with UV_ECANCELED. */
void ph_udp_cancel_queued(uv_udp_t* handle);

#endif
