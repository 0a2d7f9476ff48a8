/* What the files of this plug-in share: bytes that are wiped, OpenSSL's errors, work for the pool.
 */
#ifndef PH_CRYPTO_COMMON_H
#define PH_CRYPTO_COMMON_H

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/box.h"
#include "bindings/bytes.h"
#include "bindings/request.h"

#define CR_FUNCTION(name) \
    JSValue name(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv)
/* Every function is in its table with the number of arguments that it looks at: the engine fills up
 * what a caller leaves out. */
#define CR_UNUSED_ARGUMENTS \
    (void)self;             \
    (void)argc

/* Memory from malloc with a zero behind it, wiped when it is released. An empty one is all zero. */
typedef struct {
    uint8_t* data;
    size_t length;
} cr_bytes;

/* False: no memory, and an exception. */
bool cr_bytes_new(JSContext* ctx, cr_bytes* bytes, size_t length);
/* A copy of a value's bytes, or of text as UTF-8; nothing of undefined and null. */
bool cr_bytes_copy(JSContext* ctx, cr_bytes* bytes, JSValueConst value);
void cr_bytes_free(cr_bytes* bytes);
/* As a Buffer, to which they pass. */
JSValue cr_bytes_give(JSContext* ctx, cr_bytes* bytes);

/* OpenSSL's errors are in a queue of each thread. */
typedef struct {
    unsigned long codes[16];
    int count;
} cr_errors;

void cr_errors_take(cr_errors* errors);
/* Empties the queue; cheap if it is empty, as nearly always. */
void cr_errors_clear(void);
/* The first becomes the error, the others its opensslErrorStack; without any, `otherwise` is said.
 */
JSValue cr_error(JSContext* ctx, const cr_errors* errors, const char* otherwise);
/* Throws what is in this thread's queue. */
JSValue cr_throw(JSContext* ctx, const char* otherwise);
typedef enum { CR_ERROR, CR_TYPE_ERROR, CR_RANGE_ERROR } cr_error_kind;
JSValue cr_throw_code(JSContext* ctx, cr_error_kind kind, const char* code, const char* message);

/* One piece of slow work: at once, or on the pool when there is a callback, which gets
 * (error, result). It is the first member of a struct from calloc that has the rest. */
typedef struct cr_job cr_job;
struct cr_job {
    uv_work_t work;
    ph_pending pending;
    bool (*run)(cr_job* job); /* no JavaScript in here; false: see `errors`, then `failure` */
    JSValue (*result)(JSContext* ctx, cr_job* job); /* after success */
    void (*release)(cr_job* job);                   /* all but the struct itself */
    cr_errors errors;
    const char* failure;
    const char* failure_code;
};
/* The type is what async_hooks calls it. */
JSValue cr_job_start(JSContext* ctx, cr_job* job, const char* type, JSValueConst callback);
/* NULL and an exception without memory. */
void* cr_job_new(JSContext* ctx, size_t size);
/* When its making failed: lets go and gives JS_EXCEPTION. */
JSValue cr_job_drop(cr_job* job);

/* Text for C; "" for undefined and null. NULL and an exception if it can't be had. JS_FreeCString.
 */
const char* cr_text(JSContext* ctx, JSValueConst value);
/* A digest by one of its names; NULL if there is none, with or without errors in the queue. */
const EVP_MD* cr_digest(const char* name);
/* The same for a value: false with an exception; undefined and null are no digest. */
bool cr_digest_of(JSContext* ctx, JSValueConst value, const EVP_MD** digest);

#endif
