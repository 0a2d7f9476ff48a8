/* A module that was read: its end, and its names of functions. */
#include <stdlib.h>
#include <string.h>

#include "plugins/wasm/reader.h"

void wasm_module_release(wasm_module* m) {
    if (--m->holders > 0)
        return;
    for (uint32_t i = 0; m->elements != NULL && i < m->element_count; i++) {
        free(m->elements[i].items);
        free(m->elements[i].functions);
    }
    for (uint32_t i = 0; m->codes != NULL && i < m->code_count; i++) {
        free(m->codes[i].words);
        free(m->codes[i].places);
        free(m->codes[i].handlers);
    }
    free(m->url);
    free(m->bytes);
    free(m->types);
    free(m->imports);
    free(m->exports);
    free(m->functions);
    free(m->tables);
    free(m->memories);
    free(m->globals);
    free(m->global_values);
    free(m->tags);
    free(m->elements);
    free(m->datas);
    free(m->codes);
    free(m->customs);
    free(m->is_declared);
    free(m);
}

enum { FUNCTION_NAMES = 1 };

static wasm_name name_in(wasm_reader* r, uint32_t index) {
    wasm_name none = {(const uint8_t*)"", 0};
    while (r->at < r->end) {
        uint8_t id = wasm_read_byte(r, "name type");
        uint32_t size = wasm_read_u32(r, "name payload length");
        const uint8_t* content = wasm_read_bytes(r, size, "name payload");
        if (wasm_failed(r))
            return none;
        if (id != FUNCTION_NAMES)
            continue;
        wasm_reader part = {r->start, content, content + size, r->problem};
        uint32_t count = wasm_read_u32(&part, "functions count");
        while (count-- > 0 && !wasm_failed(&part)) {
            uint32_t number = wasm_read_u32(&part, "function index");
            wasm_name name = wasm_read_name(&part, "function name");
            if (!wasm_failed(&part) && number == index)
                return name;
        }
        return none;
    }
    return none;
}

wasm_name wasm_function_name(const wasm_module* m, uint32_t index) {
    wasm_name none = {(const uint8_t*)"", 0};
    for (uint32_t i = 0; i < m->custom_count; i++) {
        const wasm_custom* custom = &m->customs[i];
        if (custom->name.length != 4 || memcmp(custom->name.bytes, "name", 4) != 0)
            continue;
        wasm_problem problem = {.text = ""};
        const uint8_t* start = m->bytes + custom->start;
        wasm_reader r = {m->bytes, start, start + custom->length, &problem};
        return name_in(&r, index);
    }
    return none;
}
