/* Messages from seeds: usual ones, put together from odd pieces, and then damaged. */
#ifndef PH_TESTS_LLHTTP_MESSAGES_H
#define PH_TESTS_LLHTTP_MESSAGES_H

#include "http/parser.h"

enum { MOST_BYTES = 8192 };

/* Gives the number of bytes. */
size_t make_message(unsigned seed, uint8_t bytes[MOST_BYTES], ph_http_kind* kind);
/* How many of the bytes that are left come at once. */
size_t next_cut(unsigned* cuts, size_t left);

typedef struct {
    const char* name;
    ph_http_kind kind;
    const char* text;
} usual_message;

static const usual_message usual[] = {
    {"a small request", PH_HTTP_REQUEST, "GET /hello HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n"},
    {"a browser's request", PH_HTTP_REQUEST,
     "GET /articles/2024/05/some-title?page=2&sort=date HTTP/1.1\r\n"
     "Host: www.example.com\r\n"
     "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0\r\n"
     "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8\r\n"
     "Accept-Language: en-US,en;q=0.5\r\n"
     "Accept-Encoding: gzip, deflate, br, zstd\r\n"
     "Referer: https://www.example.com/articles/2024/05/\r\n"
     "Connection: keep-alive\r\n"
     "Cookie: session=3f7a9c1e5b2d4f6a8c0e1b3d5f7a9c1e; theme=dark; consent=yes\r\n"
     "Upgrade-Insecure-Requests: 1\r\n"
     "Cache-Control: max-age=0\r\n\r\n"},
    {"a response with a body", PH_HTTP_RESPONSE,
     "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
     "Content-Length: 27\r\nDate: Tue, 14 May 2024 10:00:00 GMT\r\nConnection: keep-alive\r\n"
     "Keep-Alive: timeout=5\r\n\r\n{\"name\":\"value\",\"count\":12}"},
    {"a response in chunks", PH_HTTP_RESPONSE,
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
     "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"},
};

#endif
