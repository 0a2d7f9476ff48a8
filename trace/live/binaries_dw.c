/* What this part offers to the command. */

#include "live/stuck_dw.h"
#include "read/symbols_dw.h"

__attribute__((visibility("default"))) extern const struct binaries_table phasor_binaries;

const struct binaries_table phasor_binaries = {
    .open = binaries_dw_open,
    .close = binaries_dw_close,
    .function = binaries_dw_function,
    .problem = binaries_dw_problem,
    .start = binaries_dw_start,
    .unwind = binaries_dw_unwind,
    .look = stuck_dw_look,
};
