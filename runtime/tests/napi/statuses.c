/* What each function answers for a value, as a list of statuses. */
#include <string.h>

#include "tests/napi/addon.h"

enum { MOST = 128 };

typedef struct {
    napi_env env;
    napi_value value;
    napi_status got[MOST];
    size_t count;
} list;

/* The status, and whether an exception waits, which is taken away. */
static void note(list* said, napi_status status) {
    bool pending;
    napi_value error;
    OK(napi_is_exception_pending(said->env, &pending));
    if (pending)
        OK(napi_get_and_clear_last_exception(said->env, &error));
    said->got[said->count++] = (napi_status)((int)status + (pending ? 100 : 0));
}

static void ask_numbers(list* said) {
    double real;
    int32_t small;
    uint32_t natural;
    int64_t large;
    uint64_t word;
    bool is;
    note(said, napi_get_value_double(said->env, said->value, &real));
    note(said, napi_get_value_int32(said->env, said->value, &small));
    note(said, napi_get_value_uint32(said->env, said->value, &natural));
    note(said, napi_get_value_int64(said->env, said->value, &large));
    note(said, napi_get_value_bool(said->env, said->value, &is));
    note(said, napi_get_value_bigint_int64(said->env, said->value, &large, &is));
    note(said, napi_get_value_bigint_uint64(said->env, said->value, &word, &is));
    size_t words = 1;
    note(said, napi_get_value_bigint_words(said->env, said->value, NULL, &words, NULL));
    note(said, napi_get_date_value(said->env, said->value, &real));
    note(said, napi_get_array_length(said->env, said->value, &natural));
}

static void ask_text(list* said) {
    char bytes[8];
    uint16_t units[8];
    size_t length;
    note(said, napi_get_value_string_utf8(said->env, said->value, bytes, 8, &length));
    note(said, napi_get_value_string_latin1(said->env, said->value, bytes, 8, &length));
    note(said, napi_get_value_string_utf16(said->env, said->value, units, 8, &length));
    note(said, napi_get_value_string_utf8(said->env, said->value, NULL, 0, NULL));
    napi_value made;
    note(said, napi_create_symbol(said->env, said->value, &made));
    note(said, napi_create_error(said->env, NULL, said->value, &made));
    note(said, napi_create_type_error(said->env, said->value, said->value, &made));
    note(said, napi_run_script(said->env, said->value, &made));
}

static void ask_conversions(list* said) {
    napi_value made;
    note(said, napi_coerce_to_bool(said->env, said->value, &made));
    note(said, napi_coerce_to_number(said->env, said->value, &made));
    note(said, napi_coerce_to_object(said->env, said->value, &made));
    note(said, napi_coerce_to_string(said->env, said->value, &made));
}

static void ask_objects(list* said) {
    napi_env env = said->env;
    napi_value made;
    napi_value key;
    bool is;
    OK(napi_create_string_utf8(env, "key", NAPI_AUTO_LENGTH, &key));
    note(said, napi_get_prototype(env, said->value, &made));
    note(said, napi_get_property_names(env, said->value, &made));
    note(said, napi_get_all_property_names(env, said->value, napi_key_own_only,
                                           napi_key_all_properties, napi_key_keep_numbers, &made));
    note(said, napi_set_property(env, said->value, key, key));
    note(said, napi_has_property(env, said->value, key, &is));
    note(said, napi_get_property(env, said->value, key, &made));
    note(said, napi_has_own_property(env, said->value, key, &is));
    note(said, napi_has_own_property(env, key, said->value, &is));
    note(said, napi_delete_property(env, said->value, key, &is));
    note(said, napi_set_named_property(env, said->value, "key", key));
    note(said, napi_has_named_property(env, said->value, "key", &is));
    note(said, napi_get_named_property(env, said->value, "key", &made));
    note(said, napi_set_element(env, said->value, 0, key));
    note(said, napi_has_element(env, said->value, 0, &is));
    note(said, napi_get_element(env, said->value, 0, &made));
    note(said, napi_delete_element(env, said->value, 0, &is));
    napi_property_descriptor property = {.utf8name = "defined", .value = key};
    note(said, napi_define_properties(env, said->value, 1, &property));
    note(said, napi_define_properties(env, said->value, 1, &property));
    note(said, napi_strict_equals(env, said->value, key, &is));
}

static void ask_functions(list* said) {
    napi_env env = said->env;
    napi_value made;
    napi_value global;
    bool is;
    OK(napi_get_global(env, &global));
    note(said, napi_call_function(env, global, said->value, 0, NULL, &made));
    note(said, napi_new_instance(env, said->value, 0, NULL, &made));
    note(said, napi_instanceof(env, global, said->value, &is));
    note(said, napi_instanceof(env, said->value, said->value, &is));
    note(said, napi_make_callback(env, NULL, global, said->value, 0, NULL, &made));
    note(said, napi_make_callback(env, NULL, said->value, said->value, 0, NULL, &made));
}

static void ask_attachments(list* said) {
    static const napi_type_tag tag = {1, 2};
    napi_env env = said->env;
    void* data;
    bool is;
    napi_ref ref = NULL;
    note(said, napi_unwrap(env, said->value, &data));
    note(said, napi_wrap(env, said->value, said, NULL, NULL, NULL));
    note(said, napi_wrap(env, said->value, said, NULL, NULL, NULL));
    note(said, napi_unwrap(env, said->value, &data));
    note(said, napi_remove_wrap(env, said->value, &data));
    note(said, napi_remove_wrap(env, said->value, &data));
    note(said, napi_add_finalizer(env, said->value, said, NULL, NULL, NULL));
    note(said, napi_get_value_external(env, said->value, &data));
    note(said, napi_check_object_type_tag(env, said->value, &tag, &is));
    note(said, napi_type_tag_object(env, said->value, &tag));
    note(said, napi_type_tag_object(env, said->value, &tag));
    note(said, napi_create_reference(env, said->value, 1, &ref));
    if (ref != NULL) {
        uint32_t count;
        note(said, napi_reference_unref(env, ref, &count));
        note(said, napi_reference_unref(env, ref, &count));
        OK(napi_delete_reference(env, ref));
    }
}

static void ask_bytes(list* said) {
    napi_env env = said->env;
    napi_value made;
    napi_typedarray_type type;
    void* data;
    size_t length;
    bool is;
    note(said, napi_get_arraybuffer_info(env, said->value, &data, &length));
    note(said, napi_get_typedarray_info(env, said->value, &type, &length, &data, &made, &length));
    note(said, napi_get_dataview_info(env, said->value, &length, &data, &made, &length));
    note(said, napi_get_buffer_info(env, said->value, &data, &length));
    note(said, napi_create_typedarray(env, napi_int16_array, 1, said->value, 0, &made));
    note(said, napi_create_typedarray(env, napi_int16_array, 1, said->value, 1, &made));
    note(said, napi_create_typedarray(env, napi_int16_array, 99, said->value, 0, &made));
    note(said, napi_create_dataview(env, 1, said->value, 0, &made));
    note(said, napi_create_dataview(env, 99, said->value, 0, &made));
    note(said, napi_is_detached_arraybuffer(env, said->value, &is));
    note(said, napi_detach_arraybuffer(env, said->value));
    note(said, napi_get_typedarray_info(env, said->value, NULL, NULL, NULL, NULL, NULL));
}

static void ask_asynchronous(list* said) {
    napi_env env = said->env;
    napi_async_context context;
    napi_threadsafe_function function;
    napi_value name;
    OK(napi_create_string_utf8(env, "name", NAPI_AUTO_LENGTH, &name));
    napi_status status = napi_async_init(env, said->value, name, &context);
    note(said, status);
    if (status == napi_ok)
        OK(napi_async_destroy(env, context));
    status = napi_async_init(env, NULL, said->value, &context);
    note(said, status);
    if (status == napi_ok)
        OK(napi_async_destroy(env, context));
    status = napi_create_threadsafe_function(env, said->value, NULL, name, 0, 1, NULL, NULL, NULL,
                                             NULL, &function);
    note(said, status);
    if (status == napi_ok)
        OK(napi_release_threadsafe_function(function, napi_tsfn_release));
}

/* ask(kind, value): the statuses */
static napi_value ask(napi_env env, napi_callback_info info) {
    static void (*const kinds[])(list*) = {ask_numbers, ask_text,        ask_conversions,
                                           ask_objects, ask_functions,   ask_attachments,
                                           ask_bytes,   ask_asynchronous};
    napi_value args[2];
    int32_t kind;
    addon_arguments(env, info, 2, args);
    list said = {.env = env, .value = args[1]};
    OK(napi_get_value_int32(env, args[0], &kind));
    kinds[kind](&said);
    napi_value array;
    OK(napi_create_array_with_length(env, said.count, &array));
    for (size_t i = 0; i < said.count; i++)
        OK(napi_set_element(env, array, (uint32_t)i, addon_number(env, said.got[i])));
    return array;
}

/* describe(value): its type, and which of the questions that every value answers it says yes to */
static napi_value describe(napi_env env, napi_callback_info info) {
    static napi_status (*const questions[])(napi_env, napi_value, bool*) = {
        napi_is_array,      napi_is_arraybuffer, napi_is_buffer,
        napi_is_typedarray, napi_is_dataview,    napi_is_date,
        napi_is_error,      napi_is_promise,     napi_is_detached_arraybuffer};
    napi_value value;
    napi_value array;
    napi_valuetype type;
    addon_arguments(env, info, 1, &value);
    OK(napi_create_array(env, &array));
    OK(napi_typeof(env, value, &type));
    OK(napi_set_element(env, array, 0, addon_number(env, type)));
    for (uint32_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        bool is;
        OK(questions[i](env, value, &is));
        OK(napi_set_element(env, array, i + 1, addon_number(env, is)));
    }
    return array;
}

/* words(): what napi_get_last_error_info says of each status that a call can be made to give */
static napi_value last_words(napi_env env, napi_callback_info info) {
    const napi_extended_error_info* error;
    napi_value value;
    double number;
    addon_arguments(env, info, 1, &value);
    napi_get_value_double(env, value, &number);
    OK(napi_get_last_error_info(env, &error));
    napi_value text;
    const char* words = error->error_message == NULL ? "none" : error->error_message;
    OK(napi_create_string_utf8(env, words, NAPI_AUTO_LENGTH, &text));
    return text;
}

static napi_value external(napi_env env, napi_callback_info info) {
    (void)info;
    napi_value made;
    OK(napi_create_external(env, &made, NULL, NULL, &made));
    return made;
}

int32_t node_api_module_get_api_version_v1(void) {
    return 9;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
    addon_function(env, exports, "ask", ask);
    addon_function(env, exports, "describe", describe);
    addon_function(env, exports, "lastWords", last_words);
    addon_function(env, exports, "external", external);
    return exports;
}
