#include "recorder/http.h"

#include <string.h>
#include <strings.h>

#include "recorder/events.h"
#include "recorder/recorder.h"

enum {
    MOST_TARGET = 80,  /* of a path, that is told */
    MOST_ROUTES = 500, /* with names of their own: paths may have anything in them */
    ROUTE_SLOTS = 1024,
    MOST_HEAD = 8192 /* bytes in which a header is looked for */
};

/* "GET ": with the blank behind it. Nearly all other bytes are told from them by the first one. */
static size_t method_size(const char* data, size_t size) {
    static const struct {
        char text[9];
        unsigned char size;
    } methods[] = {{"GET ", 4},   {"POST ", 5},   {"PUT ", 4},    {"HEAD ", 5},
                   {"PATCH ", 6}, {"DELETE ", 7}, {"OPTIONS ", 8}};
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (data[0] == methods[i].text[0] && size > methods[i].size &&
            memcmp(data, methods[i].text, methods[i].size) == 0)
            return methods[i].size;
    return 0;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hexadecimal(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* A part of a path that is a number, or looks like an id: routes have it in common. */
static bool is_an_id(const char* part, size_t size) {
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        if (!is_hexadecimal(part[i]) && part[i] != '-')
            return false;
        digits += is_digit(part[i]);
    }
    return digits == size ? size > 0 : digits > 0 && size >= 8;
}

/* "/users/:id" of "/users/17?all"; 0: that is no path. */
static size_t write_route(const char* path, size_t size, char* out) {
    size_t used = 0, at = 0;
    if (size == 0 || path[0] != '/')
        return 0;
    while (at < size && path[at] != '?' && path[at] != '#' && used + 5 < MOST_TARGET) {
        size_t part = 1;
        while (at + part < size && path[at + part] != '/' && path[at + part] != '?' &&
               path[at + part] != '#')
            part++;
        bool id = is_an_id(path + at + 1, part - 1);
        const char* text = id ? "/:id" : path + at;
        size_t length = id ? 4 : part;
        if (length > MOST_TARGET - used)
            length = MOST_TARGET - used;
        memcpy(out + used, text, length);
        used += length;
        at += part;
    }
    return used;
}

/* Whether a name may be told: there are not too many others. */
static bool is_one_of_few(const char* text, size_t size) {
    static uint32_t slots[ROUTE_SLOTS];
    static unsigned count;
    uint32_t key = ph_trace_checksum(text, size) | 1;
    for (uint32_t at = key, i = 0; i < ROUTE_SLOTS; at++, i++) {
        uint32_t found = __atomic_load_n(&slots[at % ROUTE_SLOTS], __ATOMIC_RELAXED);
        if (found == key)
            return true;
        if (found != 0)
            continue;
        if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) > MOST_ROUTES) {
            __atomic_sub_fetch(&count, 1, __ATOMIC_RELAXED);
            return false;
        }
        __atomic_store_n(&slots[at % ROUTE_SLOTS], key, __ATOMIC_RELAXED);
        return true;
    }
    return false;
}

static bool read_id(const char* text, uint64_t* id) {
    *id = 0;
    for (int i = 0; i < 16; i++) {
        if (!is_hexadecimal(text[i]))
            return false;
        unsigned digit =
            is_digit(text[i]) ? (unsigned)(text[i] - '0') : ((unsigned)text[i] | 0x20) - 'a' + 10;
        *id = *id << 4 | digit;
    }
    return true;
}

/* "traceparent: 00-TRACE-SPAN-FLAGS", as W3C has it. */
static void tell_parent(const char* data, size_t size) {
    static const char name[] = "\ntraceparent:";
    const size_t value = 55, length = sizeof(name) - 1;
    size_t most = size < MOST_HEAD ? size : MOST_HEAD;
    for (const char* line = memchr(data, '\n', most);
         line != NULL && (size_t)(line - data) + length + value < most;
         line = memchr(line + 1, '\n', most - (size_t)(line + 1 - data))) {
        uint64_t high, low, span;
        if (line[1] == '\r')
            return;
        if ((line[1] | 0x20) != name[1] || strncasecmp(line, name, length) != 0)
            continue;
        const char* text = line + length;
        text += *text == ' ';
        if ((size_t)(text - data) + value <= most && text[2] == '-' && text[35] == '-' &&
            read_id(text + 3, &high) && read_id(text + 19, &low) && read_id(text + 36, &span))
            ph_trace_event(PH_EV_HTTP_PARENT, (const void*)(uintptr_t)high,
                           (const void*)(uintptr_t)low, span, 0);
        return;
    }
}

/* The number of the name of a request's first line, up to its version. */
static __attribute__((noinline, cold)) uint32_t make_name(const char* line, size_t method,
                                                          size_t size) {
    char name[16 + MOST_TARGET];
    memcpy(name, line, method);
    size_t length = method + write_route(line + method, size - method, name + method);
    if (length == method || !is_one_of_few(name, length)) {
        memcpy(name + method, "(other)", 7);
        length = method + 7;
    }
    name[length] = '\0';
    return ph_name_number(name, NULL, 0);
}

/* Most requests ask for what was asked for before: each thread keeps the names of some lines. */
static uint32_t find_name(struct ph_asked* asked, const char* line, size_t method, size_t size) {
    if (asked->session != ph_recorder_session())
        *asked = (struct ph_asked){.session = ph_recorder_session()};
    uint32_t key = ph_trace_checksum(line, size);
    struct ph_asked_line* found = &asked->lines[key % PH_ASKED_LINES];
    if (found->size == size && memcmp(found->text, line, size) == 0)
        return found->name;
    uint32_t name = make_name(line, method, size);
    if (size <= sizeof(found->text)) {
        found->size = (uint16_t)size;
        found->name = name;
        memcpy(found->text, line, size);
    }
    return name;
}

void ph_http_received(const uv_stream_t* stream, const char* data, size_t size) {
    size_t method = method_size(data, size);
    if (method == 0)
        return;
    const char* target = data + method;
    size_t most = size - method < MOST_HEAD ? size - method : MOST_HEAD;
    const char* end = memchr(target, ' ', most);
    if (end == NULL || size - (size_t)(end - data) < 8 || memcmp(end, " HTTP/1.", 8) != 0)
        return;
    struct ph_buffer* buffer = ph_trace_on() ? ph_buffer_here() : NULL;
    if (buffer == NULL)
        return;
    uint32_t name = find_name(&buffer->asked_for, data, method, (size_t)(end - data));
    ph_trace_event(PH_EV_HTTP_REQUEST, stream->loop, stream, name, 0);
    tell_parent(end, size - (size_t)(end - data));
}

/* Answers on the way, like 100, are none yet. */
void ph_http_sent(const uv_stream_t* stream, const char* data, size_t size) {
    if (size < 12 || memcmp(data, "HTTP/1.", 7) != 0 || data[8] != ' ' || !is_digit(data[9]) ||
        !is_digit(data[10]) || !is_digit(data[11]))
        return;
    uint32_t status = (uint32_t)((data[9] - '0') * 100 + (data[10] - '0') * 10 + (data[11] - '0'));
    if (status >= 200 || status == 101)
        ph_trace_event(PH_EV_HTTP_ANSWER, stream->loop, stream, 0, status);
}
