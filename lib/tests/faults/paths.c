// wrap: realpath open readlink
/* The name of a file where a sandbox refuses the C library's way to it. */

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

char* __real_realpath(const char* path, char* buffer);
char* __wrap_realpath(const char* path, char* buffer);
int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...);
ssize_t __real_readlink(const char* path, char* buffer, size_t size);
ssize_t __wrap_readlink(const char* path, char* buffer, size_t size);

static int opened;

char* __wrap_realpath(const char* path, char* buffer) {
    return is_refused("realpath") ? NULL : __real_realpath(path, buffer);
}

int __wrap_open(const char* path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    opened++;
    return is_refused("open") ? -1 : __real_open(path, flags, mode);
}

/* Nothing but what is written is in the buffer. */
ssize_t __wrap_readlink(const char* path, char* buffer, size_t size) {
    memset(buffer, 'x', size);
    return is_refused("readlink") ? -1 : __real_readlink(path, buffer, size);
}

static uv_fs_t req;

static int real_path(const char* path) {
    uv_fs_req_cleanup(&req);
    return uv_fs_realpath(NULL, &req, path, NULL);
}

TEST(real_path_is_the_name_of_what_is_open_where_it_is_refused) {
    static const int refusals[] = {ENOSYS, EPERM};
    opened = 0;
    for (int i = 0; i < 2; i++) {
        refuse("realpath", 0, -1, refusals[i]);
        CHECK_OK(real_path("/proc/self/../../"));
        CHECK_STR(req.ptr, "/");
        CHECK_OK(real_path("/usr/../proc/sys"));
        CHECK_STR(req.ptr, "/proc/sys");
        CHECK_EQ(opened, 2 * (i + 1));
    }
    uv_fs_req_cleanup(&req);
}

TEST(real_path_that_is_refused_in_both_ways_has_the_first_error) {
    refuse("realpath", 0, -1, EPERM);
    CHECK_EQ(real_path("/proc/missing"), UV_EPERM);
    refuse_also("open", EMFILE);
    CHECK_EQ(real_path("/"), UV_EPERM);
    refuse_also("readlink", EACCES);
    CHECK_EQ(real_path("/"), UV_EPERM);
}

TEST(real_path_opens_nothing_where_it_need_not) {
    opened = 0;
    errno = EPERM; /* of an earlier call */
    CHECK_OK(real_path("/proc/../"));
    CHECK_STR(req.ptr, "/");
    refuse("realpath", 0, -1, ENOENT);
    CHECK_EQ(real_path("/"), UV_ENOENT);
    CHECK_EQ(opened, 0);
}

TEST(link_ends_where_the_kernel_says) {
    char longest[300];
    memset(longest, 'l', sizeof(longest));
    for (size_t length = 250; length < 260; length++) {
        longest[length] = '\0';
        unlink("link");
        CHECK_OK(symlink(longest, "link"));
        uv_fs_req_cleanup(&req);
        CHECK_OK(uv_fs_readlink(NULL, &req, "link", NULL));
        CHECK_STR(req.ptr, longest);
        longest[length] = 'l';
    }
    uv_fs_req_cleanup(&req);
}
