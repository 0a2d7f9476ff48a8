/*
 * Any bytes as a request to the inspector and as frames of WebSocket: what is read does not depend
 * on how the input is cut, and a text that was framed and masked comes out as it was. With
 * libFuzzer:
 *   clang -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Iruntime \
 *       tests/fuzz/inspector_messages.c runtime/plugins/inspector/websocket.c \
 *       runtime/plugins/inspector/accept.c runtime/plugins/inspector/request.c
 * Without it: fuzz.h.
 */

#include "plugins/inspector/request.h"
#include "plugins/inspector/websocket.h"

#include "fuzz.h"

enum { MOST_EVENTS = 1 << 16 };

/* A sum of all events, so that two readings can be compared. */
typedef struct {
    uint64_t sum;
    size_t messages;
    int is_broken;
} reading;

static void note(reading* all, uint64_t value) {
    all->sum = (all->sum ^ value) * 1099511628211u;
}

static void read_events(ph_ws* ws, reading* all) {
    const uint8_t* bytes = NULL;
    size_t length = 0;
    for (int i = 0; i < MOST_EVENTS && !all->is_broken; i++) {
        ph_ws_event event = ph_ws_next(ws, &bytes, &length);
        if (event == PH_WS_NEED_MORE)
            return;
        note(all, event);
        all->is_broken = event == PH_WS_BROKEN;
        all->messages += event == PH_WS_MESSAGE;
        if (all->is_broken)
            return;
        note(all, length);
        for (size_t j = 0; j < length; j++)
            note(all, bytes[j]);
        require(length <= PH_WS_MOST_BYTES);
    }
}

static reading read_frames(const uint8_t* data, size_t size, size_t piece) {
    ph_ws ws = {0};
    reading all = {14695981039346656037u, 0, 0};
    for (size_t at = 0; at < size && !all.is_broken; at += piece) {
        require(ph_ws_push(&ws, data + at, size - at < piece ? size - at : piece));
        read_events(&ws, &all);
    }
    ph_ws_free(&ws);
    return all;
}

static void read_request(const uint8_t* data, size_t size) {
    ph_request request;
    char answer[PH_WS_ACCEPT_BYTES];
    char* text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    int head = ph_request_read(text, size, &request);
    require(head <= (int)size);
    if (head > 0) {
        ph_request_host_is_allowed(request.host);
        ph_request_origin_is_allowed(request.origin);
        ph_ws_accept(request.key, answer);
        require(strlen(answer) == PH_WS_ACCEPT_BYTES - 1);
    }
    free(text);
}

static void send_and_read(const uint8_t* data, size_t size) {
    uint8_t head[PH_WS_HEAD_BYTES + 4];
    static const uint8_t mask[4] = {1, 2, 4, 8};
    size_t length = ph_ws_head(head, PH_WS_TEXT, size);
    head[1] |= 0x80;
    memcpy(head + length, mask, 4);
    uint8_t* masked = malloc(size + 1);
    require(masked != NULL);
    for (size_t i = 0; i < size; i++)
        masked[i] = data[i] ^ mask[i & 3];
    ph_ws ws = {0};
    const uint8_t* bytes = NULL;
    size_t found = 0;
    require(ph_ws_push(&ws, head, length + 4) && ph_ws_push(&ws, masked, size));
    require(ph_ws_next(&ws, &bytes, &found) == PH_WS_MESSAGE);
    require(found == size && (size == 0 || memcmp(bytes, data, size) == 0));
    ph_ws_free(&ws);
    free(masked);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    reading whole = read_frames(data, size, size + 1);
    reading parts = read_frames(data, size, 1 + size / 7);
    require(whole.sum == parts.sum && whole.messages == parts.messages);
    read_request(data, size);
    send_and_read(data, size);
    return 0;
}

#ifdef PLAIN_MAIN
static size_t add_frame(uint8_t* to, size_t room) {
    size_t length = chance(4) == 0 ? chance(300) : chance(20);
    uint8_t head[PH_WS_HEAD_BYTES];
    static const int opcodes[] = {0, 1, 1, 1, 2, 8, 9, 10, 11};
    size_t size = ph_ws_head(head, PH_WS_TEXT, length);
    if (size + 4 + length > room)
        return 0;
    head[0] = (uint8_t)((chance(4) == 0 ? 0 : 0x80) | opcodes[chance(9)]);
    if (chance(20) != 0)
        head[1] |= 0x80;
    memcpy(to, head, size);
    for (size_t i = 0; i < 4 + length; i++)
        to[size + i] = (uint8_t)chance(256);
    return size + 4 + length;
}

static size_t make_input(uint8_t* data, size_t room) {
    static const char* const pieces[] = {"GET /json HTTP/1.1\r\n",
                                         "Host: localhost:9229\r\n",
                                         "Host: [::1]:1\r\n",
                                         "Host: a.b\r\n",
                                         "Upgrade: websocket\r\n",
                                         "Origin: http://a\r\n",
                                         "Sec-WebSocket-Key: dGhl\r\n",
                                         "\r\n",
                                         ":",
                                         "GET "};
    size_t size = 0;
    if (chance(2) == 0) {
        for (unsigned i = chance(8); i > 0; i--) {
            const char* piece = pieces[chance(10)];
            memcpy(data + size, piece, strlen(piece));
            size += strlen(piece);
        }
    } else {
        for (unsigned i = chance(6); i > 0; i--)
            size += add_frame(data + size, room - size);
    }
    for (unsigned i = chance(4); i > 0 && size > 0; i--)
        data[chance((unsigned)size)] = (uint8_t)chance(256);
    return size;
}
#endif
