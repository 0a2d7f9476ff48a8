/* What a watched file or folder tells, and the life of the handle. */

#include "fs_event.h"

TEST(watched_folder_tells_a_new_file_by_its_name) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    watch_path(&loop, &handle, "folder", 0);
    make_file("folder/new");
    wait_for(&loop, &handle, "new", UV_RENAME);
    append_to("folder/new");
    wait_for(&loop, &handle, "new", UV_CHANGE);
    CHECK_EQ(seen[0].events, UV_RENAME);
    CHECK_EQ(seen[0].status, 0);
    CHECK_EQ(seen[seen_count - 1].events, UV_CHANGE);
    end_watching(&loop, &handle, 1);
}

TEST(watched_folder_tells_both_names_of_a_rename) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    make_file("folder/old");
    watch_path(&loop, &handle, "folder", 0);
    CHECK_OK(rename("folder/old", "folder/new"));
    wait_for(&loop, &handle, "new", UV_RENAME);
    CHECK_EQ(seen_count, 2);
    CHECK_STR(seen[0].name, "old");
    CHECK_EQ(seen[0].events, UV_RENAME);
    end_watching(&loop, &handle, 1);
}

TEST(watched_file_is_told_by_its_last_name) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    make_file("folder/file");
    watch_path(&loop, &handle, "folder/file", 0);
    append_to("folder/file");
    wait_for(&loop, &handle, "file", UV_CHANGE);
    CHECK_EQ(seen_count, 1);
    end_watching(&loop, &handle, 1);
}

TEST(removed_file_tells_a_rename_and_stays_active) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    make_file("file");
    watch_path(&loop, &handle, "file", 0);
    CHECK_OK(unlink("file"));
    wait_for(&loop, &handle, "file", UV_RENAME);
    CHECK(uv_is_active((uv_handle_t*)&handle));
    CHECK_OK(uv_fs_event_stop(&handle));
    make_file("file");
    CHECK_OK(uv_fs_event_start(&handle, record, "file", 0));
    seen_count = 0;
    append_to("file");
    wait_for(&loop, &handle, "file", UV_CHANGE);
    end_watching(&loop, &handle, 1);
}

TEST(change_of_attributes_of_a_subfolder_counts_as_both) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    CHECK_OK(mkdir("folder/sub", 0700));
    watch_path(&loop, &handle, "folder", 0);
    CHECK_OK(chmod("folder/sub", 0750));
    wait_for(&loop, &handle, "sub", UV_CHANGE | UV_RENAME);
    end_watching(&loop, &handle, 1);
}

TEST(several_handles_on_one_file_are_all_told) {
    uv_loop_t loop;
    uv_fs_event_t handles[3];
    CHECK_OK(uv_loop_init(&loop));
    make_file("file");
    for (int i = 0; i < 3; i++)
        watch_path(&loop, &handles[i], "file", 0);
    append_to("file");
    wait_for(&loop, &handles[2], "file", UV_CHANGE);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(count_of(&handles[i], "file", UV_CHANGE), 1);
    CHECK_OK(uv_fs_event_stop(&handles[0]));
    seen_count = 0;
    append_to("file");
    wait_for(&loop, &handles[2], "file", UV_CHANGE);
    CHECK_EQ(count_of(&handles[0], "file", UV_CHANGE), 0);
    CHECK_EQ(count_of(&handles[1], "file", UV_CHANGE), 1);
    end_watching(&loop, handles, 3);
}

TEST(two_loops_watch_the_same_folder) {
    uv_loop_t loops[2];
    uv_fs_event_t handles[2];
    CHECK_OK(mkdir("folder", 0700));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_loop_init(&loops[i]));
        watch_path(&loops[i], &handles[i], "folder", 0);
    }
    make_file("folder/file");
    wait_for(&loops[0], &handles[0], "file", UV_RENAME);
    wait_for(&loops[1], &handles[1], "file", UV_RENAME);
    uv_close((uv_handle_t*)&handles[0], NULL);
    CHECK_EQ(uv_run(&loops[0], UV_RUN_DEFAULT), 0);
    CHECK_OK(uv_loop_close(&loops[0]));
    end_watching(&loops[1], &handles[1], 1);
}

TEST(start_of_a_missing_path_gives_enoent) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_EQ(uv_fs_event_start(&handle, record, "missing", 0), UV_ENOENT);
    CHECK(!uv_is_active((uv_handle_t*)&handle));
    CHECK_OK(uv_fs_event_stop(&handle));
    end_watching(&loop, &handle, 1);
}

TEST(second_start_of_an_active_handle_gives_einval) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &handle, ".", 0);
    CHECK_EQ(uv_fs_event_start(&handle, record, ".", 0), UV_EINVAL);
    CHECK(uv_is_active((uv_handle_t*)&handle));
    CHECK_OK(uv_fs_event_stop(&handle));
    CHECK_OK(uv_fs_event_stop(&handle));
    end_watching(&loop, &handle, 1);
}

TEST(getpath_says_what_size_it_needs) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    char path[16];
    size_t size = sizeof(path);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_EQ(uv_fs_event_getpath(&handle, path, &size), UV_EINVAL);
    make_file("file");
    CHECK_OK(uv_fs_event_start(&handle, record, "file", 0));
    size = 4;
    CHECK_EQ(uv_fs_event_getpath(&handle, path, &size), UV_ENOBUFS);
    CHECK_EQ(size, 5);
    CHECK_OK(uv_fs_event_getpath(&handle, path, &size));
    CHECK_EQ(size, 4);
    CHECK_STR(path, "file");
    end_watching(&loop, &handle, 1);
}

static uv_fs_event_t* victims;
static int victim_count;

static void close_all(uv_fs_event_t* handle, const char* name, int events, int status) {
    record(handle, name, events, status);
    for (int i = 0; i < victim_count; i++)
        if (!uv_is_closing((uv_handle_t*)&victims[i]))
            uv_close((uv_handle_t*)&victims[i], NULL);
}

TEST(callback_may_close_every_handle_of_its_file) {
    uv_loop_t loop;
    uv_fs_event_t handles[3];
    CHECK_OK(uv_loop_init(&loop));
    make_file("file");
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_fs_event_init(&loop, &handles[i]));
        CHECK_OK(uv_fs_event_start(&handles[i], close_all, "file", 0));
    }
    victims = handles;
    victim_count = 3;
    append_to("file");
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(seen_count, 1);
    end_watching(&loop, handles, 3);
}

static void restart(uv_fs_event_t* handle, const char* name, int events, int status) {
    record(handle, name, events, status);
    CHECK_OK(uv_fs_event_stop(handle));
    CHECK_OK(uv_fs_event_start(handle, record, "file", 0));
}

TEST(callback_may_stop_its_handle_and_start_it_again) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    make_file("file");
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, restart, "file", 0));
    append_to("file");
    wait_for(&loop, &handle, "file", UV_CHANGE);
    seen_count = 0;
    append_to("file");
    wait_for(&loop, &handle, "file", UV_CHANGE);
    CHECK(uv_is_active((uv_handle_t*)&handle));
    end_watching(&loop, &handle, 1);
}

TEST(active_handle_keeps_the_loop_alive_unless_unreferenced) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &handle, ".", 0);
    CHECK(uv_loop_alive(&loop));
    uv_unref((uv_handle_t*)&handle);
    CHECK(!uv_loop_alive(&loop));
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    end_watching(&loop, &handle, 1);
}
