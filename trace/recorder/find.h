#ifndef PH_RECORDER_FIND_H
#define PH_RECORDER_FIND_H

#include <dlfcn.h>
#include <stddef.h>

/* What the program has under a name, or NULL. glibc keeps the error of a thread until it has been
 * asked for twice; a fork on another thread would lose that memory. */
static inline void* ph_find_symbol(const char* name) {
    void* found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) {
        dlerror();
        dlerror();
    }
    return found;
}

#endif
