#include "bindings/world.h"

#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/box.h"
#include "bindings/bytes.h"
#include "bindings/handle.h"
#include "bindings/interrupted.h"
#include "bindings/mail.h"
#include "bindings/open_files.h"
#include "bindings/ports.h"
#include "bindings/waits.h"
#include "bindings/worker.h"

static bool begin(ph_env* env) {
    if (ph_part(env, PH_PART_BINDINGS, sizeof(ph_world)) == NULL)
        return false;
    ph_mail_share_memory(env);
    ph_waits_init();
    ph_handle_class_init(env);
    ph_box_class_init(env);
    ph_bytes_init(env);
    ph_interrupted_init(env);
    return true;
}

static JSValue find(JSContext* ctx, const char* name) {
    for (const ph_binding_entry* entry = ph_bindings; entry->name != NULL; entry++)
        if (strcmp(entry->name, name) == 0)
            return entry->create(ctx);
    return JS_UNDEFINED;
}

static void end(ph_env* env) {
    ph_worker_end_all(env);
    ph_ports_close(env);
}

static void ended(ph_env* env) {
    ph_open_files_close(env);
    free(ph_world_of(env)->read_space);
}

ph_env* ph_world_new(uv_loop_t* loop, int argc, char** argv) {
    static const ph_above above = {
        .begin = begin,
        .binding = find,
        .should_stop = ph_worker_should_stop,
        .end = end,
        .abandon = ph_handle_abandon,
        .ended = ended,
    };
    return ph_env_new(loop, argc, argv, &above);
}
