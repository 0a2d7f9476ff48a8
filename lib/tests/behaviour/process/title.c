// threaded
/* The process title. */

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

TEST(title_before_setup_args_reports_enobufs) {
    char buffer[64];
    CHECK_EQ(uv_set_process_title("title"), UV_ENOBUFS);
    CHECK_EQ(uv_get_process_title(buffer, sizeof(buffer)), UV_ENOBUFS);
}

TEST(title_needs_a_buffer) {
    char buffer[64];
    CHECK_EQ(uv_get_process_title(NULL, 64), UV_EINVAL);
    CHECK_EQ(uv_get_process_title(buffer, 0), UV_EINVAL);
    uv_setup_args(test_argc, test_argv);
    CHECK_EQ(uv_get_process_title(NULL, 64), UV_EINVAL);
    CHECK_EQ(uv_get_process_title(buffer, 0), UV_EINVAL);
}

TEST(setup_args_gives_a_copy_of_the_arguments) {
    char** copy = uv_setup_args(test_argc, test_argv);
    CHECK(copy != test_argv);
    for (int i = 0; i < test_argc; i++) {
        CHECK(copy[i] != test_argv[i]);
        CHECK_STR(copy[i], test_argv[i]);
    }
    CHECK(copy[test_argc] == NULL);
    CHECK_OK(uv_set_process_title("title"));
    CHECK_STR(copy[1], "setup_args_gives_a_copy_of_the_arguments");
    CHECK_STR(test_argv[0], "title");
}

TEST(setup_args_without_arguments_gives_back_what_it_got) {
    char* none[] = {NULL};
    CHECK(uv_setup_args(0, none) == none);
    CHECK(uv_setup_args(-1, none) == none);
    CHECK_EQ(uv_set_process_title("title"), UV_ENOBUFS);
}

TEST(setup_args_called_twice_gives_two_copies_and_keeps_the_title) {
    char buffer[64];
    char** first = uv_setup_args(test_argc, test_argv);
    CHECK_OK(uv_set_process_title("title"));
    char** second = uv_setup_args(test_argc, first);
    CHECK_STR(first[1], "setup_args_called_twice_gives_two_copies_and_keeps_the_title");
    CHECK_STR(second[1], first[1]);
    CHECK_OK(uv_set_process_title("another"));
    CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
    CHECK_STR(buffer, "another");
    CHECK_STR(second[1], "setup_args_called_twice_gives_two_copies_and_keeps_the_title");
}

TEST(title_starts_as_the_name_of_the_program) {
    char buffer[4096];
    uv_setup_args(test_argc, test_argv);
    CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
    CHECK_STR(buffer, test_argv[0]);
}

TEST(title_is_what_the_kernel_shows) {
    char line[4096] = "", name[16];
    uv_setup_args(test_argc, test_argv);
    CHECK_OK(uv_set_process_title("shown-by-ps"));
    int fd = open("/proc/self/cmdline", O_RDONLY);
    CHECK_GT(read(fd, line, sizeof(line) - 1), 0);
    close(fd);
    CHECK_STR(line, "shown-by-ps");
    CHECK_OK(prctl(PR_GET_NAME, name));
    CHECK_STR(name, "shown-by-ps");
}

TEST(title_too_long_for_the_arguments_is_cut) {
    char memory[] = "a\0bc\0d", buffer[64], guarded[sizeof(memory) + 4];
    memset(guarded, 'x', sizeof(guarded));
    memcpy(guarded, memory, sizeof(memory));
    char* argv[] = {guarded, guarded + 2, guarded + 5, NULL};
    uv_setup_args(3, argv);
    CHECK_OK(uv_set_process_title("123456789"));
    CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
    CHECK_STR(buffer, "123456");
    CHECK_EQ(guarded[sizeof(memory)], 'x');
    CHECK_OK(uv_set_process_title("12"));
    CHECK(memcmp(guarded, "12\0\0\0\0", sizeof(memory)) == 0);
    CHECK_OK(uv_set_process_title(""));
    CHECK_OK(uv_get_process_title(buffer, 1));
    CHECK_STR(buffer, "");
}

TEST(title_into_each_too_small_buffer_reports_enobufs) {
    char buffer[8];
    uv_setup_args(test_argc, test_argv);
    CHECK_OK(uv_set_process_title("title"));
    for (size_t small = 1; small <= 5; small++)
        CHECK_EQ(uv_get_process_title(buffer, small), UV_ENOBUFS);
    CHECK_OK(uv_get_process_title(buffer, 6));
    CHECK_STR(buffer, "title");
}

static void set_and_get(void* arg) {
    char buffer[64];
    for (int i = 0; i < 2000; i++) {
        CHECK_OK(uv_set_process_title(arg));
        CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
        size_t length = strlen(buffer);
        CHECK(length == 4 || length == 9 || length == 14);
        for (size_t c = 1; c < length; c++)
            CHECK_EQ(buffer[c], buffer[0]);
    }
}

TEST(title_set_by_several_threads_is_never_mixed) {
    char* titles[] = {"aaaa", "bbbbbbbbb", "cccccccccccccc"};
    uv_thread_t threads[3];
    uv_setup_args(test_argc, test_argv);
    CHECK_OK(uv_set_process_title("aaaa"));
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_thread_create(&threads[i], set_and_get, titles[i]));
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
}
