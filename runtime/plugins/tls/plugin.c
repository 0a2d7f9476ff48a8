#include "engine/plugins.h"

#include "plugins/tls/tls.h"

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    tls_export_context(ctx, exports);
    tls_export_keys(ctx, exports);
    tls_export_engine(ctx, exports);
    tls_export_settings(ctx, exports);
    tls_export_state(ctx, exports);
    return 0;
}
