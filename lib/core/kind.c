#include "core/kind.h"

#include "core/handle.h"

const struct ph_kind* ph_kind_of(uv_handle_type type) {
    if ((unsigned)type >= UV_HANDLE_TYPE_MAX || ph_kinds[type].name == NULL)
        return NULL;
    return &ph_kinds[type];
}

size_t uv_handle_size(uv_handle_type type) {
    const struct ph_kind* kind = ph_kind_of(type);
    return kind != NULL ? kind->size : (size_t)-1;
}

const char* uv_handle_type_name(uv_handle_type type) {
    if (type == UV_FILE)
        return "file";
    const struct ph_kind* kind = ph_kind_of(type);
    return kind != NULL ? kind->name : NULL;
}
