/* The working, home and temporary folders, and the program's path. */

#include <limits.h>
#include <pwd.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

TEST(cwd_is_where_chdir_went) {
    char buffer[PATH_MAX], expected[PATH_MAX];
    size_t size = sizeof(buffer);
    CHECK(getcwd(expected, sizeof(expected)) != NULL);
    CHECK_OK(mkdir("inner", 0700));
    CHECK_OK(uv_chdir("inner"));
    strcat(expected, "/inner");
    CHECK_OK(uv_cwd(buffer, &size));
    CHECK_STR(buffer, expected);
    CHECK_EQ(size, strlen(expected));
    CHECK_OK(uv_chdir("/"));
    size = 2;
    CHECK_OK(uv_cwd(buffer, &size));
    CHECK_STR(buffer, "/");
    CHECK_EQ(size, 1);
}

TEST(cwd_with_each_too_small_buffer_tells_the_size) {
    char expected[PATH_MAX];
    CHECK(getcwd(expected, sizeof(expected)) != NULL);
    size_t length = strlen(expected);
    for (size_t small = 1; small <= length; small++) {
        char* buffer = malloc(small);
        size_t size = small;
        CHECK_EQ(uv_cwd(buffer, &size), UV_ENOBUFS);
        CHECK_EQ(size, length + 1);
        free(buffer);
    }
    char* buffer = malloc(length + 1);
    size_t size = length + 1;
    CHECK_OK(uv_cwd(buffer, &size));
    CHECK_STR(buffer, expected);
    free(buffer);
}

TEST(cwd_that_was_deleted_reports_enoent) {
    char buffer[PATH_MAX];
    size_t size = sizeof(buffer);
    CHECK_OK(mkdir("gone", 0700));
    CHECK_OK(uv_chdir("gone"));
    CHECK_OK(rmdir("../gone"));
    CHECK_EQ(uv_cwd(buffer, &size), UV_ENOENT);
    size = 1;
    CHECK_EQ(uv_cwd(buffer, &size), UV_ENOENT);
    CHECK_OK(uv_chdir("/"));
}

TEST(cwd_longer_than_path_max_is_given_whole) {
    char name[201], *buffer = malloc(64 << 10);
    size_t expected = 64 << 10, size;
    memset(name, 'd', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    CHECK_OK(uv_cwd(buffer, &expected));
    for (int i = 0; i < 50; i++) {
        CHECK_OK(mkdir(name, 0700));
        CHECK_OK(uv_chdir(name));
        expected += sizeof(name);
    }
    size = 64 << 10;
    int err = uv_cwd(buffer, &size);
    size_t small = 100;
    int err_small = uv_cwd(buffer + size + 1, &small);
    for (int i = 0; i < 50; i++) {
        CHECK_OK(uv_chdir(".."));
        CHECK_OK(rmdir(name));
    }
    CHECK_OK(err);
    CHECK_EQ(size, expected);
    CHECK_EQ(strlen(buffer), expected);
    CHECK_EQ(err_small, UV_ENOBUFS);
    CHECK_EQ(small, expected + 1);
    free(buffer);
}

TEST(chdir_reports_why_it_failed) {
    CHECK_EQ(uv_chdir("missing"), UV_ENOENT);
    CHECK_EQ(uv_chdir(""), UV_ENOENT);
    CHECK_EQ(uv_chdir("/proc/self/status"), UV_ENOTDIR);
}

TEST(exepath_is_the_running_program) {
    char buffer[PATH_MAX], expected[PATH_MAX] = "";
    size_t size = sizeof(buffer);
    CHECK_GT(readlink("/proc/self/exe", expected, sizeof(expected) - 1), 0);
    CHECK_OK(uv_exepath(buffer, &size));
    CHECK_STR(buffer, expected);
    CHECK_EQ(size, strlen(expected));
}

TEST(exepath_is_cut_to_a_small_buffer) {
    char expected[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", expected, sizeof(expected) - 1);
    for (size_t small = 1; small <= (size_t)length; small++) {
        char* buffer = malloc(small);
        size_t size = small;
        CHECK_OK(uv_exepath(buffer, &size));
        CHECK_EQ(size, small - 1);
        CHECK(memcmp(buffer, expected, size) == 0);
        CHECK_EQ(buffer[size], '\0');
        free(buffer);
    }
}

TEST(homedir_is_the_variable_when_it_is_set) {
    char buffer[64];
    size_t size = sizeof(buffer);
    CHECK_OK(uv_os_setenv("HOME", "/some/home/"));
    CHECK_OK(uv_os_homedir(buffer, &size));
    CHECK_STR(buffer, "/some/home/");
    CHECK_EQ(size, 11);
    for (size_t small = 1; small <= 11; small++) {
        size = small;
        CHECK_EQ(uv_os_homedir(buffer, &size), UV_ENOBUFS);
        CHECK_EQ(size, 12);
    }
    CHECK_OK(uv_os_setenv("HOME", ""));
    size = 1;
    CHECK_OK(uv_os_homedir(buffer, &size));
    CHECK_EQ(size, 0);
}

TEST(homedir_without_the_variable_is_that_of_the_user) {
    char buffer[PATH_MAX];
    size_t size = sizeof(buffer);
    struct passwd* user = getpwuid(geteuid());
    if (user == NULL)
        test_skip("this user is not in the database");
    CHECK_OK(uv_os_unsetenv("HOME"));
    CHECK_OK(uv_os_homedir(buffer, &size));
    CHECK_STR(buffer, user->pw_dir);
    CHECK_EQ(size, strlen(buffer));
    size_t length = size;
    for (size_t small = 1; small <= length; small++) {
        size = small;
        CHECK_EQ(uv_os_homedir(buffer, &size), UV_ENOBUFS);
        CHECK_EQ(size, length + 1);
    }
}

static void check_tmpdir(const char* expected) {
    char buffer[64];
    size_t size = sizeof(buffer);
    CHECK_OK(uv_os_tmpdir(buffer, &size));
    CHECK_STR(buffer, expected);
    CHECK_EQ(size, strlen(expected));
}

TEST(tmpdir_asks_four_variables_in_their_order) {
    uv_os_setenv("TMPDIR", "/1");
    uv_os_setenv("TMP", "/2");
    uv_os_setenv("TEMP", "/3");
    uv_os_setenv("TEMPDIR", "/4");
    check_tmpdir("/1");
    uv_os_unsetenv("TMPDIR");
    check_tmpdir("/2");
    uv_os_unsetenv("TMP");
    check_tmpdir("/3");
    uv_os_unsetenv("TEMP");
    check_tmpdir("/4");
    uv_os_unsetenv("TEMPDIR");
    check_tmpdir("/tmp");
}

TEST(tmpdir_loses_one_trailing_slash) {
    uv_os_setenv("TMPDIR", "/a/");
    check_tmpdir("/a");
    uv_os_setenv("TMPDIR", "/");
    check_tmpdir("/");
    uv_os_setenv("TMPDIR", "/a//");
    check_tmpdir("/a/");
    uv_os_setenv("TMPDIR", "a/");
    check_tmpdir("a");
    uv_os_setenv("TMPDIR", "a");
    check_tmpdir("a");
    uv_os_setenv("TMPDIR", "");
    check_tmpdir("");
}

TEST(tmpdir_with_each_too_small_buffer_tells_the_size) {
    char buffer[8];
    const char* names[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
    for (int i = 0; i < 4; i++)
        uv_os_unsetenv(names[i]);
    for (size_t small = 1; small <= 4; small++) {
        size_t size = small;
        CHECK_EQ(uv_os_tmpdir(buffer, &size), UV_ENOBUFS);
        CHECK_EQ(size, 5);
    }
    size_t size = 5;
    CHECK_OK(uv_os_tmpdir(buffer, &size));
    CHECK_STR(buffer, "/tmp");
}

TEST(path_functions_need_a_buffer) {
    int (*const functions[])(char*, size_t*) = {uv_cwd, uv_exepath, uv_os_homedir, uv_os_tmpdir};
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        char buffer[8];
        size_t size = sizeof(buffer), zero = 0;
        CHECK_EQ(functions[i](NULL, &size), UV_EINVAL);
        CHECK_EQ(functions[i](buffer, NULL), UV_EINVAL);
        CHECK_EQ(functions[i](buffer, &zero), UV_EINVAL);
    }
}
