// threaded
/* Random bytes. */

#include <limits.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static int calls, last_status;

static void on_random(uv_random_t* req, int status, void* buf, size_t length) {
    (void)req, (void)buf, (void)length;
    calls++;
    last_status = status;
}

static bool has_two_values(const unsigned char* bytes, size_t length) {
    for (size_t i = 1; i < length; i++)
        if (bytes[i] != bytes[0])
            return true;
    return false;
}

TEST(random_fills_the_buffer_at_once_without_a_callback) {
    unsigned char bytes[64] = {0};
    CHECK_OK(uv_random(NULL, NULL, bytes, sizeof(bytes), 0, NULL));
    CHECK(has_two_values(bytes, sizeof(bytes)));
    CHECK(has_two_values(bytes + 56, 8));
    CHECK_OK(uv_random(NULL, NULL, bytes, 0, 0, NULL));
}

static unsigned char filled[1 << 20];

static void on_filled(uv_random_t* req, int status, void* buf, size_t length) {
    CHECK_EQ(status, 0);
    CHECK(buf == filled);
    CHECK_EQ(length, sizeof(filled));
    CHECK_EQ(req->type, UV_RANDOM);
    calls++;
}

TEST(random_fills_the_buffer_in_the_pool_with_a_callback) {
    uv_random_t req;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_random(&loop, &req, filled, sizeof(filled), 0, on_filled));
    CHECK_EQ(calls, 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK(has_two_values(filled + sizeof(filled) - 16, 16));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(random_refuses_flags_and_sizes_beyond_int) {
    uv_random_t req;
    char byte;
    size_t too_big = (size_t)INT_MAX + 1;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_random(&loop, &req, &byte, 1, 1, NULL), UV_EINVAL);
    CHECK_EQ(uv_random(&loop, &req, &byte, 1, 1, on_random), UV_EINVAL);
    CHECK_EQ(uv_random(&loop, &req, &byte, 0x7fffffff, 1, on_random), UV_EINVAL);
    CHECK_EQ(uv_random(&loop, &req, &byte, too_big, 0, NULL), UV_E2BIG);
    CHECK_EQ(uv_random(&loop, &req, &byte, too_big, 0, on_random), UV_E2BIG);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    CHECK_EQ(calls, 0);
    CHECK_OK(uv_loop_close(&loop));
}

static uv_sem_t gate;

static void wait_at_gate(uv_work_t* req) {
    (void)req;
    uv_sem_wait(&gate);
}

static void nothing(uv_work_t* req, int status) {
    (void)req, (void)status;
}

TEST(random_waiting_for_a_thread_is_cancelled) {
    uv_work_t work;
    uv_random_t req;
    char byte;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_queue_work(&loop, &work, wait_at_gate, nothing));
    CHECK_OK(uv_random(&loop, &req, &byte, 1, 0, on_random));
    CHECK_OK(uv_cancel((uv_req_t*)&req));
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(calls, 1);
    CHECK_EQ(last_status, UV_ECANCELED);
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    uv_sem_destroy(&gate);
}
