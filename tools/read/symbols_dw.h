#ifndef PH_TOOLS_TRACE_SYMBOLS_DW_H
#define PH_TOOLS_TRACE_SYMBOLS_DW_H

/* What elfutils knows of the process, for those who use it: symbols_dw.c and unwind_dw.c. */

#include <elfutils/libdwfl.h>

#include "read/symbols.h"

Dwfl* binaries_dwfl(struct binaries* binaries);
/* The binary that the address lies in, if it still is the one of the recording; or NULL. */
Dwfl_Module* binaries_module(struct binaries* binaries, uint64_t address);

#endif
