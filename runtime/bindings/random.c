/* Random bytes from the system, at once or on the pool. */
#include <stdlib.h>

#include "bindings/bindings.h"
#include "bindings/request.h"

/* fill(bytes) */
static JSValue fill(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t length;
    if (ph_bytes(ctx, argv[0], &bytes, &length) != 0)
        return JS_EXCEPTION;
    int status = uv_random(NULL, NULL, bytes, length, 0, NULL);
    return status == 0 ? JS_UNDEFINED : ph_throw(ctx, status, "uv_random", NULL, NULL);
}

typedef struct {
    uv_random_t uv;
    ph_pending pending;
} request;

static void on_filled(uv_random_t* uv, int status, void* bytes, size_t length) {
    (void)bytes;
    (void)length;
    request* r = uv->data;
    ph_env* env = r->pending.env;
    JSValue args[] = {JS_NULL};
    if (env->stopping) {
        ph_pending_drop(&r->pending);
    } else {
        if (status != 0)
            args[0] = ph_error(env->ctx, status, "uv_random", NULL, NULL);
        ph_pending_finish(&r->pending, 1, args);
    }
    free(r);
}

/* fillLater(bytes, callback) */
static JSValue fill_later(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t length;
    if (!JS_IsFunction(ctx, argv[1]))
        return JS_ThrowTypeError(ctx, "no callback");
    request* r = malloc(sizeof(*r));
    if (r == NULL)
        return JS_ThrowOutOfMemory(ctx);
    r->uv.data = r;
    ph_pending_begin(ctx, &r->pending, argv[1], JS_UNDEFINED);
    ph_pending_is(&r->pending, "RANDOMBYTESREQUEST", JS_UNDEFINED);
    int status = ph_pins_add(ctx, &r->pending.pins, argv[0], &bytes, &length);
    if (status == 0) {
        status = uv_random(ph_env_of(ctx)->loop, &r->uv, bytes, length, 0, on_filled);
        if (status == 0)
            return JS_UNDEFINED;
        ph_throw(ctx, status, "uv_random", NULL, NULL);
    }
    ph_pending_drop(&r->pending);
    free(r);
    return JS_EXCEPTION;
}

JSValue ph_random_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("fill", 1, fill),
        JS_CFUNC_DEF("fillLater", 2, fill_later),
    };
    return PH_EXPORT(ctx, functions);
}
