/*
 * UTF-16 to WTF-8 and back. WTF-8 is UTF-8 that may also hold lone surrogates, so that any sequence
 * of 16-bit units, however broken, survives the way there and back.
 */

#include "base/alloc.h"
#include "uv.h"

/* The next code point of `*source`; `*left` counts the units, or is negative: up to a NUL. */
static uint32_t next_of_utf16(const uint16_t** source, ssize_t* left) {
    uint32_t high = *(*source)++;
    if (*left > 0)
        --*left;
    if (high < 0xD800 || high > 0xDBFF || *left == 0)
        return high;
    uint32_t low = **source;
    if (low < 0xDC00 || low > 0xDFFF)
        return high;
    ++*source;
    if (*left > 0)
        --*left;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

static int at_end(const uint16_t* source, ssize_t left) {
    return left == 0 || (left < 0 && *source == 0);
}

static size_t wtf8_size(uint32_t code_point) {
    return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
}

static void encode_wtf8(uint32_t code_point, size_t size, char* target) {
    static const unsigned char first_byte[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    for (size_t i = size - 1; i > 0; i--) {
        target[i] = (char)(0x80 | (code_point & 0x3F));
        code_point >>= 6;
    }
    target[0] = (char)(first_byte[size] | code_point);
}

size_t uv_utf16_length_as_wtf8(const uint16_t* w_source_ptr, ssize_t w_source_len) {
    size_t length = 0;
    while (!at_end(w_source_ptr, w_source_len))
        length += wtf8_size(next_of_utf16(&w_source_ptr, &w_source_len));
    return length;
}

/* Lengths are without the NUL, for which the target needs one byte more. What does not fit is left
 * out by whole characters. */
int uv_utf16_to_wtf8(const uint16_t* w_source_ptr, ssize_t w_source_len, char** target_ptr,
                     size_t* target_len_ptr) {
    size_t room;
    size_t ignored;
    if (w_source_ptr == NULL)
        return UV_EINVAL;
    if (target_ptr == NULL || *target_ptr == NULL) {
        room = uv_utf16_length_as_wtf8(w_source_ptr, w_source_len);
        if (target_ptr != NULL && (*target_ptr = ph_malloc(room + 1)) == NULL)
            return UV_ENOMEM;
        if (target_len_ptr == NULL)
            target_len_ptr = &ignored;
        *target_len_ptr = room;
        if (target_ptr == NULL)
            return 0;
    } else if (target_len_ptr == NULL) {
        return UV_EINVAL;
    } else {
        room = *target_len_ptr;
    }

    char* target = *target_ptr;
    size_t length = 0;
    while (!at_end(w_source_ptr, w_source_len)) {
        const uint16_t* here = w_source_ptr;
        ssize_t left = w_source_len;
        uint32_t code_point = next_of_utf16(&w_source_ptr, &w_source_len);
        size_t size = wtf8_size(code_point);
        if (size > room - length) {
            target[length] = '\0';
            *target_len_ptr = length + uv_utf16_length_as_wtf8(here, left);
            return UV_ENOBUFS;
        }
        encode_wtf8(code_point, size, target + length);
        length += size;
    }
    target[length] = '\0';
    *target_len_ptr = length;
    return 0;
}

/* The next code point, surrogates included, or -1 and no step: a stray or missing continuation
 * byte, a sequence longer than needed, or a value beyond Unicode. */
static int32_t next_of_wtf8(const unsigned char** source) {
    static const int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char* s = *source;
    size_t size;
    int32_t value;
    if (s[0] < 0x80) {
        size = 1;
        value = s[0];
    } else if (s[0] >= 0xC2 && s[0] <= 0xDF) {
        size = 2;
        value = s[0] & 0x1F;
    } else if (s[0] >= 0xE0 && s[0] <= 0xEF) {
        size = 3;
        value = s[0] & 0x0F;
    } else if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        size = 4;
        value = s[0] & 0x07;
    } else {
        return -1;
    }
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return -1;
        value = value << 6 | (s[i] & 0x3F);
    }
    if (value < smallest[size] || value > 0x10FFFF)
        return -1;
    *source += size;
    return value;
}

/* In units, with the NUL; UV_EINVAL if the source is not WTF-8. */
ssize_t uv_wtf8_length_as_utf16(const char* source_ptr) {
    const unsigned char* source = (const unsigned char*)source_ptr;
    ssize_t length = 0;
    for (;;) {
        int32_t code_point = next_of_wtf8(&source);
        if (code_point < 0)
            return UV_EINVAL;
        length += code_point > 0xFFFF ? 2 : 1;
        if (code_point == 0)
            return length;
    }
}

/* `w_target_len` should be what uv_wtf8_length_as_utf16 said; with less, or with a source that is
 * not WTF-8, the result ends early. It always ends with a NUL if there is room for anything. */
void uv_wtf8_to_utf16(const char* source_ptr, uint16_t* w_target, size_t w_target_len) {
    const unsigned char* source = (const unsigned char*)source_ptr;
    if (w_target_len == 0)
        return;
    size_t room = w_target_len - 1;
    for (;;) {
        int32_t code_point = next_of_wtf8(&source);
        size_t units = code_point > 0xFFFF ? 2 : 1;
        if (code_point <= 0 || units > room)
            break;
        if (units == 2) {
            *w_target++ = (uint16_t)(0xD800 + ((code_point - 0x10000) >> 10));
            *w_target++ = (uint16_t)(0xDC00 + ((code_point - 0x10000) & 0x3FF));
        } else {
            *w_target++ = (uint16_t)code_point;
        }
        room -= units;
    }
    *w_target = 0;
}
