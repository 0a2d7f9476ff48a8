/* Modules for JavaScript, and instances that are made of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/bytes.h"
#include "plugins/wasm/host.h"

static const char* const kind_names[] = {"function", "table", "memory", "global", "tag"};

static JSValue text_of(JSContext* ctx, wasm_name name) {
    return JS_NewStringLen(ctx, (const char*)name.bytes, name.length);
}

static wasm_module* read_module(JSContext* ctx, JSValueConst source, wasm_problem* problem) {
    uint8_t* bytes;
    size_t length;
    problem->text[0] = '\0';
    if (ph_bytes(ctx, source, &bytes, &length) != 0)
        return NULL;
    if (length > 1u << 30) {
        JS_ThrowRangeError(ctx, "buffer source exceeds maximum size of 1073741824 (is %llu)",
                           (unsigned long long)length);
        return NULL;
    }
    uint8_t* copy = malloc(length + 1);
    if (copy == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    memcpy(copy, bytes, length);
    return wasm_module_read(&wasm_world_of(ctx)->store, copy, (uint32_t)length, problem);
}

/* compile(bytes, prototype): a Module, or what is wrong with the bytes */
static JSValue compile(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_problem problem;
    wasm_module* module = read_module(ctx, argv[0], &problem);
    if (module != NULL)
        return wasm_module_handle(wasm_world_of(ctx), module, argv[1]);
    if (problem.text[0] == '\0')
        return JS_EXCEPTION;
    char text[sizeof(problem.text) + 20];
    bool is_empty = strcmp(problem.text, "BufferSource argument is empty") == 0;
    snprintf(text, sizeof(text), is_empty ? "%s" : "%s @+%u", problem.text, (unsigned)problem.at);
    return JS_NewString(ctx, text);
}

static JSValue validate(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_problem problem;
    wasm_module* module = read_module(ctx, argv[0], &problem);
    if (module == NULL && problem.text[0] == '\0')
        return JS_EXCEPTION;
    if (module != NULL)
        wasm_module_release(module);
    return JS_NewBool(ctx, module != NULL);
}

static wasm_module* module_of(JSContext* ctx, JSValueConst value) {
    wasm_handle* handle = wasm_handle_get(wasm_world_of(ctx), value, WASM_MODULE);
    if (handle == NULL)
        JS_ThrowTypeError(ctx, "Argument 0 must be a WebAssembly.Module");
    return handle == NULL ? NULL : handle->module;
}

static void add(JSContext* ctx, JSValueConst list, uint32_t* count, JSValue value_owned) {
    JS_DefinePropertyValueUint32(ctx, list, (*count)++, value_owned, JS_PROP_C_W_E);
}

/* imports(module): module, name and kind of each */
static JSValue list_imports(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_module* module = module_of(ctx, argv[0]);
    if (module == NULL)
        return JS_EXCEPTION;
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->import_count; i++) {
        add(ctx, list, &count, text_of(ctx, module->imports[i].module));
        add(ctx, list, &count, text_of(ctx, module->imports[i].name));
        add(ctx, list, &count, JS_NewString(ctx, kind_names[module->imports[i].kind]));
    }
    return list;
}

/* exports(module): name and kind of each */
static JSValue list_exports(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_module* module = module_of(ctx, argv[0]);
    if (module == NULL)
        return JS_EXCEPTION;
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->export_count; i++) {
        add(ctx, list, &count, text_of(ctx, module->exports[i].name));
        add(ctx, list, &count, JS_NewString(ctx, kind_names[module->exports[i].kind]));
    }
    return list;
}

/* customSections(module, name): an ArrayBuffer of each */
static JSValue list_custom(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_module* module = module_of(ctx, argv[0]);
    size_t length = 0;
    const char* name = module == NULL ? NULL : ph_text(ctx, argv[1], &length);
    if (name == NULL)
        return JS_EXCEPTION;
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->custom_count; i++) {
        const wasm_custom* custom = &module->customs[i];
        if (custom->name.length == length && memcmp(custom->name.bytes, name, length) == 0)
            add(ctx, list, &count,
                JS_NewArrayBufferCopy(ctx, module->bytes + custom->start, custom->length));
    }
    JS_FreeCString(ctx, name);
    return list;
}

/* bytes(module): a copy, for other threads */
static JSValue bytes_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_module* module = module_of(ctx, argv[0]);
    return module == NULL ? JS_EXCEPTION
                          : JS_NewArrayBufferCopy(ctx, module->bytes, module->length);
}

/* setUrl(module, url) */
static JSValue set_url(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_module* module = module_of(ctx, argv[0]);
    size_t length;
    const char* url = module == NULL ? NULL : ph_text(ctx, argv[1], &length);
    if (url == NULL)
        return JS_EXCEPTION;
    free(module->url);
    module->url = strdup(url);
    JS_FreeCString(ctx, url);
    return JS_UNDEFINED;
}

/* What a module's imports are made of, and the first that does not fit. */
typedef struct {
    wasm_world* world;
    wasm_module* module;
    wasm_group* group;
    uint32_t number;
    char problem[400]; /* empty: none; whole: it says which import itself */
    bool is_whole;
} linking;

#define MISFIT(l, ...) (snprintf((l)->problem, sizeof((l)->problem), __VA_ARGS__), (void*)NULL)
#define WHOLE(l, ...) ((l)->is_whole = true, MISFIT(l, __VA_ARGS__))

static wasm_thing* link_function(linking* l, const wasm_import* import, JSValueConst value) {
    const wasm_signature* signature = l->module->functions[import->index];
    wasm_handle* handle = wasm_handle_get(l->world, value, WASM_FUNCTION);
    if (handle != NULL) {
        if (((wasm_function*)handle->thing)->signature != signature)
            return MISFIT(l, "imported function does not match the expected type");
        return handle->thing;
    }
    if (!JS_IsFunction(l->world->ctx, value))
        return MISFIT(l, "function import requires a callable");
    wasm_group* group = wasm_group_root(l->group);
    wasm_cell* cell = wasm_cell_new(l->world, group, value);
    wasm_function* function = cell == NULL ? NULL : wasm_host_function_new(group, signature);
    if (function == NULL)
        return MISFIT(l, "out of memory");
    cell->is_function = true;
    function->host = cell;
    function->index = import->index;
    return &function->thing;
}

static wasm_thing* link_table(linking* l, const wasm_import* import, JSValueConst value) {
    const wasm_table_type* wanted = &l->module->tables[import->index];
    wasm_handle* handle = wasm_handle_get(l->world, value, WASM_TABLE);
    if (handle == NULL)
        return MISFIT(l, "table import requires a WebAssembly.Table");
    const wasm_table* table = (const wasm_table*)handle->thing;
    const wasm_limits* has = &table->type.limits;
    if (table->size < wanted->limits.least)
        return WHOLE(l, "table import %u is smaller than initial %u, got %u", (unsigned)l->number,
                     (unsigned)wanted->limits.least, (unsigned)table->size);
    if (wanted->limits.has_most && !has->has_most)
        return WHOLE(l, "table import %u has no maximum length, expected %u", (unsigned)l->number,
                     (unsigned)wanted->limits.most);
    if (wanted->limits.has_most && has->most > wanted->limits.most)
        return WHOLE(l,
                     "table import %u has a larger maximum size %x than the module's declared "
                     "maximum %u",
                     (unsigned)l->number, (unsigned)has->most, (unsigned)wanted->limits.most);
    if (table->type.element != wanted->element)
        return MISFIT(l, "imported table does not match the expected type");
    return handle->thing;
}

static wasm_thing* link_memory(linking* l, const wasm_import* import, JSValueConst value) {
    const wasm_limits* wanted = &l->module->memories[import->index];
    wasm_handle* handle = wasm_handle_get(l->world, value, WASM_MEMORY);
    if (handle == NULL)
        return MISFIT(l, "memory import must be a WebAssembly.Memory object");
    const wasm_memory* memory = (const wasm_memory*)handle->thing;
    const wasm_limits* has = &memory->limits;
    unsigned pages = (unsigned)(wasm_memory_size(memory) / WASM_PAGE);
    if (pages < wanted->least)
        return WHOLE(l, "memory import %u is smaller than initial %u, got %u", (unsigned)l->number,
                     (unsigned)wanted->least, pages);
    if (wanted->has_most && !has->has_most)
        return WHOLE(l, "memory import %u has no maximum limit, expected at most %u",
                     (unsigned)l->number, (unsigned)wanted->most);
    if (wanted->has_most && has->most > wanted->most)
        return WHOLE(l,
                     "memory import %u has a larger maximum size %u than the module's declared "
                     "maximum %u",
                     (unsigned)l->number, (unsigned)has->most, (unsigned)wanted->most);
    if (has->is_shared != wanted->is_shared)
        return WHOLE(l, "mismatch in shared state of memory, declared = %d, imported = %d",
                     wanted->is_shared, has->is_shared);
    return handle->thing;
}

static bool fits_global(linking* l, wasm_type type, JSValueConst value) {
    if (type == WASM_I64 && !JS_IsBigInt(value))
        return MISFIT(l, "global import must be a BigInt");
    bool is_number = type == WASM_I32 || type == WASM_F32 || type == WASM_F64;
    if ((is_number && !JS_IsNumber(value)) || type == WASM_V128)
        return MISFIT(l, "global import must be a number, valid Wasm reference, or "
                         "WebAssembly.Global object");
    if (type == WASM_FUNCREF && !JS_IsNull(value) &&
        wasm_handle_get(l->world, value, WASM_FUNCTION) == NULL)
        return MISFIT(l, "imported funcref global must be null or WebAssembly function "
                         "('function') object");
    return true;
}

static wasm_thing* link_global(linking* l, const wasm_import* import, JSValueConst value) {
    wasm_global_type wanted = l->module->globals[import->index];
    wasm_handle* handle = wasm_handle_get(l->world, value, WASM_GLOBAL);
    if (handle != NULL) {
        const wasm_global* global = (const wasm_global*)handle->thing;
        if (global->type.is_mutable != wanted.is_mutable)
            return MISFIT(l, "imported global does not match the expected mutability");
        if (global->type.type != wanted.type)
            return MISFIT(l, "imported global does not match the expected type");
        return handle->thing;
    }
    if (wanted.is_mutable)
        return MISFIT(l, "imported mutable global must be a WebAssembly.Global object");
    if (!fits_global(l, wanted.type, value))
        return NULL;
    wasm_group* group = wasm_group_root(l->group);
    wasm_global* global = wasm_global_new(group, wanted);
    if (global == NULL || !wasm_from_js(l->world, group, wanted.type, value, global->value))
        return MISFIT(l, "out of memory");
    return &global->thing;
}

static wasm_thing* link_tag(linking* l, const wasm_import* import, JSValueConst value) {
    wasm_handle* handle = wasm_handle_get(l->world, value, WASM_TAG);
    if (handle == NULL)
        return MISFIT(l, "tag import requires a WebAssembly.Tag");
    if (((wasm_tag*)handle->thing)->signature != l->module->tags[import->index])
        return MISFIT(l, "imported tag does not match the expected type");
    return handle->thing;
}

typedef wasm_thing* links(linking* l, const wasm_import* import, JSValueConst value);
static links* const linkers[] = {link_function, link_table, link_memory, link_global, link_tag};

static bool link_all(linking* l, JSValueConst values, wasm_thing** things) {
    JSContext* ctx = l->world->ctx;
    for (; l->number < l->module->import_count; l->number++) {
        const wasm_import* import = &l->module->imports[l->number];
        JSValue value = JS_GetPropertyUint32(ctx, values, l->number);
        wasm_thing* thing = JS_IsException(value) ? NULL : linkers[import->kind](l, import, value);
        /* What is small joins what was there before. */
        bool is_linked = thing != NULL && wasm_join(l->world, l->group, thing->group);
        JS_FreeValue(ctx, value);
        if (!is_linked)
            return false;
        things[l->number] = thing;
    }
    return true;
}

static JSValue problem_of(const linking* l) {
    JSContext* ctx = l->world->ctx;
    if (l->problem[0] == '\0')
        return JS_EXCEPTION;
    if (l->is_whole)
        return JS_NewString(ctx, l->problem);
    const wasm_import* import = &l->module->imports[l->number];
    char text[900];
    snprintf(text, sizeof(text), "Import #%u module=\"%.*s\" function=\"%.*s\" error: %s",
             (unsigned)l->number, (int)(import->module.length > 200 ? 200 : import->module.length),
             (const char*)import->module.bytes,
             (int)(import->name.length > 200 ? 200 : import->name.length),
             (const char*)import->name.bytes, l->problem);
    return JS_NewString(ctx, text);
}

static wasm_thing* exported(const wasm_instance* instance, const wasm_export* export) {
    switch (export->kind) {
    case WASM_FUNCTION:
        return &instance->functions[export->index]->thing;
    case WASM_TABLE:
        return &instance->tables[export->index]->thing;
    case WASM_MEMORY:
        return &instance->memories[export->index]->thing;
    case WASM_GLOBAL:
        return &instance->globals[export->index]->thing;
    default:
        return &instance->tags[export->index]->thing;
    }
}

static JSValue make_instance(linking* l, wasm_thing** things, bool* is_made) {
    JSContext* ctx = l->world->ctx;
    wasm_instance* instance = wasm_instance_new(wasm_group_root(l->group), l->module, things);
    if (instance == NULL && JS_HasException(ctx))
        return JS_EXCEPTION;
    if (instance == NULL)
        return JS_ThrowRangeError(ctx, "Out of memory: Cannot allocate Wasm memory for new "
                                       "instance");
    wasm_outcome outcome = wasm_instance_fill(instance);
    if (outcome != WASM_OK) {
        l->world->store.spot_count = 0;
        return wasm_throw(l->world, outcome);
    }
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->module->export_count; i++) {
        const wasm_export* export = &l->module->exports[i];
        JSValue value = wasm_handle_of(l->world, exported(instance, export), JS_UNDEFINED);
        if (JS_IsException(value)) {
            JS_FreeValue(ctx, list);
            return JS_EXCEPTION;
        }
        add(ctx, list, &count, text_of(ctx, export->name));
        add(ctx, list, &count, value);
    }
    *is_made = true;
    if (l->module->start == WASM_NO_INDEX)
        return list;
    outcome = wasm_call(&l->world->store, instance->functions[l->module->start], NULL);
    if (outcome == WASM_OK)
        return list;
    JS_FreeValue(ctx, list);
    return wasm_throw(l->world, outcome);
}

/* link(module, values): names and values of the exports, or what does not fit */
static JSValue link_module(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_world* world = wasm_world_of(ctx);
    linking l = {.world = world, .module = module_of(ctx, argv[0])};
    JSValue anchor;
    if (l.module == NULL || (l.group = wasm_anchor_new(world, &anchor)) == NULL)
        return JS_EXCEPTION;
    wasm_thing** things = calloc(l.module->import_count + (size_t)1, sizeof(*things));
    JSValue result;
    bool is_made = false;
    if (things == NULL)
        result = JS_ThrowOutOfMemory(ctx);
    else if (link_all(&l, argv[1], things))
        result = make_instance(&l, things, &is_made);
    else
        result = problem_of(&l);
    free(things);
    JS_FreeValue(ctx, anchor);
    return result;
}

void wasm_add_modules(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("compile", 2, compile),
        JS_CFUNC_DEF("validate", 1, validate),
        JS_CFUNC_DEF("imports", 1, list_imports),
        JS_CFUNC_DEF("exports", 1, list_exports),
        JS_CFUNC_DEF("customSections", 2, list_custom),
        JS_CFUNC_DEF("bytes", 1, bytes_of),
        JS_CFUNC_DEF("setUrl", 2, set_url),
        JS_CFUNC_DEF("link", 2, link_module),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
