/* The types of Node-API, version 9, as addons see them: names, numbers and layouts are Node's. */
#ifndef PH_NAPI_API_H
#define PH_NAPI_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What addons call. The plug-in is loaded so that these names are visible to all libraries. */
#define NAPI __attribute__((visibility("default"))) napi_status

#define NAPI_AUTO_LENGTH SIZE_MAX
enum {
    NAPI_EXPERIMENTAL_VERSION = 2147483647,
    NAPI_LATEST_VERSION = 9,
    NAPI_DEFAULT_VERSION = 8, /* of an addon that does not say which one it was written for */
};

typedef struct napi_env__* napi_env;
typedef struct napi_value__* napi_value;
typedef struct napi_ref__* napi_ref;
typedef struct napi_handle_scope__* napi_handle_scope;
typedef struct napi_escapable_handle_scope__* napi_escapable_handle_scope;
typedef struct napi_callback_info__* napi_callback_info;
typedef struct napi_deferred__* napi_deferred;
typedef struct napi_callback_scope__* napi_callback_scope;
typedef struct napi_async_context__* napi_async_context;
typedef struct napi_async_work__* napi_async_work;
typedef struct napi_threadsafe_function__* napi_threadsafe_function;
typedef struct napi_async_cleanup_hook_handle__* napi_async_cleanup_hook_handle;

typedef enum {
    napi_ok,
    napi_invalid_arg,
    napi_object_expected,
    napi_string_expected,
    napi_name_expected,
    napi_function_expected,
    napi_number_expected,
    napi_boolean_expected,
    napi_array_expected,
    napi_generic_failure,
    napi_pending_exception,
    napi_cancelled,
    napi_escape_called_twice,
    napi_handle_scope_mismatch,
    napi_callback_scope_mismatch,
    napi_queue_full,
    napi_closing,
    napi_bigint_expected,
    napi_date_expected,
    napi_arraybuffer_expected,
    napi_detachable_arraybuffer_expected,
    napi_would_deadlock,
    napi_no_external_buffers_allowed,
    napi_cannot_run_js,
    NAPI_STATUS_COUNT
} napi_status;

typedef enum {
    napi_writable = 1 << 0,
    napi_enumerable = 1 << 1,
    napi_configurable = 1 << 2,
    napi_static = 1 << 10,
} napi_property_attributes;

typedef enum {
    napi_undefined,
    napi_null,
    napi_boolean,
    napi_number,
    napi_string,
    napi_symbol,
    napi_object,
    napi_function,
    napi_external,
    napi_bigint,
} napi_valuetype;

typedef enum {
    napi_int8_array,
    napi_uint8_array,
    napi_uint8_clamped_array,
    napi_int16_array,
    napi_uint16_array,
    napi_int32_array,
    napi_uint32_array,
    napi_float32_array,
    napi_float64_array,
    napi_bigint64_array,
    napi_biguint64_array,
    NAPI_TYPED_ARRAY_COUNT
} napi_typedarray_type;

typedef enum { napi_key_include_prototypes, napi_key_own_only } napi_key_collection_mode;

typedef enum {
    napi_key_all_properties = 0,
    napi_key_writable = 1,
    napi_key_enumerable = 1 << 1,
    napi_key_configurable = 1 << 2,
    napi_key_skip_strings = 1 << 3,
    napi_key_skip_symbols = 1 << 4
} napi_key_filter;

typedef enum { napi_key_keep_numbers, napi_key_numbers_to_strings } napi_key_conversion;
typedef enum { napi_tsfn_release, napi_tsfn_abort } napi_threadsafe_function_release_mode;
typedef enum { napi_tsfn_nonblocking, napi_tsfn_blocking } napi_threadsafe_function_call_mode;

typedef napi_value (*napi_callback)(napi_env env, napi_callback_info info);
typedef void (*napi_finalize)(napi_env env, void* data, void* hint);
typedef void (*napi_async_execute_callback)(napi_env env, void* data);
typedef void (*napi_async_complete_callback)(napi_env env, napi_status status, void* data);
typedef void (*napi_threadsafe_function_call_js)(napi_env env, napi_value callback, void* context,
                                                 void* data);
typedef void (*napi_cleanup_hook)(void* arg);
typedef void (*napi_async_cleanup_hook)(napi_async_cleanup_hook_handle handle, void* data);
typedef napi_value (*napi_addon_register_func)(napi_env env, napi_value exports);

typedef struct {
    const char* utf8name;
    napi_value name;
    napi_callback method;
    napi_callback getter;
    napi_callback setter;
    napi_value value;
    napi_property_attributes attributes;
    void* data;
} napi_property_descriptor;

typedef struct {
    const char* error_message;
    void* engine_reserved;
    uint32_t engine_error_code;
    napi_status error_code;
} napi_extended_error_info;

typedef struct {
    uint64_t lower;
    uint64_t upper;
} napi_type_tag;

typedef struct {
    uint32_t major;
    uint32_t minor;
    uint32_t patch;
    const char* release;
} napi_node_version;

typedef struct {
    int nm_version;
    unsigned int nm_flags;
    const char* nm_filename;
    napi_addon_register_func nm_register_func;
    const char* nm_modname;
    void* nm_priv;
    void* reserved[4];
} napi_module;

#endif
