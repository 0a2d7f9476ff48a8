// wrap: getrandom
/* A kernel that gives random bytes piece by piece, or none. */

#include <errno.h>
#include <sys/random.h>
#include <uv.h>

#include "harness.h"

ssize_t __wrap_getrandom(void* buf, size_t length, unsigned int flags);

static int calls, fails_with;

ssize_t __wrap_getrandom(void* buf, size_t length, unsigned int flags) {
    CHECK_EQ(flags, 0);
    if (fails_with != 0) {
        errno = fails_with;
        return -1;
    }
    if (++calls % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    size_t n = length < 3 ? length : 3;
    memset(buf, 'r', n);
    return (ssize_t)n;
}

TEST(random_goes_on_after_short_reads_and_interruptions) {
    char bytes[11] = "";
    CHECK_OK(uv_random(NULL, NULL, bytes, 10, 0, NULL));
    CHECK_STR(bytes, "rrrrrrrrrr");
    CHECK_EQ(calls, 7);
}

static int status_seen;

static void on_random(uv_random_t* req, int status, void* buf, size_t length) {
    (void)req, (void)buf, (void)length;
    status_seen = status;
}

TEST(random_reports_the_kernels_error) {
    uv_loop_t loop;
    uv_random_t req;
    char byte;
    fails_with = EFAULT;
    CHECK_EQ(uv_random(NULL, NULL, &byte, 1, 0, NULL), UV_EFAULT);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_random(&loop, &req, &byte, 1, 0, on_random));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(status_seen, UV_EFAULT);
    CHECK_OK(uv_loop_close(&loop));
}
