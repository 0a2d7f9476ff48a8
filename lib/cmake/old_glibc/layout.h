#ifndef PH_OLD_GLIBC_LAYOUT_H
#define PH_OLD_GLIBC_LAYOUT_H

#include <sys/stat.h>

/* Until 2.33 stat and its kin had other names, and were told the layout of the struct. */
#ifdef __x86_64__
#define STAT_LAYOUT 1
#else
#define STAT_LAYOUT 0
#endif

int __xstat(int layout, const char* path, struct stat* to);
int __lxstat(int layout, const char* path, struct stat* to);
int __fxstat(int layout, int fd, struct stat* to);
int __fxstatat(int layout, int dir, const char* path, struct stat* to, int flags);

#endif
