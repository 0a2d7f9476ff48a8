/* Socket addresses as text. */
#ifndef PH_RUNTIME_ADDRESS_H
#define PH_RUNTIME_ADDRESS_H

#include "engine/engine.h"

/* IPv4 or IPv6; 0 or UV_EINVAL. */
int ph_address(const char* text, int port, struct sockaddr_storage* out);
/* [address, port, "IPv4" or "IPv6"] */
JSValue ph_address_value(JSContext* ctx, const struct sockaddr_storage* address);

#endif
