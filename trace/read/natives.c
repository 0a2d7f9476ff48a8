#include "read/natives.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Garbage collection, by words in V8's functions; the more special ones first. */
static const struct {
    const char* word;
    const char* name;
} collectors[] = {
    {"v8::internal::Scavenge", "garbage collection (scavenge)"},
    {"v8::internal::SemiSpace", "garbage collection (scavenge)"},
    {"v8::internal::MarkCompact", "garbage collection (mark-compact)"},
    {"v8::internal::IncrementalMarking", "garbage collection (marking)"},
    {"v8::internal::Heap::PerformGarbageCollection", "garbage collection"},
    {"v8::internal::Heap::CollectGarbage", "garbage collection"},
    {"v8::internal::Sweeper", "garbage collection (sweeping)"},
    {"JS_RunGC", "garbage collection"},
};

/* Functions that are known by what they consist of. */
static const struct {
    const char* word;
    const char* name;
} parts[] = {
    {"v8::internal::JsonParse", "JSON.parse"}, {"v8::internal::JsonStringif", "JSON.stringify"},
    {"Builtin_JsonParse", "JSON.parse"},       {"Builtin_JsonStringify", "JSON.stringify"},
    {"js_json_parse", "JSON.parse"},           {"js_json_stringify", "JSON.stringify"},
    {"js_array_sort", "Array.prototype.sort"}, {"js_atomics_wait", "Atomics.wait"},
    {"lre_exec", "a regular expression"},      {"v8::internal::RegExp", "a regular expression"},
    {"v8::internal::Compiler::", "compiling"}, {"v8::internal::parsing::", "compiling"},
};

static const char* const classes[] = {"ArrayBuffer", "Array",    "Object", "String",     "Number",
                                      "Math",        "Date",     "RegExp", "WeakMap",    "Map",
                                      "Set",         "Symbol",   "BigInt", "TypedArray", "Promise",
                                      "Reflect",     "DataView", "Atomics"};

/* "ArrayPrototypeSort" is "Array.prototype.sort", "ObjectKeys" is "Object.keys". */
static bool name_builtin(const char* builtin, size_t length, char* name, size_t size) {
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        size_t own = strlen(classes[i]);
        if (length <= own || strncmp(builtin, classes[i], own) != 0)
            continue;
        const char* rest = builtin + own;
        size_t left = length - own;
        bool prototype = left > 9 && strncmp(rest, "Prototype", 9) == 0;
        rest += prototype ? 9 : 0;
        left -= prototype ? 9 : 0;
        snprintf(name, size, "%s.%s%c%.*s", classes[i], prototype ? "prototype." : "",
                 tolower((unsigned char)rest[0]), (int)(left - 1), rest + 1);
        return true;
    }
    return false;
}

/* A function that an engine calls for one in its language says so in its name or arguments. */
static bool name_one(const char* function, char* name, size_t size) {
    static const char builtin[] = "v8::internal::Builtin_", embedded[] = "Builtins_";
    const char* begin =
        strncmp(function, builtin, sizeof(builtin) - 1) == 0     ? function + sizeof(builtin) - 1
        : strncmp(function, embedded, sizeof(embedded) - 1) == 0 ? function + sizeof(embedded) - 1
                                                                 : NULL;
    if (begin != NULL)
        return name_builtin(begin, strcspn(begin, "("), name, size);
    const char* arguments = strstr(function, "(v8::FunctionCallbackInfo<v8::Value> const&)");
    if (arguments == NULL || strncmp(function, "node::", 6) != 0)
        return false;
    snprintf(name, size, "%.*s", (int)(arguments - function), function);
    return true;
}

bool natives_name(const char* const* functions, size_t count, char* name, size_t size) {
    for (size_t k = 0; k < sizeof(collectors) / sizeof(collectors[0]); k++)
        for (size_t i = 0; i < count; i++)
            if (strstr(functions[i], collectors[k].word) != NULL) {
                snprintf(name, size, "%s", collectors[k].name);
                return true;
            }
    /* What the engine called is the outermost. */
    for (size_t i = count; i-- > 0;) {
        for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
            if (strstr(functions[i], parts[k].word) != NULL) {
                snprintf(name, size, "%s", parts[k].name);
                return true;
            }
        if (name_one(functions[i], name, size))
            return true;
    }
    return false;
}
