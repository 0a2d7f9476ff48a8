/* What the addons of the tests share. They see Node-API as our own headers declare it; Node loads
 * them, too. */
#ifndef PH_TEST_ADDON_H
#define PH_TEST_ADDON_H

#include <stdio.h>
#include <stdlib.h>

#include "plugins/napi/calls.h"

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env,
                                                                          napi_value exports);
__attribute__((visibility("default"))) int32_t node_api_module_get_api_version_v1(void);

/* Ends the process if a call fails that has to succeed. */
#define OK(call)                                                                        \
    do {                                                                                \
        napi_status status_ = (call);                                                   \
        if (status_ != napi_ok) {                                                       \
            fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
            abort();                                                                    \
        }                                                                               \
    } while (0)

static inline napi_value addon_number(napi_env env, double number) {
    napi_value value;
    OK(napi_create_double(env, number, &value));
    return value;
}

static inline void addon_function(napi_env env, napi_value object, const char* name,
                                  napi_callback callback) {
    napi_value function;
    OK(napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function));
    OK(napi_set_named_property(env, object, name, function));
}

/* The arguments of a call, as many as there is room for; others are undefined. */
static inline size_t addon_arguments(napi_env env, napi_callback_info info, size_t room,
                                     napi_value* values) {
    size_t count = room;
    OK(napi_get_cb_info(env, info, &count, values, NULL, NULL));
    return count;
}

#endif
