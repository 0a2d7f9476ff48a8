#include "http/parser.h"

#include <stdlib.h>
#include <string.h>

#include "http/state.h"

static ph_http_result no_memory(ph_http_parser* parser) {
    return ph_http_fail(parser, PH_HTTP_NO_MEMORY, "Out of memory");
}

static void clear_message(ph_http_parser* parser) {
    parser->flags = 0;
    parser->major = parser->minor = parser->status = 0;
    parser->method = parser->target = (ph_http_span){0, 0};
    parser->field_count = 0;
    parser->after_fields = 0;
    parser->text_length = 0;
    parser->head_size = 0;
    parser->extension_size = 0;
    parser->left = 0;
    parser->digits = 0;
}

void ph_http_init(ph_http_parser* parser, ph_http_kind kind, const ph_http_callbacks* callbacks,
                  void* owner, size_t max_head) {
    memset(parser, 0, sizeof(*parser));
    parser->callbacks = callbacks;
    parser->owner = owner;
    parser->kind = kind;
    parser->max_head = max_head;
}

void ph_http_reset(ph_http_parser* parser) {
    clear_message(parser);
    parser->state = S_START;
    parser->failed = PH_HTTP_OK;
    parser->reason = NULL;
}

void ph_http_release(ph_http_parser* parser) {
    free(parser->text);
    free(parser->fields);
    parser->text = NULL;
    parser->fields = NULL;
    parser->text_capacity = parser->field_capacity = 0;
}

bool ph_http_idle(const ph_http_parser* parser) {
    return parser->state == S_START || parser->state == S_CLOSED;
}

bool ph_http_in_body(const ph_http_parser* parser) {
    return parser->state >= S_BODY_LENGTH && parser->state <= S_CHUNK_DATA_LF;
}

// The text may have one byte more than its span: a terminator that makes looking at it easier.
static bool keep(ph_http_parser* parser, const uint8_t* bytes, size_t length) {
    size_t needed = parser->text_length + length + 1;
    if (needed > parser->text_capacity) {
        size_t capacity = parser->text_capacity == 0 ? 1024 : parser->text_capacity;
        while (capacity < needed)
            capacity *= 2;
        char* bigger = realloc(parser->text, capacity);
        if (bigger == NULL)
            return false;
        parser->text = bigger;
        parser->text_capacity = capacity;
    }
    memcpy(parser->text + parser->text_length, bytes, length);
    parser->text_length += length;
    return true;
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

static ph_http_result end_message(ph_http_parser* parser, bool tell) {
    unsigned ends = parser->flags & (PH_HTTP_KEEP_ALIVE | PH_HTTP_UNTIL_END);
    bool more = ends == PH_HTTP_KEEP_ALIVE || parser->status / 100 == 1;
    // The state first: the owner may reset or drop the parser while it is told.
    parser->state = more ? S_START : S_CLOSED;
    if (tell && !parser->callbacks->on_end(parser))
        return ph_http_fail(parser, PH_HTTP_STOPPED, "Stopped");
    return PH_HTTP_OK;
}

static ph_http_result end_head(ph_http_parser* parser) {
    const char* reason = NULL;
    ph_http_result result = ph_http_understand(parser, &reason);
    if (result != PH_HTTP_OK)
        return ph_http_fail(parser, result, reason);
    switch (parser->callbacks->on_head(parser)) {
    case PH_HTTP_BODY_AS_SAID:
        break;
    case PH_HTTP_BODY_NONE:
        parser->flags = (parser->flags | PH_HTTP_NO_BODY) & ~(unsigned)PH_HTTP_UNTIL_END;
        return end_message(parser, false);
    case PH_HTTP_BODY_UPGRADE:
        end_message(parser, false);
        return PH_HTTP_STOPPED;
    default:
        return ph_http_fail(parser, PH_HTTP_STOPPED, "Stopped");
    }
    if ((parser->flags & PH_HTTP_NO_BODY) != 0)
        return end_message(parser, false);
    parser->field_count = 0;
    parser->text_length = 0;
    parser->digits = 0;
    if ((parser->flags & PH_HTTP_CHUNKED) != 0)
        parser->state = S_CHUNK_SIZE;
    else
        parser->state = (parser->flags & PH_HTTP_LENGTH) != 0 ? S_BODY_LENGTH : S_BODY_UNTIL_END;
    return PH_HTTP_OK;
}

static ph_http_result end_method(ph_http_parser* parser, uint8_t c) {
    parser->method.length = parser->text_length;
    if (!ph_http_is_method(parser->text, parser->text_length))
        return ph_http_fail(parser, PH_HTTP_INVALID_METHOD, "Invalid method encountered");
    if (c != ' ')
        return ph_http_fail(parser, PH_HTTP_INVALID_METHOD, "Expected space after method");
    parser->target.at = parser->text_length;
    parser->state = S_TARGET;
    return PH_HTTP_OK;
}

// "/path", "*", "scheme://...", or anything that CONNECT names
static ph_http_result end_target(ph_http_parser* parser) {
    parser->target.length = parser->text_length - parser->target.at;
    if (!keep(parser, (const uint8_t*)"", 0))
        return no_memory(parser);
    parser->text[parser->text_length] = '\0';
    const char* target = parser->text + parser->target.at;
    bool tunnel = parser->method.length == 7 && memcmp(parser->text, "CONNECT", 7) == 0;
    if (parser->target.length == 0 ||
        (!tunnel && target[0] != '/' && strcmp(target, "*") != 0 && strstr(target, "://") == NULL))
        return ph_http_fail(parser, PH_HTTP_INVALID_URL, "Invalid characters in url");
    parser->digits = 0;
    parser->state = S_VERSION;
    return PH_HTTP_OK;
}

static bool is_version(const ph_http_parser* parser) {
    unsigned version = parser->major * 10 + parser->minor;
    return version == 11 || version == 10 || version == 9 || version == 20;
}

static const char* version_reason(unsigned at) {
    static const char* const reasons[] = {"Invalid major version", "Expected dot",
                                          "Invalid minor version"};
    return reasons[at - 5];
}

// One byte of "HTTP/1.1", then of what follows it.
static ph_http_result take_version(ph_http_parser* parser, uint8_t c) {
    static const uint8_t pattern[] = "HTTP/";
    unsigned at = parser->digits++;
    if (at < 5)
        return c == pattern[at] ? PH_HTTP_OK
                                : ph_http_fail(parser, PH_HTTP_INVALID_CONSTANT, "Expected HTTP/");
    if (at == 5 && c >= '0' && c <= '9')
        parser->major = c - '0';
    else if (at == 7 && c >= '0' && c <= '9')
        parser->minor = c - '0';
    else if (at < 8 && (at != 6 || c != '.'))
        return ph_http_fail(parser, PH_HTTP_INVALID_VERSION, version_reason(at));
    if (at == 7 && !is_version(parser))
        return ph_http_fail(parser, PH_HTTP_INVALID_VERSION, "Invalid HTTP version");
    if (at < 8)
        return PH_HTTP_OK;
    if (parser->kind == PH_HTTP_REQUEST) {
        if (c != '\r')
            return ph_http_fail(parser, PH_HTTP_INVALID_VERSION, "Expected CRLF after version");
        parser->state = S_LINE_LF;
    } else {
        if (c != ' ')
            return ph_http_fail(parser, PH_HTTP_INVALID_VERSION, "Expected space after version");
        parser->digits = 0;
        parser->state = S_STATUS;
    }
    return PH_HTTP_OK;
}

static ph_http_result take_status(ph_http_parser* parser, uint8_t c) {
    if (parser->digits < 3 && c >= '0' && c <= '9') {
        parser->status = parser->status * 10 + (c - '0');
        parser->digits++;
        return PH_HTTP_OK;
    }
    if (parser->digits != 3 || parser->status < 100 || (c != ' ' && c != '\r'))
        return ph_http_fail(parser, PH_HTTP_INVALID_STATUS, "Invalid status code");
    parser->target.at = parser->text_length;
    parser->state = c == ' ' ? S_REASON : S_LINE_LF;
    return PH_HTTP_OK;
}

// Keeps the longest run of bytes of one class; gives its length or -1 if memory ran out.
static ptrdiff_t keep_run(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                          uint8_t byte_class) {
    size_t run = 0;
    while (run < length && (ph_http_classes[bytes[run]] & byte_class) != 0)
        run++;
    return keep(parser, bytes, run) ? (ptrdiff_t)run : -1;
}

static ph_http_result take_start(ph_http_parser* parser, uint8_t c) {
    if (c == '\r' || c == '\n')
        return PH_HTTP_OK;
    clear_message(parser);
    if (parser->kind == PH_HTTP_RESPONSE) {
        parser->state = S_VERSION;
        return take_version(parser, c);
    }
    if ((ph_http_classes[c] & PH_HTTP_IN_METHOD) == 0)
        return ph_http_fail(parser, PH_HTTP_INVALID_METHOD, "Invalid method encountered");
    if (!keep(parser, &c, 1))
        return no_memory(parser);
    parser->state = S_METHOD;
    return PH_HTTP_OK;
}

static ph_http_result after_name(ph_http_parser* parser, uint8_t c) {
    ph_http_field* field = &parser->fields[parser->field_count - 1];
    field->name.length = parser->text_length - field->name.at;
    if (c != ':')
        return ph_http_fail(parser, PH_HTTP_INVALID_HEADER_TOKEN, "Invalid header token");
    if (!keep(parser, (const uint8_t*)"\n", 1))
        return no_memory(parser);
    parser->state = S_VALUE_START;
    field->value.at = parser->text_length;
    return PH_HTTP_OK;
}

static ph_http_result after_value(ph_http_parser* parser, uint8_t c) {
    ph_http_field* field = &parser->fields[parser->field_count - 1];
    if (parser->lenient && c != '\n' && c != '\r' && c != '\0')
        return keep(parser, &c, 1) ? PH_HTTP_OK : no_memory(parser);
    if (c == '\n')
        return ph_http_fail(parser, PH_HTTP_CR_EXPECTED, "Missing expected CR after header value");
    if (c != '\r')
        return ph_http_fail(parser, PH_HTTP_INVALID_HEADER_TOKEN, "Invalid header value char");
    size_t end = parser->text_length;
    while (end > field->value.at && (parser->text[end - 1] == ' ' || parser->text[end - 1] == '\t'))
        end--;
    field->value.length = end - field->value.at;
    parser->text_length = end;
    parser->state = S_VALUE_LF;
    return keep(parser, (const uint8_t*)"\n", 1) ? PH_HTTP_OK : no_memory(parser);
}

static ph_http_result start_field(ph_http_parser* parser, uint8_t c) {
    if (c == '\r') {
        parser->state = S_FIELDS_LF;
        return PH_HTTP_OK;
    }
    if ((c == ' ' || c == '\t') && parser->lenient && parser->field_count > 0) {
        // The value goes on: the end of its line goes.
        parser->text_length--;
        parser->state = S_VALUE;
        return keep(parser, &c, 1) ? PH_HTTP_OK : no_memory(parser);
    }
    if (c == ' ' || c == '\t')
        return ph_http_fail(parser, PH_HTTP_INVALID_HEADER_TOKEN,
                            "Unexpected whitespace after header value");
    if (!ph_http_is_token(c))
        return ph_http_fail(parser, PH_HTTP_INVALID_HEADER_TOKEN, "Invalid header token");
    if (!new_field(parser) || !keep(parser, &c, 1))
        return no_memory(parser);
    parser->state = S_NAME;
    return PH_HTTP_OK;
}

static ph_http_result expect_lf(ph_http_parser* parser, uint8_t c, const char* reason) {
    return c == '\n' ? PH_HTTP_OK : ph_http_fail(parser, PH_HTTP_LF_EXPECTED, reason);
}

// States that look at one byte; those that take runs come here with the byte that ends the run.
static ph_http_result take_head_byte(ph_http_parser* parser, uint8_t c) {
    switch (parser->state) {
    case S_METHOD:
        return end_method(parser, c);
    case S_TARGET:
        if (c != ' ')
            return ph_http_fail(parser, PH_HTTP_INVALID_URL, "Invalid char in url path");
        return end_target(parser);
    case S_VERSION:
        return take_version(parser, c);
    case S_STATUS:
        return take_status(parser, c);
    case S_REASON:
        parser->target.length = parser->text_length - parser->target.at;
        if (c != '\r')
            return ph_http_fail(parser, PH_HTTP_INVALID_CONSTANT, "Invalid response status line");
        parser->state = S_LINE_LF;
        return PH_HTTP_OK;
    case S_LINE_LF:
        parser->state = S_FIELD_START;
        return expect_lf(parser, c, "Missing expected LF after start line");
    case S_FIELD_START:
        return start_field(parser, c);
    case S_NAME:
        return after_name(parser, c);
    case S_VALUE:
        return after_value(parser, c);
    case S_VALUE_LF:
        parser->state = S_FIELD_START;
        return expect_lf(parser, c, "Missing expected LF after header value");
    default: // S_FIELDS_LF
        if (c != '\n')
            return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after headers");
        return parser->after_fields ? end_message(parser, true) : end_head(parser);
    }
}

// 0: the state looks at one byte
static uint8_t run_class(int state) {
    switch (state) {
    case S_METHOD:
        return PH_HTTP_IN_METHOD;
    case S_TARGET:
        return PH_HTTP_IN_TARGET;
    case S_REASON:
    case S_VALUE:
        return PH_HTTP_IN_VALUE;
    case S_NAME:
        return PH_HTTP_IN_TOKEN;
    default:
        return 0;
    }
}

static ph_http_result overflow(ph_http_parser* parser) {
    return ph_http_fail(parser, PH_HTTP_HEADER_OVERFLOW, "Header overflow");
}

// Letters that no method has there are found at once, however the input is cut; the first letter of
// a message counts as read.
static ph_http_result check_method(ph_http_parser* parser, size_t* used) {
    size_t known = ph_http_method_prefix(parser->text, parser->text_length);
    if (known == parser->text_length)
        return PH_HTTP_OK;
    *used -= parser->text_length - (known > 1 ? known : 1);
    return ph_http_fail(parser, PH_HTTP_INVALID_METHOD, "Invalid method encountered");
}

// Reads one run or one byte of a head or of trailers.
static ph_http_result take_head(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                size_t* used) {
    size_t room = parser->max_head - parser->head_size;
    if (room == 0)
        return overflow(parser);
    if (parser->state == S_VALUE_START) {
        while (*used < length && *used < room && (bytes[*used] == ' ' || bytes[*used] == '\t'))
            ++*used;
        parser->head_size += *used;
        if (*used < length && *used < room)
            parser->state = S_VALUE;
        return PH_HTTP_OK;
    }
    uint8_t byte_class = run_class(parser->state);
    if (byte_class != 0) {
        ptrdiff_t run = keep_run(parser, bytes, length < room ? length : room, byte_class);
        if (run < 0)
            return no_memory(parser);
        *used = (size_t)run;
        if (parser->state == S_METHOD && check_method(parser, used) != PH_HTTP_OK)
            return parser->failed;
        parser->head_size += *used;
        if (*used == length)
            return PH_HTTP_OK;
        if (parser->head_size == parser->max_head) {
            // The whole run counts as read.
            while (*used < length && (ph_http_classes[bytes[*used]] & byte_class) != 0)
                ++*used;
            return overflow(parser);
        }
    }
    parser->head_size++;
    ph_http_result result = take_head_byte(parser, bytes[*used]);
    if (parser->state != S_FAILED)
        ++*used;
    return result;
}

static ph_http_result take_body(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                size_t* used) {
    bool endless = parser->state == S_BODY_UNTIL_END;
    size_t size = endless || length < parser->left ? length : (size_t)parser->left;
    *used = size;
    if (!endless)
        parser->left -= size;
    if (!parser->callbacks->on_body(parser, bytes, size))
        return ph_http_fail(parser, PH_HTTP_STOPPED, "Stopped");
    if (endless || parser->left > 0)
        return PH_HTTP_OK;
    if (parser->state == S_CHUNK_DATA)
        parser->state = S_CHUNK_DATA_CR;
    else if (parser->state == S_BODY_LENGTH)
        return end_message(parser, true);
    return PH_HTTP_OK;
}

static ph_http_result take(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                           size_t* used) {
    ph_http_result result;
    switch (parser->state) {
    case S_FAILED:
        return parser->failed;
    case S_CLOSED:
        if (*bytes != '\r' && *bytes != '\n')
            return ph_http_fail(parser, PH_HTTP_CLOSED_CONNECTION,
                                "Data after `Connection: close`");
        *used = 1;
        return PH_HTTP_OK;
    case S_START:
        result = take_start(parser, *bytes);
        *used = result == PH_HTTP_OK;
        return result;
    case S_BODY_LENGTH:
    case S_BODY_UNTIL_END:
    case S_CHUNK_DATA:
        return take_body(parser, bytes, length, used);
    case S_CHUNK_SIZE:
    case S_CHUNK_EXTENSION:
    case S_CHUNK_QUOTED:
    case S_CHUNK_SIZE_LF:
    case S_CHUNK_DATA_CR:
    case S_CHUNK_DATA_LF:
        result = ph_http_take_chunk_byte(parser, *bytes);
        *used = result == PH_HTTP_OK;
        return result;
    default:
        return take_head(parser, bytes, length, used);
    }
}

ph_http_result ph_http_execute(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                               size_t* used) {
    *used = 0;
    while (*used < length) {
        size_t step = 0;
        ph_http_result result = take(parser, bytes + *used, length - *used, &step);
        *used += step;
        if (result != PH_HTTP_OK)
            return result;
    }
    return PH_HTTP_OK;
}

ph_http_result ph_http_finish(ph_http_parser* parser) {
    if (parser->state == S_FAILED)
        return PH_HTTP_OK;
    if (parser->state == S_BODY_UNTIL_END)
        return end_message(parser, true);
    if (ph_http_idle(parser))
        return PH_HTTP_OK;
    return ph_http_fail(parser, PH_HTTP_INVALID_EOF_STATE, "Invalid EOF state");
}
