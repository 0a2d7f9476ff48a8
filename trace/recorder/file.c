#include "recorder/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "uv.h"

enum { HIGH_FD = 900, MOST_OF_ONE = 99 /* recordings of one process, each of another program */ };

static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Empty, or an earlier recording. */
static bool may_be_replaced(int fd) {
    char magic[sizeof(((struct ph_trace_header*)NULL)->magic)];
    ssize_t n = pread(fd, magic, sizeof(magic), 0);
    return n == 0 || (n == sizeof(magic) && memcmp(magic, PH_TRACE_MAGIC, sizeof(magic)) == 0);
}

/* Nobody else has put it there, to read what is written or to have something else overwritten. */
static bool is_own(const struct stat* info) {
    return info->st_uid == geteuid() && info->st_nlink == 1;
}

/* The lock says that a process is writing; the kernel drops it when that process ends. */
static int lock_and_empty(int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return UV_EINVAL;
    if (!is_own(&info))
        return UV_EEXIST;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0)
        return ph_errno();
    if (!may_be_replaced(fd))
        return UV_EEXIST;
    return fchmod(fd, 0600) != 0 || ftruncate(fd, 0) != 0 ? ph_errno() : 0;
}

/* Made anew if it is not there; one that is there is never opened through a link. */
static int open_and_lock(const char* path, bool never_replace) {
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd == -1 && errno == EEXIST && !never_replace) {
        fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (fd == -1 && errno == ELOOP)
            return UV_EEXIST;
    }
    if (fd == -1)
        return ph_errno();
    int err = lock_and_empty(fd);
    if (err == 0)
        return fd;
    close(fd);
    return err;
}

/* Programs count on getting the lowest numbers: out of the way, where that is allowed. */
static int move_up(int fd) {
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
    if (high == -1)
        return fd;
    close(fd);
    return high;
}

static bool is_still_ours(const struct ph_trace_file* file) {
    struct stat info;
    return fstat(file->fd, &info) == 0 && info.st_dev == file->device && info.st_ino == file->inode;
}

static int make_absolute(struct ph_trace_file* file, const char* path) {
    char folder[PATH_MAX] = "";
    if (path[0] != '/' && getcwd(folder, sizeof(folder)) == NULL)
        return ph_errno();
    int size = snprintf(file->path, PATH_MAX, "%s%s%s", folder, path[0] != '/' ? "/" : "", path);
    return size < PATH_MAX ? 0 : UV_ENAMETOOLONG;
}

static int open_one(struct ph_trace_file* file, const char* path, bool never_replace) {
    int err = make_absolute(file, path);
    if (err != 0)
        return err;
    int fd = open_and_lock(file->path, never_replace);
    size_t length = strlen(file->path);
    /* A process that becomes one program after the other has several. */
    for (int n = 1; (fd == UV_EEXIST || fd == UV_EAGAIN) && n <= (never_replace ? MOST_OF_ONE : 1);
         n++) {
        size_t room = sizeof(file->path) - length;
        int size = snprintf(file->path + length, room, ".%d", (int)getpid());
        if (n > 1 && size > 0)
            snprintf(file->path + length + size, room - (size_t)size, ".%d", n);
        fd = open_and_lock(file->path, never_replace && n < MOST_OF_ONE);
    }
    struct stat info;
    if (fd < 0)
        return fd;
    file->fd = move_up(fd);
    if (fstat(file->fd, &info) == 0) {
        file->device = info.st_dev;
        file->inode = info.st_ino;
    }
    return 0;
}

/* All or nothing: what a failed write has left behind is cut off again. */
static int write_at(struct ph_trace_file* file, const struct iovec* parts, int count, size_t size,
                    uint64_t offset) {
    ssize_t n;
    if (!is_still_ours(file))
        return UV_EBADF;
    do
        n = pwritev(file->fd, parts, count, (off_t)offset);
    while (n == -1 && errno == EINTR);
    if (n == (ssize_t)size)
        return 0;
    /* After a part, the first byte of the rest says why. */
    if (n >= 0)
        n = pwrite(file->fd, "", 1, (off_t)offset + n);
    int err = n == -1 ? ph_errno() : UV_EIO;
    if (file->header.segment_size == 0 && offset > 0 && ftruncate(file->fd, (off_t)offset) != 0)
        return err;
    return err;
}

static int write_header(struct ph_trace_file* file) {
    struct iovec part = {&file->header, sizeof(file->header)};
    return write_at(file, &part, 1, sizeof(file->header), 0);
}

int ph_file_open(struct ph_trace_file* file, const char* path, uint64_t limit, bool never_replace) {
    memset(file, 0, sizeof(*file));
    int err = open_one(file, path, never_replace);
    if (err != 0)
        return err;
    struct ph_trace_header* header = &file->header;
    memcpy(header->magic, PH_TRACE_MAGIC, sizeof(header->magic));
    header->version = PH_TRACE_VERSION;
    header->header_size = sizeof(*header);
    header->data_offset = sizeof(*header);
    header->clock = clock_ns(CLOCK_MONOTONIC);
    header->wall_clock = clock_ns(CLOCK_REALTIME);
    header->pid = (uint32_t)getpid();
    header->parent_pid = (uint32_t)getppid();
    file->offset = sizeof(*header);
    file->limit = limit != 0 && limit < PH_LEAST_LIMIT ? PH_LEAST_LIMIT : limit;
    err = write_header(file);
    if (err != 0)
        close(file->fd);
    return err;
}

int ph_file_begin_segments(struct ph_trace_file* file) {
    struct ph_trace_header* header = &file->header;
    header->data_offset = file->offset;
    file->segment = 1;
    if (file->limit != 0) {
        uint64_t left = file->limit > file->offset ? file->limit - file->offset : 0;
        header->segment_size = left / PH_SEGMENTS & ~(uint64_t)511;
        if (header->segment_size < PH_LEAST_LIMIT / PH_SEGMENTS / 2)
            header->segment_size = PH_LEAST_LIMIT / PH_SEGMENTS / 2;
    }
    return write_header(file);
}

static uint64_t begin_of(const struct ph_trace_file* file, uint64_t segment) {
    return file->header.data_offset + (segment - 1) % PH_SEGMENTS * file->header.segment_size;
}

bool ph_file_need_room(struct ph_trace_file* file, size_t size) {
    if (file->header.segment_size == 0)
        return false;
    uint64_t end = begin_of(file, file->segment) + file->header.segment_size;
    if (file->offset + size <= end)
        return false;
    file->segment++;
    file->offset = begin_of(file, file->segment);
    if (file->segment > PH_SEGMENTS) {
        file->header.overwritten++;
        write_header(file);
    }
    return true;
}

int ph_file_write_block(struct ph_trace_file* file, enum ph_trace_block_kind kind, const void* data,
                        size_t size) {
    struct ph_trace_block block = {.magic = PH_TRACE_BLOCK_MAGIC,
                                   .kind = kind,
                                   .size = (uint32_t)size,
                                   .checksum = ph_trace_checksum(data, size),
                                   .sequence = ++file->sequence};
    struct iovec parts[] = {{&block, sizeof(block)}, {(void*)data, size}};
    int err = write_at(file, parts, 2, sizeof(block) + size, file->offset);
    if (err == 0)
        file->offset += sizeof(block) + size;
    return err;
}

void ph_file_is_alive(struct ph_trace_file* file) {
    file->header.ended = clock_ns(CLOCK_MONOTONIC);
    write_header(file);
}

/* The header has its place since the beginning, however full the disk is. */
void ph_file_failed(struct ph_trace_file* file, int error) {
    file->header.status = PH_TRACE_FAILED;
    file->header.error = error;
    write_header(file);
}

void ph_file_close(struct ph_trace_file* file, enum ph_trace_status status, int error) {
    file->header.status = status;
    file->header.error = error;
    /* One that failed has not gone on since. */
    if (status != PH_TRACE_FAILED)
        file->header.ended = clock_ns(CLOCK_MONOTONIC);
    write_header(file);
    ph_file_let_go(file);
}

void ph_file_let_go(struct ph_trace_file* file) {
    if (file->fd >= 0 && is_still_ours(file))
        close(file->fd);
    file->fd = -1;
}
