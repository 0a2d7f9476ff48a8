/* Atomic operations on memory. */
#ifndef PH_WASM_ATOMICS_H
#define PH_WASM_ATOMICS_H

#include "plugins/wasm/wasm.h"

/* What is done; each with the seven widths below, in the order of the format. */
typedef enum {
    ATOMIC_LOAD,
    ATOMIC_STORE,
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCHANGE,
    ATOMIC_COMPARE,
    ATOMIC_KINDS
} wasm_atomic_kind;

enum { WASM_ATOMIC_WIDTHS = 7 };
typedef struct {
    uint8_t size;
    wasm_type type;
} wasm_atomic_width;
extern const wasm_atomic_width wasm_atomic_widths[WASM_ATOMIC_WIDTHS];

/* Gives what was there before. Of ATOMIC_COMPARE, `value` replaces what equals `expected`. */
uint64_t wasm_atomic(wasm_atomic_kind kind, unsigned size, void* at, uint64_t value,
                     uint64_t expected);

#endif
