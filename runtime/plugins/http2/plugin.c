#include "engine/plugins.h"

#include "plugins/http2/http2.h"

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    h2_export_session(ctx, exports);
    h2_export_frames(ctx, exports);
    h2_export_heads(ctx, exports);
    h2_export_state(ctx, exports);
    return 0;
}
