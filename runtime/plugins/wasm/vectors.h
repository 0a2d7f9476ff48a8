/* Vectors of 128 bits. Their instructions are functions: the interpreter has one instruction that
 * calls them. */
#ifndef PH_WASM_VECTORS_H
#define PH_WASM_VECTORS_H

#include <math.h>

#include "plugins/wasm/wasm.h"

typedef union {
    uint8_t u8[16];
    int8_t i8[16];
    uint16_t u16[8];
    int16_t i16[8];
    uint32_t u32[4];
    int32_t i32[4];
    uint64_t u64[2];
    int64_t i64[2];
    float f32[4];
    double f64[2];
} wasm_vector;

typedef void wasm_vector_function(wasm_vector* r, const wasm_vector* a, const wasm_vector* b,
                                  const wasm_vector* c, uint32_t lane);

typedef enum {
    NO_VECTOR,
    VECTOR_ONE,
    VECTOR_TWO,
    VECTOR_THREE,
    VECTOR_SHIFT,   /* a vector and a number */
    VECTOR_TEST,    /* gives a number */
    VECTOR_SPLAT,   /* of a number */
    VECTOR_EXTRACT, /* gives a lane */
    VECTOR_REPLACE,
    VECTOR_LOAD,
    VECTOR_STORE,
    VECTOR_LOAD_LANE,
    VECTOR_STORE_LANE
} wasm_vector_shape;

typedef struct {
    uint8_t shape;
    uint8_t size;   /* of a lane, or in memory */
    wasm_type type; /* of the number */
    wasm_vector_function* run;
} wasm_vector_op;

enum { WASM_VECTOR_OPS = 256 };
extern const wasm_vector_op wasm_vector_ops[WASM_VECTOR_OPS];

/* The lesser and the greater, with NaN if one is, and -0 below 0. */
#define WASM_MIN(a, b)                                   \
    ((a) != (a) || (b) != (b) ? (a) + (b)                \
     : (a) == (b)             ? (signbit(a) ? (a) : (b)) \
     : (a) < (b)              ? (a)                      \
                              : (b))
#define WASM_MAX(a, b)                                   \
    ((a) != (a) || (b) != (b) ? (a) + (b)                \
     : (a) == (b)             ? (signbit(a) ? (b) : (a)) \
     : (a) > (b)              ? (a)                      \
                              : (b))

static inline float min_f32(float a, float b) {
    return WASM_MIN(a, b);
}
static inline float max_f32(float a, float b) {
    return WASM_MAX(a, b);
}
static inline double min_f64(double a, double b) {
    return WASM_MIN(a, b);
}
static inline double max_f64(double a, double b) {
    return WASM_MAX(a, b);
}

#endif
