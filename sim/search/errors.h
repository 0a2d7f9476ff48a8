#ifndef PH_SIM_ERRORS_H
#define PH_SIM_ERRORS_H

#include <string.h>

/* "ENOENT"; NULL for a number without a name. */
#ifdef __GLIBC__
static inline const char* sim_error_name(int error) {
    return strerrorname_np(error);
}
#else
#include <uv.h>

static inline const char* sim_error_name(int error) {
    switch (-error) {
#define NAME(name, text) \
    case UV_##name:      \
        return #name;
        UV_ERRNO_MAP(NAME)
#undef NAME
    default:
        return NULL;
    }
}
#endif

#endif
