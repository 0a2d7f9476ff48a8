/* UV_FS_EVENT_RECURSIVE, which libuv ignores on Linux: the names are relative to the root. */

#include "fs_event.h"

static void make_tree(void) {
    CHECK_OK(mkdir("root", 0700));
    CHECK_OK(mkdir("root/a", 0700));
    CHECK_OK(mkdir("root/a/b", 0700));
    CHECK_OK(mkdir("root/c", 0700));
    make_file("root/a/b/file");
}

static void begin(uv_loop_t* loop, uv_fs_event_t* handle) {
    make_tree();
    CHECK_OK(uv_loop_init(loop));
    watch_path(loop, handle, "root", UV_FS_EVENT_RECURSIVE);
}

TEST(recursive_handle_tells_a_change_deep_below) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    append_to("root/a/b/file");
    wait_for(&loop, &handle, "a/b/file", UV_CHANGE);
    CHECK_EQ(seen_count, 1);
    make_file("root/top");
    wait_for(&loop, &handle, "top", UV_RENAME);
    end_watching(&loop, &handle, 1);
}

TEST(handle_without_the_flag_does_not_see_below) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &handle, "root", 0);
    append_to("root/a/b/file");
    make_file("root/last");
    wait_for(&loop, &handle, "last", UV_RENAME);
    CHECK_EQ(count_of(&handle, "a/b/file", 0), 0);
    CHECK_EQ(count_of(&handle, "file", 0), 0);
    end_watching(&loop, &handle, 1);
}

TEST(files_in_a_new_folder_are_told_however_early_they_come) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    CHECK_OK(mkdir("root/new", 0700));
    CHECK_OK(mkdir("root/new/deep", 0700));
    make_file("root/new/deep/early");
    wait_for(&loop, &handle, "new/deep/early", UV_RENAME);
    CHECK_EQ(count_of(&handle, "new", UV_RENAME), 1);
    CHECK_GE(count_of(&handle, "new/deep", UV_RENAME), 1);
    make_file("root/new/deep/late");
    wait_for(&loop, &handle, "new/deep/late", UV_RENAME);
    CHECK_EQ(count_of(&handle, "new/deep/late", UV_RENAME), 1);
    append_to("root/new/deep/early");
    wait_for(&loop, &handle, "new/deep/early", UV_CHANGE);
    end_watching(&loop, &handle, 1);
}

TEST(moved_folder_is_told_under_its_new_name_only) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    CHECK_OK(rename("root/a", "root/z"));
    wait_for(&loop, &handle, "z", UV_RENAME);
    CHECK_EQ(count_of(&handle, "a", UV_RENAME), 1);
    seen_count = 0;
    append_to("root/z/b/file");
    wait_for(&loop, &handle, "z/b/file", UV_CHANGE);
    CHECK_EQ(count_of(&handle, "a/b/file", 0), 0);
    end_watching(&loop, &handle, 1);
}

TEST(folder_moved_out_of_the_tree_is_not_watched_any_more) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    CHECK_OK(rename("root/a", "outside"));
    wait_for(&loop, &handle, "a", UV_RENAME);
    seen_count = 0;
    append_to("outside/b/file");
    make_file("root/last");
    wait_for(&loop, &handle, "last", UV_RENAME);
    CHECK_EQ(seen_count, 1);
    end_watching(&loop, &handle, 1);
}

TEST(removed_and_recreated_folder_is_watched_again) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    for (int i = 0; i < 20; i++) {
        CHECK_OK(rmdir("root/c"));
        CHECK_OK(mkdir("root/c", 0700));
    }
    wait_for(&loop, &handle, "c", UV_RENAME);
    make_file("root/last");
    wait_for(&loop, &handle, "last", UV_RENAME);
    make_file("root/c/file");
    wait_for(&loop, &handle, "c/file", UV_RENAME);
    end_watching(&loop, &handle, 1);
}

TEST(folder_whose_mode_changes_is_watched_on) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    CHECK_OK(chmod("root/a", 0750));
    wait_for(&loop, &handle, "a", UV_CHANGE);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(seen_count, 1);
    append_to("root/a/b/file");
    wait_for(&loop, &handle, "a/b/file", UV_CHANGE);
    make_file("root/a/new");
    wait_for(&loop, &handle, "a/new", UV_RENAME);
    end_watching(&loop, &handle, 1);
}

static void restart_elsewhere(uv_fs_event_t* handle, const char* name, int events, int status) {
    record(handle, name, events, status);
    CHECK_OK(uv_fs_event_stop(handle));
    CHECK_OK(uv_fs_event_start(handle, record, "root/c", UV_FS_EVENT_RECURSIVE));
}

TEST(handle_restarted_while_a_new_folder_is_told_hears_of_its_new_place_alone) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, restart_elsewhere, "root", UV_FS_EVENT_RECURSIVE));
    CHECK_OK(mkdir("root/new", 0700));
    make_file("root/new/one");
    wait_for(&loop, &handle, "new", UV_RENAME);
    make_file("root/c/file");
    wait_for(&loop, &handle, "file", UV_RENAME);
    CHECK_EQ(seen_count, 2);
    end_watching(&loop, &handle, 1);
}

/* The path from the root is as long as the system takes one. */
TEST(file_deep_below_is_told_with_its_whole_name) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    char folder[201], file[151], path[4096];
    size_t size = sizeof(path), length = 0, depth = 0;
    memset(folder, 'f', sizeof(folder) - 1);
    memset(file, 'g', sizeof(file) - 1);
    folder[200] = file[150] = '\0';
    CHECK_OK(uv_cwd(path, &size));
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &handle, path, UV_FS_EVENT_RECURSIVE);
    for (; size + length + 201 < 4090; depth++, length += 201) {
        CHECK_OK(mkdir(folder, 0700));
        CHECK_OK(chdir(folder));
    }
    make_file(file);
    while (longest_seen < length)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(longest_seen, length + 150);
    longest_seen = 0;
    append_to(file);
    while (longest_seen == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(longest_seen, length + 150);
    CHECK_OK(unlink(file));
    for (; depth > 0; depth--) {
        CHECK_OK(chdir(".."));
        CHECK_OK(rmdir(folder));
    }
    end_watching(&loop, &handle, 1);
}

TEST(folder_moved_over_an_empty_one_is_watched_in_its_place) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    CHECK_OK(rename("root/a/b", "root/c"));
    wait_for(&loop, &handle, "c", UV_RENAME);
    uv_run(&loop, UV_RUN_NOWAIT);
    append_to("root/c/file");
    wait_for(&loop, &handle, "c/file", UV_CHANGE);
    CHECK_EQ(count_of(&handle, "c/file", UV_CHANGE), 1);
    end_watching(&loop, &handle, 1);
}

TEST(symbolic_links_to_folders_are_not_followed) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(mkdir("elsewhere", 0700));
    CHECK_OK(mkdir("root", 0700));
    CHECK_OK(symlink("../elsewhere", "root/link"));
    CHECK_OK(symlink("..", "root/circle"));
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &handle, "root", UV_FS_EVENT_RECURSIVE);
    make_file("elsewhere/file");
    make_file("root/last");
    wait_for(&loop, &handle, "last", UV_RENAME);
    CHECK_EQ(seen_count, 1);
    end_watching(&loop, &handle, 1);
}

TEST(new_folders_are_found_after_the_program_changed_its_own) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    begin(&loop, &handle);
    CHECK_OK(chdir("root/c"));
    CHECK_OK(mkdir("new", 0700));
    wait_for(&loop, &handle, "c/new", UV_RENAME);
    make_file("new/file");
    wait_for(&loop, &handle, "c/new/file", UV_RENAME);
    CHECK_OK(chdir("../.."));
    end_watching(&loop, &handle, 1);
}

TEST(recursive_and_plain_handles_share_a_folder) {
    uv_loop_t loop;
    uv_fs_event_t handles[3];
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &handles[0], "root", UV_FS_EVENT_RECURSIVE);
    watch_path(&loop, &handles[1], "root/a/b", 0);
    watch_path(&loop, &handles[2], "root/a", UV_FS_EVENT_RECURSIVE);
    append_to("root/a/b/file");
    wait_for(&loop, &handles[2], "b/file", UV_CHANGE);
    CHECK_EQ(count_of(&handles[0], "a/b/file", UV_CHANGE), 1);
    CHECK_EQ(count_of(&handles[1], "file", UV_CHANGE), 1);
    CHECK_OK(uv_fs_event_stop(&handles[0]));
    seen_count = 0;
    append_to("root/a/b/file");
    wait_for(&loop, &handles[2], "b/file", UV_CHANGE);
    CHECK_EQ(count_of(&handles[0], "a/b/file", UV_CHANGE), 0);
    CHECK_EQ(count_of(&handles[1], "file", UV_CHANGE), 1);
    end_watching(&loop, handles, 3);
}

static void stop_here(uv_fs_event_t* handle, const char* name, int events, int status) {
    record(handle, name, events, status);
    CHECK_OK(uv_fs_event_stop(handle));
}

TEST(handle_stopped_while_a_new_folder_is_told_hears_nothing_more) {
    uv_loop_t loop;
    uv_fs_event_t handles[2];
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handles[0]));
    CHECK_OK(uv_fs_event_start(&handles[0], stop_here, "root", UV_FS_EVENT_RECURSIVE));
    watch_path(&loop, &handles[1], "root", UV_FS_EVENT_RECURSIVE);
    CHECK_OK(mkdir("root/new", 0700));
    make_file("root/new/one");
    make_file("root/new/two");
    wait_for(&loop, &handles[1], "new/two", UV_RENAME);
    CHECK_EQ(count_of(&handles[0], "new", UV_RENAME), 1);
    CHECK_EQ(count_of(&handles[0], "new/one", 0), 0);
    CHECK_EQ(count_of(&handles[0], "new/two", 0), 0);
    end_watching(&loop, handles, 2);
}

TEST(tree_may_be_named_from_the_root_of_the_file_system) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    char path[4096];
    size_t size = sizeof(path) - 5;
    make_tree();
    CHECK_OK(uv_cwd(path, &size));
    strcpy(path + size, "/root");
    CHECK_OK(uv_loop_init(&loop));
    test_dirty_stack();
    watch_path(&loop, &handle, path, UV_FS_EVENT_RECURSIVE);
    append_to("root/a/b/file");
    wait_for(&loop, &handle, "a/b/file", UV_CHANGE);
    CHECK_EQ(seen_count, 1);
    end_watching(&loop, &handle, 1);
}

TEST(recursive_watch_of_a_single_file_works) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    make_file("file");
    watch_path(&loop, &handle, "file", UV_FS_EVENT_RECURSIVE);
    append_to("file");
    wait_for(&loop, &handle, "file", UV_CHANGE);
    end_watching(&loop, &handle, 1);
}

TEST(thousand_folders_come_and_go) {
    enum { FOLDERS = 1000 };
    uv_loop_t loop;
    uv_fs_event_t handle;
    char path[64];
    begin(&loop, &handle);
    for (int i = 0; i < FOLDERS; i++) {
        snprintf(path, sizeof(path), "root/c/%d", i);
        CHECK_OK(mkdir(path, 0700));
    }
    make_file("root/c/999/file");
    wait_for(&loop, &handle, "c/999/file", UV_RENAME);
    CHECK_OK(unlink("root/c/999/file"));
    for (int i = 0; i < FOLDERS; i++) {
        snprintf(path, sizeof(path), "root/c/%d", i);
        CHECK_OK(rmdir(path));
    }
    seen_count = 0;
    wait_for(&loop, &handle, "c/999", UV_RENAME);
    make_file("root/c/last");
    wait_for(&loop, &handle, "c/last", UV_RENAME);
    end_watching(&loop, &handle, 1);
}
