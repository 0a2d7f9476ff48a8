#include "engine/allocations.h"

#include <stdlib.h>
#include <string.h>

#include "engine/patched.h"

enum { DEEPEST = 128, FIRST_SLOTS = 256 };

/* A function called from another. It is kept for its name, which nobody may ask for inside of the
 * allocator. */
typedef struct {
    JSValue function;
    JSAtom file;
    int line, column;
    size_t parent;
    size_t first, next; /* of those that it calls; 0: none */
    size_t bytes;
} place;

typedef struct {
    const void* block;
    size_t place;
    size_t bytes;
} sample;

typedef struct ph_allocations {
    size_t interval;
    size_t left; /* bytes until the next sample */
    bool noting;
    place* places;
    size_t place_count, place_room;
    sample* samples; /* by the block's address; a power of two of slots, half of them free */
    size_t sample_count, slots;
} allocations;

typedef struct {
    JSValueConst function;
    JSAtom file;
    int line, column;
} frame;

typedef struct {
    frame frames[DEEPEST];
    int count;
} stack;

static void on_frame(void* data, JSContext* ctx, JSValueConst function, bool is_whole_text,
                     JSAtom file, int line, int column, int running) {
    stack* found = data;
    (void)ctx;
    (void)is_whole_text;
    (void)running;
    if (file != JS_ATOM_NULL && found->count < DEEPEST)
        found->frames[found->count++] = (frame){function, file, line, column};
}

static size_t slot_of(const allocations* self, const void* block) {
    size_t mask = self->slots - 1;
    size_t at = (size_t)(((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (self->samples[at].block != NULL && self->samples[at].block != block)
        at = (at + 1) & mask;
    return at;
}

static bool make_room(allocations* self) {
    if (self->sample_count * 2 < self->slots)
        return true;
    sample* before = self->samples;
    size_t slots = self->slots;
    sample* bigger = calloc(slots * 2, sizeof(*bigger));
    if (bigger == NULL)
        return false;
    self->samples = bigger;
    self->slots = slots * 2;
    for (size_t i = 0; i < slots; i++)
        if (before[i].block != NULL)
            self->samples[slot_of(self, before[i].block)] = before[i];
    free(before);
    return true;
}

/* What `from` calls there; `from` itself if there is no memory. */
static size_t place_below(ph_env* env, allocations* self, size_t from, const frame* called) {
    for (size_t at = self->places[from].first; at != 0; at = self->places[at].next) {
        const place* one = &self->places[at];
        if (one->file == called->file && one->line == called->line && one->column == called->column)
            return at;
    }
    if (self->place_count == self->place_room) {
        place* bigger = realloc(self->places, self->place_room * 2 * sizeof(*bigger));
        if (bigger == NULL)
            return from;
        self->places = bigger;
        self->place_room *= 2;
    }
    size_t made = self->place_count++;
    self->places[made] = (place){.function = JS_DupValue(env->ctx, called->function),
                                 .file = JS_DupAtom(env->ctx, called->file),
                                 .line = called->line,
                                 .column = called->column,
                                 .parent = from,
                                 .next = self->places[from].first};
    self->places[from].first = made;
    return made;
}

void ph_allocation_made(ph_env* env, const void* block, size_t size) {
    allocations* self = env->life.allocations;
    if (size < self->left) {
        self->left -= size;
        return;
    }
    size_t past = size - self->left;
    size_t bytes = (past / self->interval + 1) * self->interval;
    self->left = self->interval - past % self->interval;
    if (self->noting || !make_room(self))
        return;
    self->noting = true;
    stack found = {.count = 0};
    js_each_frame(env->ctx, on_frame, &found);
    size_t at = 0;
    for (int i = found.count - 1; i >= 0; i--)
        at = place_below(env, self, at, &found.frames[i]);
    self->places[at].bytes += bytes;
    self->samples[slot_of(self, block)] = (sample){block, at, bytes};
    self->sample_count++;
    self->noting = false;
}

void ph_allocation_gone(ph_env* env, const void* block) {
    allocations* self = env->life.allocations;
    size_t mask = self->slots - 1;
    size_t hole = slot_of(self, block);
    if (self->samples[hole].block == NULL)
        return;
    self->places[self->samples[hole].place].bytes -= self->samples[hole].bytes;
    self->sample_count--;
    self->samples[hole].block = NULL;
    /* Those behind the hole that were put there because of it find their places again. */
    for (size_t at = (hole + 1) & mask; self->samples[at].block != NULL; at = (at + 1) & mask) {
        sample moved = self->samples[at];
        self->samples[at].block = NULL;
        self->samples[slot_of(self, moved.block)] = moved;
    }
}

int ph_allocations_begin(ph_env* env, size_t interval) {
    if (js_each_frame == NULL)
        return -1;
    ph_allocations_end(env);
    allocations* self = calloc(1, sizeof(*self));
    if (self == NULL)
        return -1;
    self->interval = self->left = interval == 0 ? 1 : interval;
    self->slots = FIRST_SLOTS;
    self->samples = calloc(self->slots, sizeof(*self->samples));
    self->place_room = FIRST_SLOTS;
    self->places = calloc(self->place_room, sizeof(*self->places));
    if (self->samples == NULL || self->places == NULL) {
        free(self->samples);
        free(self->places);
        free(self);
        return -1;
    }
    self->places[0] = (place){.function = JS_UNDEFINED, .file = JS_ATOM_NULL};
    self->place_count = 1;
    env->life.allocations = self;
    return 0;
}

void ph_allocations_end(ph_env* env) {
    allocations* self = env->life.allocations;
    env->life.allocations = NULL;
    if (self == NULL)
        return;
    for (size_t i = 0; i < self->place_count; i++) {
        JS_FreeValue(env->ctx, self->places[i].function);
        JS_FreeAtom(env->ctx, self->places[i].file);
    }
    free(self->places);
    free(self->samples);
    free(self);
}

JSValue ph_allocations_rows(ph_env* env) {
    JSContext* ctx = env->ctx;
    allocations* self = env->life.allocations;
    if (self == NULL)
        return JS_UNDEFINED;
    self->noting = true; /* these rows are not the program's */
    JSValue rows = JS_NewArray(ctx);
    for (size_t i = 0; i < self->place_count; i++) {
        const place* one = &self->places[i];
        JSValue row[] = {JS_NewInt64(ctx, i == 0 ? -1 : (int64_t)one->parent),
                         JS_NewInt64(ctx, (int64_t)one->bytes),
                         JS_DupValue(ctx, one->function),
                         one->file == JS_ATOM_NULL ? JS_UNDEFINED : JS_AtomToString(ctx, one->file),
                         JS_NewInt32(ctx, one->line),
                         JS_NewInt32(ctx, one->column)};
        JS_SetPropertyInt64(ctx, rows, (int64_t)i, JS_NewArrayFrom(ctx, PH_COUNT(row), row));
    }
    self->noting = false;
    return rows;
}
