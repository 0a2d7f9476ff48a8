/* Writes the code of a body. */
#include <stdarg.h>

#include "plugins/wasm/body.h"

uint32_t wasm_word(wasm_body* b, uint32_t word) {
    if (!wasm_grow(b, &b->words, &b->word_room, b->word_count + 1, sizeof(*b->words)))
        return 0;
    b->words[b->word_count] = word;
    return b->word_count++;
}

static void emit_list(wasm_body* b, wasm_op op, unsigned count, va_list operands) {
    wasm_word(b, op);
    for (unsigned i = 0; i < count; i++)
        wasm_word(b, va_arg(operands, uint32_t));
}

void wasm_emit(wasm_body* b, wasm_op op, unsigned count, ...) {
    if (!wasm_is_writing(b))
        return;
    va_list operands;
    va_start(operands, count);
    emit_list(b, op, count, operands);
    va_end(operands);
    b->last = NO_WORD;
}

void wasm_emit_result(wasm_body* b, wasm_op op, unsigned count, ...) {
    if (!wasm_is_writing(b))
        return;
    uint32_t start = b->word_count;
    va_list operands;
    va_start(operands, count);
    emit_list(b, op, count, operands);
    va_end(operands);
    b->last = start;
}

void wasm_note_place(wasm_body* b) {
    if (!wasm_is_writing(b) ||
        !wasm_grow(b, &b->places, &b->place_room, b->place_count + 1, sizeof(*b->places)))
        return;
    b->places[b->place_count++] = (wasm_place){b->word_count, b->op_at};
}

static void emit_constant(wasm_body* b, uint32_t to, const wasm_operand* from) {
    uint64_t low = from->value[0], high = from->value[1];
    if (from->type == WASM_V128)
        wasm_emit(b, OP_CONST_128, 5, to, (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
                  (uint32_t)(high >> 32));
    else if (low == (uint32_t)low)
        wasm_emit(b, OP_CONST_32, 2, to, (uint32_t)low);
    else
        wasm_emit(b, OP_CONST_64, 3, to, (uint32_t)low, (uint32_t)(low >> 32));
}

void wasm_emit_copy(wasm_body* b, uint32_t to, const wasm_operand* from) {
    uint32_t slot = from->where == IN_LOCAL ? from->local : from->home;
    if (from->where == CONSTANT)
        emit_constant(b, to, from);
    else if (slot != to)
        wasm_emit(b, from->type == WASM_V128 ? OP_COPY_PAIR : OP_COPY, 2, to, slot);
}

uint32_t wasm_slot_of(wasm_body* b, const wasm_operand* operand) {
    if (operand->where == IN_LOCAL)
        return operand->local;
    if (operand->where == CONSTANT)
        emit_constant(b, operand->home, operand);
    return operand->home;
}

void wasm_bring_home(wasm_body* b, uint32_t count) {
    if (b->is_dead)
        return;
    for (uint32_t i = b->operand_count - count; i < b->operand_count; i++) {
        wasm_emit_copy(b, b->operands[i].home, &b->operands[i]);
        b->operands[i].where = AT_HOME;
    }
}

void wasm_settle(wasm_body* b, uint32_t local) {
    for (uint32_t i = b->settled; i < b->operand_count; i++) {
        wasm_operand* operand = &b->operands[i];
        if (operand->where != IN_LOCAL || (local != NO_WORD && operand->local != local))
            continue;
        wasm_emit_copy(b, operand->home, operand);
        operand->where = AT_HOME;
    }
    if (local == NO_WORD)
        b->settled = b->operand_count;
}

static bool is_in_local(const wasm_body* b, uint32_t local) {
    for (uint32_t i = b->settled; i < b->operand_count; i++)
        if (b->operands[i].where == IN_LOCAL && b->operands[i].local == local)
            return true;
    return false;
}

/* Whether the operand, which has just been popped, is the result of the last instruction. */
static bool is_of_last(const wasm_body* b, const wasm_operand* operand) {
    return wasm_is_writing(b) && b->last != NO_WORD && operand->where == AT_HOME &&
           b->words[b->last + 1] == operand->home;
}

void wasm_set_local(wasm_body* b, uint32_t slot, const wasm_operand* value) {
    /* Who still needs the old value gets it first. */
    if (is_in_local(b, slot))
        wasm_settle(b, slot);
    if (is_of_last(b, value)) {
        b->words[b->last + 1] = slot;
        b->last = NO_WORD;
        return;
    }
    wasm_emit_copy(b, slot, value);
}

typedef struct {
    uint16_t yes, no; /* the branches; 0: none */
} branches;

static const branches branches_of[OP_COUNT] = {
#define COMPARE(byte, name, bits, result, opposite) \
    [OP_##name] = {OP_IF_##name, OP_IF_##opposite}, \
    [OP_##name##_C] = {OP_IF_##name##_C, OP_IF_##opposite##_C},
#define INT(byte, name, bits, result)
#define INT_PAIR(byte, name, bits, result)
#define FLOAT(byte, name, type, result)
#define FLOAT_COMPARE(byte, name, type, result)
#define ONE(byte, name, from, to, result)
#define DIVIDE(byte, name, bits, zero, large, result)
#define TRUNCATE(byte, name, from, to, above, below, c)
#define SATURATE(byte, name, from, to, low, above, least, most, c)
#define LOAD(byte, name, c, type, slot)
#define STORE(byte, name, c, type)
#include "plugins/wasm/numbers.def"
#include "plugins/wasm/numbers_end.def"
};

wasm_condition wasm_take_condition(wasm_body* b, const wasm_operand* operand) {
    wasm_condition condition = {.op = OP_BRANCH_IF};
    if (is_of_last(b, operand)) {
        const uint32_t* last = &b->words[b->last];
        wasm_op op = (wasm_op)last[0];
        if (branches_of[op].yes != 0 || op == OP_I32_EQZ) {
            bool is_zero = op == OP_I32_EQZ;
            condition = (wasm_condition){is_zero ? OP_BRANCH_IF : op, last[2],
                                         is_zero ? 0 : last[3], is_zero};
            b->word_count = b->last;
            b->last = NO_WORD;
            return condition;
        }
    }
    condition.a = wasm_slot_of(b, operand);
    return condition;
}

uint32_t wasm_emit_condition(wasm_body* b, const wasm_condition* condition, bool when) {
    if (!wasm_is_writing(b))
        return NO_WORD;
    bool yes = when != condition->is_inverted;
    if (condition->op == OP_BRANCH_IF) {
        wasm_emit(b, yes ? OP_BRANCH_IF : OP_BRANCH_UNLESS, 2, condition->a, NO_WORD);
    } else {
        const branches* found = &branches_of[condition->op];
        wasm_emit(b, (wasm_op)(yes ? found->yes : found->no), 3, condition->a, condition->b,
                  NO_WORD);
    }
    return b->word_count - 1;
}

void wasm_land(wasm_body* b, uint32_t word) {
    if (word != NO_WORD && b->writes)
        b->words[word] = b->word_count - word;
    b->last = NO_WORD;
}

void wasm_land_all(wasm_body* b, uint32_t list) {
    while (list != NO_WORD && b->writes) {
        uint32_t next = b->words[list];
        b->words[list] = b->word_count - list;
        list = next;
    }
    b->last = NO_WORD;
}

/* Gives a word its distance to a block, now or when its end is known. */
static void aim(wasm_body* b, uint32_t word, wasm_block* block) {
    if (word == NO_WORD)
        return;
    if (block->kind == LOOP) {
        b->words[word] = block->target - word;
    } else {
        b->words[word] = block->forward;
        block->forward = word;
    }
}

static bool has_values_elsewhere(const wasm_body* b, const wasm_block* block, uint32_t count) {
    uint32_t home = block->base;
    for (uint32_t i = b->operand_count - count; i < b->operand_count; i++) {
        const wasm_operand* operand = &b->operands[i];
        if (operand->where != AT_HOME || operand->home != home)
            return true;
        home += wasm_slots(operand->type);
    }
    return false;
}

static void move_values(wasm_body* b, const wasm_block* block, uint32_t count) {
    uint32_t home = block->base;
    for (uint32_t i = b->operand_count - count; i < b->operand_count; i++) {
        wasm_emit_copy(b, home, &b->operands[i]);
        home += wasm_slots(b->operands[i].type);
    }
}

void wasm_emit_return(wasm_body* b) {
    uint32_t count = b->signature->result_count;
    if (!wasm_is_writing(b))
        return;
    if (count == 0) {
        wasm_emit(b, OP_RETURN, 0);
        return;
    }
    const wasm_operand* first = &b->operands[b->operand_count - count];
    if (count == 1 && first->type != WASM_V128) {
        wasm_emit(b, OP_RETURN_ONE, 1, wasm_slot_of(b, first));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        wasm_emit_copy(b, first[i].home, &first[i]);
    wasm_emit(b, OP_RETURN_MANY, 2, first->home, b->signature->result_slots);
}

static wasm_block* block_at(wasm_body* b, uint32_t depth) {
    return &b->blocks[b->block_count - 1 - depth];
}

void wasm_emit_branch(wasm_body* b, uint32_t depth) {
    wasm_block* block = block_at(b, depth);
    if (!wasm_is_writing(b))
        return;
    if (block->kind == BODY) {
        wasm_emit_return(b);
        return;
    }
    const wasm_type* types;
    move_values(b, block, wasm_label_types(block, &types));
    wasm_emit(b, OP_BRANCH, 1, NO_WORD);
    aim(b, b->word_count - 1, block);
}

void wasm_emit_branch_if(wasm_body* b, const wasm_condition* condition, uint32_t depth) {
    wasm_block* block = block_at(b, depth);
    const wasm_type* types;
    if (!wasm_is_writing(b))
        return;
    if (block->kind != BODY && !has_values_elsewhere(b, block, wasm_label_types(block, &types))) {
        aim(b, wasm_emit_condition(b, condition, true), block);
        return;
    }
    uint32_t around = wasm_emit_condition(b, condition, false);
    wasm_emit_branch(b, depth);
    wasm_land(b, around);
}

/* The table, and behind it a piece of code for each block that wants its values elsewhere. */
void wasm_emit_table(wasm_body* b, uint32_t slot, const uint32_t* depths, uint32_t count) {
    if (!wasm_is_writing(b))
        return;
    wasm_emit(b, OP_BRANCH_TABLE, 2, slot, count - 1);
    uint32_t first = b->word_count;
    for (uint32_t i = 0; i < count; i++)
        wasm_word(b, NO_WORD);
    for (uint32_t i = 0; i < count && !wasm_failed(&b->r); i++) {
        wasm_block* block = block_at(b, depths[i]);
        const wasm_type* types;
        if (block->kind != BODY &&
            !has_values_elsewhere(b, block, wasm_label_types(block, &types))) {
            aim(b, first + i, block);
            continue;
        }
        if (block->stub == NO_WORD) {
            block->stub = b->word_count;
            wasm_emit_branch(b, depths[i]);
        }
        b->words[first + i] = block->stub - (first + i);
    }
    for (uint32_t i = 0; i < count; i++)
        block_at(b, depths[i])->stub = NO_WORD;
}
