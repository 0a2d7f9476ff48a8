/* HTTP/1.1 messages, read byte by byte: strict, incremental, bounded.
 *
 * The parser keeps the head of one message (start line and header fields, never more than max_head
 * bytes) and nothing of its body. How the input is cut into pieces makes no difference to what is
 * reported, but for the pieces of a body. It knows nothing of JavaScript. */
#ifndef PH_RUNTIME_HTTP_PARSER_H
#define PH_RUNTIME_HTTP_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/numbers.h"

typedef enum { PH_HTTP_REQUEST, PH_HTTP_RESPONSE } ph_http_kind;

typedef enum {
    PH_HTTP_OK,
    PH_HTTP_STOPPED, /* a callback asked to stop, or the protocol changes here */
    PH_HTTP_NO_MEMORY,
    PH_HTTP_INVALID_METHOD,
    PH_HTTP_INVALID_URL,
    PH_HTTP_INVALID_CONSTANT,
    PH_HTTP_INVALID_VERSION,
    PH_HTTP_INVALID_STATUS,
    PH_HTTP_INVALID_HEADER_TOKEN,
    PH_HTTP_UNEXPECTED_SPACE,
    PH_HTTP_INVALID_CONTENT_LENGTH,
    PH_HTTP_UNEXPECTED_CONTENT_LENGTH,
    PH_HTTP_INVALID_TRANSFER_ENCODING,
    PH_HTTP_INVALID_CHUNK_SIZE,
    PH_HTTP_CR_EXPECTED,
    PH_HTTP_LF_EXPECTED,
    PH_HTTP_STRICT,
    PH_HTTP_HEADER_OVERFLOW,
    PH_HTTP_CHUNK_EXTENSIONS_OVERFLOW,
    PH_HTTP_CLOSED_CONNECTION,
    PH_HTTP_INVALID_EOF_STATE,
    PH_HTTP_H2_UPGRADE, /* the first bytes of HTTP/2 */
    PH_HTTP_RESULT_COUNT
} ph_http_result;

typedef struct ph_http_parser ph_http_parser;

typedef struct {
    size_t at; /* in parser->text */
    size_t length;
} ph_http_span;

typedef struct {
    ph_http_span name;
    ph_http_span value;
} ph_http_field;

typedef struct {
    ph_http_answer (*on_head)(ph_http_parser* parser);
    /* false: stop */
    bool (*on_body)(ph_http_parser* parser, const uint8_t* bytes, size_t length);
    /* The trailer fields are in parser->fields. Not called for a message with PH_HTTP_NO_BODY. */
    bool (*on_end)(ph_http_parser* parser);
} ph_http_callbacks;

struct ph_http_parser {
    const ph_http_callbacks* callbacks;
    void* owner;
    ph_http_kind kind;
    size_t max_head;
    bool lenient; /* takes heads that others send and that the rules do not allow */
    /* The message, valid in callbacks. Texts are spans of `text`, in which each name and each value
     * is followed by a line feed, and the next one. */
    unsigned flags;
    unsigned major;
    unsigned minor;
    unsigned status;
    ph_http_span method;
    ph_http_span target; /* of a request; the reason of a response */
    ph_http_field* fields;
    size_t field_count;
    char* text;
    /* private */
    int state;
    int after_fields; /* 0 in a head, 1 in trailers */
    uint8_t part;     /* of the target */
    uint8_t fits;     /* the protocols that the method belongs to */
    uint8_t protocol; /* which of those that a request line may name */
    uint8_t meaning;  /* of the field whose value is read */
    bool codings;     /* what the fields have said so far */
    bool keep_alive;
    bool upgrade_named;
    bool upgrade_wanted;
    size_t text_length;
    size_t text_capacity;
    size_t field_capacity;
    size_t extension_size;
    uint64_t left; /* of the body or of the chunk */
    unsigned digits;
    ph_http_result failed;
    const char* reason; /* of the failure, for people */
};

void ph_http_init(ph_http_parser* parser, ph_http_kind kind, const ph_http_callbacks* callbacks,
                  void* owner, size_t max_head);
void ph_http_release(ph_http_parser* parser);
/* Forgets the message and any failure. */
void ph_http_reset(ph_http_parser* parser);
/* *used tells how many bytes were read, which is all of them when the result is PH_HTTP_OK. */
ph_http_result ph_http_execute(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                               size_t* used);
/* The peer has ended. PH_HTTP_INVALID_EOF_STATE in the middle of a message; a failure that was told
 * is not told again. */
ph_http_result ph_http_finish(ph_http_parser* parser);
/* Between two messages? */
bool ph_http_idle(const ph_http_parser* parser);
/* After the head, before the last byte of the body? */
bool ph_http_in_body(const ph_http_parser* parser);
bool ph_http_is_token(uint8_t c);
/* "HPE_INVALID_METHOD" */
const char* ph_http_result_name(ph_http_result result);

#endif
