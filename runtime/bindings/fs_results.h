/* What file operations give to JavaScript, and the operations on whole files. */
#ifndef PH_RUNTIME_FS_RESULTS_H
#define PH_RUNTIME_FS_RESULTS_H

#include "engine/engine.h"

/* The result of a finished request, names as text or as Buffers; undefined if it has none. */
JSValue ph_fs_result(JSContext* ctx, uv_fs_t* uv, bool names_as_bytes);
/* readFile, readFileSync */
void ph_fs_files_export(JSContext* ctx, JSValueConst binding);

#endif
