/* The life of a socket. */

#include "world/socket.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "world/epoll.h"
#include "world/link.h"
#include "world/raw.h"

enum { SEND_LIMIT = 256 * 1024 };

struct ph_socket* ph_socket_new(int family, int type) {
    struct ph_socket* socket = ph_world_alloc(sizeof(*socket));
    if (socket == NULL)
        return NULL;
    ph_queue_init(&socket->watches);
    ph_queue_init(&socket->arrived);
    ph_queue_init(&socket->flying);
    ph_queue_init(&socket->accepts);
    ph_queue_init(&socket->in_accepts);
    ph_queue_push(&ph_world->sockets, &socket->node);
    socket->type = type;
    socket->family = family;
    socket->host = ph_host_here();
    socket->pid = ph_raw_pid();
    socket->open = true;
    socket->send_limit = SEND_LIMIT;
    return socket;
}

static void cancel_events(struct ph_socket* socket) {
    ph_event_cancel(&socket->arrival);
    ph_event_cancel(&socket->room);
    ph_event_cancel(&socket->connect);
    ph_event_cancel(&socket->reset);
    ph_event_cancel(&socket->expiry);
    ph_flow_free_packets(&socket->arrived);
    ph_flow_free_packets(&socket->flying);
}

static void release(struct ph_socket* socket) {
    cancel_events(socket);
    ph_queue_remove(&socket->in_accepts);
    ph_queue_remove(&socket->node);
    ph_world_free(socket, sizeof(*socket));
}

static bool has_ended(const struct ph_socket* socket) {
    return socket->peer == NULL ||
           (socket->end_arrived && (socket->peer->end_arrived || !socket->peer->open));
}

/* A stream that nobody has open any more stays until what it sent has arrived. */
void ph_socket_settle(struct ph_socket* socket) {
    if (socket->open || socket->state == PH_SOCKET_CONNECTING || socket->reset.place != 0)
        return;
    if (!has_ended(socket) && socket->state == PH_SOCKET_CONNECTED)
        return;
    struct ph_socket* peer = socket->peer;
    if (peer != NULL)
        peer->peer = NULL;
    release(socket);
    if (peer != NULL)
        ph_socket_settle(peer);
}

/* Tells the peer, after the time it takes, that there is nobody any more. */
void ph_socket_send_reset(struct ph_socket* socket) {
    struct ph_socket* peer = socket->peer;
    if (peer != NULL && peer->reset.place == 0)
        ph_event_at(&peer->reset, PH_EVENT_RESET, ph_link_arrival(socket->host, peer->host, 0));
}

static void close_listener(struct ph_socket* listener) {
    struct uv__queue* node;
    while ((node = ph_queue_pop(&listener->accepts)) != NULL) {
        struct ph_socket* socket = PH_CONTAINER_OF(node, struct ph_socket, in_accepts);
        ph_socket_close(socket, true);
    }
}

void ph_socket_close(struct ph_socket* socket, bool reset) {
    ph_socket_unwatch(socket);
    socket->open = false;
    if (socket->state == PH_SOCKET_LISTENING)
        close_listener(socket);
    if (socket->state == PH_SOCKET_CONNECTING) {
        ph_event_cancel(&socket->connect);
        socket->state = PH_SOCKET_ENDED;
    }
    if (socket->type == SOCK_STREAM && socket->state == PH_SOCKET_CONNECTED) {
        /* As TCP does: what was not read when its reader leaves is answered with a reset. */
        if (reset || socket->arrived_size > 0) {
            ph_flow_free_packets(&socket->flying);
            ph_event_cancel(&socket->arrival);
            socket->end_sent = true;
            socket->end_arrived = true;
            ph_socket_send_reset(socket);
            if (socket->peer != NULL)
                socket->peer->end_arrived = true;
        } else if (!socket->end_sent) {
            ph_flow_shutdown(socket);
        }
    } else if (socket->state != PH_SOCKET_CONNECTED) {
        socket->state = PH_SOCKET_ENDED;
    }
    ph_socket_settle(socket);
}

static bool has_room(const struct ph_socket* socket) {
    size_t queued = socket->flying_size + (socket->peer != NULL ? socket->peer->arrived_size : 0);
    return queued * 3 < socket->send_limit * 2;
}

uint32_t ph_socket_events(const struct ph_socket* socket) {
    uint32_t events = 0;
    if (socket->type == PH_COUNTER)
        return (socket->count > 0 ? EPOLLIN : 0) | (socket->clock < 0 ? EPOLLOUT : 0);
    if (socket->error != 0)
        events |= EPOLLERR | EPOLLIN | EPOLLOUT;
    if (socket->type == SOCK_DGRAM) {
        events |= EPOLLOUT;
        return ph_queue_empty(&socket->arrived) ? events : events | EPOLLIN;
    }
    switch (socket->state) {
    case PH_SOCKET_LISTENING:
        return ph_queue_empty(&socket->accepts) ? events : events | EPOLLIN;
    case PH_SOCKET_CONNECTING:
        return 0;
    case PH_SOCKET_NEW:
        return events | EPOLLOUT | EPOLLHUP;
    case PH_SOCKET_ENDED:
        return events | EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLHUP;
    default:
        break;
    }
    if (!ph_queue_empty(&socket->arrived) || socket->end_came || socket->read_off)
        events |= EPOLLIN;
    if (socket->end_came || socket->read_off)
        events |= EPOLLRDHUP;
    if (socket->end_came && socket->end_sent)
        events |= EPOLLHUP;
    if (socket->end_sent || has_room(socket))
        events |= EPOLLOUT;
    return events;
}

static struct uv__queue* next_socket(struct uv__queue* node) {
    return node->next;
}

void ph_sockets_close_all(int pid, int host) {
    /* Closing one may release others: start again after each. */
    for (struct uv__queue* node = ph_world->sockets.next; node != &ph_world->sockets;) {
        struct ph_socket* socket = PH_CONTAINER_OF(node, struct ph_socket, node);
        bool chosen = socket->open && (pid == -1 || socket->pid == pid) &&
                      (host == -1 || socket->host == host);
        if (chosen)
            ph_socket_close(socket, false);
        node = chosen ? ph_world->sockets.next : next_socket(node);
    }
}

/* A thread of this process may still have a number for it: such a socket is dead until closed. */
static void vanish(struct ph_socket* socket) {
    ph_socket_unwatch(socket);
    if (socket->peer != NULL)
        socket->peer->peer = NULL;
    socket->peer = NULL;
    while (!ph_queue_empty(&socket->accepts))
        ph_queue_pop(&socket->accepts);
    bool waits = !ph_queue_empty(&socket->in_accepts);
    if (!socket->open || waits || socket->pid != ph_raw_pid()) {
        release(socket);
        return;
    }
    cancel_events(socket);
    socket->state = PH_SOCKET_ENDED;
    socket->bound = false;
    socket->arrived_size = 0;
    socket->flying_size = 0;
}

void ph_sockets_vanish(int host) {
    for (struct uv__queue *next, *node = ph_world->sockets.next; node != &ph_world->sockets;
         node = next) {
        struct ph_socket* socket = PH_CONTAINER_OF(node, struct ph_socket, node);
        next = next_socket(node);
        if (socket->host == host)
            vanish(socket);
    }
}
