#include "bindings/address.h"

#include <string.h>

int ph_address(const char* text, int port, struct sockaddr_storage* out) {
    memset(out, 0, sizeof(*out));
    if (strchr(text, ':') != NULL)
        return uv_ip6_addr(text, port, (struct sockaddr_in6*)out);
    return uv_ip4_addr(text, port, (struct sockaddr_in*)out);
}

JSValue ph_address_value(JSContext* ctx, const struct sockaddr_storage* address) {
    char text[64] = "";
    bool v6 = address->ss_family == AF_INET6;
    uv_ip_name((const struct sockaddr*)address, text, sizeof(text));
    int port = v6 ? ntohs(((const struct sockaddr_in6*)address)->sin6_port)
                  : ntohs(((const struct sockaddr_in*)address)->sin_port);
    JSValue parts[3] = {JS_NewString(ctx, text), JS_NewInt32(ctx, port),
                        JS_NewString(ctx, v6 ? "IPv6" : "IPv4")};
    return JS_NewArrayFrom(ctx, 3, parts);
}
