// wrap: inotify_add_watch readdir opendir fstatat getcwd read
/* Trees whose folders can't be entered, read or told apart while they are watched. */

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

REPLACE(int, inotify_add_watch, (int fd, const char* path, uint32_t mask), fd, path, mask)
REPLACE_WITH(0, DIR*, opendir, (const char* path), path)
REPLACE(int, fstatat, (int fd, const char* path, struct stat* info, int flags), fd, path, info,
        flags)
REPLACE_WITH(0, char*, getcwd, (char* buffer, size_t size), buffer, size)

static bool without_types, twice, overflow;
struct dirent* __real_readdir(DIR* dir);
struct dirent* __wrap_readdir(DIR* dir);
ssize_t __real_read(int fd, void* buffer, size_t size);
ssize_t __wrap_read(int fd, void* buffer, size_t size);

/* Some file systems do not say what an entry is. */
struct dirent* __wrap_readdir(DIR* dir) {
    struct dirent* entry = __real_readdir(dir);
    if (entry != NULL && without_types)
        entry->d_type = DT_UNKNOWN;
    return entry;
}

/* Tells everything twice, or that something was lost. */
ssize_t __wrap_read(int fd, void* buffer, size_t size) {
    if (is_refused("read"))
        return -1;
    ssize_t n = __real_read(fd, buffer, twice ? size / 2 : size);
    if (n > 0 && overflow) {
        struct inotify_event lost = {.wd = -1, .mask = IN_Q_OVERFLOW};
        overflow = false;
        memcpy(buffer, &lost, sizeof(lost));
        return sizeof(lost);
    }
    if (n <= 0 || !twice)
        return n;
    memcpy((char*)buffer + n, buffer, (size_t)n);
    return 2 * n;
}

static uv_loop_t loop;
static uv_fs_event_t event;
static int calls, errors, last_error;
static bool stops_in_callback;
static char seen[2048];

static void on_event(uv_fs_event_t* handle, const char* name, int events, int status) {
    (void)events;
    calls++;
    if (status != 0) {
        errors++;
        last_error = status;
    }
    if (name != NULL && strlen(seen) + strlen(name) + 2 < sizeof(seen)) {
        strcat(seen, name);
        strcat(seen, ";");
    }
    if (stops_in_callback)
        uv_fs_event_stop(handle);
}

static void open_watch(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_event_init(&loop, &event));
}

static void close_watch(void) {
    allow_all();
    uv_close((uv_handle_t*)&event, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void run_some(void) {
    for (int i = 0; i < 5; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
}

static int start(void) {
    open_watch();
    int err = uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE);
    CHECK_EQ(uv_is_active((uv_handle_t*)&event), err == 0);
    close_watch();
    return err;
}

TEST(tree_with_a_folder_that_can_not_be_entered_is_watched_without_it) {
    static const int passed_over[] = {ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG};
    CHECK_OK(mkdir("inner", 0700));
    for (size_t i = 0; i < sizeof(passed_over) / sizeof(*passed_over); i++) {
        const struct refused_case watched = {"inotify_add_watch", 1, passed_over[i], start, 0};
        const struct refused_case read = {"opendir", 1, passed_over[i], start, 0};
        run_case(&watched);
        run_case(&read);
    }
}

TEST(tree_that_can_not_be_read_for_another_reason_is_an_error) {
    static const struct refused_case cases[] = {
        {"inotify_add_watch", 0, ENOENT, start, UV_ENOENT},
        {"inotify_add_watch", 1, ENOSPC, start, UV_ENOSPC},
        {"opendir", 0, EMFILE, start, UV_EMFILE},
        {"opendir", 1, ENFILE, start, UV_ENFILE},
        {"getcwd", 0, ENOENT, start, UV_ENOENT},
    };
    CHECK_OK(mkdir("inner", 0700));
    RUN_CASES(cases);
}

TEST(tree_on_a_file_system_without_types_is_watched_all_the_same) {
    CHECK_OK(mkdir("inner", 0700));
    close(creat("file", 0600));
    without_types = true;
    open_watch();
    CHECK_OK(uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE));
    close(creat("inner/new", 0600));
    run_some();
    CHECK(strstr(seen, "inner/new;") != NULL);
    close_watch();
    const struct refused_case one = {"fstatat", 0, EACCES, start, 0};
    run_case(&one);
}

TEST(watch_by_an_absolute_path_stays_where_it_is) {
    char path[PATH_MAX];
    CHECK(getcwd(path, sizeof(path)) != NULL);
    CHECK_OK(mkdir("inner", 0700));
    open_watch();
    CHECK_OK(uv_fs_event_start(&event, on_event, path, UV_FS_EVENT_RECURSIVE));
    CHECK_OK(mkdir("inner/new", 0700));
    run_some();
    close(creat("inner/new/file", 0600));
    run_some();
    CHECK(strstr(seen, "inner/new/file;") != NULL);
    close_watch();
}

TEST(events_that_come_twice_are_told_and_change_nothing) {
    open_watch();
    twice = true;
    CHECK_OK(uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE));
    refuse("read", 0, 1, EINTR);
    CHECK_OK(mkdir("new", 0700));
    run_some();
    CHECK_EQ(calls, 2);
    twice = false;
    close(creat("new/file", 0600));
    run_some();
    CHECK(strstr(seen, "new/file;") != NULL);
    close_watch();
}

static void new_folder_without_watches(void) {
    calls = errors = 0;
    open_watch();
    CHECK_OK(uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE));
    rmdir("new");
    CHECK_OK(mkdir("new", 0700));
    refuse("inotify_add_watch", 0, 1, ENOSPC);
    run_some();
    close_watch();
}

TEST(new_folder_that_can_not_be_watched_is_an_error_unless_the_callback_stops) {
    new_folder_without_watches();
    CHECK_EQ(errors, 1);
    CHECK_EQ(last_error, UV_ENOSPC);
    stops_in_callback = true;
    new_folder_without_watches();
    CHECK_EQ(calls, 1);
    CHECK_EQ(errors, 0);
}

static void lose_events_without_watches(void) {
    calls = errors = 0;
    open_watch();
    CHECK_OK(uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE));
    close(creat("file", 0600));
    overflow = true;
    refuse("inotify_add_watch", 0, 1, ENOSPC);
    run_some();
    close_watch();
    unlink("file");
}

TEST(lost_events_and_a_tree_that_can_not_be_watched_again_are_an_error) {
    CHECK_OK(mkdir("inner", 0700));
    lose_events_without_watches();
    CHECK_EQ(errors, 1);
    CHECK_EQ(last_error, UV_ENOSPC);
    stops_in_callback = true;
    lose_events_without_watches();
    CHECK_EQ(calls, 1);
    CHECK_EQ(errors, 0);
}

/* Its path does not fit into PATH_MAX, so nobody could watch it. */
TEST(folder_that_is_too_deep_is_passed_over) {
    char name[201], path[2 * PATH_MAX];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    while (getcwd(path, sizeof(path)) != NULL && strlen(path) + sizeof(name) + 4 < PATH_MAX) {
        CHECK_OK(mkdir(name, 0700));
        CHECK_OK(chdir(name));
    }
    CHECK_OK(mkdir(name, 0700));
    CHECK_OK(start());
}

static int allowed = -1; /* allocations that still succeed; -1: all */
static long live;

static void* my_malloc(size_t size) {
    void* p = allowed == 0 ? NULL : malloc(size);
    allowed -= allowed > 0;
    live += p != NULL;
    return p;
}

static void* my_calloc(size_t count, size_t size) {
    void* p = allowed == 0 ? NULL : calloc(count, size);
    allowed -= allowed > 0;
    live += p != NULL;
    return p;
}

static void* my_realloc(void* old, size_t size) {
    void* p = allowed == 0 ? NULL : realloc(old, size);
    allowed -= allowed > 0;
    live += p != NULL && old == NULL;
    return p;
}

static void my_free(void* p) {
    live -= p != NULL;
    free(p);
}

TEST(watch_that_lacks_memory_anywhere_does_not_start_and_leaves_nothing) {
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, my_free));
    CHECK(mkdir("a", 0700) == 0 && mkdir("a/b", 0700) == 0);
    int err = UV_ENOMEM;
    for (int count = 0; err == UV_ENOMEM; count++) {
        CHECK_LT(count, 100);
        open_watch();
        allowed = count;
        err = uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE);
        allowed = -1;
        CHECK_EQ(uv_is_active((uv_handle_t*)&event), err == 0);
        close_watch();
        CHECK_EQ(live, 0);
    }
    CHECK_OK(err);
}

TEST(new_tree_that_lacks_memory_anywhere_is_told_as_an_error) {
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, my_free));
    CHECK(mkdir("out", 0700) == 0 && mkdir("out/a", 0700) == 0 && mkdir("out/a/b", 0700) == 0);
    CHECK_OK(mkdir("in", 0700));
    CHECK_OK(chdir("in"));
    errors = 1;
    for (int count = 0; errors > 0; count++) {
        CHECK_LT(count, 100);
        errors = 0;
        open_watch();
        CHECK_OK(uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE));
        CHECK_OK(rename("../out/a", "a"));
        allowed = count;
        run_some();
        allowed = -1;
        if (errors > 0)
            CHECK_EQ(last_error, UV_ENOMEM);
        close_watch();
        CHECK_EQ(live, 0);
        CHECK_OK(rename("a", "../out/a"));
    }
    CHECK(strstr(seen, "a/b;") != NULL);
}

/* Watches are kept in 16 buckets by number: the seventeenth has the bucket of the first. */
TEST(watches_that_share_a_bucket_are_taken_off_in_any_order) {
    enum { PLACES = 40 };
    static uv_fs_event_t events[PLACES];
    char name[16];
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < PLACES; i++) {
        snprintf(name, sizeof(name), "f%d", i);
        CHECK_OK(mkdir(name, 0700));
        CHECK_OK(uv_fs_event_init(&loop, &events[i]));
        CHECK_OK(uv_fs_event_start(&events[i], on_event, name, 0));
        if (i > 0 && i % 16 != 0) /* only the numbers of one bucket stay */
            CHECK_OK(uv_fs_event_stop(&events[i]));
    }
    CHECK_OK(uv_fs_event_stop(&events[0]));
    CHECK_OK(uv_fs_event_stop(&events[16]));
    close(creat("f32/file", 0600));
    close(creat("f0/file", 0600));
    run_some();
    CHECK_STR(seen, "file;");
    for (int i = 0; i < PLACES; i++)
        uv_close((uv_handle_t*)&events[i], NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
