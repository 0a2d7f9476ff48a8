/* Checks and writes what is no control flow: constants, numbers, locals, globals, tables, memory.
 */
#include <string.h>

#include "plugins/wasm/body.h"

typedef enum { NOT_A_NUMBER, OF_ONE, OF_TWO, WITH_CONSTANT, A_LOAD, A_STORE } shape;

typedef struct {
    uint8_t shape;
    wasm_type operand, result;
    uint8_t log; /* of the size in memory */
    bool traps;
    uint16_t op;
} number;

#define WASM_B32 WASM_F32
#define WASM_B64 WASM_F64
#define LOG(c) (sizeof(c) == 1 ? 0 : sizeof(c) == 2 ? 1 : sizeof(c) == 4 ? 2 : 3)

static const number numbers[256] = {
#define INT(byte, name, bits, result) \
    [byte] = {WITH_CONSTANT, WASM_I##bits, WASM_I##bits, 0, false, OP_##name},
#define COMPARE(byte, name, bits, result, opposite) \
    [byte] = {WITH_CONSTANT, WASM_I##bits, WASM_I32, 0, false, OP_##name},
#define INT_PAIR(byte, name, bits, result) \
    [byte] = {OF_TWO, WASM_B##bits, WASM_B##bits, 0, false, OP_##name},
#define FLOAT(byte, name, type, result) \
    [byte] = {OF_TWO, WASM_##type, WASM_##type, 0, false, OP_##name},
#define FLOAT_COMPARE(byte, name, type, result) \
    [byte] = {OF_TWO, WASM_##type, WASM_I32, 0, false, OP_##name},
#define ONE(byte, name, from, to, result) \
    [byte] = {OF_ONE, WASM_##from, WASM_##to, 0, false, OP_##name},
#define DIVIDE(byte, name, bits, zero, large, result) \
    [byte] = {OF_TWO, WASM_I##bits, WASM_I##bits, 0, true, OP_##name},
#define TRUNCATE(byte, name, from, to, above, below, c) \
    [byte] = {OF_ONE, WASM_##from, WASM_##to, 0, true, OP_##name},
#define SATURATE(byte, name, from, to, low, above, least, most, c)
#define LOAD(byte, name, c, type, slot) \
    [byte] = {A_LOAD, WASM_I32, WASM_##type, LOG(c), true, OP_##name},
#define STORE(byte, name, c, type) \
    [byte] = {A_STORE, WASM_##type, WASM_ANY, LOG(c), true, OP_##name},
#include "plugins/wasm/numbers.def"
#include "plugins/wasm/numbers_end.def"
};

enum { SATURATIONS = 8 };
static const number saturations[SATURATIONS] = {
#define INT(byte, name, bits, result)
#define COMPARE(byte, name, bits, result, opposite)
#define INT_PAIR(byte, name, bits, result)
#define FLOAT(byte, name, type, result)
#define FLOAT_COMPARE(byte, name, type, result)
#define ONE(byte, name, from, to, result)
#define DIVIDE(byte, name, bits, zero, large, result)
#define TRUNCATE(byte, name, from, to, above, below, c)
#define SATURATE(byte, name, from, to, low, above, least, most, c) \
    [byte] = {OF_ONE, WASM_##from, WASM_##to, 0, false, OP_##name},
#define LOAD(byte, name, c, type, slot)
#define STORE(byte, name, c, type)
#include "plugins/wasm/numbers.def"
#include "plugins/wasm/numbers_end.def"
};

static void push_constant(wasm_body* b, wasm_type type, uint64_t value) {
    wasm_operand* operand = wasm_push(b, type);
    operand->where = CONSTANT;
    operand->value[0] = value;
}

static void check_constant(wasm_body* b, uint8_t op) {
    uint64_t value = 0;
    const uint8_t* bytes;
    switch (op) {
    case 0x41:
        push_constant(b, WASM_I32, (uint32_t)wasm_read_i32(&b->r));
        break;
    case 0x42:
        push_constant(b, WASM_I64, (uint64_t)wasm_read_i64(&b->r));
        break;
    default:
        bytes = wasm_read_bytes(&b->r, op == 0x43 ? 4 : 8, "immediate");
        if (bytes != NULL)
            memcpy(&value, bytes, op == 0x43 ? 4 : 8);
        push_constant(b, op == 0x43 ? WASM_F32 : WASM_F64, value);
    }
}

static void check_one(wasm_body* b, const number* n) {
    wasm_operand a = wasm_pop(b, n->operand);
    uint32_t slot = wasm_slot_of(b, &a);
    wasm_operand* result = wasm_push(b, n->result);
    if (n->traps)
        wasm_note_place(b);
    wasm_emit_result(b, (wasm_op)n->op, 2, result->home, slot);
}

/* Whether an operand is a constant that an instruction can carry, sign-extended. */
static bool fits(const wasm_operand* operand) {
    if (operand->where != CONSTANT)
        return false;
    uint64_t value = operand->value[0];
    return operand->type == WASM_I32 || value == (uint64_t)(int64_t)(int32_t)value;
}

static void check_two(wasm_body* b, const number* n) {
    wasm_operand second = wasm_pop(b, n->operand);
    wasm_operand first = wasm_pop(b, n->operand);
    bool carries = n->shape == WITH_CONSTANT && fits(&second);
    uint32_t a = wasm_slot_of(b, &first);
    uint32_t c = carries ? (uint32_t)second.value[0] : wasm_slot_of(b, &second);
    wasm_operand* result = wasm_push(b, n->result);
    if (n->traps)
        wasm_note_place(b);
    wasm_emit_result(b, (wasm_op)(n->op + carries), 3, result->home, a, c);
}

bool wasm_check_number(wasm_body* b, uint8_t op) {
    const number* n = &numbers[op];
    if (op <= 0x44) {
        check_constant(b, op);
        return true;
    }
    if (n->shape == OF_ONE)
        check_one(b, n);
    else if (n->shape == OF_TWO || n->shape == WITH_CONSTANT)
        check_two(b, n);
    return n->shape != NOT_A_NUMBER;
}

bool wasm_need_memory(wasm_body* b) {
    if (b->module->memory_count > 0)
        return true;
    return wasm_fail_at(&b->r, b->op_at + 1,
                        "memory index 0 exceeds number of declared memories "
                        "(0)");
}

uint32_t wasm_read_access(wasm_body* b, uint32_t log, bool is_exact) {
    uint32_t at = wasm_position(&b->r);
    uint32_t given = wasm_read_u32(&b->r, "alignment");
    if (is_exact ? given != log : given > log)
        wasm_fail_at(&b->r, at,
                     "invalid alignment; expected %s alignment is %u, actual alignment "
                     "is %u",
                     is_exact ? "exact" : "maximum", (unsigned)log, (unsigned)given);
    uint32_t offset = wasm_read_u32(&b->r, "offset");
    wasm_need_memory(b);
    return offset;
}

bool wasm_check_access(wasm_body* b, uint8_t op) {
    const number* n = &numbers[op];
    if (op == 0x3f || op == 0x40) {
        if (wasm_read_byte(&b->r, "memory index") != 0)
            wasm_fail_at(&b->r, b->op_at + 1, "expected memory index 0");
        if (!wasm_need_memory(b))
            return true;
        if (op == 0x3f) {
            wasm_emit_result(b, OP_MEMORY_SIZE, 1, wasm_push(b, WASM_I32)->home);
            return true;
        }
        wasm_operand pages = wasm_pop(b, WASM_I32);
        uint32_t slot = wasm_slot_of(b, &pages);
        wasm_emit_result(b, OP_MEMORY_GROW, 2, wasm_push(b, WASM_I32)->home, slot);
        return true;
    }
    if (n->shape != A_LOAD && n->shape != A_STORE)
        return false;
    uint32_t offset = wasm_read_access(b, n->log, false);
    if (n->shape == A_LOAD) {
        wasm_operand address = wasm_pop(b, WASM_I32);
        uint32_t slot = wasm_slot_of(b, &address);
        wasm_operand* result = wasm_push(b, n->result);
        wasm_note_place(b);
        wasm_emit_result(b, (wasm_op)n->op, 3, result->home, slot, offset);
        return true;
    }
    wasm_operand value = wasm_pop(b, n->operand);
    wasm_operand address = wasm_pop(b, WASM_I32);
    uint32_t at = wasm_slot_of(b, &address), from = wasm_slot_of(b, &value);
    wasm_note_place(b);
    wasm_emit(b, (wasm_op)n->op, 3, at, from, offset);
    return true;
}

static bool read_local(wasm_body* b, uint32_t* local) {
    uint32_t at = wasm_position(&b->r);
    *local = wasm_read_u32(&b->r, "local index");
    return *local < b->local_count ||
           wasm_fail_at(&b->r, at, "invalid local index: %u", (unsigned)*local);
}

static void check_local(wasm_body* b, uint8_t op) {
    uint32_t local;
    if (!read_local(b, &local))
        return;
    wasm_type type = b->locals[local];
    uint32_t slot = b->local_slots[local];
    if (op != 0x20) {
        wasm_operand value = wasm_pop(b, type);
        wasm_set_local(b, slot, &value);
    }
    if (op != 0x21) {
        wasm_operand* operand = wasm_push(b, type);
        operand->where = IN_LOCAL;
        operand->local = slot;
    }
}

static void check_global(wasm_body* b, uint8_t op) {
    uint32_t at = wasm_position(&b->r);
    uint32_t global = wasm_read_u32(&b->r, "global index");
    if (global >= b->module->global_count) {
        wasm_fail_at(&b->r, at, "Invalid global index: %u", (unsigned)global);
        return;
    }
    wasm_global_type type = b->module->globals[global];
    bool is_pair = type.type == WASM_V128;
    if (op == 0x23) {
        wasm_operand* result = wasm_push(b, type.type);
        wasm_emit_result(b, is_pair ? OP_GLOBAL_GET_PAIR : OP_GLOBAL_GET, 2, result->home, global);
        return;
    }
    if (!type.is_mutable) {
        wasm_fail_at(&b->r, at, "immutable global #%u cannot be assigned", (unsigned)global);
        return;
    }
    wasm_operand value = wasm_pop(b, type.type);
    uint32_t slot = wasm_slot_of(b, &value);
    wasm_emit(b, is_pair ? OP_GLOBAL_SET_PAIR : OP_GLOBAL_SET, 2, slot, global);
}

static bool read_table(wasm_body* b, uint32_t* table) {
    uint32_t at = wasm_position(&b->r);
    *table = wasm_read_u32(&b->r, "table index");
    return *table < b->module->table_count ||
           wasm_fail_at(&b->r, at, "table index %u out of range", (unsigned)*table);
}

static void check_table_access(wasm_body* b, uint8_t op) {
    uint32_t table;
    if (!read_table(b, &table))
        return;
    wasm_type type = b->module->tables[table].element;
    if (op == 0x25) {
        wasm_operand index = wasm_pop(b, WASM_I32);
        uint32_t slot = wasm_slot_of(b, &index);
        wasm_operand* result = wasm_push(b, type);
        wasm_note_place(b);
        wasm_emit_result(b, OP_TABLE_GET, 3, result->home, table, slot);
        return;
    }
    wasm_operand value = wasm_pop(b, type);
    wasm_operand index = wasm_pop(b, WASM_I32);
    uint32_t at = wasm_slot_of(b, &index), from = wasm_slot_of(b, &value);
    wasm_note_place(b);
    wasm_emit(b, OP_TABLE_SET, 3, table, at, from);
}

static void check_select(wasm_body* b, wasm_type type) {
    wasm_operand condition = wasm_pop(b, WASM_I32);
    wasm_operand second = wasm_pop(b, type);
    wasm_operand first = wasm_pop(b, type == WASM_ANY ? second.type : type);
    if (type == WASM_ANY) {
        type = first.type;
        if (wasm_is_reference(type)) {
            wasm_fail_at(&b->r, b->op_at,
                         "select without type is restricted to number and simd "
                         "types");
            return;
        }
    }
    uint32_t a = wasm_slot_of(b, &first), c = wasm_slot_of(b, &second);
    uint32_t when = wasm_slot_of(b, &condition);
    wasm_operand* result = wasm_push(b, type);
    wasm_emit_result(b, type == WASM_V128 ? OP_SELECT_PAIR : OP_SELECT, 4, result->home, a, c,
                     when);
}

static void check_reference(wasm_body* b, uint8_t op) {
    if (op == 0xd0) {
        push_constant(b, wasm_read_reference(&b->r), 0);
    } else if (op == 0xd1) {
        wasm_operand value = wasm_pop(b, WASM_ANY);
        if (value.type != WASM_ANY && !wasm_is_reference(value.type))
            wasm_fail_at(&b->r, b->op_at,
                         "ref.is_null[0] expected reference type, found value of "
                         "type %s",
                         wasm_type_name(value.type));
        uint32_t slot = wasm_slot_of(b, &value);
        wasm_emit_result(b, OP_REF_IS_NULL, 2, wasm_push(b, WASM_I32)->home, slot);
    } else {
        uint32_t at = wasm_position(&b->r);
        uint32_t index = wasm_read_u32(&b->r, "function index");
        if (index >= b->module->function_count)
            wasm_fail_at(&b->r, at, "function index #%u is out of bounds", (unsigned)index);
        else if (!b->module->is_declared[index])
            wasm_fail_at(&b->r, at, "undeclared reference to function #%u", (unsigned)index);
        else
            wasm_emit_result(b, OP_REF_FUNC, 2, wasm_push(b, WASM_FUNCREF)->home, index);
    }
}

bool wasm_check_variable(wasm_body* b, uint8_t op) {
    switch (op) {
    case 0x1a:
        wasm_pop(b, WASM_ANY);
        return true;
    case 0x1b:
        check_select(b, WASM_ANY);
        return true;
    case 0x1c:
        if (wasm_read_u32(&b->r, "number of select types") != 1)
            wasm_fail_at(&b->r, b->op_at + 1,
                         "Invalid number of types. Select accepts exactly "
                         "one type");
        else
            check_select(b, wasm_read_type(&b->r));
        return true;
    case 0x20:
    case 0x21:
    case 0x22:
        check_local(b, op);
        return true;
    case 0x23:
    case 0x24:
        check_global(b, op);
        return true;
    case 0x25:
    case 0x26:
        check_table_access(b, op);
        return true;
    case 0xd0:
    case 0xd1:
    case 0xd2:
        check_reference(b, op);
        return true;
    default:
        return false;
    }
}

/* Three numbers, the first of which was pushed first. */
static void pop_three(wasm_body* b, wasm_type middle, uint32_t slots[3]) {
    wasm_operand third = wasm_pop(b, WASM_I32);
    wasm_operand second = wasm_pop(b, middle);
    wasm_operand first = wasm_pop(b, WASM_I32);
    slots[0] = wasm_slot_of(b, &first);
    slots[1] = wasm_slot_of(b, &second);
    slots[2] = wasm_slot_of(b, &third);
    wasm_note_place(b);
}

static bool read_segment(wasm_body* b, uint32_t* segment, bool is_data) {
    uint32_t at = wasm_position(&b->r);
    *segment = wasm_read_u32(&b->r, "segment index");
    if (is_data && !b->module->has_data_count)
        return wasm_fail_at(&b->r, at, "data count section required");
    uint32_t count = is_data ? b->module->data_count : b->module->element_count;
    return *segment < count || wasm_fail_at(&b->r, at, "invalid %s segment index: %u",
                                            is_data ? "data" : "element", (unsigned)*segment);
}

static void check_memory_range(wasm_body* b, uint32_t op) {
    uint32_t segment = 0, slots[3];
    if ((op == 8 || op == 9) && !read_segment(b, &segment, true))
        return;
    if (op == 9) {
        wasm_emit(b, OP_DATA_DROP, 1, segment);
        return;
    }
    for (int indices = op == 10 ? 2 : 1; indices > 0; indices--)
        if (wasm_read_byte(&b->r, "memory index") != 0)
            wasm_fail(&b->r, "expected memory index 0");
    if (!wasm_need_memory(b))
        return;
    pop_three(b, WASM_I32, slots);
    if (op == 8)
        wasm_emit(b, OP_MEMORY_INIT, 4, segment, slots[0], slots[1], slots[2]);
    else
        wasm_emit(b, op == 10 ? OP_MEMORY_COPY : OP_MEMORY_FILL, 3, slots[0], slots[1], slots[2]);
}

static void check_table_copy(wasm_body* b) {
    uint32_t to, from, slots[3];
    if (!read_table(b, &to) || !read_table(b, &from))
        return;
    if (b->module->tables[to].element != b->module->tables[from].element) {
        wasm_fail_at(&b->r, b->op_at, "table %u is not a super-type of %u", (unsigned)to,
                     (unsigned)from);
        return;
    }
    pop_three(b, WASM_I32, slots);
    wasm_emit(b, OP_TABLE_COPY, 5, to, from, slots[0], slots[1], slots[2]);
}

static void check_table_init(wasm_body* b) {
    uint32_t segment, table, slots[3];
    if (!read_segment(b, &segment, false) || !read_table(b, &table))
        return;
    if (b->module->elements[segment].type != b->module->tables[table].element) {
        wasm_fail_at(&b->r, b->op_at, "table %u is not a super-type of segment %u", (unsigned)table,
                     (unsigned)segment);
        return;
    }
    pop_three(b, WASM_I32, slots);
    wasm_emit(b, OP_TABLE_INIT, 5, table, segment, slots[0], slots[1], slots[2]);
}

static void check_table_size(wasm_body* b, uint32_t op) {
    uint32_t table, slots[3];
    if (!read_table(b, &table))
        return;
    wasm_type type = b->module->tables[table].element;
    if (op == 16) {
        wasm_emit_result(b, OP_TABLE_SIZE, 2, wasm_push(b, WASM_I32)->home, table);
    } else if (op == 17) {
        pop_three(b, type, slots);
        wasm_emit(b, OP_TABLE_FILL, 4, table, slots[0], slots[1], slots[2]);
    } else {
        wasm_operand count = wasm_pop(b, WASM_I32);
        wasm_operand value = wasm_pop(b, type);
        uint32_t from = wasm_slot_of(b, &value), more = wasm_slot_of(b, &count);
        wasm_emit_result(b, OP_TABLE_GROW, 4, wasm_push(b, WASM_I32)->home, table, from, more);
    }
}

bool wasm_check_prefixed(wasm_body* b) {
    uint32_t op = wasm_read_u32(&b->r, "prefixed opcode index");
    uint32_t segment;
    if (op < SATURATIONS) {
        check_one(b, &saturations[op]);
        return true;
    }
    switch (op) {
    case 8:
    case 9:
    case 10:
    case 11:
        check_memory_range(b, op);
        return true;
    case 12:
        check_table_init(b);
        return true;
    case 13:
        if (read_segment(b, &segment, false))
            wasm_emit(b, OP_ELEM_DROP, 1, segment);
        return true;
    case 14:
        check_table_copy(b);
        return true;
    case 15:
    case 16:
    case 17:
        check_table_size(b, op);
        return true;
    default:
        return false;
    }
}
