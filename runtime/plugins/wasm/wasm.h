/* The WebAssembly engine: modules, what they are made of, and running them. It knows nothing of
 * JavaScript; host.h joins the two.
 *
 * A module is read and checked as a whole (read.c, check.c). A function's body becomes code for the
 * interpreter (run.c) when it is first called; the same pass that checks it writes it. */
#ifndef PH_WASM_H
#define PH_WASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types have the numbers of the binary format. */
typedef uint8_t wasm_type;
enum {
    WASM_ANY = 0, /* of code that is never reached */
    WASM_I32 = 0x7f,
    WASM_I64 = 0x7e,
    WASM_F32 = 0x7d,
    WASM_F64 = 0x7c,
    WASM_V128 = 0x7b,
    WASM_FUNCREF = 0x70,
    WASM_EXTERNREF = 0x6f,
};

enum { WASM_PAGE = 65536, WASM_MOST_PAGES = 65536, WASM_MOST_ELEMENTS = 10000000 };

typedef enum { WASM_FUNCTION, WASM_TABLE, WASM_MEMORY, WASM_GLOBAL, WASM_TAG } wasm_kind;

/* A value takes one slot of 8 bytes, a vector two. */
static inline uint32_t wasm_slots(wasm_type type) {
    return type == WASM_V128 ? 2 : 1;
}
static inline bool wasm_is_reference(wasm_type type) {
    return type == WASM_FUNCREF || type == WASM_EXTERNREF;
}

/* Equal signatures of one store are one signature. */
typedef struct wasm_signature {
    struct wasm_signature* next;
    uint32_t param_count, result_count;
    uint32_t param_slots, result_slots;
    wasm_type types[]; /* the parameters, then the results */
} wasm_signature;

typedef struct {
    uint32_t least, most; /* most: of the kind if has_most is not set */
    bool has_most, is_shared;
} wasm_limits;

typedef struct {
    wasm_type element;
    wasm_limits limits;
} wasm_table_type;

typedef struct {
    wasm_type type;
    bool is_mutable;
} wasm_global_type;

typedef struct {
    const uint8_t* bytes; /* UTF-8, in the module's bytes */
    uint32_t length;
} wasm_name;

/* Where a constant expression lies in the module's bytes. */
typedef struct {
    uint32_t start, end;
} wasm_range;

typedef struct {
    wasm_name module, name;
    wasm_kind kind;
    uint32_t index; /* among those of its kind */
} wasm_import;

typedef struct {
    wasm_name name;
    wasm_kind kind;
    uint32_t index;
} wasm_export;

typedef enum { WASM_ACTIVE, WASM_PASSIVE, WASM_DECLARED } wasm_segment_mode;

typedef struct {
    wasm_segment_mode mode;
    wasm_type type;
    uint32_t table;
    wasm_range offset;
    wasm_range* items; /* constant expressions; NULL: functions */
    uint32_t* functions;
    uint32_t count;
} wasm_elements;

typedef struct {
    wasm_segment_mode mode;
    wasm_range offset;
    uint32_t start, length;
} wasm_data;

typedef struct {
    wasm_name name; /* of a custom section */
    uint32_t start, length;
} wasm_custom;

/* Which byte of the module a place in the code comes from. */
typedef struct {
    uint32_t word, byte;
} wasm_place;

/* Where an exception that is thrown between two places in the code goes to. */
typedef struct {
    uint32_t start, end; /* words */
    uint32_t target;
    uint32_t tag;    /* WASM_CATCH_ALL: every one */
    uint32_t slot;   /* where its values go */
    uint32_t caught; /* the slot that keeps it for a rethrow */
} wasm_handler;
#define WASM_CATCH_ALL UINT32_MAX

/* A function's body. */
typedef struct {
    uint32_t start, end; /* in the module's bytes */
    uint32_t* words;     /* NULL: not written yet */
    uint32_t word_count, slots;
    uint32_t local_slots; /* parameters and locals */
    wasm_place* places;
    uint32_t place_count;
    wasm_handler* handlers; /* inner ones first */
    uint32_t handler_count;
} wasm_code;

typedef struct wasm_store wasm_store;

typedef struct {
    unsigned holders;
    wasm_store* store;
    char* url; /* where it came from, for stack traces; NULL: it has none */
    uint8_t* bytes;
    uint32_t length;
    const wasm_signature** types;
    uint32_t type_count;
    wasm_import* imports;
    uint32_t import_count;
    wasm_export* exports;
    uint32_t export_count;
    const wasm_signature** functions; /* imports first, as everywhere */
    uint32_t function_count, imported_functions;
    wasm_table_type* tables;
    uint32_t table_count, imported_tables;
    wasm_limits* memories;
    uint32_t memory_count, imported_memories;
    wasm_global_type* globals;
    wasm_range* global_values; /* of all; imported ones have none */
    uint32_t global_count, imported_globals;
    const wasm_signature** tags;
    uint32_t tag_count, imported_tags;
    wasm_elements* elements;
    uint32_t element_count;
    wasm_data* datas;
    uint32_t data_count;
    wasm_code* codes; /* of functions that are not imported */
    uint32_t code_count;
    wasm_custom* customs;
    uint32_t custom_count;
    bool* is_declared; /* functions that a ref.func may name */
    uint32_t start;    /* WASM_NO_INDEX: none */
    bool has_data_count;
} wasm_module;
#define WASM_NO_INDEX UINT32_MAX

/* What is wrong with a module, and at which byte. */
typedef struct {
    char text[200];
    uint32_t at;
} wasm_problem;

/* Reads and checks; NULL and the problem if it is no module. The bytes, from malloc, pass to it
 * either way. */
wasm_module* wasm_module_read(wasm_store* store, uint8_t* bytes_owned, uint32_t length,
                              wasm_problem* problem);
void wasm_module_release(wasm_module* module);

/* The name of a function by the custom section "name"; its length is 0 if it has none. */
wasm_name wasm_function_name(const wasm_module* module, uint32_t index);

/* Checks a body, and writes its code if `writes`. False and the problem. */
bool wasm_body_check(wasm_module* module, uint32_t code, bool writes, wasm_problem* problem);

/* Things of a store that reach each other are in one group and are freed together: an instance and
 * all that it imports. The lists of a group that has joined another are empty. */
typedef struct wasm_group wasm_group;
typedef struct wasm_instance wasm_instance;
struct wasm_group {
    wasm_store* store;
    wasm_group* into;   /* the group that it has joined, NULL: none */
    wasm_group* joined; /* those that have joined this one: a list */
    struct wasm_thing* things;
    wasm_instance* instances;
    void* host; /* what the host keeps for it */
};

typedef struct wasm_thing {
    wasm_kind kind;
    wasm_group* group;
    struct wasm_thing* next;
    void* handle; /* JavaScript's view of it, if there is one */
} wasm_thing;

typedef struct wasm_function {
    wasm_thing thing;
    const wasm_signature* signature;
    wasm_instance* instance; /* NULL: of the host */
    wasm_code* code;
    uint32_t index;
    void* host; /* what the host knows it by */
} wasm_function;

/* The bytes of a memory never move: room for as many as it may get is set aside. */
typedef struct wasm_space wasm_space;
typedef struct {
    wasm_thing thing;
    wasm_limits limits;
    uint8_t* bytes;
    uint64_t* size;    /* in bytes; of a shared one, where all threads see it */
    uint64_t own_size; /* of one that is not shared */
    wasm_space* space; /* NULL: it is shared, and the host has the bytes */
    void* shared;      /* what the host knows them by */
} wasm_memory;

static inline uint64_t wasm_memory_size(const wasm_memory* memory) {
    return __atomic_load_n(memory->size, __ATOMIC_ACQUIRE);
}

typedef struct {
    wasm_thing thing;
    wasm_table_type type;
    uint64_t* elements; /* 0: null */
    uint32_t size, room;
} wasm_table;

typedef struct {
    wasm_thing thing;
    wasm_global_type type;
    uint64_t value[2];
} wasm_global;

typedef struct {
    wasm_thing thing;
    const wasm_signature* signature;
} wasm_tag;

struct wasm_instance {
    wasm_instance* next;
    wasm_module* module;
    wasm_function** functions;
    wasm_table** tables;
    wasm_memory** memories;
    wasm_global** globals;
    wasm_tag** tags;
    bool* elements_gone; /* segments that were dropped */
    bool* data_gone;
    wasm_function* own; /* the functions that are not imported */
};

typedef enum {
    WASM_OK,
    WASM_UNREACHABLE,
    WASM_OUT_OF_MEMORY_BOUNDS,
    WASM_UNALIGNED,
    WASM_NOT_SHARED,
    WASM_DIVIDED_BY_ZERO,
    WASM_REMAINDER_BY_ZERO,
    WASM_DIVISION_TOO_LARGE,
    WASM_NOT_AN_INTEGER,
    WASM_OUT_OF_TABLE_BOUNDS,
    WASM_WRONG_SIGNATURE,
    WASM_NO_ROOM,    /* on the stack */
    WASM_NO_MEMORY,  /* for the code */
    WASM_HOST_THREW, /* an exception of the host waits */
    WASM_STOPPED,    /* by the host */
    WASM_THROWN,     /* store->thrown is under way */
} wasm_outcome;

/* An exception of WebAssembly, or one of the host that passes. */
typedef struct wasm_exception {
    wasm_tag* tag; /* NULL: the host's */
    void* host;
    uint64_t values[];
} wasm_exception;

/* A function that runs, for stack traces. */
typedef struct {
    const wasm_function* function;
    uint32_t byte;
} wasm_spot;

enum { WASM_MOST_SPOTS = 64 };

typedef struct {
    const uint32_t* pc;
    uint64_t* fp;
    wasm_function* function;
} wasm_frame;

/* What a world's WebAssembly shares. The first member of the host's own. */
struct wasm_store {
    wasm_signature* signatures[256];
    uint64_t *stack, *stack_top, *stack_end; /* top: where the next call from outside begins */
    wasm_frame *frames, *frames_end;
    wasm_frame* frame_top;
    wasm_spot spots[WASM_MOST_SPOTS]; /* of the last trap, innermost first */
    uint32_t spot_count;
    /* Calls a function of the host: its arguments are in the slots and its results go there. */
    wasm_outcome (*call_host)(wasm_store* store, wasm_function* function, uint64_t* slots);
    /* Asked now and then: whether to stop. */
    bool (*should_stop)(wasm_store* store);
    /* memory.atomic.wait and notify; the result, or -1 if it threw. */
    int64_t (*wait)(wasm_store* store, wasm_memory* memory, uint64_t at, bool is_wide,
                    uint64_t expected, int64_t timeout);
    int64_t (*notify)(wasm_store* store, wasm_memory* memory, uint64_t at, uint32_t count);
    void (*grown)(wasm_store* store, wasm_memory* memory);
    /* A shared memory for a module that has one; NULL and an exception of the host. */
    wasm_memory* (*share)(wasm_store* store, wasm_group* group, wasm_limits limits);
};

/* groups.c */
wasm_group* wasm_group_new(wasm_store* store);
wasm_group* wasm_group_root(wasm_group* group);
/* The first joins the second; gives false if they are one already. */
bool wasm_group_join(wasm_group* group, wasm_group* into);
/* Frees all that is in it; handles are told by `forget`. */
void wasm_group_free(wasm_group* group, void (*forget)(void* handle));
void wasm_group_add(wasm_group* group, wasm_thing* thing);

bool wasm_store_init(wasm_store* store);
void wasm_store_free(wasm_store* store);
const wasm_signature* wasm_signature_of(wasm_store* store, const wasm_type* types,
                                        uint32_t param_count, uint32_t result_count);

/* Calls a function with its arguments in the slots, where its results go. */
wasm_outcome wasm_call(wasm_store* store, wasm_function* function, uint64_t* slots);
const char* wasm_outcome_text(wasm_outcome outcome);

/* Things that stand alone. NULL: no memory. */
wasm_memory* wasm_memory_new(wasm_group* group, wasm_limits limits);
/* Shared memories are made of the host's bytes, behind which their size is. */
wasm_memory* wasm_memory_shared(wasm_group* group, wasm_limits limits, uint8_t* bytes);
wasm_table* wasm_table_new(wasm_group* group, wasm_table_type type, uint64_t value);
wasm_global* wasm_global_new(wasm_group* group, wasm_global_type type);
wasm_tag* wasm_tag_new(wasm_group* group, const wasm_signature* signature);
wasm_function* wasm_host_function_new(wasm_group* group, const wasm_signature* signature);
void wasm_thing_free(wasm_thing* thing);
void wasm_instance_free(wasm_instance* instance);

/* The size before, in pages or elements; -1: it may not grow so far. */
int64_t wasm_memory_grow(wasm_memory* memory, uint32_t pages);
int64_t wasm_table_grow(wasm_table* table, uint32_t count, uint64_t value);
/* The bytes of a memory, for those that outlive it. */
wasm_space* wasm_space_hold(wasm_space* space);
void wasm_space_release(wasm_space* space);

/* Makes an instance of things that fit the module's imports, and fills its tables and memories.
 * The start function is not called. */
wasm_instance* wasm_instance_new(wasm_group* group, wasm_module* module, wasm_thing** imports);
wasm_outcome wasm_instance_fill(wasm_instance* instance);

/* The operations on ranges that functions and instances share; false: out of bounds. */
bool wasm_table_init(wasm_instance* instance, uint32_t table, uint32_t segment, uint64_t to,
                     uint64_t from, uint64_t count);
bool wasm_table_copy(wasm_table* to, wasm_table* from, uint64_t at, uint64_t source,
                     uint64_t count);
bool wasm_memory_init(wasm_instance* instance, uint32_t segment, uint64_t to, uint64_t from,
                      uint64_t count);

#endif
