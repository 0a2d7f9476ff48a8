/* Reading and setting what the file system knows about a file. */

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include "base/alloc.h"
#include "fs/operations.h"
#include "os/libc.h"
#include "os/refusal.h"

static uv_timespec_t to_timespec(long sec, long nsec) {
    return (uv_timespec_t){.tv_sec = sec, .tv_nsec = nsec};
}

static void from_statx(uv_stat_t* to, const struct statx* from) {
    *to = (uv_stat_t){
        .st_dev = makedev(from->stx_dev_major, from->stx_dev_minor),
        .st_mode = from->stx_mode,
        .st_nlink = from->stx_nlink,
        .st_uid = from->stx_uid,
        .st_gid = from->stx_gid,
        .st_rdev = makedev(from->stx_rdev_major, from->stx_rdev_minor),
        .st_ino = from->stx_ino,
        .st_size = from->stx_size,
        .st_blksize = from->stx_blksize,
        .st_blocks = from->stx_blocks,
        .st_atim = to_timespec(from->stx_atime.tv_sec, from->stx_atime.tv_nsec),
        .st_mtim = to_timespec(from->stx_mtime.tv_sec, from->stx_mtime.tv_nsec),
        .st_ctim = to_timespec(from->stx_ctime.tv_sec, from->stx_ctime.tv_nsec),
        .st_birthtim = to_timespec(from->stx_btime.tv_sec, from->stx_btime.tv_nsec),
    };
}

/* Without statx there is no time of birth; the last change is the nearest there is. */
static void from_stat(uv_stat_t* to, const struct stat* from) {
    *to = (uv_stat_t){
        .st_dev = from->st_dev,
        .st_mode = from->st_mode,
        .st_nlink = from->st_nlink,
        .st_uid = from->st_uid,
        .st_gid = from->st_gid,
        .st_rdev = from->st_rdev,
        .st_ino = from->st_ino,
        .st_size = (uint64_t)from->st_size,
        .st_blksize = (uint64_t)from->st_blksize,
        .st_blocks = (uint64_t)from->st_blocks,
        .st_atim = to_timespec(from->st_atim.tv_sec, from->st_atim.tv_nsec),
        .st_mtim = to_timespec(from->st_mtim.tv_sec, from->st_mtim.tv_nsec),
        .st_ctim = to_timespec(from->st_ctim.tv_sec, from->st_ctim.tv_nsec),
        .st_birthtim = to_timespec(from->st_ctim.tv_sec, from->st_ctim.tv_nsec),
    };
}

/* Everybody may ask about the root folder. */
static bool statx_is_refused(void) {
    struct statx root;
    return statx(AT_FDCWD, "/", 0, STATX_BASIC_STATS, &root) != 0 && ph_is_refusal(errno);
}

/*
 * glibc answers from plain stat where the kernel has no statx, and then leaves the time of birth
 * out; so does a file system that keeps none.
 */
static bool kernel_has_statx(void) {
    static int has; /* 0: nobody has asked yet */
    struct statx root;
    int known = __atomic_load_n(&has, __ATOMIC_RELAXED);
    if (known == 0) {
        known = syscall(SYS_statx, AT_FDCWD, "/", 0, 0, &root) == 0 || errno != ENOSYS ? 1 : -1;
        __atomic_store_n(&has, known, __ATOMIC_RELAXED);
    }
    return known > 0;
}

/* False, with errno: the file's own error. A file that may not be looked at is answered with the
 * same errors as a call that a sandbox does not let through, so these leave it to plain stat. */
static bool try_statx(uv_stat_t* to, int dir, const char* path, int flags, bool* answered) {
    static int missing;
    struct statx extended;
    *answered = false;
    if (__atomic_load_n(&missing, __ATOMIC_RELAXED))
        return true;
    if (statx(dir, path, flags, STATX_BASIC_STATS | STATX_BTIME, &extended) == 0) {
        *answered = (extended.stx_mask & STATX_BTIME) != 0 || kernel_has_statx();
        if (*answered)
            from_statx(to, &extended);
        else
            __atomic_store_n(&missing, true, __ATOMIC_RELAXED);
        return true;
    }
    if (ph_is_refusal(errno)) {
        __atomic_store_n(&missing, statx_is_refused(), __ATOMIC_RELAXED);
        return true;
    }
    return errno == EINVAL || errno == EOPNOTSUPP;
}

static ssize_t read_stat(uv_fs_t* req, int dir, const char* path, int flags) {
    struct stat plain;
    bool answered;
    if (!try_statx(&req->statbuf, dir, path, flags, &answered))
        return ph_errno();
    if (!answered) {
        if (fstatat(dir, path, &plain, flags) != 0)
            return ph_errno();
        from_stat(&req->statbuf, &plain);
    }
    req->ptr = &req->statbuf;
    return 0;
}

ssize_t ph_fs_stat(uv_fs_t* req) {
    return read_stat(req, AT_FDCWD, req->path, 0);
}

ssize_t ph_fs_lstat(uv_fs_t* req) {
    return read_stat(req, AT_FDCWD, req->path, AT_SYMLINK_NOFOLLOW);
}

ssize_t ph_fs_fstat(uv_fs_t* req) {
    return read_stat(req, req->file, "", AT_EMPTY_PATH);
}

ssize_t ph_fs_statfs(uv_fs_t* req) {
    struct statfs from;
    if (statfs(req->path, &from) != 0)
        return ph_errno();
    uv_statfs_t* to = ph_calloc(1, sizeof(*to));
    if (to == NULL)
        return UV_ENOMEM;
    to->f_type = (uint64_t)from.f_type;
    to->f_bsize = (uint64_t)from.f_bsize;
    to->f_blocks = from.f_blocks;
    to->f_bfree = from.f_bfree;
    to->f_bavail = from.f_bavail;
    to->f_files = from.f_files;
    to->f_ffree = from.f_ffree;
    to->f_frsize = (uint64_t)from.f_frsize;
    req->ptr = to;
    return 0;
}

/* Whole nanoseconds, towards 1970, as far as a double holds them. Times that no time_t holds become
 * something that the kernel refuses. */
static struct timespec from_seconds(double time) {
    if (isnan(time))
        return (struct timespec){.tv_nsec = UTIME_OMIT};
    if (isinf(time))
        return (struct timespec){.tv_nsec = UTIME_NOW};
    const double limit = 9e18;
    if (time < -limit || time > limit)
        return (struct timespec){.tv_nsec = -1};
    time_t whole = (time_t)time;
    long nano = (long)((time - (double)whole) * 1e9);
    if (nano < 0) {
        whole--;
        nano += 1000000000;
    }
    return (struct timespec){.tv_sec = whole, .tv_nsec = nano};
}

static ssize_t set_times(uv_fs_t* req, int flags) {
    const struct timespec times[2] = {from_seconds(req->atime), from_seconds(req->mtime)};
    return ph_fs_checked(utimensat(AT_FDCWD, req->path, times, flags));
}

ssize_t ph_fs_utime(uv_fs_t* req) {
    return set_times(req, 0);
}

ssize_t ph_fs_lutime(uv_fs_t* req) {
    return set_times(req, AT_SYMLINK_NOFOLLOW);
}

ssize_t ph_fs_futime(uv_fs_t* req) {
    const struct timespec times[2] = {from_seconds(req->atime), from_seconds(req->mtime)};
    return ph_fs_checked(futimens(req->file, times));
}
