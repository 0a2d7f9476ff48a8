/* Watching in a child that goes on with its parent's loop. */

#include "fs_event.h"

#include <sys/wait.h>

TEST(child_and_parent_both_see_a_change_after_a_fork) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    int ready[2];
    char byte;
    CHECK_OK(pipe(ready));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    watch_path(&loop, &handle, "folder", 0);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_EQ(write(ready[1], "r", 1), 1);
        wait_for(&loop, &handle, "file", UV_RENAME);
        end_watching(&loop, &handle, 1);
        _exit(0);
    }
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    make_file("folder/file");
    wait_for(&loop, &handle, "file", UV_RENAME);
    CHECK_EQ(test_child_status(child), 0);
    close(ready[0]);
    close(ready[1]);
    end_watching(&loop, &handle, 1);
}

static uv_loop_t* forked_loop;
static pid_t forked_child = -1;

static void fork_here(uv_fs_event_t* handle, const char* name, int events, int status) {
    record(handle, name, events, status);
    if (forked_child != -1)
        return;
    forked_child = fork();
    CHECK_GE(forked_child, 0);
    if (forked_child == 0)
        CHECK_OK(uv_loop_fork(forked_loop));
}

TEST(callback_may_fork_and_go_on_with_the_loop_in_the_child) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, fork_here, "folder", 0));
    forked_loop = &loop;
    make_file("folder/first");
    make_file("folder/second");
    wait_for(&loop, &handle, "first", UV_RENAME);
    if (forked_child == 0) {
        make_file("folder/childs");
        wait_for(&loop, &handle, "childs", UV_RENAME);
        end_watching(&loop, &handle, 1);
        _exit(0);
    }
    wait_for(&loop, &handle, "second", UV_RENAME);
    int status;
    CHECK_EQ(waitpid(forked_child, &status, 0), forked_child);
    CHECK_EQ(status, 0);
    end_watching(&loop, &handle, 1);
}

/* Both events are at hand when the first is told. */
TEST(child_of_a_callback_is_not_told_what_its_parent_still_has_to_hear) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, fork_here, "folder", 0));
    forked_loop = &loop;
    make_file("folder/first");
    make_file("folder/second");
    wait_for(&loop, &handle, "first", UV_RENAME);
    if (forked_child == 0) {
        make_file("folder/childs");
        wait_for(&loop, &handle, "childs", UV_RENAME);
        bool heard = count_of(&handle, "second", 0) > 0;
        end_watching(&loop, &handle, 1);
        _exit(heard);
    }
    int status;
    CHECK_EQ(waitpid(forked_child, &status, 0), forked_child);
    CHECK_EQ(status, 0);
    end_watching(&loop, &handle, 1);
}

/* Memory of before the fork, each block behind a mark that says whether it is. */
enum { MARK_SIZE = 16 };
static bool counting;
static long blocks;

static void* marked(char* block) {
    if (block == NULL)
        return NULL;
    *block = counting;
    blocks += counting;
    return block + MARK_SIZE;
}

static void* marked_malloc(size_t size) {
    return marked(malloc(MARK_SIZE + size));
}

static void* marked_calloc(size_t count, size_t size) {
    return marked(calloc(1, MARK_SIZE + count * size));
}

static void marked_free(void* block) {
    if (block == NULL)
        return;
    char* whole = (char*)block - MARK_SIZE;
    blocks -= *whole;
    free(whole);
}

static void* marked_realloc(void* block, size_t size) {
    if (block == NULL)
        return marked_malloc(size);
    char* whole = realloc((char*)block - MARK_SIZE, MARK_SIZE + size);
    return whole != NULL ? whole + MARK_SIZE : NULL;
}

TEST(child_that_ends_watching_gives_back_its_parents_memory) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_replace_allocator(marked_malloc, marked_realloc, marked_calloc, marked_free));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    counting = true;
    watch_path(&loop, &handle, "folder", 0);
    counting = false;
    CHECK_GT(blocks, 0);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        end_watching(&loop, &handle, 1);
        _exit(blocks != 0);
    }
    CHECK_EQ(test_child_status(child), 0);
    end_watching(&loop, &handle, 1);
    CHECK_EQ(blocks, 0);
}

TEST(recursive_handle_goes_on_in_the_child) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    CHECK_OK(mkdir("folder/sub", 0700));
    watch_path(&loop, &handle, "folder", UV_FS_EVENT_RECURSIVE);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        make_file("folder/sub/file");
        wait_for(&loop, &handle, "sub/file", UV_RENAME);
        end_watching(&loop, &handle, 1);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    end_watching(&loop, &handle, 1);
}
