// threaded
/* Functions posted to a loop, as phasor.h describes it. */

#include <phasor.h>
#include <uv.h>

#include "harness.h"

enum { THREADS = 4, EACH = 2000 };

static uv_loop_t loop;
static int called, last[THREADS];
static uv_thread_t on_thread;

static void count(uv_loop_t* where, void* data) {
    CHECK(where == &loop);
    called++;
    *(int*)data += 1;
}

TEST(a_posted_function_runs_with_its_data_and_needs_no_handle) {
    int value = 41;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(phasor_loop_post(&loop, count, &value));
    CHECK_EQ(value, 41);
    CHECK(uv_loop_alive(&loop));
    CHECK_EQ(uv_backend_timeout(&loop), 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(value, 42);
    CHECK(!uv_loop_alive(&loop));
    CHECK_OK(uv_loop_close(&loop));
}

static void post_again(uv_loop_t* where, void* data) {
    if (++called < 10)
        CHECK_OK(phasor_loop_post(where, post_again, data));
}

TEST(what_a_posted_function_posts_runs_in_the_next_turn) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(phasor_loop_post(&loop, post_again, NULL));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(called, 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(called, 10);
    CHECK_OK(uv_loop_close(&loop));
}

static void in_order(uv_loop_t* where, void* data) {
    uintptr_t item = (uintptr_t)data;
    int thread = (int)(item / EACH), number = (int)(item % EACH);
    uv_thread_t self = uv_thread_self();
    CHECK(where == &loop);
    CHECK(uv_thread_equal(&self, &on_thread));
    CHECK_EQ(last[thread], number);
    last[thread]++;
    if (++called == THREADS * EACH)
        uv_stop(where);
}

static void post_many(void* arg) {
    uintptr_t first = (uintptr_t)arg * EACH;
    for (uintptr_t i = 0; i < EACH; i++)
        CHECK_OK(phasor_loop_post(&loop, in_order, (void*)(first + i)));
}

static void ignore(uv_async_t* handle) {
    (void)handle;
}

TEST(posts_of_many_threads_wake_a_loop_and_keep_the_order_of_each_thread) {
    uv_async_t keeps_alive;
    uv_thread_t threads[THREADS];
    on_thread = uv_thread_self();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &keeps_alive, ignore));
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK_OK(uv_thread_create(&threads[i], post_many, (void*)i));
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(called, THREADS * EACH);
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    uv_close((uv_handle_t*)&keeps_alive, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void end(uv_loop_t* where, void* data) {
    (void)where;
    uv_close(data, NULL);
}

static void post_end(void* arg) {
    CHECK_OK(phasor_loop_post(&loop, end, arg));
}

TEST(a_loop_may_end_and_be_closed_by_what_another_thread_has_just_posted) {
    for (int i = 0; i < 200; i++) {
        uv_async_t keeps_alive;
        uv_thread_t thread;
        CHECK_OK(uv_loop_init(&loop));
        CHECK_OK(uv_async_init(&loop, &keeps_alive, ignore));
        CHECK_OK(uv_thread_create(&thread, post_end, &keeps_alive));
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_OK(uv_loop_close(&loop));
        memset(&loop, 0xa5, sizeof(loop));
        CHECK_OK(uv_thread_join(&thread));
    }
}

TEST(what_was_posted_to_a_loop_that_is_closed_is_not_called) {
    int value = 0;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(phasor_loop_post(&loop, count, &value));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(value, 0);
}

static void* no_memory(size_t size) {
    (void)size;
    return NULL;
}

TEST(a_post_without_a_function_or_memory_is_refused) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(phasor_loop_post(&loop, NULL, NULL), UV_EINVAL);
    CHECK_EQ(phasor_loop_post(NULL, count, NULL), UV_EINVAL);
    CHECK_OK(uv_replace_allocator(no_memory, realloc, calloc, free));
    CHECK_EQ(phasor_loop_post(&loop, count, NULL), UV_ENOMEM);
    CHECK_OK(uv_replace_allocator(malloc, realloc, calloc, free));
    CHECK(!uv_loop_alive(&loop));
    CHECK_OK(uv_loop_close(&loop));
}
