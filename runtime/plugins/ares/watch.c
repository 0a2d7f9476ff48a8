/* The loop's side of a channel: its sockets, its next timeout, and the calls of JavaScript. */
#include <stdlib.h>

#include "plugins/ares/dns.h"

#define OWNER_OF(type, member, pointer) ((type*)((char*)(pointer)-offsetof(type, member)))

void dns_unref(dns_channel* channel) {
    if (--channel->references == 0)
        free(channel);
}

static void free_query(dns_query* query) {
    free(query->bytes);
    free(query);
}

/* A callback may do anything, even let go of the channel. */
static void deliver(dns_channel* channel) {
    channel->references++;
    while (channel->done != NULL) {
        dns_query* query = channel->done;
        channel->done = query->next;
        if (channel->done == NULL)
            channel->done_end = &channel->done;
        if (channel->env->stopping) {
            ph_pending_drop(&query->pending);
        } else {
            JSValue args[] = {JS_NewInt32(channel->env->ctx, query->status), JS_UNDEFINED};
            if (query->bytes != NULL)
                args[1] = ph_buffer_copy(channel->env, query->bytes, query->length);
            ph_pending_finish(&query->pending, 2, args);
        }
        free_query(query);
    }
    dns_unref(channel);
}

static void process(dns_channel* channel, ares_socket_t reads, ares_socket_t writes) {
    channel->references++;
    if (channel->ares != NULL)
        ares_process_fd(channel->ares, reads, writes);
    deliver(channel);
    dns_rearm(channel); /* NOLINT: the reference of above keeps it */
    dns_unref(channel);
}

static void on_timer(uv_timer_t* timer) {
    process(OWNER_OF(dns_channel, timer, timer), ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

void dns_rearm(dns_channel* channel) {
    if (channel->ares == NULL)
        return;
    if (channel->done != NULL) {
        uv_timer_start(&channel->timer, on_timer, 0, 0);
        return;
    }
    struct timeval left;
    if (channel->pending == 0 || ares_timeout(channel->ares, NULL, &left) == NULL) {
        uv_timer_stop(&channel->timer);
        return;
    }
    uint64_t delay = (uint64_t)left.tv_sec * 1000 + ((uint64_t)left.tv_usec + 999) / 1000;
    uv_update_time(channel->env->loop);
    uv_timer_start(&channel->timer, on_timer, delay == 0 ? 1 : delay, 0);
}

static void on_poll(uv_poll_t* poll, int status, int events) {
    dns_socket* socket = OWNER_OF(dns_socket, poll, poll);
    /* An error is found by whoever reads or writes. */
    if (status < 0)
        events = UV_READABLE | UV_WRITABLE;
    process(socket->owner, (events & UV_READABLE) != 0 ? socket->fd : ARES_SOCKET_BAD,
            (events & UV_WRITABLE) != 0 ? socket->fd : ARES_SOCKET_BAD);
}

static void on_poll_closed(uv_handle_t* handle) {
    dns_socket* socket = OWNER_OF(dns_socket, poll, handle);
    dns_unref(socket->owner);
    free(socket);
}

static void on_timer_closed(uv_handle_t* handle) {
    dns_unref(OWNER_OF(dns_channel, timer, handle));
}

static dns_socket** find(dns_channel* channel, ares_socket_t fd) {
    dns_socket** at = &channel->sockets;
    while (*at != NULL && (*at)->fd != fd)
        at = &(*at)->next;
    return at;
}

static dns_socket* watch(dns_channel* channel, ares_socket_t fd) {
    dns_socket* socket = calloc(1, sizeof(*socket));
    if (socket == NULL)
        return NULL;
    if (uv_poll_init_socket(channel->env->loop, &socket->poll, fd) != 0) {
        free(socket); /* its query times out */
        return NULL;
    }
    socket->owner = channel;
    socket->fd = fd;
    socket->next = channel->sockets;
    channel->sockets = socket;
    channel->references++;
    return socket;
}

/* c-ares says what it waits for on a socket; nothing means that it closes it next. */
static void on_socket_state(void* data, ares_socket_t fd, int reads, int writes) {
    dns_channel* channel = data;
    dns_socket** at = find(channel, fd);
    dns_socket* socket = *at;
    if (!reads && !writes) {
        if (socket != NULL) {
            *at = socket->next;
            uv_close((uv_handle_t*)&socket->poll, on_poll_closed);
        }
        return;
    }
    if (socket == NULL)
        socket = watch(channel, fd);
    if (socket != NULL)
        uv_poll_start(&socket->poll, (reads ? UV_READABLE : 0) | (writes ? UV_WRITABLE : 0),
                      on_poll);
}

int dns_open(dns_channel* channel) {
    struct ares_options options = {.flags = ARES_FLAG_NOCHECKRESP,
                                   .sock_state_cb = on_socket_state,
                                   .sock_state_cb_data = channel,
                                   .timeout = channel->timeout,
                                   .tries = channel->tries};
    int mask = ARES_OPT_FLAGS | ARES_OPT_SOCK_STATE_CB | ARES_OPT_TRIES;
    if (channel->timeout >= 0)
        mask |= ARES_OPT_TIMEOUTMS;
#ifdef ARES_OPT_QUERY_CACHE
    mask |= ARES_OPT_QUERY_CACHE; /* for no time at all: a program asks because it wants to know */
#endif
    return ares_init_options(&channel->ares, &options, mask);
}

static void on_ending(ph_ending* ending) {
    dns_watch_end(OWNER_OF(dns_channel, ending, ending));
}

int dns_watch_start(dns_channel* channel) {
    uv_timer_init(channel->env->loop, &channel->timer);
    channel->references++;
    channel->ending.run = on_ending;
    ph_ending_add(channel->env, &channel->ending);
    return dns_open(channel);
}

void dns_watch_end(dns_channel* channel) {
    if (channel->has_ended)
        return;
    channel->has_ended = true; /* dropping a query may drop the box, which comes here again */
    ares_channel ares = channel->ares;
    channel->references++;
    ph_ending_remove(&channel->ending);
    if (ares != NULL)
        ares_destroy(ares); /* what is under way ends with a status */
    channel->ares = NULL;
    while (channel->done != NULL) {
        dns_query* query = channel->done;
        channel->done = query->next;
        ph_pending_drop(&query->pending);
        free_query(query);
    }
    uv_close((uv_handle_t*)&channel->timer, on_timer_closed);
    dns_unref(channel);
}
