/* Our parser of HTTP and llhttp, Node's, side by side: the same bytes, cut at the same random
 * places, must give the same messages and the same errors.
 *   compare SEED COUNT      random messages
 *   compare time            how long each takes for a usual request and a usual response
 * Prints the messages on which they differ; exits with 1 if there was one. */
#include <llhttp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "http/parser.h"
#include "messages.h"

enum { MOST = 1 << 16 };

typedef struct {
    char text[MOST];
    size_t length;
    bool in_body;
    bool takes_upgrades; /* someone listens for 'upgrade' */
} journal;

static void add(journal* log, const void* bytes, size_t length) {
    if (length > MOST - log->length)
        length = MOST - log->length;
    memcpy(log->text + log->length, bytes, length);
    log->length += length;
}

static void add_text(journal* log, const char* text) {
    add(log, text, strlen(text));
}

static void add_body(journal* log, const void* bytes, size_t length) {
    if (length == 0)
        return;
    if (!log->in_body)
        add_text(log, "\nbody ");
    log->in_body = true;
    add(log, bytes, length);
}

static void add_start(journal* log, unsigned major, unsigned minor, unsigned status, bool stays) {
    char line[64];
    log->in_body = false;
    snprintf(line, sizeof(line), "\nhead %u.%u %u %s ", major, minor, status,
             stays ? "stays" : "closes");
    add_text(log, line);
}

static void add_end(journal* log, const char* code, const char* reason) {
    char line[256];
    snprintf(line, sizeof(line), "\n%s %s\n", code, reason);
    add_text(log, line);
}

/* Ours. */

static void add_span(journal* log, const ph_http_parser* parser, ph_http_span span) {
    add(log, parser->text + span.at, span.length);
    add_text(log, "|");
}

static void add_fields(journal* log, const ph_http_parser* parser) {
    for (size_t i = 0; i < parser->field_count; i++) {
        add_span(log, parser, parser->fields[i].name);
        add_span(log, parser, parser->fields[i].value);
    }
}

static ph_http_answer our_head(ph_http_parser* parser) {
    journal* log = parser->owner;
    bool stays = (parser->flags & PH_HTTP_KEEP_ALIVE) != 0 &&
                 ((parser->flags & PH_HTTP_UNTIL_END) == 0 || parser->status / 100 == 1);
    add_start(log, parser->major, parser->minor, parser->status, stays);
    if (parser->kind == PH_HTTP_REQUEST)
        add_span(log, parser, parser->method);
    add_span(log, parser, parser->target);
    add_fields(log, parser);
    bool tunnel = parser->method.length == 7 && memcmp(parser->text, "CONNECT", 7) == 0;
    if ((parser->flags & PH_HTTP_UPGRADE) != 0 && (tunnel || log->takes_upgrades))
        return PH_HTTP_BODY_UPGRADE;
    if ((parser->flags & PH_HTTP_NO_BODY) != 0)
        add_text(log, "\nend ");
    return PH_HTTP_BODY_AS_SAID;
}

static bool our_body(ph_http_parser* parser, const uint8_t* bytes, size_t length) {
    add_body(parser->owner, bytes, length);
    return true;
}

static bool our_end(ph_http_parser* parser) {
    journal* log = parser->owner;
    log->in_body = false;
    add_text(log, "\nend ");
    add_fields(log, parser);
    return true;
}

static const ph_http_callbacks our_callbacks = {our_head, our_body, our_end};

static void run_ours(journal* log, ph_http_kind kind, const uint8_t* bytes, size_t size,
                     unsigned cuts) {
    ph_http_parser parser;
    ph_http_init(&parser, kind, &our_callbacks, log, MOST);
    ph_http_result result = PH_HTTP_OK;
    for (size_t at = 0; at < size && result == PH_HTTP_OK;) {
        size_t length = next_cut(&cuts, size - at);
        size_t used;
        result = ph_http_execute(&parser, bytes + at, length, &used);
        at += length;
    }
    if (result == PH_HTTP_OK)
        result = ph_http_finish(&parser);
    if (result == PH_HTTP_STOPPED)
        add_end(log, "UPGRADE", "");
    else
        add_end(log, ph_http_result_name(result), parser.reason == NULL ? "" : parser.reason);
    ph_http_release(&parser);
}

/* llhttp, as Node uses it. */

typedef struct {
    llhttp_t parser;
    journal* log;
    journal head; /* what comes before the start line is known */
    bool after_head;
} theirs;

static journal* their_place(llhttp_t* parser) {
    return &((theirs*)parser)->head;
}

static int their_begin(llhttp_t* parser) {
    theirs* t = (theirs*)parser;
    t->head.length = 0;
    t->after_head = false;
    return 0;
}

static int their_text(llhttp_t* parser, const char* at, size_t length) {
    add(their_place(parser), at, length);
    return 0;
}

static int their_text_end(llhttp_t* parser) {
    add_text(their_place(parser), "|");
    return 0;
}

static int their_value_end(llhttp_t* parser) {
    journal* head = their_place(parser);
    while (head->length > 0 &&
           (head->text[head->length - 1] == ' ' || head->text[head->length - 1] == '\t'))
        head->length--;
    return their_text_end(parser);
}

static int their_head(llhttp_t* parser) {
    theirs* t = (theirs*)parser;
    bool request = parser->type == HTTP_REQUEST;
    add_start(t->log, parser->http_major, parser->http_minor, request ? 0 : parser->status_code,
              llhttp_should_keep_alive(parser) != 0);
    if (request) {
        add_text(t->log, llhttp_method_name((llhttp_method_t)parser->method));
        add_text(t->log, "|");
    }
    add(t->log, t->head.text, t->head.length);
    t->head.length = 0;
    t->after_head = true;
    if (parser->upgrade && (parser->method == HTTP_CONNECT || t->log->takes_upgrades))
        return 2;
    parser->upgrade = 0;
    return 0;
}

static int their_body(llhttp_t* parser, const char* at, size_t length) {
    add_body(((theirs*)parser)->log, at, length);
    return 0;
}

static int their_end(llhttp_t* parser) {
    theirs* t = (theirs*)parser;
    if (parser->upgrade)
        return 0;
    t->log->in_body = false;
    add_text(t->log, "\nend ");
    add(t->log, t->head.text, t->head.length);
    t->head.length = 0;
    return 0;
}

static void their_settings(llhttp_settings_t* settings) {
    llhttp_settings_init(settings);
    settings->on_message_begin = their_begin;
    settings->on_url = their_text;
    settings->on_url_complete = their_text_end;
    settings->on_status = their_text;
    settings->on_status_complete = their_text_end;
    settings->on_header_field = their_text;
    settings->on_header_field_complete = their_text_end;
    settings->on_header_value = their_text;
    settings->on_header_value_complete = their_value_end;
    settings->on_headers_complete = their_head;
    settings->on_body = their_body;
    settings->on_message_complete = their_end;
}

/* Node 20 has llhttp 9.3, which says more here than Debian's. */
static const char* their_reason(llhttp_t* parser) {
    const char* reason = llhttp_get_error_reason(parser);
    if (reason == NULL)
        return "";
    return strcmp(reason, "Expected HTTP/") == 0 ? "Expected HTTP/, RTSP/ or ICE/" : reason;
}

static void run_theirs(journal* log, ph_http_kind kind, const uint8_t* bytes, size_t size,
                       unsigned cuts) {
    static theirs t;
    static llhttp_settings_t settings;
    their_settings(&settings);
    llhttp_init(&t.parser, kind == PH_HTTP_REQUEST ? HTTP_REQUEST : HTTP_RESPONSE, &settings);
    t.log = log;
    llhttp_errno_t result = HPE_OK;
    for (size_t at = 0; at < size && result == HPE_OK;) {
        size_t length = next_cut(&cuts, size - at);
        result = llhttp_execute(&t.parser, (const char*)bytes + at, length);
        at += length;
    }
    if (result == HPE_OK)
        result = llhttp_finish(&t.parser);
    if (result == HPE_PAUSED_UPGRADE) {
        add_end(log, "UPGRADE", "");
        return;
    }
    add_end(log, llhttp_errno_name(result), result == HPE_OK ? "" : their_reason(&t.parser));
}

static void print_text(const char* title, const void* bytes, size_t length) {
    printf("%s: ", title);
    for (size_t i = 0; i < length && i < 1500; i++) {
        uint8_t c = ((const uint8_t*)bytes)[i];
        if (c == '\r' || c == '\n')
            printf(c == '\r' ? "\\r" : "\\n");
        else
            printf(c >= 32 && c < 127 ? "%c" : "\\x%02x", c);
    }
    printf("\n");
}

static bool same(unsigned seed) {
    static journal ours, others;
    uint8_t bytes[MOST_BYTES];
    ph_http_kind kind;
    size_t size = make_message(seed, bytes, &kind);
    ours.length = others.length = 0;
    ours.in_body = others.in_body = false;
    ours.takes_upgrades = others.takes_upgrades = seed % 2 == 0;
    run_ours(&ours, kind, bytes, size, seed);
    run_theirs(&others, kind, bytes, size, seed);
    if (ours.length == others.length && memcmp(ours.text, others.text, ours.length) == 0)
        return true;
    printf("%u, %s\n", seed, kind == PH_HTTP_REQUEST ? "request" : "response");
    print_text("  bytes", bytes, size);
    print_text("  ours  ", ours.text, ours.length);
    print_text("  llhttp", others.text, others.length);
    return false;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static ph_http_answer quick_head(ph_http_parser* parser) {
    (void)parser;
    return PH_HTTP_BODY_AS_SAID;
}

static bool quick_body(ph_http_parser* parser, const uint8_t* bytes, size_t length) {
    (void)parser;
    (void)bytes;
    (void)length;
    return true;
}

static bool quick_end(ph_http_parser* parser) {
    (void)parser;
    return true;
}

/* What stands between the runtime and llhttp if that is used: the same list of names and values. */
static ph_http_field spans[64];
static size_t span_count;

static int keep_text(llhttp_t* parser, const char* at, size_t length) {
    add(their_place(parser), at, length);
    return 0;
}

static int end_name(llhttp_t* parser) {
    journal* head = their_place(parser);
    ph_http_field* field = &spans[span_count % 64];
    field->name.length = head->length - field->name.at;
    add(head, "\n", 1);
    field->value.at = head->length;
    return 0;
}

static int end_value(llhttp_t* parser) {
    journal* head = their_place(parser);
    ph_http_field* field = &spans[span_count++ % 64];
    while (head->length > field->value.at &&
           (head->text[head->length - 1] == ' ' || head->text[head->length - 1] == '\t'))
        head->length--;
    field->value.length = head->length - field->value.at;
    add(head, "\n", 1);
    spans[span_count % 64].name.at = head->length;
    return 0;
}

static int drop_text(llhttp_t* parser) {
    their_place(parser)->length = 0;
    span_count = 0;
    return 0;
}

/* Both keep the texts of the head until it is whole, as the runtime needs them. */
static void measure(const char* name, ph_http_kind kind, const char* text) {
    enum { TURNS = 300000 };
    static const ph_http_callbacks quick = {quick_head, quick_body, quick_end};
    static theirs t;
    llhttp_settings_t settings;
    llhttp_settings_init(&settings);
    settings.on_url = settings.on_status = keep_text;
    settings.on_header_field = settings.on_header_value = keep_text;
    settings.on_header_field_complete = end_name;
    settings.on_header_value_complete = end_value;
    settings.on_headers_complete = drop_text;
    size_t size = strlen(text);
    ph_http_parser parser;
    ph_http_init(&parser, kind, &quick, NULL, MOST);
    llhttp_init(&t.parser, kind == PH_HTTP_REQUEST ? HTTP_REQUEST : HTTP_RESPONSE, &settings);
    double spent[2] = {1e18, 1e18};
    for (int round = 0; round < 5; round++) {
        double start = now();
        size_t used;
        for (int i = 0; i < TURNS; i++)
            if (ph_http_execute(&parser, (const uint8_t*)text, size, &used) != PH_HTTP_OK)
                abort();
        double middle = now();
        for (int i = 0; i < TURNS; i++)
            if (llhttp_execute(&t.parser, text, size) != HPE_OK)
                abort();
        double end = now();
        spent[0] = middle - start < spent[0] ? middle - start : spent[0];
        spent[1] = end - middle < spent[1] ? end - middle : spent[1];
    }
    printf("%s of %zu bytes: ours %.0f ns, llhttp %.0f ns\n", name, size, spent[0] / TURNS,
           spent[1] / TURNS);
    ph_http_release(&parser);
}

int main(int argc, char** argv) {
    if (argc == 2 && strcmp(argv[1], "time") == 0) {
        for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
            measure(usual[i].name, usual[i].kind, usual[i].text);
        return 0;
    }
    if (argc != 3)
        return 2;
    unsigned first = (unsigned)atoi(argv[1]);
    unsigned count = (unsigned)atoi(argv[2]);
    unsigned different = 0;
    for (unsigned i = 0; i < count && different < 20; i++)
        different += !same(first + i);
    printf("llhttp %d.%d.%d: %u messages, %u differ\n", LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR,
           LLHTTP_VERSION_PATCH, count, different);
    return different == 0 ? 0 : 1;
}
