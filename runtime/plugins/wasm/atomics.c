#include "plugins/wasm/atomics.h"

const wasm_atomic_width wasm_atomic_widths[WASM_ATOMIC_WIDTHS] = {
    {4, WASM_I32}, {8, WASM_I64}, {1, WASM_I32}, {2, WASM_I32},
    {1, WASM_I64}, {2, WASM_I64}, {4, WASM_I64}};

#define DEFINE(bits)                                                                               \
    static uint64_t atomic_##bits(wasm_atomic_kind kind, uint##bits##_t* at, uint##bits##_t value, \
                                  uint64_t expected) {                                             \
        uint##bits##_t found = (uint##bits##_t)expected;                                           \
        switch (kind) {                                                                            \
        case ATOMIC_LOAD:                                                                          \
            return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                          \
        case ATOMIC_STORE:                                                                         \
            __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                         \
            return 0;                                                                              \
        case ATOMIC_ADD:                                                                           \
            return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);                                \
        case ATOMIC_SUB:                                                                           \
            return __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);                                \
        case ATOMIC_AND:                                                                           \
            return __atomic_fetch_and(at, value, __ATOMIC_SEQ_CST);                                \
        case ATOMIC_OR:                                                                            \
            return __atomic_fetch_or(at, value, __ATOMIC_SEQ_CST);                                 \
        case ATOMIC_XOR:                                                                           \
            return __atomic_fetch_xor(at, value, __ATOMIC_SEQ_CST);                                \
        case ATOMIC_EXCHANGE:                                                                      \
            return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                               \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
        __atomic_compare_exchange_n(at, &found, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return found;                                                                              \
    }
DEFINE(8)
DEFINE(16)
DEFINE(32)
DEFINE(64)

uint64_t wasm_atomic(wasm_atomic_kind kind, unsigned size, void* at, uint64_t value,
                     uint64_t expected) {
    switch (size) {
    case 1:
        return atomic_8(kind, at, (uint8_t)value, expected);
    case 2:
        return atomic_16(kind, at, (uint16_t)value, expected);
    case 4:
        return atomic_32(kind, at, (uint32_t)value, expected);
    default:
        return atomic_64(kind, at, value, expected);
    }
}
