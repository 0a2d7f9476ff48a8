/* How much room a disk has, another in every run: always the same, and none while it is full. */

#include <stdint.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "world/journal.h"
#include "world/raw.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))

enum { BLOCK = 4096, BLOCKS = 1 << 26, FILES = 1 << 24 };

static bool is_full_now(void) {
    ph_world_lock();
    bool full = ph_world->now < ph_world->hosts[ph_host_here()].full_until;
    ph_world_unlock();
    return full;
}

static int mended(int result, struct statfs* info) {
    if (result != 0 || ph_world == NULL)
        return result;
    bool full = is_full_now();
    info->f_bsize = info->f_frsize = BLOCK;
    info->f_blocks = BLOCKS;
    info->f_bfree = info->f_bavail = full ? 0 : BLOCKS / 2;
    info->f_files = FILES;
    info->f_ffree = FILES / 2;
    info->f_fsid = (__typeof__(info->f_fsid)){{1, 0}};
    return 0;
}

EXPORT int statfs(const char* path, struct statfs* info) {
    return mended((int)ph_raw_call(SYS_statfs, path, info), info);
}

EXPORT int fstatfs(int fd, struct statfs* info) {
    return mended((int)ph_raw_call(SYS_fstatfs, fd, info), info);
}

typedef int (*by_path)(const char* path, struct statvfs* info);
typedef int (*by_descriptor)(int fd, struct statvfs* info);

static int mended_vfs(int result, struct statvfs* info) {
    if (result != 0 || ph_world == NULL)
        return result;
    bool full = is_full_now();
    info->f_bsize = info->f_frsize = BLOCK;
    info->f_blocks = BLOCKS;
    info->f_bfree = info->f_bavail = full ? 0 : BLOCKS / 2;
    info->f_files = FILES;
    info->f_ffree = info->f_favail = FILES / 2;
    info->f_fsid = 1;
    return 0;
}

EXPORT int statvfs(const char* restrict path, struct statvfs* restrict info) {
    by_path real = (by_path)ph_raw_next("statvfs", NULL);
    return mended_vfs(real(path, info), info);
}

EXPORT int fstatvfs(int fd, struct statvfs* info) {
    by_descriptor real = (by_descriptor)ph_raw_next("fstatvfs", NULL);
    return mended_vfs(real(fd, info), info);
}

ALIAS("statfs") int statfs64(const char* path, struct statfs64* info);
ALIAS("fstatfs") int fstatfs64(int fd, struct statfs64* info);
ALIAS("statvfs") int statvfs64(const char* restrict path, struct statvfs64* restrict info);
ALIAS("fstatvfs") int fstatvfs64(int fd, struct statvfs64* info);
