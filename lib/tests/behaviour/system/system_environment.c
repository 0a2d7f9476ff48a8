/* Environment variables. */

#include <unistd.h>
#include <uv.h>

#include "harness.h"

TEST(getenv_gives_what_setenv_set) {
    char buffer[16];
    size_t size = sizeof(buffer);
    CHECK_OK(uv_os_setenv("PHASOR_X", "value"));
    CHECK_OK(uv_os_getenv("PHASOR_X", buffer, &size));
    CHECK_STR(buffer, "value");
    CHECK_EQ(size, 5);
    CHECK_OK(uv_os_setenv("PHASOR_X", ""));
    size = 1;
    CHECK_OK(uv_os_getenv("PHASOR_X", buffer, &size));
    CHECK_EQ(size, 0);
    CHECK_STR(buffer, "");
}

TEST(getenv_with_each_too_small_buffer_tells_the_size_and_writes_nothing) {
    char buffer[16];
    CHECK_OK(uv_os_setenv("PHASOR_X", "value"));
    for (size_t small = 1; small <= 5; small++) {
        size_t size = small;
        memset(buffer, 'x', sizeof(buffer));
        CHECK_EQ(uv_os_getenv("PHASOR_X", buffer, &size), UV_ENOBUFS);
        CHECK_EQ(size, 6);
        CHECK_EQ(buffer[small], 'x');
    }
    size_t size = 6;
    CHECK_OK(uv_os_getenv("PHASOR_X", buffer, &size));
    CHECK_EQ(size, 5);
    CHECK_EQ(buffer[6], 'x');
}

TEST(environment_value_of_65_kilobytes_survives) {
    size_t length = 65 * 1024 + 1;
    char* value = malloc(length + 1);
    char* buffer = malloc(length + 1);
    memset(value, 'v', length);
    value[length] = '\0';
    CHECK_OK(uv_os_setenv("PHASOR_BIG", value));
    size_t size = length;
    CHECK_EQ(uv_os_getenv("PHASOR_BIG", buffer, &size), UV_ENOBUFS);
    CHECK_EQ(size, length + 1);
    CHECK_OK(uv_os_getenv("PHASOR_BIG", buffer, &size));
    CHECK_EQ(size, length);
    CHECK_STR(buffer, value);

    uv_env_item_t* items;
    int count, found = 0;
    CHECK_OK(uv_os_environ(&items, &count));
    for (int i = 0; i < count; i++)
        if (strcmp(items[i].name, "PHASOR_BIG") == 0) {
            CHECK_STR(items[i].value, value);
            found++;
        }
    CHECK_EQ(found, 1);
    uv_os_free_environ(items, count);
    free(value);
    free(buffer);
}

TEST(getenv_of_a_missing_variable_reports_enoent) {
    char buffer[16];
    size_t size = sizeof(buffer);
    CHECK_OK(uv_os_setenv("PHASOR_X", "value"));
    CHECK_OK(uv_os_unsetenv("PHASOR_X"));
    CHECK_OK(uv_os_unsetenv("PHASOR_X"));
    CHECK_EQ(uv_os_getenv("PHASOR_X", buffer, &size), UV_ENOENT);
    CHECK_EQ(uv_os_getenv("", buffer, &size), UV_ENOENT);
    CHECK_EQ(size, sizeof(buffer));
}

TEST(environment_functions_need_valid_arguments) {
    char buffer[16];
    size_t size = sizeof(buffer), zero = 0;
    CHECK_EQ(uv_os_getenv(NULL, buffer, &size), UV_EINVAL);
    CHECK_EQ(uv_os_getenv("PATH", NULL, &size), UV_EINVAL);
    CHECK_EQ(uv_os_getenv("PATH", buffer, NULL), UV_EINVAL);
    CHECK_EQ(uv_os_getenv("PATH", buffer, &zero), UV_EINVAL);
    CHECK_EQ(uv_os_setenv(NULL, "x"), UV_EINVAL);
    CHECK_EQ(uv_os_setenv("x", NULL), UV_EINVAL);
    CHECK_EQ(uv_os_setenv("", "x"), UV_EINVAL);
    CHECK_EQ(uv_os_setenv("a=b", "x"), UV_EINVAL);
    CHECK_EQ(uv_os_unsetenv(NULL), UV_EINVAL);
    CHECK_EQ(uv_os_unsetenv(""), UV_EINVAL);
    CHECK_EQ(uv_os_unsetenv("a=b"), UV_EINVAL);
}

TEST(environ_splits_at_the_first_equals_sign_and_skips_what_has_none) {
    char* fake[] = {"A=b", "=c", "none", "B=", "C=d=e", NULL};
    const char* expected[][2] = {{"A", "b"}, {"", "c"}, {"B", ""}, {"C", "d=e"}};
    char** real = environ;
    uv_env_item_t* items;
    int count;
    environ = fake;
    CHECK_OK(uv_os_environ(&items, &count));
    environ = real;
    CHECK_EQ(count, 4);
    for (int i = 0; i < count; i++) {
        CHECK_STR(items[i].name, expected[i][0]);
        CHECK_STR(items[i].value, expected[i][1]);
    }
    uv_os_free_environ(items, count);
}

TEST(environ_of_an_empty_environment_is_empty) {
    char* fake[] = {NULL};
    char** real = environ;
    uv_env_item_t* items;
    int count = 7;
    environ = fake;
    CHECK_OK(uv_os_environ(&items, &count));
    environ = real;
    CHECK_EQ(count, 0);
    uv_os_free_environ(items, count);
}
