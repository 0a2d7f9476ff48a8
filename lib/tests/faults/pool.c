// wrap: pthread_create
/* A pool that gets fewer threads than it wants, or no memory. */

#include <errno.h>
#include <pthread.h>
#include <uv.h>

#include "harness.h"

int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg);

static int threads_left = 1000;

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* arg) {
    if (threads_left == 0)
        return EAGAIN;
    threads_left--;
    return __real_pthread_create(thread, attributes, start, arg);
}

static uv_loop_t loop;
static int ran, after;

static void count_run(uv_work_t* req) {
    (void)req;
    __atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);
}

static void count_after(uv_work_t* req, int status) {
    (void)req;
    CHECK_EQ(status, 0);
    after++;
}

static void on_fs(uv_fs_t* req) {
    (void)req;
    after++;
}

static void on_random(uv_random_t* req, int status, void* buf, size_t length) {
    (void)req, (void)status, (void)buf, (void)length;
    after++;
}

static void use_pool(int count) {
    uv_work_t reqs[20];
    after = 0;
    ran = 0;
    for (int i = 0; i < count; i++)
        CHECK_OK(uv_queue_work(&loop, &reqs[i], count_run, count_after));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ran, count);
    CHECK_EQ(after, count);
}

static void on_name(uv_getaddrinfo_t* req, int status, struct addrinfo* found) {
    (void)req, (void)status, (void)found;
    after++;
}

static void on_address(uv_getnameinfo_t* req, int status, const char* host, const char* service) {
    (void)req, (void)status, (void)host, (void)service;
    after++;
}

TEST(questions_about_names_without_a_single_thread_report_the_error) {
    uv_getaddrinfo_t name;
    uv_getnameinfo_t address;
    struct sockaddr_in there;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 80, &there));
    threads_left = 0;
    CHECK_EQ(uv_getaddrinfo(&loop, &name, on_name, "localhost", NULL, NULL), UV_EAGAIN);
    CHECK_EQ(uv_getnameinfo(&loop, &address, on_address, (struct sockaddr*)&there, 0), UV_EAGAIN);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(after, 0);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(pool_without_a_single_thread_reports_the_error) {
    uv_work_t work;
    uv_fs_t fs;
    uv_random_t random;
    char byte;
    CHECK_OK(uv_loop_init(&loop));
    threads_left = 0;
    CHECK_EQ(uv_queue_work(&loop, &work, count_run, count_after), UV_EAGAIN);
    CHECK_EQ(uv_fs_stat(&loop, &fs, ".", on_fs), UV_EAGAIN);
    uv_fs_req_cleanup(&fs);
    CHECK_EQ(uv_random(&loop, &random, &byte, 1, 0, on_random), UV_EAGAIN);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(after, 0);
    threads_left = 1000;
    use_pool(20);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(pool_with_one_thread_of_four_does_all_the_work) {
    CHECK_OK(uv_loop_init(&loop));
    threads_left = 1;
    use_pool(20);
    use_pool(20);
    threads_left = 1000;
    use_pool(20);
    CHECK_OK(uv_loop_close(&loop));
}

static bool no_memory;

static void* allocate(size_t size) {
    return no_memory ? NULL : malloc(size);
}

static void* allocate_again(void* ptr, size_t size) {
    return no_memory ? NULL : realloc(ptr, size);
}

static void* allocate_clear(size_t count, size_t size) {
    return no_memory ? NULL : calloc(count, size);
}

TEST(pool_without_memory_to_start_gets_enomem) {
    uv_work_t work;
    CHECK_OK(uv_replace_allocator(allocate, allocate_again, allocate_clear, free));
    CHECK_OK(uv_loop_init(&loop));
    no_memory = true;
    CHECK_EQ(uv_queue_work(&loop, &work, count_run, count_after), UV_ENOMEM);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    no_memory = false;
    use_pool(4);
    CHECK_OK(uv_loop_close(&loop));
}
