/* Opening, reading, writing and closing files. */

#include "each_way.h"

#include <errno.h>
#include <limits.h>
#include <sys/resource.h>

static uv_buf_t text(const char* s) {
    return (uv_buf_t){.base = (char*)s, .len = strlen(s)};
}

static int open_new(const char* path) {
    return (int)FS(open, path, UV_FS_O_RDWR | UV_FS_O_CREAT | UV_FS_O_TRUNC, 0644);
}

static void writes_and_reads_back(void) {
    char back[32] = "";
    uv_buf_t out = text("hello world");
    uv_buf_t in = {.base = back, .len = sizeof(back)};
    int fd = open_new("file");
    CHECK_GE(fd, 0);
    CHECK_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
    CHECK_EQ(FS(write, fd, &out, 1, 0), 11);
    CHECK_EQ(FS(read, fd, &in, 1, 0), 11);
    CHECK_STR(back, "hello world");
    CHECK_EQ(FS(read, fd, &in, 1, 11), 0);
    CHECK_EQ(FS(close, fd), 0);
    CHECK_EQ(FS(close, fd), UV_EBADF);
    CHECK_EQ(FS(read, fd, &in, 1, 0), UV_EBADF);
    CHECK_EQ(FS(write, fd, &out, 1, 0), UV_EBADF);
}

TEST(fs_file_written_is_read_back) {
    EACH_WAY(writes_and_reads_back);
}

static void uses_position(void) {
    char back[8] = "";
    uv_buf_t out = text("abc");
    uv_buf_t in = {.base = back, .len = 3};
    int fd = open_new("file");
    CHECK_EQ(FS(write, fd, &out, 1, -1), 3);
    CHECK_EQ(FS(write, fd, &out, 1, -1), 3);
    CHECK_EQ(lseek(fd, 0, SEEK_CUR), 6);
    CHECK_EQ(FS(write, fd, &out, 1, 1), 3);
    CHECK_EQ(lseek(fd, 0, SEEK_CUR), 6);
    lseek(fd, 0, SEEK_SET);
    CHECK_EQ(FS(read, fd, &in, 1, -1), 3);
    CHECK_STR(back, "aab");
    CHECK_EQ(FS(read, fd, &in, 1, -1), 3);
    CHECK_STR(back, "cbc");
    CHECK_EQ(FS(read, fd, &in, 1, -1), 0);
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_offset_minus_one_uses_and_moves_the_position) {
    EACH_WAY(uses_position);
}

static void uses_far_offset(void) {
    char back[8] = "";
    uv_buf_t out = text("far");
    uv_buf_t in = {.base = back, .len = 8};
    int64_t offset = (5LL << 30) + 1;
    int fd = open_new("file");
    CHECK_EQ(FS(write, fd, &out, 1, offset), 3);
    CHECK_EQ(FS(fstat, fd), 0);
    CHECK_EQ(req.statbuf.st_size, offset + 3);
    CHECK_EQ(FS(read, fd, &in, 1, offset), 3);
    CHECK_STR(back, "far");
    CHECK_EQ(FS(ftruncate, fd, (6LL << 30)), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_size, 6LL << 30);
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_offsets_beyond_four_gibibytes_work) {
    EACH_WAY(uses_far_offset);
}

static void gathers_and_scatters(void) {
    char a[2], b[3], c[20];
    uv_buf_t out[6] = {text("on"), text("e, "), text(""), text("two, "), text("th"), text("ree")};
    uv_buf_t in[3] = {{.base = a, .len = 2}, {.base = b, .len = 3}, {.base = c, .len = 20}};
    int fd = open_new("file");
    CHECK_EQ(FS(write, fd, out, 6, -1), 15);
    CHECK_EQ(FS(write, fd, out, 6, 15), 15);
    CHECK_STR(get_file("file"), "one, two, threeone, two, three");
    CHECK_EQ(FS(read, fd, in, 3, 0), 25);
    CHECK(memcmp(a, "on", 2) == 0);
    CHECK(memcmp(b, "e, ", 3) == 0);
    CHECK(memcmp(c, "two, threeone, two, ", 20) == 0);
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_several_buffers_are_gathered_and_scattered) {
    EACH_WAY(gathers_and_scatters);
}

static void writes_very_many(void) {
    enum { COUNT = IOV_MAX * 2 + 100 };
    static char bytes[COUNT], back[COUNT];
    static uv_buf_t bufs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        bytes[i] = (char)(i * 7);
        bufs[i] = (uv_buf_t){.base = &bytes[i], .len = 1};
    }
    int fd = open_new("file");
    CHECK_EQ(FS(write, fd, bufs, COUNT, -1), COUNT);
    CHECK_EQ(FS(write, fd, bufs, COUNT, COUNT), COUNT);
    uv_buf_t whole = {.base = back, .len = COUNT};
    for (int half = 0; half < 2; half++) {
        CHECK_EQ(FS(read, fd, &whole, 1, half * COUNT), COUNT);
        CHECK(memcmp(bytes, back, COUNT) == 0);
    }
    for (int i = 0; i < COUNT; i++)
        bufs[i].base = &back[i];
    memset(back, 0, sizeof(back));
    long long n = FS(read, fd, bufs, COUNT, 0);
    CHECK(n == IOV_MAX || n == COUNT);
    CHECK(memcmp(bytes, back, (size_t)n) == 0);
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_more_buffers_than_the_kernel_takes_are_written) {
    EACH_WAY(writes_very_many);
}

static void keeps_buffer_list(void) {
    uv_buf_t bufs[8];
    for (int i = 0; i < 8; i++)
        bufs[i] = text("x");
    int fd = open_new("file");
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_write(&loop, &req, fd, bufs, 8, 0, on_fs));
    memset(bufs, 0xff, sizeof(bufs));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(req.result, 8);
    CHECK_EQ(FS(close, fd), 0);
    CHECK_STR(get_file("file"), "xxxxxxxx");
}

TEST(fs_buffer_list_may_go_after_the_call) {
    EACH_WAY(keeps_buffer_list);
}

static void keeps_path(void) {
    char path[16] = "file";
    put_file("file", "");
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_stat(&loop, &req, path, on_fs));
    memset(path, 'z', sizeof(path) - 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(req.result, 0);
    CHECK_STR(req.path, "file");
}

TEST(fs_path_may_go_after_the_call) {
    EACH_WAY(keeps_path);
}

static void reads_partly(void) {
    char back[16];
    uv_buf_t in = {.base = back, .len = sizeof(back)};
    int fds[2];
    CHECK_OK(pipe(fds));
    CHECK_EQ(write(fds[1], "part", 4), 4);
    CHECK_EQ(FS(read, fds[0], &in, 1, -1), 4);
    close(fds[1]);
    CHECK_EQ(FS(read, fds[0], &in, 1, -1), 0);
    CHECK_EQ(FS(read, fds[0], &in, 1, 0), UV_ESPIPE);
    close(fds[0]);
}

TEST(fs_read_from_pipe_gives_what_is_there) {
    EACH_WAY(reads_partly);
}

static void refuses_bad_arguments(void) {
    char byte;
    uv_buf_t buf = {.base = &byte, .len = 1};
    uv_fs_cb cb = with_callback ? on_fs : NULL;
    CHECK_EQ(FS(read, 0, NULL, 1, 0), UV_EINVAL);
    CHECK_EQ(FS(read, 0, &buf, 0, 0), UV_EINVAL);
    CHECK_EQ(FS(write, 0, NULL, 1, 0), UV_EINVAL);
    CHECK_EQ(FS(write, 0, &buf, 0, 0), UV_EINVAL);
    CHECK_EQ(uv_fs_stat(&loop, NULL, "x", cb), UV_EINVAL);
    CHECK_EQ(uv_loop_alive(&loop), 0);
}

static void refuses_too_many_bytes(void) {
    uv_buf_t bufs[2] = {uv_buf_init("x", 1), uv_buf_init("y", 1)};
    int fd = (int)FS(open, "file", UV_FS_O_WRONLY | UV_FS_O_CREAT, 0600);
    CHECK_GE(fd, 0);
    bufs[1].len = 0x7ffff000;
    CHECK_EQ(FS(write, fd, bufs, 2, 0), UV_EINVAL);
    bufs[1].len = SIZE_MAX;
    CHECK_EQ(FS(write, fd, bufs, 2, 0), UV_EINVAL);
    CHECK_OK(FS(close, fd));
}

TEST(fs_write_of_more_bytes_than_the_kernel_moves_gets_einval) {
    EACH_WAY(refuses_too_many_bytes);
}

TEST(fs_bad_arguments_get_einval) {
    EACH_WAY(refuses_bad_arguments);
}

static void reports_open_errors(void) {
    put_file("file", "");
    CHECK_EQ(FS(open, "missing", UV_FS_O_RDONLY, 0), UV_ENOENT);
    CHECK_EQ(FS(open, "file/below", UV_FS_O_RDONLY, 0), UV_ENOTDIR);
    CHECK_EQ(FS(open, ".", UV_FS_O_WRONLY, 0), UV_EISDIR);
    CHECK_EQ(FS(open, "file", UV_FS_O_RDONLY | UV_FS_O_CREAT | UV_FS_O_EXCL, 0600), UV_EEXIST);
    CHECK_EQ(FS(open, "file", UV_FS_O_RDONLY | UV_FS_O_DIRECTORY, 0), UV_ENOTDIR);
    CHECK_OK(symlink("file", "link"));
    CHECK_EQ(FS(open, "link", UV_FS_O_RDONLY | UV_FS_O_NOFOLLOW, 0), UV_ELOOP);
    CHECK_EQ(FS(open, "", UV_FS_O_RDONLY, 0), UV_ENOENT);
    char* long_name = malloc(5001);
    memset(long_name, 'n', 5000);
    long_name[5000] = '\0';
    CHECK_EQ(FS(open, long_name, UV_FS_O_RDONLY, 0), UV_ENAMETOOLONG);
    free(long_name);
}

TEST(fs_open_reports_each_error) {
    EACH_WAY(reports_open_errors);
}

static void open_applies_mode(void) {
    umask(022);
    int fd = (int)FS(open, "file", UV_FS_O_WRONLY | UV_FS_O_CREAT, 0666);
    CHECK_GE(fd, 0);
    CHECK_EQ(mode_of("file"), 0644);
    char byte;
    uv_buf_t buf = {.base = &byte, .len = 1};
    CHECK_EQ(FS(read, fd, &buf, 1, 0), UV_EBADF);
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_open_applies_mode_and_umask) {
    EACH_WAY(open_applies_mode);
}

static void appends(void) {
    put_file("file", "123");
    uv_buf_t out = text("4");
    int fd = (int)FS(open, "file", UV_FS_O_WRONLY | UV_FS_O_APPEND, 0);
    CHECK_EQ(FS(write, fd, &out, 1, -1), 1);
    CHECK_EQ(FS(close, fd), 0);
    CHECK_STR(get_file("file"), "1234");
}

TEST(fs_append_writes_at_the_end) {
    EACH_WAY(appends);
}

static void syncs_and_truncates(void) {
    int fd = open_new("file");
    uv_buf_t out = text("12345");
    CHECK_EQ(FS(write, fd, &out, 1, 0), 5);
    CHECK_EQ(FS(fsync, fd), 0);
    CHECK_EQ(FS(fdatasync, fd), 0);
    CHECK_EQ(FS(ftruncate, fd, 2), 0);
    CHECK_STR(get_file("file"), "12");
    CHECK_EQ(FS(ftruncate, fd, -1), UV_EINVAL);
    CHECK_EQ(FS(close, fd), 0);
    CHECK_EQ(FS(fsync, fd), UV_EBADF);
    CHECK_EQ(FS(fdatasync, fd), UV_EBADF);
    CHECK_EQ(FS(ftruncate, fd, 0), UV_EBADF);
    int fds[2];
    CHECK_OK(pipe(fds));
    CHECK_EQ(FS(fsync, fds[1]), UV_EINVAL);
    close(fds[0]);
    close(fds[1]);
}

TEST(fs_sync_and_truncate_work_and_report_errors) {
    EACH_WAY(syncs_and_truncates);
}

static void stops_at_size_limit(void) {
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    CHECK_OK(getrlimit(RLIMIT_FSIZE, &before));
    limit = before;
    limit.rlim_cur = 10;
    uv_buf_t out[2] = {text("1234567"), text("890abcd")};
    int fd = open_new("file");
    CHECK_OK(setrlimit(RLIMIT_FSIZE, &limit));
    CHECK_EQ(FS(write, fd, out, 2, 0), 10);
    CHECK_EQ(FS(write, fd, out, 2, 10), UV_EFBIG);
    CHECK_OK(setrlimit(RLIMIT_FSIZE, &before));
    CHECK_STR(get_file("file"), "1234567890");
    CHECK_EQ(FS(close, fd), 0);
}

TEST(fs_write_that_is_cut_short_says_how_much_was_written) {
    EACH_WAY(stops_at_size_limit);
}

static int in_flight;
static void one_of_many(uv_fs_t* done) {
    CHECK_EQ(done->result, 16);
    CHECK(memcmp(done->data, "0123456789abcdef", 16) == 0);
    uv_fs_req_cleanup(done);
    in_flight--;
}

static void many_at_once(void) {
    enum { COUNT = 600 };
    static uv_fs_t reqs[COUNT];
    static char back[COUNT][16];
    put_file("file", "0123456789abcdef");
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < COUNT; i++) {
        uv_buf_t in = {.base = back[i], .len = 16};
        reqs[i].data = back[i];
        CHECK_OK(uv_fs_read(&loop, &reqs[i], fd, &in, 1, 0, one_of_many));
        in_flight++;
    }
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(in_flight, 0);
    close(fd);
}

TEST(fs_hundreds_of_reads_at_once_all_finish) {
    EACH_WAY(many_at_once);
}

static void not_yet(uv_fs_t* done) {
    (void)done;
    callbacks++;
}

TEST(fs_callback_never_runs_inside_the_call) {
    uv_fs_t open_req;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_open(&loop, &open_req, ".", UV_FS_O_RDONLY, 0, not_yet));
    usleep(1000);
    CHECK_EQ(callbacks, 0);
    CHECK_EQ(uv_loop_alive(&loop), 1);
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(callbacks, 1);
    close((int)open_req.result);
    uv_fs_req_cleanup(&open_req);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(fs_synchronous_call_needs_no_loop) {
    uv_fs_t fs;
    CHECK_EQ(uv_fs_stat(NULL, &fs, ".", NULL), 0);
    CHECK(fs.ptr == &fs.statbuf);
    CHECK_EQ(fs.type, UV_FS);
    CHECK_EQ(fs.fs_type, UV_FS_STAT);
    uv_fs_req_cleanup(&fs);
}

static void cleans_up_twice(void) {
    uv_buf_t bufs[8];
    CHECK_EQ(FS(readlink, "/proc/self/exe"), 0);
    CHECK(req.ptr != NULL);
    uv_fs_req_cleanup(&req);
    CHECK(req.ptr == NULL);
    CHECK(req.path == NULL);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(FS(stat, "."), 0);
    CHECK(uv_fs_get_ptr(&req) == uv_fs_get_statbuf(&req));
    uv_fs_req_cleanup(&req);
    uv_fs_req_cleanup(&req);
    for (int i = 0; i < 8; i++)
        bufs[i] = text("12");
    CHECK_EQ(FS(write, -1, bufs, 8, 0), UV_EBADF);
    uv_fs_req_cleanup(&req);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(FS(scandir, "/proc/self", 0) > 0, 1);
    uv_fs_req_cleanup(&req);
    uv_fs_req_cleanup(&req);
}

TEST(fs_request_may_be_cleaned_up_twice) {
    EACH_WAY(cleans_up_twice);
}

static void tells_its_parts(void) {
    CHECK_EQ(FS(stat, "missing"), UV_ENOENT);
    CHECK_EQ(uv_fs_get_type(&req), UV_FS_STAT);
    CHECK_EQ(uv_fs_get_result(&req), UV_ENOENT);
    CHECK_EQ(uv_fs_get_system_error(&req), ENOENT);
    CHECK_STR(uv_fs_get_path(&req), "missing");
    CHECK(uv_fs_get_ptr(&req) == NULL);
    CHECK_EQ(uv_req_get_type((uv_req_t*)&req), UV_FS);
}

TEST(fs_accessors_tell_the_parts_of_a_request) {
    EACH_WAY(tells_its_parts);
}

static void open_for_writing(void* arg) {
    usleep(20000);
    int fd = open(arg, O_WRONLY | O_CLOEXEC);
    CHECK_GE(fd, 0);
    CHECK_EQ(write(fd, "x", 1), 1);
    close(fd);
}

static void open_waits(void) {
    char byte;
    uv_buf_t buf = {.base = &byte, .len = 1};
    uv_thread_t writer;
    CHECK_OK(mkfifo("fifo", 0600));
    CHECK_OK(uv_thread_create(&writer, open_for_writing, "fifo"));
    int fd = (int)FS(open, "fifo", UV_FS_O_RDONLY, 0);
    CHECK_GE(fd, 0);
    CHECK_EQ(FS(read, fd, &buf, 1, -1), 1);
    CHECK_EQ(FS(read, fd, &buf, 1, -1), 0);
    CHECK_EQ(FS(close, fd), 0);
    CHECK_OK(uv_thread_join(&writer));
}

TEST(fs_open_of_a_fifo_waits_for_the_other_end) {
    EACH_WAY(open_waits);
}
