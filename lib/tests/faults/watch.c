// wrap: inotify_add_watch inotify_init1 read malloc calloc free
/* What the kernel or the memory can refuse to a watching handle, and what it can lose. */

#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

static int held; /* blocks of the library and of this test */

static void* counted(void* block) {
    held += block != NULL;
    return block;
}

void* __wrap_malloc(size_t size) {
    return memory_refused() ? NULL : counted(__real_malloc(size));
}

void* __wrap_calloc(size_t count, size_t size) {
    return memory_refused() ? NULL : counted(__real_calloc(count, size));
}

void __real_free(void* block);
void __wrap_free(void* block);
void __wrap_free(void* block) {
    held -= block != NULL;
    __real_free(block);
}

static int calls;
static int nameless;
static int errors;
static char last_name[256];

static void on_event(uv_fs_event_t* handle, const char* name, int events, int status) {
    (void)handle;
    calls++;
    CHECK(status == 0 || events == 0);
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
    for (int i = 0; i < 20; i++) {
        char path[32];
        snprintf(path, sizeof(path), "root/c/%d", i);
        CHECK_OK(mkdir(path, 0700));
    }
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    refused_memory = 0;
    CHECK_EQ(uv_fs_event_start(&handle, on_event, ".", 0), UV_ENOMEM);
    CHECK_OK(uv_fs_event_start(&handle, on_event, ".", 0));
    CHECK_OK(uv_fs_event_stop(&handle)); /* what the loop keeps is there from now on */
    int before = held;
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
        CHECK_EQ(held, before);
    }
    CHECK_GT(failures, 25);
    make_file("root/a/b/file");
    while (calls == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(last_name, "a/b/file");
    end(&loop, &handle);
}

/* For its place, its watch, and the name of what is in it. */
TEST(new_folder_without_memory_is_an_error_with_its_name) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, on_event, "root", UV_FS_EVENT_RECURSIVE));
    int before = held;
    for (int i = 0; i < 3; i++) {
        CHECK_OK(mkdir("root/new", 0700));
        make_file("root/new/file");
        errors = 0;
        refused_memory = i;
        while (errors == 0)
            uv_run(&loop, UV_RUN_ONCE);
        CHECK_EQ(errors, UV_ENOMEM);
        CHECK_EQ(refused_memory, -1);
        CHECK_STR(last_name, "new");
        CHECK_OK(unlink("root/new/file"));
        CHECK_OK(rmdir("root/new"));
        for (int turns = 0; turns < 5; turns++)
            uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(held, before);
    }
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
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 2);
    nameless = 0;
    CHECK_OK(unlink("root/z/new/file"));
    overflow_next = true;
    while (calls == 2)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(nameless, UV_RENAME | UV_CHANGE);
    end(&loop, &handle);
}

TEST(watch_limit_after_lost_events_is_told_without_a_name) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, on_event, "root", UV_FS_EVENT_RECURSIVE));
    make_file("root/file");
    overflow_next = true;
    refused_watch = 1;
    while (errors == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(errors, UV_ENOSPC);
    CHECK_EQ(nameless, UV_RENAME | UV_CHANGE);
    CHECK_STR(last_name, "");
    CHECK_EQ(calls, 2);
    end(&loop, &handle);
}

/* The first error is told, and the others are tried all the same. */
TEST(watch_limit_after_a_fork_is_an_error_of_it) {
    uv_loop_t loop;
    uv_fs_event_t handles[3];
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_fs_event_init(&loop, &handles[i]));
        CHECK_OK(uv_fs_event_start(&handles[i], on_event, i < 2 ? "root/a" : "root/c", 0));
    }
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        CHECK_GE(child, 0);
        if (child == 0) {
            refused_watch = i;
            CHECK_EQ(uv_loop_fork(&loop), UV_ENOSPC);
            make_file("root/a/file");
            make_file("root/c/file");
            while (calls < 2)
                uv_run(&loop, UV_RUN_ONCE);
            _exit(0);
        }
        CHECK_EQ(test_child_status(child), 0);
        CHECK_OK(unlink("root/a/file"));
        CHECK_OK(unlink("root/c/file"));
    }
    for (int i = 1; i < 3; i++)
        uv_close((uv_handle_t*)&handles[i], NULL);
    end(&loop, &handles[0]);
}

TEST(fork_of_a_loop_that_watches_nothing_any_more_needs_no_inotify) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    make_tree();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    CHECK_OK(uv_fs_event_start(&handle, on_event, "root/a", 0));
    CHECK_OK(uv_fs_event_stop(&handle));
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        refuse_init = true;
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_EQ(uv_fs_event_start(&handle, on_event, "root/a", 0), UV_EMFILE);
        refuse_init = false;
        CHECK_OK(uv_fs_event_start(&handle, on_event, "root/a", 0));
        make_file("root/a/file");
        while (calls == 0)
            uv_run(&loop, UV_RUN_ONCE);
        end(&loop, &handle);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    end(&loop, &handle);
}

TEST(path_of_a_tree_that_is_too_long_is_refused) {
    uv_loop_t loop;
    uv_fs_event_t handle;
    char name[200];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &handle));
    int err = 0, depth = 0;
    for (; err == 0; depth++) {
        CHECK_OK(mkdir(name, 0700));
        err = uv_fs_event_start(&handle, on_event, name, UV_FS_EVENT_RECURSIVE);
        CHECK_OK(uv_fs_event_stop(&handle));
        CHECK_OK(chdir(name));
    }
    CHECK_EQ(err, UV_ENAMETOOLONG);
    CHECK_GT(depth, 4096 / 200 - 3); /* the test's own folder has some */
    CHECK_LE(depth, 4096 / 200 + 1);
    for (; depth > 0; depth--) {
        CHECK_OK(chdir(".."));
        CHECK_OK(rmdir(name));
    }
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
