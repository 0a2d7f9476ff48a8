#include "cmake/old_glibc/layout.h"

int stat(const char* path, struct stat* to) {
    return __xstat(STAT_LAYOUT, path, to);
}
