#include "http/parser.h"

#include <stdlib.h>
#include <string.h>

#include "http/state.h"

static void clear_message(ph_http_parser* parser) {
    parser->flags = 0;
    parser->major = parser->minor = parser->status = 0;
    parser->method = parser->target = (ph_http_span){0, 0};
    parser->field_count = 0;
    parser->after_fields = 0;
    parser->text_length = 0;
    parser->extension_size = 0;
    parser->left = 0;
    parser->digits = 0;
    parser->meaning = 0;
    parser->codings = parser->keep_alive = false;
    parser->upgrade_named = parser->upgrade_wanted = false;
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

bool ph_http_grow(ph_http_parser* parser, size_t length) {
    size_t needed = parser->text_length + length;
    size_t capacity = parser->text_capacity == 0 ? 1024 : parser->text_capacity;
    while (capacity < needed)
        capacity *= 2;
    char* bigger = realloc(parser->text, capacity);
    if (bigger == NULL)
        return false;
    parser->text = bigger;
    parser->text_capacity = capacity;
    return true;
}

static ph_http_result end_message(ph_http_parser* parser, bool tell) {
    bool more = ph_http_stays(parser);
    /* The state first: the owner may reset or drop the parser while it is told. */
    parser->state = more ? S_START : S_CLOSED;
    if (tell && !parser->callbacks->on_end(parser))
        return ph_http_fail(parser, PH_HTTP_STOPPED, "Stopped");
    return PH_HTTP_OK;
}

static ph_http_result end_head(ph_http_parser* parser) {
    ph_http_understand(parser);
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
    bool chunked = (parser->flags & PH_HTTP_CHUNKED) != 0;
    if (parser->codings && !chunked && parser->kind == PH_HTTP_REQUEST && !parser->lenient)
        return ph_http_fail(parser, PH_HTTP_INVALID_TRANSFER_ENCODING,
                            "Request has invalid `Transfer-Encoding`");
    parser->field_count = 0;
    parser->text_length = 0;
    parser->digits = 0;
    bool with_length = (parser->flags & PH_HTTP_LENGTH) != 0 && !parser->codings;
    parser->state = chunked ? S_CHUNK_SIZE : with_length ? S_BODY_LENGTH : S_BODY_UNTIL_END;
    return PH_HTTP_OK;
}

static ph_http_result take_start(ph_http_parser* parser, uint8_t c) {
    if (c == '\r' || c == '\n')
        return PH_HTTP_OK;
    clear_message(parser);
    if (parser->text_capacity == 0 && !ph_http_grow(parser, 1))
        return ph_http_no_memory(parser);
    parser->state = parser->kind == PH_HTTP_REQUEST ? S_METHOD : S_PROTOCOL_START;
    return PH_HTTP_OK;
}

static ph_http_result end_fields(ph_http_parser* parser, uint8_t c) {
    if (c != '\n')
        return ph_http_fail(parser, PH_HTTP_STRICT, "Expected LF after headers");
    return parser->after_fields ? end_message(parser, true) : end_head(parser);
}

/* What counts towards the limit, as in Node: the target, the reason, names and values.
 * In the text, an end of line follows each name and each value. */
static size_t counted(const ph_http_parser* parser) {
    size_t size = parser->text_length - (parser->after_fields ? 0 : parser->method.length);
    if (parser->field_count == 0)
        return size;
    size_t value = parser->fields[parser->field_count - 1].value.at;
    bool named = value != 0;
    bool ended =
        named && parser->text_length > value && parser->text[parser->text_length - 1] == '\n';
    return size - 2 * (parser->field_count - 1) - named - ended;
}

/* Reads a head or trailers, up to the byte that makes them whole. */
static ph_http_result take_head(ph_http_parser* parser, const uint8_t* bytes, size_t length,
                                size_t* used) {
    while (*used < length && parser->state < S_FIELDS_LF) {
        /* Each byte counts once at most: no more of them are looked at than may count. */
        size_t room = parser->max_head - counted(parser);
        size_t piece = length - *used < room ? length - *used : room;
        size_t step = 0;
        ph_http_result result = parser->state < S_FIRST_FIELD
                                    ? ph_http_take_start_line(parser, bytes + *used, piece, &step)
                                    : ph_http_take_field(parser, bytes + *used, piece, &step);
        *used += step;
        if (result == PH_HTTP_H2_UPGRADE)
            ++*used; /* its last byte is no mistake */
        if (result != PH_HTTP_OK)
            return result;
        if (counted(parser) >= parser->max_head) {
            /* The rest of a value counts as read. */
            if (parser->state == S_VALUE)
                *used += ph_http_value_run(bytes + *used, length - *used);
            return ph_http_fail(parser, PH_HTTP_HEADER_OVERFLOW, "Header overflow");
        }
    }
    if (parser->state != S_FIELDS_LF || *used == length)
        return PH_HTTP_OK;
    /* The head is done with when its owner has seen it. */
    uint8_t c = bytes[*used];
    *used += c == '\n';
    return end_fields(parser, c);
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
        /* The first letter is read again as part of its line. */
        result = take_start(parser, *bytes);
        *used = parser->state == S_START;
        return result;
    case S_BODY_LENGTH:
    case S_BODY_UNTIL_END:
    case S_CHUNK_DATA:
        return take_body(parser, bytes, length, used);
    case S_CHUNK_SIZE:
    case S_CHUNK_EXTENSION:
    case S_CHUNK_NAME:
    case S_CHUNK_VALUE:
    case S_CHUNK_QUOTED:
    case S_CHUNK_ESCAPE:
    case S_CHUNK_QUOTE_END:
    case S_CHUNK_SIZE_LF:
    case S_CHUNK_DATA_CR:
    case S_CHUNK_DATA_LF:
        return ph_http_take_chunk(parser, bytes, length, used);
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
