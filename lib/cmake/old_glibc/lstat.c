#include "cmake/old_glibc/layout.h"

int lstat(const char* path, struct stat* to) {
    return __lxstat(STAT_LAYOUT, path, to);
}
