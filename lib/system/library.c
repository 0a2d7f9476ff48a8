/* Loading shared libraries. */

#include <dlfcn.h>

#include "base/alloc.h"
#include "uv.h"

/* Stands for a message that there was no memory to keep. */
static char no_memory[] = "not enough memory for the error message";

static void forget_error(uv_lib_t* lib) {
    if (lib->errmsg != no_memory)
        ph_free(lib->errmsg);
    lib->errmsg = NULL;
}

static int keep_error(uv_lib_t* lib, const char* message) {
    forget_error(lib);
    lib->errmsg = ph_strdup(message);
    if (lib->errmsg == NULL)
        lib->errmsg = no_memory;
    return -1;
}

int uv_dlopen(const char* filename, uv_lib_t* lib) {
    lib->errmsg = NULL;
    lib->handle = dlopen(filename, RTLD_LAZY);
    return lib->handle != NULL ? 0 : keep_error(lib, dlerror());
}

void uv_dlclose(uv_lib_t* lib) {
    forget_error(lib);
    if (lib->handle != NULL) {
        dlclose(lib->handle);
        lib->handle = NULL;
    }
}

int uv_dlsym(uv_lib_t* lib, const char* name, void** ptr) {
    dlerror();
    *ptr = dlsym(lib->handle, name);
    if (*ptr != NULL)
        return 0;
    /* A symbol's value may be NULL: only a message tells that it does not exist. */
    const char* message = dlerror();
    return message == NULL ? 0 : keep_error(lib, message);
}

const char* uv_dlerror(const uv_lib_t* lib) {
    return lib->errmsg != NULL ? lib->errmsg : "no error";
}
