/* Names through c-ares: one channel for each resolver. The loop watches its sockets and its next
 * timeout. JavaScript never runs inside c-ares: queries that are done wait in a list until it has
 * returned. */
#ifndef PH_PLUGIN_DNS_H
#define PH_PLUGIN_DNS_H

/* Functions of both c-ares 1.18 and 1.34, some of which the second has newer names for. */
#define CARES_NO_DEPRECATED
#include <ares.h>

#include "bindings/box.h"
#include "bindings/request.h"
#include "engine/endings.h"

typedef struct dns_channel dns_channel;

typedef struct dns_query {
    struct dns_query* next; /* in the list of those that are done */
    dns_channel* owner;
    ph_pending pending; /* its callback gets (status, bytes) */
    int status;
    uint8_t* bytes; /* an answer as it came, or names with a zero behind each */
    size_t length;
} dns_query;

typedef struct dns_socket {
    struct dns_socket* next;
    dns_channel* owner;
    ares_socket_t fd;
    uv_poll_t poll;
} dns_socket;

struct dns_channel {
    ph_env* env;
    ph_ending ending;
    ares_channel ares; /* NULL when it is closed */
    /* The box, every handle of the loop and every delivery hold it. */
    unsigned references;
    unsigned pending; /* queries that c-ares has */
    int timeout;      /* milliseconds, -1: as c-ares likes */
    int tries;
    bool has_own_servers; /* a program has set them */
    bool was_refused;     /* by the one server there was */
    bool has_ended;
    uv_timer_t timer;
    dns_socket* sockets;
    dns_query* done;
    dns_query** done_end;
};

/* NULL and an exception. */
dns_channel* dns_channel_of(JSContext* ctx, JSValueConst value);
/* A channel of c-ares with sockets that are watched. An ARES_ status. */
int dns_open(dns_channel* channel);
/* After anything that c-ares was asked to do: the next timeout. What is done already is delivered
 * by the loop. */
void dns_rearm(dns_channel* channel);
void dns_unref(dns_channel* channel);
/* Starts watching and ends it, with what is still under way; calls no JavaScript. */
int dns_watch_start(dns_channel* channel);
void dns_watch_end(dns_channel* channel);

void dns_export_queries(JSContext* ctx, JSValueConst exports);
void dns_export_servers(JSContext* ctx, JSValueConst exports);
void dns_export_channel(JSContext* ctx, JSValueConst exports);

#endif
