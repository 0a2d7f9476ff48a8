// threaded
#include <signal.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { SENDERS = 8, SENDS = 125000 };

static uv_loop_t loop;
static uv_async_t async;
static int calls;

static void finish(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void count(uv_async_t* handle) {
    (void)handle;
    calls++;
}

static void count_and_close(uv_async_t* handle) {
    calls++;
    uv_close((uv_handle_t*)handle, NULL);
}

static void send_later(void* arg) {
    uv_sleep(20);
    CHECK_OK(uv_async_send(arg));
}

TEST(a_send_from_another_thread_wakes_a_blocked_loop) {
    uv_thread_t thread;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, count_and_close));
    CHECK_OK(uv_thread_create(&thread, send_later, &async));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_OK(uv_thread_join(&thread));
    finish();
}

TEST(sends_before_the_callback_coalesce_into_one) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, count));
    for (int i = 0; i < 10; i++)
        CHECK_OK(uv_async_send(&async));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 1);
    uv_close((uv_handle_t*)&async, NULL);
    finish();
}

/* Each sender publishes a number and sends. No send may be lost: the loop must come to see them
 * all. */
static struct sender {
    uv_thread_t thread;
    uv_async_t async;
    int published;
    int seen;
} senders[SENDERS];

static void publish_and_send(void* arg) {
    struct sender* sender = arg;
    for (int i = 1; i <= SENDS; i++) {
        __atomic_store_n(&sender->published, i, __ATOMIC_RELEASE);
        CHECK_OK(uv_async_send(&sender->async));
    }
}

static void see(uv_async_t* handle) {
    struct sender* sender = handle->data;
    sender->seen = __atomic_load_n(&sender->published, __ATOMIC_ACQUIRE);
    if (sender->seen == SENDS)
        uv_close((uv_handle_t*)handle, NULL);
}

TEST(none_of_a_million_sends_from_eight_threads_is_lost) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < SENDERS; i++) {
        CHECK_OK(uv_async_init(&loop, &senders[i].async, see));
        senders[i].async.data = &senders[i];
    }
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_create(&senders[i].thread, publish_and_send, &senders[i]));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    for (int i = 0; i < SENDERS; i++) {
        CHECK_OK(uv_thread_join(&senders[i].thread));
        CHECK_EQ(senders[i].seen, SENDS);
    }
    finish();
}

static int shared_published;

static void publish_shared(void* arg) {
    (void)arg;
    for (int i = 0; i < SENDS / 5; i++) {
        __atomic_fetch_add(&shared_published, 1, __ATOMIC_RELEASE);
        CHECK_OK(uv_async_send(&async));
    }
}

static void see_shared(uv_async_t* handle) {
    if (__atomic_load_n(&shared_published, __ATOMIC_ACQUIRE) == SENDERS * (SENDS / 5))
        uv_close((uv_handle_t*)handle, NULL);
}

TEST(eight_threads_may_send_to_one_handle) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, see_shared));
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_create(&senders[i].thread, publish_shared, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_join(&senders[i].thread));
    finish();
}

static void on_signal(int signum) {
    (void)signum;
    uv_async_send(&async);
}

static void raise_later(void* arg) {
    (void)arg;
    uv_sleep(20);
    kill(getpid(), SIGUSR1);
}

TEST(a_signal_handler_may_send) {
    uv_thread_t thread;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, count_and_close));
    CHECK(signal(SIGUSR1, on_signal) != SIG_ERR);
    CHECK_OK(uv_thread_create(&thread, raise_later, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_OK(uv_thread_join(&thread));
    finish();
}

TEST(a_handle_closed_with_a_send_pending_gets_no_callback) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, count));
    CHECK_OK(uv_async_send(&async));
    uv_close((uv_handle_t*)&async, NULL);
    CHECK_OK(uv_async_send(&async));
    finish();
    CHECK_EQ(calls, 0);
}

static void free_handle(uv_handle_t* handle) {
    calls++;
    free(handle);
}

TEST(many_handles_closed_with_sends_pending_may_be_freed_at_once) {
    enum { HANDLES = 20000 };
    static uv_async_t* handles[HANDLES];
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < HANDLES; i++) {
        handles[i] = malloc(sizeof(uv_async_t));
        CHECK_OK(uv_async_init(&loop, handles[i], count));
        CHECK_OK(uv_async_send(handles[i]));
    }
    for (int i = 0; i < HANDLES; i++)
        uv_close((uv_handle_t*)handles[i], free_handle);
    finish();
    CHECK_EQ(calls, HANDLES);
}

static uv_async_t pair[2];

static void close_both(uv_async_t* handle) {
    (void)handle;
    calls++;
    uv_close((uv_handle_t*)&pair[0], NULL);
    uv_close((uv_handle_t*)&pair[1], NULL);
}

TEST(a_callback_may_close_another_handle_that_was_sent_too) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_async_init(&loop, &pair[i], close_both));
        CHECK_OK(uv_async_send(&pair[i]));
    }
    finish();
    CHECK_EQ(calls, 1);
}

static void send_itself(uv_async_t* handle) {
    if (++calls < 3)
        CHECK_OK(uv_async_send(handle));
    else
        uv_close((uv_handle_t*)handle, NULL);
}

static void count_iteration(uv_prepare_t* handle) {
    *(int*)handle->data += 1;
}

TEST(a_send_inside_the_callback_runs_in_a_later_iteration) {
    uv_prepare_t prepare;
    int iterations = 0;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_prepare_init(&loop, &prepare));
    prepare.data = &iterations;
    CHECK_OK(uv_prepare_start(&prepare, count_iteration));
    uv_unref((uv_handle_t*)&prepare);
    CHECK_OK(uv_async_init(&loop, &async, send_itself));
    CHECK_OK(uv_async_send(&async));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 3);
    CHECK_EQ(iterations, 3);
    uv_close((uv_handle_t*)&prepare, NULL);
    finish();
}

TEST(an_async_without_a_callback_only_wakes_the_loop) {
    uv_thread_t thread;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, NULL));
    CHECK_OK(uv_thread_create(&thread, send_later, &async));
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_OK(uv_thread_join(&thread));
    uv_close((uv_handle_t*)&async, NULL);
    finish();
}

static int sender_stops;

static void send_until_told(void* arg) {
    while (!__atomic_load_n(&sender_stops, __ATOMIC_ACQUIRE))
        uv_async_send(arg);
}

static void close_after_some(uv_async_t* handle) {
    if (++calls == 1000)
        uv_close((uv_handle_t*)handle, NULL);
}

TEST(closing_while_another_thread_sends_is_safe) {
    uv_thread_t thread;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, close_after_some));
    CHECK_OK(uv_thread_create(&thread, send_until_told, &async));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1000);
    __atomic_store_n(&sender_stops, 1, __ATOMIC_RELEASE);
    CHECK_OK(uv_thread_join(&thread));
    finish();
}

static void close_it(uv_async_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
}

static void send_once(void* arg) {
    CHECK_OK(uv_async_send(arg));
}

TEST(the_loop_may_be_freed_as_soon_as_the_send_has_had_its_effect) {
    for (int i = 0; i < 500; i++) {
        uv_thread_t thread;
        uv_loop_t* own = malloc(sizeof(*own));
        uv_async_t* handle = malloc(sizeof(*handle));
        CHECK_OK(uv_loop_init(own));
        CHECK_OK(uv_async_init(own, handle, close_it));
        CHECK_OK(uv_thread_create(&thread, send_once, handle));
        CHECK_OK(uv_run(own, UV_RUN_DEFAULT));
        CHECK_OK(uv_loop_close(own));
        free(handle);
        free(own);
        CHECK_OK(uv_thread_join(&thread));
    }
}

static void send_first_then_close_second(uv_check_t* check) {
    CHECK_OK(uv_async_send(&pair[0]));
    CHECK_OK(uv_async_send(&pair[1]));
    uv_close((uv_handle_t*)&pair[1], NULL);
    uv_close((uv_handle_t*)check, NULL);
}

TEST(closing_a_sent_handle_does_not_lose_the_send_of_another) {
    uv_check_t check;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, send_first_then_close_second));
    CHECK_OK(uv_async_init(&loop, &pair[0], count_and_close));
    CHECK_OK(uv_async_init(&loop, &pair[1], NULL));
    CHECK_OK(uv_async_send(&pair[1]));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    finish();
}
