#include "cmake/old_glibc/layout.h"

int fstatat(int dir, const char* path, struct stat* to, int flags) {
    return __fxstatat(STAT_LAYOUT, dir, path, to, flags);
}
