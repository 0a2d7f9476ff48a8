/* The process title: its memory goes with the library. */

#include "faults/account.h"

TEST(title_and_the_copies_of_the_arguments_go_with_the_library) {
    char memory[] = "first, and a gap, second";
    char* arguments[] = {memory, strstr(memory, "second"), NULL};
    char buffer[64];
    memory[strlen("first")] = '\0';
    count_blocks();
    CHECK(uv_setup_args(0, arguments) == arguments);
    CHECK_EQ(in_use, 0);
    char** copy = uv_setup_args(2, arguments);
    CHECK_STR(copy[0], "first");
    CHECK_STR(copy[1], "second");
    CHECK(copy[2] == NULL);
    copy = uv_setup_args(2, copy);
    CHECK_STR(copy[1], "second");
    CHECK(copy[2] == NULL);
    CHECK_EQ(in_use, 2);
    CHECK_OK(uv_set_process_title("a long title"));
    CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
    CHECK_STR(buffer, "a lon"); /* the arguments are not in one piece */
    CHECK_STR(arguments[1], "second");
    uv_library_shutdown();
    CHECK_EQ(in_use, 0);
    CHECK_EQ(uv_set_process_title("title"), UV_ENOBUFS);
    CHECK_EQ(uv_get_process_title(buffer, sizeof(buffer)), UV_ENOBUFS);
}

TEST(title_of_a_program_without_arguments_has_the_room_of_its_name) {
    char name[] = "program";
    char* arguments[] = {name, NULL};
    char buffer[16];
    char** copy = uv_setup_args(1, arguments);
    CHECK(copy != arguments);
    CHECK_STR(copy[0], "program");
    CHECK_OK(uv_set_process_title("a long title"));
    CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
    CHECK_STR(buffer, "a long ");
}
