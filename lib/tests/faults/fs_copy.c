// wrap: copy_file_range sendfile write poll pread read ftruncate fchmod fstat close ioctl
// wrap: readdir statx
/* Copies of files, and what else a file system may refuse half way. */

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

REPLACE(ssize_t, sendfile, (int out, int in, off_t* offset, size_t count), out, in, offset, count)
REPLACE(ssize_t, write, (int fd, const void* bytes, size_t count), fd, bytes, count)
REPLACE(ssize_t, pread, (int fd, void* bytes, size_t count, off_t offset), fd, bytes, count, offset)
REPLACE(ssize_t, read, (int fd, void* bytes, size_t count), fd, bytes, count)
REPLACE(int, poll, (struct pollfd * items, nfds_t count, int timeout), items, count, timeout)
REPLACE(int, ftruncate, (int fd, off_t size), fd, size)
REPLACE(int, fchmod, (int fd, mode_t mode), fd, mode)
REPLACE(int, fstat, (int fd, struct stat* info), fd, info)
REPLACE(int, statx, (int fd, const char* path, int flags, unsigned mask, struct statx* info), fd,
        path, flags, mask, info)

static const unsigned char* shown_types; /* of the next entries, up to a DT_WHT */
struct dirent* __real_readdir(DIR* dir);
struct dirent* __wrap_readdir(DIR* dir);

struct dirent* __wrap_readdir(DIR* dir) {
    static struct dirent entry;
    if (is_refused("readdir"))
        return NULL;
    if (shown_types == NULL)
        return __real_readdir(dir);
    if (*shown_types == DT_WHT)
        return NULL;
    entry.d_type = *shown_types++;
    entry.d_name[0]++;
    return &entry;
}

int __real_close(int fd);
int __wrap_close(int fd);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, long argument);
ssize_t __real_copy_file_range(int in, off_t* from, int out, off_t* to, size_t count,
                               unsigned flags);
ssize_t __wrap_copy_file_range(int in, off_t* from, int out, off_t* to, size_t count,
                               unsigned flags);

static bool by_hand, clones;
static int asked_to_clone;

/* The kernel closes even if it reports an error. */
int __wrap_close(int fd) {
    int result = __real_close(fd);
    return is_refused("close") ? -1 : result;
}

int __wrap_ioctl(int fd, unsigned long request, long argument) {
    if (request != FICLONE)
        return __real_ioctl(fd, request, argument);
    asked_to_clone++;
    errno = EOPNOTSUPP;
    return clones ? 0 : -1;
}

ssize_t __wrap_copy_file_range(int in, off_t* from, int out, off_t* to, size_t count,
                               unsigned flags) {
    if (by_hand)
        return 0;
    if (is_refused("copy_file_range"))
        return -1;
    return __real_copy_file_range(in, from, out, to, count, flags);
}

static const char text[] = "The content of the file.";
static int copy_flags;

static void put_source(void) {
    FILE* file = fopen("source", "we");
    fputs(text, file);
    fclose(file);
}

static bool target_is_whole(void) {
    char got[100] = {0};
    struct stat from, to;
    CHECK_OK(stat("source", &from));
    CHECK_OK(stat("target", &to));
    CHECK_EQ(to.st_mode, from.st_mode);
    FILE* file = fopen("target", "re");
    if (file == NULL)
        return false;
    CHECK_GE(fread(got, 1, sizeof(got) - 1, file), 0);
    fclose(file);
    return strcmp(got, text) == 0;
}

static int copy(void) {
    uv_fs_t req;
    unlink("target");
    int err = uv_fs_copyfile(NULL, &req, "source", "target", copy_flags, NULL);
    uv_fs_req_cleanup(&req);
    if (err != 0)
        CHECK_EQ(access("target", F_OK), -1);
    return err;
}

static int copy_whole(void) {
    int err = copy();
    allow_all();
    if (err == 0)
        CHECK(target_is_whole());
    return err;
}

TEST(copy_goes_another_way_when_the_kernel_refuses_the_first) {
    static const int refusals[] = {EINVAL, ENOSYS, EXDEV,   EOPNOTSUPP, ENOTSOCK, EIO,
                                   EPERM,  EBADF,  ETXTBSY, EOVERFLOW,  ESPIPE};
    put_source();
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct refused_case one = {"copy_file_range", 0, refusals[i], copy_whole, 0};
        run_case(&one);
        refuse_also("copy_file_range", ENOSYS);
        struct refused_case two = {"sendfile", 0, refusals[i], copy_whole,
                                   refusals[i] == EBADF ? UV_EBADF : 0};
        run_case(&two);
    }
}

TEST(copy_that_fails_half_way_is_an_error_and_leaves_no_target) {
    static const struct refused_case cases[] = {
        {"copy_file_range", 0, EINTR, copy_whole, 0},
        {"copy_file_range", 0, ENOSPC, copy_whole, UV_ENOSPC},
        {"copy_file_range", 1, EIO, copy_whole, UV_EIO},
        {"fstat", 0, EIO, copy_whole, UV_EIO},
        {"fstat", 1, EIO, copy_whole, UV_EIO},
        {"ftruncate", 0, EINVAL, copy_whole, 0},
        {"ftruncate", 0, EIO, copy_whole, UV_EIO},
        {"fchmod", 0, EPERM, copy_whole, 0},
        {"fchmod", 0, EIO, copy_whole, UV_EIO},
        {"close", 0, EIO, copy_whole, UV_EIO},
        {"close", 0, EINTR, copy_whole, 0},
        {"close", 0, EINPROGRESS, copy_whole, 0},
    };
    put_source();
    RUN_CASES(cases);
    refuse("copy_file_range", 0, 1, ENOSPC);
    refuse_also("close", EIO);
    CHECK_EQ(copy_whole(), UV_ENOSPC);
}

TEST(copy_by_hand_goes_on_after_interruptions_and_waits_for_a_full_target) {
    static const struct refused_case cases[] = {
        {"pread", 0, EINTR, copy_whole, 0},  {"pread", 0, EIO, copy_whole, UV_EIO},
        {"pread", 0, ESPIPE, copy_whole, 0}, {"write", 0, EINTR, copy_whole, 0},
        {"write", 0, EAGAIN, copy_whole, 0}, {"write", 0, ENOSPC, copy_whole, UV_ENOSPC},
    };
    put_source();
    by_hand = true;
    RUN_CASES(cases);
    refuse("write", 0, 1, EAGAIN);
    refuse_also("poll", EINTR);
    CHECK_OK(copy_whole());
    refuse("write", 0, 1, EAGAIN);
    refuse_also("poll", ENOMEM);
    CHECK_EQ(copy_whole(), UV_ENOMEM);
    refuse("pread", 0, -1, ESPIPE);
    CHECK_OK(copy_whole());
}

TEST(copy_that_is_a_clone_moves_no_bytes) {
    put_source();
    clones = true;
    copy_flags = UV_FS_COPYFILE_FICLONE;
    CHECK_OK(copy());
    CHECK_EQ(asked_to_clone, 1);
    CHECK(!target_is_whole());
    clones = false;
    CHECK_OK(copy_whole());
    copy_flags = UV_FS_COPYFILE_FICLONE_FORCE;
    CHECK_EQ(copy(), UV_ENOTSUP);
}

TEST(copy_of_a_file_onto_itself_never_removes_it) {
    uv_fs_t req;
    put_source();
    refuse("close", 0, 1, EIO);
    CHECK_EQ(uv_fs_copyfile(NULL, &req, "source", "source", 0, NULL), UV_EIO);
    uv_fs_req_cleanup(&req);
    CHECK_OK(access("source", F_OK));
}

static int list(void) {
    uv_fs_t req;
    int err = uv_fs_scandir(NULL, &req, ".", 0, NULL);
    uv_fs_req_cleanup(&req);
    return err;
}

TEST(folder_whose_entries_can_not_be_read_is_an_error) {
    static const struct refused_case cases[] = {
        {"readdir", 0, EIO, list, UV_EIO},
        {"readdir", 1, ENOENT, list, UV_ENOENT},
    };
    put_source();
    RUN_CASES(cases);
    CHECK_EQ(list(), 1);
}

static int read_some_entries(void) {
    static uv_dirent_t entries[4];
    uv_fs_t open_req, read_req, close_req;
    CHECK_OK(uv_fs_opendir(NULL, &open_req, ".", NULL));
    uv_dir_t* dir = open_req.ptr;
    dir->dirents = entries;
    dir->nentries = 4;
    int result = uv_fs_readdir(NULL, &read_req, dir, NULL);
    uv_fs_req_cleanup(&read_req);
    CHECK_OK(uv_fs_closedir(NULL, &close_req, dir, NULL));
    uv_fs_req_cleanup(&open_req);
    return result;
}

TEST(batch_of_entries_that_can_not_be_read_is_an_error) {
    static const struct refused_case cases[] = {
        {"readdir", 0, EIO, read_some_entries, UV_EIO},
        {"readdir", 1, EIO, read_some_entries, UV_EIO},
    };
    put_source();
    RUN_CASES(cases);
    CHECK_EQ(read_some_entries(), 1);
}

TEST(entries_of_each_type_are_told_as_such) {
    static const unsigned char types[] = {DT_REG, DT_DIR, DT_LNK,     DT_FIFO, DT_SOCK,
                                          DT_CHR, DT_BLK, DT_UNKNOWN, 99,      DT_WHT};
    static const uv_dirent_type_t expected[] = {
        UV_DIRENT_FILE, UV_DIRENT_DIR,   UV_DIRENT_LINK,    UV_DIRENT_FIFO,   UV_DIRENT_SOCKET,
        UV_DIRENT_CHAR, UV_DIRENT_BLOCK, UV_DIRENT_UNKNOWN, UV_DIRENT_UNKNOWN};
    uv_fs_t req;
    uv_dirent_t entry;
    shown_types = types;
    CHECK_EQ(uv_fs_scandir(NULL, &req, ".", 0, NULL), 9);
    for (int i = 0; i < 9; i++) {
        CHECK_OK(uv_fs_scandir_next(&req, &entry));
        CHECK_EQ(entry.name[0], 1 + i);
        CHECK_EQ(entry.type, expected[i]);
    }
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
    uv_fs_req_cleanup(&req);
}

static int stat_source(void) {
    uv_fs_t req;
    int err = uv_fs_stat(NULL, &req, "source", NULL);
    if (err == 0)
        CHECK_EQ(req.statbuf.st_size, sizeof(text) - 1);
    uv_fs_req_cleanup(&req);
    return err;
}

TEST(stat_works_where_a_sandbox_refuses_the_newer_call) {
    static const struct refused_case cases[] = {
        {"statx", 0, ENOSYS, stat_source, 0},   {"statx", 0, EPERM, stat_source, 0},
        {"statx", 0, EINVAL, stat_source, 0},   {"statx", 0, EOPNOTSUPP, stat_source, 0},
        {"statx", 0, EIO, stat_source, UV_EIO},
    };
    put_source();
    RUN_CASES(cases);
    refuse("statx", 0, -1, ENOSYS);
    CHECK_OK(stat_source());
    int asked = refusal.count;
    CHECK_OK(stat_source());
    CHECK_EQ(refusal.count, asked); /* it is known by now */
}

static int close_a_file(void) {
    uv_fs_t req;
    int fd = open("source", O_RDONLY | O_CLOEXEC);
    CHECK_GE(fd, 0);
    return uv_fs_close(NULL, &req, fd, NULL);
}

TEST(close_that_goes_on_in_the_kernel_is_done) {
    static const struct refused_case cases[] = {
        {"close", 0, EINTR, close_a_file, 0},
        {"close", 0, EINPROGRESS, close_a_file, 0},
        {"close", 0, EIO, close_a_file, UV_EIO},
    };
    put_source();
    RUN_CASES(cases);
}

TEST(read_of_several_buffers_at_the_files_own_position_goes_on_there) {
    char first[4], second[8];
    uv_buf_t bufs[2] = {uv_buf_init(first, sizeof(first)), uv_buf_init(second, sizeof(second))};
    uv_fs_t req;
    put_source();
    int fd = open("source", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(uv_fs_read(NULL, &req, fd, bufs, 2, -1, NULL), 12);
    CHECK_EQ(memcmp(first, text, 4), 0);
    CHECK_EQ(memcmp(second, text + 4, 8), 0);
    CHECK_EQ(uv_fs_read(NULL, &req, fd, bufs, 2, -1, NULL), 12);
    CHECK_EQ(memcmp(first, text + 12, 4), 0);
    close(fd);
}
