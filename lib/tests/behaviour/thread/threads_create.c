// threaded
/* Starting, joining, detaching and naming threads. */

#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_sem_t ready, release;

static void add_one(void* arg) {
    atomic_fetch_add((atomic_int*)arg, 1);
}

TEST(thread_runs_its_entry_with_its_argument) {
    atomic_int count = 0;
    uv_thread_t thread;
    CHECK_OK(uv_thread_create(&thread, add_one, &count));
    CHECK_OK(uv_thread_join(&thread));
    CHECK_EQ(count, 1);
}

TEST(thousand_threads_are_created_and_joined) {
    static uv_thread_t threads[1000];
    atomic_int count = 0;
    for (int i = 0; i < 1000; i++)
        CHECK_OK(uv_thread_create(&threads[i], add_one, &count));
    for (int i = 0; i < 1000; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    CHECK_EQ(count, 1000);
}

static void wait_for_release(void* arg) {
    (void)arg;
    uv_sem_post(&ready);
    uv_sem_wait(&release);
}

TEST(two_hundred_threads_live_at_once) {
    static uv_thread_t threads[200];
    CHECK_OK(uv_sem_init(&ready, 0));
    CHECK_OK(uv_sem_init(&release, 0));
    for (int i = 0; i < 200; i++)
        CHECK_OK(uv_thread_create(&threads[i], wait_for_release, NULL));
    for (int i = 0; i < 200; i++)
        uv_sem_wait(&ready);
    for (int i = 0; i < 200; i++)
        CHECK(!uv_thread_equal(&threads[i], &threads[(i + 1) % 200]));
    for (int i = 0; i < 200; i++)
        uv_sem_post(&release);
    for (int i = 0; i < 200; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    uv_sem_destroy(&ready);
    uv_sem_destroy(&release);
}

static void store_self(void* arg) {
    *(uv_thread_t*)arg = uv_thread_self();
}

TEST(thread_self_is_equal_to_the_created_thread) {
    uv_thread_t thread, seen, main_thread = uv_thread_self();
    CHECK_OK(uv_thread_create(&thread, store_self, &seen));
    CHECK_OK(uv_thread_join(&thread));
    CHECK(uv_thread_equal(&thread, &seen));
    CHECK(!uv_thread_equal(&thread, &main_thread));
    CHECK(uv_thread_equal(&main_thread, &main_thread));
}

static void store_number_and_wait(void* arg) {
    *(pid_t*)arg = gettid();
    wait_for_release(NULL);
}

TEST(detached_thread_ends_without_a_join) {
    uv_thread_t thread;
    pid_t number = 0;
    char path[64];
    CHECK_OK(uv_sem_init(&ready, 0));
    CHECK_OK(uv_sem_init(&release, 0));
    CHECK_OK(uv_thread_create(&thread, store_number_and_wait, &number));
    uv_sem_wait(&ready);
    CHECK_OK(uv_thread_detach(&thread));
    snprintf(path, sizeof(path), "/proc/self/task/%d", (int)number);
    CHECK_OK(access(path, F_OK));
    uv_sem_post(&release);
    for (int i = 0; i < 10000 && access(path, F_OK) == 0; i++)
        uv_sleep(1);
    CHECK_NE(access(path, F_OK), 0);
    uv_sem_destroy(&ready);
    uv_sem_destroy(&release);
}

static void store_stack_size(void* arg) {
    pthread_attr_t attr;
    CHECK_OK(pthread_getattr_np(pthread_self(), &attr));
    CHECK_OK(pthread_attr_getstacksize(&attr, arg));
    pthread_attr_destroy(&attr);
}

static size_t stack_size_of(const uv_thread_options_t* options) {
    uv_thread_t thread;
    size_t size = 0;
    CHECK_OK(uv_thread_create_ex(&thread, options, store_stack_size, &size));
    CHECK_OK(uv_thread_join(&thread));
    return size;
}

/* What the system reports may leave out the guard page, or have room for a sanitizer's own. */
static void check_about(size_t size, size_t wanted) {
    CHECK_GE(size, wanted - (64 << 10));
    CHECK_LE(size, wanted + (512 << 10));
}

TEST(stack_size_is_rounded_up_to_whole_pages) {
    uv_thread_options_t options = {UV_THREAD_HAS_STACK_SIZE, (3 << 20) + 1};
    size_t size = stack_size_of(&options);
    CHECK_EQ(size % (size_t)getpagesize(), 0);
    check_about(size, 3 << 20);
    options.stack_size = 3 << 20;
    CHECK_GE(size, stack_size_of(&options));
}

TEST(stack_size_below_the_minimum_becomes_the_minimum) {
    for (size_t size = 1; size <= 16384; size *= 2) {
        uv_thread_options_t options = {UV_THREAD_HAS_STACK_SIZE, size};
        CHECK_GE(stack_size_of(&options), 4096);
    }
}

TEST(stack_size_is_ignored_without_its_flag) {
    uv_thread_options_t with_size = {UV_THREAD_NO_FLAGS, 64 << 20};
    uv_thread_options_t zero = {UV_THREAD_HAS_STACK_SIZE, 0};
    uv_thread_options_t none = {UV_THREAD_NO_FLAGS, 0};
    size_t usual = stack_size_of(&none);
    CHECK_EQ(stack_size_of(&with_size), usual);
    CHECK_EQ(stack_size_of(&zero), usual);
}

TEST(stack_size_that_cannot_be_had_is_an_error) {
    uv_thread_options_t options = {UV_THREAD_HAS_STACK_SIZE, SIZE_MAX / 16 * 15};
    uv_thread_t thread;
    CHECK_LT(uv_thread_create_ex(&thread, &options, store_stack_size, NULL), 0);
}

static bool limit_stack(rlim_t soft) {
    struct rlimit limit;
    CHECK_OK(getrlimit(RLIMIT_STACK, &limit));
    limit.rlim_cur = soft;
    return setrlimit(RLIMIT_STACK, &limit) == 0;
}

TEST(default_stack_size_is_the_limit_of_the_main_stack) {
    uv_thread_options_t none = {UV_THREAD_NO_FLAGS, 0};
    CHECK(limit_stack((5 << 20) + 123));
    check_about(stack_size_of(&none), 5 << 20);
}

TEST(default_stack_size_is_two_megabytes_without_a_limit) {
    uv_thread_options_t none = {UV_THREAD_NO_FLAGS, 0};
    if (!limit_stack(RLIM_INFINITY))
        test_skip("the stack's hard limit is finite");
    check_about(stack_size_of(&none), 2 << 20);
}

TEST(default_stack_size_is_two_megabytes_when_the_limit_is_too_small) {
    uv_thread_options_t none = {UV_THREAD_NO_FLAGS, 0};
    CHECK(limit_stack(4096));
    check_about(stack_size_of(&none), 2 << 20);
}

TEST(name_of_a_thread_is_read_back) {
    char name[16] = "";
    uv_thread_t self = uv_thread_self();
    CHECK_OK(uv_thread_setname("worker"));
    CHECK_OK(uv_thread_getname(&self, name, sizeof(name)));
    CHECK_STR(name, "worker");
}

TEST(name_of_a_thread_is_cut_at_fifteen_bytes) {
    char name[64] = "";
    uv_thread_t self = uv_thread_self();
    CHECK_OK(uv_thread_setname("abcdefghijklmnopqrstuvwxyz"));
    CHECK_OK(uv_thread_getname(&self, name, sizeof(name)));
    CHECK_STR(name, "abcdefghijklmno");
    CHECK_OK(uv_thread_setname("123456789012345"));
    CHECK_OK(uv_thread_getname(&self, name, sizeof(name)));
    CHECK_STR(name, "123456789012345");
    CHECK_OK(uv_thread_setname(""));
    CHECK_OK(uv_thread_getname(&self, name, sizeof(name)));
    CHECK_STR(name, "");
}

TEST(name_of_a_thread_is_cut_to_the_buffer) {
    uv_thread_t self = uv_thread_self();
    CHECK_OK(uv_thread_setname("worker"));
    for (size_t size = 1; size <= 8; size++) {
        char name[10], expected[8] = "worker";
        memset(name, 'x', sizeof(name));
        expected[size - 1 < 6 ? size - 1 : 6] = '\0';
        CHECK_OK(uv_thread_getname(&self, name, size));
        CHECK_STR(name, expected);
        CHECK_EQ(name[size], 'x');
    }
}

TEST(name_of_a_thread_needs_valid_arguments) {
    char name[16];
    uv_thread_t self = uv_thread_self();
    CHECK_EQ(uv_thread_setname(NULL), UV_EINVAL);
    CHECK_EQ(uv_thread_getname(&self, NULL, 16), UV_EINVAL);
    CHECK_EQ(uv_thread_getname(&self, name, 0), UV_EINVAL);
}

static void name_and_wait(void* arg) {
    CHECK_OK(uv_thread_setname(arg));
    wait_for_release(NULL);
}

TEST(name_of_another_thread_is_its_own) {
    char name[16], own[16], before[16];
    uv_thread_t thread, self = uv_thread_self();
    CHECK_OK(uv_sem_init(&ready, 0));
    CHECK_OK(uv_sem_init(&release, 0));
    CHECK_OK(uv_thread_getname(&self, before, sizeof(before)));
    CHECK_OK(uv_thread_create(&thread, name_and_wait, "other"));
    uv_sem_wait(&ready);
    CHECK_OK(uv_thread_getname(&thread, name, sizeof(name)));
    CHECK_STR(name, "other");
    CHECK_OK(uv_thread_getname(&self, own, sizeof(own)));
    CHECK_STR(own, before);
    uv_sem_post(&release);
    CHECK_OK(uv_thread_join(&thread));
    uv_sem_destroy(&ready);
    uv_sem_destroy(&release);
}
