/* What a store keeps, and the things in it: memories, tables, globals. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "plugins/wasm/wasm.h"

enum { STACK_SLOTS = 1 << 20, MOST_FRAMES = 1 << 15 };

static void* set_aside(size_t size, int protection) {
    void* memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool wasm_store_init(wasm_store* store) {
    store->stack = set_aside(STACK_SLOTS * sizeof(*store->stack), PROT_READ | PROT_WRITE);
    store->frames = set_aside(MOST_FRAMES * sizeof(*store->frames), PROT_READ | PROT_WRITE);
    if (store->stack == NULL || store->frames == NULL) {
        wasm_store_free(store);
        return false;
    }
    store->stack_top = store->stack;
    store->stack_end = store->stack + STACK_SLOTS;
    store->frame_top = store->frames;
    store->frames_end = store->frames + MOST_FRAMES;
    return true;
}

void wasm_store_free(wasm_store* store) {
    if (store->stack != NULL)
        munmap(store->stack, STACK_SLOTS * sizeof(*store->stack));
    if (store->frames != NULL)
        munmap(store->frames, MOST_FRAMES * sizeof(*store->frames));
    store->stack = NULL;
    store->frames = NULL;
    for (size_t i = 0; i < sizeof(store->signatures) / sizeof(store->signatures[0]); i++)
        while (store->signatures[i] != NULL) {
            wasm_signature* signature = store->signatures[i];
            store->signatures[i] = signature->next;
            free(signature);
        }
}

const wasm_signature* wasm_signature_of(wasm_store* store, const wasm_type* types,
                                        uint32_t param_count, uint32_t result_count) {
    uint32_t count = param_count + result_count, hash = param_count;
    for (uint32_t i = 0; i < count; i++)
        hash = hash * 31 + types[i];
    wasm_signature** list =
        &store->signatures[hash % (sizeof(store->signatures) / sizeof(store->signatures[0]))];
    for (wasm_signature* s = *list; s != NULL; s = s->next)
        if (s->param_count == param_count && s->result_count == result_count &&
            (count == 0 || memcmp(s->types, types, count) == 0))
            return s;
    wasm_signature* made = calloc(1, sizeof(*made) + count);
    if (made == NULL)
        return NULL;
    made->param_count = param_count;
    made->result_count = result_count;
    for (uint32_t i = 0; i < count; i++) {
        made->types[i] = types[i];
        *(i < param_count ? &made->param_slots : &made->result_slots) += wasm_slots(types[i]);
    }
    made->next = *list;
    *list = made;
    return made;
}

struct wasm_space {
    atomic_uint holders;
    uint8_t* bytes;
    size_t reserved;
};

wasm_space* wasm_space_hold(wasm_space* space) {
    atomic_fetch_add(&space->holders, 1);
    return space;
}

void wasm_space_release(wasm_space* space) {
    if (atomic_fetch_sub(&space->holders, 1) > 1)
        return;
    if (space->bytes != NULL)
        munmap(space->bytes, space->reserved);
    free(space);
}

/* Addresses for as many pages as there may be; fewer where the system gives no more, and a part of
 * all where they have 32 bits: the program needs the others. */
static wasm_space* new_space(wasm_limits limits) {
    wasm_space* space = calloc(1, sizeof(*space));
    if (space == NULL)
        return NULL;
    atomic_init(&space->holders, 1);
    uint64_t least = (uint64_t)limits.least * WASM_PAGE;
    uint64_t whole = (uint64_t)SIZE_MAX + (uint64_t)1; /* 0: 64 bits */
    uint64_t wanted = limits.most > WASM_MOST_PAGES ? WASM_MOST_PAGES : limits.most;
    wanted = wanted == 0 ? WASM_PAGE : wanted * WASM_PAGE;
    if (whole != 0 && wanted > whole / 16)
        wanted = least > whole / 16 ? least : whole / 16;
    while (wanted <= SIZE_MAX && (space->bytes = set_aside((size_t)wanted, PROT_NONE)) == NULL &&
           wanted / 2 >= least && wanted > WASM_PAGE)
        wanted /= 2;
    space->reserved = (size_t)wanted;
    if (space->bytes != NULL &&
        (least == 0 || mprotect(space->bytes, (size_t)least, PROT_READ | PROT_WRITE) == 0))
        return space;
    wasm_space_release(space);
    return NULL;
}

wasm_memory* wasm_memory_new(wasm_group* group, wasm_limits limits) {
    wasm_memory* memory = calloc(1, sizeof(*memory));
    if (memory == NULL)
        return NULL;
    memory->thing.kind = WASM_MEMORY;
    memory->limits = limits;
    memory->space = new_space(limits);
    if (memory->space == NULL) {
        free(memory);
        return NULL;
    }
    memory->bytes = memory->space->bytes;
    memory->own_size = (uint64_t)limits.least * WASM_PAGE;
    memory->size = &memory->own_size;
    wasm_group_add(group, &memory->thing);
    return memory;
}

wasm_memory* wasm_memory_shared(wasm_group* group, wasm_limits limits, uint8_t* bytes) {
    wasm_memory* memory = calloc(1, sizeof(*memory));
    if (memory == NULL)
        return NULL;
    memory->thing.kind = WASM_MEMORY;
    memory->limits = limits;
    memory->bytes = bytes;
    memory->size = (uint64_t*)(void*)(bytes + (size_t)limits.most * WASM_PAGE);
    wasm_group_add(group, &memory->thing);
    return memory;
}

/* All of its bytes are usable from the start; threads grow it at the same time. */
static int64_t grow_shared(wasm_memory* memory, uint32_t pages) {
    uint64_t before = wasm_memory_size(memory), after;
    do {
        after = before + (uint64_t)pages * WASM_PAGE;
        if (after > (uint64_t)memory->limits.most * WASM_PAGE)
            return -1;
    } while (!__atomic_compare_exchange_n(memory->size, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return (int64_t)(before / WASM_PAGE);
}

int64_t wasm_memory_grow(wasm_memory* memory, uint32_t pages) {
    if (memory->limits.is_shared)
        return grow_shared(memory, pages);
    uint64_t before = memory->own_size / WASM_PAGE, after = before + pages;
    uint64_t most = memory->limits.most > WASM_MOST_PAGES ? WASM_MOST_PAGES : memory->limits.most;
    if (after > most || after * WASM_PAGE > memory->space->reserved)
        return -1;
    if (pages > 0 && mprotect(memory->bytes + memory->own_size, (size_t)pages * WASM_PAGE,
                              PROT_READ | PROT_WRITE) != 0)
        return -1;
    memory->own_size = after * WASM_PAGE;
    return (int64_t)before;
}

wasm_table* wasm_table_new(wasm_group* group, wasm_table_type type, uint64_t value) {
    wasm_table* table = calloc(1, sizeof(*table));
    if (table == NULL)
        return NULL;
    table->thing.kind = WASM_TABLE;
    table->type = type;
    if (wasm_table_grow(table, type.limits.least, value) < 0) {
        free(table);
        return NULL;
    }
    wasm_group_add(group, &table->thing);
    return table;
}

int64_t wasm_table_grow(wasm_table* table, uint32_t count, uint64_t value) {
    uint64_t before = table->size, after = before + count;
    if (after > table->type.limits.most || after > WASM_MOST_ELEMENTS)
        return -1;
    if (after > table->room) {
        uint64_t room = after < 2 * (uint64_t)table->room ? 2 * (uint64_t)table->room : after;
        uint64_t* bigger = realloc(table->elements, room * sizeof(*bigger));
        if (bigger == NULL)
            return -1;
        table->elements = bigger;
        table->room = (uint32_t)room;
    }
    for (uint64_t i = before; i < after; i++)
        table->elements[i] = value;
    table->size = (uint32_t)after;
    return (int64_t)before;
}

wasm_global* wasm_global_new(wasm_group* group, wasm_global_type type) {
    wasm_global* global = calloc(1, sizeof(*global));
    if (global == NULL)
        return NULL;
    global->thing.kind = WASM_GLOBAL;
    global->type = type;
    wasm_group_add(group, &global->thing);
    return global;
}

wasm_tag* wasm_tag_new(wasm_group* group, const wasm_signature* signature) {
    wasm_tag* tag = calloc(1, sizeof(*tag));
    if (tag == NULL)
        return NULL;
    tag->thing.kind = WASM_TAG;
    tag->signature = signature;
    wasm_group_add(group, &tag->thing);
    return tag;
}

wasm_function* wasm_host_function_new(wasm_group* group, const wasm_signature* signature) {
    wasm_function* function = calloc(1, sizeof(*function));
    if (function == NULL)
        return NULL;
    function->thing.kind = WASM_FUNCTION;
    function->signature = signature;
    wasm_group_add(group, &function->thing);
    return function;
}

void wasm_thing_free(wasm_thing* thing) {
    wasm_memory* memory = (wasm_memory*)thing;
    if (thing->kind == WASM_MEMORY && memory->space != NULL)
        wasm_space_release(memory->space);
    if (thing->kind == WASM_TABLE)
        free(((wasm_table*)thing)->elements);
    free(thing);
}
