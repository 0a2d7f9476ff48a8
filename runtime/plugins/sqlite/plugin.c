#include "engine/plugins.h"

#include "plugins/sqlite/sqlite.h"

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    sq_export_database(ctx, exports);
    sq_export_statement(ctx, exports);
    sq_export_functions(ctx, exports);
    sq_export_sessions(ctx, exports);
    sq_export_backup(ctx, exports);
    return 0;
}
