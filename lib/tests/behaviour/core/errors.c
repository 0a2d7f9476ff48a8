#include <errno.h>
#include <uv.h>

#include "harness.h"

TEST(known_errors_have_names_and_messages) {
    char buf[32];
    CHECK_STR(uv_err_name(UV_EADDRINUSE), "EADDRINUSE");
    CHECK_STR(uv_strerror(UV_EADDRINUSE), "address already in use");
    CHECK_STR(uv_err_name(UV_EOF), "EOF");
    CHECK_STR(uv_strerror(UV_EOF), "end of file");
    CHECK_STR(uv_err_name_r(UV_EINVAL, buf, sizeof(buf)), "EINVAL");
    CHECK_STR(uv_strerror_r(UV_EINVAL, buf, sizeof(buf)), "invalid argument");
    CHECK_STR(uv_strerror_r(UV_EINVAL, buf, 8), "invalid");
}

TEST(an_unknown_error_is_named_by_its_number) {
    char buf[48];
    CHECK_STR(uv_strerror_r(1337, buf, sizeof(buf)), "Unknown system error 1337");
    CHECK_STR(uv_err_name_r(-9999, buf, sizeof(buf)), "Unknown system error -9999");
    CHECK_STR(uv_strerror(1337), "Unknown system error 1337");
    CHECK_STR(uv_err_name(1338), "Unknown system error 1338");
    CHECK(uv_strerror(1337) == uv_strerror(1337));
}

TEST(system_errors_become_negative_and_library_errors_stay) {
    CHECK_EQ(uv_translate_sys_error(EPERM), UV_EPERM);
    CHECK_EQ(uv_translate_sys_error(UV_EINVAL), UV_EINVAL);
    CHECK_EQ(uv_translate_sys_error(0), 0);
}

TEST(the_version_is_that_of_the_interface) {
    CHECK_EQ(uv_version(), UV_VERSION_HEX);
    CHECK_EQ(uv_version() >> 8, 0x0135);
    CHECK_STR(uv_version_string(), "1.53.0");
}

static int allocations;

static void* counting_malloc(size_t size) {
    allocations++;
    return malloc(size);
}

TEST(a_replaced_allocator_serves_every_allocation) {
    uv_loop_t loop;
    CHECK_EQ(uv_replace_allocator(NULL, realloc, calloc, free), UV_EINVAL);
    CHECK_EQ(uv_replace_allocator(malloc, NULL, calloc, free), UV_EINVAL);
    CHECK_EQ(uv_replace_allocator(malloc, realloc, NULL, free), UV_EINVAL);
    CHECK_EQ(uv_replace_allocator(malloc, realloc, calloc, NULL), UV_EINVAL);
    CHECK_OK(uv_replace_allocator(counting_malloc, realloc, calloc, free));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_GT(allocations, 0);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(library_shutdown_may_be_called_more_than_once) {
    uv_loop_t loop;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_close(&loop));
    uv_library_shutdown();
    uv_library_shutdown();
}
