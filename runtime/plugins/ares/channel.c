/* Channels as JavaScript holds them. */
#include <stdlib.h>

#include "plugins/ares/dns.h"

static void release(void* content) {
    dns_channel* channel = content;
    /* At the end of the world its handles are closed already. */
    dns_watch_end(channel);
    dns_unref(channel);
}

static const ph_box_kind channel_kind = {"resolver", release};

dns_channel* dns_channel_of(JSContext* ctx, JSValueConst value) {
    dns_channel* channel = ph_box_content(ctx, value, &channel_kind);
    if (channel == NULL || channel->ares != NULL)
        return channel;
    JS_ThrowTypeError(ctx, "the resolver is closed");
    return NULL;
}

static JSValue create(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int timeout = ph_int(ctx, argv[0], -1);
    int tries = ph_int(ctx, argv[1], 4);
    dns_channel* channel = calloc(1, sizeof(*channel));
    if (channel == NULL)
        return JS_ThrowOutOfMemory(ctx);
    channel->env = ph_env_of(ctx);
    channel->references = 1;
    channel->timeout = timeout;
    channel->tries = tries;
    channel->done_end = &channel->done;
    int status = dns_watch_start(channel);
    if (status != ARES_SUCCESS) {
        channel->ares = NULL;
        release(channel);
        return JS_ThrowPlainError(ctx, "c-ares: %s", ares_strerror(status));
    }
    return ph_box(ctx, &channel_kind, channel);
}

static JSValue cancel(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    dns_channel* channel = dns_channel_of(ctx, argv[0]);
    if (channel == NULL)
        return JS_EXCEPTION;
    ares_cancel(channel->ares);
    dns_rearm(channel);
    return JS_UNDEFINED;
}

/* What c-ares says of a status. */
static JSValue words(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewString(ctx, ares_strerror(ph_int(ctx, argv[0], 0)));
}

void dns_export_channel(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("create", 2, create),
        JS_CFUNC_DEF("cancel", 1, cancel),
        JS_CFUNC_DEF("words", 1, words),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    ph_set(ctx, exports, "version", JS_NewString(ctx, ares_version(NULL)));
}
