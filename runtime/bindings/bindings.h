/* What JavaScript can ask C for, by name: one binding file per family. */
#ifndef PH_RUNTIME_BINDINGS_H
#define PH_RUNTIME_BINDINGS_H

#include "engine/engine.h"

typedef struct {
    const char* name;
    JSValue (*create)(JSContext* ctx);
} ph_binding_entry;

extern const ph_binding_entry ph_bindings[]; /* ends with a NULL name */

JSValue ph_process_binding(JSContext* ctx);
void ph_process_open_stdio(void);
JSValue ph_util_binding(JSContext* ctx);
JSValue ph_clones_binding(JSContext* ctx);
JSValue ph_permission_binding(JSContext* ctx);
JSValue ph_heap_binding(JSContext* ctx);
JSValue ph_fs_binding(JSContext* ctx);
JSValue ph_buffer_binding(JSContext* ctx);
JSValue ph_stream_binding(JSContext* ctx);
JSValue ph_child_binding(JSContext* ctx);
JSValue ph_watch_binding(JSContext* ctx);
JSValue ph_locale_binding(JSContext* ctx);
JSValue ph_os_binding(JSContext* ctx);
JSValue ph_dns_binding(JSContext* ctx);
JSValue ph_udp_binding(JSContext* ctx);
JSValue ph_http_binding(JSContext* ctx);
JSValue ph_ports_binding(JSContext* ctx);
JSValue ph_events_binding(JSContext* ctx);
JSValue ph_streams_binding(JSContext* ctx);
JSValue ph_random_binding(JSContext* ctx);
JSValue ph_vm_binding(JSContext* ctx);
JSValue ph_zlib_binding(JSContext* ctx);
JSValue ph_sim_binding(JSContext* ctx);
JSValue ph_passing_binding(JSContext* ctx);
JSValue ph_identity_binding(JSContext* ctx);
JSValue ph_report_binding(JSContext* ctx);
JSValue ph_coverage_binding(JSContext* ctx);

#endif
