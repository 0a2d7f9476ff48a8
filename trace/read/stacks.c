#include "read/stacks.h"

#include "read/cursor.h"
#include "read/map.h"
#include "read/memory.h"
#include "read/natives.h"

enum {
    MOST_FRAMES = 128,
    MOST_SAMPLES = 100000,
    MOST_RAW = 20000,      /* of them, that are unwound */
    MOST_LOOKED_AT = 1000, /* in one callback, for the engine's answer */
    MOST_NATIVE_NAME = 120,
    SOON_NS = 7000000 /* an engine that answers later was in native code */
};

/* A stack while it is read, innermost first: numbers of frames. */
struct row {
    uint32_t frames[MOST_FRAMES];
    size_t count;
};

/* One block. Those of form 2 wait for an engine's stack of the same callback, which they are inside
 * of; those of form 3 have it. */
struct taken {
    uint64_t time, asked, since;
    int tid;
    bool native;
    bool after;    /* the engine was in native code while it was asked */
    bool compiled; /* it was in code of its own that does not answer */
    struct row row;
    struct row* caller; /* NULL: not known */
};

struct reading {
    struct stacks* stacks;
    struct map frames; /* by hash of the name: the frame, + 1 */
    struct map nodes;  /* by parent and frame: the node, + 1 */
    struct taken* taken;
    size_t taken_count;
    size_t raw_count;
};

static bool is_own_file(const char* file) {
    return file[0] != '\0' && file[0] != '<' && strncmp(file, "node:", 5) != 0 &&
           strncmp(file, "internal/", 9) != 0 && strstr(file, "/lib/python3") == NULL &&
           strncmp(file, "vim/", 4) != 0 && strstr(file, "/nvim/runtime/") == NULL;
}

static uint32_t find_frame(struct reading* r, const char* function, const char* file, uint32_t line,
                           bool own) {
    struct stacks* stacks = r->stacks;
    uint64_t key = (uint64_t)ph_trace_checksum(function, strlen(function)) << 32;
    key = (key ^ ((uint64_t)ph_trace_checksum(file, strlen(file)) << 8)) + line * 8ull + 8;
    uint32_t known = map_get(&r->frames, key);
    if (known != 0)
        return known - 1;
    map_put(&r->frames, key, (uint32_t)stacks->frame_count + 1);
    struct stack_frame* frame = APPEND(stacks->frames, stacks->frame_count);
    frame->name = (uint32_t)stacks->file->name_count;
    frame->own = own;
    frame->engine = file[0] != '\0';
    *APPEND(stacks->file->names, stacks->file->name_count) =
        (struct trace_name){must(strdup(function)), must(strdup(file)), line};
    return (uint32_t)stacks->frame_count - 1;
}

static char* get_text(struct cursor* from) {
    uint64_t size = get_varint(from);
    const unsigned char* bytes = get_bytes(from, size);
    return must(strndup(bytes != NULL ? (const char*)bytes : "", bytes != NULL ? size : 0));
}

/* Where it is not known in which line a function is written, all of its samples are one frame with
 * the first line that was seen; those without a name are told apart by theirs. */
static void read_named(struct reading* r, struct cursor* from, struct row* row) {
    while (from->at != from->end && row->count < MOST_FRAMES) {
        char* function = get_text(from);
        char* file = get_text(from);
        uint32_t line = (uint32_t)get_varint(from), running = (uint32_t)get_varint(from);
        bool named = function[0] != '\0';
        if (!from->bad && line == 0 && named) {
            uint32_t frame = find_frame(r, function, file, 0, is_own_file(file));
            struct trace_name* name = &r->stacks->file->names[r->stacks->frames[frame].name];
            if (name->line == 0)
                name->line = running;
            row->frames[row->count++] = frame;
        } else if (!from->bad) {
            row->frames[row->count++] = find_frame(r, named ? function : "(anonymous)", file,
                                                   line != 0 ? line : running, is_own_file(file));
        }
        free(function);
        free(file);
    }
}

/* What an engine ran when it called native code. */
static struct row* read_caller(struct reading* r, struct cursor* from) {
    uint64_t size = get_varint(from);
    const unsigned char* bytes = get_bytes(from, size);
    if (bytes == NULL || size == 0)
        return NULL;
    struct cursor part = {bytes, bytes + size, false};
    struct row* row = must(calloc(1, sizeof(*row)));
    read_named(r, &part, row);
    return row;
}

/* Native frames */

static bool is_system(const char* module) {
    static const char* const names[] = {"libc.",  "libm.",    "ld-linux", "libpthread",
                                        "libuv.", "libstdc+", "libgcc_s", "libdl."};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(module, names[i], strlen(names[i])) == 0)
            return true;
    return module[0] == '\0' || module[0] == '[' || strcmp(module, "phasor") == 0;
}

/* What the C library does around main, or the function of a thread, tells nothing. */
static size_t without_starters(const struct reading* r, const uint64_t* addresses, size_t count) {
    char module[64], name[64] = "";
    size_t end = count;
    if (end > 1)
        symbols_frame(r->stacks->symbols, addresses[end - 1] - 1, name, sizeof(name));
    if (strcmp(name, "_start") == 0)
        end--;
    while (end > 1 &&
           symbols_module(r->stacks->symbols, addresses[end - 1], module, sizeof(module)) &&
           strncmp(module, "libc.", 5) == 0)
        end--;
    return end > 1 ? end : count;
}

static void read_raw(struct reading* r, struct cursor* from, struct row* row) {
    struct raw_stack raw = {.pc = get_varint(from), .mask = get_varint(from)};
    uint64_t addresses[MOST_FRAMES];
    for (unsigned i = 0; i < 64; i++)
        if (raw.mask >> i & 1)
            raw.registers[i] = get_varint(from);
    raw.from = raw.registers[raw.mask >> 31 & 1 ? 31 : 7];
    raw.bytes = from->at;
    raw.size = (size_t)(from->end - from->at);
    if (from->bad)
        return;
    size_t count = symbols_unwind(r->stacks->symbols, &raw, addresses, MOST_FRAMES);
    /* The loop's own code around the callback is left out. */
    size_t end = count;
    char module[64];
    while (end > 0 &&
           !symbols_module(r->stacks->symbols, addresses[end - 1], module, sizeof(module)))
        end--;
    for (size_t i = count; i-- > 0;) {
        symbols_module(r->stacks->symbols, addresses[i], module, sizeof(module));
        if (strncmp(module, "libuv.", 6) != 0)
            continue;
        while (i > 0 &&
               symbols_module(r->stacks->symbols, addresses[i - 1], module, sizeof(module)) &&
               strncmp(module, "libuv.", 6) == 0)
            i--;
        end = i;
        break;
    }
    end = without_starters(r, addresses, end);
    for (size_t i = 0; i < end; i++) {
        char name[1024];
        symbols_module(r->stacks->symbols, addresses[i], module, sizeof(module));
        if (strncmp(module, "libphasor-trace.", 16) == 0)
            continue;
        /* Outside of the first, an address is that of the instruction after a call. */
        symbols_frame(r->stacks->symbols, addresses[i] - (i > 0), name, sizeof(name));
        row->frames[row->count++] = find_frame(r, name, "", 0, !is_system(module));
    }
}

static void read_block(struct reading* r, const unsigned char* data, size_t size) {
    struct cursor from = {data, data + size, false};
    struct taken taken = {.tid = (int)get_varint(&from)};
    taken.time = get_varint(&from);
    taken.asked = get_varint(&from);
    taken.since = get_varint(&from);
    uint64_t form = get_varint(&from);
    if (from.bad || taken.since > taken.time || taken.asked > taken.time)
        return;
    taken.native = form == 2 || form == 3;
    taken.after = form == 4;
    taken.compiled = form == 5;
    if (form == 1 || form == 4 || form == 5)
        read_named(r, &from, &taken.row);
    if (form == 3)
        taken.caller = read_caller(r, &from);
    if (taken.native && r->raw_count++ < MOST_RAW)
        read_raw(r, &from, &taken.row);
    if (taken.row.count > 0 || taken.native)
        *APPEND(r->taken, r->taken_count) = taken;
}

static int compare_taken(const void* a, const void* b) {
    const struct taken *x = a, *y = b;
    if (x->tid != y->tid)
        return (x->tid > y->tid) - (x->tid < y->tid);
    return (x->time > y->time) - (x->time < y->time);
}

/* The tree */

static uint32_t find_node(struct reading* r, uint32_t parent, uint32_t frame) {
    uint64_t key = ((uint64_t)(parent + 1) << 32 | frame) * 8 + 8;
    uint32_t known = map_get(&r->nodes, key);
    if (known != 0)
        return known - 1;
    struct stack_node* node = APPEND(r->stacks->nodes, r->stacks->node_count);
    *node = (struct stack_node){parent, frame};
    map_put(&r->nodes, key, (uint32_t)r->stacks->node_count);
    return (uint32_t)r->stacks->node_count - 1;
}

/* From the outermost frame to the one with this number. */
static uint32_t add_row(struct reading* r, uint32_t node, const struct row* row, size_t last) {
    for (size_t i = row->count; i-- > last;)
        node = find_node(r, node, row->frames[i]);
    return node;
}

/* The innermost frame of the program: what an engine runs after native code has returned is not
 * what called that. */
static size_t innermost_own(const struct reading* r, const struct row* row) {
    for (size_t i = 0; i < row->count; i++)
        if (r->stacks->frames[row->frames[i]].own)
            return i;
    return 0;
}

static bool is_of(const struct taken* one, const struct taken* other) {
    return one->tid == other->tid && one->since == other->since;
}

/* The stack that the engine told of the same callback later. */
static const struct taken* find_engine(const struct reading* r, size_t from) {
    for (size_t i = from + 1;
         i < r->taken_count && i - from < MOST_LOOKED_AT && is_of(&r->taken[i], &r->taken[from]);
         i++)
        if (!r->taken[i].native)
            return &r->taken[i];
    return NULL;
}

/* Whether native code ran while the engine did not answer: its stack was taken, which is not done
 * while the engine has no processor. */
static bool was_native(const struct reading* r, size_t number) {
    const struct taken* told = &r->taken[number];
    for (size_t i = number; i-- > 0 && number - i < MOST_LOOKED_AT && is_of(&r->taken[i], told) &&
                            r->taken[i].time >= told->asked;)
        if (r->taken[i].native)
            return true;
    return false;
}

/* The last stack that tells who called native code, where this is one, or one of an engine that
 * answered when it was back from there. */
static const struct taken* find_caller(const struct reading* r, size_t number) {
    const struct taken* told = &r->taken[number];
    if (told->native)
        return told->caller != NULL ? told : NULL;
    if (number == 0 || (told->time - told->asked <= SOON_NS && !told->after))
        return NULL;
    const struct taken* before = &r->taken[number - 1];
    return is_of(before, told) && before->time >= told->asked && before->caller != NULL ? before
                                                                                        : NULL;
}

static bool name_native(const struct reading* r, const struct row* row, char* name, size_t size) {
    const char* functions[MOST_FRAMES];
    for (size_t i = 0; i < row->count; i++)
        functions[i] = r->stacks->file->names[r->stacks->frames[row->frames[i]].name].function;
    return natives_name(functions, row->count, name, size);
}

/* What stands for native code between an engine's frames and the machine's. */
static uint32_t native_frame(struct reading* r, const struct row* row) {
    char name[MOST_NATIVE_NAME];
    if (row == NULL || !name_native(r, row, name, sizeof(name)))
        snprintf(name, sizeof(name), "(native code)");
    uint32_t frame = find_frame(r, name, "", 0, false);
    r->stacks->frames[frame].is_native = true;
    return frame;
}

/* Below the function that called it, which is known. */
static uint32_t place_below_caller(struct reading* r, const struct taken* taken) {
    uint32_t node = add_row(r, NO_NODE, taken->caller, 0);
    node = find_node(r, node, native_frame(r, &taken->row));
    return add_row(r, node, &taken->row, 0);
}

/* The native function that an engine says it was in, below the frame with this number: it has no
 * file and no line. NO_NODE: it says nothing. */
static uint32_t told_native(struct reading* r, const struct taken* engine, size_t own) {
    if (!engine->after || own == 0)
        return NO_NODE;
    struct stack_frame* frame = &r->stacks->frames[engine->row.frames[own - 1]];
    if (frame->engine || r->stacks->file->names[frame->name].line != 0)
        return NO_NODE;
    frame->is_native = true;
    return engine->row.frames[own - 1];
}

/* NO_NODE: nothing is known. */
static uint32_t place(struct reading* r, size_t number) {
    const struct taken* taken = &r->taken[number];
    const struct taken* caller = find_caller(r, number);
    if (caller != NULL)
        return place_below_caller(r, caller);
    const struct taken* engine = taken->native ? find_engine(r, number) : taken;
    bool late = engine != NULL && engine->time - engine->asked > SOON_NS;
    bool compiled = engine != NULL && engine->compiled;
    bool in_native =
        !compiled && (taken->native || taken->after || (late && was_native(r, number)));
    if (engine == NULL) {
        char name[MOST_NATIVE_NAME];
        bool named = name_native(r, &taken->row, name, sizeof(name));
        uint32_t root = named ? find_node(r, NO_NODE, native_frame(r, &taken->row)) : NO_NODE;
        return add_row(r, root, &taken->row, 0);
    }
    if (!in_native)
        return add_row(r, NO_NODE, &engine->row, 0);
    size_t own = innermost_own(r, &engine->row);
    uint32_t node = add_row(r, NO_NODE, &engine->row, own);
    uint32_t told = told_native(r, engine, own);
    if (told == NO_NODE)
        told = native_frame(r, taken->native ? &taken->row : NULL);
    node = find_node(r, node, told);
    return taken->native ? add_row(r, node, &taken->row, 0) : node;
}

static void make_samples(struct reading* r) {
    for (size_t i = 0; i < r->taken_count; i++) {
        const struct taken* taken = &r->taken[i];
        uint64_t before = taken->since;
        if (i > 0 && r->taken[i - 1].tid == taken->tid && r->taken[i - 1].time > before)
            before = r->taken[i - 1].time;
        uint32_t node = place(r, i);
        if (node == NO_NODE)
            continue;
        *APPEND(r->stacks->samples, r->stacks->sample_count) =
            (struct stack_sample){.time = taken->time,
                                  .since = taken->since,
                                  .weight = taken->time - before,
                                  .tid = taken->tid,
                                  .node = node,
                                  .late = taken->time - taken->asked > SOON_NS};
    }
}

struct stacks* stacks_open(struct trace_file* file, struct symbols* symbols) {
    struct stacks* stacks = must(calloc(1, sizeof(*stacks)));
    struct reading r = {.stacks = stacks};
    stacks->file = file;
    stacks->symbols = symbols;
    if (file->name_count == 0)
        APPEND(file->names, file->name_count); /* names have numbers from 1 on */
    file->own_name_count = file->name_count;
    for (size_t i = 0; i < file->block_count && r.taken_count < MOST_SAMPLES; i++) {
        if (file->blocks[i].kind != PH_BLOCK_STACK)
            continue;
        const unsigned char* data = trace_file_payload(file, &file->blocks[i]);
        if (data != NULL)
            read_block(&r, data, file->blocks[i].size);
    }
    if (r.taken_count > 0) {
        qsort(r.taken, r.taken_count, sizeof(*r.taken), compare_taken);
        make_samples(&r);
    }
    for (size_t i = 0; i < r.taken_count; i++)
        free(r.taken[i].caller);
    free(r.taken);
    free(r.frames.slots);
    free(r.nodes.slots);
    return stacks;
}

void stacks_close(struct stacks* stacks) {
    free(stacks->frames);
    free(stacks->nodes);
    free(stacks->samples);
    free(stacks);
}
