/*
 * Files that a program opens, writes and syncs itself, past the library: the same disk. What stdio
 * writes is not seen, but what it has opened is known, and so is what a sync has made of it.
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/journal.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/times.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))

static bool is_inside(void) {
    return ph_world != NULL && ph_thread_counts();
}

static mode_t mode_of(int flags, va_list list) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

EXPORT int open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    return is_inside() ? __wrap_open(path, flags, mode) : ph_raw_open(path, flags, mode);
}

EXPORT int openat(int dir, const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    char full[PATH_MAX];
    if (is_inside() && (flags & __O_TMPFILE) != __O_TMPFILE && ph_path_at(dir, path, full))
        return __wrap_open(full, flags, mode);
    int fd = (int)ph_raw_call(SYS_openat, dir, path, flags, mode);
    if (fd != -1 && is_inside() && (flags & O_ACCMODE) != O_RDONLY)
        ph_journal_writes(fd);
    return fd;
}

EXPORT int creat(const char* path, mode_t mode) {
    return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

ALIAS("open") int open64(const char* path, int flags, ...);
ALIAS("openat") int openat64(int dir, const char* path, int flags, ...);
ALIAS("creat") int creat64(const char* path, mode_t mode);

EXPORT ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    return is_inside() ? __wrap_pwrite(fd, bytes, size, offset)
                       : ph_raw_pwrite(fd, bytes, size, offset);
}

ALIAS("pwrite") ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset);

EXPORT int fsync(int fd) {
    return is_inside() ? __wrap_fsync(fd) : ph_raw_fsync(fd);
}

EXPORT int fdatasync(int fd) {
    return is_inside() ? __wrap_fsync(fd) : ph_raw_fdatasync(fd);
}

EXPORT void sync(void) {
    if (is_inside())
        ph_journal_synced_all();
    else
        ph_raw_call(SYS_sync);
}

EXPORT int syncfs(int fd) {
    if (!is_inside())
        return (int)ph_raw_call(SYS_syncfs, fd);
    ph_journal_synced_all();
    return 0;
}

EXPORT int ftruncate(int fd, off_t size) {
    return is_inside() ? __wrap_ftruncate(fd, size) : ph_raw_ftruncate(fd, size);
}

ALIAS("ftruncate") int ftruncate64(int fd, off64_t size);

EXPORT int truncate(const char* path, off_t size) {
    if (is_inside())
        ph_journal_opens(path);
    return (int)ph_raw_call(SYS_truncate, path, size);
}

ALIAS("truncate") int truncate64(const char* path, off64_t size);

EXPORT int rename(const char* from, const char* to) {
    return is_inside() ? __wrap_rename(from, to) : ph_raw_rename(from, to);
}

EXPORT int unlink(const char* path) {
    return is_inside() ? __wrap_unlink(path) : ph_raw_unlink(path);
}

EXPORT int remove(const char* path) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return -1;
    return S_ISDIR(info.st_mode) ? rmdir(path) : unlink(path);
}

typedef FILE* (*stream_opener)(const char* path, const char* mode);

static FILE* real_fopen(const char* path, const char* mode) {
    static stream_opener found;
    stream_opener call = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (call == NULL) {
        call = (stream_opener)dlsym(RTLD_NEXT, "fopen");
        __atomic_store_n(&found, call, __ATOMIC_RELAXED);
    }
    return call(path, mode);
}

EXPORT FILE* fopen(const char* restrict path, const char* restrict mode) {
    if (!is_inside())
        return real_fopen(path, mode);
    int stand_in = ph_stand_in(path, O_RDONLY | O_CLOEXEC);
    if (stand_in != -1)
        return fdopen(stand_in, "r");
    if (mode[0] == 'r' && strchr(mode, '+') == NULL)
        return real_fopen(path, mode);
    bool existed = access(path, F_OK) == 0;
    if (existed)
        ph_journal_opens(path);
    FILE* file = real_fopen(path, mode);
    if (file != NULL && !existed)
        ph_journal_created(path);
    return file;
}

ALIAS("fopen") FILE* fopen64(const char* restrict path, const char* restrict mode);
