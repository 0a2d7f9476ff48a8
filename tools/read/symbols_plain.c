/* Without libdw: no names, only libraries and offsets. */

#include <stddef.h>

#include "read/symbols.h"

struct binaries* binaries_open(const struct trace_file* file) {
    (void)file;
    return NULL;
}

void binaries_close(struct binaries* binaries) {
    (void)binaries;
}

char* binaries_function(struct binaries* binaries, uint64_t address) {
    (void)binaries;
    (void)address;
    return NULL;
}

const char* binaries_problem(const struct binaries* binaries) {
    (void)binaries;
    return NULL;
}

uint64_t binaries_start(struct binaries* binaries, uint64_t address) {
    (void)binaries;
    (void)address;
    return 0;
}

size_t binaries_unwind(struct binaries* binaries, const struct raw_stack* raw, uint64_t* addresses,
                       size_t most) {
    (void)binaries;
    (void)raw;
    (void)addresses;
    (void)most;
    return 0;
}
