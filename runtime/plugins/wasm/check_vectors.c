/* Checks and writes the instructions on vectors. */
#include <string.h>

#include "plugins/wasm/body.h"
#include "plugins/wasm/vectors.h"

enum { V128_CONST = 12, SHUFFLE = 13 };

static void check_constant(wasm_body* b) {
    const uint8_t* bytes = wasm_read_bytes(&b->r, 16, "simd immediate");
    wasm_operand* operand = wasm_push(b, WASM_V128);
    operand->where = CONSTANT;
    if (bytes != NULL)
        memcpy(operand->value, bytes, 16);
}

static void check_shuffle(wasm_body* b) {
    const uint8_t* bytes = wasm_read_bytes(&b->r, 16, "simd immediate");
    uint32_t words[4] = {0, 0, 0, 0};
    for (int i = 0; bytes != NULL && i < 16; i++)
        if (bytes[i] >= 32)
            wasm_fail_at(&b->r, b->op_at, "invalid shuffle mask");
    if (bytes != NULL)
        memcpy(words, bytes, 16);
    wasm_operand second = wasm_pop(b, WASM_V128);
    wasm_operand first = wasm_pop(b, WASM_V128);
    uint32_t a = wasm_slot_of(b, &first), c = wasm_slot_of(b, &second);
    wasm_emit_result(b, OP_SHUFFLE, 7, wasm_push(b, WASM_V128)->home, a, c, words[0], words[1],
                     words[2], words[3]);
}

static uint32_t read_lane(wasm_body* b, uint32_t size) {
    uint32_t at = wasm_position(&b->r);
    uint8_t lane = wasm_read_byte(&b->r, "lane");
    if (lane >= 16 / size)
        wasm_fail_at(&b->r, at, "invalid lane index");
    return lane;
}

static uint32_t log_of(uint32_t size) {
    return (uint32_t)__builtin_ctz(size);
}

static void check_load(wasm_body* b, const wasm_vector_op* op, uint32_t number) {
    bool has_lane = op->shape == VECTOR_LOAD_LANE;
    uint32_t offset = wasm_read_access(b, log_of(op->size), false);
    uint32_t lane = has_lane ? read_lane(b, op->size) : 0;
    wasm_operand vector = {.home = 0};
    if (has_lane)
        vector = wasm_pop(b, WASM_V128);
    wasm_operand address = wasm_pop(b, WASM_I32);
    uint32_t at = wasm_slot_of(b, &address);
    uint32_t from = has_lane ? wasm_slot_of(b, &vector) : at;
    wasm_operand* result = wasm_push(b, WASM_V128);
    wasm_note_place(b);
    wasm_emit_result(b, OP_VECTOR_LOAD, 6, result->home, number, at, offset, from, lane);
}

static void check_store(wasm_body* b, const wasm_vector_op* op) {
    uint32_t offset = wasm_read_access(b, log_of(op->size), false);
    uint32_t lane = op->shape == VECTOR_STORE_LANE ? read_lane(b, op->size) : 0;
    wasm_operand vector = wasm_pop(b, WASM_V128);
    wasm_operand address = wasm_pop(b, WASM_I32);
    uint32_t at = wasm_slot_of(b, &address), from = wasm_slot_of(b, &vector);
    wasm_note_place(b);
    wasm_emit(b, OP_VECTOR_STORE, 5, (uint32_t)op->size, at, from, offset, lane * op->size);
}

static void check_values(wasm_body* b, const wasm_vector_op* op, uint32_t number) {
    wasm_operand third = {.home = 0}, second = {.home = 0};
    uint32_t lane = 0, slots[3] = {0, 0, 0};
    if (op->shape == VECTOR_EXTRACT || op->shape == VECTOR_REPLACE)
        lane = read_lane(b, op->size);
    bool has_third = op->shape == VECTOR_THREE;
    bool has_number = op->shape == VECTOR_SHIFT || op->shape == VECTOR_REPLACE;
    bool has_second = has_third || has_number || op->shape == VECTOR_TWO;
    if (has_third)
        third = wasm_pop(b, WASM_V128);
    if (has_second)
        second = wasm_pop(b, op->shape == VECTOR_SHIFT     ? WASM_I32
                             : op->shape == VECTOR_REPLACE ? op->type
                                                           : WASM_V128);
    wasm_operand first = wasm_pop(b, op->shape == VECTOR_SPLAT ? op->type : WASM_V128);
    slots[0] = wasm_slot_of(b, &first);
    slots[1] = has_second ? wasm_slot_of(b, &second) : slots[0];
    slots[2] = has_third ? wasm_slot_of(b, &third) : slots[0];
    bool gives_number = op->shape == VECTOR_TEST || op->shape == VECTOR_EXTRACT;
    wasm_operand* result = wasm_push(b, gives_number ? op->type : WASM_V128);
    wasm_emit_result(b, gives_number ? OP_VECTOR_NUMBER : OP_VECTOR, 6, result->home, number,
                     slots[0], slots[1], slots[2], lane);
}

bool wasm_check_vector(wasm_body* b) {
    uint32_t number = wasm_read_u32(&b->r, "prefixed opcode index");
    if (number == V128_CONST) {
        check_constant(b);
        return true;
    }
    if (number == SHUFFLE) {
        check_shuffle(b);
        return true;
    }
    if (number >= WASM_VECTOR_OPS)
        return false;
    const wasm_vector_op* op = &wasm_vector_ops[number];
    if (op->shape == VECTOR_LOAD || op->shape == VECTOR_LOAD_LANE)
        check_load(b, op, number);
    else if (op->shape == VECTOR_STORE || op->shape == VECTOR_STORE_LANE)
        check_store(b, op);
    else if (op->shape != NO_VECTOR)
        check_values(b, op, number);
    return op->shape != NO_VECTOR;
}
