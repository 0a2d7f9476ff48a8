/* Copying files, and bytes from one descriptor to another. */

#include "each_way.h"

#include <limits.h>
#include <sys/socket.h>

static void copies(void) {
    umask(077);
    put_file("from", "some content");
    CHECK_OK(chmod("from", 0754));
    CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
    CHECK_STR(get_file("to"), "some content");
    CHECK_EQ(mode_of("to"), 0754);
    put_file("from", "less");
    CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
    CHECK_STR(get_file("to"), "less");
    put_file("from", "");
    CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
    CHECK_STR(get_file("to"), "");
    umask(022);
}

TEST(fs_copyfile_copies_content_and_mode) {
    EACH_WAY(copies);
}

static void copies_exclusively(void) {
    put_file("from", "new");
    put_file("to", "old");
    CHECK_EQ(FS(copyfile, "from", "to", UV_FS_COPYFILE_EXCL), UV_EEXIST);
    CHECK_STR(get_file("to"), "old");
    CHECK_EQ(FS(copyfile, "from", "fresh", UV_FS_COPYFILE_EXCL), 0);
    CHECK_STR(get_file("fresh"), "new");
}

TEST(fs_copyfile_exclusive_leaves_an_existing_target_alone) {
    EACH_WAY(copies_exclusively);
}

static void copies_to_itself(void) {
    put_file("file", "content");
    CHECK_OK(link("file", "hard"));
    CHECK_OK(symlink("file", "soft"));
    CHECK_EQ(FS(copyfile, "file", "file", 0), 0);
    CHECK_EQ(FS(copyfile, "file", "hard", 0), 0);
    CHECK_EQ(FS(copyfile, "soft", "file", 0), 0);
    CHECK_STR(get_file("file"), "content");
}

TEST(fs_copyfile_onto_itself_keeps_the_content) {
    EACH_WAY(copies_to_itself);
}

static void refuses(void) {
    put_file("file", "content");
    CHECK_OK(mkdir("dir", 0755));
    CHECK_EQ(FS(copyfile, "missing", "to", 0), UV_ENOENT);
    CHECK(!exists("to"));
    CHECK_EQ(FS(copyfile, "dir", "to", 0), UV_EISDIR);
    CHECK(!exists("to"));
    CHECK_EQ(FS(copyfile, "file", "dir", 0), UV_EISDIR);
    CHECK_EQ(FS(copyfile, "file", "missing/to", 0), UV_ENOENT);
    CHECK_EQ(FS(copyfile, "file", "to", 0x100), UV_EINVAL);
    CHECK_EQ(FS(copyfile, "file", "to", -1), UV_EINVAL);
    CHECK(!exists("to"));
}

TEST(fs_copyfile_reports_each_error) {
    EACH_WAY(refuses);
}

static void clones(void) {
    put_file("from", "content");
    CHECK_EQ(FS(copyfile, "from", "to", UV_FS_COPYFILE_FICLONE), 0);
    CHECK_STR(get_file("to"), "content");
    CHECK_OK(unlink("to"));
    long long result = FS(copyfile, "from", "to", UV_FS_COPYFILE_FICLONE_FORCE);
    if (result == 0) {
        CHECK_STR(get_file("to"), "content");
        return;
    }
    CHECK(result == UV_ENOTSUP || result == UV_ENOTTY || result == UV_EINVAL ||
          result == UV_ENOSYS);
    CHECK(!exists("to"));
}

TEST(fs_copyfile_clones_or_copies_unless_forced) {
    EACH_WAY(clones);
}

static void fill(const char* path, size_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    char block[4096];
    for (size_t done = 0; done < size; done += sizeof(block)) {
        for (size_t i = 0; i < sizeof(block); i++)
            block[i] = (char)((done + i) * 31 >> 3);
        size_t n = size - done < sizeof(block) ? size - done : sizeof(block);
        CHECK_EQ(write(fd, block, n), n);
    }
    close(fd);
}

static void check_same(const char* a, const char* b) {
    static char x[65536], y[65536];
    FILE* fa = fopen(a, "re");
    FILE* fb = fopen(b, "re");
    size_t n;
    do {
        n = fread(x, 1, sizeof(x), fa);
        CHECK_EQ(fread(y, 1, sizeof(y), fb), n);
        CHECK(memcmp(x, y, n) == 0);
    } while (n > 0);
    fclose(fa);
    fclose(fb);
}

static void copies_big(void) {
    fill("from", (3 << 20) + 17);
    CHECK_EQ(FS(copyfile, "from", "to", 0), 0);
    check_same("from", "to");
}

TEST(fs_copyfile_copies_megabytes) {
    EACH_WAY(copies_big);
}

static void copies_sizeless(void) {
    CHECK_EQ(FS(copyfile, "/proc/self/cmdline", "to", 0), 0);
    CHECK(strstr(get_file("to"), "fs_copy") != NULL);
    CHECK_EQ(FS(copyfile, "/dev/null", "empty", 0), 0);
    CHECK_STR(get_file("empty"), "");
}

TEST(fs_copyfile_copies_files_that_tell_no_size) {
    EACH_WAY(copies_sizeless);
}

static void sends(void) {
    put_file("from", "0123456789");
    int in = open("from", O_RDONLY | O_CLOEXEC);
    int out = open("to", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    CHECK_EQ(FS(sendfile, out, in, 2, 3), 3);
    CHECK_EQ(FS(sendfile, out, in, 8, 100), 2);
    CHECK_EQ(FS(sendfile, out, in, 10, 100), 0);
    CHECK_EQ(FS(sendfile, out, in, 0, 0), 0);
    CHECK_EQ(lseek(in, 0, SEEK_CUR), 0);
    CHECK_STR(get_file("to"), "23489");
    CHECK_EQ(FS(sendfile, out, -1, 0, 1), UV_EBADF);
    CHECK_EQ(FS(sendfile, -1, in, 0, 1), UV_EBADF);
    CHECK_EQ(FS(sendfile, -1, in, 0, 0), UV_EBADF);
    CHECK_EQ(FS(sendfile, out, -1, 0, 0), UV_EBADF);
    CHECK_EQ(FS(sendfile, -1, in, 100, 10), UV_EBADF);
    CHECK_EQ(FS(sendfile, in, in, 100, 10), UV_EBADF);
    CHECK_EQ(FS(sendfile, out, out, 0, 10), UV_EBADF);
    close(in);
    close(out);
}

static void refuses_offsets(void) {
    put_file("from", "0123456789");
    int in = open("from", O_RDONLY | O_CLOEXEC);
    int out = open("to", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    int folder = open(".", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(FS(sendfile, out, in, -1, 5), UV_EOVERFLOW);
    CHECK_EQ(FS(sendfile, -1, in, -1, 5), UV_EBADF);
    CHECK_EQ(FS(sendfile, out, folder, -1, 5), UV_EISDIR);
    CHECK_EQ(FS(sendfile, out, in, INT64_MAX, 5), 0);
    CHECK_STR(get_file("to"), "");
    close(folder);
    close(out);
    close(in);
}

TEST(fs_sendfile_at_an_offset_that_no_file_has_says_what_is_wrong) {
    EACH_WAY(refuses_offsets);
}

TEST(fs_sendfile_sends_from_an_offset) {
    EACH_WAY(sends);
}

static void sends_otherwise(void) {
    put_file("from", "0123456789");
    int in = open("from", O_RDONLY | O_CLOEXEC);
    int pair[2], fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
    CHECK_OK(pipe(fds));
    char back[16] = "";
    CHECK_EQ(FS(sendfile, pair[0], in, 1, 4), 4);
    CHECK_EQ(read(pair[1], back, sizeof(back)), 4);
    CHECK_STR(back, "1234");
    CHECK_EQ(FS(sendfile, fds[1], in, 5, 2), 2);
    CHECK_EQ(read(fds[0], back, sizeof(back)), 2);
    CHECK_EQ(write(fds[1], "from pipe", 9), 9);
    int out = open("to", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    CHECK_EQ(FS(sendfile, out, fds[0], 0, 9), 9);
    CHECK_STR(get_file("to"), "from pipe");
    close(out);
    close(fds[0]);
    close(fds[1]);
    close(pair[0]);
    close(pair[1]);
    close(in);
}

TEST(fs_sendfile_works_between_files_pipes_and_sockets) {
    EACH_WAY(sends_otherwise);
}

static void sends_to_appended(void) {
    put_file("from", "0123456789");
    put_file("to", "x");
    int in = open("from", O_RDONLY | O_CLOEXEC);
    int out = open("to", O_WRONLY | O_APPEND | O_CLOEXEC);
    CHECK_EQ(FS(sendfile, out, in, 1, 3), 3);
    CHECK_STR(get_file("to"), "x123");
    close(out);
    close(in);
}

TEST(fs_sendfile_appends_where_the_kernel_does_not) {
    EACH_WAY(sends_to_appended);
}

static void sends_too_much(void) {
    put_file("from", "text");
    int in = open("from", O_RDONLY | O_CLOEXEC);
    int out = open("to", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    uv_fs_cb cb = with_callback ? on_fs : NULL;
    uv_fs_req_cleanup(&req);
    CHECK_EQ(uv_fs_sendfile(&loop, &req, out, in, 0, 0x7ffff001, cb), UV_EINVAL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(FS(sendfile, out, in, 0, 0x7ffff000), 4);
    close(in);
    close(out);
}

TEST(fs_sendfile_of_more_bytes_than_the_kernel_moves_gets_einval) {
    EACH_WAY(sends_too_much);
}
