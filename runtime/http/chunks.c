/* Bodies in chunks: what lies between the pieces of data. */
#include "http/state.h"

enum { MAX_EXTENSION = 16384 };

static int hex_digit(uint8_t c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static ph_http_result strict(ph_http_parser* parser, const char* reason) {
    return ph_http_fail(parser, PH_HTTP_STRICT, reason);
}

static ph_http_result take_chunk_size(ph_http_parser* parser, uint8_t c) {
    int digit = hex_digit(c);
    if (digit >= 0) {
        if (parser->digits == 0)
            parser->left = 0;
        if (parser->left > (UINT64_MAX >> 4))
            return ph_http_fail(parser, PH_HTTP_INVALID_CHUNK_SIZE, "Chunk size overflow");
        parser->digits = 1;
        parser->left = parser->left << 4 | (uint64_t)digit;
        return PH_HTTP_OK;
    }
    if (parser->digits > 0 && c == '\r')
        parser->state = S_CHUNK_SIZE_LF;
    else if (parser->digits > 0 && c == ';')
        parser->state = S_CHUNK_EXTENSION;
    else if (parser->digits > 0 && c == '\n')
        return ph_http_fail(parser, PH_HTTP_CR_EXPECTED, "Missing expected CR after chunk size");
    else
        return ph_http_fail(parser, PH_HTTP_INVALID_CHUNK_SIZE, "Invalid character in chunk size");
    return PH_HTTP_OK;
}

/* What may follow a name or a value. */
static ph_http_result end_extension(ph_http_parser* parser, uint8_t c, const char* missing,
                                    const char* reason) {
    if (c == '\n')
        return ph_http_fail(parser, PH_HTTP_CR_EXPECTED, missing);
    if (c != ';' && c != '\r')
        return strict(parser, reason);
    parser->state = c == ';' ? S_CHUNK_EXTENSION : S_CHUNK_SIZE_LF;
    return PH_HTTP_OK;
}

static ph_http_result take_name(ph_http_parser* parser, uint8_t c) {
    if (parser->state == S_CHUNK_EXTENSION && (c == ' ' || c == '\r'))
        return strict(parser, "Invalid character in chunk extensions");
    if (c != '=' && !ph_http_is_token(c))
        return end_extension(parser, c, "Missing expected CR after chunk extension name",
                             "Invalid character in chunk extensions name");
    parser->state = c == '=' ? S_CHUNK_VALUE : S_CHUNK_NAME;
    return PH_HTTP_OK;
}

static ph_http_result take_quoted(ph_http_parser* parser, uint8_t c) {
    bool escaped = parser->state == S_CHUNK_ESCAPE;
    parser->state = S_CHUNK_QUOTED;
    if (!escaped && c == '"')
        parser->state = S_CHUNK_QUOTE_END;
    else if (!escaped && c == '\\')
        parser->state = S_CHUNK_ESCAPE;
    else if ((ph_http_classes[c] & PH_HTTP_IN_QUOTES) == 0)
        return strict(parser, escaped ? "Invalid quoted-pair in chunk extensions quoted value"
                                      : "Invalid character in chunk extensions quoted value");
    return PH_HTTP_OK;
}

/* Extensions are skipped: "name", "name=token", "name=\"text\"". */
static ph_http_result take_extension(ph_http_parser* parser, uint8_t c) {
    static const char missing[] = "Missing expected CR after chunk extension value";
    if (++parser->extension_size > MAX_EXTENSION)
        return ph_http_fail(parser, PH_HTTP_CHUNK_EXTENSIONS_OVERFLOW, "Chunk extensions overflow");
    switch (parser->state) {
    case S_CHUNK_VALUE:
        if (c == '"') {
            parser->state = S_CHUNK_QUOTED;
            return PH_HTTP_OK;
        }
        return ph_http_is_token(c) ? PH_HTTP_OK
                                   : end_extension(parser, c, missing,
                                                   "Invalid character in chunk extensions value");
    case S_CHUNK_QUOTED:
    case S_CHUNK_ESCAPE:
        return take_quoted(parser, c);
    case S_CHUNK_QUOTE_END:
        return end_extension(parser, c, missing,
                             "Invalid character in chunk extensions quote value");
    default: /* S_CHUNK_EXTENSION, S_CHUNK_NAME */
        return take_name(parser, c);
    }
}

static ph_http_result start_chunk(ph_http_parser* parser, uint8_t c) {
    if (c != '\n')
        return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after chunk size");
    parser->digits = 0;
    parser->extension_size = 0;
    if (parser->left > 0) {
        parser->state = S_CHUNK_DATA;
    } else {
        parser->after_fields = 1;
        parser->state = S_FIELD_START;
    }
    return PH_HTTP_OK;
}

static ph_http_result take_byte(ph_http_parser* parser, uint8_t c) {
    switch (parser->state) {
    case S_CHUNK_SIZE:
        return take_chunk_size(parser, c);
    case S_CHUNK_EXTENSION:
    case S_CHUNK_NAME:
    case S_CHUNK_VALUE:
    case S_CHUNK_QUOTED:
    case S_CHUNK_ESCAPE:
    case S_CHUNK_QUOTE_END:
        return take_extension(parser, c);
    case S_CHUNK_SIZE_LF:
        return start_chunk(parser, c);
    case S_CHUNK_DATA_CR:
        if (c == '\n')
            return ph_http_fail(parser, PH_HTTP_CR_EXPECTED,
                                "Missing expected CR after chunk data");
        if (c != '\r')
            return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after chunk data");
        parser->state = S_CHUNK_DATA_LF;
        return PH_HTTP_OK;
    default: /* S_CHUNK_DATA_LF */
        if (c != '\n')
            return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after chunk data");
        parser->state = S_CHUNK_SIZE;
        return PH_HTTP_OK;
    }
}

/* A size that is all there, without extensions; gives the length of its line, or 0. */
static size_t take_usual_size(ph_http_parser* parser, const uint8_t* bytes, size_t length) {
    uint64_t size = 0;
    size_t at = 0;
    for (int digit; at < length && at < 15 && (digit = hex_digit(bytes[at])) >= 0; at++)
        size = size << 4 | (uint64_t)digit;
    if (at == 0 || length - at < 2 || bytes[at] != '\r' || bytes[at + 1] != '\n')
        return 0;
    parser->left = size;
    start_chunk(parser, '\n');
    return at + 2;
}

ph_http_result ph_http_take_chunk(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                  size_t* used) {
    ph_http_result result = PH_HTTP_OK;
    if (parser->state == S_CHUNK_DATA_CR && length >= 2 && bytes[0] == '\r' && bytes[1] == '\n') {
        parser->state = S_CHUNK_SIZE;
        *used = 2;
    }
    if (parser->state == S_CHUNK_SIZE && parser->digits == 0)
        *used += take_usual_size(parser, bytes + *used, length - *used);
    while (*used < length && result == PH_HTTP_OK && parser->state >= S_CHUNK_SIZE &&
           parser->state != S_CHUNK_DATA && parser->state <= S_CHUNK_DATA_LF) {
        result = take_byte(parser, bytes[*used]);
        *used += result == PH_HTTP_OK;
    }
    return result;
}
