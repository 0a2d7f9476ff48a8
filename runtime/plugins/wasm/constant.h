/* Constant expressions: values of globals, offsets and elements of segments. */
#ifndef PH_WASM_CONSTANT_H
#define PH_WASM_CONSTANT_H

#include "plugins/wasm/reader.h"

/* Reads one that must give this type. */
wasm_range wasm_constant_check(wasm_reader* r, wasm_module* module, wasm_type type);
/* Its value, in an instance whose functions and earlier globals are there. */
void wasm_constant_value(const wasm_instance* instance, wasm_range range, uint64_t value[2]);

#endif
