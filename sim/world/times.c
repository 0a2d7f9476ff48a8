/*
 * Times of files. What the world changes gets the world's time. A time that the kernel has set
 * meanwhile (an access, a change past the world) would be that of the outside, and another in every
 * run: it is shown as the time of the last change by the world, or as the beginning of the world.
 * Numbers of files are the world's, too (inodes.c).
 */

#include "world/times.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))

enum { PAGE = 4096 };

void ph_times_set(int fd) {
    int saved = errno;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}};
    uint64_t now = ph_world->wall + ph_world->now;
    times[1] = (struct timespec){.tv_sec = (time_t)(now / PH_S), .tv_nsec = (long)(now % PH_S)};
    futimens(fd, times);
    errno = saved;
}

static bool is_from_outside(int64_t seconds) {
    return (uint64_t)seconds * PH_S + PH_S > ph_world->real_began &&
           (uint64_t)seconds < ph_world->wall / PH_S;
}

static void mend(struct timespec* time, const struct timespec* changed) {
    if (!is_from_outside(time->tv_sec))
        return;
    if (!is_from_outside(changed->tv_sec) && (uint64_t)changed->tv_sec >= ph_world->wall / PH_S)
        *time = *changed;
    else
        *time = (struct timespec){.tv_sec = (time_t)(ph_world->wall / PH_S)};
}

/* Whether its blocks are there already is the disk's affair. */
static uint64_t blocks_of(mode_t mode, uint64_t size, uint64_t blocks) {
    return S_ISREG(mode) || S_ISDIR(mode) ? (size + PAGE - 1) / PAGE * (PAGE / 512) : blocks;
}

static uint64_t seen_number(uint64_t device, uint64_t inode) {
    ph_world_lock();
    uint64_t seen = ph_inode_seen(device, inode);
    ph_world_unlock();
    return seen;
}

static int mended(int result, struct stat* info) {
    if (result != 0 || ph_world == NULL)
        return result;
    info->st_ino = (ino_t)seen_number(info->st_dev, info->st_ino);
    info->st_dev = (dev_t)ph_device_seen(info->st_dev);
    info->st_blocks =
        (blkcnt_t)blocks_of(info->st_mode, (uint64_t)info->st_size, (uint64_t)info->st_blocks);
    mend(&info->st_atim, &info->st_mtim);
    mend(&info->st_ctim, &info->st_mtim);
    mend(&info->st_mtim, &info->st_mtim);
    return 0;
}

typedef int (*at_call)(int dir, const char* path, struct stat* info, int flags);
typedef int (*extended_call)(int dir, const char* path, int flags, unsigned mask,
                             struct statx* info);

static int raw_stat(int dir, const char* path, struct stat* info, int flags) {
    static at_call found;
    at_call call = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (call == NULL) {
        call = (at_call)dlsym(RTLD_NEXT, "fstatat");
        __atomic_store_n(&found, call, __ATOMIC_RELAXED);
    }
    return call(dir, path, info, flags);
}

int ph_raw_stat(const char* path, struct stat* info) {
    return raw_stat(AT_FDCWD, path, info, 0);
}

int ph_raw_fstat(int fd, struct stat* info) {
    return raw_stat(fd, "", info, AT_EMPTY_PATH);
}

static int real_stat(int dir, const char* path, struct stat* info, int flags) {
    return mended(raw_stat(dir, path, info, flags), info);
}

EXPORT int stat(const char* restrict path, struct stat* restrict info) {
    return real_stat(AT_FDCWD, path, info, 0);
}

EXPORT int lstat(const char* restrict path, struct stat* restrict info) {
    return real_stat(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fstat(int fd, struct stat* info) {
    return real_stat(fd, "", info, AT_EMPTY_PATH);
}

EXPORT int fstatat(int dir, const char* restrict path, struct stat* restrict info, int flags) {
    return real_stat(dir, path, info, flags);
}

static void mend_extended(struct statx_timestamp* time, const struct statx_timestamp* changed) {
    struct timespec own = {.tv_sec = time->tv_sec, .tv_nsec = time->tv_nsec};
    struct timespec other = {.tv_sec = changed->tv_sec, .tv_nsec = changed->tv_nsec};
    mend(&own, &other);
    time->tv_sec = own.tv_sec;
    time->tv_nsec = (uint32_t)own.tv_nsec;
}

EXPORT int statx(int dir, const char* restrict path, int flags, unsigned mask,
                 struct statx* restrict info) {
    static extended_call found;
    extended_call call = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (call == NULL) {
        call = (extended_call)dlsym(RTLD_NEXT, "statx");
        __atomic_store_n(&found, call, __ATOMIC_RELAXED);
    }
    int result = call(dir, path, flags, mask, info);
    if (result != 0 || ph_world == NULL)
        return result;
    uint64_t device = makedev(info->stx_dev_major, info->stx_dev_minor);
    info->stx_ino = seen_number(device, info->stx_ino);
    device = ph_device_seen(device);
    info->stx_dev_major = major(device);
    info->stx_dev_minor = minor(device);
    info->stx_blocks = blocks_of(info->stx_mode, info->stx_size, info->stx_blocks);
    mend_extended(&info->stx_atime, &info->stx_mtime);
    mend_extended(&info->stx_ctime, &info->stx_mtime);
    mend_extended(&info->stx_btime, &info->stx_mtime);
    mend_extended(&info->stx_mtime, &info->stx_mtime);
    return 0;
}

/* For programs that are built for large files: the same structures on 64 bits. */
ALIAS("stat") int stat64(const char* restrict path, struct stat64* restrict info);
ALIAS("lstat") int lstat64(const char* restrict path, struct stat64* restrict info);
ALIAS("fstat") int fstat64(int fd, struct stat64* info);
ALIAS("fstatat")
int fstatat64(int dir, const char* restrict path, struct stat64* restrict info, int flags);
