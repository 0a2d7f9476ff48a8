/* Instances: their things, and what their segments put into tables and memories. */
#include <stdlib.h>
#include <string.h>

#include "plugins/wasm/constant.h"

void wasm_instance_free(wasm_instance* instance) {
    free(instance->functions);
    free(instance->tables);
    free(instance->memories);
    free(instance->globals);
    free(instance->tags);
    free(instance->elements_gone);
    free(instance->data_gone);
    free(instance->own);
    if (instance->module != NULL)
        wasm_module_release(instance->module);
    free(instance);
}

static bool make_lists(wasm_instance* instance, const wasm_module* m) {
    instance->functions = calloc(m->function_count + 1, sizeof(*instance->functions));
    instance->tables = calloc(m->table_count + 1, sizeof(*instance->tables));
    instance->memories = calloc(m->memory_count + 1, sizeof(*instance->memories));
    instance->globals = calloc(m->global_count + 1, sizeof(*instance->globals));
    instance->tags = calloc(m->tag_count + 1, sizeof(*instance->tags));
    instance->elements_gone = calloc(m->element_count + 1, sizeof(*instance->elements_gone));
    instance->data_gone = calloc(m->data_count + 1, sizeof(*instance->data_gone));
    instance->own = calloc(m->code_count + 1, sizeof(*instance->own));
    return instance->functions != NULL && instance->tables != NULL && instance->memories != NULL &&
           instance->globals != NULL && instance->tags != NULL && instance->elements_gone != NULL &&
           instance->data_gone != NULL && instance->own != NULL;
}

static void take_imports(wasm_instance* instance, wasm_thing** imports) {
    const wasm_module* m = instance->module;
    for (uint32_t i = 0; i < m->import_count; i++) {
        uint32_t index = m->imports[i].index;
        switch (m->imports[i].kind) {
        case WASM_FUNCTION:
            instance->functions[index] = (wasm_function*)imports[i];
            break;
        case WASM_TABLE:
            instance->tables[index] = (wasm_table*)imports[i];
            break;
        case WASM_MEMORY:
            instance->memories[index] = (wasm_memory*)imports[i];
            break;
        case WASM_GLOBAL:
            instance->globals[index] = (wasm_global*)imports[i];
            break;
        case WASM_TAG:
            instance->tags[index] = (wasm_tag*)imports[i];
            break;
        }
    }
}

static void make_functions(wasm_group* group, wasm_instance* instance) {
    wasm_module* m = instance->module;
    for (uint32_t i = 0; i < m->code_count; i++) {
        wasm_function* function = &instance->own[i];
        function->thing.kind = WASM_FUNCTION;
        function->thing.group = group;
        function->index = m->imported_functions + i;
        function->signature = m->functions[function->index];
        function->instance = instance;
        function->code = &m->codes[i];
        instance->functions[function->index] = function;
    }
}

static wasm_memory* make_memory(wasm_group* group, wasm_limits limits) {
    wasm_store* store = group->store;
    return limits.is_shared ? store->share(store, group, limits) : wasm_memory_new(group, limits);
}

static bool make_things(wasm_group* group, wasm_instance* instance) {
    const wasm_module* m = instance->module;
    bool made = true;
    for (uint32_t i = m->imported_tables; i < m->table_count && made; i++)
        made = (instance->tables[i] = wasm_table_new(group, m->tables[i], 0)) != NULL;
    for (uint32_t i = m->imported_memories; i < m->memory_count && made; i++)
        made = (instance->memories[i] = make_memory(group, m->memories[i])) != NULL;
    for (uint32_t i = m->imported_tags; i < m->tag_count && made; i++)
        made = (instance->tags[i] = wasm_tag_new(group, m->tags[i])) != NULL;
    for (uint32_t i = m->imported_globals; i < m->global_count && made; i++) {
        made = (instance->globals[i] = wasm_global_new(group, m->globals[i])) != NULL;
        if (made)
            wasm_constant_value(instance, m->global_values[i], instance->globals[i]->value);
    }
    return made;
}

wasm_instance* wasm_instance_new(wasm_group* group, wasm_module* module, wasm_thing** imports) {
    wasm_instance* instance = calloc(1, sizeof(*instance));
    if (instance == NULL)
        return NULL;
    if (!make_lists(instance, module)) {
        wasm_instance_free(instance);
        return NULL;
    }
    instance->module = module;
    module->holders++;
    instance->next = group->instances;
    group->instances = instance;
    take_imports(instance, imports);
    make_functions(group, instance);
    return make_things(group, instance) ? instance : NULL;
}

static bool is_within(uint64_t at, uint64_t count, uint64_t size) {
    return count <= size && at <= size - count;
}

bool wasm_table_init(wasm_instance* instance, uint32_t table, uint32_t segment, uint64_t to,
                     uint64_t from, uint64_t count) {
    const wasm_elements* e = &instance->module->elements[segment];
    wasm_table* target = instance->tables[table];
    uint64_t there = instance->elements_gone[segment] ? 0 : e->count;
    if (!is_within(from, count, there) || !is_within(to, count, target->size))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value[2];
        if (e->items == NULL)
            value[0] = (uint64_t)(uintptr_t)instance->functions[e->functions[from + i]];
        else
            wasm_constant_value(instance, e->items[from + i], value);
        target->elements[to + i] = value[0];
    }
    return true;
}

bool wasm_table_copy(wasm_table* to, wasm_table* from, uint64_t at, uint64_t source,
                     uint64_t count) {
    if (!is_within(source, count, from->size) || !is_within(at, count, to->size))
        return false;
    if (count > 0)
        memmove(to->elements + at, from->elements + source, count * sizeof(*to->elements));
    return true;
}

bool wasm_memory_init(wasm_instance* instance, uint32_t segment, uint64_t to, uint64_t from,
                      uint64_t count) {
    const wasm_data* data = &instance->module->datas[segment];
    wasm_memory* memory = instance->memories[0];
    uint64_t there = instance->data_gone[segment] ? 0 : data->length;
    if (!is_within(from, count, there) || !is_within(to, count, wasm_memory_size(memory)))
        return false;
    if (count > 0)
        memcpy(memory->bytes + to, instance->module->bytes + data->start + from, count);
    return true;
}

wasm_outcome wasm_instance_fill(wasm_instance* instance) {
    const wasm_module* m = instance->module;
    uint64_t offset[2];
    for (uint32_t i = 0; i < m->element_count; i++) {
        const wasm_elements* e = &m->elements[i];
        if (e->mode == WASM_ACTIVE) {
            wasm_constant_value(instance, e->offset, offset);
            if (!wasm_table_init(instance, e->table, i, (uint32_t)offset[0], 0, e->count))
                return WASM_OUT_OF_TABLE_BOUNDS;
        }
        instance->elements_gone[i] = e->mode != WASM_PASSIVE;
    }
    for (uint32_t i = 0; i < m->data_count && m->datas != NULL; i++) {
        const wasm_data* data = &m->datas[i];
        if (data->mode != WASM_ACTIVE)
            continue;
        wasm_constant_value(instance, data->offset, offset);
        if (!wasm_memory_init(instance, i, (uint32_t)offset[0], 0, data->length))
            return WASM_OUT_OF_MEMORY_BOUNDS;
        instance->data_gone[i] = true;
    }
    return WASM_OK;
}
