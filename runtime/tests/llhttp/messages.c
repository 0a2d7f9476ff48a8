#include "messages.h"

#include <stdio.h>
#include <string.h>

static unsigned chance(unsigned* state) {
    *state = *state * 1664525 + 1013904223;
    unsigned x = *state;
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    return x;
}

size_t next_cut(unsigned* cuts, size_t left) {
    unsigned kind = chance(cuts) % 8;
    size_t length = kind < 3 ? left : 1 + chance(cuts) % (kind < 6 ? 7 : 60);
    return length < left ? length : left;
}

typedef struct {
    unsigned state;
    uint8_t* bytes;
    size_t length;
} maker;

static void put(maker* m, const char* text) {
    size_t length = strlen(text);
    if (m->length + length > MOST_BYTES)
        return;
    memcpy(m->bytes + m->length, text, length);
    m->length += length;
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define PICK(m, list) (list)[chance(&(m)->state) % COUNT(list)]

/* The first of a list is the usual one, and comes most often. */
#define USUALLY(m, list) (chance(&(m)->state) % 4 != 0 ? (list)[0] : PICK(m, list))

static const char* const ends[] = {"\r\n", "\n",    "\r",    "\r\r\n", "\n\r",
                                   "",     " \r\n", "\r\n ", "\t\r\n", "\r\n\t"};

static void put_end(maker* m) {
    put(m, chance(&m->state) % 24 != 0 ? "\r\n" : PICK(m, ends));
}

static const char* const methods[] = {
    "GET",      "POST",       "PUT",      "HEAD",     "DELETE", "CONNECT", "OPTIONS",
    "M-SEARCH", "PROPFIND",   "QUERY",    "get",      "GE",     "GETT",    "UNLINK",
    "SOURCE",   "PRI",        "DESCRIBE", "ANNOUNCE", "G T",    "",        "\x80",
    "PATCH",    "MKACTIVITY", "REPORT",   "LINK",     "ACL",    "FLUSH",   "PLAY"};

static const char* const targets[] = {"/",
                                      "/path?query#part",
                                      "*",
                                      "http://name/path",
                                      "https://name:1",
                                      "name:443",
                                      "",
                                      "path",
                                      "/\x80\xff",
                                      "/a b",
                                      "/a\tb",
                                      "//",
                                      "/?a=%20",
                                      "http:/x",
                                      "ftp://u:p@h/",
                                      "?",
                                      "#",
                                      "/#a#b",
                                      "/\x01",
                                      "/\x7f",
                                      "http://",
                                      "http://[::1]/",
                                      "ht1p://a",
                                      "a://b?c",
                                      "/a?b?c",
                                      "*a",
                                      "http://a b/",
                                      "://a",
                                      "h://@",
                                      "http://a@b@c/",
                                      "http://name?x",
                                      "http://name#y"};

static const char* const request_versions[] = {
    "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/0.9",  "HTTP/1.2", "HTTP/1",
    "HTTP/11",  "http/1.1", "HTP/1.1",  "HTTP/1.1 ", "ICE/1.0",  "RTSP/1.0",
    "",         "HTTP/x.1", "HTTP/1,1", "HTTP/1.10", "HTTP/3.0", "HTTP /1.1"};

static const char* const spaces[] = {" ", "  ", "\t", ""};

static void put_request_line(maker* m) {
    put(m, USUALLY(m, methods));
    put(m, chance(&m->state) % 16 != 0 ? " " : PICK(m, spaces));
    put(m, USUALLY(m, targets));
    put(m, chance(&m->state) % 16 != 0 ? " " : PICK(m, spaces));
    put(m, USUALLY(m, request_versions));
    put_end(m);
}

static const char* const response_versions[] = {"HTTP/1.1", "HTTP/1.0", "HTTP/2.0",
                                                "HTTP/1.2", "http/1.1", "HTTP/1",
                                                "HTTP/0.9", "RTSP/1.0", "HTTP/9.9"};

static const char* const statuses[] = {"200",  "204", "304", "100", "404", "500", "099",
                                       "1000", "20",  "2x0", "",    "999", "150", "205"};

static const char* const reasons[] = {" OK",   "",   " ",  " Not Found", " \x80", " a\tb",
                                      "  two", "\t", "OK", " a\x01",     " a\x7f"};

static void put_status_line(maker* m) {
    put(m, USUALLY(m, response_versions));
    put(m, chance(&m->state) % 16 != 0 ? " " : "  ");
    put(m, USUALLY(m, statuses));
    put(m, USUALLY(m, reasons));
    put_end(m);
}

static const char* const names[] = {"Host",
                                    "X-Name",
                                    "Content-Length",
                                    "Transfer-Encoding",
                                    "Connection",
                                    "Upgrade",
                                    "Proxy-Connection",
                                    "content-length",
                                    "CONNECTION",
                                    "Expect",
                                    "Content-Lengt",
                                    "Transfer-Encodings",
                                    "X Y",
                                    "",
                                    "X\x80",
                                    "X:",
                                    "X(",
                                    "Accept",
                                    "Connectio",
                                    "Keep-Alive",
                                    "Trailer",
                                    "X_Y",
                                    "X\t",
                                    "Con tent-Length",
                                    "Upgrade-Insecure-Requests"};

static const char* const values[] = {"value",
                                     "5",
                                     "0",
                                     "chunked",
                                     "close",
                                     "keep-alive",
                                     "upgrade",
                                     "websocket",
                                     "gzip, chunked",
                                     "chunked, gzip",
                                     "Upgrade, Keep-Alive",
                                     "",
                                     " ",
                                     "a\tb",
                                     "a\x01",
                                     "a\x7f",
                                     "\x80\xff",
                                     "12345",
                                     "+5",
                                     "-5",
                                     "5 ",
                                     " 5",
                                     "5,5",
                                     "5 5",
                                     "0x5",
                                     "99999999999999999999",
                                     "18446744073709551615",
                                     "chunked ",
                                     "Chunked",
                                     "chunkedchunked",
                                     "chunked,",
                                     ",chunked",
                                     "identity",
                                     "close, upgrade",
                                     "keep-alive, close",
                                     "xclose",
                                     "closed",
                                     "keep-alivex",
                                     "upgradex",
                                     "upgrade,",
                                     "h2c",
                                     "CLOSE",
                                     "100-continue",
                                     "chunked, chunked",
                                     "gzip",
                                     "chunked;a=b",
                                     "  chunked  ",
                                     "close ,keep-alive",
                                     "keep-alive ",
                                     "close\t",
                                     "5\t",
                                     "\t5",
                                     "a,close",
                                     " ,close",
                                     "close;q=1",
                                     "deflate ,chunked",
                                     "foochunked",
                                     "foo chunked",
                                     "9223372036854775807",
                                     "00005"};

static const char* const colons[] = {": ", ":",   " : ",    ":  ",    ":\t",  " ",
                                     "",   "\t:", ":\r\n ", ": \r\n", ":\r\n"};

static void put_field(maker* m) {
    put(m, PICK(m, names));
    put(m, chance(&m->state) % 12 != 0 ? ": " : PICK(m, colons));
    put(m, PICK(m, values));
    put_end(m);
}

static const char* const lines[] = {"",
                                    "Content-Length: 5\r\n",
                                    "Transfer-Encoding: chunked\r\n",
                                    "Content-Length: 0\r\n",
                                    "Connection: close\r\n",
                                    "Connection: upgrade\r\nUpgrade: x\r\n",
                                    "Connection: keep-alive\r\n",
                                    "Transfer-Encoding: gzip, chunked\r\n",
                                    "Transfer-Encoding: gzip\r\n"};

static void put_framing(maker* m) {
    put(m, PICK(m, lines));
}

static const char* const sizes[] = {"5",
                                    "05",
                                    "0",
                                    "a",
                                    "A",
                                    "g",
                                    "",
                                    " 5",
                                    "5 ",
                                    "5\t",
                                    "0x5",
                                    "ffffffffffffffff",
                                    "10000000000000000",
                                    "00000000000000000000005",
                                    "-1",
                                    "5g",
                                    "7fffffffffffffff"};

static const char* const extensions[] = {"",
                                         ";a",
                                         ";a=b",
                                         ";a=\"b c\"",
                                         "; a=b",
                                         ";a =b",
                                         ";a= b",
                                         ";",
                                         ";;",
                                         ";=",
                                         ";a=",
                                         ";a=\"b",
                                         ";a=\"b\"c",
                                         ";a=\"b\"; c",
                                         ";a=\"\\\"\"",
                                         ";a;b=c;d",
                                         " ;a",
                                         ";a\x80",
                                         ";a=\"\x80\"",
                                         ";a=\x01",
                                         ";a=\"b\";c=d",
                                         ";a=b;c",
                                         ";a=\"b\\c\"",
                                         ";a=\"\t\"",
                                         ";a=b c",
                                         ";a=\"\x7f\""};

static const char* const data[] = {"hello", "", "hell", "hello!", "0123456789"};

static void put_chunks(maker* m) {
    unsigned count = chance(&m->state) % 3;
    for (unsigned i = 0; i < count; i++) {
        put(m, USUALLY(m, sizes));
        put(m, chance(&m->state) % 3 != 0 ? "" : PICK(m, extensions));
        put_end(m);
        put(m, USUALLY(m, data));
        put_end(m);
    }
    put(m, chance(&m->state) % 8 != 0 ? "0" : USUALLY(m, sizes));
    put(m, chance(&m->state) % 8 != 0 ? "" : PICK(m, extensions));
    put_end(m);
    for (unsigned i = chance(&m->state) % 8; i > 6; i--)
        put_field(m);
    put_end(m);
}

static const char* const bodies[] = {"", "hello", "hello", "hell", "hello world"};

static void put_body(maker* m) {
    if (chance(&m->state) % 2 == 0)
        put_chunks(m);
    else
        put(m, PICK(m, bodies));
}

/* A few bytes are changed, dropped or doubled. */
static void damage(maker* m) {
    static const uint8_t odd[] = {'\r', '\n', ' ',  '\t', ':', ';', '\0',
                                  0x7f, 0x80, 0xff, ',',  '"', '0', 'x'};
    unsigned count = chance(&m->state) % 3;
    for (unsigned i = 0; i < count && m->length > 0; i++) {
        size_t at = chance(&m->state) % m->length;
        switch (chance(&m->state) % 3) {
        case 0:
            m->bytes[at] = odd[chance(&m->state) % sizeof(odd)];
            break;
        case 1:
            memmove(m->bytes + at, m->bytes + at + 1, m->length - at - 1);
            m->length--;
            break;
        default:
            if (m->length < MOST_BYTES) {
                memmove(m->bytes + at + 1, m->bytes + at, m->length - at);
                m->length++;
            }
        }
    }
}

size_t make_message(unsigned seed, uint8_t bytes[MOST_BYTES], ph_http_kind* kind) {
    maker m = {seed * 2654435761u + 1, bytes, 0};
    *kind = chance(&m.state) % 3 == 0 ? PH_HTTP_RESPONSE : PH_HTTP_REQUEST;
    unsigned count = 1 + chance(&m.state) % 2;
    for (unsigned i = 0; i < count; i++) {
        if (chance(&m.state) % 16 == 0)
            put_end(&m);
        if (*kind == PH_HTTP_REQUEST)
            put_request_line(&m);
        else
            put_status_line(&m);
        if (chance(&m.state) % 8 != 0)
            put(&m, "Host: name\r\n");
        for (unsigned fields = chance(&m.state) % 4; fields > 1; fields--)
            put_field(&m);
        if (chance(&m.state) % 2 == 0)
            put_framing(&m);
        put_end(&m);
        put_body(&m);
    }
    if (chance(&m.state) % 3 == 0)
        damage(&m);
    return m.length;
}
