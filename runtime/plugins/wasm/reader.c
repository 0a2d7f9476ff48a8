#include "plugins/wasm/reader.h"

#include <stdarg.h>
#include <stdio.h>

bool wasm_fail_at(wasm_reader* r, uint32_t at, const char* format, ...) {
    if (!wasm_failed(r)) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(r->problem->text, sizeof(r->problem->text), format, arguments);
        va_end(arguments);
        r->problem->at = at;
    }
    r->at = r->end;
    return false;
}

uint8_t wasm_read_byte(wasm_reader* r, const char* what) {
    if (r->at < r->end)
        return *r->at++;
    wasm_fail(r, "expected 1 byte (%s)", what);
    return 0;
}

/* LEB128 of a number with so many bits; the bits that the last byte has too many must be copies of
 * the sign. */
static int64_t read_signed(wasm_reader* r, unsigned bits, const char* what) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint32_t at = wasm_position(r);
        uint8_t byte = wasm_read_byte(r, what);
        if (wasm_failed(r))
            return 0;
        value |= (uint64_t)(byte & 0x7f) << shift;
        bool is_last = shift + 7 >= bits;
        if (is_last) {
            unsigned used = bits - shift; /* of this byte, with the sign */
            uint8_t above = (uint8_t)((byte & 0x7f) >> (used - 1));
            uint8_t all = (uint8_t)(0x7f >> (used - 1));
            if ((byte & 0x80) != 0)
                return wasm_fail_at(r, at, "invalid LEB128, length overflow while decoding %s",
                                    what);
            if (above != 0 && above != all)
                return wasm_fail_at(r, at, "extra bits in varint");
        }
        if ((byte & 0x80) == 0) {
            unsigned read = shift + 7;
            if (read < 64 && (byte & 0x40) != 0)
                value |= ~(uint64_t)0 << read;
            return (int64_t)value;
        }
    }
}

uint32_t wasm_read_u32(wasm_reader* r, const char* what) {
    uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint32_t at = wasm_position(r);
        uint8_t byte = wasm_read_byte(r, what);
        value |= (uint32_t)(byte & 0x7f) << shift;
        if (shift == 28 && (byte & 0x80) != 0)
            return wasm_fail_at(r, at, "invalid LEB128, length overflow while decoding %s", what);
        if (shift == 28 && (byte & 0x70) != 0)
            return wasm_fail_at(r, at, "extra bits in varint");
        if ((byte & 0x80) == 0)
            return value;
    }
}

int32_t wasm_read_i32(wasm_reader* r) {
    return (int32_t)read_signed(r, 32, "immi32");
}
int64_t wasm_read_i64(wasm_reader* r) {
    return read_signed(r, 64, "immi64");
}
int64_t wasm_read_i33(wasm_reader* r) {
    return read_signed(r, 33, "block type");
}

const uint8_t* wasm_read_bytes(wasm_reader* r, uint32_t count, const char* what) {
    const uint8_t* bytes = r->at;
    if ((size_t)(r->end - r->at) < count) {
        wasm_fail(r, "expected %u bytes (%s), fell off end", (unsigned)count, what);
        return NULL;
    }
    r->at += count;
    return bytes;
}

/* The length of the sequence that begins here, 0 if it is no UTF-8. */
static unsigned sequence(const uint8_t* at, const uint8_t* end) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (at[0] > 0xf4 || length == 0 || (size_t)(end - at) < length)
        return 0;
    uint32_t point = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (at[i] & 0x3f);
    }
    bool is_surrogate = point >= 0xd800 && point < 0xe000;
    return point < least[length] || point > 0x10ffff || is_surrogate ? 0 : length;
}

wasm_name wasm_read_name(wasm_reader* r, const char* what) {
    uint32_t length = wasm_read_u32(r, what);
    uint32_t start = wasm_position(r);
    const uint8_t* bytes = wasm_read_bytes(r, length, what);
    if (bytes == NULL)
        return (wasm_name){(const uint8_t*)"", 0};
    const uint8_t* end = bytes + length;
    for (const uint8_t* at = bytes; at < end;) {
        unsigned step = sequence(at, end);
        if (step == 0) {
            wasm_fail_at(r, start, "invalid UTF-8 string (%s)", what);
            return (wasm_name){(const uint8_t*)"", 0};
        }
        at += step;
    }
    return (wasm_name){bytes, length};
}

wasm_type wasm_read_type(wasm_reader* r) {
    uint32_t at = wasm_position(r);
    uint8_t type = wasm_read_byte(r, "value type");
    if ((type <= WASM_I32 && type >= WASM_V128) || wasm_is_reference(type))
        return type;
    wasm_fail_at(r, at, "invalid value type 0x%x", type);
    return WASM_I32;
}

wasm_type wasm_read_reference(wasm_reader* r) {
    uint32_t at = wasm_position(r);
    uint8_t type = wasm_read_byte(r, "reference type");
    if (!wasm_is_reference(type))
        wasm_fail_at(r, at, "invalid reference type 0x%x", type);
    return wasm_failed(r) ? WASM_FUNCREF : type;
}

uint32_t wasm_read_count(wasm_reader* r, const char* what, uint32_t most) {
    uint32_t at = wasm_position(r);
    uint32_t count = wasm_read_u32(r, what);
    if (count > most)
        wasm_fail_at(r, at, "%s of %u exceeds internal limit of %u", what, (unsigned)count,
                     (unsigned)most);
    else if (count > (size_t)(r->end - r->at))
        wasm_fail_at(r, at, "%s of %u exceeds the bytes that are left", what, (unsigned)count);
    return wasm_failed(r) ? 0 : count;
}

const char* wasm_type_name(wasm_type type) {
    switch (type) {
    case WASM_I32:
        return "i32";
    case WASM_I64:
        return "i64";
    case WASM_F32:
        return "f32";
    case WASM_F64:
        return "f64";
    case WASM_V128:
        return "v128";
    case WASM_FUNCREF:
        return "funcref";
    case WASM_EXTERNREF:
        return "externref";
    default:
        return "<bot>";
    }
}
