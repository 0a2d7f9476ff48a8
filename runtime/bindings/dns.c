/* Name resolution on the thread pool. */
#include <stdlib.h>
#include <string.h>

#include "bindings/address.h"
#include "bindings/bindings.h"
#include "bindings/request.h"

typedef struct {
    union {
        uv_getaddrinfo_t info;
        uv_getnameinfo_t name;
    } uv;
    ph_pending pending;
} lookup;

static lookup* begin(JSContext* ctx, const char* type, JSValueConst callback) {
    lookup* made = calloc(1, sizeof(*made));
    if (made != NULL) {
        ph_pending_begin(ctx, &made->pending, callback, JS_UNDEFINED);
        ph_pending_is(&made->pending, type, JS_UNDEFINED);
    }
    return made;
}

static void release(lookup* unused) {
    ph_pending_drop(&unused->pending);
    free(unused);
}

/* callback(status, [[address, port, family], ...]) */
static void on_info(uv_getaddrinfo_t* uv, int status, struct addrinfo* found) {
    lookup* done = (lookup*)uv;
    JSContext* ctx = done->pending.env->ctx;
    JSValue args[2] = {JS_NewInt32(ctx, status), JS_NewArray(ctx)};
    uint32_t count = 0;
    for (struct addrinfo* one = found; one != NULL; one = one->ai_next) {
        struct sockaddr_storage address;
        memcpy(&address, one->ai_addr, one->ai_addrlen);
        JS_SetPropertyUint32(ctx, args[1], count++, ph_address_value(ctx, &address));
    }
    uv_freeaddrinfo(found);
    ph_pending_finish(&done->pending, 2, args);
    free(done);
}

static JSValue address_info(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* host = JS_ToCString(ctx, argv[0]);
    if (host == NULL)
        return JS_EXCEPTION;
    int family = ph_int(ctx, argv[1], 0);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = ph_int(ctx, argv[2], 0)};
    hints.ai_family = family == 4 ? AF_INET : family == 6 ? AF_INET6 : AF_UNSPEC;
    lookup* made = begin(ctx, "GETADDRINFOREQWRAP", argv[3]);
    uv_loop_t* loop = ph_env_of(ctx)->loop;
    int status = made == NULL ? UV_ENOMEM
                              : uv_getaddrinfo(loop, &made->uv.info, on_info, host, NULL, &hints);
    if (status != 0 && made != NULL)
        release(made);
    JS_FreeCString(ctx, host);
    return JS_NewInt32(ctx, status);
}

static void on_name(uv_getnameinfo_t* uv, int status, const char* host, const char* service) {
    lookup* done = (lookup*)uv;
    JSContext* ctx = done->pending.env->ctx;
    JSValue args[3] = {JS_NewInt32(ctx, status), JS_UNDEFINED, JS_UNDEFINED};
    if (status == 0) {
        args[1] = JS_NewString(ctx, host);
        args[2] = JS_NewString(ctx, service);
    }
    ph_pending_finish(&done->pending, 3, args);
    free(done);
}

static JSValue name_info(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* text = JS_ToCString(ctx, argv[0]);
    if (text == NULL)
        return JS_EXCEPTION;
    struct sockaddr_storage address;
    int status = ph_address(text, ph_int(ctx, argv[1], 0), &address);
    JS_FreeCString(ctx, text);
    if (status != 0)
        return JS_NewInt32(ctx, status);
    lookup* made = begin(ctx, "GETNAMEINFOREQWRAP", argv[2]);
    if (made == NULL)
        return JS_NewInt32(ctx, UV_ENOMEM);
    status = uv_getnameinfo(ph_env_of(ctx)->loop, &made->uv.name, on_name,
                            (struct sockaddr*)&address, NI_NAMEREQD);
    if (status != 0)
        release(made);
    return JS_NewInt32(ctx, status);
}

/* family(text): 4, 6 or 0 */
static JSValue family_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* text = JS_ToCString(ctx, argv[0]);
    struct sockaddr_storage address;
    int family = 0;
    if (text != NULL && ph_address(text, 0, &address) == 0)
        family = address.ss_family == AF_INET6 ? 6 : 4;
    JS_FreeCString(ctx, text);
    return JS_NewInt32(ctx, family);
}

JSValue ph_dns_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("addressInfo", 4, address_info),
        JS_CFUNC_DEF("nameInfo", 3, name_info),
        JS_CFUNC_DEF("family", 1, family_of),
    };
    return PH_EXPORT(ctx, functions);
}
