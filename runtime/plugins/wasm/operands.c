/* The operand stack of the check. */
#include <stdlib.h>

#include "plugins/wasm/body.h"

bool wasm_grow(wasm_body* b, void* array, uint32_t* room, uint32_t count, size_t size) {
    if (count < *room)
        return true;
    uint32_t more = *room < 32 ? 64 : *room * 2;
    void** block = array;
    void* bigger = realloc(*block, more * size);
    if (bigger == NULL)
        return wasm_fail(&b->r, "out of memory");
    *block = bigger;
    *room = more;
    return true;
}

uint32_t wasm_top_slot(const wasm_body* b) {
    if (b->operand_count == 0)
        return b->frame_locals;
    const wasm_operand* top = &b->operands[b->operand_count - 1];
    return top->home + wasm_slots(top->type);
}

/* There is always room for one more. */
wasm_operand* wasm_push(wasm_body* b, wasm_type type) {
    uint32_t home = wasm_top_slot(b);
    wasm_operand* operand = &b->operands[b->operand_count];
    *operand = (wasm_operand){.type = type, .where = AT_HOME, .home = home};
    if (!wasm_grow(b, &b->operands, &b->operand_room, b->operand_count + 2, sizeof(*b->operands)))
        return b->operands;
    b->operand_count++;
    if (home + 2 > b->most_slots)
        b->most_slots = home + 2;
    return &b->operands[b->operand_count - 1];
}

wasm_operand wasm_pop(wasm_body* b, wasm_type type) {
    wasm_block* block = wasm_top_block(b);
    wasm_operand operand = {.type = type, .where = AT_HOME, .home = wasm_top_slot(b)};
    if (b->operand_count <= block->floor) {
        if (!block->is_dead)
            wasm_fail_at(&b->r, b->op_at, "not enough arguments on the stack (need %s)",
                         type == WASM_ANY ? "a value" : wasm_type_name(type));
        return operand;
    }
    operand = b->operands[--b->operand_count];
    if (b->settled > b->operand_count)
        b->settled = b->operand_count;
    if (operand.type == WASM_ANY)
        operand.type = type;
    else if (type != WASM_ANY && operand.type != type)
        wasm_fail_at(&b->r, b->op_at, "expected type %s, found value of type %s",
                     wasm_type_name(type), wasm_type_name(operand.type));
    return operand;
}

void wasm_pop_all(wasm_body* b, const wasm_type* types, uint32_t count) {
    for (uint32_t i = count; i-- > 0;)
        wasm_pop(b, types[i]);
}

void wasm_push_all(wasm_body* b, const wasm_type* types, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        wasm_push(b, types[i]);
}

void wasm_check_top(wasm_body* b, const wasm_type* types, uint32_t count) {
    wasm_block* block = wasm_top_block(b);
    if (b->operand_count < (uint64_t)block->floor + count) {
        wasm_pop_all(b, types, count);
        wasm_push_all(b, types, count);
        return;
    }
    wasm_operand* first = &b->operands[b->operand_count - count];
    for (uint32_t i = 0; i < count; i++) {
        if (first[i].type != types[i] && first[i].type != WASM_ANY)
            wasm_fail_at(&b->r, b->op_at, "expected type %s, found value of type %s",
                         wasm_type_name(types[i]), wasm_type_name(first[i].type));
        first[i].type = types[i];
    }
    /* An operand of unknown type had one slot; code that is never reached has no slots to keep. */
    for (uint32_t i = 1; i < count && block->is_dead; i++)
        first[i].home = first[i - 1].home + wasm_slots(first[i - 1].type);
}

void wasm_match_top(wasm_body* b, const wasm_type* types, uint32_t count) {
    const wasm_block* block = wasm_top_block(b);
    for (uint32_t below = 0; below < count; below++) {
        wasm_type wanted = types[count - 1 - below];
        if (b->operand_count <= (uint64_t)block->floor + below) {
            if (!block->is_dead)
                wasm_fail_at(&b->r, b->op_at, "not enough arguments on the stack (need %s)",
                             wasm_type_name(wanted));
            return;
        }
        wasm_type found = b->operands[b->operand_count - 1 - below].type;
        if (found != wanted && found != WASM_ANY)
            wasm_fail_at(&b->r, b->op_at, "expected type %s, found value of type %s",
                         wasm_type_name(wanted), wasm_type_name(found));
    }
}

void wasm_be_unreachable(wasm_body* b) {
    wasm_block* block = wasm_top_block(b);
    b->operand_count = block->floor;
    if (b->settled > b->operand_count)
        b->settled = b->operand_count;
    block->is_dead = true;
    b->is_dead = true;
    b->last = NO_WORD;
}

wasm_block* wasm_push_block(wasm_body* b, wasm_block_kind kind, const wasm_signature* signature,
                            wasm_type single) {
    if (!wasm_grow(b, &b->blocks, &b->block_room, b->block_count + 1, sizeof(*b->blocks)))
        return b->blocks;
    wasm_block* block = &b->blocks[b->block_count++];
    uint32_t params = signature == NULL ? 0 : signature->param_count;
    *block = (wasm_block){.kind = kind,
                          .signature = signature,
                          .single = single,
                          .was_dead = b->is_dead,
                          .height = b->operand_count - params,
                          .forward = NO_WORD,
                          .otherwise = NO_WORD,
                          .stub = NO_WORD};
    block->floor = block->height;
    block->base = params == 0 ? wasm_top_slot(b) : b->operands[block->height].home;
    return block;
}

uint32_t wasm_block_params(const wasm_block* block, const wasm_type** types) {
    *types = block->signature == NULL ? NULL : block->signature->types;
    return block->signature == NULL ? 0 : block->signature->param_count;
}

uint32_t wasm_block_results(const wasm_block* block, const wasm_type** types) {
    const wasm_signature* signature = block->signature;
    *types = signature == NULL ? &block->single : signature->types + signature->param_count;
    return signature == NULL ? block->single != WASM_ANY : signature->result_count;
}

uint32_t wasm_label_types(const wasm_block* block, const wasm_type** types) {
    return block->kind == LOOP ? wasm_block_params(block, types) : wasm_block_results(block, types);
}
