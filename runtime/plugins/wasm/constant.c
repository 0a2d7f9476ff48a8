#include "plugins/wasm/constant.h"

#include <string.h>

enum { DEEPEST = 64 };

enum {
    END = 0x0b,
    GLOBAL_GET = 0x23,
    I32_CONST = 0x41,
    I64_CONST,
    F32_CONST,
    F64_CONST,
    I32_ADD = 0x6a,
    I32_SUB,
    I32_MUL,
    I64_ADD = 0x7c,
    I64_SUB,
    I64_MUL,
    REF_NULL = 0xd0,
    REF_FUNC = 0xd2,
    VECTOR = 0xfd,
    V128_CONST = 12,
};

typedef struct {
    wasm_type type;
    uint64_t value[2];
} constant;

typedef struct {
    constant stack[DEEPEST];
    unsigned count;
    wasm_module* module;           /* while it is checked */
    const wasm_instance* instance; /* while it is computed */
} machine;

static void push(wasm_reader* r, machine* m, wasm_type type, uint64_t low, uint64_t high) {
    if (m->count == DEEPEST)
        wasm_fail(r, "constant expression is too deep");
    else
        m->stack[m->count++] = (constant){type, {low, high}};
}

static void get_global(wasm_reader* r, machine* m) {
    uint32_t at = wasm_position(r);
    uint32_t index = wasm_read_u32(r, "global index");
    if (m->instance != NULL) {
        const wasm_global* global = m->instance->globals[index];
        push(r, m, global->type.type, global->value[0], global->value[1]);
    } else if (index >= m->module->global_count) {
        wasm_fail_at(r, at, "Invalid global index: %u", (unsigned)index);
    } else if (m->module->globals[index].is_mutable || index >= m->module->imported_globals) {
        wasm_fail_at(r, at,
                     "non-imported or mutable globals cannot be used in constant "
                     "expressions");
    } else {
        push(r, m, m->module->globals[index].type, 0, 0);
    }
}

static void get_function(wasm_reader* r, machine* m) {
    uint32_t at = wasm_position(r);
    uint32_t index = wasm_read_u32(r, "function index");
    if (m->instance != NULL) {
        push(r, m, WASM_FUNCREF, (uint64_t)(uintptr_t)m->instance->functions[index], 0);
    } else if (index >= m->module->function_count) {
        wasm_fail_at(r, at, "function index #%u is out of bounds", (unsigned)index);
    } else {
        m->module->is_declared[index] = true;
        push(r, m, WASM_FUNCREF, 0, 0);
    }
}

static void calculate(wasm_reader* r, machine* m, uint8_t op) {
    wasm_type type = op < I64_ADD ? WASM_I32 : WASM_I64;
    if (m->count < 2 || m->stack[m->count - 1].type != type ||
        m->stack[m->count - 2].type != type) {
        wasm_fail(r, "type error in constant expression");
        return;
    }
    uint64_t b = m->stack[--m->count].value[0];
    uint64_t* a = &m->stack[m->count - 1].value[0];
    int which = op - (type == WASM_I32 ? I32_ADD : I64_ADD);
    *a = which == 0 ? *a + b : which == 1 ? *a - b : *a * b;
    if (type == WASM_I32)
        *a = (uint32_t)*a;
}

static void push_bytes(wasm_reader* r, machine* m, wasm_type type, uint32_t size) {
    uint64_t value[2] = {0, 0};
    const uint8_t* bytes = wasm_read_bytes(r, size, "immediate");
    if (bytes != NULL)
        memcpy(value, bytes, size);
    push(r, m, type, value[0], value[1]);
}

static void step(wasm_reader* r, machine* m, uint8_t op) {
    switch (op) {
    case GLOBAL_GET:
        get_global(r, m);
        break;
    case I32_CONST:
        push(r, m, WASM_I32, (uint32_t)wasm_read_i32(r), 0);
        break;
    case I64_CONST:
        push(r, m, WASM_I64, (uint64_t)wasm_read_i64(r), 0);
        break;
    case F32_CONST:
        push_bytes(r, m, WASM_F32, 4);
        break;
    case F64_CONST:
        push_bytes(r, m, WASM_F64, 8);
        break;
    case REF_NULL:
        push(r, m, wasm_read_reference(r), 0, 0);
        break;
    case REF_FUNC:
        get_function(r, m);
        break;
    case VECTOR:
        if (wasm_read_u32(r, "opcode") == V128_CONST)
            push_bytes(r, m, WASM_V128, 16);
        else
            wasm_fail(r, "opcode 0xfd is not allowed in constant expressions");
        break;
    default:
        if ((op >= I32_ADD && op <= I32_MUL) || (op >= I64_ADD && op <= I64_MUL))
            calculate(r, m, op);
        else
            wasm_fail(r, "opcode 0x%02x is not allowed in constant expressions", op);
    }
}

static void run(wasm_reader* r, machine* m) {
    while (!wasm_failed(r)) {
        uint8_t op = wasm_read_byte(r, "opcode");
        if (op == END || wasm_failed(r))
            return;
        step(r, m, op);
    }
}

wasm_range wasm_constant_check(wasm_reader* r, wasm_module* module, wasm_type type) {
    machine m = {.count = 0, .module = module};
    uint32_t start = wasm_position(r);
    run(r, &m);
    if (!wasm_failed(r) && (m.count != 1 || m.stack[0].type != type))
        wasm_fail_at(r, start, "type error in constant expression[0] (expected %s, got %s)",
                     wasm_type_name(type),
                     m.count == 0 ? "nothing" : wasm_type_name(m.stack[0].type));
    return (wasm_range){start, wasm_position(r)};
}

void wasm_constant_value(const wasm_instance* instance, wasm_range range, uint64_t value[2]) {
    machine m = {.count = 0, .instance = instance};
    wasm_problem problem = {.text = ""};
    const uint8_t* bytes = instance->module->bytes;
    wasm_reader r = {bytes, bytes + range.start, bytes + range.end, &problem};
    run(&r, &m);
    memcpy(value, m.stack[0].value, sizeof(m.stack[0].value));
}
