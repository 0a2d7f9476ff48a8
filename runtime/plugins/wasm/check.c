/* Checks a body by the standard's rules; its control flow, and the order of all. */
#include <stdlib.h>
#include <string.h>

#include "plugins/wasm/body.h"

enum { MOST_LOCALS = 50000, MOST_BRANCHES = 65520 * 16 };

enum {
    I_UNREACHABLE,
    I_NOP,
    I_BLOCK,
    I_LOOP,
    I_IF,
    I_ELSE,
    I_TRY,
    I_CATCH,
    I_THROW,
    I_RETHROW,
    I_END = 0x0b,
    I_BR,
    I_BR_IF,
    I_BR_TABLE,
    I_RETURN,
    I_CALL,
    I_CALL_INDIRECT,
    I_RETURN_CALL,
    I_RETURN_CALL_INDIRECT,
    I_DELEGATE = 0x18,
    I_CATCH_ALL,
};

static bool read_block_type(wasm_body* b, const wasm_signature** signature, wasm_type* single) {
    uint32_t at = wasm_position(&b->r);
    *signature = NULL;
    *single = WASM_ANY;
    int64_t type = wasm_read_i33(&b->r);
    if (wasm_failed(&b->r))
        return false;
    if (type >= 0) {
        if (type >= b->module->type_count)
            return wasm_fail_at(&b->r, at, "block type index %lld is not a signature definition",
                                (long long)type);
        *signature = b->module->types[type];
        return true;
    }
    if (type == -64)
        return true;
    wasm_type value = (wasm_type)(type & 0x7f);
    if (type < -64 || !((value <= WASM_I32 && value >= WASM_V128) || wasm_is_reference(value)))
        return wasm_fail_at(&b->r, at, "invalid block type %lld", (long long)type);
    *single = value;
    return true;
}

/* What a block begins with: its parameters are home, and no operand depends on a local. */
static wasm_block* open_block(wasm_body* b, wasm_block_kind kind, const wasm_signature* signature,
                              wasm_type single) {
    uint32_t params = signature == NULL ? 0 : signature->param_count;
    if (params > 0)
        wasm_check_top(b, signature->types, params);
    wasm_settle(b, NO_WORD);
    if (wasm_failed(&b->r))
        return wasm_top_block(b);
    wasm_bring_home(b, params);
    b->last = NO_WORD;
    return wasm_push_block(b, kind, signature, single);
}

static void check_block(wasm_body* b, uint8_t op) {
    const wasm_signature* signature;
    wasm_type single;
    if (!read_block_type(b, &signature, &single))
        return;
    wasm_condition condition = {.op = OP_BRANCH_IF};
    if (op == I_IF) {
        wasm_operand operand = wasm_pop(b, WASM_I32);
        condition = wasm_take_condition(b, &operand);
    }
    wasm_block_kind kind = op == I_LOOP ? LOOP : op == I_IF ? IF : op == I_TRY ? TRY : BLOCK;
    wasm_block* block = open_block(b, kind, signature, single);
    block->target = b->word_count;
    block->try_start = b->word_count;
    if (op == I_IF)
        block->otherwise = wasm_emit_condition(b, &condition, false);
}

/* The end of a block's part: its results are there and nothing else. */
static void close_part(wasm_body* b) {
    wasm_block* block = wasm_top_block(b);
    const wasm_type* types;
    uint32_t count = wasm_block_results(block, &types);
    wasm_check_top(b, types, count);
    if (!wasm_failed(&b->r) && b->operand_count != block->floor + count)
        wasm_fail_at(&b->r, b->op_at, "expected %u elements on the stack for fallthru, found %u",
                     (unsigned)count, (unsigned)(b->operand_count - block->floor));
}

/* Begins another part of a block with these operands. */
static void open_part(wasm_body* b, wasm_block* block, const wasm_type* types, uint32_t count) {
    b->operand_count = block->height;
    if (b->settled > b->operand_count)
        b->settled = b->operand_count;
    block->floor = block->height;
    block->is_dead = false;
    b->is_dead = block->was_dead;
    b->last = NO_WORD;
    wasm_push_all(b, types, count);
}

static void check_else(wasm_body* b) {
    wasm_block* block = wasm_top_block(b);
    if (block->kind != IF) {
        wasm_fail_at(&b->r, b->op_at, "else does not match an if");
        return;
    }
    close_part(b);
    if (wasm_failed(&b->r))
        return;
    wasm_emit_branch(b, 0);
    wasm_land(b, block->otherwise);
    block->otherwise = NO_WORD;
    block->kind = ELSE;
    const wasm_type* types;
    uint32_t count = wasm_block_params(block, &types);
    open_part(b, block, types, count);
}

static bool same_types(const wasm_type* a, uint32_t a_count, const wasm_type* b, uint32_t b_count) {
    return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count) == 0);
}

static void check_end(wasm_body* b) {
    close_part(b);
    if (wasm_failed(&b->r))
        return;
    wasm_block block = *wasm_top_block(b);
    const wasm_type *params, *results;
    uint32_t param_count = wasm_block_params(&block, &params);
    uint32_t result_count = wasm_block_results(&block, &results);
    if (block.kind == IF && !same_types(params, param_count, results, result_count)) {
        wasm_fail_at(&b->r, b->op_at,
                     "type error in fallthru: an if without an else must give "
                     "its parameters");
        return;
    }
    if (block.kind == BODY) {
        wasm_emit_return(b);
    } else {
        wasm_block* top = wasm_top_block(b);
        uint32_t home = top->base;
        for (uint32_t i = b->operand_count - result_count; i < b->operand_count && !b->is_dead;
             i++) {
            wasm_emit_copy(b, home, &b->operands[i]);
            home += wasm_slots(b->operands[i].type);
        }
    }
    wasm_land(b, block.otherwise);
    wasm_land_all(b, block.forward);
    b->block_count--;
    b->is_dead = block.was_dead;
    b->operand_count = block.height;
    if (b->settled > b->operand_count)
        b->settled = b->operand_count;
    if (b->block_count > 0)
        wasm_push_all(b, results, result_count);
}

static wasm_block* read_depth(wasm_body* b, uint32_t* depth) {
    uint32_t at = wasm_position(&b->r);
    *depth = wasm_read_u32(&b->r, "branch depth");
    if (*depth < b->block_count)
        return &b->blocks[b->block_count - 1 - *depth];
    wasm_fail_at(&b->r, at, "invalid branch depth: %u", (unsigned)*depth);
    return NULL;
}

static void check_br(wasm_body* b, bool is_conditional) {
    uint32_t depth;
    const wasm_type* types;
    const wasm_block* block = read_depth(b, &depth);
    if (block == NULL)
        return;
    wasm_condition condition = {.op = OP_BRANCH_IF};
    if (is_conditional) {
        wasm_operand operand = wasm_pop(b, WASM_I32);
        condition = wasm_take_condition(b, &operand);
    }
    uint32_t arity = wasm_label_types(block, &types);
    wasm_check_top(b, types, arity);
    if (wasm_failed(&b->r))
        return;
    if (is_conditional) {
        wasm_emit_branch_if(b, &condition, depth);
    } else {
        wasm_emit_branch(b, depth);
        wasm_be_unreachable(b);
    }
}

static void check_targets(wasm_body* b, const uint32_t* depths, uint32_t count) {
    const wasm_type *types, *others;
    uint32_t arity = wasm_label_types(&b->blocks[b->block_count - 1 - depths[count - 1]], &types);
    for (uint32_t i = 0; i < count && !wasm_failed(&b->r); i++) {
        const wasm_block* block = &b->blocks[b->block_count - 1 - depths[i]];
        uint32_t other = wasm_label_types(block, &others);
        if (other != arity) {
            wasm_fail_at(&b->r, b->op_at, "br_table: label arity inconsistent with previous %u",
                         (unsigned)arity);
            return;
        }
        if (i == 0 || depths[i] != depths[i - 1])
            wasm_match_top(b, others, other);
    }
}

static void check_br_table(wasm_body* b) {
    uint32_t count = wasm_read_count(&b->r, "table count", MOST_BRANCHES);
    uint32_t* depths = malloc((count + (size_t)1) * sizeof(*depths));
    if (depths == NULL) {
        wasm_fail(&b->r, "out of memory");
        return;
    }
    for (uint32_t i = 0; i <= count && !wasm_failed(&b->r); i++)
        read_depth(b, &depths[i]);
    wasm_operand index = wasm_pop(b, WASM_I32);
    if (!wasm_failed(&b->r)) {
        uint32_t slot = wasm_slot_of(b, &index);
        check_targets(b, depths, count + 1);
        if (!wasm_failed(&b->r)) {
            wasm_emit_table(b, slot, depths, count + 1);
            wasm_be_unreachable(b);
        }
    }
    free(depths);
}

static void check_return(wasm_body* b) {
    const wasm_signature* signature = b->signature;
    wasm_check_top(b, signature->types + signature->param_count, signature->result_count);
    if (wasm_failed(&b->r))
        return;
    wasm_emit_return(b);
    wasm_be_unreachable(b);
}

/* The arguments are home; gives the slot of the first. */
static uint32_t take_arguments(wasm_body* b, const wasm_signature* signature) {
    wasm_check_top(b, signature->types, signature->param_count);
    if (wasm_failed(&b->r))
        return 0;
    wasm_bring_home(b, signature->param_count);
    wasm_pop_all(b, signature->types, signature->param_count);
    uint32_t first = wasm_top_slot(b);
    uint32_t needed =
        first + (signature->param_slots > signature->result_slots ? signature->param_slots
                                                                  : signature->result_slots);
    if (needed > b->most_slots)
        b->most_slots = needed;
    return first;
}

static void end_call(wasm_body* b, const wasm_signature* signature, bool is_return) {
    const wasm_type* results = signature->types + signature->param_count;
    if (!is_return) {
        wasm_push_all(b, results, signature->result_count);
        return;
    }
    const wasm_signature* own = b->signature;
    if (!same_types(results, signature->result_count, own->types + own->param_count,
                    own->result_count))
        wasm_fail_at(&b->r, b->op_at, "tail call type error");
    else
        wasm_be_unreachable(b);
}

static void check_call(wasm_body* b, bool is_return) {
    uint32_t at = wasm_position(&b->r);
    uint32_t index = wasm_read_u32(&b->r, "function index");
    if (index >= b->module->function_count) {
        wasm_fail_at(&b->r, at, "function index #%u is out of bounds", (unsigned)index);
        return;
    }
    const wasm_signature* signature = b->module->functions[index];
    uint32_t first = take_arguments(b, signature);
    if (wasm_failed(&b->r))
        return;
    wasm_note_place(b);
    wasm_emit(b, is_return ? OP_RETURN_CALL : OP_CALL, 2, index, first);
    end_call(b, signature, is_return);
}

static void check_call_indirect(wasm_body* b, bool is_return) {
    uint32_t at = wasm_position(&b->r);
    uint32_t type = wasm_read_u32(&b->r, "signature index");
    uint32_t table = wasm_read_u32(&b->r, "table index");
    if (wasm_failed(&b->r))
        return;
    if (type >= b->module->type_count) {
        wasm_fail_at(&b->r, at, "invalid signature index: #%u", (unsigned)type);
        return;
    }
    if (table >= b->module->table_count || b->module->tables[table].element != WASM_FUNCREF) {
        wasm_fail_at(&b->r, at, "call_indirect: immediate table #%u is not of function type",
                     (unsigned)table);
        return;
    }
    const wasm_signature* signature = b->module->types[type];
    wasm_operand index = wasm_pop(b, WASM_I32);
    uint32_t slot = wasm_slot_of(b, &index);
    uint32_t first = take_arguments(b, signature);
    if (wasm_failed(&b->r))
        return;
    wasm_note_place(b);
    wasm_emit(b, is_return ? OP_RETURN_CALL_INDIRECT : OP_CALL_INDIRECT, 4, type, table, slot,
              first);
    end_call(b, signature, is_return);
}

static bool check_control(wasm_body* b, uint8_t op) {
    switch (op) {
    case I_UNREACHABLE:
        wasm_note_place(b);
        wasm_emit(b, OP_UNREACHABLE, 0);
        wasm_be_unreachable(b);
        return true;
    case I_NOP:
        return true;
    case I_BLOCK:
    case I_LOOP:
    case I_IF:
        check_block(b, op);
        return true;
    case I_ELSE:
        check_else(b);
        return true;
    case I_END:
        check_end(b);
        return true;
    case I_BR:
    case I_BR_IF:
        check_br(b, op == I_BR_IF);
        return true;
    case I_BR_TABLE:
        check_br_table(b);
        return true;
    case I_RETURN:
        check_return(b);
        return true;
    case I_CALL:
    case I_RETURN_CALL:
        check_call(b, op == I_RETURN_CALL);
        return true;
    case I_CALL_INDIRECT:
    case I_RETURN_CALL_INDIRECT:
        check_call_indirect(b, op == I_RETURN_CALL_INDIRECT);
        return true;
    default:
        return false;
    }
}

static void check_instruction(wasm_body* b) {
    b->op_at = wasm_position(&b->r);
    uint8_t op = wasm_read_byte(&b->r, "opcode");
    if (wasm_failed(&b->r))
        return;
    bool known = op < 0x1a && op != 0x18 ? check_control(b, op)
                 : op <= 0x26            ? wasm_check_variable(b, op)
                 : op <= 0x40            ? wasm_check_access(b, op)
                 : op <= 0xc4            ? wasm_check_number(b, op)
                 : op <= 0xd2            ? wasm_check_variable(b, op)
                 : op == 0xfc            ? wasm_check_prefixed(b)
                 : op == 0xfd            ? wasm_check_vector(b)
                                         : op == 0xfe && wasm_check_atomic(b);
    if (!known)
        wasm_fail_at(&b->r, b->op_at, "invalid opcode 0x%x", op);
}

static void add_local(wasm_body* b, wasm_type type) {
    b->locals[b->local_count] = type;
    b->local_slots[b->local_count++] = b->frame_locals;
    b->frame_locals += wasm_slots(type);
}

static void read_locals(wasm_body* b) {
    const wasm_signature* signature = b->signature;
    b->locals = malloc(MOST_LOCALS * sizeof(*b->locals));
    b->local_slots = malloc(MOST_LOCALS * sizeof(*b->local_slots));
    if (b->locals == NULL || b->local_slots == NULL) {
        wasm_fail(&b->r, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < signature->param_count; i++)
        add_local(b, signature->types[i]);
    uint32_t groups = wasm_read_count(&b->r, "local decls count", MOST_LOCALS);
    while (groups-- > 0 && !wasm_failed(&b->r)) {
        uint32_t at = wasm_position(&b->r);
        uint32_t count = wasm_read_u32(&b->r, "local count");
        if (count > MOST_LOCALS - b->local_count) {
            wasm_fail_at(&b->r, at, "local count too large");
            return;
        }
        wasm_type type = wasm_read_type(&b->r);
        while (count-- > 0)
            add_local(b, type);
    }
}

static void check_all(wasm_body* b) {
    read_locals(b);
    uint32_t least = b->signature->result_slots;
    b->most_slots = b->frame_locals > least ? b->frame_locals : least;
    if (wasm_failed(&b->r) ||
        !wasm_grow(b, &b->operands, &b->operand_room, 1, sizeof(*b->operands)))
        return;
    wasm_push_block(b, BODY, NULL, WASM_ANY);
    if (wasm_failed(&b->r))
        return;
    b->blocks[0].signature = b->signature;
    while (b->block_count > 0 && !wasm_failed(&b->r)) {
        if (b->r.at == b->r.end)
            wasm_fail(&b->r, "function body must end with \"end\" opcode");
        else
            check_instruction(b);
    }
    if (!wasm_failed(&b->r) && b->r.at != b->r.end)
        wasm_fail(&b->r, "operators remaining after end of function");
}

bool wasm_body_check(wasm_module* module, uint32_t index, bool writes, wasm_problem* problem) {
    wasm_code* code = &module->codes[index];
    wasm_body b = {
        .r = {module->bytes, module->bytes + code->start, module->bytes + code->end, problem},
        .module = module,
        .signature = module->functions[module->imported_functions + index],
        .writes = writes,
        .last = NO_WORD};
    check_all(&b);
    bool is_right = !wasm_failed(&b.r);
    if (is_right && writes) {
        code->words = b.words;
        code->word_count = b.word_count;
        code->places = b.places;
        code->place_count = b.place_count;
        code->handlers = b.handlers;
        code->handler_count = b.handler_count;
        code->slots = b.most_slots + 2;
        code->local_slots = b.frame_locals;
    } else {
        free(b.words);
        free(b.places);
        free(b.handlers);
    }
    free(b.locals);
    free(b.local_slots);
    free(b.operands);
    free(b.blocks);
    return is_right;
}
