/* What the kernel watches for the handles: as many places as they need, and each event told once.
 */

#include "fs_event.h"

#include <sys/wait.h>

/* Lines "inotify wd:..." of the process's only inotify descriptor, of which there are
 * `*descriptors`. */
static int count_watches(int* descriptors) {
    int watches = 0;
    *descriptors = 0;
    for (int fd = 0; fd < 256; fd++) {
        char path[64], text[4096] = "";
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        ssize_t length = readlink(path, text, sizeof(text) - 1);
        if (length <= 0 || strncmp(text, "anon_inode:inotify", 18) != 0)
            continue;
        ++*descriptors;
        snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
        FILE* file = fopen(path, "re");
        CHECK(file != NULL);
        while (fgets(text, sizeof(text), file) != NULL)
            watches += strncmp(text, "inotify wd:", 11) == 0;
        fclose(file);
    }
    return watches;
}

static int kernel_watches(void) {
    int descriptors;
    int watches = count_watches(&descriptors);
    CHECK_EQ(descriptors, 1);
    return watches;
}

TEST(path_that_nobody_watches_any_more_is_not_watched_by_the_kernel) {
    uv_loop_t loop;
    uv_fs_event_t handles[3];
    CHECK_OK(mkdir("folder", 0700));
    CHECK_OK(mkdir("other", 0700));
    CHECK_OK(uv_loop_init(&loop));
    watch_path(&loop, &handles[0], "folder", 0);
    watch_path(&loop, &handles[1], "folder", 0);
    watch_path(&loop, &handles[2], "other", 0);
    CHECK_EQ(kernel_watches(), 2);
    CHECK_OK(uv_fs_event_stop(&handles[0]));
    CHECK_EQ(kernel_watches(), 2);
    CHECK_OK(uv_fs_event_stop(&handles[2]));
    CHECK_EQ(kernel_watches(), 1);
    CHECK_OK(uv_fs_event_stop(&handles[1]));
    CHECK_EQ(kernel_watches(), 0);
    end_watching(&loop, handles, 3);
}

enum { PLACES = 40 };

static void check_each_is_told(uv_loop_t* loop, uv_fs_event_t* handles, int from, int to) {
    char path[64];
    for (int i = from; i < to; i++) {
        seen_count = 0;
        snprintf(path, sizeof(path), "%d/file", i);
        make_file(path);
        wait_for(loop, &handles[i], "file", UV_RENAME);
        CHECK_EQ(seen_count, 1);
        CHECK_OK(unlink(path));
        wait_for(loop, &handles[i], "file", UV_RENAME);
    }
}

/* Numbers of watches go up, and are not used again for long: some are far from each other. */
TEST(each_of_many_handles_is_told_of_its_own_folder) {
    uv_loop_t loop;
    uv_fs_event_t handles[PLACES], spare;
    char path[64];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &spare));
    for (int i = 0; i < PLACES; i++) {
        snprintf(path, sizeof(path), "%d", i);
        CHECK_OK(mkdir(path, 0700));
        watch_path(&loop, &handles[i], path, 0);
        for (int j = 0; i % 8 == 7 && j < 24; j++) {
            CHECK_OK(uv_fs_event_start(&spare, record, ".", 0));
            CHECK_OK(uv_fs_event_stop(&spare));
        }
    }
    check_each_is_told(&loop, handles, 0, PLACES);
    for (int i = 0; i < PLACES; i += 2)
        CHECK_OK(uv_fs_event_stop(&handles[i]));
    for (int i = 1; i < PLACES; i += 2)
        check_each_is_told(&loop, handles, i, i + 1);
    CHECK_EQ(kernel_watches(), PLACES / 2);
    uv_close((uv_handle_t*)&spare, NULL);
    end_watching(&loop, handles, PLACES);
}

/* Fewer events at a time than the last time: what is left of those is not told again. */
TEST(event_is_told_once) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(mkdir("folder", 0700));
    watch_path(&loop, &handle, "folder", 0);
    for (int i = 4; i > 0; i--) {
        char path[] = "folder/0", name[] = "0";
        seen_count = 0;
        for (int j = 0; j < i; j++) {
            path[7] = name[0] = (char)('a' + i * 4 + j);
            make_file(path);
        }
        wait_for(&loop, &handle, name, UV_RENAME);
        CHECK_EQ(seen_count, i);
    }
    end_watching(&loop, &handle, 1);
}

static void read_file(const char* path) {
    char byte;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK_GE(fd, 0);
    CHECK_EQ(read(fd, &byte, 1), 1);
    close(fd);
}

/* Not of more than its parent was, either. */
TEST(child_watches_with_one_descriptor_of_its_own_what_its_parent_watched) {
    uv_loop_t loop;
    uv_fs_event_t handles[3];
    CHECK_OK(uv_loop_init(&loop));
    make_file("one");
    append_to("one");
    make_file("two");
    CHECK_OK(mkdir("folder", 0700));
    watch_path(&loop, &handles[0], "one", 0);
    watch_path(&loop, &handles[1], "two", 0);
    watch_path(&loop, &handles[2], "folder", 0);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_EQ(kernel_watches(), 3);
        read_file("one");
        append_to("two");
        make_file("folder/file");
        wait_for(&loop, &handles[2], "file", UV_RENAME);
        CHECK_EQ(count_of(&handles[0], "one", 0), 0);
        CHECK_EQ(count_of(&handles[1], "two", UV_CHANGE), 1);
        CHECK_EQ(seen_count, 2);
        for (int i = 0; i < 3; i++)
            CHECK_OK(uv_fs_event_stop(&handles[i]));
        CHECK_EQ(kernel_watches(), 0);
        end_watching(&loop, handles, 3);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    end_watching(&loop, handles, 3);
}
