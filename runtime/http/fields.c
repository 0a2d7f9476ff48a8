/* The fields of a head or of trailers, and what they say about the body and the connection. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "http/state.h"

enum { NOTHING, CONNECTION, LENGTH, CODINGS, UPGRADE, HOST, EXPECT };

static const struct {
    const char* name;
    uint8_t meaning;
} known[] = {{"host", HOST},
             {"expect", EXPECT},
             {"upgrade", UPGRADE},
             {"connection", CONNECTION},
             {"content-length", LENGTH},
             {"proxy-connection", CONNECTION},
             {"transfer-encoding", CODINGS}};

static bool same_word(const char* text, size_t length, const char* word) {
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

static uint8_t meaning_of(const char* name, size_t length) {
    static const uint8_t by_length[] = {
        [4] = 1, [6] = 2, [7] = 3, [10] = 4, [14] = 5, [16] = 6, [17] = 7};
    unsigned place = length < sizeof(by_length) ? by_length[length] : 0;
    if (place == 0 || strncasecmp(name, known[place - 1].name, length) != 0)
        return NOTHING;
    return known[place - 1].meaning;
}

static bool new_field(ph_http_parser* parser) {
    if (parser->field_count == parser->field_capacity) {
        size_t capacity = parser->field_capacity == 0 ? 32 : parser->field_capacity * 2;
        ph_http_field* bigger = realloc(parser->fields, capacity * sizeof(*bigger));
        if (bigger == NULL)
            return false;
        parser->fields = bigger;
        parser->field_capacity = capacity;
    }
    ph_http_field* field = &parser->fields[parser->field_count++];
    field->name = (ph_http_span){parser->text_length, 0};
    field->value = (ph_http_span){0, 0};
    return true;
}

static ph_http_field* last_field(ph_http_parser* parser) {
    return &parser->fields[parser->field_count - 1];
}

/* Takes the next element off a comma-separated list. White space before it and spaces behind it go.
 */
static bool next_element(const char** text, const char* end, const char** element, size_t* length) {
    if (*text > end)
        return false;
    const char* start = *text;
    const char* comma = memchr(start, ',', (size_t)(end - start));
    const char* stop = comma == NULL ? end : comma;
    *text = stop + 1;
    while (start < stop && (*start == ' ' || *start == '\t'))
        start++;
    while (stop > start && stop[-1] == ' ')
        stop--;
    *element = start;
    *length = (size_t)(stop - start);
    return true;
}

static void read_connection(ph_http_parser* parser, const char* text, const char* end) {
    const char* element;
    size_t length;
    while (next_element(&text, end, &element, &length)) {
        if (same_word(element, length, "close"))
            parser->flags |= PH_HTTP_CONNECTION_CLOSE;
        else if (same_word(element, length, "keep-alive"))
            parser->keep_alive = true;
        else if (same_word(element, length, "upgrade"))
            parser->upgrade_wanted = true;
    }
}

/* In a request, nothing may follow "chunked"; in a response, it is then not in chunks. */
static bool read_codings(ph_http_parser* parser, const char* text, const char* end) {
    const char* element;
    size_t length;
    while (next_element(&text, end, &element, &length)) {
        if ((parser->flags & PH_HTTP_CHUNKED) != 0 && parser->kind == PH_HTTP_REQUEST &&
            !parser->lenient)
            return false;
        parser->flags &= ~(unsigned)PH_HTTP_CHUNKED;
        if (same_word(element, length, "chunked"))
            parser->flags |= PH_HTTP_CHUNKED;
    }
    return true;
}

static ph_http_result wrong_codings(ph_http_parser* parser) {
    return ph_http_fail(parser, PH_HTTP_INVALID_TRANSFER_ENCODING,
                        "Invalid `Transfer-Encoding` header value");
}

/* The first byte of a value has come. */
static ph_http_result begin_value(ph_http_parser* parser) {
    parser->state = S_VALUE;
    switch (parser->meaning) {
    case UPGRADE:
        parser->upgrade_named = true;
        break;
    case CODINGS:
        parser->codings = true;
        if ((parser->flags & PH_HTTP_CHUNKED) != 0 && parser->kind == PH_HTTP_REQUEST &&
            !parser->lenient)
            return wrong_codings(parser);
        parser->flags &= ~(unsigned)PH_HTTP_CHUNKED;
        break;
    case LENGTH:
        if ((parser->flags & PH_HTTP_LENGTH) != 0)
            return ph_http_fail(parser, PH_HTTP_UNEXPECTED_CONTENT_LENGTH,
                                "Duplicate Content-Length");
        parser->left = 0;
        parser->state = S_LENGTH;
    }
    return PH_HTTP_OK;
}

static ph_http_result wrong_length(ph_http_parser* parser, const char* reason) {
    return ph_http_fail(parser, PH_HTTP_INVALID_CONTENT_LENGTH, reason);
}

static ph_http_result end_value(ph_http_parser* parser) {
    ph_http_field* field = last_field(parser);
    size_t end = parser->text_length;
    const char* text = parser->text + field->value.at;
    const char* stop = parser->text + end;
    if (parser->meaning == CONNECTION)
        read_connection(parser, text, stop);
    else if (parser->meaning == CODINGS && !read_codings(parser, text, stop))
        return wrong_codings(parser);
    while (end > field->value.at && (parser->text[end - 1] == ' ' || parser->text[end - 1] == '\t'))
        end--;
    field->value.length = end - field->value.at;
    parser->text_length = end;
    if (parser->meaning == LENGTH)
        parser->flags |= PH_HTTP_LENGTH;
    else if (parser->meaning == HOST)
        parser->flags |= PH_HTTP_HOST;
    else if (parser->meaning == EXPECT)
        parser->flags |= same_word(text, field->value.length, "100-continue")
                             ? PH_HTTP_EXPECT_CONTINUE
                             : PH_HTTP_EXPECT_OTHER;
    return ph_http_keep_byte(parser, '\n') ? PH_HTTP_OK : ph_http_no_memory(parser);
}

/* A byte that is no part of the value has come. */
static ph_http_result after_value(ph_http_parser* parser, uint8_t c) {
    if (parser->lenient && c != '\n' && c != '\r' && c != '\0')
        return ph_http_keep_byte(parser, c) ? PH_HTTP_OK : ph_http_no_memory(parser);
    ph_http_result result = end_value(parser);
    if (result != PH_HTTP_OK)
        return result;
    if (c == '\n')
        return ph_http_fail(parser, PH_HTTP_CR_EXPECTED, "Missing expected CR after header value");
    if (c != '\r')
        return ph_http_wrong_field(parser, "Invalid header value char");
    parser->state = S_VALUE_LF;
    return PH_HTTP_OK;
}

static ph_http_result take_length(ph_http_parser* parser, uint8_t c) {
    if (c == '\r' || c == '\n')
        return after_value(parser, c);
    if (c == ' ') {
        parser->state = S_LENGTH_SPACES;
        return PH_HTTP_OK;
    }
    if (c < '0' || c > '9' || parser->state == S_LENGTH_SPACES)
        return wrong_length(parser, "Invalid character in Content-Length");
    unsigned digit = c - '0';
    if (parser->left > (UINT64_MAX - digit) / 10)
        return wrong_length(parser, "Content-Length overflow");
    parser->left = parser->left * 10 + digit;
    return ph_http_keep_byte(parser, c) ? PH_HTTP_OK : ph_http_no_memory(parser);
}

static ph_http_result start_field(ph_http_parser* parser, uint8_t c) {
    bool is_space = c == ' ' || c == '\t';
    if (is_space && parser->state == S_AFTER_VALUE && parser->lenient) {
        /* The value goes on: the end of its line goes. */
        parser->text_length--;
        parser->state = S_VALUE;
        return ph_http_keep_byte(parser, c) ? PH_HTTP_OK : ph_http_no_memory(parser);
    }
    if (c == '\r') {
        parser->state = S_FIELDS_LF;
        return PH_HTTP_OK;
    }
    if (c == '\n')
        return ph_http_wrong_field(parser, "Invalid header field char");
    if (is_space && parser->state == S_AFTER_VALUE)
        return ph_http_wrong_field(parser, "Unexpected whitespace after header value");
    bool after_target = parser->state == S_FIRST_FIELD && parser->protocol == PH_NO_PROTOCOL;
    if (after_target && (c == '\t' || c == '\f'))
        return ph_http_fail(parser, PH_HTTP_INVALID_URL, "Invalid characters in url");
    if (c == ' ' && parser->state == S_FIRST_FIELD)
        return ph_http_fail(parser, PH_HTTP_UNEXPECTED_SPACE, "Unexpected space after start line");
    if (!ph_http_is_token(c))
        return ph_http_wrong_field(parser, "Invalid header token");
    if (!new_field(parser) || !ph_http_keep_byte(parser, c))
        return ph_http_no_memory(parser);
    parser->state = S_NAME;
    return PH_HTTP_OK;
}

static ph_http_result end_name(ph_http_parser* parser, uint8_t c) {
    ph_http_field* field = last_field(parser);
    field->name.length = parser->text_length - field->name.at;
    parser->meaning = meaning_of(parser->text + field->name.at, field->name.length);
    if (c != ':') {
        bool framing = parser->meaning != NOTHING && parser->meaning < HOST;
        return ph_http_wrong_field(parser, c == ' ' && framing ? "Invalid header field char"
                                                               : "Invalid header token");
    }
    if (!ph_http_keep_byte(parser, '\n'))
        return ph_http_no_memory(parser);
    parser->state = S_VALUE_START;
    field->value.at = parser->text_length;
    return PH_HTTP_OK;
}

static ph_http_result after_empty(ph_http_parser* parser, uint8_t c) {
    if ((c == ' ' || c == '\t') && !parser->lenient)
        return ph_http_wrong_field(parser, "Invalid header value char");
    if (parser->meaning == LENGTH)
        return wrong_length(parser, "Empty Content-Length");
    uint8_t meaning = parser->meaning;
    parser->meaning = meaning == HOST || meaning == EXPECT ? meaning : NOTHING;
    ph_http_result result = end_value(parser);
    if (result != PH_HTTP_OK)
        return result;
    parser->state = S_AFTER_VALUE;
    return start_field(parser, c);
}

/* White space between the colon and the value is over. */
static ph_http_result check_framing(ph_http_parser* parser) {
    if (parser->meaning == LENGTH && parser->codings && !parser->lenient)
        return wrong_length(parser, "Content-Length can't be present with Transfer-Encoding");
    if (parser->meaning == CODINGS && (parser->flags & PH_HTTP_LENGTH) != 0 && !parser->lenient)
        return ph_http_fail(parser, PH_HTTP_INVALID_TRANSFER_ENCODING,
                            "Transfer-Encoding can't be present with Content-Length");
    return PH_HTTP_OK;
}

static ph_http_result start_value(ph_http_parser* parser, uint8_t c) {
    ph_http_result result = check_framing(parser);
    if (result != PH_HTTP_OK)
        return result;
    if (c == '\r') {
        parser->state = S_EMPTY_LF;
        return PH_HTTP_OK;
    }
    if (c == '\n')
        return ph_http_wrong_field(parser, "Invalid header value char");
    result = begin_value(parser);
    if (result != PH_HTTP_OK)
        return result;
    return parser->state == S_LENGTH ? take_length(parser, c) : after_value(parser, c);
}

/* One byte between names and values, or behind one. */
static ph_http_result take_byte(ph_http_parser* parser, uint8_t c) {
    switch (parser->state) {
    case S_NAME:
        return end_name(parser, c);
    case S_VALUE_START:
        return start_value(parser, c);
    case S_EMPTY_LF:
        if (c != '\n')
            return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after CR");
        parser->state = S_AFTER_EMPTY;
        return PH_HTTP_OK;
    case S_AFTER_EMPTY:
        return after_empty(parser, c);
    case S_VALUE:
        return after_value(parser, c);
    case S_LENGTH:
    case S_LENGTH_SPACES:
        return take_length(parser, c);
    case S_VALUE_LF:
        if (c != '\n')
            return ph_http_fail(parser, PH_HTTP_LF_EXPECTED,
                                "Missing expected LF after header value");
        parser->state = S_AFTER_VALUE;
        return PH_HTTP_OK;
    default: /* S_FIRST_FIELD, S_FIELD_START, S_AFTER_VALUE */
        return start_field(parser, c);
    }
}

static size_t spaces(const uint8_t* bytes, size_t length) {
    size_t run = 0;
    while (run < length && (bytes[run] == ' ' || bytes[run] == '\t'))
        run++;
    return run;
}

/* Fields that frame the body, as they usually come; false: they have to be looked at closely. */
static bool take_framing(ph_http_parser* parser, uint8_t meaning, const uint8_t* value,
                         size_t length) {
    if (meaning != LENGTH && meaning != CODINGS)
        return true;
    if (parser->codings || (parser->flags & PH_HTTP_LENGTH) != 0)
        return false;
    if (meaning == CODINGS) {
        parser->codings = same_word((const char*)value, length, "chunked");
        return parser->codings;
    }
    uint64_t size = 0;
    for (size_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9' || length > 18)
            return false;
        size = size * 10 + (value[i] - '0');
    }
    parser->left = size;
    return true;
}

/* A line that is all there and that nothing has to be asked about; gives its length, or 0. */
static size_t take_line(ph_http_parser* parser, const uint8_t* bytes, size_t length) {
    size_t name = ph_http_run(bytes, length, PH_HTTP_IN_TOKEN);
    if (name == 0 || name == length || bytes[name] != ':')
        return 0;
    size_t start = name + 1 + spaces(bytes + name + 1, length - name - 1);
    size_t value = ph_http_value_run(bytes + start, length - start);
    size_t end = start + value;
    if (value == 0 || length - end < 2 || bytes[end] != '\r' || bytes[end + 1] != '\n')
        return 0;
    uint8_t meaning = meaning_of((const char*)bytes, name);
    size_t needed = name + value + 2;
    if ((parser->text_capacity - parser->text_length < needed && !ph_http_grow(parser, needed)) ||
        !take_framing(parser, meaning, bytes + start, value) || !new_field(parser))
        return 0;
    ph_http_field* field = last_field(parser);
    char* text = parser->text + parser->text_length;
    memcpy(text, bytes, name);
    text[name] = '\n';
    memcpy(text + name + 1, bytes + start, value);
    field->name.length = name;
    field->value.at = field->name.at + name + 1;
    parser->text_length = field->value.at + value;
    parser->meaning = meaning;
    parser->upgrade_named |= meaning == UPGRADE;
    end_value(parser);
    parser->state = S_AFTER_VALUE;
    return end + 2;
}

static bool at_line(const ph_http_parser* parser) {
    return parser->state == S_AFTER_VALUE || parser->state == S_FIRST_FIELD ||
           parser->state == S_FIELD_START;
}

ph_http_result ph_http_take_field(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                  size_t* used) {
    while (*used < length && at_line(parser)) {
        size_t line = take_line(parser, bytes + *used, length - *used);
        if (line == 0)
            break;
        *used += line;
    }
    bytes += *used;
    length -= *used;
    if (length == 0)
        return PH_HTTP_OK;
    size_t run = 0;
    if (parser->state == S_VALUE_START) {
        run = spaces(bytes, length);
        if (run < length && (ph_http_classes[bytes[run]] & PH_HTTP_IN_VALUE) != 0) {
            *used += run;
            ph_http_result result = check_framing(parser);
            if (result == PH_HTTP_OK)
                result = begin_value(parser);
            if (result != PH_HTTP_OK || parser->state == S_LENGTH)
                return result;
            bytes += run;
            length -= run;
        }
    }
    if (parser->state == S_NAME || parser->state == S_VALUE) {
        run = parser->state == S_NAME ? ph_http_run(bytes, length, PH_HTTP_IN_TOKEN)
                                      : ph_http_value_run(bytes, length);
        if (!ph_http_keep(parser, bytes, run))
            return ph_http_no_memory(parser);
        *used += run;
    } else {
        *used += run;
    }
    if (run == length)
        return PH_HTTP_OK;
    /* The bytes between a value and the next name, or a name and its value. */
    ph_http_result result;
    do {
        result = take_byte(parser, bytes[run++]);
        *used += result == PH_HTTP_OK;
    } while (run < length && result == PH_HTTP_OK && parser->state != S_NAME &&
             parser->state != S_VALUE_START && parser->state != S_VALUE &&
             parser->state < S_FIELDS_LF);
    return result;
}

bool ph_http_stays(const ph_http_parser* parser) {
    bool persistent = parser->major > 0 && parser->minor > 0
                          ? (parser->flags & PH_HTTP_CONNECTION_CLOSE) == 0
                          : parser->keep_alive;
    if (!persistent || parser->kind == PH_HTTP_REQUEST || parser->status / 100 == 1 ||
        (parser->flags & PH_HTTP_NO_BODY) != 0)
        return persistent;
    if ((parser->flags & PH_HTTP_CHUNKED) != 0)
        return true;
    return !parser->codings && (parser->flags & PH_HTTP_LENGTH) != 0;
}

static bool never_has_body(const ph_http_parser* parser) {
    unsigned status = parser->status;
    return status == 100 || status == 101 || status == 204 || status == 304;
}

void ph_http_understand(ph_http_parser* parser) {
    bool request = parser->kind == PH_HTTP_REQUEST;
    bool chunked = (parser->flags & PH_HTTP_CHUNKED) != 0;
    bool with_length = (parser->flags & PH_HTTP_LENGTH) != 0;
    bool tunnel = request && parser->method.length == 7 &&
                  memcmp(parser->text + parser->method.at, "CONNECT", 7) == 0;
    if (tunnel ||
        (parser->upgrade_named && parser->upgrade_wanted && (request || parser->status == 101)))
        parser->flags |= PH_HTTP_UPGRADE;
    bool persistent = parser->major > 0 && parser->minor > 0
                          ? (parser->flags & PH_HTTP_CONNECTION_CLOSE) == 0
                          : parser->keep_alive;
    if (persistent)
        parser->flags |= PH_HTTP_KEEP_ALIVE;
    bool open_ended = !request && parser->status / 100 != 1;
    if (never_has_body(parser) ||
        (!chunked && !parser->codings && (with_length ? parser->left == 0 : !open_ended)))
        parser->flags |= PH_HTTP_NO_BODY;
    else if (!chunked && (parser->codings || !with_length) && !request)
        parser->flags |= PH_HTTP_UNTIL_END;
}
