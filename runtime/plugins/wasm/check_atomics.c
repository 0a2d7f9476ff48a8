/* Checks and writes the atomic instructions. */
#include "plugins/wasm/atomics.h"
#include "plugins/wasm/body.h"

enum { NOTIFY, WAIT_32, WAIT_64, FENCE, FIRST = 0x10 };

static void check_wait(wasm_body* b, uint32_t op) {
    uint32_t offset = wasm_read_access(b, op == WAIT_64 ? 3 : 2, true);
    wasm_operand timeout = {.home = 0};
    if (op != NOTIFY)
        timeout = wasm_pop(b, WASM_I64);
    wasm_operand value = wasm_pop(b, op == WAIT_64 ? WASM_I64 : WASM_I32);
    wasm_operand address = wasm_pop(b, WASM_I32);
    uint32_t at = wasm_slot_of(b, &address), from = wasm_slot_of(b, &value);
    uint32_t until = op == NOTIFY ? at : wasm_slot_of(b, &timeout);
    wasm_operand* result = wasm_push(b, WASM_I32);
    wasm_note_place(b);
    wasm_emit_result(b, op == NOTIFY ? OP_NOTIFY : OP_WAIT, 6, result->home, at, offset, from,
                     until, (uint32_t)(op == WAIT_64));
}

bool wasm_check_atomic(wasm_body* b) {
    uint32_t op = wasm_read_u32(&b->r, "prefixed opcode index");
    if (op < FENCE) {
        check_wait(b, op);
        return true;
    }
    if (op == FENCE) {
        if (wasm_read_byte(&b->r, "zero") != 0)
            wasm_fail(&b->r, "invalid atomic operand");
        return true;
    }
    uint32_t kind = (op - FIRST) / WASM_ATOMIC_WIDTHS;
    if (op < FIRST || kind >= ATOMIC_KINDS)
        return false;
    const wasm_atomic_width* width = &wasm_atomic_widths[(op - FIRST) % WASM_ATOMIC_WIDTHS];
    uint32_t offset = wasm_read_access(b, (uint32_t)__builtin_ctz(width->size), true);
    wasm_operand value = {.home = 0}, expected = {.home = 0};
    if (kind != ATOMIC_LOAD)
        value = wasm_pop(b, width->type);
    if (kind == ATOMIC_COMPARE)
        expected = wasm_pop(b, width->type);
    wasm_operand address = wasm_pop(b, WASM_I32);
    uint32_t at = wasm_slot_of(b, &address);
    uint32_t second = kind == ATOMIC_COMPARE ? wasm_slot_of(b, &expected) : at;
    uint32_t first = kind != ATOMIC_LOAD ? wasm_slot_of(b, &value) : at;
    uint32_t how = kind | (uint32_t)width->size << 8 | (uint32_t)(width->type == WASM_I32) << 16;
    wasm_note_place(b);
    /* A store has no result: what it gives goes where the address was. */
    if (kind == ATOMIC_STORE)
        wasm_emit(b, OP_ATOMIC, 6, address.home, how, at, offset, first, second);
    else
        wasm_emit_result(b, OP_ATOMIC, 6, wasm_push(b, width->type)->home, how, at, offset, first,
                         second);
    return true;
}
