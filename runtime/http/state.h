// What the files of the HTTP parser share.
#ifndef PH_RUNTIME_HTTP_STATE_H
#define PH_RUNTIME_HTTP_STATE_H

#include "http/parser.h"

enum {
    S_START,
    S_METHOD,
    S_TARGET,
    S_VERSION,
    S_STATUS,
    S_REASON,
    S_LINE_LF,
    S_FIELD_START,
    S_NAME,
    S_VALUE_START,
    S_VALUE,
    S_VALUE_LF,
    S_FIELDS_LF,
    S_BODY_LENGTH,
    S_BODY_UNTIL_END,
    S_CHUNK_SIZE,
    S_CHUNK_EXTENSION,
    S_CHUNK_QUOTED,
    S_CHUNK_SIZE_LF,
    S_CHUNK_DATA,
    S_CHUNK_DATA_CR,
    S_CHUNK_DATA_LF,
    S_CLOSED, // after a message that ends the connection
    S_FAILED,
};

enum { PH_HTTP_MAX_METHOD = 16 };

// What a byte may be part of.
enum { PH_HTTP_IN_TOKEN = 1, PH_HTTP_IN_VALUE = 2, PH_HTTP_IN_TARGET = 4, PH_HTTP_IN_METHOD = 8 };
extern const uint8_t ph_http_classes[256];

bool ph_http_is_method(const char* text, size_t length);
// How many of the letters a known method starts with.
size_t ph_http_method_prefix(const char* text, size_t length);
// One byte of what frames chunks: sizes, extensions, line ends.
ph_http_result ph_http_take_chunk_byte(ph_http_parser* parser, uint8_t c);

static inline ph_http_result ph_http_fail(ph_http_parser* parser, ph_http_result result,
                                          const char* reason) {
    parser->state = S_FAILED;
    parser->failed = result;
    parser->reason = reason;
    return result;
}

#endif
