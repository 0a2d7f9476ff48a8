#ifndef EACH_WAY_H
#define EACH_WAY_H

/*
 * A file operation gives the same result however it is run. EACH_WAY(body) runs the body three
 * times, each in an empty folder: without callbacks; with callbacks; with callbacks and io_uring
 * forbidden. In it, FS(name, arguments...) runs uv_fs_name that way with `req` and gives its
 * result.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_fs_t req;
static bool with_callback;
static int callbacks;

static inline void on_fs(uv_fs_t* done) {
    CHECK(done == &req);
    callbacks++;
}

static inline long long fs_result(int returned) {
    if (!with_callback) {
        if (returned >= 0 || req.result < 0)
            CHECK_EQ((int)req.result, returned);
        return returned;
    }
    if (returned != 0)
        return returned;
    int before = callbacks;
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(callbacks, before + 1);
    return req.result;
}

#define FS(name, ...)         \
    (uv_fs_req_cleanup(&req), \
     fs_result(uv_fs_##name(&loop, &req, __VA_ARGS__, with_callback ? on_fs : NULL)))

static inline void run_one_way(void (*body)(void), const char* folder, bool callback) {
    with_callback = callback;
    memset(&req, 0, sizeof(req));
    CHECK_OK(mkdir(folder, 0755));
    CHECK_OK(chdir(folder));
    CHECK_OK(uv_loop_init(&loop));
    body();
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(chdir(".."));
}

static inline void each_way(void (*body)(void)) {
    run_one_way(body, "sync", false);
    run_one_way(body, "async", true);
}

#define EACH_WAY(body) each_way(body)

/* Small helpers that use no uv_fs function. */

static inline void put_file(const char* path, const char* content) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    CHECK_GE(fd, 0);
    CHECK_EQ(write(fd, content, strlen(content)), strlen(content));
    close(fd);
}

static inline const char* get_file(const char* path) {
    static char content[65536];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK_GE(fd, 0);
    ssize_t n = read(fd, content, sizeof(content) - 1);
    CHECK_GE(n, 0);
    content[n] = '\0';
    close(fd);
    return content;
}

static inline bool exists(const char* path) {
    struct stat st;
    return lstat(path, &st) == 0;
}

static inline mode_t mode_of(const char* path) {
    struct stat st;
    CHECK_OK(lstat(path, &st));
    return st.st_mode & 07777;
}

#endif
