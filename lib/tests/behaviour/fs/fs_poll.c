// threaded
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { INTERVAL = 20 };

static int calls;
static int last_status;
static uv_stat_t last_prev;
static uv_stat_t last_curr;
static int closed;

static void on_close(uv_handle_t* handle) {
    (void)handle;
    closed++;
}

static void on_poll(uv_fs_poll_t* handle, int status, const uv_stat_t* prev,
                    const uv_stat_t* curr) {
    (void)handle;
    calls++;
    last_status = status;
    last_prev = *prev;
    last_curr = *curr;
}

static void stop_after_poll(uv_fs_poll_t* handle, int status, const uv_stat_t* prev,
                            const uv_stat_t* curr) {
    on_poll(handle, status, prev, curr);
    CHECK_OK(uv_fs_poll_stop(handle));
}

static void close_after_poll(uv_fs_poll_t* handle, int status, const uv_stat_t* prev,
                             const uv_stat_t* curr) {
    on_poll(handle, status, prev, curr);
    uv_close((uv_handle_t*)handle, on_close);
}

static void restart_after_poll(uv_fs_poll_t* handle, int status, const uv_stat_t* prev,
                               const uv_stat_t* curr) {
    on_poll(handle, status, prev, curr);
    CHECK_OK(uv_fs_poll_stop(handle));
    CHECK_OK(uv_fs_poll_start(handle, close_after_poll, "file", INTERVAL));
}

static void write_file(int bytes) {
    int fd = open("file", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    CHECK_GE(fd, 0);
    for (int i = 0; i < bytes; i++)
        CHECK_EQ(write(fd, "x", 1), 1);
    close(fd);
}

static void wait_for_calls(uv_loop_t* loop, int wanted) {
    uint64_t begin = uv_hrtime();
    while (calls < wanted) {
        CHECK_LT((uv_hrtime() - begin) / 1000000, 20000);
        uv_run(loop, UV_RUN_ONCE);
    }
}

static void run_for(uv_loop_t* loop, uint64_t ms) {
    uint64_t end = uv_hrtime() + ms * 1000000;
    while (uv_hrtime() < end)
        uv_run(loop, UV_RUN_ONCE);
}

static void end_polling(uv_loop_t* loop, uv_fs_poll_t* handle) {
    if (!uv_is_closing((uv_handle_t*)handle) && !closed)
        uv_close((uv_handle_t*)handle, on_close);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(closed, 1);
    CHECK_OK(uv_loop_close(loop));
}

TEST(growing_file_is_told_with_its_old_and_new_size) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    write_file(3);
    CHECK_OK(uv_fs_poll_start(&handle, on_poll, "file", INTERVAL));
    run_for(&loop, 5 * INTERVAL);
    CHECK_EQ(calls, 0);
    CHECK_OK(truncate("file", 7));
    wait_for_calls(&loop, 1);
    CHECK_EQ(last_status, 0);
    CHECK_EQ(last_prev.st_size, 3);
    CHECK_EQ(last_curr.st_size, 7);
    end_polling(&loop, &handle);
}

TEST(missing_file_is_told_once_until_it_appears) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_OK(uv_fs_poll_start(&handle, on_poll, "file", INTERVAL));
    wait_for_calls(&loop, 1);
    CHECK_EQ(last_status, UV_ENOENT);
    CHECK_EQ(last_prev.st_ino, 0);
    CHECK_EQ(last_curr.st_ino, 0);
    run_for(&loop, 5 * INTERVAL);
    CHECK_EQ(calls, 1);
    CHECK_EQ(mkdir("file", 0700), 0);
    wait_for_calls(&loop, 2);
    CHECK_EQ(last_status, 0);
    CHECK_NE(last_curr.st_ino, 0);
    CHECK_OK(rmdir("file"));
    wait_for_calls(&loop, 3);
    CHECK_EQ(last_status, UV_ENOENT);
    CHECK_NE(last_prev.st_ino, 0);
    end_polling(&loop, &handle);
}

TEST(start_of_an_active_poll_handle_changes_nothing) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    char path[8];
    size_t size = sizeof(path);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_EQ(uv_fs_poll_getpath(&handle, path, &size), UV_EINVAL);
    CHECK_OK(uv_fs_poll_start(&handle, on_poll, "file", 0));
    CHECK_OK(uv_fs_poll_start(&handle, on_poll, "other", 0));
    size = 4;
    CHECK_EQ(uv_fs_poll_getpath(&handle, path, &size), UV_ENOBUFS);
    CHECK_EQ(size, 5);
    CHECK_OK(uv_fs_poll_getpath(&handle, path, &size));
    CHECK_EQ(size, 4);
    CHECK_STR(path, "file");
    end_polling(&loop, &handle);
}

TEST(stop_of_a_poll_handle_that_was_not_started_does_nothing) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_OK(uv_fs_poll_stop(&handle));
    end_polling(&loop, &handle);
}

TEST(poll_callback_may_stop_its_handle) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_OK(uv_fs_poll_start(&handle, stop_after_poll, "file", INTERVAL));
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 1);
    CHECK(!uv_is_active((uv_handle_t*)&handle));
    end_polling(&loop, &handle);
}

TEST(poll_callback_may_close_its_handle) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_OK(uv_fs_poll_start(&handle, close_after_poll, "file", INTERVAL));
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 1);
    end_polling(&loop, &handle);
}

TEST(poll_callback_may_start_its_handle_again) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_OK(uv_fs_poll_start(&handle, restart_after_poll, "file", INTERVAL));
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 2);
    end_polling(&loop, &handle);
}

TEST(close_during_a_stat_waits_for_it) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_OK(uv_fs_poll_start(&handle, on_poll, "file", INTERVAL));
    uv_close((uv_handle_t*)&handle, on_close);
    CHECK_EQ(closed, 0);
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 0);
    end_polling(&loop, &handle);
}

TEST(many_starts_and_stops_during_stats_end_well) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    for (int i = 0; i < 20; i++) {
        CHECK_OK(uv_fs_poll_start(&handle, on_poll, "file", INTERVAL));
        if (i % 3 == 0)
            uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_OK(uv_fs_poll_stop(&handle));
    }
    CHECK_OK(uv_fs_poll_start(&handle, on_poll, "file", INTERVAL));
    end_polling(&loop, &handle);
}

TEST(unreferenced_poll_handle_lets_the_loop_end) {
    uv_loop_t loop;
    uv_fs_poll_t handle;
    write_file(1);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &handle));
    CHECK_OK(uv_fs_poll_start(&handle, on_poll, "file", 1000000));
    uv_unref((uv_handle_t*)&handle);
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK(uv_is_active((uv_handle_t*)&handle));
    end_polling(&loop, &handle);
}
