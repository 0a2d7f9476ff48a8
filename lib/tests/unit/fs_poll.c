/* When uv_fs_poll_t asks: its timer is looked at, no time is measured. */

#include "behaviour/stream/streams.h"

#include "base/queue.h"

static uv_fs_poll_t poll_handle;

static void on_change(uv_fs_poll_t* handle, int status, const uv_stat_t* before,
                      const uv_stat_t* now) {
    (void)handle, (void)status, (void)before, (void)now;
}

/* The library's own timer, which is the only one. */
static uv_timer_t* own_timer(void) {
    struct uv__queue* head = &loop.handle_queue;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        if (handle->type == UV_TIMER)
            return (uv_timer_t*)handle;
    }
    return NULL;
}

static void start(const char* path, unsigned interval) {
    CHECK_OK(uv_fs_poll_init(&loop, &poll_handle));
    CHECK_OK(uv_fs_poll_start(&poll_handle, on_change, path, interval));
}

static void wait_for_stat(void) {
    while (!uv_is_active(HANDLE(own_timer())))
        uv_run(&loop, UV_RUN_ONCE);
}

TEST(poll_of_a_file_keeps_to_its_grid_whatever_a_stat_takes) {
    const unsigned hour = 3600 * 1000;
    open_loop();
    uint64_t began = uv_now(&loop);
    start("file", hour);
    uv_sleep(3);
    uv_update_time(&loop);
    CHECK_GT(uv_now(&loop), began);
    wait_for_stat();
    uv_timer_t* timer = own_timer();
    CHECK_EQ(uv_now(&loop) + uv_timer_get_due_in(timer), began + hour);
    CHECK_EQ(uv_timer_get_repeat(timer), 0);
    CHECK(!uv_has_ref(HANDLE(timer)));
    close_loop();
}

TEST(poll_of_a_file_without_an_interval_asks_every_millisecond) {
    open_loop();
    start("file", 0);
    for (int i = 0; i < 5; i++) {
        wait_for_stat();
        CHECK_EQ(uv_timer_get_due_in(own_timer()), 1);
        while (uv_is_active(HANDLE(own_timer())))
            uv_run(&loop, UV_RUN_NOWAIT);
    }
    close_loop();
}

static int allocations = -1; /* that succeed; -1: all */

static void* allocate(size_t size) {
    return allocations == 0 || (allocations > 0 && --allocations < 0) ? NULL : malloc(size);
}

static void* allocate_clear(size_t count, size_t size) {
    void* block = allocate(count * size);
    return block != NULL ? memset(block, 0, count * size) : NULL;
}

static void run_out_of_memory(int after) {
    allocations = after;
    CHECK_OK(uv_replace_allocator(allocate, realloc, allocate_clear, free));
}

TEST(poll_of_a_file_that_could_not_ask_leaves_no_timer) {
    open_loop();
    CHECK_OK(uv_fs_poll_init(&loop, &poll_handle));
    run_out_of_memory(1);
    CHECK_EQ(uv_fs_poll_start(&poll_handle, on_change, "file", 1), UV_ENOMEM);
    CHECK(own_timer() == NULL);
    allocations = -1;
    close_loop();
}

TEST(poll_of_a_file_that_can_not_ask_tries_again_after_the_interval) {
    open_loop();
    start("file", 2);
    wait_for_stat();
    run_out_of_memory(0);
    uint64_t due = uv_now(&loop) + uv_timer_get_due_in(own_timer());
    while (uv_now(&loop) + uv_timer_get_due_in(own_timer()) == due)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK(uv_is_active(HANDLE(own_timer())));
    CHECK_EQ(uv_timer_get_due_in(own_timer()), 2);
    CHECK_EQ(uv_timer_get_repeat(own_timer()), 0);
    allocations = -1;
    close_loop();
}

static int is_free;

static void occupy(uv_work_t* work) {
    (void)work;
    while (!__atomic_load_n(&is_free, __ATOMIC_ACQUIRE))
        usleep(100);
}

TEST(poll_of_a_file_does_not_ask_while_it_waits_for_an_answer) {
    uv_work_t work;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    open_loop();
    start("file", 1);
    wait_for_stat();
    CHECK_OK(uv_queue_work(&loop, &work, occupy, NULL));
    while (uv_is_active(HANDLE(own_timer())))
        uv_run(&loop, UV_RUN_NOWAIT);
    for (int i = 0; i < 10; i++) {
        uv_sleep(1);
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK(!uv_is_active(HANDLE(own_timer())));
    }
    __atomic_store_n(&is_free, 1, __ATOMIC_RELEASE);
    wait_for_stat();
    close_loop();
}
