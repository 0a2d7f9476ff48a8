#include "cmake/old_glibc/layout.h"

int fstat(int fd, struct stat* to) {
    return __fxstat(STAT_LAYOUT, fd, to);
}
