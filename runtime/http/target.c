/* What a request asks for: "/path?query#fragment", "*", "scheme://server/path", or the server that
 * CONNECT names. Its parts differ in the bytes they may have. */
#include "http/state.h"

enum { START, SCHEME, SLASH, SLASHES, SERVER, SERVER_AT, PATH, QUERY, FRAGMENT };

static ph_http_result wrong(ph_http_parser* parser, const char* reason) {
    return ph_http_fail(parser, PH_HTTP_INVALID_URL, reason);
}

static bool is_letter(uint8_t c) {
    c |= 32;
    return c >= 'a' && c <= 'z';
}

/* A request of the oldest kind ends with its target. */
static ph_http_result end_line(ph_http_parser* parser, uint8_t c) {
    parser->major = 0;
    parser->minor = 9;
    parser->protocol = PH_NO_PROTOCOL;
    parser->state = c == '\r' ? S_TARGET_LF : S_FIRST_FIELD;
    return PH_HTTP_OK;
}

static ph_http_result end_target(ph_http_parser* parser, uint8_t c) {
    bool can_end = parser->part >= SERVER;
    bool is_end = c == '\r' || c == '\n' || c == ' ';
    if ((c == '\t' || c == '\f' || (is_end && !can_end)) && parser->part != SLASHES)
        return wrong(parser, "Invalid characters in url");
    if (can_end && is_end) {
        parser->target.length = parser->text_length - parser->target.at;
        if (c != ' ')
            return end_line(parser, c);
        parser->digits = 0;
        parser->state = S_PROTOCOL_START;
        return PH_HTTP_OK;
    }
    static const char* const reasons[] = {
        [START] = "Unexpected start char in url",
        [SCHEME] = "Unexpected char in url schema",
        [SLASH] = "Unexpected char in url schema",
        [SLASHES] = "Unexpected char in url schema",
        [SERVER] = "Unexpected char in url server",
        [SERVER_AT] = "Unexpected char in url server",
        [PATH] = "Invalid char in url path",
        [QUERY] = "Invalid char in url query",
        [FRAGMENT] = "Invalid char in url fragment start",
    };
    return wrong(parser,
                 parser->part == SERVER_AT && c == '@' ? "Double @ in url" : reasons[parser->part]);
}

/* The part that the byte belongs to or begins; -1: it ends the target, or is wrong. */
static int next_part(const ph_http_parser* parser, uint8_t c) {
    switch (parser->part) {
    case START:
        return c == '/' || c == '*' ? PATH : is_letter(c) ? SCHEME : -1;
    case SCHEME:
        return is_letter(c) ? SCHEME : c == ':' ? SLASH : -1;
    case SLASH:
        return c == '/' ? SLASHES : -1;
    case SLASHES:
        return c == '/' ? SERVER : -1;
    case SERVER:
    case SERVER_AT:
        if (c == '/' || c == '?')
            return c == '/' ? PATH : QUERY;
        if (c == '@')
            return parser->part == SERVER ? SERVER_AT : -1;
        return (ph_http_classes[c] & PH_HTTP_IN_SERVER) != 0 ? SERVER : -1;
    default:
        if (c == '?')
            return parser->part == PATH ? QUERY : parser->part;
        if (c == '#')
            return FRAGMENT;
        return (ph_http_classes[c] & PH_HTTP_IN_PATH) != 0 ? parser->part : -1;
    }
}

ph_http_result ph_http_take_target(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                   size_t* used) {
    if (parser->state == S_TARGET_START) {
        if (*bytes == ' ') {
            *used = 1;
            return PH_HTTP_OK;
        }
        bool tunnel =
            parser->method.length == 7 && parser->text[0] == 'C' && parser->text[2] == 'N';
        parser->part = tunnel ? SERVER : START;
        parser->target.at = parser->text_length;
        parser->state = S_TARGET;
    }
    size_t run = 0;
    while (run < length) {
        if (parser->part >= PATH)
            run += ph_http_run(bytes + run, length - run, PH_HTTP_IN_PATH);
        int part = run == length ? parser->part : next_part(parser, bytes[run]);
        if (part < 0)
            break;
        parser->part = (uint8_t)part;
        run += run < length;
    }
    if (!ph_http_keep(parser, bytes, run))
        return ph_http_no_memory(parser);
    *used = run;
    if (run == length)
        return PH_HTTP_OK;
    ph_http_result result = end_target(parser, bytes[run]);
    *used += result == PH_HTTP_OK;
    return result;
}
