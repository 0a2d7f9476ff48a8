#include "bindings/bindings.h"

#include "engine/frames.h"
#include "engine/gate.h"
#include "engine/timers.h"

const ph_binding_entry ph_bindings[] = {
    {"gate", ph_gate_binding},
    {"timers", ph_timers_binding},
    {"modules", ph_modules_binding},
    {"process", ph_process_binding},
    {"util", ph_util_binding},
    {"fs", ph_fs_binding},
    {"frames", ph_frames_binding},
    {"buffer", ph_buffer_binding},
    {"os", ph_os_binding},
    {"stream", ph_stream_binding},
    {"dns", ph_dns_binding},
    {"udp", ph_udp_binding},
    {"http", ph_http_binding},
    {"child", ph_child_binding},
    {"worker", ph_ports_binding},
    {"watch", ph_watch_binding},
    {"events", ph_events_binding},
    {"random", ph_random_binding},
    {"vm", ph_vm_binding},
    {"zlib", ph_zlib_binding},
    {"sim", ph_sim_binding},
    {"identity", ph_identity_binding},
    {"report", ph_report_binding},
    {"passing", ph_passing_binding},
    {"permission", ph_permission_binding},
    {"heap", ph_heap_binding},
    {"locale", ph_locale_binding},
    {"streams", ph_streams_binding},
    {"clones", ph_clones_binding},
    {"coverage", ph_coverage_binding},
    {NULL, NULL},
};
