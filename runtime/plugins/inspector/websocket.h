/* Frames of WebSocket (RFC 6455) as a server reads and writes them. No input and no output of its
 * own: bytes go in, events come out. */
#ifndef PH_INSPECTOR_WEBSOCKET_H
#define PH_INSPECTOR_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PH_WS_MOST_BYTES = 100 << 20, /* of one message; what is longer ends the connection */
    PH_WS_HEAD_BYTES = 10,        /* room that a frame's head needs at most */
    PH_WS_ACCEPT_BYTES = 29       /* of the answer to a key, with its end */
};

typedef struct {
    uint8_t* bytes; /* what has come and is not yet an event */
    size_t length, room;
    size_t used;      /* of it, by the event that was given last */
    uint8_t* message; /* the fragments so far */
    size_t message_length, message_room;
    bool in_message;
} ph_ws;

typedef enum {
    PH_WS_NEED_MORE,
    PH_WS_MESSAGE,
    PH_WS_PING, /* to be answered with the same bytes */
    PH_WS_PONG,
    PH_WS_CLOSE,
    PH_WS_BROKEN /* against the rules, or no memory: the connection ends */
} ph_ws_event;

typedef enum { PH_WS_TEXT = 1, PH_WS_END = 8, PH_WS_ANSWER = 10 } ph_ws_opcode;

/* False: no memory. */
bool ph_ws_push(ph_ws* ws, const void* bytes, size_t length);
/* The next event; its bytes are there until the next call. */
ph_ws_event ph_ws_next(ph_ws* ws, const uint8_t** bytes, size_t* length);
void ph_ws_free(ph_ws* ws);

/* The head of a frame that is not masked; gives its length. */
size_t ph_ws_head(uint8_t* head, ph_ws_opcode opcode, uint64_t length);
/* The answer to a client's Sec-WebSocket-Key. */
void ph_ws_accept(const char* key, char answer[PH_WS_ACCEPT_BYTES]);

#endif
