/* Datagrams: each travels for itself, and may be lost, doubled or overtaken. */

#include <errno.h>

#include "world/epoll.h"
#include "world/faults.h"
#include "world/link.h"
#include "world/sight.h"
#include "world/socket.h"

enum { LARGEST = 65507, RECEIVE_LIMIT = 208 * 1024 };

static bool launch(struct ph_socket* socket, const struct ph_address* to, const struct iovec* parts,
                   size_t count, size_t size, uint64_t arrives) {
    struct ph_packet* packet = ph_world_alloc(sizeof(*packet) + size);
    if (packet == NULL)
        return false;
    ph_queue_init(&packet->node);
    packet->size = size;
    packet->sent = ph_world->now;
    packet->host = socket->host;
    packet->to = *to;
    packet->from = socket->local; /* where answers go */
    ph_address_settle(&packet->from, to);
    ph_parts_read(parts, count, packet->bytes, size);
    if (arrives <= ph_world->now)
        ph_run_datagram(&packet->event);
    else
        ph_event_at(&packet->event, PH_EVENT_DATAGRAM, arrives);
    return true;
}

/* The connected sender of a datagram that nobody takes is told so. */
static void refuse(const struct ph_packet* packet) {
    struct ph_socket* sender = ph_socket_at(SOCK_DGRAM, &packet->from);
    if (sender == NULL || sender->state != PH_SOCKET_CONNECTED ||
        sender->peer_address.port != packet->to.port)
        return;
    sender->error = ECONNREFUSED;
    ph_socket_changed(sender);
}

static bool takes(const struct ph_socket* socket, const struct ph_packet* packet) {
    if (socket->state == PH_SOCKET_CONNECTED && (socket->peer_address.port != packet->from.port ||
                                                 socket->peer_address.host != packet->from.host))
        return false;
    return socket->arrived_size + packet->size <= RECEIVE_LIMIT;
}

void ph_run_datagram(struct ph_event* event) {
    struct ph_packet* packet = PH_CONTAINER_OF(event, struct ph_packet, event);
    bool cut = ph_link_is_cut(packet->host, packet->to.host);
    struct ph_socket* socket = cut ? NULL : ph_socket_at(SOCK_DGRAM, &packet->to);
    bool taken = socket != NULL && takes(socket, packet);
    ph_see(taken ? PH_SIGHT_DATAGRAM : PH_SIGHT_LOST, packet->host, packet->to.host, packet->sent,
           packet->size);
    if (taken) {
        ph_queue_push(&socket->arrived, &packet->node);
        socket->arrived_size += packet->size;
        ph_socket_changed(socket);
        return;
    }
    if (!cut && socket == NULL)
        refuse(packet);
    ph_world_free(packet, sizeof(*packet) + packet->size);
}

ssize_t ph_datagram_send(struct ph_socket* socket, const struct ph_address* to,
                         const struct iovec* parts, size_t count) {
    size_t size = ph_parts_size(parts, count);
    if (socket->error != 0) {
        int error = socket->error;
        socket->error = 0;
        return -error;
    }
    if (to == NULL) {
        if (socket->state != PH_SOCKET_CONNECTED)
            return -EDESTADDRREQ;
        to = &socket->peer_address;
    }
    if (to->port == 0)
        return -EINVAL;
    if (size > LARGEST)
        return -EMSGSIZE;
    int err = ph_socket_bind_any(socket);
    if (err != 0)
        return -err;
    if (to->host < 0)
        return -ENETUNREACH;
    if (ph_fault("sendto", PH_FAULT_CALL, EINTR, EAGAIN, ENOBUFS, 0)) {
        if (errno != EINTR)
            ph_event_at(&socket->room, PH_EVENT_ROOM, ph_world->now + PH_MS);
        return -errno;
    }
    struct ph_link* link = ph_link_between(socket->host, to->host);
    struct ph_address target = *to;
    if (target.any)
        target.loopback = true;
    double unkind = ph_link_unkind(socket->host, to->host, PH_UNKIND_DATAGRAM) * 0.1;
    if (ph_draw_yes(PH_CHANCE_LOSS, link->loss + unkind)) {
        if (unkind > 0)
            ph_unkind_did(PH_UNKIND_DATAGRAM);
        ph_see(PH_SIGHT_LOST, socket->host, to->host, ph_world->now, size);
        ph_world_log("lost %s to %s", ph_world->hosts[socket->host].name,
                     ph_world->hosts[to->host].name);
        return (ssize_t)size;
    }
    /* On one host they are there at once, as in the kernel, unless a link says otherwise. */
    uint64_t arrives =
        link->at_once ? ph_world->now : ph_link_arrival(socket->host, to->host, size);
    if (ph_draw_yes(PH_CHANCE_LOSS, link->reorder + unkind))
        arrives += link->latency + ph_draw_below(PH_CHANCE_DELAY, 4 * link->latency + 1);
    if (!launch(socket, &target, parts, count, size, arrives))
        return -ENOBUFS;
    if (ph_draw_yes(PH_CHANCE_LOSS, link->duplicate + unkind))
        launch(socket, &target, parts, count, size, ph_link_arrival(socket->host, to->host, size));
    return (ssize_t)size;
}

ssize_t ph_datagram_receive(struct ph_socket* socket, struct ph_address* from,
                            const struct iovec* parts, size_t count, bool peek, bool* cut) {
    if (socket->error != 0) {
        int error = socket->error;
        socket->error = 0;
        return -error;
    }
    if (ph_queue_empty(&socket->arrived))
        return -EAGAIN;
    if (ph_fault("recvfrom", PH_FAULT_CALL, EINTR, EAGAIN, 0))
        return -errno;
    struct ph_packet* packet = PH_CONTAINER_OF(socket->arrived.next, struct ph_packet, node);
    size_t room = ph_parts_size(parts, count);
    size_t size = packet->size < room ? packet->size : room;
    ph_parts_write(parts, count, 0, packet->bytes, size);
    *cut = size < packet->size;
    *from = packet->from;
    if (peek)
        return (ssize_t)size;
    ph_queue_remove(&packet->node);
    socket->arrived_size -= packet->size;
    ph_world_free(packet, sizeof(*packet) + packet->size);
    return (ssize_t)size;
}
