// threaded
/* Requests live in the program's memory, whatever that held before, and say what they were. */

#include <netdb.h>
#include <sys/stat.h>

#include "behaviour/stream/streams.h"

enum { RUBBISH = 1 }; /* such bytes make numbers that the kernel would take for others */

static uv_fs_t req;
static int calls;

static uv_fs_t* new_request(void) {
    memset(&req, RUBBISH, sizeof(req));
    return &req;
}

static void on_fs(uv_fs_t* done) {
    CHECK(done == &req);
    calls++;
}

/* What every request on files says after it has ended, and what is left when it was cleaned up. */
static long ended(int started, uv_fs_type type, uv_fs_cb cb) {
    calls = 0;
    if (cb != NULL) {
        CHECK_OK(started);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_EQ(calls, 1);
    } else {
        CHECK_EQ(started, req.result);
    }
    CHECK_EQ(uv_req_get_type((uv_req_t*)&req), UV_FS);
    CHECK_EQ(uv_fs_get_type(&req), type);
    CHECK(req.loop == &loop);
    CHECK(req.cb == cb);
    CHECK_EQ(uv_fs_get_result(&req), req.result);
    CHECK_EQ(uv_fs_get_system_error(&req), -req.result);
    CHECK(uv_fs_get_path(&req) == req.path);
    bool has_two_paths = type == UV_FS_LINK || type == UV_FS_SYMLINK || type == UV_FS_RENAME ||
                         type == UV_FS_COPYFILE;
    CHECK((req.new_path != NULL) == has_two_paths);
    uv_fs_req_cleanup(&req);
    CHECK(req.ptr == NULL);
    CHECK(req.path == NULL);
    CHECK(req.new_path == NULL);
    CHECK(req.bufs == NULL);
    CHECK_OK(uv_loop_alive(&loop));
    return req.result;
}

#define FS(type, name, ...) \
    ended(uv_fs_##name(&loop, new_request(), __VA_ARGS__, cb), UV_FS_##type, cb)

static struct stat status_of(const char* path) {
    struct stat status;
    CHECK_OK(lstat(path, &status));
    return status;
}

static void make_and_change(uv_fs_cb cb) {
    char text[] = "0123456789", back[16] = {0};
    uv_buf_t out = uv_buf_init(text, 10), in = uv_buf_init(back, sizeof(back));
    long fd = FS(OPEN, open, "file", O_RDWR | O_CREAT | O_EXCL, 0640);
    CHECK_GE(fd, 0);
    CHECK_EQ(status_of("file").st_mode & 0777, 0640);
    CHECK_EQ(FS(OPEN, open, "file", O_RDWR | O_CREAT | O_EXCL, 0640), UV_EEXIST);
    CHECK_EQ(FS(WRITE, write, (uv_file)fd, &out, 1, -1), 10);
    CHECK_EQ(FS(READ, read, (uv_file)fd, &in, 1, 4), 6);
    CHECK_STR(back, "456789");
    CHECK_EQ(FS(WRITE, write, (uv_file)fd, &out, 1, 2), 10);
    CHECK_EQ(status_of("file").st_size, 12);
    CHECK_OK(FS(FTRUNCATE, ftruncate, (uv_file)fd, 5));
    CHECK_EQ(status_of("file").st_size, 5);
    CHECK_OK(FS(FSYNC, fsync, (uv_file)fd));
    CHECK_OK(FS(FDATASYNC, fdatasync, (uv_file)fd));
    CHECK_OK(FS(FCHMOD, fchmod, (uv_file)fd, 0604));
    CHECK_EQ(status_of("file").st_mode & 0777, 0604);
    CHECK_OK(FS(CHMOD, chmod, "file", 0600));
    CHECK_EQ(status_of("file").st_mode & 0777, 0600);
    CHECK_OK(FS(FCHOWN, fchown, (uv_file)fd, getuid(), getgid()));
    CHECK_EQ(status_of("file").st_uid, getuid());
    CHECK_EQ(status_of("file").st_gid, getgid());
    CHECK_OK(FS(CHOWN, chown, "file", getuid(), getgid()));
    CHECK_OK(FS(LCHOWN, lchown, "file", getuid(), getgid()));
    CHECK_EQ(status_of("file").st_uid, getuid());
    CHECK_EQ(status_of("file").st_gid, getgid());
    CHECK_OK(FS(FUTIME, futime, (uv_file)fd, 1.5, 2.5));
    CHECK_EQ(status_of("file").st_mtim.tv_sec, 2);
    CHECK_EQ(status_of("file").st_mtim.tv_nsec, 500000000);
    CHECK_OK(FS(UTIME, utime, "file", 3.5, 4.5));
    CHECK_EQ(status_of("file").st_atim.tv_sec, 3);
    CHECK_EQ(status_of("file").st_mtim.tv_sec, 4);
    CHECK_OK(FS(LUTIME, lutime, "file", 5.25, 6.25));
    CHECK_EQ(status_of("file").st_atim.tv_nsec, 250000000);
    CHECK_EQ(status_of("file").st_mtim.tv_sec, 6);
    CHECK_OK(FS(CLOSE, close, (uv_file)fd));
    CHECK_EQ(FS(CLOSE, close, (uv_file)fd), UV_EBADF);
    CHECK_OK(unlink("file"));
}

TEST(requests_change_files_as_told_whatever_their_memory_held) {
    umask(0);
    open_loop();
    make_and_change(NULL);
    make_and_change(on_fs);
    close_loop();
}

TEST(request_that_could_not_begin_is_not_there_to_be_cancelled) {
    open_loop();
    CHECK_EQ(uv_fs_open(&loop, new_request(), NULL, O_RDONLY, 0, on_fs), UV_EINVAL);
    CHECK_EQ(req.result, 0);
    CHECK_EQ(uv_cancel((uv_req_t*)&req), UV_EBUSY);
    uv_fs_req_cleanup(&req);
    close_loop();
}

static void move_about(uv_fs_cb cb) {
    CHECK_OK(close(creat("one", 0600)));
    CHECK_OK(FS(LINK, link, "one", "two"));
    CHECK_EQ(status_of("two").st_nlink, 2);
    CHECK_OK(FS(SYMLINK, symlink, "one", "three", 0));
    CHECK(S_ISLNK(status_of("three").st_mode));
    CHECK_OK(FS(RENAME, rename, "two", "four"));
    CHECK_EQ(FS(RENAME, rename, "two", "four"), UV_ENOENT);
    CHECK_OK(FS(COPYFILE, copyfile, "one", "five", 0));
    CHECK_EQ(FS(COPYFILE, copyfile, "one", "five", UV_FS_COPYFILE_EXCL), UV_EEXIST);
    CHECK_OK(FS(MKDIR, mkdir, "folder", 0750));
    CHECK_EQ(status_of("folder").st_mode & 0777, 0750);
    CHECK_EQ(FS(SCANDIR, scandir, ".", 0), 5);
    CHECK_OK(FS(RMDIR, rmdir, "folder"));
    CHECK_OK(FS(ACCESS, access, "one", R_OK | W_OK));
    CHECK_EQ(FS(ACCESS, access, "six", F_OK), UV_ENOENT);
    CHECK_OK(FS(STAT, stat, "three"));
    CHECK_OK(FS(LSTAT, lstat, "three"));
    CHECK_OK(FS(STATFS, statfs, "."));
    CHECK_OK(FS(READLINK, readlink, "three"));
    CHECK_OK(FS(REALPATH, realpath, "three"));
    CHECK_EQ(FS(READLINK, readlink, "one"), UV_EINVAL);
    CHECK_OK(FS(UNLINK, unlink, "one"));
    CHECK_EQ(FS(REALPATH, realpath, "three"), UV_ENOENT);
    CHECK_OK(unlink("three"));
    CHECK_OK(unlink("four"));
    CHECK_OK(unlink("five"));
}

TEST(requests_move_files_as_told_whatever_their_memory_held) {
    umask(0);
    open_loop();
    move_about(NULL);
    move_about(on_fs);
    close_loop();
}

static uv_getaddrinfo_t question;
static uv_getnameinfo_t reverse;
static uv_random_t dice;

static void on_addresses(uv_getaddrinfo_t* done, int status, struct addrinfo* found) {
    CHECK_EQ(status, 0);
    CHECK(found == done->addrinfo);
    CHECK(found != NULL);
    calls++;
}

static void on_names(uv_getnameinfo_t* done, int status, const char* host, const char* service) {
    CHECK_EQ(status, 0);
    CHECK(host == done->host);
    CHECK_STR(host, "127.0.0.1");
    CHECK_STR(service, "80");
    calls++;
}

static void ask_for_addresses(uv_getaddrinfo_cb cb) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET};
    memset(&question, RUBBISH, sizeof(question));
    CHECK_OK(uv_getaddrinfo(&loop, &question, cb, "127.0.0.1", "80", &hints));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(uv_req_get_type((uv_req_t*)&question), UV_GETADDRINFO);
    CHECK(question.loop == &loop);
    CHECK(question.cb == cb);
    CHECK_EQ(question.retcode, 0);
    CHECK(question.hostname == NULL && question.service == NULL && question.hints == NULL);
    CHECK(question.addrinfo != NULL && question.addrinfo->ai_family == AF_INET);
    uv_freeaddrinfo(question.addrinfo);
    CHECK_EQ(uv_cancel((uv_req_t*)&question), UV_EBUSY);
}

static void ask_for_names(uv_getnameinfo_cb cb) {
    struct sockaddr_in address = localhost(80);
    memset(&reverse, RUBBISH, sizeof(reverse));
    CHECK_OK(uv_getnameinfo(&loop, &reverse, cb, (struct sockaddr*)&address,
                            NI_NUMERICHOST | NI_NUMERICSERV));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(uv_req_get_type((uv_req_t*)&reverse), UV_GETNAMEINFO);
    CHECK(reverse.loop == &loop);
    CHECK_EQ(reverse.retcode, 0);
    CHECK_STR(reverse.host, "127.0.0.1");
    CHECK_STR(reverse.service, "80");
}

TEST(names_are_looked_up_whatever_the_memory_of_the_request_held) {
    open_loop();
    ask_for_addresses(NULL);
    ask_for_names(NULL);
    CHECK_EQ(calls, 0);
    ask_for_addresses(on_addresses);
    ask_for_names(on_names);
    CHECK_EQ(calls, 2);
    close_loop();
}

static void on_random(uv_random_t* done, int status, void* bytes, size_t count) {
    CHECK_EQ(status, 0);
    CHECK_EQ(done->status, 0);
    CHECK(bytes == done->buf && count == done->buflen);
    CHECK_EQ(uv_req_get_type((uv_req_t*)done), UV_RANDOM);
    CHECK(done->loop == &loop);
    calls++;
}

TEST(random_bytes_come_whatever_the_memory_of_the_request_held) {
    char bytes[8];
    open_loop();
    memset(&dice, RUBBISH, sizeof(dice));
    CHECK_OK(uv_random(&loop, &dice, bytes, sizeof(bytes), 0, on_random));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    close_loop();
}
