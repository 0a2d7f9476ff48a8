/* The interpreter's code: words of 32 bits, an operation and its operands. An operand is the number
 * of a slot of the frame unless it says otherwise; the result's slot comes first.
 *
 * A frame's slots are its parameters, its locals and then a place for each value that may be on the
 * operand stack. A local that is only read is no instruction of its own: whoever uses it names its
 * slot. The arguments of a call lie where the frame of the called begins. */
#ifndef PH_WASM_CODE_H
#define PH_WASM_CODE_H

#include "plugins/wasm/wasm.h"

/* Those with an operation of their own beside numbers.def. */
#define WASM_PLAIN_OPS(OP)                                                                         \
    OP(UNREACHABLE)                                                                                \
    OP(COPY)          /* to, from */                                                               \
    OP(COPY_PAIR)     /* the same of a vector */                                                   \
    OP(CONST_32)      /* to, value */                                                              \
    OP(CONST_64)      /* to, low, high */                                                          \
    OP(CONST_128)     /* to, four words */                                                         \
    OP(BRANCH)        /* distance from this word */                                                \
    OP(BRANCH_IF)     /* slot, distance */                                                         \
    OP(BRANCH_UNLESS) /* slot, distance */                                                         \
    OP(BRANCH_TABLE)  /* slot, count, distances; the last one is for all others */                 \
    OP(RETURN)                                                                                     \
    OP(RETURN_ONE)           /* slot */                                                            \
    OP(RETURN_MANY)          /* first slot, how many */                                            \
    OP(CALL)                 /* function, slot of the first argument */                            \
    OP(CALL_INDIRECT)        /* type, table, slot, slot of the first argument */                   \
    OP(RETURN_CALL)          /* as CALL */                                                         \
    OP(RETURN_CALL_INDIRECT) /* as CALL_INDIRECT */                                                \
    OP(SELECT)               /* to, a, b, condition */                                             \
    OP(SELECT_PAIR)                                                                                \
    OP(GLOBAL_GET) /* to, global */                                                                \
    OP(GLOBAL_GET_PAIR)                                                                            \
    OP(GLOBAL_SET) /* from, global */                                                              \
    OP(GLOBAL_SET_PAIR)                                                                            \
    OP(TABLE_GET)     /* to, table, index */                                                       \
    OP(TABLE_SET)     /* table, index, from */                                                     \
    OP(TABLE_SIZE)    /* to, table */                                                              \
    OP(TABLE_GROW)    /* to, table, value, count */                                                \
    OP(TABLE_FILL)    /* table, at, value, count */                                                \
    OP(TABLE_COPY)    /* to table, from table, to, from, count */                                  \
    OP(TABLE_INIT)    /* table, segment, to, from, count */                                        \
    OP(ELEM_DROP)     /* segment */                                                                \
    OP(MEMORY_SIZE)   /* to */                                                                     \
    OP(MEMORY_GROW)   /* to, pages */                                                              \
    OP(MEMORY_FILL)   /* at, value, count */                                                       \
    OP(MEMORY_COPY)   /* to, from, count */                                                        \
    OP(MEMORY_INIT)   /* segment, to, from, count */                                               \
    OP(DATA_DROP)     /* segment */                                                                \
    OP(REF_FUNC)      /* to, function */                                                           \
    OP(REF_IS_NULL)   /* to, from */                                                               \
    OP(VECTOR)        /* to, number, a, b, c, lane */                                              \
    OP(VECTOR_NUMBER) /* the same, and gives a number */                                           \
    OP(VECTOR_LOAD)   /* to, number, address, offset, vector, lane */                              \
    OP(VECTOR_STORE)  /* size, address, from, offset, which byte */                                \
    OP(SHUFFLE)       /* to, a, b, four words */                                                   \
    OP(ATOMIC)        /* to, kind and size << 8 and whether 32 bits << 16, address, offset, value, \
                         expected */                                                               \
    OP(WAIT)          /* to, address, offset, expected, timeout, whether 64 bits */                \
    OP(NOTIFY)        /* to, address, offset, count, -, - */

typedef enum {
#define OP(name) OP_##name,
    WASM_PLAIN_OPS(OP)
#undef OP
#define INT(byte, name, bits, result) OP_##name, OP_##name##_C,
#define COMPARE(byte, name, bits, result, opposite) \
    OP_##name, OP_##name##_C, OP_IF_##name, OP_IF_##name##_C,
#define INT_PAIR(byte, name, bits, result) OP_##name,
#define FLOAT(byte, name, type, result) OP_##name,
#define FLOAT_COMPARE(byte, name, type, result) OP_##name,
#define ONE(byte, name, from, to, result) OP_##name,
#define DIVIDE(byte, name, bits, zero, large, result) OP_##name,
#define TRUNCATE(byte, name, from, to, above, below, c) OP_##name,
#define SATURATE(byte, name, from, to, low, above, least, most, c) OP_##name,
#define LOAD(byte, name, c, type, slot) OP_##name,
#define STORE(byte, name, c, type) OP_##name,
#include "plugins/wasm/numbers.def"
#include "plugins/wasm/numbers_end.def"
        OP_COUNT
} wasm_op;

#endif
