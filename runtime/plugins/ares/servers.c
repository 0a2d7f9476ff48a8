/* Whom a channel asks, and from which address. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/ares/dns.h"

static JSValue server_value(JSContext* ctx, const struct ares_addr_port_node* server) {
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(server->family, &server->addr, text, sizeof(text));
    JSValue pair = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, pair, 0, JS_NewString(ctx, text));
    JS_SetPropertyUint32(ctx, pair, 1, JS_NewInt32(ctx, server->udp_port));
    return pair;
}

/* servers(channel): -> [[address, port], ...] */
static JSValue get_servers(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    struct ares_addr_port_node* first = NULL;
    dns_channel* channel = dns_channel_of(ctx, argv[0]);
    if (channel == NULL)
        return JS_EXCEPTION;
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    if (ares_get_servers_ports(channel->ares, &first) == ARES_SUCCESS)
        for (struct ares_addr_port_node* one = first; one != NULL; one = one->next)
            JS_SetPropertyUint32(ctx, list, count++, server_value(ctx, one));
    if (first != NULL)
        ares_free_data(first);
    return list;
}

/* One of a flat list [address, port, address, port, ...]; false and an exception. */
static bool read_server(JSContext* ctx, JSValueConst list, uint32_t at,
                        struct ares_addr_port_node* server) {
    JSValue address = JS_GetPropertyUint32(ctx, list, at);
    JSValue port = JS_GetPropertyUint32(ctx, list, at + 1);
    const char* text = JS_ToCString(ctx, address);
    memset(server, 0, sizeof(*server));
    if (text != NULL) {
        server->family = strchr(text, ':') == NULL ? AF_INET : AF_INET6;
        if (inet_pton(server->family, text, &server->addr) != 1) {
            JS_ThrowTypeError(ctx, "not an address");
            JS_FreeCString(ctx, text);
            text = NULL;
        }
    }
    server->udp_port = server->tcp_port = ph_int(ctx, port, 53);
    bool found = text != NULL;
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, address);
    JS_FreeValue(ctx, port);
    return found;
}

/* setServers(channel, [address, port, ...]): -> status, -1 while queries are under way */
static JSValue set_servers(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    enum { MOST = 10000 };
    int64_t length = 0;
    if (JS_GetLength(ctx, argv[1], &length) != 0)
        return JS_EXCEPTION;
    if (length < 0 || length > MOST)
        return JS_ThrowRangeError(ctx, "too many servers");
    uint32_t count = (uint32_t)length / 2;
    struct ares_addr_port_node* nodes = calloc(count + 1, sizeof(*nodes));
    if (nodes == NULL)
        return JS_ThrowOutOfMemory(ctx);
    for (uint32_t i = 0; i < count; i++) {
        if (!read_server(ctx, argv[1], i * 2, &nodes[i])) {
            free(nodes);
            return JS_EXCEPTION;
        }
        nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
    }
    dns_channel* channel = dns_channel_of(ctx, argv[0]);
    int status = -1;
    if (channel != NULL && channel->pending == 0 && channel->done == NULL) {
        status = ares_set_servers_ports(channel->ares, count == 0 ? NULL : nodes);
        if (status == ARES_SUCCESS)
            channel->has_own_servers = true;
    }
    free(nodes);
    return channel == NULL ? JS_EXCEPTION : JS_NewInt32(ctx, status);
}

/* setLocalAddress(channel, IPv4 or "", IPv6 or "") */
static JSValue set_local(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    struct in_addr four = {0};
    struct in6_addr six;
    memset(&six, 0, sizeof(six));
    const char* text4 = JS_ToCString(ctx, argv[1]);
    const char* text6 = JS_ToCString(ctx, argv[2]);
    bool usable = text4 != NULL && text6 != NULL &&
                  (*text4 == '\0' || inet_pton(AF_INET, text4, &four) == 1) &&
                  (*text6 == '\0' || inet_pton(AF_INET6, text6, &six) == 1);
    JS_FreeCString(ctx, text4);
    JS_FreeCString(ctx, text6);
    dns_channel* channel = usable ? dns_channel_of(ctx, argv[0]) : NULL;
    if (channel == NULL)
        return usable ? JS_EXCEPTION : JS_ThrowTypeError(ctx, "not an address");
    ares_set_local_ip4(channel->ares, ntohl(four.s_addr));
    ares_set_local_ip6(channel->ares, six.s6_addr);
    return JS_UNDEFINED;
}

void dns_export_servers(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("servers", 1, get_servers),
        JS_CFUNC_DEF("setServers", 2, set_servers),
        JS_CFUNC_DEF("setLocalAddress", 3, set_local),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
