#include "engine/plugins.h"

#include "plugins/ares/dns.h"

static uv_once_t once = UV_ONCE_INIT;

static void start_library(void) {
    ares_library_init(ARES_LIB_INIT_ALL);
}

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    uv_once(&once, start_library);
    dns_export_channel(ctx, exports);
    dns_export_queries(ctx, exports);
    dns_export_servers(ctx, exports);
    return 0;
}
