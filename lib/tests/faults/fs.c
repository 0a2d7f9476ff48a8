// wrap: open close fsync pread pwrite pwritev copy_file_range sendfile ftruncate statx
/* System calls that are interrupted, cut short or refused. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

/* How the wrapped calls behave. */
static int interruptions;  /* that many calls fail with EINTR first */
static int interrupted;    /* and that many did */
static size_t most;        /* bytes that one call moves, 0: no limit */
static int disk_left = -1; /* bytes until ENOSPC, -1: no limit */
static int range_error, sendfile_error, statx_error;
static int ranges, sendfiles, by_hand;

static bool interrupt(void) {
    if (interruptions == 0)
        return false;
    interruptions--;
    interrupted++;
    errno = EINTR;
    return true;
}

/* How much of `length` may be written; 0 with errno when the disk is full. */
static size_t allowed(size_t length) {
    if (most != 0 && length > most)
        length = most;
    if (disk_left >= 0 && length > (size_t)disk_left)
        length = (size_t)disk_left;
    if (disk_left >= 0)
        disk_left -= (int)length;
    if (length == 0)
        errno = ENOSPC;
    return length;
}

int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    return interrupt() ? -1 : __real_open(path, flags, mode);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd) {
    int result = __real_close(fd);
    return interrupt() ? -1 : result;
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
    return interrupt() ? -1 : __real_fsync(fd);
}

int __real_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length) {
    return interrupt() ? -1 : __real_ftruncate(fd, length);
}

ssize_t __real_pread(int fd, void* buf, size_t length, off_t offset);
ssize_t __wrap_pread(int fd, void* buf, size_t length, off_t offset);
ssize_t __wrap_pread(int fd, void* buf, size_t length, off_t offset) {
    by_hand++;
    return interrupt() ? -1
                       : __real_pread(fd, buf, most != 0 && length > most ? most : length, offset);
}

ssize_t __real_pwrite(int fd, const void* buf, size_t length, off_t offset);
ssize_t __wrap_pwrite(int fd, const void* buf, size_t length, off_t offset);
ssize_t __wrap_pwrite(int fd, const void* buf, size_t length, off_t offset) {
    if (interrupt() || (length = allowed(length)) == 0)
        return -1;
    return __real_pwrite(fd, buf, length, offset);
}

ssize_t __wrap_pwritev(int fd, const struct iovec* vectors, int count, off_t offset);
ssize_t __wrap_pwritev(int fd, const struct iovec* vectors, int count, off_t offset) {
    (void)count;
    return __wrap_pwrite(fd, vectors->iov_base, vectors->iov_len, offset);
}

ssize_t __real_copy_file_range(int in, off_t* in_at, int out, off_t* out_at, size_t length,
                               unsigned flags);
ssize_t __wrap_copy_file_range(int in, off_t* in_at, int out, off_t* out_at, size_t length,
                               unsigned flags);
ssize_t __wrap_copy_file_range(int in, off_t* in_at, int out, off_t* out_at, size_t length,
                               unsigned flags) {
    ranges++;
    errno = range_error;
    if (range_error != 0 || interrupt() || (length = allowed(length)) == 0)
        return -1;
    return __real_copy_file_range(in, in_at, out, out_at, length, flags);
}

ssize_t __real_sendfile(int out, int in, off_t* offset, size_t length);
ssize_t __wrap_sendfile(int out, int in, off_t* offset, size_t length);
ssize_t __wrap_sendfile(int out, int in, off_t* offset, size_t length) {
    sendfiles++;
    errno = sendfile_error;
    if (sendfile_error != 0 || interrupt() || (length = allowed(length)) == 0)
        return -1;
    return __real_sendfile(out, in, offset, length);
}

int __real_statx(int dir, const char* path, int flags, unsigned mask, struct statx* to);
int __wrap_statx(int dir, const char* path, int flags, unsigned mask, struct statx* to);
int __wrap_statx(int dir, const char* path, int flags, unsigned mask, struct statx* to) {
    errno = statx_error;
    return statx_error != 0 ? -1 : __real_statx(dir, path, flags, mask, to);
}

static uv_fs_t req;

#define FS(name, ...) (uv_fs_req_cleanup(&req), uv_fs_##name(NULL, &req, __VA_ARGS__, NULL))

static const char content[] = "0123456789abcdefghijklmnopqrstuvwxyz";
enum { LENGTH = sizeof(content) - 1 };

static void put_source(void) {
    FILE* file = fopen("from", "we");
    CHECK_EQ(fwrite(content, 1, LENGTH, file), LENGTH);
    fclose(file);
}

static void check_file(const char* path, const char* wanted) {
    char back[64] = "";
    FILE* file = fopen(path, "re");
    CHECK(file != NULL);
    CHECK_EQ(fread(back, 1, sizeof(back) - 1, file), strlen(wanted));
    CHECK_STR(back, wanted);
    fclose(file);
}

static bool exists(const char* path) {
    return access(path, F_OK) == 0;
}

TEST(fs_interrupted_calls_are_repeated) {
    char bytes[] = "bytes";
    uv_buf_t buf = {.base = bytes, .len = 5};
    interruptions = 2;
    int fd = FS(open, "file", O_RDWR | O_CREAT, 0644);
    CHECK_GE(fd, 0);
    interruptions = 2;
    CHECK_EQ(FS(write, fd, &buf, 1, 0), 5);
    interruptions = 2;
    CHECK_EQ(FS(fsync, fd), 0);
    interruptions = 2;
    CHECK_EQ(FS(ftruncate, fd, 3), 0);
    CHECK_EQ(interrupted, 8);
    CHECK_EQ(FS(close, fd), 0);
    check_file("file", "byt");
}

TEST(fs_interrupted_close_is_done) {
    int fd = FS(open, "file", O_RDWR | O_CREAT, 0644);
    interruptions = 1;
    CHECK_EQ(FS(close, fd), 0);
    CHECK_EQ(interrupted, 1);
    CHECK_EQ(fcntl(fd, F_GETFD), -1);
}

TEST(fs_interrupted_read_says_so) {
    char byte;
    uv_buf_t buf = {.base = &byte, .len = 1};
    put_source();
    int fd = FS(open, "from", O_RDONLY, 0);
    interruptions = 1;
    CHECK_EQ(FS(read, fd, &buf, 1, 0), UV_EINTR);
    CHECK_EQ(FS(read, fd, &buf, 1, 0), 1);
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_short_writes_go_on_until_all_is_written) {
    uv_buf_t bufs[6] = {{.base = "01", .len = 2}, {.base = "23456", .len = 5},
                        {.base = "", .len = 0},   {.base = "789", .len = 3},
                        {.base = "a", .len = 1},  {.base = "bcdefg", .len = 6}};
    int fd = FS(open, "file", O_RDWR | O_CREAT, 0644);
    for (most = 1; most < 8; most++) {
        CHECK_EQ(ftruncate(fd, 0), 0);
        interruptions = 3;
        CHECK_EQ(FS(write, fd, bufs, 2, 0), 7);
        CHECK_EQ(FS(write, fd, bufs + 3, 3, 7), 10);
        check_file("file", "0123456789abcdefg");
    }
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_full_disk_gives_what_was_written_and_then_enospc) {
    uv_buf_t buf = {.base = (char*)content, .len = LENGTH};
    int fd = FS(open, "file", O_RDWR | O_CREAT, 0644);
    most = 4;
    disk_left = 10;
    CHECK_EQ(FS(write, fd, &buf, 1, 0), 10);
    CHECK_EQ(FS(write, fd, &buf, 1, 10), UV_ENOSPC);
    disk_left = -1;
    CHECK_EQ(FS(close, fd), 0);
    check_file("file", "0123456789");
}

TEST(fs_copyfile_copies_in_pieces) {
    put_source();
    most = 5;
    interruptions = 2;
    CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
    CHECK_GE(ranges, LENGTH / 5);
    check_file("to", content);
}

TEST(fs_copyfile_falls_back_to_sendfile_and_then_to_reading) {
    static const int refusals[] = {EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EIO};
    put_source();
    most = 5;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        ranges = sendfiles = by_hand = 0;
        range_error = refusals[i];
        sendfile_error = 0;
        CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
        check_file("to", content);
        CHECK_GE(sendfiles, LENGTH / 5);
        CHECK_EQ(by_hand, 0);
        sendfile_error = EINVAL;
        CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
        check_file("to", content);
        CHECK_GE(by_hand, LENGTH / 5);
    }
}

TEST(fs_copyfile_removes_what_it_could_not_finish) {
    put_source();
    most = 4;
    for (int way = 0; way < 2; way++) {
        range_error = way == 1 ? EXDEV : 0;
        disk_left = 10;
        CHECK_EQ(FS(copyfile, "from", "to", 0), UV_ENOSPC);
        CHECK(!exists("to"));
    }
    disk_left = -1;
    range_error = 0;
    CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
    check_file("to", content);
}

TEST(fs_sendfile_goes_on_after_short_and_interrupted_sends) {
    put_source();
    int in = FS(open, "from", O_RDONLY, 0);
    int out = FS(open, "to", O_WRONLY | O_CREAT, 0644);
    most = 3;
    interruptions = 2;
    CHECK_EQ(FS(sendfile, out, in, 1, 20), 20);
    disk_left = 7;
    CHECK_EQ(FS(sendfile, out, in, 21, 15), 7);
    CHECK_EQ(FS(sendfile, out, in, 28, 8), UV_ENOSPC);
    CHECK_EQ(FS(close, in), 0);
    CHECK_EQ(FS(close, out), 0);
    check_file("to", "123456789abcdefghijklmnopqr");
}

TEST(fs_stat_without_statx_gives_the_same) {
    static const int errors[] = {ENOSYS, EPERM, EINVAL};
    put_source();
    int fd = FS(open, "from", O_RDONLY, 0);
    CHECK_EQ(FS(stat, "from"), 0);
    uv_stat_t wanted = req.statbuf;
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        statx_error = errors[i];
        CHECK_EQ(i == 0 ? FS(stat, "from") : i == 1 ? FS(lstat, "from") : FS(fstat, fd), 0);
        CHECK(req.ptr == &req.statbuf);
        req.statbuf.st_birthtim = wanted.st_birthtim;
        CHECK(memcmp(&req.statbuf, &wanted, sizeof(wanted)) == 0);
        CHECK_EQ(FS(stat, "missing"), UV_ENOENT);
        statx_error = 0;
    }
    CHECK_EQ(FS(close, fd), 0);
}
