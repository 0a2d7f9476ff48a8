/* Heap snapshots: the engine's objects in the form of V8's snapshot files, which DevTools read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "engine/allocations.h"
#include "engine/patched.h"

enum { SYNTHETIC = 9, NUMBER = 7, ELEMENT = 1, FIRST_TEXT_ROOM = 64 };

typedef struct {
    const void* address;
    uint32_t name; /* number of its text */
    uint32_t kind;
    uint32_t first_edge;
    uint32_t edge_count;
    size_t size;
    bool is_held; /* by another */
} node;

typedef struct {
    const void* address; /* of an object */
    uint32_t leaf;       /* else the number of the leaf, plus one */
    uint32_t kind;
    uint32_t name; /* number of a text or index */
} edge;

typedef struct {
    uint32_t* slots; /* numbers plus one */
    size_t size;     /* a power of two */
} index_table;

typedef struct {
    node* nodes;
    node* leaves;
    edge* edges;
    char** texts;
    size_t node_count, leaf_count, edge_count, text_count;
    size_t node_room, leaf_room, edge_room, text_room;
    index_table node_index, leaf_index, text_index;
    uint32_t last_leaf; /* told before its edge */
    bool with_numbers;
    bool failed; /* there was no memory */
} snapshot;

typedef struct {
    char* bytes;
    size_t length, room;
    bool failed;
} text;

static bool grow(void** list, size_t* room, size_t count, size_t size) {
    if (count < *room)
        return true;
    size_t wanted = *room == 0 ? FIRST_TEXT_ROOM : *room * 2;
    void* bigger = realloc(*list, wanted * size);
    if (bigger == NULL)
        return false;
    *list = bigger;
    *room = wanted;
    return true;
}

static size_t hash_pointer(const void* address) {
    return ((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15u >> 16;
}

static size_t hash_text(const char* string) {
    size_t hash = 5381;
    while (*string != '\0')
        hash = hash * 33 ^ (uint8_t)*string++;
    return hash;
}

static size_t hash_of(const snapshot* self, const index_table* table, uint32_t number) {
    if (table == &self->text_index)
        return hash_text(self->texts[number]);
    const node* list = table == &self->node_index ? self->nodes : self->leaves;
    return hash_pointer(list[number].address);
}

static void place(const snapshot* self, index_table* table, uint32_t number) {
    size_t at = hash_of(self, table, number) & (table->size - 1);
    while (table->slots[at] != 0)
        at = (at + 1) & (table->size - 1);
    table->slots[at] = number + 1;
}

/* Puts the last of `count` into the table, which has twice the room that it needs. */
static bool remember(snapshot* self, index_table* table, size_t count) {
    if (count * 2 <= table->size) {
        place(self, table, (uint32_t)count - 1);
        return true;
    }
    size_t size = table->size == 0 ? 256 : table->size * 2;
    uint32_t* slots = calloc(size, sizeof(*slots));
    if (slots == NULL)
        return false;
    free(table->slots);
    *table = (index_table){slots, size};
    for (size_t i = 0; i < count; i++)
        place(self, table, (uint32_t)i);
    return true;
}

/* The number plus one, or 0. */
static uint32_t find_address(const index_table* table, const node* list, const void* address) {
    size_t at = hash_pointer(address) & (table->size - 1);
    for (; table->size > 0 && table->slots[at] != 0; at = (at + 1) & (table->size - 1))
        if (list[table->slots[at] - 1].address == address)
            return table->slots[at];
    return 0;
}

static uint32_t text_number(snapshot* self, const char* string) {
    const index_table* table = &self->text_index;
    size_t at = hash_text(string) & (table->size - 1);
    for (; table->size > 0 && table->slots[at] != 0; at = (at + 1) & (table->size - 1))
        if (strcmp(self->texts[table->slots[at] - 1], string) == 0)
            return table->slots[at] - 1;
    char* copy = strdup(string);
    if (copy == NULL ||
        !grow((void**)&self->texts, &self->text_room, self->text_count, sizeof(*self->texts))) {
        free(copy);
        self->failed = true;
        return 0;
    }
    self->texts[self->text_count++] = copy;
    if (!remember(self, &self->text_index, self->text_count))
        self->failed = true;
    return (uint32_t)self->text_count - 1;
}

static void on_node(void* data, const void* address, int kind, const char* name, size_t size) {
    snapshot* self = data;
    if (self->failed ||
        !grow((void**)&self->nodes, &self->node_room, self->node_count, sizeof(*self->nodes))) {
        self->failed = true;
        return;
    }
    self->nodes[self->node_count++] = (node){.address = address,
                                             .name = text_number(self, name),
                                             .kind = (uint32_t)kind,
                                             .first_edge = (uint32_t)self->edge_count,
                                             .size = size};
    if (!remember(self, &self->node_index, self->node_count))
        self->failed = true;
}

static void on_leaf(void* data, const void* address, int kind, const char* name, size_t size) {
    snapshot* self = data;
    self->last_leaf = 0;
    if (self->failed || (kind == NUMBER && !self->with_numbers))
        return;
    if (address == NULL)
        address = name; /* of all numbers of a kind */
    self->last_leaf = find_address(&self->leaf_index, self->leaves, address);
    if (self->last_leaf != 0)
        return;
    if (!grow((void**)&self->leaves, &self->leaf_room, self->leaf_count, sizeof(*self->leaves))) {
        self->failed = true;
        return;
    }
    self->leaves[self->leaf_count++] = (node){
        .address = address, .name = text_number(self, name), .kind = (uint32_t)kind, .size = size};
    if (!remember(self, &self->leaf_index, self->leaf_count))
        self->failed = true;
    self->last_leaf = (uint32_t)self->leaf_count;
}

static void on_edge(void* data, int kind, const char* name, uint32_t index, const void* to) {
    snapshot* self = data;
    uint32_t leaf = self->last_leaf;
    self->last_leaf = 0;
    if (self->failed || self->node_count == 0 || (to == NULL && leaf == 0))
        return;
    if (!grow((void**)&self->edges, &self->edge_room, self->edge_count, sizeof(*self->edges))) {
        self->failed = true;
        return;
    }
    uint32_t named = name == NULL ? index : text_number(self, name);
    self->edges[self->edge_count++] = (edge){to, leaf, (uint32_t)kind, named};
    self->nodes[self->node_count - 1].edge_count++;
}

static void put(text* out, const char* bytes, size_t length) {
    if (out->failed)
        return;
    if (out->length + length + 1 > out->room) {
        size_t room = (out->length + length + 1) * 2;
        char* bigger = realloc(out->bytes, room);
        if (bigger == NULL) {
            out->failed = true;
            return;
        }
        out->bytes = bigger;
        out->room = room;
    }
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

static void put_text(text* out, const char* string) {
    put(out, string, strlen(string));
}

static void put_numbers(text* out, const size_t* numbers, int count, bool is_first) {
    char one[32];
    for (int i = 0; i < count; i++) {
        int length = snprintf(one, sizeof(one), "%s%zu", is_first && i == 0 ? "" : ",", numbers[i]);
        put(out, one, (size_t)length);
    }
    put(out, "\n", 1);
}

static void put_quoted(text* out, const char* string) {
    put(out, "\"", 1);
    for (const char* c = string; *c != '\0'; c++) {
        char escaped[8];
        if (*c == '"' || *c == '\\')
            put(out, "\\", 1);
        if ((uint8_t)*c >= 0x20)
            put(out, c, 1);
        else
            put(out, escaped, (size_t)snprintf(escaped, sizeof(escaped), "\\u%04x", (uint8_t)*c));
    }
    put(out, "\"", 1);
}

static const char head[] =
    "{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\","
    "\"edge_count\",\"trace_node_id\",\"detachedness\"],\"node_types\":[[\"hidden\",\"array\","
    "\"string\",\"object\",\"code\",\"closure\",\"regexp\",\"number\",\"native\",\"synthetic\","
    "\"concatenated string\",\"sliced string\",\"symbol\",\"bigint\",\"object shape\"],"
    "\"string\",\"number\",\"number\",\"number\",\"number\",\"number\"],\"edge_fields\":[\"type\","
    "\"name_or_index\",\"to_node\"],\"edge_types\":[[\"context\",\"element\",\"property\","
    "\"internal\",\"hidden\",\"shortcut\",\"weak\"],\"string_or_number\",\"node\"],"
    "\"trace_function_info_fields\":[\"function_id\",\"name\",\"script_name\",\"script_id\","
    "\"line\",\"column\"],\"trace_node_fields\":[\"id\",\"function_info_index\",\"count\",\"size\","
    "\"children\"],\"sample_fields\":[\"timestamp_us\",\"last_assigned_id\"],"
    "\"location_fields\":[\"object_index\",\"script_id\",\"line\",\"column\"]}";

enum { NODE_FIELDS = 7 };

/* The place of what an edge leads to among all nodes: the root, objects, leaves. 0 if it is none.
 */
static size_t target_of(const snapshot* self, const edge* one) {
    if (one->leaf != 0)
        return self->node_count + one->leaf;
    return find_address(&self->node_index, self->nodes, one->address);
}

/* Edges to what is not shown are left out; what nobody holds hangs from the root. */
static size_t resolve(snapshot* self) {
    size_t count = 0;
    for (size_t i = 0; i < self->node_count; i++) {
        node* from = &self->nodes[i];
        uint32_t kept = 0;
        for (uint32_t j = 0; j < from->edge_count; j++) {
            edge* one = &self->edges[from->first_edge + j];
            size_t target = target_of(self, one);
            if (target > 0 && target <= self->node_count && target != i + 1)
                self->nodes[target - 1].is_held = true;
            if (target > 0)
                self->edges[from->first_edge + kept++] = *one;
        }
        from->edge_count = kept;
        count += kept;
    }
    return count;
}

static void put_node(text* out, const node* one, size_t number) {
    size_t fields[NODE_FIELDS] = {one->kind, one->name, number * 2 + 1, one->size, one->edge_count};
    put_numbers(out, fields, NODE_FIELDS, false);
}

static void put_edges(text* out, const snapshot* self, size_t roots) {
    bool is_first = true;
    for (size_t i = 0, shown = 0; i < self->node_count && shown < roots; i++) {
        if (self->nodes[i].is_held)
            continue;
        size_t fields[] = {ELEMENT, shown++, (i + 1) * NODE_FIELDS};
        put_numbers(out, fields, 3, is_first);
        is_first = false;
    }
    for (size_t i = 0; i < self->node_count; i++) {
        const node* from = &self->nodes[i];
        for (uint32_t j = 0; j < from->edge_count; j++) {
            const edge* one = &self->edges[from->first_edge + j];
            size_t fields[] = {one->kind, one->name, target_of(self, one) * NODE_FIELDS};
            put_numbers(out, fields, 3, is_first);
            is_first = false;
        }
    }
}

static void write_out(text* out, snapshot* self) {
    uint32_t root_name = text_number(self, "");
    size_t edges = resolve(self);
    size_t roots = 0;
    for (size_t i = 0; i < self->node_count; i++)
        roots += !self->nodes[i].is_held;
    char counts[160];
    snprintf(counts, sizeof(counts),
             ",\"node_count\":%zu,\"edge_count\":%zu,\"trace_function_count\":0},\n\"nodes\":[",
             1 + self->node_count + self->leaf_count, edges + roots);
    put_text(out, head);
    put_text(out, counts);
    size_t root[NODE_FIELDS] = {SYNTHETIC, root_name, 1, 0, roots};
    put_numbers(out, root, NODE_FIELDS, true);
    for (size_t i = 0; i < self->node_count; i++)
        put_node(out, &self->nodes[i], i + 1);
    for (size_t i = 0; i < self->leaf_count; i++)
        put_node(out, &self->leaves[i], i + 1 + self->node_count);
    put_text(out, "],\n\"edges\":[");
    put_edges(out, self, roots);
    put_text(out, "],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n"
                  "\"locations\":[],\n\"strings\":[");
    for (size_t i = 0; i < self->text_count; i++) {
        put_text(out, i == 0 ? "" : ",\n");
        put_quoted(out, self->texts[i]);
    }
    put_text(out, "]}\n");
}

static void release(snapshot* self) {
    for (size_t i = 0; i < self->text_count; i++)
        free(self->texts[i]);
    free(self->texts);
    free(self->nodes);
    free(self->leaves);
    free(self->edges);
    free(self->node_index.slots);
    free(self->leaf_index.slots);
    free(self->text_index.slots);
}

/* take(with numbers?): a Buffer; undefined in an engine that does not tell */
static JSValue take(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (js_walk_heap == NULL)
        return JS_UNDEFINED;
    JS_RunGC(JS_GetRuntime(ctx));
    snapshot made = {.with_numbers = ph_flag(ctx, argv[0])};
    text out = {NULL, 0, 0, false};
    js_walk_heap(JS_GetRuntime(ctx), &made, on_node, on_edge, on_leaf);
    if (!made.failed)
        write_out(&out, &made);
    bool failed = made.failed || out.failed;
    release(&made);
    if (!failed)
        return ph_buffer(ph_env_of(ctx), out.bytes, out.length);
    free(out.bytes);
    return JS_ThrowOutOfMemory(ctx);
}

/* below(prototype): the objects that inherit from it; undefined in an engine that does not tell */
static JSValue below(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (js_objects_below == NULL)
        return JS_UNDEFINED;
    JSRuntime* rt = JS_GetRuntime(ctx);
    JS_RunGC(rt);
    size_t count = js_objects_below(rt, argv[0], NULL, 0);
    JSValue* found = malloc((count + 1) * sizeof(*found));
    if (found == NULL)
        return JS_ThrowOutOfMemory(ctx);
    js_objects_below(rt, argv[0], found, count);
    JSValue list = JS_NewArrayFrom(ctx, (int)count, found);
    free(found);
    return list;
}

/* watch(bytes from one look to the next): false in an engine that does not tell; 0: no more */
static JSValue watch(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int64_t interval = 0;
    if (JS_ToInt64(ctx, &interval, argv[0]) != 0)
        return JS_EXCEPTION;
    if (interval > 0)
        return JS_NewBool(ctx, ph_allocations_begin(ph_env_of(ctx), (size_t)interval) == 0);
    ph_allocations_end(ph_env_of(ctx));
    return JS_TRUE;
}

/* watched(): rows of engine/allocations.h */
static JSValue watched(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return ph_allocations_rows(ph_env_of(ctx));
}

JSValue ph_heap_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("take", 1, take),
        JS_CFUNC_DEF("below", 1, below),
        JS_CFUNC_DEF("watch", 1, watch),
        JS_CFUNC_DEF("watched", 0, watched),
    };
    return PH_EXPORT(ctx, functions);
}
