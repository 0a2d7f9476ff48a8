/*
 * Any bytes as HTTP messages: what the parser reports does not depend on how the input is cut, the
 * texts it reports are clean, and it never keeps more than it may. With libFuzzer:
 *   clang -fsanitize=fuzzer,address,undefined -Iruntime tests/fuzz/http_parser.c \
 *       runtime/http/{parser,chunks,fields,start_line,target,words}.c
 * Without it: fuzz.h.
 */

#include "http/parser.h"

#include "fuzz.h"

enum { MAX_HEAD = 512 };

typedef struct {
    char* text;
    size_t length;
    size_t capacity;
    int in_body;
} journal;

static void add(journal* log, const void* bytes, size_t length) {
    if (log->length + length > log->capacity) {
        log->capacity = (log->length + length) * 2 + 256;
        log->text = realloc(log->text, log->capacity);
        require(log->text != NULL);
    }
    memcpy(log->text + log->length, bytes, length);
    log->length += length;
}

static void add_text(journal* log, const char* text) {
    add(log, text, strlen(text));
}

/* The reason of a response may have any byte that does not end it, as in Node. */
enum { ANY_BYTE = -1, TEXT, PRINTABLE };

static void add_span(journal* log, ph_http_parser* parser, ph_http_span span, int kind) {
    for (size_t i = 0; i < span.length; i++) {
        uint8_t c = (uint8_t)parser->text[span.at + i];
        require(c != '\r' && c != '\n' && (c != 0 || kind == ANY_BYTE));
        if (kind == PRINTABLE)
            require(c > 32 && c < 127);
    }
    add(log, parser->text + span.at, span.length);
    add_text(log, "|");
}

static void add_fields(journal* log, ph_http_parser* parser) {
    for (size_t i = 0; i < parser->field_count; i++) {
        require(parser->fields[i].name.length > 0);
        add_span(log, parser, parser->fields[i].name, PRINTABLE);
        add_span(log, parser, parser->fields[i].value, TEXT);
    }
    require(parser->text_length <= MAX_HEAD);
}

static ph_http_answer on_head(ph_http_parser* parser) {
    journal* log = parser->owner;
    char line[128];
    log->in_body = 0;
    snprintf(line, sizeof(line), "\nhead %x %u.%u %u ", parser->flags, parser->major, parser->minor,
             parser->status);
    add_text(log, line);
    add_span(log, parser, parser->method, PRINTABLE);
    add_span(log, parser, parser->target, parser->kind == PH_HTTP_REQUEST ? PRINTABLE : ANY_BYTE);
    add_fields(log, parser);
    unsigned both = PH_HTTP_CHUNKED | PH_HTTP_LENGTH;
    require((parser->flags & both) != both);
    return (parser->flags & PH_HTTP_UPGRADE) != 0 ? PH_HTTP_BODY_UPGRADE : PH_HTTP_BODY_AS_SAID;
}

static bool on_body(ph_http_parser* parser, const uint8_t* bytes, size_t length) {
    journal* log = parser->owner;
    require(length > 0);
    if (!log->in_body)
        add_text(log, "\nbody ");
    log->in_body = 1;
    add(log, bytes, length);
    return true;
}

static bool on_end(ph_http_parser* parser) {
    journal* log = parser->owner;
    log->in_body = 0;
    add_text(log, "\nend ");
    add_fields(log, parser);
    return true;
}

static const ph_http_callbacks callbacks = {on_head, on_body, on_end};

/* step 0: all at once; else pieces of 1 to step bytes. */
static void run(ph_http_kind kind, const uint8_t* data, size_t size, unsigned step, journal* log) {
    ph_http_parser parser;
    ph_http_init(&parser, kind, &callbacks, log, MAX_HEAD);
    ph_http_result result = PH_HTTP_OK;
    size_t done = 0;
    unsigned chance = 12345;
    while (done < size && result == PH_HTTP_OK) {
        chance = chance * 1103515245 + 12345;
        size_t length = step == 0 ? size - done : 1 + (chance >> 16) % step;
        if (length > size - done)
            length = size - done;
        /* Exact allocations, so that a read past the end is seen. */
        uint8_t* piece = malloc(length);
        memcpy(piece, data + done, length);
        size_t used;
        result = ph_http_execute(&parser, piece, length, &used);
        require(used <= length && (result != PH_HTTP_OK || used == length));
        free(piece);
        done += used;
    }
    if (result == PH_HTTP_OK)
        result = ph_http_finish(&parser);
    char line[128];
    snprintf(line, sizeof(line), "\n%s %s %zu\n", ph_http_result_name(result),
             parser.reason == NULL ? "" : parser.reason, done);
    add_text(log, line);
    ph_http_release(&parser);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    for (int kind = PH_HTTP_REQUEST; kind <= PH_HTTP_RESPONSE; kind++) {
        journal whole = {0};
        run((ph_http_kind)kind, data, size, 0, &whole);
        static const unsigned steps[] = {1, 3, 17, 200};
        for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
            journal cut = {0};
            run((ph_http_kind)kind, data, size, steps[i], &cut);
            if (cut.length != whole.length || memcmp(cut.text, whole.text, cut.length) != 0) {
                fprintf(stderr, "whole: %.*s\ncut by %u: %.*s\n", (int)whole.length, whole.text,
                        steps[i], (int)cut.length, cut.text);
                abort();
            }
            free(cut.text);
        }
        free(whole.text);
    }
    return 0;
}

#ifdef PLAIN_MAIN
static const char* const examples[] = {
    "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.0\r\n\r\n",
    "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n\r\n",
    "PUT /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0\r\nT: 1\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nConnection: close, upgrade\r\nUpgrade: x\r\nExpect: "
    "100-continue\r\n\r\n",
    "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nanything",
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 204\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 \r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
    "a\r\n0123456789\r\n0\r\n\r\n",
    "HTTP/1.0 404 Not Found\r\nA:\r\nB: \t x y \r\n\r\nuntil the end",
};

/* Examples one after the other, with some bytes changed, dropped or doubled. */
static size_t make_input(uint8_t* data, size_t room) {
    static const char nasty[] = "\r\n :;,=\"\t0aF/\x7f\x80*";
    size_t size = 0;
    for (unsigned parts = 1 + chance(3); parts > 0; parts--) {
        const char* text = examples[chance(sizeof(examples) / sizeof(examples[0]))];
        size_t length = strlen(text);
        if (size + length * 2 > room)
            break;
        for (size_t i = 0; i < length; i++) {
            unsigned what = chance(120);
            if (what == 0)
                continue;
            data[size++] = (uint8_t)(what == 1   ? nasty[chance(sizeof(nasty))]
                                     : what == 2 ? (char)toupper(text[i])
                                                 : text[i]);
            if (what == 3)
                data[size++] = (uint8_t)text[i];
        }
    }
    return size;
}
#endif
