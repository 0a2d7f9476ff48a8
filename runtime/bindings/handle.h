/* A loop handle with a JavaScript object: the object is held from init until the close callback.
 * Events reach JavaScript as calls of the object's own functions (onconnection, onexit, ...), what
 * streams read as calls of one function that many share. */
#ifndef PH_RUNTIME_HANDLE_H
#define PH_RUNTIME_HANDLE_H

#include "bindings/pinned.h"
#include "engine/engine.h"

typedef enum { PH_HANDLE_NEW, PH_HANDLE_OPEN, PH_HANDLE_CLOSING, PH_HANDLE_CLOSED } ph_state;

typedef struct ph_handle ph_handle;
typedef struct ph_seal ph_seal;

struct ph_handle {
    ph_env* env;
    ph_state state;
    bool is_server;   /* of a stream: made to listen */
    JSValue self;     /* held while OPEN or CLOSING */
    JSValue on_close; /* function, while CLOSING */
    JSValue context;  /* of AsyncLocalStorage: that of its creation */
    /* Of a stream. What is read goes to `consume` as bytes, if there is one; else, and in any case
     * its end and errors, to the function `reader`, called on `owner`. */
    JSValue reader;
    JSValue owner;
    void (*consume)(ph_handle* handle, const uint8_t* bytes, size_t length);
    JSValue consumer; /* who consumes */
    /* Of a stream whose consumer decrypts, and encrypts what is written: who takes the plain bytes.
     * False: not now, they go to JavaScript. */
    const ph_seal* seal;
    bool (*consume_plain)(ph_handle* handle, const uint8_t* bytes, size_t length);
    JSValue plain_consumer;
    uint64_t last_active; /* when something was read or written, by the loop's clock */
    uint64_t bytes_read;
    uint64_t bytes_written;
    ph_pinned pinned; /* of a listening pipe: where its name is, until that is removed */
    union uv_any_handle uv;
};

void ph_handle_class_init(ph_env* env);
/* A new object; *handle is NEW until ph_handle_opened. */
JSValue ph_handle_new(JSContext* ctx, ph_handle** handle);
/* After uv_*_init has succeeded. */
void ph_handle_opened(ph_handle* handle, JSValueConst object);
/* The same, below the handle that has this context (hooked.h). */
void ph_handle_opened_below(ph_handle* handle, JSValueConst object, JSValueConst above);
/* NULL and an exception if the value is no open handle of the type (UV_UNKNOWN_HANDLE: any). */
ph_handle* ph_handle_get(JSContext* ctx, JSValueConst value, uv_handle_type type);
/* The same for TCP, pipes and terminals. */
ph_handle* ph_stream_get(JSContext* ctx, JSValueConst value);
/* Sets one of the values that the handle holds. */
void ph_handle_hold(ph_handle* handle, JSValue* where, JSValueConst value);
/* One space serves all that is read: it is copied, to its size, before anything else is read. */
void ph_handle_alloc(uv_handle_t* uv, size_t suggested, uv_buf_t* buffer);
/* Calls the method of a handle's object, if it has it, in the handle's async context. */
void ph_handle_emit(ph_env* env, JSValueConst object, const char* name, int argc,
                    JSValue* argv_owned);
/* Closes without calling JavaScript: the end of the world is near. */
void ph_handle_abandon(uv_handle_t* uv);
/* close, ref, unref, hasRef, fd */
void ph_handle_export(JSContext* ctx, JSValueConst binding);

#endif
