/* Coverage: how often each function and each block of a text ran (the engine's patch "counts"). */
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "engine/endings.h"
#include "engine/patched.h"

/* What was compiled while this thread counts. */
typedef struct ph_covered {
    struct ph_covered* next;
    char *file, *source;
    size_t length;
    uint32_t first;
    int count;
    ph_counted ranges[];
} ph_covered;

static _Thread_local ph_covered* newest;

static void on_counted(JSContext* ctx, const char* source, size_t length, const char* file,
                       const ph_counted* ranges, int count, uint32_t first) {
    (void)ctx;
    size_t name_length = strlen(file) + 1;
    size_t ranges_size = sizeof(*ranges) * (size_t)count;
    ph_covered* covered = malloc(sizeof(*covered) + ranges_size + name_length + length);
    if (covered == NULL)
        return;
    *covered = (ph_covered){.next = newest, .length = length, .first = first, .count = count};
    memcpy(covered->ranges, ranges, ranges_size);
    covered->file = (char*)covered->ranges + ranges_size;
    memcpy(covered->file, file, name_length);
    covered->source = covered->file + name_length;
    memcpy(covered->source, source, length);
    newest = covered;
}

static void at_end(ph_ending* ending) {
    while (newest != NULL) {
        ph_covered* next = newest->next;
        free(newest);
        newest = next;
    }
    js_forget_counts();
    free(ending);
}

/* What is there for a thread that counts is given back with its runtime. */
static bool begin(ph_env* env) {
    static _Thread_local bool has_begun;
    ph_ending* ending = has_begun ? NULL : malloc(sizeof(*ending));
    if (has_begun || ending == NULL)
        return has_begun;
    ending->run = at_end;
    ph_ending_add(env, ending);
    js_counted_hook = on_counted;
    return has_begun = true;
}

/* count(isOn): whether what is compiled from now on is counted. False: this engine can't. */
static JSValue set_counting(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (js_count_blocks == NULL)
        return JS_FALSE;
    if (!begin(ph_env_of(ctx)))
        return JS_ThrowOutOfMemory(ctx);
    js_count_blocks(JS_ToBool(ctx, argv[0]));
    return JS_TRUE;
}

/* Places of bytes as places of UTF-16: `units[i]` is that of byte i. NULL: no memory. */
static uint32_t* units_of(const char* source, size_t length) {
    uint32_t* units = malloc((length + 1) * sizeof(*units));
    if (units == NULL)
        return NULL;
    uint32_t at = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)source[i];
        units[i] = at;
        if ((byte & 0xC0) != 0x80)
            at += byte >= 0xF0 ? 2 : 1;
    }
    units[length] = at;
    return units;
}

static double unit_at(const uint32_t* units, size_t length, int place) {
    if (place < 0)
        return -1;
    return units[(size_t)place < length ? (size_t)place : length];
}

/* [file, source, a buffer with five numbers for each range: start, end, function, kind, count] */
static JSValue row_of(JSContext* ctx, const ph_covered* covered) {
    enum { FIELDS = 5 };
    size_t size = sizeof(double) * FIELDS * (size_t)covered->count;
    uint32_t* units = units_of(covered->source, covered->length);
    double* numbers = malloc(size > 0 ? size : 1);
    if (units == NULL || numbers == NULL) {
        free(units);
        free(numbers);
        return JS_ThrowOutOfMemory(ctx);
    }
    for (int i = 0; i < covered->count; i++) {
        const ph_counted* range = &covered->ranges[i];
        double* to = numbers + (size_t)FIELDS * (size_t)i;
        to[0] = unit_at(units, covered->length, range->start);
        to[1] = unit_at(units, covered->length, range->end);
        to[2] = range->function;
        to[3] = range->kind;
        to[4] = (double)js_counted_at(covered->first + (uint32_t)i);
    }
    free(units);
    JSValue row[] = {JS_NewString(ctx, covered->file),
                     JS_NewStringLen(ctx, covered->source, covered->length),
                     JS_NewArrayBufferCopy(ctx, (const uint8_t*)numbers, size)};
    free(numbers);
    return JS_NewArrayFrom(ctx, PH_COUNT(row), row);
}

/* take(clears): a row for each text, the newest first; the counts begin again at 0 if asked. */
static JSValue take(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JSValue list = JS_NewArray(ctx);
    uint32_t at = 0;
    for (const ph_covered* covered = newest; covered != NULL; covered = covered->next) {
        JSValue row = row_of(ctx, covered);
        if (JS_IsException(row)) {
            JS_FreeValue(ctx, list);
            return row;
        }
        JS_SetPropertyUint32(ctx, list, at++, row);
    }
    if (JS_ToBool(ctx, argv[0]) && js_counts_clear != NULL)
        js_counts_clear();
    return list;
}

JSValue ph_coverage_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("count", 1, set_counting),
        JS_CFUNC_DEF("take", 1, take),
    };
    return PH_EXPORT(ctx, functions);
}
