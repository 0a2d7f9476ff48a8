// A loop handle with a JavaScript object: the object is held from init until the close callback.
// Events reach JavaScript as calls of the object's own functions (onread, onconnection, ...).
#ifndef PH_RUNTIME_HANDLE_H
#define PH_RUNTIME_HANDLE_H

#include "engine.h"

typedef enum { PH_HANDLE_NEW, PH_HANDLE_OPEN, PH_HANDLE_CLOSING, PH_HANDLE_CLOSED } ph_state;

typedef struct {
    ph_env* env;
    ph_state state;
    JSValue self;     // held while OPEN or CLOSING
    JSValue on_close; // function, while CLOSING
    union uv_any_handle uv;
} ph_handle;

void ph_handle_class_init(ph_env* env);
// A new object; *handle is NEW until ph_handle_opened.
JSValue ph_handle_new(JSContext* ctx, ph_handle** handle);
// After uv_*_init has succeeded.
void ph_handle_opened(ph_handle* handle, JSValueConst object);
// NULL and an exception if the value is no open handle of the type (UV_UNKNOWN_HANDLE: any).
ph_handle* ph_handle_get(JSContext* ctx, JSValueConst value, uv_handle_type type);
// Closes without calling JavaScript: the end of the world is near.
void ph_handle_abandon(uv_handle_t* handle);
// close, ref, unref, hasRef, fd
void ph_handle_export(JSContext* ctx, JSValueConst binding);

#endif
