// Bodies in chunks: what lies between the pieces of data.
#include "http/state.h"

enum { MAX_EXTENSION = 16384 };

static bool is_value(uint8_t c) {
    return (ph_http_classes[c] & PH_HTTP_IN_VALUE) != 0;
}

static int hex_digit(uint8_t c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static ph_http_result take_chunk_size(ph_http_parser* parser, uint8_t c) {
    int digit = hex_digit(c);
    if (digit >= 0) {
        if (parser->digits == 0)
            parser->left = 0;
        if (parser->left > (INT64_MAX >> 4))
            return ph_http_fail(parser, PH_HTTP_INVALID_CHUNK_SIZE, "Chunk size overflow");
        // Leading zeros are not endless.
        if (++parser->digits > 16)
            return ph_http_fail(parser, PH_HTTP_INVALID_CHUNK_SIZE, "Chunk size overflow");
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

// Extensions are skipped, but only printable ones: "name", "name=token", "name=\"text\"".
static ph_http_result take_extension(ph_http_parser* parser, uint8_t c) {
    if (++parser->extension_size > MAX_EXTENSION)
        return ph_http_fail(parser, PH_HTTP_CHUNK_EXTENSIONS_OVERFLOW, "Chunk extensions overflow");
    if (parser->state == S_CHUNK_QUOTED) {
        if (c == '"')
            parser->state = S_CHUNK_EXTENSION;
        else if (!is_value(c))
            return ph_http_fail(parser, PH_HTTP_STRICT,
                                "Invalid character in chunk extensions quoted value");
        return PH_HTTP_OK;
    }
    if (c == '\r')
        parser->state = S_CHUNK_SIZE_LF;
    else if (c == '"')
        parser->state = S_CHUNK_QUOTED;
    else if (!ph_http_is_token(c) && c != '=' && c != ';')
        return ph_http_fail(parser, PH_HTTP_STRICT, "Invalid character in chunk extensions");
    return PH_HTTP_OK;
}

static ph_http_result start_chunk(ph_http_parser* parser, uint8_t c) {
    if (c != '\n')
        return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after chunk size");
    parser->digits = 0;
    if (parser->left > 0) {
        parser->state = S_CHUNK_DATA;
    } else {
        parser->after_fields = 1;
        parser->head_size = 0;
        parser->state = S_FIELD_START;
    }
    return PH_HTTP_OK;
}

ph_http_result ph_http_take_chunk_byte(ph_http_parser* parser, uint8_t c) {
    switch (parser->state) {
    case S_CHUNK_SIZE:
        return take_chunk_size(parser, c);
    case S_CHUNK_EXTENSION:
    case S_CHUNK_QUOTED:
        return take_extension(parser, c);
    case S_CHUNK_SIZE_LF:
        return start_chunk(parser, c);
    case S_CHUNK_DATA_CR:
        if (c != '\r')
            return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after chunk data");
        parser->state = S_CHUNK_DATA_LF;
        return PH_HTTP_OK;
    default: // S_CHUNK_DATA_LF
        if (c != '\n')
            return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after chunk data");
        parser->state = S_CHUNK_SIZE;
        return PH_HTTP_OK;
    }
}
