/* What a file system tells about a file, and its times. */

#include "each_way.h"

#include <math.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>

static void agrees_with_stat(void) {
    struct stat st;
    put_file("file", "12345");
    CHECK_OK(chmod("file", 0640));
    CHECK_OK(symlink("file", "link"));
    CHECK_OK(stat("file", &st));
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(i == 0 ? FS(stat, "link") : i == 1 ? FS(lstat, "file") : FS(fstat, fd), 0);
        const uv_stat_t* s = &req.statbuf;
        CHECK(req.ptr == s);
        CHECK_EQ(s->st_dev, st.st_dev);
        CHECK_EQ(s->st_mode, st.st_mode);
        CHECK_EQ(s->st_nlink, st.st_nlink);
        CHECK_EQ(s->st_uid, st.st_uid);
        CHECK_EQ(s->st_gid, st.st_gid);
        CHECK_EQ(s->st_rdev, st.st_rdev);
        CHECK_EQ(s->st_ino, st.st_ino);
        CHECK_EQ(s->st_size, 5);
        CHECK_EQ(s->st_blksize, st.st_blksize);
        CHECK_EQ(s->st_blocks, st.st_blocks);
        CHECK_EQ(s->st_flags, 0);
        CHECK_EQ(s->st_gen, 0);
        CHECK_EQ(s->st_atim.tv_sec, st.st_atim.tv_sec);
        CHECK_EQ(s->st_mtim.tv_sec, st.st_mtim.tv_sec);
        CHECK_EQ(s->st_mtim.tv_nsec, st.st_mtim.tv_nsec);
        CHECK_EQ(s->st_ctim.tv_sec, st.st_ctim.tv_sec);
        CHECK_EQ(s->st_ctim.tv_nsec, st.st_ctim.tv_nsec);
    }
    close(fd);
    CHECK_EQ(FS(lstat, "link"), 0);
    CHECK(S_ISLNK(req.statbuf.st_mode));
    CHECK_EQ(req.statbuf.st_size, 4);
    CHECK_EQ(FS(stat, "/dev/null"), 0);
    CHECK_EQ(req.statbuf.st_rdev, makedev(1, 3));
}

TEST(fs_stat_agrees_with_the_system) {
    EACH_WAY(agrees_with_stat);
}

static void reports_errors(void) {
    put_file("file", "");
    CHECK_EQ(FS(stat, "missing"), UV_ENOENT);
    CHECK(req.ptr == NULL);
    CHECK_EQ(FS(lstat, "missing"), UV_ENOENT);
    CHECK_EQ(FS(stat, "file/x"), UV_ENOTDIR);
    CHECK_EQ(FS(stat, ""), UV_ENOENT);
    CHECK_EQ(FS(fstat, -1), UV_EBADF);
    CHECK_EQ(FS(statfs, "missing"), UV_ENOENT);
    CHECK(req.ptr == NULL);
    CHECK_EQ(FS(utime, "missing", 1, 1), UV_ENOENT);
    CHECK_EQ(FS(lutime, "missing", 1, 1), UV_ENOENT);
    CHECK_EQ(FS(futime, -1, 1, 1), UV_EBADF);
}

TEST(fs_stat_reports_each_error) {
    EACH_WAY(reports_errors);
}

static void tells_birth(void) {
    time_t before = time(NULL) - 1;
    put_file("file", "");
    CHECK_EQ(FS(utime, "file", 1000, 1000), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    if (req.statbuf.st_birthtim.tv_sec == 0)
        return; /* this file system does not know */
    CHECK_GE(req.statbuf.st_birthtim.tv_sec, before);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 1000);
}

TEST(fs_stat_tells_the_time_of_birth) {
    EACH_WAY(tells_birth);
}

static void sets_times(void) {
    put_file("file", "");
    CHECK_OK(symlink("file", "link"));
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(FS(utime, "link", 400497753.25, 400497754.5), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, 400497753);
    CHECK_EQ(req.statbuf.st_atim.tv_nsec, 250000000);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 400497754);
    CHECK_EQ(req.statbuf.st_mtim.tv_nsec, 500000000);
    CHECK_EQ(FS(futime, fd, 1.75, 2.125), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_nsec, 750000000);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 2);
    CHECK_EQ(req.statbuf.st_mtim.tv_nsec, 125000000);
    CHECK_EQ(FS(lutime, "link", 10.5, 11.5), 0);
    CHECK_EQ(FS(lstat, "link"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, 10);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 11);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 2);
    close(fd);
}

TEST(fs_times_are_set_with_their_fractions) {
    EACH_WAY(sets_times);
}

static void sets_times_before_1970(void) {
    put_file("file", "");
    CHECK_EQ(FS(utime, "file", -1.5, -0.25), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, -2);
    CHECK_EQ(req.statbuf.st_atim.tv_nsec, 500000000);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, -1);
    CHECK_EQ(req.statbuf.st_mtim.tv_nsec, 750000000);
    CHECK_EQ(FS(utime, "file", -100, 0), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, -100);
    CHECK_EQ(req.statbuf.st_atim.tv_nsec, 0);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 0);
}

TEST(fs_times_before_1970_are_set) {
    EACH_WAY(sets_times_before_1970);
}

static void keeps_nanoseconds(void) {
    put_file("file", "");
    CHECK_EQ(FS(utime, "file", 1.123456789, 0.000000001), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, 1);
    CHECK_EQ(req.statbuf.st_atim.tv_nsec, 123456789);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 0);
    CHECK_EQ(req.statbuf.st_mtim.tv_nsec, 1);
    /* The nearest double is 1700000000.12345671653... */
    CHECK_EQ(FS(lutime, "file", 1700000000.123456789, 1700000000.123456789), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 1700000000);
    CHECK_EQ(req.statbuf.st_mtim.tv_nsec, 123456716);
}

TEST(fs_times_are_set_to_the_nanosecond) {
    EACH_WAY(keeps_nanoseconds);
}

static void refuses_times_beyond_all_calendars(void) {
    put_file("file", "");
    CHECK_EQ(FS(utime, "file", 5, 6), 0);
    CHECK_EQ(FS(utime, "file", 7, 1e300), UV_EINVAL);
    CHECK_EQ(FS(utime, "file", -1e300, 7), UV_EINVAL);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, 5);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 6);
}

TEST(fs_times_beyond_what_the_kernel_knows_get_einval) {
    EACH_WAY(refuses_times_beyond_all_calendars);
}

static void sets_now_or_nothing(void) {
    time_t before = time(NULL) - 1;
    put_file("file", "");
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(FS(utime, "file", 5, 6), 0);
    CHECK_EQ(FS(utime, "file", UV_FS_UTIME_OMIT, 7), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, 5);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 7);
    CHECK_EQ(FS(futime, fd, 8, UV_FS_UTIME_OMIT), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_atim.tv_sec, 8);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 7);
    CHECK_EQ(FS(lutime, "file", UV_FS_UTIME_NOW, UV_FS_UTIME_OMIT), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_GE(req.statbuf.st_atim.tv_sec, before);
    CHECK_EQ(req.statbuf.st_mtim.tv_sec, 7);
    close(fd);
}

TEST(fs_times_may_be_now_or_omitted) {
    EACH_WAY(sets_now_or_nothing);
}

static void tells_file_system(void) {
    struct statfs st;
    CHECK_OK(statfs(".", &st));
    CHECK_EQ(FS(statfs, "."), 0);
    const uv_statfs_t* s = req.ptr;
    CHECK_EQ(s->f_type, st.f_type);
    CHECK_EQ(s->f_bsize, st.f_bsize);
    CHECK_EQ(s->f_blocks, st.f_blocks);
    CHECK_EQ(s->f_files, st.f_files);
    CHECK_LE(s->f_bfree, s->f_blocks);
    CHECK_LE(s->f_bavail, s->f_blocks);
    CHECK_LE(s->f_ffree, s->f_files);
}

TEST(fs_statfs_agrees_with_the_system) {
    EACH_WAY(tells_file_system);
}
