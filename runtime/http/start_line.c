/* The first line of a message, but for the target of a request. */
#include <string.h>

#include "http/state.h"

static ph_http_result wrong_version(ph_http_parser* parser, const char* reason) {
    return ph_http_fail(parser, PH_HTTP_INVALID_VERSION, reason);
}

/* Letters that no method has there are found at once, however the input is cut. */
static ph_http_result take_method(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                  size_t* used) {
    size_t run = 0;
    while (run < length && bytes[run] != ' ' && run < 16)
        run++;
    size_t before = parser->text_length;
    if (!ph_http_keep(parser, bytes, run))
        return ph_http_no_memory(parser);
    size_t known = ph_http_method_prefix(parser->text, parser->text_length, &parser->fits);
    if (known < parser->text_length || (run < length && parser->fits == 0)) {
        *used = known > before ? known - before : 0;
        bool longer = parser->fits != 0 && known < parser->text_length;
        return ph_http_fail(parser, PH_HTTP_INVALID_METHOD,
                            longer ? "Expected space after method" : "Invalid method encountered");
    }
    *used = run;
    if (run == length)
        return PH_HTTP_OK;
    ++*used;
    parser->method.length = parser->text_length;
    parser->state = S_TARGET_START;
    return PH_HTTP_OK;
}

static const char* const protocols[] = {
    [PH_HTTP_PROTOCOL] = "HTTP/", [PH_RTSP_PROTOCOL] = "RTSP/", [PH_ICE_PROTOCOL] = "ICE/"};

static ph_http_result end_protocol(ph_http_parser* parser) {
    static const char* const reasons[] = {
        [PH_HTTP_PROTOCOL] = "Invalid method for HTTP/x.x request",
        [PH_RTSP_PROTOCOL] = "Invalid method for RTSP/x.x request",
        [PH_ICE_PROTOCOL] = "Expected SOURCE method for ICE/x.x request"};
    if (parser->kind == PH_HTTP_REQUEST && (parser->fits & PH_HTTP_IN(parser->protocol)) == 0)
        return ph_http_fail(parser, PH_HTTP_INVALID_CONSTANT, reasons[parser->protocol]);
    parser->state = S_MAJOR;
    return PH_HTTP_OK;
}

static ph_http_result take_protocol(ph_http_parser* parser, uint8_t c) {
    if (parser->state == S_PROTOCOL_START) {
        if (c == ' ' && parser->kind == PH_HTTP_REQUEST) {
            parser->digits = 1;
            return PH_HTTP_OK;
        }
        /* Right behind the target. */
        if (parser->kind == PH_HTTP_REQUEST && (c == '\t' || c == '\f') && parser->digits == 0)
            return ph_http_fail(parser, PH_HTTP_INVALID_URL, "Invalid characters in url");
        parser->protocol = PH_HTTP_PROTOCOL;
        if (parser->kind == PH_HTTP_REQUEST && (c == 'R' || c == 'I'))
            parser->protocol = c == 'R' ? PH_RTSP_PROTOCOL : PH_ICE_PROTOCOL;
        parser->digits = 0;
        parser->state = S_PROTOCOL;
    }
    const char* name = protocols[parser->protocol];
    if (c != (uint8_t)name[parser->digits])
        return ph_http_fail(parser, PH_HTTP_INVALID_CONSTANT, "Expected HTTP/, RTSP/ or ICE/");
    parser->digits++;
    return name[parser->digits] == '\0' ? end_protocol(parser) : PH_HTTP_OK;
}

static bool is_digit(uint8_t c) {
    return c >= '0' && c <= '9';
}

/* HTTP/2 begins with what looks like a request. */
static bool is_preface(const ph_http_parser* parser) {
    return parser->method.length == 3 && memcmp(parser->text, "PRI", 3) == 0;
}

static ph_http_result end_version(ph_http_parser* parser) {
    unsigned version = parser->major * 10 + parser->minor;
    if (version != 11 && version != 10 && version != 9 && version != 20 && !parser->lenient)
        return wrong_version(parser, "Invalid HTTP version");
    parser->digits = 0;
    parser->state = is_preface(parser) ? S_PREFACE : S_AFTER_VERSION;
    return PH_HTTP_OK;
}

static ph_http_result after_version(ph_http_parser* parser, uint8_t c) {
    if (parser->kind == PH_HTTP_REQUEST) {
        if (c != '\r')
            return wrong_version(parser, "Expected CRLF after version");
        parser->state = S_LINE_LF;
        return PH_HTTP_OK;
    }
    if (c != ' ')
        return wrong_version(parser, "Expected space after version");
    parser->state = S_STATUS;
    return PH_HTTP_OK;
}

static ph_http_result take_preface(ph_http_parser* parser, uint8_t c) {
    static const char rest[] = "\r\n\r\nSM\r\n\r\n";
    if (c != (uint8_t)rest[parser->digits])
        return wrong_version(parser, "Expected HTTP/2 Connection Preface");
    if (rest[++parser->digits] == '\0')
        return ph_http_fail(parser, PH_HTTP_H2_UPGRADE, "Pause on PRI/Upgrade");
    return PH_HTTP_OK;
}

static ph_http_result take_status(ph_http_parser* parser, uint8_t c) {
    if (!is_digit(c))
        return ph_http_fail(parser, PH_HTTP_INVALID_STATUS, "Invalid status code");
    parser->status = parser->status * 10 + (c - '0');
    if (++parser->digits == 3)
        parser->state = S_AFTER_STATUS;
    return PH_HTTP_OK;
}

static ph_http_result after_status(ph_http_parser* parser, uint8_t c) {
    if (c != ' ' && c != '\r')
        return ph_http_fail(parser, PH_HTTP_INVALID_STATUS, "Invalid response status");
    parser->target.at = parser->text_length;
    parser->state = c == ' ' ? S_REASON : S_LINE_LF;
    return PH_HTTP_OK;
}

static ph_http_result take_reason(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                  size_t* used) {
    size_t run = 0;
    while (run < length && bytes[run] != '\r' && bytes[run] != '\n')
        run++;
    if (!ph_http_keep(parser, bytes, run))
        return ph_http_no_memory(parser);
    *used = run;
    if (run == length)
        return PH_HTTP_OK;
    parser->target.length = parser->text_length - parser->target.at;
    if (bytes[run] == '\n')
        return ph_http_fail(parser, PH_HTTP_CR_EXPECTED, "Missing expected CR after response line");
    ++*used;
    parser->state = S_LINE_LF;
    return PH_HTTP_OK;
}

static ph_http_result end_line(ph_http_parser* parser, uint8_t c) {
    /* Node's parser takes a second CR for the LF of a status line; what follows it fails. */
    if (c != '\n' && !(c == '\r' && parser->kind == PH_HTTP_RESPONSE))
        return ph_http_fail(parser, PH_HTTP_STRICT,
                            parser->kind == PH_HTTP_REQUEST ? "Expected CRLF after version"
                                                            : "Expected LF after CR");
    parser->state = S_FIRST_FIELD;
    return PH_HTTP_OK;
}

static ph_http_result take_byte(ph_http_parser* parser, uint8_t c) {
    switch (parser->state) {
    case S_TARGET_LF:
        if (c != '\n')
            return ph_http_fail(parser, PH_HTTP_INVALID_URL, "Expected CRLF");
        parser->state = S_FIRST_FIELD;
        return PH_HTTP_OK;
    case S_MAJOR:
        if (!is_digit(c))
            return wrong_version(parser, "Invalid major version");
        parser->major = c - '0';
        parser->state = S_DOT;
        return PH_HTTP_OK;
    case S_DOT:
        if (c != '.')
            return wrong_version(parser, "Expected dot");
        parser->state = S_MINOR;
        return PH_HTTP_OK;
    case S_MINOR:
        if (!is_digit(c))
            return wrong_version(parser, "Invalid minor version");
        parser->minor = c - '0';
        return end_version(parser);
    case S_AFTER_VERSION:
        return after_version(parser, c);
    case S_PREFACE:
        return take_preface(parser, c);
    case S_STATUS:
        return take_status(parser, c);
    case S_AFTER_STATUS:
        return after_status(parser, c);
    case S_LINE_LF:
        return end_line(parser, c);
    default: /* S_PROTOCOL_START, S_PROTOCOL */
        return take_protocol(parser, c);
    }
}

/* Almost every message has this version, and has it in one piece. */
static bool take_usual_version(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                               size_t* used) {
    static const char usual[] = "HTTP/1.1\r\n";
    bool request = parser->kind == PH_HTTP_REQUEST;
    size_t size = request ? 10 : 9;
    if (length < size || memcmp(bytes, usual, 8) != 0)
        return false;
    if (request ? bytes[8] != '\r' || bytes[9] != '\n' ||
                      (parser->fits & PH_HTTP_IN(PH_HTTP_PROTOCOL)) == 0 || is_preface(parser)
                : bytes[8] != ' ')
        return false;
    parser->protocol = PH_HTTP_PROTOCOL;
    parser->major = parser->minor = 1;
    parser->digits = 0;
    parser->state = request ? S_FIRST_FIELD : S_STATUS;
    *used = size;
    return true;
}

ph_http_result ph_http_take_start_line(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                       size_t* used) {
    if (parser->state == S_METHOD)
        return take_method(parser, bytes, length, used);
    if (parser->state == S_TARGET_START || parser->state == S_TARGET)
        return ph_http_take_target(parser, bytes, length, used);
    if (parser->state == S_REASON)
        return take_reason(parser, bytes, length, used);
    if (parser->state == S_PROTOCOL_START && take_usual_version(parser, bytes, length, used))
        return PH_HTTP_OK;
    ph_http_result result;
    do {
        result = take_byte(parser, bytes[*used]);
        *used += result == PH_HTTP_OK;
    } while (*used < length && result == PH_HTTP_OK && parser->state < S_FIRST_FIELD &&
             parser->state != S_REASON);
    return result;
}
