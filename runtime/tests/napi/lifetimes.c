/* Wraps, references, finalizers and scopes. */
#include <string.h>

#include "tests/napi/addon.h"

static napi_ref kept;
static int finalized;
static int external_freed;

static void on_finalize(napi_env env, void* data, void* hint) {
    (void)env;
    (void)hint;
    finalized++;
    free(data);
}

/* wrap(object): a number of its own inside */
static napi_value wrap(napi_env env, napi_callback_info info) {
    static int number;
    napi_value object;
    addon_arguments(env, info, 1, &object);
    int* content = malloc(sizeof(*content));
    *content = ++number;
    OK(napi_wrap(env, object, content, on_finalize, NULL, NULL));
    return object;
}

static napi_value unwrap(napi_env env, napi_callback_info info) {
    napi_value object;
    int* content;
    addon_arguments(env, info, 1, &object);
    if (napi_unwrap(env, object, (void**)&content) != napi_ok)
        return NULL;
    return addon_number(env, *content);
}

static napi_value count(napi_env env, napi_callback_info info) {
    (void)info;
    return addon_number(env, finalized);
}

/* keep(value, count), kept(), ref(), unref(), drop() */
static napi_value keep(napi_env env, napi_callback_info info) {
    napi_value args[2];
    uint32_t times;
    addon_arguments(env, info, 2, args);
    OK(napi_get_value_uint32(env, args[1], &times));
    OK(napi_create_reference(env, args[0], times, &kept));
    return NULL;
}

static napi_value get_kept(napi_env env, napi_callback_info info) {
    (void)info;
    napi_value value;
    OK(napi_get_reference_value(env, kept, &value));
    return value;
}

static napi_value ref(napi_env env, napi_callback_info info) {
    (void)info;
    uint32_t times;
    OK(napi_reference_ref(env, kept, &times));
    return addon_number(env, times);
}

static napi_value unref(napi_env env, napi_callback_info info) {
    (void)info;
    uint32_t times;
    OK(napi_reference_unref(env, kept, &times));
    return addon_number(env, times);
}

static napi_value drop(napi_env env, napi_callback_info info) {
    (void)info;
    OK(napi_delete_reference(env, kept));
    return NULL;
}

static void on_bytes_free(napi_env env, void* data, void* hint) {
    (void)env;
    (void)hint;
    external_freed++;
    free(data);
}

/* bytes(kind): 0 an ArrayBuffer, 1 a Buffer, on memory of the addon */
static napi_value bytes(napi_env env, napi_callback_info info) {
    napi_value kind;
    napi_value made;
    int32_t which;
    addon_arguments(env, info, 1, &kind);
    OK(napi_get_value_int32(env, kind, &which));
    char* memory = malloc(5);
    memcpy(memory, "bytes", 5);
    if (which == 0)
        OK(napi_create_external_arraybuffer(env, memory, 5, on_bytes_free, NULL, &made));
    else
        OK(napi_create_external_buffer(env, 5, memory, on_bytes_free, NULL, &made));
    return made;
}

static napi_value freed(napi_env env, napi_callback_info info) {
    (void)info;
    return addon_number(env, external_freed);
}

/* scopes(n): as many values as that, most of them in scopes that are closed; the last one escapes
 */
static napi_value scopes(napi_env env, napi_callback_info info) {
    napi_value times;
    napi_value last = NULL;
    int32_t rounds;
    addon_arguments(env, info, 1, &times);
    OK(napi_get_value_int32(env, times, &rounds));
    for (int32_t i = 0; i < rounds; i++) {
        napi_escapable_handle_scope outer;
        napi_handle_scope inner;
        napi_value made;
        OK(napi_open_escapable_handle_scope(env, &outer));
        OK(napi_open_handle_scope(env, &inner));
        for (int j = 0; j < 10; j++)
            OK(napi_create_object(env, &made));
        OK(napi_close_handle_scope(env, inner));
        OK(napi_create_object(env, &made));
        OK(napi_set_named_property(env, made, "round", addon_number(env, i)));
        OK(napi_escape_handle(env, outer, made, &last));
        napi_value again;
        if (napi_escape_handle(env, outer, made, &again) != napi_escape_called_twice)
            abort();
        OK(napi_close_escapable_handle_scope(env, outer));
    }
    return last;
}

static napi_value construct(napi_env env, napi_callback_info info) {
    napi_value target;
    napi_value self;
    OK(napi_get_new_target(env, info, &target));
    if (target == NULL) {
        napi_throw_type_error(env, "ERR_NEEDS_NEW", "it needs new");
        return NULL;
    }
    OK(napi_get_cb_info(env, info, NULL, NULL, &self, NULL));
    int* content = malloc(sizeof(*content));
    *content = 7;
    OK(napi_wrap(env, self, content, on_finalize, NULL, NULL));
    return self;
}

static napi_value method(napi_env env, napi_callback_info info) {
    napi_value self;
    int* content;
    OK(napi_get_cb_info(env, info, NULL, NULL, &self, NULL));
    OK(napi_unwrap(env, self, (void**)&content));
    return addon_number(env, ++*content);
}

static napi_value same(napi_env env, napi_callback_info info) {
    (void)env;
    napi_value self;
    OK(napi_get_cb_info(env, info, NULL, NULL, &self, NULL));
    return self;
}

int32_t node_api_module_get_api_version_v1(void) {
    return 8;
}

/* remainder(view): of the address at which its bytes begin, divided by eight */
static napi_value remainder_of(napi_env env, napi_callback_info info) {
    napi_value view;
    void* data;
    addon_arguments(env, info, 1, &view);
    OK(napi_get_typedarray_info(env, view, NULL, NULL, &data, NULL, NULL));
    return addon_number(env, (double)((uintptr_t)data % 8));
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
    static const struct {
        const char* name;
        napi_callback callback;
    } functions[] = {{"wrap", wrap},
                     {"unwrap", unwrap},
                     {"count", count},
                     {"keep", keep},
                     {"kept", get_kept},
                     {"ref", ref},
                     {"unref", unref},
                     {"drop", drop},
                     {"bytes", bytes},
                     {"freed", freed},
                     {"scopes", scopes},
                     {"same", same},
                     {"remainder", remainder_of}};
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        addon_function(env, exports, functions[i].name, functions[i].callback);
    const napi_property_descriptor members[] = {
        {.utf8name = "next", .method = method},
        {.utf8name = "value", .getter = method, .attributes = napi_enumerable},
        {.utf8name = "make", .method = same, .attributes = napi_static},
    };
    napi_value class;
    OK(napi_define_class(env, "Native", NAPI_AUTO_LENGTH, construct, NULL, 3, members, &class));
    OK(napi_set_named_property(env, exports, "Native", class));
    return exports;
}
