/* Datagrams. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "detached.h"
#include "watch.h"

/* No datagram is larger. In more room UV_UDP_RECVMMSG would put several at once, for one who waits.
 */
enum { LARGEST = 65536 };

struct receiver {
    struct go__waiter waiter; /* first */
    struct go__scheduler* scheduler;
    uv_udp_t* udp;
    char* memory;
    unsigned size;
    struct sockaddr_storage* from;
    unsigned flags;
};

static void stop_if_nobody_waits(struct go__scheduler* s, uv_udp_t* udp) {
    struct go__watch* watch = go__watch_find(s, udp, GO__RECEIVE);
    if (watch == NULL || !go__list_empty(&watch->waiters))
        return;
    if (!uv_is_closing((uv_handle_t*)udp))
        uv_udp_recv_stop(udp);
    go__watch_drop(s, watch);
}

static bool leave(void* data, int why) {
    struct receiver* receiver = data;
    (void)why;
    go__list_remove(&receiver->waiter.link);
    stop_if_nobody_waits(receiver->scheduler, receiver->udp);
    return true;
}

static void give_memory(uv_handle_t* handle, size_t wished, uv_buf_t* buffer) {
    struct go__scheduler* s = go__scheduler_of(handle->loop);
    struct go__watch* watch = go__watch_find(s, handle, GO__RECEIVE);
    (void)wished;
    *buffer = uv_buf_init(NULL, 0);
    if (watch != NULL && !go__list_empty(&watch->waiters)) {
        struct receiver* receiver = (struct receiver*)watch->waiters.next;
        *buffer = uv_buf_init(receiver->memory, receiver->size);
    }
}

static size_t address_size(const struct sockaddr* address) {
    switch (address->sa_family) {
    case AF_INET6:
        return sizeof(struct sockaddr_in6);
    case AF_UNIX:
        return sizeof(struct sockaddr_un);
    default:
        return sizeof(struct sockaddr_in);
    }
}

static void on_datagram(uv_udp_t* udp, ssize_t size, const uv_buf_t* buffer,
                        const struct sockaddr* from, unsigned flags) {
    struct go__scheduler* s = go__scheduler_of(udp->loop);
    struct go__watch* watch = go__watch_find(s, udp, GO__RECEIVE);
    (void)buffer;
    if (watch == NULL || (size == 0 && from == NULL))
        return;
    struct receiver* receiver = (struct receiver*)go__list_take(&watch->waiters);
    if (receiver == NULL)
        return;
    receiver->flags = flags;
    if (from != NULL && receiver->from != NULL)
        memcpy(receiver->from, from, address_size(from));
    go__waiter_ready(&receiver->waiter.link, (int)size);
    go__run(s);
    stop_if_nobody_waits(s, udp);
}

ssize_t go_udp_receive(uv_udp_t* udp, void* memory, size_t size, struct sockaddr_storage* from,
                       unsigned* flags, uint64_t deadline) {
    struct go__scheduler* s = go__on(udp->loop);
    if (s == NULL || uv_is_closing((uv_handle_t*)udp))
        return UV_EINVAL;
    if (size == 0)
        return UV_ENOBUFS;
    struct go__watch* watch = go__watch_get(s, udp, GO__RECEIVE);
    if (watch == NULL)
        return UV_ENOMEM;
    if (!watch->active) {
        int status = uv_udp_recv_start(udp, give_memory, on_datagram);
        if (status != 0) {
            if (go__list_empty(&watch->waiters))
                go__watch_drop(s, watch);
            return status;
        }
        watch->active = true;
    }
    struct receiver receiver = {
        {.go = s->current}, s, udp, memory, size < LARGEST ? (unsigned)size : LARGEST, from, 0};
    go__list_add(&watch->waiters, &receiver.waiter.link);
    int result = go__suspend(s, "receive", leave, &receiver, deadline);
    if (flags != NULL)
        *flags = receiver.flags;
    return result;
}

struct sending {
    struct go__detached detached; /* first */
    uv_udp_send_t request;
    char data[];
};

static void on_sent(uv_udp_send_t* request, int status) {
    go__detached_end(&GO_OF(request, struct sending, request)->detached, status);
}

int go_udp_send(uv_udp_t* udp, const void* memory, size_t size, const struct sockaddr* to,
                uint64_t deadline) {
    struct go__scheduler* s = go__on(udp->loop);
    uv_buf_t buffer = uv_buf_init((char*)memory, (unsigned)size);
    if (s == NULL || size > INT_MAX || uv_is_closing((uv_handle_t*)udp))
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    int status = uv_udp_try_send(udp, &buffer, 1, to);
    if (status != UV_EAGAIN)
        return status < 0 ? status : 0;
    if (deadline == GO_NOW)
        return UV_ETIMEDOUT;
    struct sending* sending = malloc(sizeof(*sending) + size);
    if (sending == NULL)
        return UV_ENOMEM;
    memcpy(sending->data, memory, size);
    sending->detached.go = s->current;
    buffer.base = sending->data;
    status = uv_udp_send(&sending->request, udp, &buffer, 1, to, on_sent);
    if (status != 0) {
        free(sending);
        return status;
    }
    return go__suspend(s, "send", go__detached_leave, sending, deadline);
}
