/* Questions: each ends once, in its channel's list of those that are done. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/ares/dns.h"

static void finish(dns_query* query, int status) {
    dns_channel* channel = query->owner;
    channel->pending--;
    if (status == ARES_ECONNREFUSED)
        channel->was_refused = true;
    query->status = status;
    query->next = NULL;
    *channel->done_end = query;
    channel->done_end = &query->next;
}

static void on_answer(void* arg, int status, int timeouts, unsigned char* answer, int length) {
    (void)timeouts;
    dns_query* query = arg;
    if (status == ARES_SUCCESS && length > 0) {
        query->bytes = malloc((size_t)length);
        if (query->bytes == NULL) {
            status = ARES_ENOMEM;
        } else {
            memcpy(query->bytes, answer, (size_t)length);
            query->length = (size_t)length;
        }
    }
    finish(query, status);
}

/* Names from files are the first and its aliases; from servers all are aliases. */
static void on_host(void* arg, int status, int timeouts, struct hostent* host) {
    (void)timeouts;
    dns_query* query = arg;
    char* only[] = {host == NULL ? NULL : host->h_name, NULL};
    if (status != ARES_SUCCESS || host == NULL) {
        finish(query, status);
        return;
    }
    char** names = host->h_aliases == NULL || host->h_aliases[0] == NULL ? only : host->h_aliases;
    size_t length = 0;
    for (char** name = names; *name != NULL; name++)
        length += strlen(*name) + 1;
    query->bytes = malloc(length + 1);
    if (query->bytes == NULL) {
        finish(query, ARES_ENOMEM);
        return;
    }
    for (char** name = names; *name != NULL; name++) {
        size_t size = strlen(*name) + 1;
        memcpy(query->bytes + query->length, *name, size);
        query->length += size;
    }
    finish(query, status);
}

/* A machine whose resolver was not there when the channel was made may have one by now. */
static void look_again(dns_channel* channel) {
    struct ares_addr_port_node* servers = NULL;
    if (!channel->was_refused || channel->has_own_servers || channel->pending > 0)
        return;
    channel->was_refused = false;
    if (ares_get_servers_ports(channel->ares, &servers) != ARES_SUCCESS || servers == NULL)
        return;
    bool is_guess = servers->next == NULL && servers->family == AF_INET &&
                    servers->addr.addr4.s_addr == htonl(INADDR_LOOPBACK);
    ares_free_data(servers);
    ares_channel before = channel->ares;
    if (!is_guess)
        return;
    if (dns_open(channel) == ARES_SUCCESS)
        ares_destroy(before);
    else
        channel->ares = before;
}

static dns_query* begin(JSContext* ctx, JSValueConst box, dns_channel* channel,
                        JSValueConst callback) {
    dns_query* query = calloc(1, sizeof(*query));
    if (query == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    look_again(channel);
    query->owner = channel;
    ph_pending_begin(ctx, &query->pending, callback, box);
    ph_pending_is(&query->pending, "QUERYWRAP", JS_UNDEFINED);
    channel->pending++;
    return query;
}

/* query(channel, type, name, callback) */
static JSValue ask(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int type = ph_int(ctx, argv[1], 1);
    const char* name = JS_ToCString(ctx, argv[2]);
    dns_channel* channel = name == NULL ? NULL : dns_channel_of(ctx, argv[0]);
    dns_query* query = channel == NULL ? NULL : begin(ctx, argv[0], channel, argv[3]);
    if (query != NULL) {
        ares_query(channel->ares, name, 1, type, on_answer, query);
        dns_rearm(channel);
    }
    JS_FreeCString(ctx, name);
    return query == NULL ? JS_EXCEPTION : JS_UNDEFINED;
}

/* reverse(channel, address, callback): false if it is no address */
static JSValue ask_reverse(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    struct in6_addr address;
    const char* text = JS_ToCString(ctx, argv[1]);
    if (text == NULL)
        return JS_EXCEPTION;
    int family = inet_pton(AF_INET, text, &address) == 1    ? AF_INET
                 : inet_pton(AF_INET6, text, &address) == 1 ? AF_INET6
                                                            : AF_UNSPEC;
    JS_FreeCString(ctx, text);
    if (family == AF_UNSPEC)
        return JS_FALSE;
    dns_channel* channel = dns_channel_of(ctx, argv[0]);
    dns_query* query = channel == NULL ? NULL : begin(ctx, argv[0], channel, argv[2]);
    if (query == NULL)
        return JS_EXCEPTION;
    ares_gethostbyaddr(channel->ares, &address, family == AF_INET ? 4 : 16, family, on_host, query);
    dns_rearm(channel);
    return JS_TRUE;
}

void dns_export_queries(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("query", 4, ask),
        JS_CFUNC_DEF("reverse", 3, ask_reverse),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
