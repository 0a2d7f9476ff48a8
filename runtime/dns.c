// Name resolution on the thread pool.
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "bindings.h"
#include "gate.h"

typedef struct {
    union {
        uv_getaddrinfo_t info;
        uv_getnameinfo_t name;
    } uv;
    ph_env* env;
    JSValue callback;
    JSValue context;
} lookup;

static lookup* begin(JSContext* ctx, JSValueConst callback) {
    lookup* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return NULL;
    made->env = ph_env_of(ctx);
    made->callback = JS_DupValue(ctx, callback);
    made->context = JS_DupValue(ctx, made->env->async_context);
    return made;
}

static void release(lookup* done) {
    JS_FreeValue(done->env->ctx, done->callback);
    JS_FreeValue(done->env->ctx, done->context);
    free(done);
}

// callback(status, [[address, port, family], ...])
static void on_info(uv_getaddrinfo_t* uv, int status, struct addrinfo* found) {
    lookup* done = (lookup*)uv;
    JSContext* ctx = done->env->ctx;
    JSValue args[2] = {JS_NewInt32(ctx, status), JS_NewArray(ctx)};
    uint32_t count = 0;
    for (struct addrinfo* one = found; one != NULL; one = one->ai_next) {
        struct sockaddr_storage address;
        memcpy(&address, one->ai_addr, one->ai_addrlen);
        JS_SetPropertyUint32(ctx, args[1], count++, ph_address_value(ctx, &address));
    }
    uv_freeaddrinfo(found);
    ph_gate_call_in(done->env, done->context, done->callback, JS_UNDEFINED, 2, args);
    release(done);
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
    lookup* made = begin(ctx, argv[3]);
    int status = uv_getaddrinfo(made->env->loop, &made->uv.info, on_info, host, NULL, &hints);
    if (status != 0)
        release(made);
    JS_FreeCString(ctx, host);
    return JS_NewInt32(ctx, status);
}

static void on_name(uv_getnameinfo_t* uv, int status, const char* host, const char* service) {
    lookup* done = (lookup*)uv;
    JSContext* ctx = done->env->ctx;
    JSValue args[3] = {JS_NewInt32(ctx, status), JS_UNDEFINED, JS_UNDEFINED};
    if (status == 0) {
        args[1] = JS_NewString(ctx, host);
        args[2] = JS_NewString(ctx, service);
    }
    ph_gate_call_in(done->env, done->context, done->callback, JS_UNDEFINED, 3, args);
    release(done);
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
    lookup* made = begin(ctx, argv[2]);
    status = uv_getnameinfo(made->env->loop, &made->uv.name, on_name, (struct sockaddr*)&address,
                            NI_NAMEREQD);
    if (status != 0)
        release(made);
    return JS_NewInt32(ctx, status);
}

// family(text): 4, 6 or 0
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
