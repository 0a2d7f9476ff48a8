// What the fields of a head say about the body and the connection.
#include <string.h>
#include <strings.h>

#include "http/parser.h"

static ph_http_result wrong(const char** reason, ph_http_result result, const char* text) {
    *reason = text;
    return result;
}

static bool same_word(const char* text, size_t length, const char* word) {
    return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

// Takes the next element off a comma-separated list, without the white space around it.
static bool next_element(const char** text, size_t* left, const char** element, size_t* length) {
    if (*left == 0)
        return false;
    const char* comma = memchr(*text, ',', *left);
    size_t size = comma == NULL ? *left : (size_t)(comma - *text);
    const char* start = *text;
    size_t taken = comma == NULL ? size : size + 1;
    *text += taken;
    *left -= taken;
    while (size > 0 && (*start == ' ' || *start == '\t')) {
        start++;
        size--;
    }
    while (size > 0 && (start[size - 1] == ' ' || start[size - 1] == '\t'))
        size--;
    *element = start;
    *length = size;
    return true;
}

static void read_connection(ph_http_parser* parser, const char* text, size_t left, bool* upgrade,
                            bool* keep_alive) {
    const char* element;
    size_t length;
    while (next_element(&text, &left, &element, &length)) {
        if (same_word(element, length, "close"))
            parser->flags |= PH_HTTP_CONNECTION_CLOSE;
        else if (same_word(element, length, "keep-alive"))
            *keep_alive = true;
        else if (same_word(element, length, "upgrade"))
            *upgrade = true;
    }
}

static ph_http_result read_length(ph_http_parser* parser, const char* text, size_t length,
                                  const char** reason) {
    if ((parser->flags & PH_HTTP_LENGTH) != 0)
        return wrong(reason, PH_HTTP_UNEXPECTED_CONTENT_LENGTH, "Duplicate Content-Length");
    if (length == 0)
        return wrong(reason, PH_HTTP_INVALID_CONTENT_LENGTH, "Empty Content-Length");
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return wrong(reason, PH_HTTP_INVALID_CONTENT_LENGTH,
                         "Invalid character in Content-Length");
        if (value > (INT64_MAX - 9) / 10)
            return wrong(reason, PH_HTTP_INVALID_CONTENT_LENGTH, "Content-Length overflow");
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    parser->flags |= PH_HTTP_LENGTH;
    parser->left = value;
    return PH_HTTP_OK;
}

// "chunked" may only be the last coding, once; nothing may follow it.
static ph_http_result read_codings(ph_http_parser* parser, const char* text, size_t left,
                                   const char** reason) {
    const char* element;
    size_t length;
    while (next_element(&text, &left, &element, &length)) {
        if ((parser->flags & PH_HTTP_CHUNKED) != 0)
            return wrong(reason, PH_HTTP_INVALID_TRANSFER_ENCODING,
                         "Invalid `Transfer-Encoding` header value");
        if (same_word(element, length, "chunked"))
            parser->flags |= PH_HTTP_CHUNKED;
    }
    return PH_HTTP_OK;
}

static void read_host(ph_http_parser* parser) {
    parser->flags |= PH_HTTP_HOST;
}

static void read_expect(ph_http_parser* parser, const char* text, size_t length) {
    bool is_continue = same_word(text, length, "100-continue");
    parser->flags |= is_continue ? PH_HTTP_EXPECT_CONTINUE : PH_HTTP_EXPECT_OTHER;
}

typedef struct {
    bool upgrade_named;
    bool upgrade_wanted;
    bool keep_alive;
    bool codings;
} meaning;

static ph_http_result read_field(ph_http_parser* parser, const ph_http_field* field, meaning* means,
                                 const char** reason) {
    const char* name = parser->text + field->name.at;
    const char* value = parser->text + field->value.at;
    size_t size = field->name.length;
    size_t length = field->value.length;
    switch (size) {
    case 4:
        if (same_word(name, size, "host"))
            read_host(parser);
        return PH_HTTP_OK;
    case 6:
        if (same_word(name, size, "expect"))
            read_expect(parser, value, length);
        return PH_HTTP_OK;
    case 7:
        if (same_word(name, size, "upgrade"))
            means->upgrade_named = true;
        return PH_HTTP_OK;
    case 10:
        if (same_word(name, size, "connection"))
            read_connection(parser, value, length, &means->upgrade_wanted, &means->keep_alive);
        return PH_HTTP_OK;
    case 14:
        if (!same_word(name, size, "content-length"))
            return PH_HTTP_OK;
        if (means->codings && !parser->lenient)
            return wrong(reason, PH_HTTP_INVALID_CONTENT_LENGTH,
                         "Content-Length can't be present with Transfer-Encoding");
        return read_length(parser, value, length, reason);
    case 17:
        if (!same_word(name, size, "transfer-encoding"))
            return PH_HTTP_OK;
        if ((parser->flags & PH_HTTP_LENGTH) != 0 && !parser->lenient)
            return wrong(reason, PH_HTTP_INVALID_TRANSFER_ENCODING,
                         "Transfer-Encoding can't be present with Content-Length");
        means->codings = true;
        return read_codings(parser, value, length, reason);
    default:
        return PH_HTTP_OK;
    }
}

static bool status_has_no_body(unsigned status) {
    return status < 200 || status == 204 || status == 304;
}

// How the body is framed and what happens to the connection after it.
ph_http_result ph_http_understand(ph_http_parser* parser, const char** reason) {
    meaning means = {0};
    for (size_t i = 0; i < parser->field_count; i++) {
        ph_http_result result = read_field(parser, &parser->fields[i], &means, reason);
        if (result != PH_HTTP_OK)
            return result;
    }
    bool request = parser->kind == PH_HTTP_REQUEST;
    bool chunked = (parser->flags & PH_HTTP_CHUNKED) != 0;
    if (request && means.codings && !chunked)
        return wrong(reason, PH_HTTP_INVALID_TRANSFER_ENCODING,
                     "Request has invalid `Transfer-Encoding`");
    bool tunnel = request && parser->method.length == 7 &&
                  memcmp(parser->text + parser->method.at, "CONNECT", 7) == 0;
    if (tunnel ||
        (means.upgrade_named && means.upgrade_wanted && (request || parser->status == 101)))
        parser->flags |= PH_HTTP_UPGRADE;
    bool persistent = parser->major * 10 + parser->minor >= 11
                          ? (parser->flags & PH_HTTP_CONNECTION_CLOSE) == 0
                          : means.keep_alive;
    bool framed = chunked || (parser->flags & PH_HTTP_LENGTH) != 0;
    if (request ? !chunked && parser->left == 0
                : status_has_no_body(parser->status) || (!chunked && framed && parser->left == 0))
        parser->flags |= PH_HTTP_NO_BODY;
    else if (!framed)
        parser->flags |= PH_HTTP_UNTIL_END;
    if (persistent)
        parser->flags |= PH_HTTP_KEEP_ALIVE;
    return PH_HTTP_OK;
}
