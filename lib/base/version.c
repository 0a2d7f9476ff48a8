#include "uv.h"

#define STRINGIFY_EXPANDED(v) #v
#define STRINGIFY(v) STRINGIFY_EXPANDED(v)

unsigned int uv_version(void) {
    return UV_VERSION_HEX;
}

const char* uv_version_string(void) {
    return STRINGIFY(UV_VERSION_MAJOR) "." STRINGIFY(UV_VERSION_MINOR) "." STRINGIFY(
        UV_VERSION_PATCH) UV_VERSION_SUFFIX;
}
