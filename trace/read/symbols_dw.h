#ifndef PH_TOOLS_TRACE_SYMBOLS_DW_H
#define PH_TOOLS_TRACE_SYMBOLS_DW_H

/* What elfutils knows of the process: symbols_dw.c and unwind_dw.c. */

#include <elfutils/libdwfl.h>

#include "read/binaries.h"
#include "read/symbols.h"

/* See binaries.h. */
struct binaries* binaries_dw_open(const struct trace_file* file, char* executable);
void binaries_dw_close(struct binaries* binaries);
char* binaries_dw_function(struct binaries* binaries, uint64_t address);
const char* binaries_dw_problem(const struct binaries* binaries);
uint64_t binaries_dw_start(struct binaries* binaries, uint64_t address);
size_t binaries_dw_unwind(struct binaries* binaries, const struct raw_stack* raw,
                          uint64_t* addresses, size_t most);

Dwfl* binaries_dwfl(struct binaries* binaries);
/* The binary that the address lies in, if it still is the one of the recording; or NULL. */
Dwfl_Module* binaries_module(struct binaries* binaries, uint64_t address);

#endif
