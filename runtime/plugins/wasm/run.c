/* The interpreter. */
#include <math.h>
#include <string.h>

#include "plugins/wasm/atomics.h"
#include "plugins/wasm/code.h"
#include "plugins/wasm/vectors.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory is used as it lies");

enum { POLL_EVERY = 20000 }; /* branches backwards and calls */

typedef uint32_t C_I32;
typedef uint64_t C_I64;
typedef uint32_t C_B32;
typedef uint64_t C_B64;
typedef float C_F32;
typedef double C_F64;

static inline float to_f32(uint64_t slot) {
    uint32_t bits = (uint32_t)slot;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}
static inline double to_f64(uint64_t slot) {
    double value;
    memcpy(&value, &slot, sizeof(value));
    return value;
}
static inline uint64_t of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}
static inline uint64_t of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}
#define GET_I32(slot) ((uint32_t)(slot))
#define GET_I64(slot) (slot)
#define GET_B32(slot) ((uint32_t)(slot))
#define GET_B64(slot) (slot)
#define GET_F32(slot) to_f32(slot)
#define GET_F64(slot) to_f64(slot)
#define PUT_I32(value) ((uint32_t)(value))
#define PUT_I64(value) (value)
#define PUT_B32(value) ((uint32_t)(value))
#define PUT_B64(value) (value)
#define PUT_F32(value) of_f32(value)
#define PUT_F64(value) of_f64(value)

/* Makes a function's code ready and its frame clean. */
static wasm_outcome enter(wasm_store* store, wasm_function* function, uint64_t* fp) {
    wasm_code* code = function->code;
    if (code->words == NULL) {
        wasm_module* module = function->instance->module;
        wasm_problem problem = {.text = ""};
        uint32_t index = function->index - module->imported_functions;
        if (!wasm_body_check(module, index, true, &problem))
            return WASM_NO_MEMORY;
    }
    if ((size_t)(store->stack_end - fp) < code->slots)
        return WASM_NO_ROOM;
    uint32_t params = function->signature->param_slots;
    if (code->local_slots > params)
        memset(fp + params, 0, (code->local_slots - params) * sizeof(*fp));
    return WASM_OK;
}

/* Calls a function of the host; what it calls in turn runs above its arguments and frames. */
static wasm_outcome call_out(wasm_store* store, wasm_function* function, uint64_t* slots,
                             wasm_frame* free_frame) {
    const wasm_signature* signature = function->signature;
    uint32_t used = signature->param_slots > signature->result_slots ? signature->param_slots
                                                                     : signature->result_slots;
    uint64_t* top = store->stack_top;
    wasm_frame* frame_top = store->frame_top;
    if ((size_t)(store->stack_end - slots) < used || free_frame >= store->frames_end)
        return WASM_NO_ROOM;
    store->stack_top = slots + used;
    store->frame_top = free_frame;
    wasm_outcome outcome = store->call_host(store, function, slots);
    store->stack_top = top;
    store->frame_top = frame_top;
    return outcome;
}

static uint32_t byte_of(const wasm_code* code, const uint32_t* pc) {
    uint32_t word = (uint32_t)(pc - code->words), low = 0, high = code->place_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (code->places[middle].word <= word)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? code->start : code->places[low - 1].byte;
}

/* Notes where a trap happened: the function, and those that wait for it. */
static void note_spots(wasm_store* store, const wasm_function* function, const uint32_t* pc,
                       const wasm_frame* first, const wasm_frame* frame) {
    store->spot_count = 0;
    store->spots[store->spot_count++] = (wasm_spot){function, byte_of(function->code, pc)};
    while (frame > first && store->spot_count < WASM_MOST_SPOTS) {
        frame--;
        store->spots[store->spot_count++] =
            (wasm_spot){frame->function, byte_of(frame->function->code, frame->pc - 1)};
    }
}

#define SLOT(i) fp[pc[i]]
#define DISPATCH() goto* labels[*pc]
#define NEXT(count)    \
    do {               \
        pc += (count); \
        DISPATCH();    \
    } while (0)
#define JUMP(word)                            \
    do {                                      \
        int32_t distance = (int32_t)pc[word]; \
        pc += (word) + (ptrdiff_t)distance;   \
        if (distance < 0 && --fuel == 0)      \
            goto poll;                        \
        DISPATCH();                           \
    } while (0)
#define TRAP(why)        \
    do {                 \
        outcome = (why); \
        goto trapped;    \
    } while (0)
/* After a call or a return the function, its memory and its size may be others. */
#define LOOK_AROUND()                        \
    do {                                     \
        instance = function->instance;       \
        memory = instance->memories[0];      \
        if (memory != NULL) {                \
            bytes = memory->bytes;           \
            size = wasm_memory_size(memory); \
        }                                    \
    } while (0)

static wasm_outcome run(wasm_store* store, wasm_function* function, uint64_t* fp) {
    static const void* const labels[OP_COUNT] = {
#define OP(name) &&run_##name,
        WASM_PLAIN_OPS(OP)
#undef OP
#include "plugins/wasm/run_labels.def"
    };
    wasm_frame* const first_frame = store->frame_top;
    wasm_frame* frame = first_frame;
    uint64_t* const first_top = store->stack_top;
    wasm_function* callee = function;
    uint64_t* callee_fp = fp;
    const uint32_t *pc = NULL, *after = NULL;
    wasm_instance* instance;
    wasm_memory* memory;
    uint8_t* bytes = NULL;
    uint64_t size = 0;
    uint32_t fuel = POLL_EVERY;
    wasm_outcome outcome =
        frame + 2 >= store->frames_end ? WASM_NO_ROOM : enter(store, function, fp);
    if (outcome != WASM_OK)
        return outcome;
    goto entered;
#include "plugins/wasm/run_numbers.def"
#include "plugins/wasm/run_plain.def"
out_of_bounds:
    /* A memory that threads share may have grown since. */
    if (memory->limits.is_shared && size < wasm_memory_size(memory)) {
        size = wasm_memory_size(memory);
        DISPATCH();
    }
    outcome = WASM_OUT_OF_MEMORY_BOUNDS;
trapped:
    note_spots(store, function, pc, first_frame, frame);
    return outcome;
poll:
    fuel = POLL_EVERY;
    if (!store->should_stop(store))
        DISPATCH();
    return WASM_STOPPED;
}

wasm_outcome wasm_call(wasm_store* store, wasm_function* function, uint64_t* slots) {
    const wasm_signature* signature = function->signature;
    if (function->instance == NULL)
        return store->call_host(store, function, slots);
    uint64_t* base = store->stack_top;
    uint32_t params = signature->param_slots, results = signature->result_slots;
    if ((size_t)(store->stack_end - base) < (size_t)params + results)
        return WASM_NO_ROOM;
    if (params > 0)
        memcpy(base, slots, params * sizeof(*base));
    wasm_outcome outcome = run(store, function, base);
    if (outcome == WASM_OK && results > 0)
        memcpy(slots, base, results * sizeof(*base));
    return outcome;
}

const char* wasm_outcome_text(wasm_outcome outcome) {
    static const char* const texts[] = {
        [WASM_UNREACHABLE] = "unreachable",
        [WASM_OUT_OF_MEMORY_BOUNDS] = "memory access out of bounds",
        [WASM_UNALIGNED] = "operation does not support unaligned accesses",
        [WASM_NOT_SHARED] = "Atomics.wait cannot be called in this context",
        [WASM_DIVIDED_BY_ZERO] = "divide by zero",
        [WASM_REMAINDER_BY_ZERO] = "remainder by zero",
        [WASM_DIVISION_TOO_LARGE] = "divide result unrepresentable",
        [WASM_NOT_AN_INTEGER] = "float unrepresentable in integer range",
        [WASM_OUT_OF_TABLE_BOUNDS] = "table index is out of bounds",
        [WASM_WRONG_SIGNATURE] = "null function or function signature mismatch",
    };
    bool has_text = (size_t)outcome < sizeof(texts) / sizeof(texts[0]) && texts[outcome] != NULL;
    return has_text ? texts[outcome] : "out of memory";
}
