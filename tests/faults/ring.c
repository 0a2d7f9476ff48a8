// wrap: syscall mmap
/* A kernel that has no io_uring, or one that fails. Files work all the same. */

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static int setups, enters, setup_error, probe_error, enter_error, enters_that_fail, no_features;
static bool no_mapping;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
    long a[6];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    int error = 0;
    if (number == SYS_io_uring_setup) {
        setups++;
        error = setup_error;
    } else if (number == SYS_io_uring_register) {
        error = probe_error;
    } else if (number == SYS_io_uring_enter) {
        enters++;
        error = enters_that_fail > 0 ? enter_error : 0;
        enters_that_fail -= error != 0;
    }
    if (error != 0) {
        errno = error;
        return -1;
    }
    long result = __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (number == SYS_io_uring_setup && no_features)
        ((struct io_uring_params*)a[1])->features = 0;
    return result;
}

void* __real_mmap(void* at, size_t length, int protection, int flags, int fd, off_t offset);
void* __wrap_mmap(void* at, size_t length, int protection, int flags, int fd, off_t offset);
void* __wrap_mmap(void* at, size_t length, int protection, int flags, int fd, off_t offset) {
    if (no_mapping) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return __real_mmap(at, length, protection, flags, fd, offset);
}

static uv_loop_t loop;
static int callbacks;

static void on_fs(uv_fs_t* req) {
    (void)req;
    callbacks++;
}

static ssize_t wait_for(uv_fs_t* req, int started) {
    int before = callbacks;
    CHECK_OK(started);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(callbacks, before + 1);
    ssize_t result = req->result;
    uv_fs_req_cleanup(req);
    return result;
}

/* Opens, reads and closes files by the loop. */
static void use_files(void) {
    uv_fs_t req;
    char bytes[8] = "";
    uv_buf_t buf = {.base = bytes, .len = sizeof(bytes)};
    FILE* file = fopen("file", "we");
    fputs("hello", file);
    fclose(file);
    CHECK_EQ(wait_for(&req, uv_fs_open(&loop, &req, "missing", O_RDONLY, 0, on_fs)), UV_ENOENT);
    int fd = (int)wait_for(&req, uv_fs_open(&loop, &req, "file", O_RDONLY, 0, on_fs));
    CHECK_GE(fd, 0);
    CHECK_EQ(wait_for(&req, uv_fs_read(&loop, &req, fd, &buf, 1, 0, on_fs)), 5);
    CHECK_STR(bytes, "hello");
    CHECK_EQ(wait_for(&req, uv_fs_close(&loop, &req, fd, on_fs)), 0);
    CHECK_EQ(wait_for(&req, uv_fs_close(&loop, &req, fd, on_fs)), UV_EBADF);
}

static char some[8];

static int read_some(uv_fs_t* req, int fd) {
    uv_buf_t buf = {.base = some, .len = sizeof(some)};
    return uv_fs_read(&loop, req, fd, &buf, 1, 0, on_fs);
}

__attribute__((constructor)) static void ask_for_the_ring(void) {
    setenv("UV_USE_IO_URING", "1", 1);
}

static void use_files_on_a_new_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    use_files();
    CHECK_OK(uv_loop_close(&loop));
}

TEST(ring_is_never_asked_for_unless_the_environment_wants_it) {
    unsetenv("UV_USE_IO_URING");
    use_files_on_a_new_loop();
    setenv("UV_USE_IO_URING", "0", 1);
    use_files_on_a_new_loop();
    CHECK_EQ(setups + enters, 0);
}

TEST(ring_that_the_kernel_refuses_is_asked_for_once_per_loop) {
    static const int errors[] = {ENOSYS, EPERM, EMFILE, ENOMEM, EINVAL};
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        setups = 0;
        setup_error = errors[i];
        use_files_on_a_new_loop();
        CHECK_EQ(setups, 1);
    }
    CHECK_EQ(enters, 0);
}

TEST(ring_of_an_old_kernel_is_not_used) {
    no_features = 1;
    use_files_on_a_new_loop();
    CHECK_EQ(enters, 0);
}

TEST(ring_that_lacks_operations_is_not_used) {
    probe_error = EINVAL;
    use_files_on_a_new_loop();
    CHECK_EQ(enters, 0);
}

TEST(ring_that_can_not_be_mapped_is_not_used) {
    CHECK_OK(uv_loop_init(&loop));
    uv_fs_t req;
    CHECK_EQ(wait_for(&req, uv_fs_stat(&loop, &req, "missing", on_fs)), UV_ENOENT);
    int fd = open(".", O_RDONLY | O_CLOEXEC);
    no_mapping = true;
    CHECK_OK(read_some(&req, fd));
    no_mapping = false;
    CHECK_EQ(wait_for(&req, 0), UV_EISDIR);
    close(fd);
    use_files();
    CHECK_EQ(enters, 0);
    CHECK_OK(uv_loop_close(&loop));
}

static bool has_ring(void) {
    use_files_on_a_new_loop();
    bool has = enters > 0;
    enters = 0;
    return has;
}

TEST(ring_that_stops_taking_requests_leaves_them_to_the_pool) {
    static const int errors[] = {EAGAIN, EBUSY, ENOMEM, EPERM, EBADF};
    if (!has_ring())
        test_skip("no io_uring here");
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        enter_error = errors[i];
        enters_that_fail = 1000;
        use_files_on_a_new_loop();
        enters_that_fail = 3;
        use_files_on_a_new_loop();
    }
    CHECK_GT(enters, 0);
}

TEST(ring_that_is_interrupted_is_asked_again) {
    if (!has_ring())
        test_skip("no io_uring here");
    enter_error = EINTR;
    enters_that_fail = 3;
    use_files_on_a_new_loop();
    CHECK_EQ(enters_that_fail, 0);
}

TEST(ring_request_that_was_not_submitted_is_cancelled) {
    uv_fs_t first, second;
    if (!has_ring())
        test_skip("no io_uring here");
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    CHECK_OK(uv_loop_init(&loop));
    callbacks = 0;
    CHECK_OK(read_some(&first, fd));
    CHECK_OK(read_some(&second, fd));
    CHECK_OK(uv_cancel((uv_req_t*)&first));
    CHECK_OK(uv_cancel((uv_req_t*)&first));
    CHECK_EQ(callbacks, 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(callbacks, 2);
    CHECK_EQ(first.result, UV_ECANCELED);
    CHECK_EQ(second.result, 5);
    CHECK_EQ(uv_cancel((uv_req_t*)&second), UV_EBUSY);
    uv_fs_req_cleanup(&first);
    uv_fs_req_cleanup(&second);
    close(fd);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(ring_is_not_used_beside_a_pool_of_one_thread) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    use_files_on_a_new_loop();
    CHECK_EQ(setups, 0);
}

static int checks_before_read;

static void count_check(uv_check_t* check) {
    checks_before_read += callbacks == 0;
    if (callbacks > 0)
        uv_check_stop(check);
}

static void read_in_poll(uv_poll_t* handle, int status, int events) {
    (void)status, (void)events;
    CHECK_OK(uv_poll_stop(handle));
    CHECK_OK(read_some(handle->data, (int)(intptr_t)loop.data));
}

/* The kernel has done it when the pending round after poll submits it. */
TEST(ring_request_started_by_a_poll_callback_comes_after_check) {
    uv_check_t check;
    uv_poll_t poll_handle;
    uv_fs_t req;
    int fds[2];
    if (!has_ring())
        test_skip("no io_uring here");
    callbacks = 0;
    CHECK_OK(uv_loop_init(&loop));
    loop.data = (void*)(intptr_t)open("file", O_RDONLY | O_CLOEXEC);
    CHECK_OK(pipe(fds));
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, count_check));
    CHECK_OK(uv_poll_init(&loop, &poll_handle, fds[0]));
    poll_handle.data = &req;
    CHECK_OK(uv_poll_start(&poll_handle, UV_READABLE, read_in_poll));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(callbacks, 1);
    CHECK_GE(checks_before_read, 1);
    uv_fs_req_cleanup(&req);
    uv_close((uv_handle_t*)&check, NULL);
    uv_close((uv_handle_t*)&poll_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close((int)(intptr_t)loop.data);
    close(fds[0]);
    close(fds[1]);
}

/* The child can neither cancel what the parent has queued nor is it hurt by the attempt. */
TEST(ring_request_queued_before_a_fork_stays_the_parents) {
    uv_fs_t req;
    int status;
    if (!has_ring())
        test_skip("no io_uring here");
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    callbacks = 0;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(read_some(&req, fd));
    pid_t pid = fork();
    if (pid == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_EQ(uv_cancel((uv_req_t*)&req), UV_EBUSY);
        uv_fs_t own;
        CHECK_OK(read_some(&own, fd));
        CHECK_EQ(uv_cancel((uv_req_t*)&req), UV_EBUSY);
        while (callbacks == 0)
            uv_run(&loop, UV_RUN_NOWAIT);
        _exit(own.result == 5 ? 0 : 1);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    CHECK_EQ(wait_for(&req, 0), 5);
    CHECK_OK(uv_loop_close(&loop));
    close(fd);
}

TEST(ring_with_a_polling_thread_works_where_it_was_asked_for) {
    if (!has_ring())
        test_skip("no io_uring here");
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_LOOP_USE_IO_URING_SQPOLL));
    for (int i = 0; i < 50; i++) {
        use_files();
        if (i % 10 == 0)
            usleep(70000);
    }
    CHECK_OK(uv_loop_close(&loop));
}
