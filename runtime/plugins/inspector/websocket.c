#include "websocket.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(uint8_t** bytes, size_t* room, size_t needed) {
    if (needed <= *room)
        return true;
    size_t larger = *room == 0 ? 4096 : *room;
    while (larger < needed)
        larger *= 2;
    uint8_t* moved = realloc(*bytes, larger);
    if (moved == NULL)
        return false;
    *bytes = moved;
    *room = larger;
    return true;
}

bool ph_ws_push(ph_ws* ws, const void* bytes, size_t length) {
    if (length == 0)
        return true;
    if (!make_room(&ws->bytes, &ws->room, ws->length + length))
        return false;
    memcpy(ws->bytes + ws->length, bytes, length);
    ws->length += length;
    return true;
}

void ph_ws_free(ph_ws* ws) {
    free(ws->bytes);
    free(ws->message);
    memset(ws, 0, sizeof(*ws));
}

typedef struct {
    bool is_last, is_masked;
    int opcode;
    uint64_t length;
    size_t head; /* bytes before the payload */
} frame;

/* 1: the head is there; 0: more bytes are needed; -1: no frame of a client. */
static int read_head(const ph_ws* ws, frame* out) {
    const uint8_t* b = ws->bytes;
    if (ws->length < 2)
        return 0;
    out->is_last = b[0] & 0x80;
    out->opcode = b[0] & 0x0f;
    out->is_masked = b[1] & 0x80;
    out->length = b[1] & 0x7f;
    out->head = 2;
    int more = out->length == 126 ? 2 : out->length == 127 ? 8 : 0;
    if (ws->length < out->head + (size_t)more)
        return 0;
    if (more > 0)
        out->length = 0;
    for (int i = 0; i < more; i++)
        out->length = out->length << 8 | b[2 + i];
    out->head += (size_t)more + (out->is_masked ? 4 : 0);
    if ((b[0] & 0x70) != 0 || out->length > PH_WS_MOST_BYTES)
        return -1;
    bool is_control = out->opcode >= 8;
    if (is_control && (!out->is_last || out->length > 125))
        return -1;
    /* Some clients end without a mask; nothing else may come without one. */
    if (!out->is_masked && out->opcode != PH_WS_END)
        return -1;
    return ws->length < out->head ? 0 : 1;
}

static void unmask(uint8_t* bytes, size_t length, const uint8_t mask[4]) {
    for (size_t i = 0; i < length; i++)
        bytes[i] ^= mask[i & 3];
}

/* A part of a message, or all of it. */
static ph_ws_event add_part(ph_ws* ws, const frame* found, const uint8_t** bytes, size_t* length) {
    size_t part = (size_t)found->length;
    if (found->opcode > 1 || (found->opcode == 0) != ws->in_message)
        return PH_WS_BROKEN;
    if (found->is_last && !ws->in_message) {
        *bytes = ws->bytes + found->head;
        *length = part;
        return PH_WS_MESSAGE;
    }
    if (!ws->in_message)
        ws->message_length = 0;
    if (ws->message_length + part > PH_WS_MOST_BYTES ||
        !make_room(&ws->message, &ws->message_room, ws->message_length + part + 1))
        return PH_WS_BROKEN;
    memcpy(ws->message + ws->message_length, ws->bytes + found->head, part);
    ws->message_length += part;
    ws->in_message = !found->is_last;
    *bytes = ws->message;
    *length = ws->message_length;
    return found->is_last ? PH_WS_MESSAGE : PH_WS_NEED_MORE;
}

static ph_ws_event take_frame(ph_ws* ws, const frame* found, const uint8_t** bytes,
                              size_t* length) {
    uint8_t* payload = ws->bytes + found->head;
    if (found->is_masked)
        unmask(payload, (size_t)found->length, payload - 4);
    ws->used = found->head + (size_t)found->length;
    *bytes = payload;
    *length = (size_t)found->length;
    switch (found->opcode) {
    case 8:
        return PH_WS_CLOSE;
    case 9:
        return PH_WS_PING;
    case 10:
        return PH_WS_PONG;
    default:
        return add_part(ws, found, bytes, length);
    }
}

ph_ws_event ph_ws_next(ph_ws* ws, const uint8_t** bytes, size_t* length) {
    for (;;) {
        if (ws->used > 0)
            memmove(ws->bytes, ws->bytes + ws->used, ws->length - ws->used);
        ws->length -= ws->used;
        ws->used = 0;
        frame found;
        int status = ws->length == 0 ? 0 : read_head(ws, &found);
        if (status < 0)
            return PH_WS_BROKEN;
        if (status == 0 || ws->length - found.head < found.length)
            return PH_WS_NEED_MORE;
        ph_ws_event event = take_frame(ws, &found, bytes, length);
        if (event != PH_WS_NEED_MORE)
            return event;
    }
}

size_t ph_ws_head(uint8_t* head, ph_ws_opcode opcode, uint64_t length) {
    head[0] = (uint8_t)(0x80 | opcode);
    if (length < 126) {
        head[1] = (uint8_t)length;
        return 2;
    }
    int more = length < 65536 ? 2 : 8;
    head[1] = more == 2 ? 126 : 127;
    for (int i = 0; i < more; i++)
        head[2 + i] = (uint8_t)(length >> (8 * (more - 1 - i)));
    return 2 + (size_t)more;
}
