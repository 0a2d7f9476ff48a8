/* Which folders a watched tree has, after they have come, gone and moved. */

#include <sys/stat.h>
#include <unistd.h>

#include "behaviour/fs/fs_event.h"

static uv_loop_t loop;
static uv_fs_event_t watcher;

static void make_folders(void) {
    CHECK_OK(mkdir("root", 0700));
    CHECK_OK(mkdir("root/a", 0700));
    CHECK_OK(mkdir("root/a/b", 0700));
    CHECK_OK(mkdir("root/a/b/c", 0700));
    CHECK_OK(mkdir("root/a/bb", 0700));
    CHECK_OK(mkdir("root/d", 0700));
}

static void begin(unsigned flags) {
    make_folders();
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &watcher, "root", flags);
}

/* Everything that was told before this has been told when it returns. */
static void wait_for_all(void) {
    static int number;
    char path[64], name[32];
    snprintf(name, sizeof(name), "last-%d", number++);
    snprintf(path, sizeof(path), "root/%s", name);
    make_file(path);
    wait_for(&loop, &watcher, name, UV_RENAME);
}

static void end(void) {
    end_watching(&loop, &watcher, 1);
}

TEST(new_folder_is_not_entered_without_the_flag) {
    begin(0);
    CHECK_OK(mkdir("root/new", 0700));
    wait_for(&loop, &watcher, "new", UV_RENAME);
    make_file("root/new/file");
    wait_for_all();
    CHECK_EQ(count_of(&watcher, "new/file", 0), 0);
    CHECK_EQ(count_of(&watcher, "file", 0), 0);
    end();
}

TEST(folder_below_a_folder_that_moves_out_of_the_tree_is_not_told_of) {
    begin(UV_FS_EVENT_RECURSIVE);
    CHECK_OK(rename("root/a/b", "outside"));
    wait_for(&loop, &watcher, "a/b", UV_RENAME);
    wait_for_all();
    int before = seen_count;
    make_file("outside/file");
    make_file("outside/c/file");
    wait_for_all();
    CHECK_EQ(count_of(&watcher, "a/b/file", 0), 0);
    CHECK_EQ(count_of(&watcher, "a/b/c/file", 0), 0);
    CHECK_EQ(seen_count - before, count_of(&watcher, "last-1", 0));
    end();
}

TEST(folder_that_moves_inside_of_the_tree_has_its_new_name_alone) {
    begin(UV_FS_EVENT_RECURSIVE);
    CHECK_OK(rename("root/a/b", "root/d/e"));
    wait_for(&loop, &watcher, "d/e", UV_RENAME);
    CHECK_EQ(count_of(&watcher, "a/b", UV_RENAME), 1);
    make_file("root/d/e/file");
    wait_for(&loop, &watcher, "d/e/file", UV_RENAME);
    make_file("root/d/e/c/file");
    wait_for(&loop, &watcher, "d/e/c/file", UV_RENAME);
    CHECK_EQ(count_of(&watcher, "a/b/file", 0), 0);
    CHECK_EQ(count_of(&watcher, "a/b/c/file", 0), 0);
    end();
}

TEST(folder_whose_name_begins_like_anothers_is_another) {
    begin(UV_FS_EVENT_RECURSIVE);
    CHECK_OK(rename("root/a/bb", "gone"));
    wait_for(&loop, &watcher, "a/bb", UV_RENAME);
    make_file("root/a/b/file");
    wait_for(&loop, &watcher, "a/b/file", UV_RENAME);
    make_file("gone/file");
    wait_for_all();
    CHECK_EQ(count_of(&watcher, "a/bb/file", 0), 0);
    end();
}

TEST(folder_that_goes_and_comes_again_is_watched_again) {
    begin(UV_FS_EVENT_RECURSIVE);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(rmdir("root/a/b/c"));
        CHECK_OK(mkdir("root/a/b/c", 0700));
        wait_for_all();
        forget_seen();
        make_file("root/a/b/c/file");
        wait_for(&loop, &watcher, "a/b/c/file", UV_RENAME);
        CHECK_OK(unlink("root/a/b/c/file"));
        wait_for_all();
    }
    end();
}

TEST(watching_again_begins_anew) {
    begin(UV_FS_EVENT_RECURSIVE);
    CHECK_EQ(uv_fs_event_start(&watcher, record, "root/d", 0), UV_EINVAL);
    CHECK_OK(uv_fs_event_stop(&watcher));
    CHECK(!uv_is_active((uv_handle_t*)&watcher));
    make_file("root/unseen");
    CHECK_OK(uv_fs_event_start(&watcher, record, "root/d", 0));
    make_file("root/d/file");
    wait_for(&loop, &watcher, "file", UV_RENAME);
    CHECK_EQ(count_of(&watcher, "unseen", 0), 0);
    uv_close((uv_handle_t*)&watcher, NULL);
    CHECK_EQ(uv_fs_event_start(&watcher, record, "root", 0), UV_EINVAL);
    end();
}
