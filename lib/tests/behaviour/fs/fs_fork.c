/* File requests in a forked child. */

#include "each_way.h"

#include <sys/wait.h>

static void use_files(void) {
    char byte;
    uv_buf_t buf = {.base = &byte, .len = 1};
    int fd = (int)FS(open, "file", UV_FS_O_RDONLY, 0);
    CHECK_GE(fd, 0);
    CHECK_EQ(FS(read, fd, &buf, 1, 0), 1);
    CHECK_EQ(FS(close, fd), 0);
    CHECK_EQ(FS(stat, "file"), 0);
    uv_fs_req_cleanup(&req);
}

static void forks(void) {
    put_file("file", "content");
    use_files();
    int status;
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        for (int i = 0; i < 10; i++)
            use_files();
        CHECK_OK(uv_loop_close(&loop));
        _exit(0);
    }
    use_files();
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    use_files();
}

/* The address sanitizer's allocator has a lock that stays locked in the child if a thread that has
 * just been started holds it: there the one that has worked is the only one. */
static void start_few_threads(void) {
#ifdef __SANITIZE_ADDRESS__
    setenv("UV_THREADPOOL_SIZE", "1", 1);
#endif
}

TEST(fs_works_in_parent_and_child_after_a_fork) {
    start_few_threads();
    EACH_WAY(forks);
}

static void drops_privileges(void) {
    int status;
    put_file("file", "content");
    CHECK_OK(chmod("file", 0600));
    use_files();
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        use_files();
        CHECK_OK(setresuid(65534, 65534, 65534));
        CHECK_EQ(FS(open, "file", UV_FS_O_RDONLY, 0), UV_EACCES);
        _exit(0);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
}

TEST(fs_open_after_dropping_privileges_is_refused) {
    if (getuid() != 0)
        test_skip("only root can drop privileges");
    start_few_threads();
    EACH_WAY(drops_privileges);
}
