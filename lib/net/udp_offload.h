#ifndef PH_NET_UDP_OFFLOAD_H
#define PH_NET_UDP_OFFLOAD_H

/* Several datagrams in one buffer: the kernel cuts on sending and joins on receiving. */

#include <sys/socket.h>

#include "net/udp.h"

/* Room for what the kernel says about a buffer that it has joined. */
struct ph_udp_control {
    _Alignas(struct cmsghdr) char bytes[CMSG_SPACE(sizeof(int))];
};

/* Before a receive: asks for it where the handle wants to know. */
static inline void ph_udp_ask_for_segments(const uv_udp_t* handle, struct msghdr* message,
                                           struct ph_udp_control* control) {
    if (!(handle->flags & PH_UDP_OFFLOAD))
        return;
    message->msg_control = control;
    message->msg_controllen = sizeof(*control);
}

/* After it: keeps the answer for the callback. */
void ph_udp_note_segments(uv_udp_t* handle, struct msghdr* message);

#endif
