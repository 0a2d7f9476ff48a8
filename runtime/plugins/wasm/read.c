/* The sections of a module. */
#include <stdlib.h>
#include <string.h>

#include "plugins/wasm/constant.h"
#include "plugins/wasm/reader.h"

enum {
    MOST_THINGS = 1000000,
    MOST_PARAMETERS = 1000,
    MOST_BODY = 7654321,
    MOST_SEGMENTS = 100000,
    MOST_TABLES = 100000,
};

typedef enum {
    CUSTOM,
    TYPES,
    IMPORTS,
    FUNCTIONS,
    TABLES,
    MEMORIES,
    GLOBALS,
    EXPORTS,
    START,
    ELEMENTS,
    CODES,
    DATAS,
    DATA_COUNT,
    TAGS,
    SECTION_COUNT
} section;

static const char* const section_names[] = {"custom", "Type",   "Import",    "Function", "Table",
                                            "Memory", "Global", "Export",    "Start",    "Element",
                                            "Code",   "Data",   "DataCount", "Tag"};

/* Sections come in this order, whatever their numbers. */
static const uint8_t section_order[SECTION_COUNT] = {
    [TYPES] = 1,       [IMPORTS] = 2, [FUNCTIONS] = 3, [TABLES] = 4, [MEMORIES] = 5,
    [TAGS] = 6,        [GLOBALS] = 7, [EXPORTS] = 8,   [START] = 9,  [ELEMENTS] = 10,
    [DATA_COUNT] = 11, [CODES] = 12,  [DATAS] = 13};

/* Room for `more` elements behind those that are there; they are zero. */
static bool add_room(wasm_reader* r, void* array, uint32_t count, uint32_t more, size_t size) {
    void** block = array;
    uint8_t* bigger = realloc(*block, ((size_t)count + more + 1) * size);
    if (bigger == NULL)
        return wasm_fail(r, "out of memory");
    memset(bigger + count * size, 0, ((size_t)more + 1) * size);
    *block = bigger;
    return true;
}

static void read_types(wasm_reader* r, wasm_module* m) {
    uint32_t count = wasm_read_count(r, "types count", MOST_THINGS);
    if (!add_room(r, &m->types, 0, count, sizeof(*m->types)))
        return;
    wasm_type types[MOST_PARAMETERS * 2];
    while (m->type_count < count && !wasm_failed(r)) {
        uint32_t at = wasm_position(r);
        uint8_t form = wasm_read_byte(r, "type kind");
        if (form != 0x60) {
            wasm_fail_at(r, at, "unknown type form: %d, expected 0x60, 0x5f, or 0x5e", form);
            return;
        }
        uint32_t params = wasm_read_count(r, "param count", MOST_PARAMETERS);
        for (uint32_t i = 0; i < params; i++)
            types[i] = wasm_read_type(r);
        uint32_t results = wasm_read_count(r, "return count", MOST_PARAMETERS);
        for (uint32_t i = 0; i < results; i++)
            types[params + i] = wasm_read_type(r);
        if (wasm_failed(r))
            return;
        m->types[m->type_count] = wasm_signature_of(m->store, types, params, results);
        if (m->types[m->type_count++] == NULL)
            wasm_fail(r, "out of memory");
    }
}

static const wasm_signature* read_signature(wasm_reader* r, const wasm_module* m) {
    uint32_t at = wasm_position(r);
    uint32_t index = wasm_read_u32(r, "signature index");
    if (index < m->type_count)
        return m->types[index];
    wasm_fail_at(r, at, "no signature at index %u (%u types)", (unsigned)index,
                 (unsigned)m->type_count);
    return NULL;
}

static wasm_limits read_limits(wasm_reader* r, const char* what, uint64_t most, bool may_share) {
    wasm_limits limits = {.most = (uint32_t)most};
    uint32_t at = wasm_position(r);
    uint8_t flags = wasm_read_byte(r, "flags");
    if (flags > (may_share ? 3 : 1) || flags == 2)
        wasm_fail_at(r, at,
                     flags == 2 ? "shared memory must have a maximum defined"
                                : "invalid %s limits flags 0x%x",
                     what, flags);
    limits.has_most = (flags & 1) != 0;
    limits.is_shared = (flags & 2) != 0;
    at = wasm_position(r);
    limits.least = wasm_read_u32(r, "initial size");
    if (limits.least > most)
        wasm_fail_at(r, at, "initial %s size (%u) is larger than implementation limit (%llu)", what,
                     (unsigned)limits.least, (unsigned long long)most);
    if (!limits.has_most)
        return limits;
    at = wasm_position(r);
    uint32_t highest = wasm_read_u32(r, "maximum size");
    if (highest < limits.least)
        wasm_fail_at(r, at, "maximum %s size (%u) is lower than the initial (%u)", what,
                     (unsigned)highest, (unsigned)limits.least);
    if (may_share && highest > most)
        wasm_fail_at(r, at,
                     "maximum memory size (%u pages) is larger than implementation limit "
                     "(%llu pages)",
                     (unsigned)highest, (unsigned long long)most);
    limits.most = highest;
    return limits;
}

static wasm_table_type read_table_type(wasm_reader* r) {
    wasm_table_type type = {.element = wasm_read_reference(r)};
    type.limits = read_limits(r, "table", WASM_MOST_ELEMENTS, false);
    if (!type.limits.has_most)
        type.limits.most = UINT32_MAX;
    return type;
}

static wasm_limits read_memory_type(wasm_reader* r) {
    return read_limits(r, "memory", WASM_MOST_PAGES, true);
}

static wasm_global_type read_global_type(wasm_reader* r) {
    wasm_global_type type = {.type = wasm_read_type(r)};
    uint32_t at = wasm_position(r);
    uint8_t is_mutable = wasm_read_byte(r, "mutability");
    if (is_mutable > 1)
        wasm_fail_at(r, at, "invalid mutability bit bitmap");
    type.is_mutable = is_mutable == 1;
    return type;
}

static const wasm_signature* read_tag_type(wasm_reader* r, const wasm_module* m) {
    uint32_t at = wasm_position(r);
    if (wasm_read_byte(r, "exception attribute") != 0)
        wasm_fail_at(r, at, "exception attribute is not supported");
    const wasm_signature* signature = read_signature(r, m);
    if (signature != NULL && signature->result_count != 0)
        wasm_fail_at(r, at, "tag signature has non-void return");
    return signature;
}

/* Adds one to the things of a kind. */
#define ADD(r, m, array, count, value)                                    \
    do {                                                                  \
        if (add_room(r, &(m)->array, (m)->count, 1, sizeof(*(m)->array))) \
            (m)->array[(m)->count++] = (value);                           \
    } while (0)

static uint32_t import_thing(wasm_reader* r, wasm_module* m, uint8_t kind) {
    switch (kind) {
    case WASM_FUNCTION:
        ADD(r, m, functions, function_count, read_signature(r, m));
        return m->imported_functions++;
    case WASM_TABLE:
        ADD(r, m, tables, table_count, read_table_type(r));
        return m->imported_tables++;
    case WASM_MEMORY:
        ADD(r, m, memories, memory_count, read_memory_type(r));
        return m->imported_memories++;
    case WASM_GLOBAL:
        ADD(r, m, globals, global_count, read_global_type(r));
        return m->imported_globals++;
    case WASM_TAG:
        ADD(r, m, tags, tag_count, read_tag_type(r, m));
        return m->imported_tags++;
    default:
        return wasm_fail(r, "unknown import desc code 0x%x", kind);
    }
}

static void read_imports(wasm_reader* r, wasm_module* m) {
    uint32_t count = wasm_read_count(r, "imports count", MOST_SEGMENTS);
    if (!add_room(r, &m->imports, 0, count, sizeof(*m->imports)))
        return;
    for (; m->import_count < count && !wasm_failed(r); m->import_count++) {
        wasm_import* import = &m->imports[m->import_count];
        import->module = wasm_read_name(r, "module name");
        import->name = wasm_read_name(r, "field name");
        uint8_t kind = wasm_read_byte(r, "kind");
        import->kind = (wasm_kind)kind;
        import->index = import_thing(r, m, kind);
    }
    if (m->memory_count > 1)
        wasm_fail(r, "multiple memories are not allowed");
}

static void read_functions(wasm_reader* r, wasm_module* m) {
    uint32_t count = wasm_read_count(r, "functions count", MOST_THINGS);
    if (!add_room(r, &m->functions, m->function_count, count, sizeof(*m->functions)) ||
        !add_room(r, &m->codes, 0, count, sizeof(*m->codes)))
        return;
    for (uint32_t i = 0; i < count && !wasm_failed(r); i++)
        m->functions[m->function_count++] = read_signature(r, m);
    m->code_count = count;
}

static void read_tables(wasm_reader* r, wasm_module* m) {
    uint32_t count = wasm_read_count(r, "table count", MOST_TABLES);
    if (!add_room(r, &m->tables, m->table_count, count, sizeof(*m->tables)))
        return;
    for (uint32_t i = 0; i < count && !wasm_failed(r); i++)
        m->tables[m->table_count++] = read_table_type(r);
}

static void read_memories(wasm_reader* r, wasm_module* m) {
    uint32_t at = wasm_position(r);
    uint32_t count = wasm_read_count(r, "memory count", MOST_THINGS);
    if (m->memory_count + count > 1)
        wasm_fail_at(r, at, "multiple memories are not allowed");
    if (count == 0 || wasm_failed(r))
        return;
    ADD(r, m, memories, memory_count, read_memory_type(r));
}

static void read_tags(wasm_reader* r, wasm_module* m) {
    uint32_t count = wasm_read_count(r, "tag count", MOST_THINGS);
    if (!add_room(r, &m->tags, m->tag_count, count, sizeof(*m->tags)))
        return;
    for (uint32_t i = 0; i < count && !wasm_failed(r); i++)
        m->tags[m->tag_count++] = read_tag_type(r, m);
}

static void read_globals(wasm_reader* r, wasm_module* m) {
    uint32_t count = wasm_read_count(r, "globals count", MOST_THINGS);
    uint32_t imported = m->global_count;
    if (!add_room(r, &m->globals, imported, count, sizeof(*m->globals)) ||
        !add_room(r, &m->global_values, 0, imported + count, sizeof(*m->global_values)))
        return;
    for (uint32_t i = 0; i < count && !wasm_failed(r); i++) {
        wasm_global_type type = read_global_type(r);
        m->global_values[m->global_count] = wasm_constant_check(r, m, type.type);
        m->globals[m->global_count++] = type;
    }
}

static uint32_t count_of(const wasm_module* m, uint8_t kind) {
    switch (kind) {
    case WASM_FUNCTION:
        return m->function_count;
    case WASM_TABLE:
        return m->table_count;
    case WASM_MEMORY:
        return m->memory_count;
    case WASM_GLOBAL:
        return m->global_count;
    default:
        return kind == WASM_TAG ? m->tag_count : 0;
    }
}

static int compare_names(const void* a, const void* b) {
    const wasm_name *x = &(*(wasm_export*const*)a)->name, *y = &(*(wasm_export*const*)b)->name;
    uint32_t both = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->bytes, y->bytes, both);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static void check_names(wasm_reader* r, wasm_module* m, uint32_t at) {
    wasm_export** sorted = malloc((m->export_count + 1) * sizeof(*sorted));
    if (sorted == NULL) {
        wasm_fail(r, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < m->export_count; i++)
        sorted[i] = &m->exports[i];
    qsort(sorted, m->export_count, sizeof(*sorted), compare_names);
    for (uint32_t i = 1; i < m->export_count; i++)
        if (compare_names(&sorted[i - 1], &sorted[i]) == 0) {
            wasm_fail_at(r, at, "Duplicate export name '%.*s'",
                         (int)(sorted[i]->name.length > 100 ? 100 : sorted[i]->name.length),
                         (const char*)sorted[i]->name.bytes);
            break;
        }
    free(sorted);
}

static void read_exports(wasm_reader* r, wasm_module* m) {
    uint32_t start = wasm_position(r);
    uint32_t count = wasm_read_count(r, "exports count", MOST_THINGS);
    if (!add_room(r, &m->exports, 0, count, sizeof(*m->exports)))
        return;
    for (; m->export_count < count && !wasm_failed(r); m->export_count++) {
        wasm_export* export = &m->exports[m->export_count];
        export->name = wasm_read_name(r, "field name");
        uint32_t at = wasm_position(r);
        uint8_t kind = wasm_read_byte(r, "kind");
        export->kind = (wasm_kind)kind;
        export->index = wasm_read_u32(r, "item index");
        if (kind > WASM_TAG)
            wasm_fail_at(r, at, "invalid export kind 0x%02x", kind);
        else if (export->index >= count_of(m, kind))
            wasm_fail_at(r, at + 1, "export index %u out of bounds", (unsigned)export->index);
        else if (kind == WASM_FUNCTION)
            m->is_declared[export->index] = true;
    }
    if (!wasm_failed(r))
        check_names(r, m, start);
}

static void read_start(wasm_reader* r, wasm_module* m) {
    uint32_t at = wasm_position(r);
    m->start = wasm_read_u32(r, "start index");
    if (m->start >= m->function_count)
        wasm_fail_at(r, at, "function index %u out of bounds (%u entries)", (unsigned)m->start,
                     (unsigned)m->function_count);
    else if (m->functions[m->start]->param_count + m->functions[m->start]->result_count > 0)
        wasm_fail_at(r, at, "invalid start function: non-zero parameter or return count");
}

static void read_functions_of(wasm_reader* r, wasm_module* m, wasm_elements* e) {
    if (!add_room(r, &e->functions, 0, e->count, sizeof(*e->functions)))
        return;
    for (uint32_t i = 0; i < e->count && !wasm_failed(r); i++) {
        uint32_t at = wasm_position(r);
        e->functions[i] = wasm_read_u32(r, "function index");
        if (e->functions[i] >= m->function_count)
            wasm_fail_at(r, at, "function index %u out of bounds (%u entries)",
                         (unsigned)e->functions[i], (unsigned)m->function_count);
        else
            m->is_declared[e->functions[i]] = true;
    }
}

static void read_segment_place(wasm_reader* r, wasm_module* m, wasm_elements* e, uint32_t flags) {
    uint32_t at = wasm_position(r);
    e->table = (flags & 2) != 0 ? wasm_read_u32(r, "table index") : 0;
    if (e->table >= m->table_count)
        wasm_fail_at(r, at, "out of bounds%s table index %u", (flags & 2) != 0 ? "" : " implicit",
                     (unsigned)e->table);
    else
        e->offset = wasm_constant_check(r, m, WASM_I32);
}

static void read_one_segment(wasm_reader* r, wasm_module* m, wasm_elements* e) {
    uint32_t at = wasm_position(r);
    uint32_t flags = wasm_read_u32(r, "flag");
    if (flags > 7) {
        wasm_fail_at(r, at, "illegal flag value %u", (unsigned)flags);
        return;
    }
    bool has_expressions = (flags & 4) != 0;
    e->mode = (flags & 1) == 0 ? WASM_ACTIVE : (flags & 2) != 0 ? WASM_DECLARED : WASM_PASSIVE;
    e->type = WASM_FUNCREF;
    if (e->mode == WASM_ACTIVE)
        read_segment_place(r, m, e, flags);
    if ((flags & 3) != 0 && has_expressions)
        e->type = wasm_read_reference(r);
    else if ((flags & 3) != 0 && wasm_read_byte(r, "element kind") != 0)
        wasm_fail(r, "illegal element kind. Must be 0x00");
    if (wasm_failed(r))
        return;
    if (e->mode == WASM_ACTIVE && m->tables[e->table].element != e->type)
        wasm_fail_at(r, at,
                     "Element segment of type %s is not a subtype of referenced table %u "
                     "(type %s)",
                     wasm_type_name(e->type), (unsigned)e->table,
                     wasm_type_name(m->tables[e->table].element));
    e->count = wasm_read_count(r, "number of elements", WASM_MOST_ELEMENTS);
    if (!has_expressions) {
        read_functions_of(r, m, e);
        return;
    }
    if (!add_room(r, &e->items, 0, e->count, sizeof(*e->items)))
        return;
    for (uint32_t i = 0; i < e->count && !wasm_failed(r); i++)
        e->items[i] = wasm_constant_check(r, m, e->type);
}

static void read_elements(wasm_reader* r, wasm_module* m) {
    uint32_t count = wasm_read_count(r, "segment count", WASM_MOST_ELEMENTS);
    if (!add_room(r, &m->elements, 0, count, sizeof(*m->elements)))
        return;
    for (; m->element_count < count && !wasm_failed(r);)
        read_one_segment(r, m, &m->elements[m->element_count++]);
}

static void read_data_count(wasm_reader* r, wasm_module* m) {
    m->data_count = wasm_read_u32(r, "data segments count");
    m->has_data_count = true;
    if (m->data_count > MOST_SEGMENTS)
        wasm_fail(r, "data segments count %u exceeds internal limit of %d", (unsigned)m->data_count,
                  MOST_SEGMENTS);
}

static void read_codes(wasm_reader* r, wasm_module* m) {
    uint32_t at = wasm_position(r);
    uint32_t count = wasm_read_u32(r, "body count");
    if (count != m->code_count) {
        wasm_fail_at(r, at, "function body count %u mismatch (%u expected)", (unsigned)count,
                     (unsigned)m->code_count);
        return;
    }
    for (uint32_t i = 0; i < count && !wasm_failed(r); i++) {
        at = wasm_position(r);
        uint32_t size = wasm_read_u32(r, "body size");
        if (size > MOST_BODY)
            wasm_fail_at(r, at, "size %u > maximum function size %d", (unsigned)size, MOST_BODY);
        m->codes[i].start = wasm_position(r);
        m->codes[i].end = m->codes[i].start + size;
        wasm_read_bytes(r, size, "function body");
    }
}

static void read_datas(wasm_reader* r, wasm_module* m) {
    uint32_t at = wasm_position(r);
    uint32_t count = wasm_read_count(r, "data segments count", MOST_SEGMENTS);
    if (m->has_data_count && count != m->data_count)
        wasm_fail_at(r, at, "number of data segments (%u) does not match data segments count (%u)",
                     (unsigned)count, (unsigned)m->data_count);
    if (wasm_failed(r) || !add_room(r, &m->datas, 0, count, sizeof(*m->datas)))
        return;
    m->data_count = count;
    for (uint32_t i = 0; i < count && !wasm_failed(r); i++) {
        wasm_data* data = &m->datas[i];
        at = wasm_position(r);
        uint32_t flags = wasm_read_u32(r, "flag");
        if (flags > 2)
            wasm_fail_at(r, at, "illegal flag value %u", (unsigned)flags);
        data->mode = flags == 1 ? WASM_PASSIVE : WASM_ACTIVE;
        uint32_t memory = flags == 2 ? wasm_read_u32(r, "memory index") : 0;
        if (data->mode == WASM_ACTIVE && memory >= m->memory_count)
            wasm_fail_at(r, at, "invalid memory index %u for data segment (having %u memories)",
                         (unsigned)memory, (unsigned)m->memory_count);
        else if (data->mode == WASM_ACTIVE)
            data->offset = wasm_constant_check(r, m, WASM_I32);
        data->length = wasm_read_u32(r, "source size");
        data->start = wasm_position(r);
        wasm_read_bytes(r, data->length, "data segment");
    }
}

static void read_custom(wasm_reader* r, wasm_module* m) {
    wasm_custom custom = {.name = wasm_read_name(r, "section name")};
    custom.start = wasm_position(r);
    custom.length = (uint32_t)(r->end - r->at);
    r->at = r->end;
    if (!wasm_failed(r))
        ADD(r, m, customs, custom_count, custom);
}

typedef void reads(wasm_reader* r, wasm_module* m);
static reads* const readers[SECTION_COUNT] = {
    read_custom,   read_types,   read_imports,    read_functions, read_tables,
    read_memories, read_globals, read_exports,    read_start,     read_elements,
    read_codes,    read_datas,   read_data_count, read_tags};

/* What later sections and bodies say about functions is noted for all that there can be. */
static bool note_functions(wasm_reader* r, wasm_module* m, bool is_past) {
    if (m->is_declared != NULL || !is_past)
        return true;
    m->is_declared = calloc(m->function_count + 1, sizeof(*m->is_declared));
    return m->is_declared != NULL || wasm_fail(r, "out of memory");
}

static void read_section(wasm_reader* r, wasm_module* m, uint8_t* order) {
    uint32_t at = wasm_position(r);
    uint8_t id = wasm_read_byte(r, "section kind");
    uint32_t size = wasm_read_u32(r, "section length");
    uint32_t start = wasm_position(r);
    if (wasm_failed(r))
        return;
    if (id >= SECTION_COUNT) {
        wasm_fail_at(r, at, "unknown section code #0x%02x", id);
        return;
    }
    if (size > (size_t)(r->end - r->at)) {
        wasm_fail_at(r, start,
                     "section (code %u, \"%s\") extends past end of the module "
                     "(length %u, remaining bytes %u)",
                     id, section_names[id], (unsigned)size, (unsigned)(r->end - r->at));
        return;
    }
    if (id != CUSTOM && section_order[id] <= *order) {
        wasm_fail_at(r, at, "unexpected section <%s>", section_names[id]);
        return;
    }
    if (id != CUSTOM)
        *order = section_order[id];
    if (!note_functions(r, m, *order > section_order[FUNCTIONS]))
        return;
    wasm_reader part = {r->start, r->at, r->at + size, r->problem};
    readers[id](&part, m);
    if (!wasm_failed(r) && part.at != part.end)
        wasm_fail_at(r, wasm_position(&part),
                     "section was shorter than expected size "
                     "(%u bytes expected, %u decoded)",
                     (unsigned)size, (unsigned)(wasm_position(&part) - start));
    r->at = wasm_failed(r) ? r->end : r->at + size;
}

static void read_header(wasm_reader* r) {
    static const uint8_t magic[] = {0, 'a', 's', 'm'}, version[] = {1, 0, 0, 0};
    if (r->at == r->end) {
        wasm_fail(r, "BufferSource argument is empty");
        return;
    }
    for (int word = 0; word < 2; word++) {
        const uint8_t* wanted = word == 0 ? magic : version;
        const char* what = word == 0 ? "magic word" : "version";
        uint32_t at = wasm_position(r);
        size_t left = (size_t)(r->end - r->at);
        if (left < 4) {
            wasm_fail(r, "expected 4 bytes, fell off end");
            return;
        }
        const uint8_t* found = wasm_read_bytes(r, 4, what);
        if (memcmp(found, wanted, 4) != 0) {
            wasm_fail_at(r, at, "expected %s %02x %02x %02x %02x, found %02x %02x %02x %02x", what,
                         wanted[0], wanted[1], wanted[2], wanted[3], found[0], found[1], found[2],
                         found[3]);
            return;
        }
    }
}

static void read_all(wasm_reader* r, wasm_module* m) {
    uint8_t order = 0;
    read_header(r);
    while (!wasm_failed(r) && r->at < r->end)
        read_section(r, m, &order);
    if (wasm_failed(r) || !note_functions(r, m, true))
        return;
    if (m->code_count > 0 && order < section_order[CODES])
        wasm_fail(r, "function count is %u, but code section is absent", (unsigned)m->code_count);
    else if (m->has_data_count && m->datas == NULL && m->data_count > 0)
        wasm_fail(r, "data segments count %u mismatch (0 expected)", (unsigned)m->data_count);
    else if (m->code_count > 0 && m->codes[0].end == 0)
        wasm_fail(r, "function count is %u, but code section is absent", (unsigned)m->code_count);
    for (uint32_t i = 0; i < m->code_count && !wasm_failed(r); i++)
        wasm_body_check(m, i, false, r->problem);
}

wasm_module* wasm_module_read(wasm_store* store, uint8_t* bytes_owned, uint32_t length,
                              wasm_problem* problem) {
    problem->text[0] = '\0';
    wasm_module* m = calloc(1, sizeof(*m));
    if (m == NULL) {
        free(bytes_owned);
        strcpy(problem->text, "out of memory");
        problem->at = 0;
        return NULL;
    }
    m->holders = 1;
    m->store = store;
    m->bytes = bytes_owned;
    m->length = length;
    m->start = WASM_NO_INDEX;
    wasm_reader r = {m->bytes, m->bytes, m->bytes + length, problem};
    read_all(&r, m);
    if (!wasm_failed(&r))
        return m;
    wasm_module_release(m);
    return NULL;
}
