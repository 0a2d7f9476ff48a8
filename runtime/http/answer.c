/* Messages that go out: heads, and whole answers in one write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bindings/stream.h"
#include "http/numbers.h"
#include "http/text.h"

/* The arguments of head() and respond(), in this order; those that are not given are undefined. */
enum {
    FIRST,    /* a status, or the whole first line */
    REASON,   /* of a status */
    LINES,    /* of the head, each with its end */
    FLAGS,    /* PH_HTTP_ADDITIONS */
    SECONDS,  /* that a kept connection waits */
    MOST,     /* requests on the connection */
    LENGTH,   /* of the body, for head(); respond() looks at the body */
    HANDLE,   /* where the answer goes; from here on for respond() */
    TRAILER,  /* lines behind a body in chunks */
    BODY,     /* text, bytes, or nothing */
    CALLBACK, /* when the system has taken what had to wait */
    SELF,     /* what that is called on */
    FIELD_COUNT
};

typedef struct {
    char few[1024];
    char* bytes;
    size_t length;
    size_t capacity;
    bool failed;
} text;

static void text_init(text* out) {
    out->bytes = out->few;
    out->length = 0;
    out->capacity = sizeof(out->few);
    out->failed = false;
}

static void text_release(text* out) {
    if (out->bytes != out->few)
        free(out->bytes);
}

static char* text_room(text* out, size_t length) {
    if (out->length + length > out->capacity) {
        size_t capacity = (out->length + length) * 2;
        char* bigger = malloc(capacity);
        if (bigger == NULL) {
            out->failed = true;
            return NULL;
        }
        memcpy(bigger, out->bytes, out->length);
        text_release(out);
        out->bytes = bigger;
        out->capacity = capacity;
    }
    return out->bytes + out->length;
}

static void add(text* out, const char* bytes, size_t length) {
    char* room = text_room(out, length);
    if (room != NULL) {
        memcpy(room, bytes, length);
        out->length += length;
    }
}

#define ADD(out, literal) add(out, literal, sizeof(literal) - 1)

static void add_number(text* out, uint64_t number, unsigned base) {
    char digits[32];
    size_t at = sizeof(digits);
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    add(out, digits + at, sizeof(digits) - at);
}

/* A string of Latin-1 characters, one byte each. Nothing else is asked for its text: that would run
 * JavaScript while the bytes of the body are in use. */
static void add_value(JSContext* ctx, text* out, JSValueConst value) {
    size_t length;
    if (!JS_IsString(value))
        return;
    const char* utf8 = JS_ToCStringLen(ctx, &length, value);
    char* room = utf8 == NULL ? NULL : text_room(out, length);
    if (room == NULL) {
        out->failed = true;
    } else if (memchr(utf8, 0xC3, length) == NULL && memchr(utf8, 0xC2, length) == NULL) {
        memcpy(room, utf8, length);
        out->length += length;
    } else {
        for (size_t i = 0; i < length; i++) {
            uint8_t c = (uint8_t)utf8[i];
            if ((c == 0xC2 || c == 0xC3) && i + 1 < length)
                c = (uint8_t)(c << 6 | (utf8[++i] & 0x3F));
            *room++ = (char)c;
        }
        out->length = (size_t)(room - out->bytes);
    }
    JS_FreeCString(ctx, utf8);
}

/* "Date: Sun, 06 Nov 1994 08:49:37 GMT", made once in a second. */
static void add_date(text* out) {
    static _Thread_local time_t made;
    static _Thread_local char line[64];
    static _Thread_local size_t length;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (now.tv_sec != made) {
        static const char days[] = "SunMonTueWedThuFriSat";
        static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
        struct tm date;
        gmtime_r(&now.tv_sec, &date);
        int size = snprintf(line, sizeof(line), "Date: %.3s, %02d %.3s %d %02d:%02d:%02d GMT\r\n",
                            days + (size_t)date.tm_wday * 3, date.tm_mday,
                            months + (size_t)date.tm_mon * 3, date.tm_year + 1900, date.tm_hour,
                            date.tm_min, date.tm_sec);
        length = (size_t)size;
        made = now.tv_sec;
    }
    add(out, line, length);
}

static void add_connection(JSContext* ctx, text* out, int flags, JSValueConst seconds,
                           JSValueConst most) {
    if ((flags & PH_HTTP_ADD_CLOSE) != 0)
        ADD(out, "Connection: close\r\n");
    if ((flags & PH_HTTP_ADD_KEEP_ALIVE) == 0)
        return;
    ADD(out, "Connection: keep-alive\r\n");
    if ((flags & PH_HTTP_ADD_TIMEOUT) == 0)
        return;
    ADD(out, "Keep-Alive: timeout=");
    add_number(out, (uint64_t)ph_number(ctx, seconds, 0), 10);
    int requests = ph_int(ctx, most, 0);
    if (requests > 0) {
        ADD(out, ", max=");
        add_number(out, (uint64_t)requests, 10);
    }
    ADD(out, "\r\n");
}

static void add_head(JSContext* ctx, text* out, const JSValueConst* fields, int flags,
                     uint64_t length) {
    if (JS_IsNumber(fields[FIRST])) {
        ADD(out, "HTTP/1.1 ");
        add_number(out, (uint64_t)ph_int(ctx, fields[FIRST], 200), 10);
        ADD(out, " ");
        add_value(ctx, out, fields[REASON]);
        ADD(out, "\r\n");
    } else {
        add_value(ctx, out, fields[FIRST]);
    }
    if ((flags & PH_HTTP_HEAD_IS_MADE) != 0)
        return;
    if (!JS_IsUndefined(fields[LINES]))
        add_value(ctx, out, fields[LINES]);
    if ((flags & PH_HTTP_ADD_DATE) != 0)
        add_date(out);
    add_connection(ctx, out, flags, fields[SECONDS], fields[MOST]);
    if ((flags & PH_HTTP_ADD_LENGTH) != 0) {
        ADD(out, "Content-Length: ");
        add_number(out, length, 10);
        ADD(out, "\r\n");
    } else if ((flags & PH_HTTP_ADD_CHUNKED) != 0) {
        ADD(out, "Transfer-Encoding: chunked\r\n");
    }
    ADD(out, "\r\n");
}

/* head(first, reason, lines, flags, seconds, most, length): the text */
static JSValue make_head(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    text out;
    text_init(&out);
    add_head(ctx, &out, argv, ph_int(ctx, argv[FLAGS], 0),
             (uint64_t)ph_number(ctx, argv[LENGTH], 0));
    JSValue made = out.failed ? JS_ThrowOutOfMemory(ctx) : ph_http_text(ctx, out.bytes, out.length);
    text_release(&out);
    return made;
}

typedef struct {
    const char* utf8; /* of a string */
    const char* bytes;
    size_t length;
} body;

static int take_body(JSContext* ctx, JSValueConst value, body* taken) {
    memset(taken, 0, sizeof(*taken));
    if (JS_IsString(value)) {
        taken->utf8 = taken->bytes = ph_text(ctx, value, &taken->length);
        return taken->utf8 == NULL ? -1 : 0;
    }
    if (!JS_IsObject(value))
        return 0;
    uint8_t* bytes;
    int status = ph_bytes(ctx, value, &bytes, &taken->length);
    taken->bytes = (const char*)bytes;
    return status;
}

/* The head, the body and what frames it, as pieces that lie one behind the other. */
static int send_answer(JSContext* ctx, ph_handle* handle, const JSValueConst* fields,
                       const body* taken, const ph_leftover* leftover) {
    int flags = ph_int(ctx, fields[FLAGS], 0);
    bool chunked = (flags & (PH_HTTP_ADD_CHUNKED | PH_HTTP_IN_CHUNKS)) != 0 && taken->bytes != NULL;
    text out;
    text_init(&out);
    add_head(ctx, &out, fields, flags, taken->length);
    if (chunked && taken->length > 0) {
        add_number(&out, taken->length, 16);
        ADD(&out, "\r\n");
    }
    size_t before = out.length;
    /* A small body is cheaper to copy than to send as a piece of its own. */
    bool copies = taken->length <= 512 && taken->bytes != NULL;
    if (copies)
        add(&out, taken->bytes, taken->length);
    if (chunked) {
        if (taken->length > 0)
            ADD(&out, "\r\n");
        ADD(&out, "0\r\n");
        add_value(ctx, &out, fields[TRAILER]);
        ADD(&out, "\r\n");
    }
    int status = UV_ENOMEM;
    if (!out.failed && (copies || taken->bytes == NULL)) {
        uv_buf_t whole = uv_buf_init(out.bytes, (unsigned)out.length);
        status = ph_stream_send_plain(handle, &whole, 1, leftover);
    } else if (!out.failed) {
        uv_buf_t pieces[] = {
            uv_buf_init(out.bytes, (unsigned)before),
            uv_buf_init((char*)taken->bytes, (unsigned)taken->length),
            uv_buf_init(out.bytes + before, (unsigned)(out.length - before)),
        };
        status = ph_stream_send_plain(handle, pieces, PH_COUNT(pieces), leftover);
    }
    text_release(&out);
    return status;
}

/* respond(all of them): a whole answer; the result is that of ph_stream_send. */
static JSValue respond(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JSValue result = JS_EXCEPTION;
    ph_handle* handle = ph_stream_get(ctx, argv[HANDLE]);
    body taken;
    if (handle != NULL && take_body(ctx, argv[BODY], &taken) == 0) {
        ph_leftover leftover = {JS_UNDEFINED, NULL, argv[CALLBACK], argv[SELF]};
        int status = send_answer(ctx, handle, argv, &taken, &leftover);
        JS_FreeCString(ctx, taken.utf8);
        if (!JS_HasException(ctx))
            result = JS_NewInt32(ctx, status);
    }
    return result;
}

/* send(handle, text, callback, self): a message that is there already, of Latin-1 characters */
static JSValue send_text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_stream_get(ctx, argv[0]);
    if (handle == NULL)
        return JS_EXCEPTION;
    text out;
    text_init(&out);
    add_value(ctx, &out, argv[1]);
    ph_leftover leftover = {JS_UNDEFINED, NULL, argv[2], argv[3]};
    uv_buf_t whole = uv_buf_init(out.bytes, (unsigned)out.length);
    int status = out.failed ? UV_ENOMEM : ph_stream_send_plain(handle, &whole, 1, &leftover);
    text_release(&out);
    return JS_HasException(ctx) ? JS_EXCEPTION : JS_NewInt32(ctx, status);
}

void ph_http_answer_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("head", HANDLE, make_head),
        JS_CFUNC_DEF("respond", FIELD_COUNT, respond),
        JS_CFUNC_DEF("send", 4, send_text),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
