#ifndef PH_TOOLS_TRACE_CURSOR_H
#define PH_TOOLS_TRACE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers from a payload; `at` stays at `end` once it has gone too far, and `bad` is set. */
struct cursor {
    const unsigned char* at;
    const unsigned char* end;
    bool bad;
};

static inline uint64_t get_varint(struct cursor* from) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (from->at == from->end)
            break;
        unsigned char byte = *from->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    from->bad = true;
    from->at = from->end;
    return 0;
}

static inline uint64_t get_delta(struct cursor* from, uint64_t* last) {
    uint64_t zigzag = get_varint(from);
    *last += zigzag >> 1 ^ (0 - (zigzag & 1));
    return *last;
}

static inline const unsigned char* get_bytes(struct cursor* from, uint64_t size) {
    const unsigned char* bytes = from->at;
    if (size > (uint64_t)(from->end - from->at)) {
        from->bad = true;
        from->at = from->end;
        return NULL;
    }
    from->at += size;
    return bytes;
}

#endif
