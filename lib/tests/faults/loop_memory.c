/* Every allocation fails in turn: the call says UV_ENOMEM and leaves everything as it was. */

#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static int until_failure; /* allocations that still succeed; -1: all */
static int failures;
static long live;

static bool fails(void) {
    if (until_failure == -1)
        return false;
    if (until_failure-- > 0)
        return false;
    until_failure = 0;
    failures++;
    return true;
}

static void* test_malloc(size_t size) {
    void* p = fails() ? NULL : malloc(size);
    live += p != NULL;
    return p;
}

static void* test_calloc(size_t count, size_t size) {
    void* p = fails() ? NULL : calloc(count, size);
    live += p != NULL;
    return p;
}

static void* test_realloc(void* old, size_t size) {
    void* p = fails() ? NULL : realloc(old, size);
    live += p != NULL && old == NULL;
    return p;
}

static void test_free(void* p) {
    live -= p != NULL;
    free(p);
}

static void ignore_timer(uv_timer_t* handle) {
    (void)handle;
}

static void ignore_poll(uv_poll_t* handle, int status, int events) {
    (void)handle, (void)status, (void)events;
}

/* Loop, timer, async and poll from init to close; the first error ends it, with everything undone.
 */
static int use_everything(int fd) {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_async_t async;
    uv_poll_t poll;
    int err = uv_loop_init(&loop);
    if (err != 0)
        return err;
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, ignore_timer, 1, 0));
    CHECK_OK(uv_async_init(&loop, &async, NULL));
    CHECK_OK(uv_async_send(&async));
    err = uv_poll_init(&loop, &poll, fd);
    if (err == 0) {
        CHECK_OK(uv_poll_start(&poll, UV_WRITABLE, ignore_poll));
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
        uv_close((uv_handle_t*)&poll, NULL);
    }
    uv_close((uv_handle_t*)&timer, NULL);
    uv_close((uv_handle_t*)&async, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    return err;
}

TEST(every_allocation_of_loop_timer_async_and_poll_may_fail) {
    int fds[2];
    int attempts = 0;
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    CHECK_OK(uv_replace_allocator(test_malloc, test_realloc, test_calloc, test_free));
    int before = test_open_fds();
    for (int allowed = 0;; allowed++) {
        until_failure = allowed;
        failures = 0;
        int err = use_everything(fds[0]);
        until_failure = -1;
        CHECK_EQ(live, 0);
        CHECK_EQ(test_open_fds(), before);
        if (failures == 0) {
            CHECK_OK(err);
            break;
        }
        CHECK_EQ(err, UV_ENOMEM);
        attempts++;
    }
    CHECK_GE(attempts, 2);
    close(fds[0]);
    close(fds[1]);
}
