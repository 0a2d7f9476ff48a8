#include "world/waiting.h"

#include <stdarg.h>
#include <stdio.h>

#include "world/epoll.h"
#include "world/socket.h"
#include "world/world.h"

enum { MOST_NAMED = 3 /* of the descriptors of one loop */ };

struct text {
    char* bytes;
    size_t room;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text* text, const char* format, ...) {
    size_t room = text->room - text->used;
    char* to = text->bytes + text->used;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(to, room, format, args); /* NOLINT: it is begun one line above */
    va_end(args);
    if (length > 0)
        text->used += (size_t)length < room ? (size_t)length : room - 1;
}

static void add_thread(struct text* text, const struct ph_sleeper* sleeper) {
    unsigned long long number = sleeper->number & UINT32_MAX;
    if (number == 0)
        add(text, "the main thread");
    else
        add(text, "thread %llu", number);
}

static const struct ph_sleeper* asleep_with(const struct ph_world* world,
                                            const struct ph_sleeper* sleeper, int tid) {
    for (const struct uv__queue* node = world->sleepers.next; node != &world->sleepers;
         node = node->next) {
        const struct ph_sleeper* other = PH_CONTAINER_OF(node, struct ph_sleeper, node);
        if (other->pid == sleeper->pid && other->tid == tid)
            return other;
    }
    return NULL;
}

static void add_holder(const struct ph_world* world, const struct ph_sleeper* sleeper,
                       struct text* text) {
    const struct ph_sleeper* holder = asleep_with(world, sleeper, sleeper->holder);
    add(text, "waits for a lock");
    if (holder == sleeper) {
        add(text, " that it holds itself");
    } else if (holder != NULL) {
        add(text, " that ");
        add_thread(text, holder);
        add(text, " holds");
    } else if (sleeper->holder != 0) {
        add(text, " that a thread holds that has ended");
    }
}

static const char* host_of(const struct ph_world* world, const struct ph_address* address) {
    return address->host >= 0 ? world->hosts[address->host].name : "nobody";
}

static void add_socket(const struct ph_world* world, const struct ph_socket* socket,
                       struct text* text) {
    const struct ph_address* peer = &socket->peer_address;
    bool local = socket->family == AF_UNIX;
    if (socket->type == PH_COUNTER)
        add(text, socket->clock == -1 ? "an eventfd" : "a timerfd that is not set");
    else if (socket->state == PH_SOCKET_LISTENING && local)
        add(text, "connections to %.60s", socket->path);
    else if (socket->state == PH_SOCKET_LISTENING)
        add(text, "connections to port %u", socket->local.port);
    else if (socket->type == SOCK_DGRAM)
        add(text, "datagrams at port %u", socket->local.port);
    else if (socket->state == PH_SOCKET_CONNECTING)
        add(text, "its connection to %s:%u", host_of(world, peer), peer->port);
    else if (local)
        add(text, "the other end of a Unix socket");
    else
        add(text, "%s:%u", host_of(world, peer), peer->port);
}

static void add_descriptors(const struct ph_world* world, const struct ph_epoll* epoll,
                            struct text* text) {
    unsigned count = 0;
    for (const struct uv__queue* node = epoll->watches.next; node != &epoll->watches;
         node = node->next) {
        const struct ph_watch* watch = PH_CONTAINER_OF(node, struct ph_watch, in_epoll);
        if (++count > MOST_NAMED)
            continue;
        add(text, count == 1 ? "waits for " : ", ");
        add_socket(world, watch->socket, text);
    }
    if (count > MOST_NAMED)
        add(text, " and %u more", count - MOST_NAMED);
    if (count == 0)
        add(text, "waits in its loop, which watches no connection");
}

void ph_waiting_text(const struct ph_world* world, const struct ph_sleeper* sleeper, char* text,
                     size_t room) {
    struct text to = {.bytes = text, .room = room};
    add(&to, "%s, ", world->hosts[sleeper->host].name);
    add_thread(&to, sleeper);
    add(&to, " ");
    if (sleeper->epoll != NULL) {
        add_descriptors(world, sleeper->epoll, &to);
        return;
    }
    switch (sleeper->waiting) {
    case PH_WAITING_MUTEX:
    case PH_WAITING_LOCK:
        add_holder(world, sleeper, &to);
        break;
    case PH_WAITING_CONDITION:
        add(&to, "waits for a condition");
        break;
    case PH_WAITING_SEMAPHORE:
        add(&to, "waits for a semaphore");
        break;
    case PH_WAITING_BARRIER:
        add(&to, "waits at a barrier");
        break;
    case PH_WAITING_THREAD:
        add(&to, "waits for the end of ");
        add_thread(&to, (const struct ph_sleeper*)sleeper->waits_for); /* NOLINT */
        break;
    default:
        add(&to, "waits");
    }
}
