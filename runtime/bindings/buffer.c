/* Bytes and text: the encodings of Buffer. */
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"

typedef enum { UTF8, UCS2, LATIN1, ASCII, BASE64, BASE64URL, HEX } encoding;

static int hex_digit(unsigned c) {
    if (c >= '0' && c <= '9')
        return (int)c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? (int)c - 'a' + 10 : -1;
}

static int base64_digit(unsigned c) {
    if (c >= 'A' && c <= 'Z')
        return (int)c - 'A';
    if (c >= 'a' && c <= 'z')
        return (int)c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return (int)c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

static size_t decode_base64(const char* text, size_t length, uint8_t* out) {
    size_t made = 0;
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        int digit = base64_digit((unsigned char)text[i]);
        if (digit < 0)
            continue;
        bits = bits << 6 | (uint32_t)digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out[made++] = (uint8_t)(bits >> count);
        }
    }
    return made;
}

static size_t decode_hex(const char* text, size_t length, uint8_t* out) {
    size_t made = 0;
    for (size_t i = 0; i + 1 < length; i += 2) {
        int high = hex_digit((unsigned char)text[i]);
        int low = hex_digit((unsigned char)text[i + 1]);
        if (high < 0 || low < 0)
            break;
        out[made++] = (uint8_t)(high << 4 | low);
    }
    return made;
}

/* Text as bytes from malloc; NULL and an exception on failure. */
static uint8_t* encode(JSContext* ctx, JSValueConst value, int kind, size_t* made) {
    size_t length;
    if (kind == UCS2 || kind == LATIN1 || kind == ASCII) {
        const uint16_t* units = JS_ToCStringLenUTF16(ctx, &length, value);
        uint8_t* bytes = units == NULL ? NULL : malloc(length * 2 + 1);
        if (bytes != NULL && kind == UCS2)
            memcpy(bytes, units, length * 2);
        for (size_t i = 0; bytes != NULL && kind != UCS2 && i < length; i++)
            bytes[i] = (uint8_t)units[i];
        if (units != NULL)
            JS_FreeCStringUTF16(ctx, units);
        *made = kind == UCS2 ? length * 2 : length;
        return bytes;
    }
    const char* text = ph_text(ctx, value, &length);
    uint8_t* bytes = text == NULL ? NULL : malloc(length + 1);
    *made = length;
    if (bytes != NULL && kind == UTF8) {
        memcpy(bytes, text, length);
    } else if (bytes != NULL) {
        *made = kind == HEX ? decode_hex(text, length, bytes) : decode_base64(text, length, bytes);
    }
    JS_FreeCString(ctx, text);
    return bytes;
}

/* fromString(text, encoding): a Buffer */
static JSValue from_string(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    size_t length;
    uint8_t* bytes = encode(ctx, argv[0], ph_int(ctx, argv[1], UTF8), &length);
    if (bytes == NULL)
        return JS_EXCEPTION;
    return ph_buffer(ph_env_of(ctx), bytes, length);
}

/* write(buffer, text, encoding, offset, length): bytes written; never part of a character */
static JSValue write_string(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* target;
    size_t size;
    size_t length;
    int kind = ph_int(ctx, argv[2], UTF8);
    /* The text first: an object that gives it may do anything to the buffer. */
    uint8_t* bytes = encode(ctx, argv[1], kind, &length);
    if (bytes == NULL)
        return JS_EXCEPTION;
    if (ph_bytes(ctx, argv[0], &target, &size) != 0) {
        free(bytes);
        return JS_EXCEPTION;
    }
    size_t offset = ph_index(ctx, argv[3], 0, size);
    size_t room = ph_index(ctx, argv[4], size, size - offset);
    if (length > room) {
        length = kind == UCS2 ? room & ~(size_t)1 : room;
        while (kind == UTF8 && length > 0 && (bytes[length] & 0xC0) == 0x80)
            length--;
    }
    if (length > 0)
        memcpy(target + offset, bytes, length);
    free(bytes);
    return JS_NewInt64(ctx, (int64_t)length);
}

static JSValue byte_length(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    size_t length;
    int kind = ph_int(ctx, argv[1], UTF8);
    if (kind == UTF8) {
        const char* text = JS_ToCStringLen(ctx, &length, argv[0]);
        if (text == NULL)
            return JS_EXCEPTION;
        JS_FreeCString(ctx, text);
        return JS_NewInt64(ctx, (int64_t)length);
    }
    uint8_t* bytes = encode(ctx, argv[0], kind, &length);
    if (bytes == NULL)
        return JS_EXCEPTION;
    free(bytes);
    return JS_NewInt64(ctx, (int64_t)length);
}

/* The length of the well-formed UTF-8 sequence at the start, or 0 and how many bytes are to be
 * replaced by one U+FFFD (the longest beginning of a sequence). */
static size_t utf8_sequence(const uint8_t* s, size_t length, size_t* bad) {
    uint8_t lead = s[0];
    size_t need = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    *bad = 1;
    if (need == 0 || lead > 0xF4)
        return 0;
    for (size_t i = 1; i < need; i++) {
        uint8_t low = 0x80;
        uint8_t high = 0xBF;
        if (i == 1) {
            low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        }
        if (i >= length || s[i] < low || s[i] > high)
            return 0;
        *bad = i + 1;
    }
    return need;
}

static JSValue decode_utf8(JSContext* ctx, const uint8_t* bytes, size_t length) {
    static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD}; /* U+FFFD */
    size_t good = 0;
    size_t bad;
    while (good < length) {
        size_t step = bytes[good] < 0x80 ? 1 : utf8_sequence(bytes + good, length - good, &bad);
        if (step == 0)
            break;
        good += step;
    }
    if (good == length)
        return JS_NewStringLen(ctx, (const char*)bytes, length);
    char* fixed = malloc(length * 3 + 1);
    if (fixed == NULL)
        return JS_ThrowOutOfMemory(ctx);
    size_t made = 0;
    for (size_t i = 0; i < length;) {
        size_t step = utf8_sequence(bytes + i, length - i, &bad);
        if (step == 0)
            memcpy(fixed + made, replacement, sizeof(replacement));
        else
            memcpy(fixed + made, bytes + i, step);
        made += step == 0 ? sizeof(replacement) : step;
        i += step == 0 ? bad : step;
    }
    JSValue text = JS_NewStringLen(ctx, fixed, made);
    free(fixed);
    return text;
}

static size_t encode_base64(const uint8_t* bytes, size_t length, char* out, bool url) {
    const char* digits = url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
                             : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t made = 0;
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? bytes[i + 2] : 0;
        for (size_t k = 0; k < 4; k++) {
            if (k <= left)
                out[made++] = digits[bits >> (18 - 6 * k) & 63];
            else if (!url)
                out[made++] = '=';
        }
    }
    return made;
}

static JSValue decode(JSContext* ctx, const uint8_t* bytes, size_t length, int kind) {
    if (kind == UTF8)
        return decode_utf8(ctx, bytes, length);
    if (kind == UCS2 && ((uintptr_t)bytes & 1) == 0)
        return JS_NewStringUTF16(ctx, (const uint16_t*)bytes, length / 2);
    uint8_t* out = malloc(length * 2 + 8);
    if (out == NULL)
        return JS_ThrowOutOfMemory(ctx);
    JSValue text;
    if (kind == HEX) {
        for (size_t i = 0; i < length; i++) {
            out[i * 2] = (uint8_t) "0123456789abcdef"[bytes[i] >> 4];
            out[i * 2 + 1] = (uint8_t) "0123456789abcdef"[bytes[i] & 15];
        }
        text = JS_NewStringLen(ctx, (char*)out, length * 2);
    } else if (kind == BASE64 || kind == BASE64URL) {
        size_t made = encode_base64(bytes, length, (char*)out, kind == BASE64URL);
        text = JS_NewStringLen(ctx, (char*)out, made);
    } else if (kind == UCS2) {
        memcpy(out, bytes, length);
        text = JS_NewStringUTF16(ctx, (uint16_t*)out, length / 2);
    } else {
        for (size_t i = 0; i < length; i++)
            ((uint16_t*)out)[i] = kind == ASCII ? bytes[i] & 127 : bytes[i];
        text = JS_NewStringUTF16(ctx, (uint16_t*)out, length);
    }
    free(out);
    return text;
}

/* toString(buffer, encoding, start, end) */
static JSValue to_string(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t size;
    if (ph_bytes(ctx, argv[0], &bytes, &size) != 0)
        return JS_EXCEPTION;
    size_t start = ph_index(ctx, argv[2], 0, size);
    size_t end = ph_index(ctx, argv[3], size, size);
    if (start >= end)
        return JS_NewString(ctx, "");
    return decode(ctx, bytes + start, end - start, ph_int(ctx, argv[1], UTF8));
}

static JSValue compare(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* a;
    uint8_t* b;
    size_t a_size;
    size_t b_size;
    if (ph_bytes(ctx, argv[0], &a, &a_size) != 0 || ph_bytes(ctx, argv[1], &b, &b_size) != 0)
        return JS_EXCEPTION;
    size_t common = a_size < b_size ? a_size : b_size;
    int order = common == 0 ? 0 : memcmp(a, b, common);
    if (order == 0)
        order = a_size < b_size ? -1 : a_size > b_size;
    return JS_NewInt32(ctx, order < 0 ? -1 : order > 0);
}

/* indexOf(buffer, bytes, from, forward) */
static JSValue index_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* hay;
    uint8_t* needle;
    size_t size;
    size_t length;
    if (ph_bytes(ctx, argv[0], &hay, &size) != 0 || ph_bytes(ctx, argv[1], &needle, &length) != 0)
        return JS_EXCEPTION;
    size_t from = ph_index(ctx, argv[2], 0, size);
    if (length > size)
        return JS_NewInt32(ctx, -1);
    if (ph_flag(ctx, argv[3])) {
        uint8_t* found = memmem(hay + from, size - from, needle, length);
        return JS_NewInt64(ctx, found == NULL ? -1 : found - hay);
    }
    size_t last = size - length;
    for (size_t i = from < last ? from + 1 : last + 1; i > 0; i--)
        if (memcmp(hay + i - 1, needle, length) == 0)
            return JS_NewInt64(ctx, (int64_t)i - 1);
    return JS_NewInt32(ctx, -1);
}

/* copy(source, target, targetStart, sourceStart, count) */
static JSValue copy(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* from;
    uint8_t* to;
    size_t from_size;
    size_t to_size;
    if (ph_bytes(ctx, argv[0], &from, &from_size) != 0 ||
        ph_bytes(ctx, argv[1], &to, &to_size) != 0)
        return JS_EXCEPTION;
    size_t at = ph_index(ctx, argv[2], 0, to_size);
    size_t start = ph_index(ctx, argv[3], 0, from_size);
    size_t count = ph_index(ctx, argv[4], 0, to_size - at);
    memmove(to + at, from + start, count < from_size - start ? count : from_size - start);
    return JS_UNDEFINED;
}

static JSValue set_prototype(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    JS_FreeValue(ctx, env->bytes.prototype);
    env->bytes.prototype = JS_DupValue(ctx, argv[0]);
    JSValue any = JS_NewUint8ArrayCopy(ctx, (const uint8_t*)"", 0);
    env->bytes.class_id = JS_GetClassID(any);
    JS_FreeValue(ctx, any);
    return JS_UNDEFINED;
}

/* alloc(size): a Buffer whose bytes are not cleared */
static JSValue alloc(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    enum { MOST = INT32_MAX }; /* the engine's */
    double wanted = ph_number(ctx, argv[0], 0);
    size_t size = ph_index(ctx, argv[0], 0, MOST);
    void* bytes = NULL;
    if (wanted <= MOST)
        bytes = ph_flag(ctx, argv[1]) ? calloc(1, size + 1) : malloc(size + 1);
    if (bytes == NULL)
        return JS_ThrowRangeError(ctx, "Array buffer allocation failed");
    return ph_buffer(ph_env_of(ctx), bytes, size);
}

JSValue ph_buffer_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("fromString", 2, from_string),
        JS_CFUNC_DEF("write", 5, write_string),
        JS_CFUNC_DEF("byteLength", 2, byte_length),
        JS_CFUNC_DEF("toString", 4, to_string),
        JS_CFUNC_DEF("compare", 2, compare),
        JS_CFUNC_DEF("indexOf", 4, index_of),
        JS_CFUNC_DEF("copy", 5, copy),
        JS_CFUNC_DEF("setPrototype", 1, set_prototype),
        JS_CFUNC_DEF("alloc", 2, alloc),
    };
    return PH_EXPORT(ctx, functions);
}
