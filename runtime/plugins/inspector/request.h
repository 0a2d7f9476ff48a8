/* The one request that a client makes before it speaks WebSocket: its head, and whether it may be
 * answered. */
#ifndef PH_INSPECTOR_REQUEST_H
#define PH_INSPECTOR_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum { PH_REQUEST_MOST_BYTES = 16384 };

typedef struct {
    char path[256];
    char host[256];
    char origin[256];
    char key[128];
    bool wants_websocket;
} ph_request;

/* The length of the head; 0: more bytes are needed; -1: no request that we answer. */
int ph_request_read(const char* bytes, size_t length, ph_request* request);
/* A page of the web that knows our address by a name of its own must not get in: only addresses
 * and localhost are names of ours. */
bool ph_request_host_is_allowed(const char* host);
/* Nor may any page at all; browsers say where a request comes from, other programs do not. */
bool ph_request_origin_is_allowed(const char* origin);

#endif
