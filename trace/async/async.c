/*
 * What async.js says about timers and immediates becomes events: an add-on of Node, by Node-API.
 * What a function is called and where it is written, V8 is asked: a script may make `name` of a
 * function whatever it likes, a getter even.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <phasor.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* As Node-API has them. */
typedef void* napi_env;
typedef void* napi_value;
typedef void* napi_callback_info;
typedef napi_value (*napi_callback)(napi_env env, napi_callback_info info);
enum { NAPI_OK = 0, ALL = -1 };

int napi_create_function(napi_env env, const char* name, size_t size, napi_callback call,
                         void* data, napi_value* result);
int napi_set_named_property(napi_env env, napi_value object, const char* name, napi_value value);
int napi_get_cb_info(napi_env env, napi_callback_info info, size_t* count, napi_value* arguments,
                     napi_value* self, void** data);
int napi_get_value_double(napi_env env, napi_value value, double* result);
int napi_get_value_string_utf8(napi_env env, napi_value value, char* text, size_t room,
                               size_t* size);
int napi_create_uint32(napi_env env, uint32_t number, napi_value* result);
napi_value napi_register_module_v1(napi_env env, napi_value exports);

/* A value of V8, where it is kept; Node-API's are the same. */
typedef void* value;
/* Given back in memory: its words, as many as there may be. */
struct origin {
    value words[16];
};

static struct {
    void* (*isolate)(void);
    value (*name)(const void* function);
    int (*line)(const void* function);
    struct origin (*origin)(const void* function);
} v8;

static bool find(void* function, const char* name) {
    void* found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof(found));
    return found != NULL;
}

static bool find_v8(void) {
    return find(&v8.isolate, "_ZN2v87Isolate13TryGetCurrentEv") &&
           find(&v8.name, "_ZNK2v88Function12GetDebugNameEv") &&
           find(&v8.line, "_ZNK2v88Function19GetScriptLineNumberEv") &&
           find(&v8.origin, "_ZNK2v88Function15GetScriptOriginEv");
}

static void read_text(napi_env env, napi_value text, char* out, size_t size) {
    out[0] = '\0';
    if (text == NULL || napi_get_value_string_utf8(env, text, out, size, NULL) != NAPI_OK)
        out[0] = '\0';
}

/* Before V8 12 the isolate comes first. */
static value file_of(const struct origin* origin) {
    return origin->words[origin->words[0] == v8.isolate()];
}

/* Timers of `timers/promises` are called nothing that a program knows. */
static unsigned number_of(napi_env env, napi_value function) {
    char name[256], file[1024];
    if (v8.isolate == NULL)
        return phasor_trace_name("(timer)", NULL, 0);
    struct origin origin = v8.origin(function);
    int line = v8.line(function);
    read_text(env, v8.name(function), name, sizeof(name));
    read_text(env, file_of(&origin), file, sizeof(file));
    if (strcmp(file, "node:timers/promises") == 0 || file[0] == '\0')
        return phasor_trace_name("(promise)", NULL, 0);
    return phasor_trace_name(name, file, line >= 0 ? line + 1 : 0);
}

/* The number of a timer, which only those of one thread have to themselves: `data` is the thread's.
 */
static const void* id_of(napi_env env, napi_value number, const void* data) {
    double id = 0;
    napi_get_value_double(env, number, &id);
    return (const void*)((uintptr_t)data << 48 | (uintptr_t)id); /* NOLINT */
}

static napi_value made(napi_env env, napi_callback_info info) {
    napi_value argument;
    size_t count = 1;
    void* data;
    if (napi_get_cb_info(env, info, &count, &argument, NULL, &data) == NAPI_OK)
        phasor_trace_later(id_of(env, argument, data), PHASOR_LATER_IS_MADE);
    return NULL;
}

static napi_value runs(napi_env env, napi_callback_info info) {
    napi_value arguments[2];
    size_t count = 2;
    void* data;
    double name = 0;
    if (napi_get_cb_info(env, info, &count, arguments, NULL, &data) != NAPI_OK)
        return NULL;
    napi_get_value_double(env, arguments[1], &name);
    phasor_trace_later(id_of(env, arguments[0], data), PHASOR_LATER_RUNS);
    phasor_trace_begin(PHASOR_SPAN_FUNCTION, (unsigned)name);
    return NULL;
}

static napi_value ends(napi_env env, napi_callback_info info) {
    (void)env;
    (void)info;
    phasor_trace_end(PHASOR_SPAN_FUNCTION);
    return NULL;
}

static napi_value name(napi_env env, napi_callback_info info) {
    napi_value argument, result = NULL;
    size_t count = 1;
    if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) == NAPI_OK)
        napi_create_uint32(env, number_of(env, argument), &result);
    return result;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env,
                                                                          napi_value exports) {
    static const struct {
        const char* name;
        napi_callback call;
    } functions[] = {{"made", made}, {"runs", runs}, {"ends", ends}, {"name", name}};
    static uintptr_t threads;
    uintptr_t number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) & 0xffff;
    napi_value function;
    if (!find_v8())
        v8.isolate = NULL;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (napi_create_function(env, functions[i].name, (size_t)ALL, functions[i].call,
                                 (void*)number, &function) == NAPI_OK) /* NOLINT */
            napi_set_named_property(env, exports, functions[i].name, function);
    return exports;
}
