/* What names of pipes take from the loop's memory: no byte too few, and nothing for ever. */

#include "guarded.h"

static uv_loop_t loop;
static uv_pipe_t first, second, third;

TEST(names_of_pipes_are_kept_whole_and_given_back) {
    char name[200];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    guard_memory();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe_init(&loop, &first, 0));
    CHECK_OK(uv_pipe_init(&loop, &second, 0));
    CHECK_OK(uv_pipe_init(&loop, &third, 0));
    CHECK_OK(uv_pipe_bind(&third, "third")); /* what the loop keeps is there from now on */
    int before = held;
    CHECK_EQ(uv_pipe_bind(&first, "missing/name"), UV_EACCES);
    CHECK_EQ(held, before);
    CHECK_OK(uv_pipe_bind(&first, name));
    CHECK_EQ(uv_pipe_bind(&second, name), UV_EADDRINUSE);
    uv_close((uv_handle_t*)&first, NULL);
    uv_close((uv_handle_t*)&second, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(held, before);
    uv_close((uv_handle_t*)&third, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(held, 0);
}
