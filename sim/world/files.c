/*
 * Files are real files. What the world adds: calls that fail as a disk would make them fail, and a
 * memory of what was not synced, so that a host's crash can take it away (journal.c), and the
 * world's times (times.c). How long an operation takes is the pool's business (pool.c).
 *
 * Only threads that have slept in the world count: the tracer's own writer is none of them.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "world/epoll.h"
#include "world/faults.h"
#include "world/journal.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/sight.h"
#include "world/socket.h"
#include "world/table.h"
#include "world/times.h"
#include "world/world.h"

static bool is_ours(int fd) {
    struct stat info;
    return ph_world != NULL && ph_thread_counts() && ph_raw_fstat(fd, &info) == 0 &&
           S_ISREG(info.st_mode);
}

/* A file or a folder that the world remembers; syncing it for real would only take time. */
static bool has_content(int fd) {
    struct stat info;
    return ph_world != NULL && ph_thread_counts() && ph_raw_fstat(fd, &info) == 0 &&
           (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

static bool fails(const char* call, int one, int two, int three) {
    if (ph_world == NULL || !ph_thread_counts())
        return false;
    ph_world_lock();
    bool failed = ph_fault(call, PH_FAULT_DISK, one, two, three, 0);
    int saved = errno;
    ph_world_unlock();
    errno = saved;
    return failed;
}

/* A disk that is full takes nothing, whoever asks. */
bool ph_disk_is_full(void) {
    if (ph_world == NULL || !ph_thread_counts() || !ph_process_here()->has_waited)
        return false;
    ph_world_lock();
    bool full = ph_unkind_disk_is_full(ph_host_here());
    ph_world_unlock();
    if (full)
        errno = ENOSPC;
    return full;
}

/* A disk may take less than it is offered, and give less than is asked for. */
static size_t shortened(const char* call, size_t size) {
    ph_world_lock();
    size = ph_fault_short(call, PH_FAULT_DISK, size);
    ph_world_unlock();
    return size;
}

int __wrap_open(const char* path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
    int stand_in = ph_world != NULL && ph_thread_counts() ? ph_stand_in(path, flags) : -1;
    if (stand_in != -1)
        return stand_in;
    if (fails("open", EMFILE, writes ? ENOSPC : EIO, EIO))
        return -1;
    if (ph_world == NULL || !ph_thread_counts() || !writes)
        return ph_raw_open(path, flags, mode);
    bool existed = access(path, F_OK) == 0;
    if (existed)
        ph_journal_opens(path);
    else if ((flags & O_CREAT) && ph_disk_is_full())
        return -1;
    int fd = ph_raw_open(path, flags, mode);
    if (fd != -1 && !existed)
        ph_journal_created(path);
    if (fd != -1 && (!existed || (flags & O_TRUNC)))
        ph_times_set(fd);
    return fd;
}

/* On request: a bit of what comes from the disk is wrong. */
static ssize_t flipped(unsigned char* bytes, ssize_t size) {
    if (size <= 0)
        return size;
    ph_world_lock();
    int host = ph_host_here();
    double rate = ph_unkind_on(host, PH_UNKIND_FLIP) * 0.1;
    if (ph_process_here()->has_waited && ph_fault_rate(host, "flip", rate, EIO)) {
        uint64_t bit = ph_draw_below(PH_CHANCE_DISK, (uint64_t)size * 8);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        ph_unkind_did(PH_UNKIND_FLIP);
    }
    ph_world_unlock();
    return size;
}

ssize_t __wrap_pread(int fd, void* bytes, size_t size, off_t offset) {
    if (!is_ours(fd))
        return ph_raw_pread(fd, bytes, size, offset);
    if (fails("read", EIO, EINTR, 0))
        return -1;
    return flipped(bytes, ph_raw_pread(fd, bytes, shortened("read_short", size), offset));
}

ssize_t __wrap_preadv(int fd, const struct iovec* parts, int count, off_t offset) {
    if (is_ours(fd) && fails("read", EIO, EINTR, 0))
        return -1;
    return __real_preadv(fd, parts, count, offset);
}

ssize_t __wrap_read(int fd, void* bytes, size_t size) {
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    return __wrap_readv(fd, &part, 1);
}

ssize_t __wrap_readv(int fd, const struct iovec* parts, int count) {
    bool socket = false;
    ssize_t n = ph_world != NULL ? ph_socket_read(fd, parts, count, &socket) : 0;
    if (socket)
        return n;
    if (is_ours(fd)) {
        if (fails("read", EIO, EINTR, 0))
            return -1;
        if (count == 1)
            return flipped(parts->iov_base, ph_raw_read(fd, parts->iov_base,
                                                        shortened("read_short", parts->iov_len)));
    }
    return __real_readv(fd, parts, count);
}

static ssize_t put(int fd, const struct iovec* parts, int count, off_t offset, size_t some) {
    struct iovec first = *parts;
    if (some == ph_parts_size(parts, (size_t)count))
        return offset < 0 ? ph_raw_writev(fd, parts, count)
                          : ph_raw_pwritev(fd, parts, count, offset);
    if (first.iov_len > some)
        first.iov_len = some;
    return offset < 0 ? ph_raw_write(fd, first.iov_base, first.iov_len)
                      : ph_raw_pwrite(fd, first.iov_base, first.iov_len, offset);
}

static ssize_t write_at(int fd, const struct iovec* parts, int count, off_t offset) {
    if (fails("write", ENOSPC, EIO, EINTR) || ph_disk_is_full())
        return -1;
    ph_journal_writes(fd);
    size_t some = shortened("write_short", ph_parts_size(parts, (size_t)count));
    ssize_t written = put(fd, parts, count, offset, some);
    int saved = errno;
    if (written > 0 && offset < 0)
        ph_journal_wrote(fd, (size_t)written);
    else if (written > 0)
        ph_journal_wrote_at(fd, offset, (size_t)written);
    if (written > 0)
        ph_times_set(fd);
    errno = saved;
    return written;
}

ssize_t __wrap_pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    struct iovec part = {.iov_base = (void*)(uintptr_t)bytes, .iov_len = size};
    return is_ours(fd) ? write_at(fd, &part, 1, offset) : ph_raw_pwrite(fd, bytes, size, offset);
}

ssize_t __wrap_pwritev(int fd, const struct iovec* parts, int count, off_t offset) {
    return is_ours(fd) ? write_at(fd, parts, count, offset)
                       : ph_raw_pwritev(fd, parts, count, offset);
}

ssize_t __wrap_write(int fd, const void* bytes, size_t size) {
    if (ph_world != NULL && ph_fd_kind(fd) == PH_FD_WAKE) {
        ph_wake_written(fd);
        return (ssize_t)size;
    }
    struct iovec part = {.iov_base = (void*)(uintptr_t)bytes, .iov_len = size};
    return __wrap_writev(fd, &part, 1);
}

static void see_output(int fd, const struct iovec* parts) {
    ph_world_lock();
    ph_see_text(fd == STDOUT_FILENO ? PH_SIGHT_OUTPUT : PH_SIGHT_ERRORS, ph_host_here(),
                parts->iov_base, parts->iov_len);
    ph_world_unlock();
}

ssize_t __wrap_writev(int fd, const struct iovec* parts, int count) {
    bool socket = false;
    ssize_t n = ph_world != NULL ? ph_socket_write(fd, parts, count, &socket) : 0;
    if (socket)
        return n;
    if (ph_world != NULL && ph_world->sights != NULL &&
        (fd == STDOUT_FILENO || fd == STDERR_FILENO))
        see_output(fd, parts);
    /* Standard output and error are the program's voice: the world does not take it away. */
    if (fd > STDERR_FILENO && is_ours(fd))
        return write_at(fd, parts, count, -1);
    return ph_raw_writev(fd, parts, count);
}

int __wrap_fsync(int fd) {
    if (fails("fsync", EIO, ENOSPC, 0))
        return -1;
    if (!has_content(fd))
        return ph_raw_fsync(fd); /* says what is wrong with it */
    ph_journal_synced(fd);
    return 0;
}

int __wrap_fdatasync(int fd) {
    return ph_world != NULL ? __wrap_fsync(fd) : ph_raw_fdatasync(fd);
}

int __wrap_ftruncate(int fd, off_t size) {
    if (fails("ftruncate", EIO, ENOSPC, 0))
        return -1;
    if (!is_ours(fd))
        return ph_raw_ftruncate(fd, size);
    ph_journal_writes(fd);
    int result = ph_raw_ftruncate(fd, size);
    if (result == 0)
        ph_times_set(fd);
    return result;
}

int __wrap_rename(const char* from, const char* to) {
    if (fails("rename", EIO, ENOSPC, 0))
        return -1;
    if (ph_world != NULL && ph_thread_counts())
        ph_journal_rename(from, to);
    return ph_raw_rename(from, to);
}

int __wrap_unlink(const char* path) {
    if (fails("unlink", EIO, 0, 0))
        return -1;
    if (ph_world != NULL && ph_thread_counts())
        ph_journal_unlink(path);
    return ph_raw_unlink(path);
}

int __wrap_mkdir(const char* path, mode_t mode) {
    if (fails("mkdir", ENOSPC, EIO, 0) || ph_disk_is_full())
        return -1;
    struct stat info;
    int result = __real_mkdir(path, mode);
    if (result == 0 && ph_world != NULL && ph_raw_stat(path, &info) == 0) {
        ph_world_lock();
        ph_inode_made(info.st_dev, info.st_ino);
        ph_world_unlock();
    }
    return result;
}
