/* A function's body while it is checked and its code is written. */
#ifndef PH_WASM_BODY_H
#define PH_WASM_BODY_H

#include "plugins/wasm/code.h"
#include "plugins/wasm/reader.h"

/* Where a value on the operand stack is. */
typedef enum {
    AT_HOME,  /* in the slot of its place on the stack */
    IN_LOCAL, /* in the slot of a local, which has not been set since */
    CONSTANT  /* nowhere yet */
} wasm_where;

typedef struct {
    wasm_type type;
    uint8_t where;
    uint32_t home;
    uint32_t local;
    uint64_t value[2];
} wasm_operand;

typedef enum { BLOCK, LOOP, IF, ELSE, TRY, CATCH, BODY } wasm_block_kind;

typedef struct {
    wasm_block_kind kind;
    const wasm_signature* signature; /* NULL: no parameters, and `single` */
    wasm_type single;                /* its only result; WASM_ANY: none */
    bool is_dead;                    /* the rest of it is never reached */
    bool was_dead;                   /* before it */
    uint32_t height;                 /* operands below its parameters */
    uint32_t floor;                  /* what it may not pop */
    uint32_t base;                   /* the first slot of its parameters and results */
    uint32_t target;                 /* of a loop: its first word */
    uint32_t forward;                /* words to be given the distance to its end: a list */
    uint32_t otherwise;              /* of an if: the word for the distance to its else */
    uint32_t stub;                   /* of a table of branches that is being written */
    uint32_t try_start, try_end;     /* words of a try's body */
} wasm_block;

#define NO_WORD UINT32_MAX

typedef struct {
    wasm_reader r;
    wasm_module* module;
    const wasm_signature* signature;
    wasm_type* locals;
    uint32_t* local_slots; /* of each local */
    uint32_t local_count, frame_locals;
    wasm_operand* operands;
    uint32_t operand_count, operand_room;
    uint32_t settled; /* below it no operand is in a local */
    wasm_block* blocks;
    uint32_t block_count, block_room;
    uint32_t most_slots;
    bool writes, is_dead;
    uint32_t* words;
    uint32_t word_count, word_room;
    uint32_t last; /* the first word of the last instruction if it gives one value, or NO_WORD */
    wasm_place* places;
    uint32_t place_count, place_room;
    wasm_handler* handlers;
    uint32_t handler_count, handler_room;
    uint32_t op_at; /* the byte of the instruction */
} wasm_body;

static inline wasm_block* wasm_top_block(wasm_body* b) {
    return &b->blocks[b->block_count - 1];
}

/* emit.c: the code. Nothing is written where it is never reached. */
static inline bool wasm_is_writing(const wasm_body* b) {
    return b->writes && !b->is_dead;
}
uint32_t wasm_word(wasm_body* b, uint32_t word);
void wasm_emit(wasm_body* b, wasm_op op, unsigned count, ...);
/* An instruction whose first operand is the slot of its result, the operand on top. */
void wasm_emit_result(wasm_body* b, wasm_op op, unsigned count, ...);
/* Notes which byte of the module the next instruction comes from. */
void wasm_note_place(wasm_body* b);
void wasm_emit_copy(wasm_body* b, uint32_t to, const wasm_operand* from);
/* The slot that has the operand's value. */
uint32_t wasm_slot_of(wasm_body* b, const wasm_operand* operand);
/* Brings the topmost operands home. */
void wasm_bring_home(wasm_body* b, uint32_t count);
/* Brings those home that are in this local, or in any (NO_WORD). */
void wasm_settle(wasm_body* b, uint32_t local);
void wasm_set_local(wasm_body* b, uint32_t slot, const wasm_operand* value);

typedef struct {
    wasm_op op; /* OP_BRANCH_IF, or a comparison and its operands */
    uint32_t a, b;
    bool is_inverted;
} wasm_condition;
/* Takes the comparison that made the operand, if it is the last instruction. */
wasm_condition wasm_take_condition(wasm_body* b, const wasm_operand* operand);
/* Gives the word for the distance. */
uint32_t wasm_emit_condition(wasm_body* b, const wasm_condition* condition, bool when);
/* A branch to a block: its values go where the block wants them. */
void wasm_emit_branch(wasm_body* b, uint32_t depth);
void wasm_emit_branch_if(wasm_body* b, const wasm_condition* condition, uint32_t depth);
void wasm_emit_return(wasm_body* b);
void wasm_emit_table(wasm_body* b, uint32_t slot, const uint32_t* depths, uint32_t count);
/* The word has the distance from itself to the next instruction. */
void wasm_land(wasm_body* b, uint32_t word);
void wasm_land_all(wasm_body* b, uint32_t list);

/* The types that a branch to the block brings. */
uint32_t wasm_label_types(const wasm_block* block, const wasm_type** types);
uint32_t wasm_block_params(const wasm_block* block, const wasm_type** types);
uint32_t wasm_block_results(const wasm_block* block, const wasm_type** types);

/* operands.c */
bool wasm_grow(wasm_body* b, void* array, uint32_t* room, uint32_t count, size_t size);
uint32_t wasm_top_slot(const wasm_body* b);
wasm_operand* wasm_push(wasm_body* b, wasm_type type);
wasm_operand wasm_pop(wasm_body* b, wasm_type type);
void wasm_pop_all(wasm_body* b, const wasm_type* types, uint32_t count);
void wasm_push_all(wasm_body* b, const wasm_type* types, uint32_t count);
/* Whether the topmost operands have these types; they stay. */
void wasm_check_top(wasm_body* b, const wasm_type* types, uint32_t count);
/* The same, and operands of unknown type stay unknown. */
void wasm_match_top(wasm_body* b, const wasm_type* types, uint32_t count);
void wasm_be_unreachable(wasm_body* b);
wasm_block* wasm_push_block(wasm_body* b, wasm_block_kind kind, const wasm_signature* signature,
                            wasm_type single);

/* instructions.c, check_vectors.c: all but the control flow. False: unknown. */
bool wasm_check_number(wasm_body* b, uint8_t op);
bool wasm_check_variable(wasm_body* b, uint8_t op);
bool wasm_check_access(wasm_body* b, uint8_t op);
bool wasm_check_prefixed(wasm_body* b);
bool wasm_check_vector(wasm_body* b);
bool wasm_check_atomic(wasm_body* b);
bool wasm_need_memory(wasm_body* b);
/* The alignment, which is at most (or must be) this, and the offset. */
uint32_t wasm_read_access(wasm_body* b, uint32_t log, bool is_exact);

#endif
