#include "plugins/wasm/vectors.h"

#include <math.h>
#include <string.h>

typedef uint8_t u8;
typedef int8_t i8;
typedef uint16_t u16;
typedef int16_t i16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;
typedef float f32;
typedef double f64;

static inline int32_t saturate_s(double a) {
    return a != a ? 0 : a < -2147483648.0 ? INT32_MIN : a >= 2147483648.0 ? INT32_MAX : (int32_t)a;
}
static inline uint32_t saturate_u(double a) {
    return a != a || a < 0 ? 0 : a >= 4294967296.0 ? UINT32_MAX : (uint32_t)a;
}

#define COUNT(lane) (sizeof(wasm_vector) / sizeof(lane))
#define EACH(lane, value)                      \
    for (unsigned i = 0; i < COUNT(lane); i++) \
    r.lane[i] = (lane)(value)
#define TRUTH(condition) ((condition) ? -1 : 0)
#define TRUTH_64(condition) ((condition) ? ~(u64)0 : 0)
#define CLAMP(value, least, most) \
    ((value) < (least) ? (least) : (value) > (most) ? (most) : (value))
#define NARROW(to, from, least, most)                                   \
    for (unsigned i = 0; i < COUNT(to); i++) {                          \
        from x = i < COUNT(from) ? a.from[i] : b.from[i - COUNT(from)]; \
        r.to[i] = (to)CLAMP(x, least, most);                            \
    }
#define WIDEN_FROM(to, from, count)               \
    for (unsigned i = 0; i < (count); i++) {      \
        from x;                                   \
        memcpy(&x, m + i * sizeof(x), sizeof(x)); \
        r.to[i] = x;                              \
    }
#define SPLAT_FROM(lane)      \
    lane x;                   \
    memcpy(&x, m, sizeof(x)); \
    EACH(lane, x)
#define ALL_TRUE(v, lane) all_##lane(&(v))
#define BITMASK(v, lane) mask_##lane(&(v))
#define DEFINE_ALL(lane)                                 \
    static inline u32 all_##lane(const wasm_vector* v) { \
        u32 all = 1;                                     \
        for (unsigned i = 0; i < COUNT(lane); i++)       \
            all &= v->lane[i] != 0;                      \
        return all;                                      \
    }
#define DEFINE_MASK(lane)                                 \
    static inline u32 mask_##lane(const wasm_vector* v) { \
        u32 mask = 0;                                     \
        for (unsigned i = 0; i < COUNT(lane); i++)        \
            mask |= (u32)(v->lane[i] < 0) << i;           \
        return mask;                                      \
    }
DEFINE_ALL(u8)
DEFINE_ALL(u16)
DEFINE_ALL(u32)
DEFINE_ALL(u64)
DEFINE_MASK(i8)
DEFINE_MASK(i16)
DEFINE_MASK(i32)
DEFINE_MASK(i64)

#define FUNCTION(name, ...)                                                                   \
    static void run_##name(wasm_vector* result, const wasm_vector* pa, const wasm_vector* pb, \
                           const wasm_vector* pc, uint32_t lane) {                            \
        wasm_vector r = {.u64 = {0, 0}};                                                      \
        (void)pa, (void)pb, (void)pc, (void)lane;                                             \
        __VA_ARGS__;                                                                          \
        *result = r;                                                                          \
    }
#define LANES(number, name, from, to, value)               \
    FUNCTION(                                              \
        name, for (unsigned i = 0; i < COUNT(from); i++) { \
            from a = pa->from[i], b = pb->from[i];         \
            r.to[i] = (to)(value);                         \
        })
#define LANES_ONE(number, name, from, to, value)           \
    FUNCTION(                                              \
        name, for (unsigned i = 0; i < COUNT(from); i++) { \
            from a = pa->from[i];                          \
            r.to[i] = (to)(value);                         \
        })
#define LANES_SHIFT(number, name, from, value)                  \
    FUNCTION(                                                   \
        name, unsigned s = pb->u32[0] & (sizeof(from) * 8 - 1); \
        for (unsigned i = 0; i < COUNT(from); i++) {            \
            from a = pa->from[i];                               \
            r.from[i] = (from)(value);                          \
        })
#define WHOLE(number, name, statement) \
    FUNCTION(name, wasm_vector a = *pa; wasm_vector b = *pb; statement)
#define WHOLE_ONE(number, name, statement) FUNCTION(name, wasm_vector a = *pa; statement)
#define WHOLE_THREE(number, name, statement) \
    FUNCTION(name, wasm_vector a = *pa; wasm_vector b = *pb; wasm_vector c = *pc; statement)
#define TEST(number, name, value) FUNCTION(name, wasm_vector a = *pa; r.u64[0] = (u32)(value))
#define SPLAT(number, name, to, type) FUNCTION(name, EACH(to, pa->to[0]))
#define EXTRACT(number, name, from, type, c) FUNCTION(name, r.u64[0] = (c)pa->from[lane])
#define REPLACE(number, name, to, type) FUNCTION(name, r = *pa; r.to[lane] = pb->to[0])
#define VLOAD(number, name, size, log, statement) FUNCTION(name, const u8* m = pa->u8; statement)
#define VSTORE(number, name, size, log)
#define VLOAD_LANE(number, name, to, log) FUNCTION(name, r = *pb; r.to[lane] = pa->to[0])
#define VSTORE_LANE(number, name, to, log)
#include "plugins/wasm/vectors.def"
#undef LANES
#undef LANES_ONE
#undef LANES_SHIFT
#undef WHOLE
#undef WHOLE_ONE
#undef WHOLE_THREE
#undef TEST
#undef SPLAT
#undef EXTRACT
#undef REPLACE
#undef VLOAD
#undef VSTORE
#undef VLOAD_LANE
#undef VSTORE_LANE

#define LANES(number, name, from, to, value) [number] = {VECTOR_TWO, 0, 0, run_##name},
#define LANES_ONE(number, name, from, to, value) [number] = {VECTOR_ONE, 0, 0, run_##name},
#define LANES_SHIFT(number, name, from, value) [number] = {VECTOR_SHIFT, 0, 0, run_##name},
#define WHOLE(number, name, statement) [number] = {VECTOR_TWO, 0, 0, run_##name},
#define WHOLE_ONE(number, name, statement) [number] = {VECTOR_ONE, 0, 0, run_##name},
#define WHOLE_THREE(number, name, statement) [number] = {VECTOR_THREE, 0, 0, run_##name},
#define TEST(number, name, value) [number] = {VECTOR_TEST, 0, WASM_I32, run_##name},
#define SPLAT(number, name, to, type) [number] = {VECTOR_SPLAT, 0, WASM_##type, run_##name},
#define EXTRACT(number, name, from, type, c) \
    [number] = {VECTOR_EXTRACT, sizeof(from), WASM_##type, run_##name},
#define REPLACE(number, name, to, type) \
    [number] = {VECTOR_REPLACE, sizeof(to), WASM_##type, run_##name},
#define VLOAD(number, name, size, log, statement) [number] = {VECTOR_LOAD, size, 0, run_##name},
#define VSTORE(number, name, size, log) [number] = {VECTOR_STORE, size, 0, NULL},
#define VLOAD_LANE(number, name, to, log) [number] = {VECTOR_LOAD_LANE, sizeof(to), 0, run_##name},
#define VSTORE_LANE(number, name, to, log) [number] = {VECTOR_STORE_LANE, sizeof(to), 0, NULL},
const wasm_vector_op wasm_vector_ops[WASM_VECTOR_OPS] = {
#include "plugins/wasm/vectors.def"
};
