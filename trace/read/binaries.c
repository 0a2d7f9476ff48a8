#include "read/binaries.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "read/symbols.h"

/* From the folder of the command, as it is built and installed. */
static const char* const places[] = {"../" PHASOR_LIBDIR "/phasor", "../lib/phasor",
                                     "../lib64/phasor"};

static const struct binaries_table* load(void) {
    char self[PATH_MAX], path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length <= 0)
        return NULL;
    self[length] = '\0';
    int folder = (int)(strrchr(self, '/') - self);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%.*s/%s/binaries.so", folder, self, places[i]);
        void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library != NULL)
            return dlsym(library, "phasor_binaries");
    }
    return NULL;
}

const struct binaries_table* binaries_table(void) {
    static const struct binaries_table* table;
    static bool asked;
    if (!asked) {
        asked = true;
        table = load();
    }
    return table;
}

/* Without it there are no names, only libraries and offsets: `binaries` is NULL then. */

struct binaries* binaries_open(const struct trace_file* file) {
    const struct binaries_table* table = binaries_table();
    return table != NULL ? table->open(file, trace_file_info(file, "executable")) : NULL;
}

void binaries_close(struct binaries* binaries) {
    if (binaries != NULL)
        binaries_table()->close(binaries);
}

char* binaries_function(struct binaries* binaries, uint64_t address) {
    return binaries != NULL ? binaries_table()->function(binaries, address) : NULL;
}

const char* binaries_problem(const struct binaries* binaries) {
    return binaries != NULL ? binaries_table()->problem(binaries) : NULL;
}

uint64_t binaries_start(struct binaries* binaries, uint64_t address) {
    return binaries != NULL ? binaries_table()->start(binaries, address) : 0;
}

size_t binaries_unwind(struct binaries* binaries, const struct raw_stack* raw, uint64_t* addresses,
                       size_t most) {
    return binaries != NULL ? binaries_table()->unwind(binaries, raw, addresses, most) : 0;
}
