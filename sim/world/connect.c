/* Connecting: a request travels to the listener, the answer travels back. */

#include <errno.h>

#include "world/epoll.h"
#include "world/faults.h"
#include "world/link.h"
#include "world/sight.h"
#include "world/socket.h"

enum { TRIES = 7 }; /* 1 + 2 + 4 + ... + 64 s, then it has timed out */

static struct ph_socket* make_other_end(struct ph_socket* socket, struct ph_socket* listener) {
    struct ph_socket* other = ph_socket_new(listener->family, SOCK_STREAM);
    if (other == NULL)
        return NULL;
    other->host = listener->host;
    other->pid = listener->pid;
    other->open = true;
    other->bound = true;
    other->state = PH_SOCKET_CONNECTED;
    other->local = socket->peer_address;
    other->local.host = listener->host;
    other->peer_address = socket->local;
    other->peer = socket;
    socket->peer = other;
    ph_queue_push(&listener->accepts, &other->in_accepts);
    listener->waiting++;
    ph_socket_changed(listener);
    return other;
}

static void answer(struct ph_socket* socket, int error) {
    socket->answered = true;
    socket->error = error;
    ph_event_at(&socket->connect, PH_EVENT_CONNECT,
                ph_link_arrival(socket->peer_address.host, socket->host, 0));
}

static void come_back(struct ph_socket* socket) {
    socket->state = socket->error == 0 ? PH_SOCKET_CONNECTED : PH_SOCKET_ENDED;
    ph_socket_changed(socket);
    ph_socket_settle(socket);
}

void ph_run_connect(struct ph_event* event) {
    struct ph_socket* socket = PH_CONTAINER_OF(event, struct ph_socket, connect);
    int there = socket->peer_address.host;
    if (there < 0 || ph_link_is_cut(socket->host, there)) {
        uint64_t pause = (UINT64_C(1) << socket->tries) * PH_S;
        if (++socket->tries > TRIES) {
            socket->error = ETIMEDOUT;
            come_back(socket);
        } else {
            ph_event_at(event, PH_EVENT_CONNECT, ph_world->now + pause);
        }
        return;
    }
    if (socket->answered) {
        come_back(socket);
        return;
    }
    struct ph_socket* listener = ph_socket_at(SOCK_STREAM, &socket->peer_address);
    ph_see(listener != NULL ? PH_SIGHT_CONNECT : PH_SIGHT_REFUSED, socket->host, there,
           socket->asked, 0);
    if (listener == NULL ||
        ph_fault_on(socket->host, "connect", PH_FAULT_NET, ECONNREFUSED, ETIMEDOUT, 0))
        answer(socket, listener == NULL ? ECONNREFUSED : errno);
    else if (listener->waiting > listener->backlog)
        ph_event_at(event, PH_EVENT_CONNECT, ph_world->now + PH_S); /* the kernel drops it */
    else
        answer(socket, make_other_end(socket, listener) == NULL ? ENOBUFS : 0);
}

int ph_flow_connect(struct ph_socket* socket, const struct ph_address* address) {
    if (socket->state == PH_SOCKET_CONNECTING)
        return EALREADY;
    if (socket->state == PH_SOCKET_CONNECTED)
        return EISCONN;
    if (socket->state == PH_SOCKET_LISTENING)
        return EISCONN;
    int err = ph_socket_bind_any(socket);
    if (err != 0)
        return err == EADDRINUSE ? EADDRNOTAVAIL : err;
    if (address->family != socket->family)
        return EAFNOSUPPORT;
    socket->peer_address = *address;
    if (address->any) /* connecting to "any address" means this host */
        socket->peer_address.loopback = true;
    ph_address_settle(&socket->local, &socket->peer_address);
    if (address->host < 0)
        return ENETUNREACH;
    socket->state = PH_SOCKET_CONNECTING;
    socket->asked = ph_world->now;
    ph_event_at(&socket->connect, PH_EVENT_CONNECT,
                ph_link_arrival(socket->host, address->host, 0));
    return EINPROGRESS;
}

/* A Unix socket is connected at once. */
int ph_flow_connect_path(struct ph_socket* socket, struct ph_socket* listener) {
    if (socket->state != PH_SOCKET_NEW)
        return EISCONN;
    if (listener->waiting > listener->backlog)
        return EAGAIN;
    socket->peer_address = listener->local;
    socket->peer_address.host = listener->host;
    if (!socket->bound) {
        socket->local = (struct ph_address){.family = AF_UNIX, .host = socket->host};
        socket->local.raw.ss_family = AF_UNIX;
        socket->local.raw_size = sizeof(sa_family_t);
    }
    if (make_other_end(socket, listener) == NULL)
        return ENOBUFS;
    socket->state = PH_SOCKET_CONNECTED;
    return 0;
}

struct ph_socket* ph_flow_accept(struct ph_socket* listener) {
    struct uv__queue* node = ph_queue_pop(&listener->accepts);
    if (node == NULL)
        return NULL;
    listener->waiting--;
    return PH_CONTAINER_OF(node, struct ph_socket, in_accepts);
}
