#include "plugins/wasm/host.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/interrupts.h"
#include "engine/plugins.h"

wasm_world* wasm_world_of(JSContext* ctx) {
    return ph_env_of(ctx)->parts[PH_PART_WASM];
}

static void free_cell(JSRuntime* rt, wasm_cell* cell) {
    JS_FreeValueRT(rt, cell->value);
    free(cell);
}

static void forget(void* handle) {
    ((wasm_handle*)handle)->thing = NULL;
}

static void on_anchor_gone(JSRuntime* rt, JSValueConst value) {
    wasm_anchor* anchor = JS_GetAnyOpaque(value, &(JSClassID){0});
    if (anchor == NULL)
        return;
    for (uint32_t i = 0; i < anchor->cell_count; i++)
        free_cell(rt, anchor->cells[i]);
    free(anchor->cells);
    JS_FreeValueRT(rt, anchor->into);
    if (anchor->group != NULL)
        wasm_group_free(anchor->group, forget);
    free(anchor);
}

static void mark_anchor(JSRuntime* rt, JSValueConst value, JS_MarkFunc* mark) {
    wasm_anchor* anchor = JS_GetAnyOpaque(value, &(JSClassID){0});
    if (anchor == NULL)
        return;
    for (uint32_t i = 0; i < anchor->cell_count; i++)
        JS_MarkValue(rt, anchor->cells[i]->value, mark);
    JS_MarkValue(rt, anchor->into, mark);
}

static void on_handle_gone(JSRuntime* rt, JSValueConst value) {
    wasm_handle* handle = JS_GetAnyOpaque(value, &(JSClassID){0});
    if (handle == NULL)
        return;
    if (handle->thing != NULL)
        handle->thing->handle = NULL;
    if (handle->module != NULL)
        wasm_module_release(handle->module);
    JS_FreeValueRT(rt, handle->buffer);
    JS_FreeValueRT(rt, handle->anchor);
    free(handle);
}

static void mark_handle(JSRuntime* rt, JSValueConst value, JS_MarkFunc* mark) {
    wasm_handle* handle = JS_GetAnyOpaque(value, &(JSClassID){0});
    if (handle == NULL)
        return;
    JS_MarkValue(rt, handle->buffer, mark);
    JS_MarkValue(rt, handle->anchor, mark);
}

static void on_ending(ph_ending* ending) {
    wasm_world* world = (wasm_world*)((char*)ending - offsetof(wasm_world, ending));
    for (int i = 0; i < WASM_GIVEN_COUNT; i++) {
        JS_FreeValue(world->ctx, world->given[i]);
        world->given[i] = JS_UNDEFINED;
    }
}

/* All handles and anchors are gone. The world itself is freed with its ph_env. */
static void on_runtime_freed(JSRuntime* rt, void* arg) {
    (void)rt;
    wasm_store_free(arg);
}

static bool should_stop(wasm_store* store) {
    return ph_is_interrupted(((wasm_world*)store)->env);
}

static bool make_classes(wasm_world* world, JSRuntime* rt) {
    static const JSClassDef handle = {"WebAssembly", on_handle_gone, mark_handle, NULL, NULL};
    static const JSClassDef function = {"Function", on_handle_gone, mark_handle, wasm_call_exported,
                                        NULL};
    static const JSClassDef anchor = {"WebAssembly group", on_anchor_gone, mark_anchor, NULL, NULL};
    JS_NewClassID(rt, &world->handle_class);
    JS_NewClassID(rt, &world->function_class);
    JS_NewClassID(rt, &world->anchor_class);
    return JS_NewClass(rt, world->handle_class, &handle) == 0 &&
           JS_NewClass(rt, world->function_class, &function) == 0 &&
           JS_NewClass(rt, world->anchor_class, &anchor) == 0;
}

wasm_world* wasm_world_start(JSContext* ctx) {
    ph_env* env = ph_env_of(ctx);
    if (env->parts[PH_PART_WASM] != NULL)
        return env->parts[PH_PART_WASM];
    wasm_world* world = ph_part(env, PH_PART_WASM, sizeof(*world));
    if (world == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    world->env = env;
    world->ctx = env->ctx;
    for (int i = 0; i < WASM_GIVEN_COUNT; i++)
        world->given[i] = JS_UNDEFINED;
    world->store.call_host = wasm_call_imported;
    world->store.should_stop = should_stop;
    world->store.grown = wasm_memory_grown;
    world->store.share = wasm_share;
    world->store.wait = wasm_wait;
    world->store.notify = wasm_notify;
    world->ending.run = on_ending;
    ph_ending_add(env, &world->ending);
    if (!wasm_store_init(&world->store) || !make_classes(world, env->rt) ||
        JS_AddRuntimeFinalizer(env->rt, on_runtime_freed, world) != 0) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    return world;
}

wasm_group* wasm_anchor_new(wasm_world* world, JSValue* value) {
    wasm_anchor* anchor = calloc(1, sizeof(*anchor));
    wasm_group* group = wasm_group_new(&world->store);
    *value = anchor == NULL || group == NULL
                 ? JS_ThrowOutOfMemory(world->ctx)
                 : JS_NewObjectProtoClass(world->ctx, JS_NULL, world->anchor_class);
    if (JS_IsException(*value)) {
        free(anchor);
        free(group);
        return NULL;
    }
    *anchor = (wasm_anchor){
        .world = world, .group = group, .self = *value, .into = JS_UNDEFINED, .collect_at = 1024};
    group->host = anchor;
    JS_SetOpaque(*value, anchor);
    return group;
}

static bool reserve_cells(wasm_world* world, wasm_anchor* anchor, uint32_t more) {
    uint32_t needed = anchor->cell_count + more;
    if (needed <= anchor->cell_room)
        return true;
    uint32_t room = needed < 16 ? 16 : needed * 2;
    wasm_cell** bigger = realloc(anchor->cells, room * sizeof(*bigger));
    if (bigger == NULL) {
        JS_ThrowOutOfMemory(world->ctx);
        return false;
    }
    anchor->cells = bigger;
    anchor->cell_room = room;
    return true;
}

bool wasm_join(wasm_world* world, wasm_group* group, wasm_group* into) {
    group = wasm_group_root(group);
    into = wasm_group_root(into);
    if (group == into)
        return true;
    wasm_anchor *from = group->host, *to = into->host;
    if (!reserve_cells(world, to, from->cell_count))
        return false;
    wasm_group_join(group, into);
    for (uint32_t i = 0; i < from->cell_count; i++)
        to->cells[to->cell_count++] = from->cells[i];
    from->cell_count = 0;
    from->group = NULL;
    from->into = JS_DupValue(world->ctx, to->self);
    return true;
}

wasm_cell* wasm_cell_new(wasm_world* world, wasm_group* group, JSValueConst value) {
    wasm_anchor* anchor = wasm_group_root(group)->host;
    wasm_cell* cell = malloc(sizeof(*cell));
    if (cell == NULL)
        JS_ThrowOutOfMemory(world->ctx);
    if (cell == NULL || !reserve_cells(world, anchor, 1)) {
        free(cell);
        return NULL;
    }
    *cell = (wasm_cell){.value = JS_DupValue(world->ctx, value)};
    anchor->cells[anchor->cell_count++] = cell;
    return cell;
}

static int compare_cells(const void* a, const void* b) {
    uintptr_t x = (uintptr_t) * (wasm_cell*const*)a, y = (uintptr_t) * (wasm_cell*const*)b;
    return (x > y) - (x < y);
}

/* Whatever looks like a reference is taken for one. */
static void mark_slots(wasm_anchor* anchor, const uint64_t* slots, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const wasm_cell* wanted = (const wasm_cell*)(uintptr_t)slots[i];
        wasm_cell** found = bsearch(&wanted, anchor->cells, anchor->cell_count,
                                    sizeof(*anchor->cells), compare_cells);
        if (found != NULL)
            (*found)->is_marked = true;
    }
}

static void sweep_cells(wasm_world* world, wasm_anchor* anchor) {
    wasm_cell** gone = malloc((anchor->cell_count + (size_t)1) * sizeof(*gone));
    if (gone == NULL)
        return;
    uint32_t kept = 0, gone_count = 0;
    for (uint32_t i = 0; i < anchor->cell_count; i++) {
        wasm_cell* cell = anchor->cells[i];
        bool stays = cell->is_function || cell->is_marked;
        cell->is_marked = false;
        if (stays)
            anchor->cells[kept++] = cell;
        else
            gone[gone_count++] = cell;
    }
    anchor->cell_count = kept;
    anchor->collect_at = kept < 512 ? 1024 : kept * 2;
    /* What goes may run finalizers, which see a list that is whole. */
    for (uint32_t i = 0; i < gone_count; i++)
        free_cell(world->env->rt, gone[i]);
    free(gone);
}

void wasm_collect_cells(wasm_world* world, wasm_group* group) {
    group = wasm_group_root(group);
    wasm_anchor* anchor = group->host;
    if (anchor->cell_count < anchor->collect_at || world->converting > 0)
        return;
    qsort(anchor->cells, anchor->cell_count, sizeof(*anchor->cells), compare_cells);
    for (const wasm_thing* thing = group->things; thing != NULL; thing = thing->next) {
        const wasm_table* table = (const wasm_table*)thing;
        const wasm_global* global = (const wasm_global*)thing;
        if (thing->kind == WASM_TABLE && table->type.element == WASM_EXTERNREF)
            mark_slots(anchor, table->elements, table->size);
        else if (thing->kind == WASM_GLOBAL && global->type.type == WASM_EXTERNREF)
            mark_slots(anchor, global->value, 1);
    }
    const wasm_store* store = &world->store;
    mark_slots(anchor, store->stack, (size_t)(store->stack_top - store->stack));
    sweep_cells(world, anchor);
}

static JSValue new_handle(wasm_world* world, int kind, JSClassID class_id, JSValueConst prototype,
                          wasm_handle** made) {
    wasm_handle* handle = calloc(1, sizeof(*handle));
    if (handle == NULL)
        return JS_ThrowOutOfMemory(world->ctx);
    JSValue value = JS_NewObjectProtoClass(world->ctx, prototype, class_id);
    if (JS_IsException(value)) {
        free(handle);
        return value;
    }
    *handle = (wasm_handle){.world = world,
                            .kind = kind,
                            .self = value,
                            .anchor = JS_UNDEFINED,
                            .buffer = JS_UNDEFINED};
    JS_SetOpaque(value, handle);
    *made = handle;
    return value;
}

static void name_function(wasm_world* world, JSValueConst value, const wasm_function* function) {
    JSContext* ctx = world->ctx;
    char name[16];
    snprintf(name, sizeof(name), "%u", (unsigned)function->index);
    JS_DefinePropertyValueStr(ctx, value, "length",
                              JS_NewInt32(ctx, (int32_t)function->signature->param_count),
                              JS_PROP_CONFIGURABLE);
    JS_DefinePropertyValueStr(ctx, value, "name", JS_NewString(ctx, name), JS_PROP_CONFIGURABLE);
}

JSValue wasm_handle_of(wasm_world* world, wasm_thing* thing, JSValueConst prototype) {
    if (thing->handle != NULL)
        return JS_DupValue(world->ctx, ((wasm_handle*)thing->handle)->self);
    bool is_function = thing->kind == WASM_FUNCTION;
    JSValue own = is_function                 ? JS_GetFunctionProto(world->ctx)
                  : JS_IsUndefined(prototype) ? JS_DupValue(world->ctx, world->given[thing->kind])
                                              : JS_DupValue(world->ctx, prototype);
    wasm_handle* handle;
    JSValue value =
        new_handle(world, thing->kind, is_function ? world->function_class : world->handle_class,
                   own, &handle);
    JS_FreeValue(world->ctx, own);
    if (JS_IsException(value))
        return value;
    handle->thing = thing;
    thing->handle = handle;
    wasm_anchor* anchor = wasm_group_root(thing->group)->host;
    handle->anchor = JS_DupValue(world->ctx, anchor->self);
    if (is_function)
        name_function(world, value, (wasm_function*)thing);
    return value;
}

JSValue wasm_module_handle(wasm_world* world, wasm_module* module_owned, JSValueConst prototype) {
    wasm_handle* handle;
    JSValue value =
        new_handle(world, WASM_MODULE, world->handle_class,
                   JS_IsUndefined(prototype) ? world->given[WASM_MODULE] : prototype, &handle);
    if (JS_IsException(value))
        wasm_module_release(module_owned);
    else
        handle->module = module_owned;
    return value;
}

wasm_handle* wasm_handle_get(wasm_world* world, JSValueConst value, int kind) {
    JSClassID class_id = kind == WASM_FUNCTION ? world->function_class : world->handle_class;
    wasm_handle* handle = JS_GetOpaque(value, class_id);
    if (handle == NULL || handle->kind != kind)
        return NULL;
    return handle->thing != NULL || handle->module != NULL ? handle : NULL;
}

void* wasm_thing_get(JSContext* ctx, JSValueConst value, int kind) {
    wasm_handle* handle = wasm_handle_get(wasm_world_of(ctx), value, kind);
    if (handle == NULL) {
        JS_ThrowTypeError(ctx, "Receiver is not what it should be");
        return NULL;
    }
    return handle->thing;
}

/* start(prototypes by kind, what follows them in wasm_given) */
static JSValue start(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    wasm_world* world = wasm_world_of(ctx);
    for (uint32_t i = 0; i < WASM_GIVEN_COUNT; i++) {
        JS_FreeValue(ctx, world->given[i]);
        world->given[i] = JS_GetPropertyUint32(ctx, argv[0], i);
        if (JS_IsException(world->given[i])) {
            world->given[i] = JS_UNDEFINED;
            return JS_EXCEPTION;
        }
    }
    return JS_UNDEFINED;
}

/* isKind(value, kind) */
static JSValue is_kind(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewBool(ctx, wasm_handle_get(wasm_world_of(ctx), argv[0], ph_int(ctx, argv[1], -1)) !=
                               NULL);
}

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("start", 1, start),
        JS_CFUNC_DEF("isKind", 2, is_kind),
    };
    if (wasm_world_start(ctx) == NULL)
        return -1;
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    wasm_add_modules(ctx, exports);
    wasm_add_objects(ctx, exports);
    wasm_add_shared(ctx, exports);
    return 0;
}
