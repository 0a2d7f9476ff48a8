#include "core/request.h"

#include <stdbool.h>

static const struct {
    const char* name;
    size_t size;
} kinds[UV_REQ_TYPE_MAX] = {
#define XX(uc, lc) [UV_##uc] = {#lc, sizeof(struct uv_##lc##_s)},
    UV_REQ_TYPE_MAP(XX)
#undef XX
};

static bool is_kind(uv_req_type type) {
    return (unsigned)type < UV_REQ_TYPE_MAX && kinds[type].name != NULL;
}

size_t uv_req_size(uv_req_type type) {
    return is_kind(type) ? kinds[type].size : (size_t)-1;
}

const char* uv_req_type_name(uv_req_type type) {
    return is_kind(type) ? kinds[type].name : NULL;
}

void* uv_req_get_data(const uv_req_t* req) {
    return req->data;
}

void uv_req_set_data(uv_req_t* req, void* data) {
    req->data = data;
}

uv_req_type uv_req_get_type(const uv_req_t* req) {
    return req->type;
}
