#include "base/at_fork.h"

#include <dlfcn.h>
#include <unistd.h>

#include "harness.h"

static void nothing(void) {}

static void needs_no_sanitizer(void) {
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer waits for forks");
}

TEST(nobody_awaits_forks_in_a_program_that_never_asks) {
    needs_no_sanitizer();
    for (int i = 0; i < 3; i++)
        CHECK(!ph_others_await_forks());
}

static int forks;

static void count_fork(void) {
    forks++;
}

TEST(own_handlers_are_called_but_do_not_count_as_those_of_others) {
    needs_no_sanitizer();
    ph_at_fork(count_fork, count_fork, nothing);
    CHECK(!ph_others_await_forks());
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    CHECK_EQ(forks, 2);
}

/* The shared library has handlers of its own, as any other object might. */
TEST(loading_an_object_that_may_have_handlers_is_noticed) {
    char path[4096] = "";
    CHECK(!ph_others_await_forks() || THREAD_SANITIZER);
    CHECK_GT(readlink("/proc/self/exe", path, sizeof(path) - 32), 0);
    strcpy(strstr(path, "/tests/"), "/lib/libuv.so.1");
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        test_skip("there is no shared library beside the tests");
    CHECK(ph_others_await_forks());
    CHECK(ph_others_await_forks());
}
