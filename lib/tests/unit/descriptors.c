/* What the library does with numbers of descriptors. */

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"
#include "os/fd.h"
#include "os/poller.h"

TEST(descriptor_that_is_none_is_an_error_and_closing_it_leaves_errno) {
    CHECK_EQ(ph_fd_set_nonblocking(-1, true), UV_EBADF);
    CHECK_EQ(ph_fd_set_cloexec(-1, true), UV_EBADF);
    errno = EXDEV;
    ph_fd_close(-1);
    CHECK_EQ(errno, EXDEV);
}

TEST(descriptor_that_is_none_has_no_place_in_the_poller) {
    uv_loop_t loop;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(ph_poller_reserve(&loop, -1), UV_EBADF);
    CHECK(!ph_poller_watches(&loop, -1));
    CHECK(!ph_poller_watches(&loop, 0));
    for (int fd = 0; fd < 70; fd++) {
        CHECK_OK(ph_poller_reserve(&loop, fd));
        CHECK_LT(fd, loop.internal.poller.watcher_count);
        CHECK(loop.internal.poller.watchers[fd] == NULL);
        CHECK(!ph_poller_watches(&loop, fd));
    }
    CHECK_OK(uv_loop_close(&loop));
}

/* A program that closes all the same must not lose a descriptor of its own. */
TEST(loop_that_could_not_be_made_is_not_closed) {
    uv_loop_t loop;
    struct rlimit limit, none;
    memset(&loop, 0xff, sizeof(loop));
    CHECK_OK(getrlimit(RLIMIT_NOFILE, &limit));
    none = limit;
    none.rlim_cur = 0;
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &none));
    int err = uv_loop_init(&loop);
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
    CHECK_EQ(err, UV_EMFILE);
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    for (int fd = 0; fd < 3; fd++)
        CHECK_NE(fcntl(fd, F_GETFD), -1);
}
