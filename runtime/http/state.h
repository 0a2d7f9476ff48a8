/* What the files of the HTTP parser share. */
#ifndef PH_RUNTIME_HTTP_STATE_H
#define PH_RUNTIME_HTTP_STATE_H

#include <string.h>

#include "http/parser.h"

enum {
    S_START,
    S_METHOD,
    S_TARGET_START, /* spaces before it */
    S_TARGET,
    S_TARGET_LF, /* a request without a version */
    S_PROTOCOL_START,
    S_PROTOCOL,
    S_MAJOR,
    S_DOT,
    S_MINOR,
    S_AFTER_VERSION,
    S_PREFACE, /* of HTTP/2 */
    S_STATUS,
    S_AFTER_STATUS,
    S_REASON,
    S_LINE_LF,
    S_FIRST_FIELD,
    S_FIELD_START,
    S_NAME,
    S_VALUE_START,
    S_EMPTY_LF,
    S_AFTER_EMPTY,
    S_VALUE,
    S_LENGTH,
    S_LENGTH_SPACES,
    S_VALUE_LF,
    S_AFTER_VALUE,
    S_FIELDS_LF,
    S_BODY_LENGTH,
    S_BODY_UNTIL_END,
    S_CHUNK_SIZE,
    S_CHUNK_EXTENSION,
    S_CHUNK_NAME,
    S_CHUNK_VALUE,
    S_CHUNK_QUOTED,
    S_CHUNK_ESCAPE,
    S_CHUNK_QUOTE_END,
    S_CHUNK_SIZE_LF,
    S_CHUNK_DATA,
    S_CHUNK_DATA_CR,
    S_CHUNK_DATA_LF,
    S_CLOSED, /* after a message that ends the connection */
    S_FAILED,
};

/* What a byte may be part of. */
enum {
    PH_HTTP_IN_TOKEN = 1,
    PH_HTTP_IN_VALUE = 2,
    PH_HTTP_IN_PATH = 4,   /* and, with the marks that end it, of a query and a fragment */
    PH_HTTP_IN_SERVER = 8, /* user, name and port */
    PH_HTTP_IN_QUOTES = 16
};
extern const uint8_t ph_http_classes[256];

enum { PH_HTTP_PROTOCOL, PH_RTSP_PROTOCOL, PH_ICE_PROTOCOL, PH_NO_PROTOCOL };

#define PH_HTTP_IN(protocol) (1 << (protocol))

/* How many of the letters a known method starts with, and for which protocols they are one. */
size_t ph_http_method_prefix(const char* text, size_t length, uint8_t* protocols);
/* Makes room for more text of the head; false without memory. */
bool ph_http_grow(ph_http_parser* parser, size_t length);
/* Each reads a run of bytes or one byte of its part of a message. */
ph_http_result ph_http_take_start_line(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                       size_t* used);
ph_http_result ph_http_take_target(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                   size_t* used);
ph_http_result ph_http_take_field(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                  size_t* used);
/* What frames chunks: sizes, extensions, line ends. */
ph_http_result ph_http_take_chunk(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                  size_t* used);
/* The head is whole: what its fields say about body and connection. */
void ph_http_understand(ph_http_parser* parser);

/* May another message follow on the connection, by all fields that have come? */
bool ph_http_stays(const ph_http_parser* parser);

static inline bool ph_http_keep(ph_http_parser* parser, const uint8_t* bytes, size_t length) {
    if (parser->text_capacity - parser->text_length < length && !ph_http_grow(parser, length))
        return false;
    if (length > 0)
        memcpy(parser->text + parser->text_length, bytes, length);
    parser->text_length += length;
    return true;
}

static inline bool ph_http_keep_byte(ph_http_parser* parser, uint8_t c) {
    if (parser->text_capacity == parser->text_length && !ph_http_grow(parser, 1))
        return false;
    parser->text[parser->text_length++] = (char)c;
    return true;
}

/* How many of the bytes a value may have; eight at a time while none of them is a control. */
static inline size_t ph_http_value_run(const uint8_t* bytes, size_t length) {
    const uint64_t ones = 0x0101010101010101;
    size_t run = 0;
    for (;;) {
        uint64_t eight;
        while (run + sizeof(eight) <= length) {
            memcpy(&eight, bytes + run, sizeof(eight));
            uint64_t low = (eight - ones * 32) & ~eight;
            uint64_t deletes = ((eight ^ ones * 127) - ones) & ~(eight ^ ones * 127);
            if (((low | deletes) & ones * 128) != 0)
                break;
            run += sizeof(eight);
        }
        size_t end = length - run > sizeof(eight) ? run + sizeof(eight) : length;
        while (run < end && (ph_http_classes[bytes[run]] & PH_HTTP_IN_VALUE) != 0)
            run++;
        if (run < end || run == length)
            return run;
    }
}

static inline size_t ph_http_run(const uint8_t* bytes, size_t length, uint8_t byte_class) {
    const uint8_t* classes = ph_http_classes;
    size_t run = 0;
    while (run + 4 <= length && (classes[bytes[run]] & classes[bytes[run + 1]] &
                                 classes[bytes[run + 2]] & classes[bytes[run + 3]] & byte_class))
        run += 4;
    while (run < length && (classes[bytes[run]] & byte_class) != 0)
        run++;
    return run;
}

static inline ph_http_result ph_http_fail(ph_http_parser* parser, ph_http_result result,
                                          const char* reason) {
    parser->state = S_FAILED;
    parser->failed = result;
    parser->reason = reason;
    return result;
}

static inline ph_http_result ph_http_no_memory(ph_http_parser* parser) {
    return ph_http_fail(parser, PH_HTTP_NO_MEMORY, "Out of memory");
}

static inline ph_http_result ph_http_wrong_field(ph_http_parser* parser, const char* reason) {
    return ph_http_fail(parser, PH_HTTP_INVALID_HEADER_TOKEN, reason);
}

#endif
