/* The functions of Node-API, by the files that define them. */
#ifndef PH_NAPI_CALLS_H
#define PH_NAPI_CALLS_H

#include <uv.h>

#include "plugins/napi/api.h"

/* bigint.c */
NAPI napi_create_bigint_int64(napi_env env, int64_t value, napi_value* result);
NAPI napi_create_bigint_uint64(napi_env env, uint64_t value, napi_value* result);
NAPI napi_create_bigint_words(napi_env env, int sign, size_t count, const uint64_t* words,
                              napi_value* result);
NAPI napi_get_value_bigint_int64(napi_env env, napi_value value, int64_t* result, bool* lossless);
NAPI napi_get_value_bigint_uint64(napi_env env, napi_value value, uint64_t* result, bool* lossless);
NAPI napi_get_value_bigint_words(napi_env env, napi_value value, int* sign, size_t* count,
                                 uint64_t* words);

/* bytes.c */
NAPI napi_is_arraybuffer(napi_env env, napi_value value, bool* result);
NAPI napi_create_arraybuffer(napi_env env, size_t length, void** data, napi_value* result);
NAPI napi_get_arraybuffer_info(napi_env env, napi_value value, void** data, size_t* length);
NAPI napi_detach_arraybuffer(napi_env env, napi_value value);
NAPI napi_is_detached_arraybuffer(napi_env env, napi_value value, bool* result);
NAPI napi_is_typedarray(napi_env env, napi_value value, bool* result);
NAPI napi_create_typedarray(napi_env env, napi_typedarray_type type, size_t length,
                            napi_value buffer, size_t offset, napi_value* result);
NAPI napi_get_typedarray_info(napi_env env, napi_value value, napi_typedarray_type* type,
                              size_t* length, void** data, napi_value* buffer, size_t* offset);
NAPI napi_create_dataview(napi_env env, size_t length, napi_value buffer, size_t offset,
                          napi_value* result);
NAPI napi_is_dataview(napi_env env, napi_value value, bool* result);
NAPI napi_get_dataview_info(napi_env env, napi_value value, size_t* length, void** data,
                            napi_value* buffer, size_t* offset);
NAPI napi_create_buffer(napi_env env, size_t length, void** data, napi_value* result);
NAPI napi_create_buffer_copy(napi_env env, size_t length, const void* source, void** data,
                             napi_value* result);
NAPI napi_create_external_arraybuffer(napi_env env, void* data, size_t length,
                                      napi_finalize finalize, void* hint, napi_value* result);
NAPI napi_create_external_buffer(napi_env env, size_t length, void* data, napi_finalize finalize,
                                 void* hint, napi_value* result);
NAPI napi_is_buffer(napi_env env, napi_value value, bool* result);
NAPI napi_get_buffer_info(napi_env env, napi_value value, void** data, size_t* length);

/* cleanup.c */
NAPI napi_add_env_cleanup_hook(napi_env env, napi_cleanup_hook hook, void* arg);
NAPI napi_remove_env_cleanup_hook(napi_env env, napi_cleanup_hook hook, void* arg);
NAPI napi_add_async_cleanup_hook(napi_env env, napi_async_cleanup_hook hook, void* arg,
                                 napi_async_cleanup_hook_handle* result);
NAPI napi_remove_async_cleanup_hook(napi_async_cleanup_hook_handle handle);

/* entries.c */
NAPI napi_async_init(napi_env env, napi_value resource, napi_value name,
                     napi_async_context* result);
NAPI napi_async_destroy(napi_env env, napi_async_context context);
NAPI napi_make_callback(napi_env env, napi_async_context context, napi_value self,
                        napi_value callee, size_t argc, const napi_value* argv, napi_value* result);
NAPI napi_open_callback_scope(napi_env env, napi_value resource, napi_async_context context,
                              napi_callback_scope* result);
NAPI napi_close_callback_scope(napi_env env, napi_callback_scope scope);

/* extras.c */
NAPI napi_wrap(napi_env env, napi_value object, void* data, napi_finalize finalize, void* hint,
               napi_ref* result);
NAPI napi_unwrap(napi_env env, napi_value object, void** result);
NAPI napi_remove_wrap(napi_env env, napi_value object, void** result);
NAPI napi_add_finalizer(napi_env env, napi_value object, void* data, napi_finalize finalize,
                        void* hint, napi_ref* result);
NAPI napi_create_external(napi_env env, void* data, napi_finalize finalize, void* hint,
                          napi_value* result);
NAPI napi_get_value_external(napi_env env, napi_value value, void** result);
NAPI napi_type_tag_object(napi_env env, napi_value object, const napi_type_tag* tag);
NAPI napi_check_object_type_tag(napi_env env, napi_value object, const napi_type_tag* tag,
                                bool* result);

/* finalizers.c */
NAPI node_api_post_finalizer(napi_env env, napi_finalize finalize, void* data, void* hint);

/* functions.c */
NAPI napi_create_function(napi_env env, const char* name, size_t length, napi_callback callback,
                          void* data, napi_value* result);
NAPI napi_define_class(napi_env env, const char* name, size_t length, napi_callback constructor,
                       void* data, size_t count, const napi_property_descriptor* properties,
                       napi_value* result);
NAPI napi_get_cb_info(napi_env env, napi_callback_info info, size_t* argc, napi_value* argv,
                      napi_value* self, void** data);
NAPI napi_get_new_target(napi_env env, napi_callback_info info, napi_value* result);
NAPI napi_call_function(napi_env env, napi_value self, napi_value callee, size_t argc,
                        const napi_value* argv, napi_value* result);
NAPI napi_new_instance(napi_env env, napi_value constructor, size_t argc, const napi_value* argv,
                       napi_value* result);
NAPI napi_instanceof(napi_env env, napi_value object, napi_value constructor, bool* result);

/* handles.c */
NAPI napi_open_handle_scope(napi_env env, napi_handle_scope* result);
NAPI napi_close_handle_scope(napi_env env, napi_handle_scope scope);
NAPI napi_open_escapable_handle_scope(napi_env env, napi_escapable_handle_scope* result);
NAPI napi_close_escapable_handle_scope(napi_env env, napi_escapable_handle_scope scope);
NAPI napi_escape_handle(napi_env env, napi_escapable_handle_scope scope, napi_value escapee,
                        napi_value* result);

/* keys.c */
NAPI napi_get_all_property_names(napi_env env, napi_value object, napi_key_collection_mode mode,
                                 napi_key_filter filter, napi_key_conversion conversion,
                                 napi_value* result);
NAPI napi_get_property_names(napi_env env, napi_value object, napi_value* result);

/* language.c */
NAPI napi_create_promise(napi_env env, napi_deferred* deferred, napi_value* promise);
NAPI napi_resolve_deferred(napi_env env, napi_deferred deferred, napi_value value);
NAPI napi_reject_deferred(napi_env env, napi_deferred deferred, napi_value value);
NAPI napi_is_promise(napi_env env, napi_value value, bool* result);
NAPI napi_run_script(napi_env env, napi_value script, napi_value* result);
NAPI napi_get_version(napi_env env, uint32_t* result);
NAPI napi_get_node_version(napi_env env, const napi_node_version** result);
NAPI napi_get_uv_event_loop(napi_env env, uv_loop_t** result);
NAPI node_api_get_module_file_name(napi_env env, const char** result);
NAPI napi_adjust_external_memory(napi_env env, int64_t change, int64_t* result);
NAPI napi_set_instance_data(napi_env env, void* data, napi_finalize finalize, void* hint);
NAPI napi_get_instance_data(napi_env env, void** data);

/* objects.c */
NAPI napi_create_object(napi_env env, napi_value* result);
NAPI napi_create_array(napi_env env, napi_value* result);
NAPI napi_create_array_with_length(napi_env env, size_t length, napi_value* result);
NAPI napi_is_array(napi_env env, napi_value value, bool* result);
NAPI napi_get_array_length(napi_env env, napi_value value, uint32_t* result);
NAPI napi_set_property(napi_env env, napi_value object, napi_value key, napi_value value);
NAPI napi_get_property(napi_env env, napi_value object, napi_value key, napi_value* result);
NAPI napi_has_property(napi_env env, napi_value object, napi_value key, bool* result);
NAPI napi_delete_property(napi_env env, napi_value object, napi_value key, bool* result);
NAPI napi_has_own_property(napi_env env, napi_value object, napi_value key, bool* result);
NAPI napi_set_named_property(napi_env env, napi_value object, const char* name, napi_value value);
NAPI napi_has_named_property(napi_env env, napi_value object, const char* name, bool* result);
NAPI napi_get_named_property(napi_env env, napi_value object, const char* name, napi_value* result);
NAPI napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value);
NAPI napi_has_element(napi_env env, napi_value object, uint32_t index, bool* result);
NAPI napi_get_element(napi_env env, napi_value object, uint32_t index, napi_value* result);
NAPI napi_delete_element(napi_env env, napi_value object, uint32_t index, bool* result);
NAPI napi_get_prototype(napi_env env, napi_value object, napi_value* result);
NAPI napi_object_freeze(napi_env env, napi_value object);
NAPI napi_object_seal(napi_env env, napi_value object);
NAPI napi_define_properties(napi_env env, napi_value object, size_t count,
                            const napi_property_descriptor* properties);

/* references.c */
NAPI napi_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref* result);
NAPI napi_delete_reference(napi_env env, napi_ref ref);
NAPI napi_reference_ref(napi_env env, napi_ref ref, uint32_t* result);
NAPI napi_reference_unref(napi_env env, napi_ref ref, uint32_t* result);
NAPI napi_get_reference_value(napi_env env, napi_ref ref, napi_value* result);

/* status.c */
NAPI napi_get_last_error_info(napi_env env, const napi_extended_error_info** result);
NAPI napi_is_exception_pending(napi_env env, bool* result);
NAPI napi_get_and_clear_last_exception(napi_env env, napi_value* result);
NAPI napi_throw(napi_env env, napi_value error);
NAPI napi_throw_error(napi_env env, const char* code, const char* message);
NAPI napi_throw_type_error(napi_env env, const char* code, const char* message);
NAPI napi_throw_range_error(napi_env env, const char* code, const char* message);
NAPI node_api_throw_syntax_error(napi_env env, const char* code, const char* message);
NAPI napi_create_error(napi_env env, napi_value code, napi_value message, napi_value* result);
NAPI napi_create_type_error(napi_env env, napi_value code, napi_value message, napi_value* result);
NAPI napi_create_range_error(napi_env env, napi_value code, napi_value message, napi_value* result);
NAPI node_api_create_syntax_error(napi_env env, napi_value code, napi_value message,
                                  napi_value* result);
NAPI napi_is_error(napi_env env, napi_value value, bool* result);
NAPI napi_fatal_exception(napi_env env, napi_value error);

/* strings.c */
NAPI napi_create_string_utf8(napi_env env, const char* text, size_t length, napi_value* result);
NAPI napi_create_string_utf16(napi_env env, const uint16_t* text, size_t length,
                              napi_value* result);
NAPI napi_create_string_latin1(napi_env env, const char* text, size_t length, napi_value* result);
NAPI node_api_create_property_key_latin1(napi_env env, const char* text, size_t length,
                                         napi_value* result);
NAPI node_api_create_property_key_utf8(napi_env env, const char* text, size_t length,
                                       napi_value* result);
NAPI node_api_create_property_key_utf16(napi_env env, const uint16_t* text, size_t length,
                                        napi_value* result);
NAPI node_api_create_external_string_latin1(napi_env env, char* text, size_t length,
                                            napi_finalize finalize, void* hint, napi_value* result,
                                            bool* copied);
NAPI node_api_create_external_string_utf16(napi_env env, uint16_t* text, size_t length,
                                           napi_finalize finalize, void* hint, napi_value* result,
                                           bool* copied);
NAPI napi_get_value_string_utf8(napi_env env, napi_value value, char* buffer, size_t size,
                                size_t* result);
NAPI napi_get_value_string_latin1(napi_env env, napi_value value, char* buffer, size_t size,
                                  size_t* result);
NAPI napi_get_value_string_utf16(napi_env env, napi_value value, uint16_t* buffer, size_t size,
                                 size_t* result);
NAPI napi_create_symbol(napi_env env, napi_value description, napi_value* result);
NAPI node_api_symbol_for(napi_env env, const char* description, size_t length, napi_value* result);

/* threadsafe.c */
NAPI napi_create_threadsafe_function(napi_env env, napi_value function, napi_value resource,
                                     napi_value name, size_t most, size_t threads,
                                     void* finalize_data, napi_finalize finalize, void* data,
                                     napi_threadsafe_function_call_js call_cb,
                                     napi_threadsafe_function* result);
NAPI napi_get_threadsafe_function_context(napi_threadsafe_function made, void** result);
NAPI napi_call_threadsafe_function(napi_threadsafe_function made, void* data,
                                   napi_threadsafe_function_call_mode mode);
NAPI napi_acquire_threadsafe_function(napi_threadsafe_function made);
NAPI napi_release_threadsafe_function(napi_threadsafe_function made,
                                      napi_threadsafe_function_release_mode mode);
NAPI napi_unref_threadsafe_function(napi_env env, napi_threadsafe_function made);
NAPI napi_ref_threadsafe_function(napi_env env, napi_threadsafe_function made);

/* values.c */
NAPI napi_get_undefined(napi_env env, napi_value* result);
NAPI napi_get_null(napi_env env, napi_value* result);
NAPI napi_get_global(napi_env env, napi_value* result);
NAPI napi_get_boolean(napi_env env, bool value, napi_value* result);
NAPI napi_create_double(napi_env env, double value, napi_value* result);
NAPI napi_create_int32(napi_env env, int32_t value, napi_value* result);
NAPI napi_create_uint32(napi_env env, uint32_t value, napi_value* result);
NAPI napi_create_int64(napi_env env, int64_t value, napi_value* result);
NAPI napi_typeof(napi_env env, napi_value value, napi_valuetype* result);
NAPI napi_get_value_double(napi_env env, napi_value value, double* result);
NAPI napi_get_value_int32(napi_env env, napi_value value, int32_t* result);
NAPI napi_get_value_uint32(napi_env env, napi_value value, uint32_t* result);
NAPI napi_get_value_int64(napi_env env, napi_value value, int64_t* result);
NAPI napi_get_value_bool(napi_env env, napi_value value, bool* result);
NAPI napi_coerce_to_bool(napi_env env, napi_value value, napi_value* result);
NAPI napi_coerce_to_number(napi_env env, napi_value value, napi_value* result);
NAPI napi_coerce_to_object(napi_env env, napi_value value, napi_value* result);
NAPI napi_coerce_to_string(napi_env env, napi_value value, napi_value* result);
NAPI napi_strict_equals(napi_env env, napi_value left, napi_value right, bool* result);
NAPI napi_create_date(napi_env env, double time, napi_value* result);
NAPI napi_is_date(napi_env env, napi_value value, bool* result);
NAPI napi_get_date_value(napi_env env, napi_value value, double* result);

/* work.c */
NAPI napi_create_async_work(napi_env env, napi_value resource, napi_value name,
                            napi_async_execute_callback execute,
                            napi_async_complete_callback complete, void* data,
                            napi_async_work* result);
NAPI napi_delete_async_work(napi_env env, napi_async_work work);
NAPI napi_queue_async_work(napi_env env, napi_async_work work);
NAPI napi_cancel_async_work(napi_env env, napi_async_work work);

__attribute__((visibility("default"), noreturn)) void napi_fatal_error(const char* location,
                                                                       size_t location_length,
                                                                       const char* message,
                                                                       size_t message_length);
__attribute__((visibility("default"))) void napi_module_register(napi_module* module);

#endif
