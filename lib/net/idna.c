#include "net/idna.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "uv.h"

/* Where to write, and the end that is never passed. */
struct output {
    char* next;
    const char* end;
    bool overflow;
};

static void put(struct output* out, char c) {
    if (out->next == out->end)
        out->overflow = true;
    else
        *out->next++ = c;
}

static bool is_ascii(uint32_t point) {
    return point < 0x80;
}

static bool is_dot(uint32_t point) {
    return point == '.' || point == 0x3002 || point == 0xFF0E || point == 0xFF61;
}

/*
 * Takes one code point. UINT32_MAX: not UTF-8. The text ends with a zero, which is no continuation
 * byte, so nothing behind it is ever read.
 */
static uint32_t decode(const unsigned char** text) {
    const unsigned char* s = *text;
    uint32_t point = *s++;
    int more = 0;
    uint32_t least = 0; /* of those with two bytes the first tells */
    if (point >= 0xF0 && point <= 0xF4) {
        more = 3;
        least = 0x10000;
        point &= 0x07;
    } else if (point >= 0xE0 && point < 0xF0) {
        more = 2;
        least = 0x800;
        point &= 0x0F;
    } else if (point >= 0xC2 && point < 0xE0) {
        more = 1;
        point &= 0x1F;
    } else if (!is_ascii(point)) {
        return UINT32_MAX;
    }
    for (; more > 0; more--) {
        if ((*s & 0xC0) != 0x80)
            return UINT32_MAX;
        point = point << 6 | (*s++ & 0x3F);
    }
    *text = s;
    bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    return point < least || point > 0x10FFFF || surrogate ? UINT32_MAX : point;
}

/* RFC 3492, sections 5 and 6. */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, FIRST_BIAS = 72 };

static uint32_t adapt(uint32_t delta, uint32_t points, bool first) {
    delta /= first ? DAMP : 2;
    delta += delta / points;
    uint32_t k = 0;
    for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
        delta /= BASE - T_MIN;
    return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static void put_number(struct output* out, uint32_t number, uint32_t bias) {
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (uint32_t k = BASE;; k += BASE) {
        uint32_t t = T_MIN;
        if (k > bias)
            t = k - bias < T_MAX ? k - bias : T_MAX;
        if (number < t)
            break;
        put(out, digits[t + (number - t) % (BASE - t)]);
        number = (number - t) / (BASE - t);
    }
    put(out, digits[number]);
}

static uint32_t smallest_from(const uint32_t* label, size_t length, uint32_t least) {
    uint32_t found = UINT32_MAX;
    for (size_t i = 0; i < length; i++)
        if (label[i] >= least && label[i] < found)
            found = label[i];
    return found;
}

/* A label has fewer than PH_HOST_NAME_SIZE points below 2^21, so `delta` stays below 2^30. */
static void put_punycode(struct output* out, const uint32_t* label, size_t length) {
    uint32_t handled = 0;
    for (const char* prefix = "xn--"; *prefix != '\0'; prefix++)
        put(out, *prefix);
    for (size_t i = 0; i < length; i++) {
        if (!is_ascii(label[i]))
            continue;
        put(out, (char)label[i]);
        handled++;
    }
    uint32_t basic = handled;
    if (basic > 0)
        put(out, '-');
    uint32_t bias = FIRST_BIAS;
    uint32_t delta = 0;
    for (uint32_t n = 0x80; handled < length; n++, delta++) {
        uint32_t next = smallest_from(label, length, n);
        delta += (next - n) * (handled + 1);
        n = next;
        for (size_t i = 0; i < length; i++) {
            if (label[i] < n)
                delta++;
            if (label[i] != n)
                continue;
            put_number(out, delta, bias);
            bias = adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled++;
        }
    }
}

static void put_label(struct output* out, const uint32_t* label, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!is_ascii(label[i])) {
            put_punycode(out, label, length);
            return;
        }
    }
    for (size_t i = 0; i < length; i++)
        put(out, (char)label[i]);
}

/* How many points; each becomes at least one character, so more than fit are too many. */
static int decode_all(const char* name, uint32_t* points, size_t room) {
    const unsigned char* text = (const unsigned char*)name;
    size_t count = 0;
    while (*text != '\0') {
        uint32_t point = decode(&text);
        if (point == UINT32_MAX)
            return UV_EINVAL;
        if (count == room)
            return UV_EINVAL;
        points[count++] = point;
    }
    return (int)count;
}

int ph_idna_to_ascii(const char* name, char* ascii, size_t size) {
    uint32_t points[PH_HOST_NAME_SIZE - 1];
    struct output out = {.next = ascii, .end = ascii + size};
    int count = decode_all(name, points, PH_HOST_NAME_SIZE - 1);
    if (count <= 0)
        return count == 0 ? UV_EINVAL : count;
    size_t start = 0;
    for (size_t i = 0; i < (size_t)count; i++) {
        if (!is_dot(points[i]))
            continue;
        put_label(&out, points + start, i - start);
        put(&out, '.');
        start = i + 1;
    }
    put_label(&out, points + start, (size_t)count - start);
    put(&out, '\0');
    return out.overflow ? UV_EINVAL : (int)(out.next - ascii) - 1;
}
