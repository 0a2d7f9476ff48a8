// wrap: inotify_add_watch inotify_init1 read malloc calloc
/* What the kernel or the memory can refuse to a watching handle, and what it can lose. */

#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static int refused_watch = -1; /* counts down to the call that fails */
static int refused_memory = -1;
static bool refuse_init;
static bool overflow_next;

int __real_inotify_add_watch(int fd, const char* path, uint32_t mask);
int __wrap_inotify_add_watch(int fd, const char* path, uint32_t mask);
int __real_inotify_init1(int flags);
int __wrap_inotify_init1(int flags);
ssize_t __real_read(int fd, void* buffer, size_t size);
ssize_t __wrap_read(int fd, void* buffer, size_t size);
void* __real_malloc(size_t size);
void* __wrap_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __wrap_calloc(size_t count, size_t size);

int __wrap_inotify_add_watch(int fd, const char* path, uint32_t mask) {
    if (refused_watch >= 0 && refused_watch-- == 0) {
        errno = ENOSPC;
        return -1;
    }
    return __real_inotify_add_watch(fd, path, mask);
}

int __wrap_inotify_init1(int flags) {
    if (refuse_init) {
        errno = EMFILE;
        return -1;
    }
    return __real_inotify_init1(flags);
}

/* Puts the kernel's mark for lost events in the place of what it had to tell. */
ssize_t __wrap_read(int fd, void* buffer, size_t size) {
    ssize_t length = __real_read(fd, buffer, size);
    if (overflow_next && length > 0) {
        struct inotify_event lost = {.wd = -1, .mask = IN_Q_OVERFLOW};
        overflow_next = false;
        memcpy(buffer, &lost, sizeof(lost));
        return sizeof(lost);
    }
    return length;
}

static bool memory_refused(void) {
    return refused_memory >= 0 && refused_memory-- == 0;
}

void* __wrap_malloc(size_t size) {
    return memory_refused() ? NULL : __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size) {
    return memory_refused() ? NULL : __real_calloc(count, size);
}

static int calls;
static int nameless;
static int errors;
static char last_name[256];

static void on_event(uv_fs_event_t* handle, const char* name, int events, int status) {
    (void)handle;
    calls++;
    if (status != 0)
        errors = status;
    else if (name == NULL)
        nameless = events;
    snprintf(last_name, sizeof(last_name), "%s", name != NULL ? name : "");
}

static void make_tree(void) {
    CHECK_OK(mkdir("root", 0700));
    CHECK_OK(mkdir("root/a", 0700));
    CHECK_OK(mkdir("root/a/b", 0700));
    CHECK_OK(mkdir("root/c", 0700));
}

static void make_file(const char* path) {
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK_GE(fd, 0);
    close(fd);
}

static void end(uv_loop_t* loop, uv_fs_event_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
    CHECK_OK(uv_loop_close(loop));
}

TEST(start_without_an_inotify_descriptor_gives_its_error) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    refuse_init = true;
    CHECK_EQ(uv_fs_event_start(&handle, on_event, ".", 0), UV_EMFILE);
    CHECK(!uv_is_active((uv_handle_t*)&handle));
    refuse_init = false;
    CHECK_OK(uv_fs_event_start(&handle, on_event, ".", 0));
    end(&loop, &handle);
}

TEST(watch_limit_anywhere_in_a_tree_fails_the_start) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    for (int i = 0; i < 4; i++) {
        refused_watch = i;
        CHECK_EQ(uv_fs_event_start(&handle, on_event, "root", UV_FS_EVENT_RECURSIVE), UV_ENOSPC);
        CHECK(!uv_is_active((uv_handle_t*)&handle));
        CHECK_EQ(refused_watch, -1);
    }
    refused_watch = 4;
    CHECK_OK(uv_fs_event_start(&handle, on_event, "root", UV_FS_EVENT_RECURSIVE));
    refused_watch = -1;
    end(&loop, &handle);
}

TEST(failed_allocation_at_start_changes_nothing) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    int failures = 0;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    for (;; failures++) {
        CHECK_LT(failures, 100);
        refused_memory = failures;
        int err = uv_fs_event_start(&handle, on_event, "root", UV_FS_EVENT_RECURSIVE);
        bool refused = refused_memory == -1;
        refused_memory = -1;
        if (err == 0 && !refused)
            break;
        if (err == 0) { /* a table that could not grow yet */
            CHECK_OK(uv_fs_event_stop(&handle));
            continue;
        }
        CHECK_EQ(err, UV_ENOMEM);
        CHECK(!uv_is_active((uv_handle_t*)&handle));
    }
    CHECK_GT(failures, 5);
    make_file("root/a/b/file");
    while (calls == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(last_name, "a/b/file");
    end(&loop, &handle);
}

TEST(watch_limit_for_a_new_folder_is_told_with_its_name) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, on_event, "root", UV_FS_EVENT_RECURSIVE));
    refused_watch = 0;
    CHECK_OK(mkdir("root/a/new", 0700));
    while (errors == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(errors, UV_ENOSPC);
    CHECK_STR(last_name, "a/new");
    CHECK_EQ(calls, 2);
    end(&loop, &handle);
}

TEST(lost_events_are_told_without_a_name_and_new_folders_are_found) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, on_event, "root", UV_FS_EVENT_RECURSIVE));
    CHECK_OK(rename("root/a", "root/z"));
    CHECK_OK(mkdir("root/z/new", 0700));
    overflow_next = true;
    while (calls == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(nameless, UV_RENAME | UV_CHANGE);
    CHECK_EQ(calls, 1);
    make_file("root/z/new/file");
    while (calls == 1)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(last_name, "z/new/file");
    end(&loop, &handle);
}

static void on_poll(uv_fs_poll_t* handle, int status, const uv_stat_t* prev,
                    const uv_stat_t* curr) {
    (void)handle;
    (void)status;
    (void)prev;
    (void)curr;
}

TEST(failed_allocation_leaves_a_stat_poll_stopped) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    refused_memory = 0;
    CHECK_EQ(uv_fs_poll_start(&handle, on_poll, "file", 10), UV_ENOMEM);
    refused_memory = -1;
    CHECK(!uv_is_active((uv_handle_t*)&handle));
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_OK(uv_loop_close(&loop));
}
