#include <stdlib.h>

#include "plugins/wasm/wasm.h"

wasm_group* wasm_group_new(wasm_store* store) {
    wasm_group* group = calloc(1, sizeof(*group));
    if (group != NULL)
        group->store = store;
    return group;
}

wasm_group* wasm_group_root(wasm_group* group) {
    while (group->into != NULL) {
        if (group->into->into != NULL)
            group->into = group->into->into;
        group = group->into;
    }
    return group;
}

void wasm_group_add(wasm_group* group, wasm_thing* thing) {
    thing->group = group;
    thing->next = group->things;
    group->things = thing;
}

/* Lists are moved element by element: who joins is mostly a single thing. */
bool wasm_group_join(wasm_group* group, wasm_group* into) {
    group = wasm_group_root(group);
    into = wasm_group_root(into);
    if (group == into)
        return false;
    while (group->things != NULL) {
        wasm_thing* thing = group->things;
        group->things = thing->next;
        wasm_group_add(into, thing);
    }
    while (group->instances != NULL) {
        wasm_instance* instance = group->instances;
        group->instances = instance->next;
        instance->next = into->instances;
        into->instances = instance;
    }
    group->into = into;
    while (group->joined != NULL) {
        wasm_group* other = group->joined;
        group->joined = other->joined;
        other->joined = into->joined;
        into->joined = other;
    }
    group->joined = into->joined;
    into->joined = group;
    return true;
}

static void forget_handle(wasm_thing* thing, void (*forget)(void* handle)) {
    if (thing->handle != NULL)
        forget(thing->handle);
}

void wasm_group_free(wasm_group* group, void (*forget)(void* handle)) {
    for (wasm_instance* instance = group->instances; instance != NULL; instance = instance->next)
        for (uint32_t i = 0; i < instance->module->code_count; i++)
            forget_handle(&instance->own[i].thing, forget);
    for (wasm_thing* thing = group->things; thing != NULL; thing = thing->next)
        forget_handle(thing, forget);
    while (group->instances != NULL) {
        wasm_instance* instance = group->instances;
        group->instances = instance->next;
        wasm_instance_free(instance);
    }
    while (group->things != NULL) {
        wasm_thing* thing = group->things;
        group->things = thing->next;
        wasm_thing_free(thing);
    }
    while (group->joined != NULL) {
        wasm_group* other = group->joined;
        group->joined = other->joined;
        free(other);
    }
    free(group);
}
