/*
 * Streams: bytes that arrive in order, or not at all.
 *
 * A connection is two sockets that know each other. What one sends flies in a list of its own and
 * arrives at the other's list; only the first of the flying packets has an event. While the way is
 * cut, the first packet is tried again and again, as TCP does, and after a quarter of an hour the
 * sender gives up.
 */

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "world/epoll.h"
#include "world/faults.h"
#include "world/link.h"
#include "world/sight.h"
#include "world/socket.h"

#define FIRST_RETRY (200 * PH_MS)
#define LONGEST_RETRY (120 * PH_S)
#define PATIENCE (900 * PH_S)

void ph_flow_free_packets(struct uv__queue* list) {
    struct uv__queue* node;
    while ((node = ph_queue_pop(list)) != NULL) {
        struct ph_packet* packet = PH_CONTAINER_OF(node, struct ph_packet, node);
        ph_event_cancel(&packet->event);
        ph_world_free(packet, sizeof(*packet) + packet->size);
    }
}

static void fail(struct ph_socket* socket, int error) {
    if (socket->state == PH_SOCKET_ENDED)
        return;
    socket->state = PH_SOCKET_ENDED;
    socket->error = error;
    ph_flow_free_packets(&socket->flying);
    socket->flying_size = 0;
    ph_event_cancel(&socket->arrival);
    ph_socket_changed(socket);
    if (socket->peer != NULL)
        socket->peer->peer = NULL;
    socket->peer = NULL;
}

void ph_run_reset(struct ph_event* event) {
    struct ph_socket* socket = PH_CONTAINER_OF(event, struct ph_socket, reset);
    if (socket->dead) { /* it never arrives */
        ph_socket_settle(socket);
        return;
    }
    if (socket->peer != NULL && ph_link_is_cut(socket->peer->host, socket->host)) {
        ph_event_at(event, PH_EVENT_RESET, ph_world->now + PH_S);
        return;
    }
    struct ph_socket* peer = socket->peer;
    ph_see(PH_SIGHT_RESET, peer != NULL ? peer->host : socket->host, socket->host, ph_world->now,
           0);
    fail(socket, ECONNRESET);
    ph_socket_settle(socket);
    if (peer != NULL)
        ph_socket_settle(peer);
}

static void plan_arrival(struct ph_socket* socket) {
    if (ph_queue_empty(&socket->flying) || socket->arrival.place != 0)
        return;
    struct ph_packet* first = PH_CONTAINER_OF(socket->flying.next, struct ph_packet, node);
    ph_event_at(&socket->arrival, PH_EVENT_ARRIVAL, first->arrives);
}

static bool try_again_later(struct ph_socket* socket) {
    if (socket->patience > PATIENCE) {
        fail(socket, ETIMEDOUT);
        ph_socket_settle(socket);
        return true;
    }
    uint64_t pause = socket->patience < FIRST_RETRY     ? FIRST_RETRY
                     : socket->patience > LONGEST_RETRY ? LONGEST_RETRY
                                                        : socket->patience;
    socket->patience += pause;
    ph_event_at(&socket->arrival, PH_EVENT_ARRIVAL, ph_world->now + pause);
    return true;
}

void ph_run_arrival(struct ph_event* event) {
    struct ph_socket* socket = PH_CONTAINER_OF(event, struct ph_socket, arrival);
    struct ph_socket* peer = socket->peer;
    if (peer == NULL) { /* its host has vanished and come back, or it gave up */
        if (!ph_world->hosts[socket->peer_address.host].up) {
            try_again_later(socket);
            return;
        }
        fail(socket, ECONNRESET);
        ph_socket_settle(socket);
        return;
    }
    if ((socket->dead || ph_link_is_cut(socket->host, peer->host)) && try_again_later(socket))
        return;
    socket->patience = 0;
    struct ph_packet* packet =
        PH_CONTAINER_OF(ph_queue_pop(&socket->flying), struct ph_packet, node);
    socket->flying_size -= packet->size;
    ph_see(packet->end ? PH_SIGHT_END : PH_SIGHT_BYTES, socket->host, peer->host, packet->sent,
           packet->size);
    if (packet->end) {
        peer->end_came = true;
        socket->end_arrived = true;
        ph_world_free(packet, sizeof(*packet) + packet->size);
    } else if (!peer->open || peer->read_off) {
        ph_world_free(packet, sizeof(*packet) + packet->size);
        if (!peer->open)
            ph_socket_send_reset(peer);
    } else {
        ph_queue_push(&peer->arrived, &packet->node);
        peer->arrived_size += packet->size;
    }
    plan_arrival(socket);
    if (peer->open)
        ph_socket_changed(peer);
    ph_socket_settle(socket);
}

static struct ph_packet* new_packet(struct ph_socket* socket, size_t size) {
    struct ph_packet* packet = ph_world_alloc(sizeof(*packet) + size);
    if (packet == NULL)
        return NULL;
    packet->size = size;
    packet->sent = ph_world->now;
    uint64_t arrives = ph_link_arrival(socket->host, socket->peer_address.host, size);
    packet->arrives = arrives > socket->last_arrival ? arrives : socket->last_arrival;
    socket->last_arrival = packet->arrives;
    return packet;
}

static void fly(struct ph_socket* socket, struct ph_packet* packet) {
    ph_queue_push(&socket->flying, &packet->node);
    socket->flying_size += packet->size;
    plan_arrival(socket);
}

size_t ph_parts_size(const struct iovec* parts, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}

/* Copies up to `size` bytes from the parts. */
void ph_parts_read(const struct iovec* parts, size_t count, unsigned char* to, size_t size) {
    for (size_t i = 0; i < count && size > 0; i++) {
        size_t length = parts[i].iov_len < size ? parts[i].iov_len : size;
        if (length > 0)
            memcpy(to, parts[i].iov_base, length);
        to += length;
        size -= length;
    }
}

/* Copies `size` bytes into the parts, from `skip` bytes on. */
void ph_parts_write(const struct iovec* parts, size_t count, size_t skip, const unsigned char* from,
                    size_t size) {
    for (size_t i = 0; i < count && size > 0; i++) {
        if (skip >= parts[i].iov_len) {
            skip -= parts[i].iov_len;
            continue;
        }
        size_t length = parts[i].iov_len - skip;
        if (length > size)
            length = size;
        memcpy((unsigned char*)parts[i].iov_base + skip, from, length);
        skip = 0;
        from += length;
        size -= length;
    }
}

static int take_error(struct ph_socket* socket) {
    int error = socket->error;
    socket->error = 0;
    return error;
}

/* Between hosts: a connection is reset in the middle, or it dies and nobody is told. True: reset.
 */
static bool network_breaks(struct ph_socket* socket) {
    struct ph_socket* peer = socket->peer;
    if (peer == NULL || peer->host == socket->host)
        return false;
    double reset = ph_link_unkind(socket->host, peer->host, PH_UNKIND_RESET) * 0.05;
    double half = ph_link_unkind(socket->host, peer->host, PH_UNKIND_HALF) * 0.05;
    if (ph_fault_rate(socket->host, "half", half, ETIMEDOUT)) {
        ph_unkind_did(PH_UNKIND_HALF);
        socket->dead = true;
        peer->dead = true;
    }
    if (!ph_fault_rate(socket->host, "reset", reset, ECONNRESET))
        return false;
    ph_unkind_did(PH_UNKIND_RESET);
    ph_socket_send_reset(socket);
    fail(socket, 0);
    return true;
}

ssize_t ph_flow_send(struct ph_socket* socket, const struct iovec* parts, size_t count) {
    size_t size = ph_parts_size(parts, count);
    if (socket->error != 0)
        return -take_error(socket);
    if (socket->state == PH_SOCKET_CONNECTING)
        return -EAGAIN;
    if (socket->state == PH_SOCKET_ENDED || socket->end_sent)
        return -EPIPE;
    if (socket->state != PH_SOCKET_CONNECTED)
        return -ENOTCONN;
    size_t queued = socket->flying_size + (socket->peer != NULL ? socket->peer->arrived_size : 0);
    if (queued >= socket->send_limit) {
        socket->no_room = true;
        return -EAGAIN;
    }
    if (network_breaks(socket))
        return -ECONNRESET;
    if (ph_fault("send", PH_FAULT_CALL, EINTR, EAGAIN, ENOBUFS, 0) ||
        ph_fault("send_net", PH_FAULT_NET, ECONNRESET, EPIPE, 0)) {
        int error = errno;
        if (error == EAGAIN || error == ENOBUFS) {
            socket->no_room = true;
            ph_event_at(&socket->room, PH_EVENT_ROOM, ph_world->now + PH_MS);
        } else if (error != EINTR) {
            ph_socket_send_reset(socket);
            fail(socket, 0);
        }
        return -error;
    }
    if (size > socket->send_limit - queued) {
        size = socket->send_limit - queued;
        socket->no_room = true;
    }
    size = ph_fault_short("send_short", PH_FAULT_CALL, size);
    struct ph_packet* packet = new_packet(socket, size);
    if (packet == NULL)
        return -ENOBUFS;
    ph_parts_read(parts, count, packet->bytes, size);
    fly(socket, packet);
    return (ssize_t)size;
}

/* Room again at the receiver: the sender hears of it one way later. */
static void give_room(struct ph_socket* socket) {
    struct ph_socket* peer = socket->peer;
    if (peer == NULL || !peer->no_room || peer->room.place != 0)
        return;
    size_t queued = peer->flying_size + socket->arrived_size;
    if (queued * 3 < peer->send_limit * 2)
        ph_event_at(&peer->room, PH_EVENT_ROOM, ph_link_arrival(socket->host, peer->host, 0));
}

void ph_run_room(struct ph_event* event) {
    struct ph_socket* socket = PH_CONTAINER_OF(event, struct ph_socket, room);
    socket->no_room = false;
    ph_socket_changed(socket);
}

ssize_t ph_flow_receive(struct ph_socket* socket, const struct iovec* parts, size_t count,
                        bool peek) {
    size_t room = ph_parts_size(parts, count);
    size_t done = 0;
    if (ph_queue_empty(&socket->arrived)) {
        if (socket->error != 0)
            return -take_error(socket);
        if (socket->end_came || socket->read_off || socket->state == PH_SOCKET_ENDED)
            return 0;
        return socket->state == PH_SOCKET_CONNECTED || socket->state == PH_SOCKET_CONNECTING
                   ? -EAGAIN
                   : -ENOTCONN;
    }
    if (ph_fault("recv", PH_FAULT_CALL, EINTR, EAGAIN, 0))
        return -errno;
    if (ph_fault("recv_net", PH_FAULT_NET, ECONNRESET, 0)) {
        ph_socket_send_reset(socket);
        fail(socket, 0);
        return -ECONNRESET;
    }
    room = ph_fault_short("recv_short", PH_FAULT_CALL, room);
    while (done < room && !ph_queue_empty(&socket->arrived)) {
        struct ph_packet* packet = PH_CONTAINER_OF(socket->arrived.next, struct ph_packet, node);
        size_t length = packet->size - packet->used;
        if (length > room - done)
            length = room - done;
        ph_parts_write(parts, count, done, packet->bytes + packet->used, length);
        done += length;
        if (peek)
            return (ssize_t)done;
        packet->used += length;
        if (packet->used == packet->size) {
            ph_queue_remove(&packet->node);
            ph_world_free(packet, sizeof(*packet) + packet->size);
        }
    }
    socket->arrived_size -= done;
    give_room(socket);
    return (ssize_t)done;
}

void ph_flow_shutdown(struct ph_socket* socket) {
    if (socket->end_sent || socket->state != PH_SOCKET_CONNECTED)
        return;
    socket->end_sent = true;
    struct ph_packet* packet = new_packet(socket, 0);
    if (packet == NULL)
        ph_world_end("the world has no room for another packet");
    packet->end = true;
    fly(socket, packet);
    ph_socket_changed(socket);
}
