#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static int calls;

static void count_timer(uv_timer_t* handle) {
    (void)handle;
    calls++;
}

static void count_idle(uv_idle_t* handle) {
    (void)handle;
    calls++;
}

static void count_close(uv_handle_t* handle) {
    (void)handle;
    calls++;
}

static void finish(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_loop_without_handles_is_not_alive_and_runs_nothing) {
    CHECK_OK(uv_loop_init(&loop));
    uint64_t before = uv_now(&loop);
    CHECK_OK(uv_loop_alive(&loop));
    uv_sleep(20);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_GE(uv_now(&loop) - before, 20);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(an_active_handle_keeps_the_loop_alive_only_while_it_is_referenced) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_loop_alive(&loop));
    CHECK_OK(uv_timer_start(&timer, count_timer, 10000, 0));
    CHECK_NE(uv_loop_alive(&loop), 0);
    uv_unref((uv_handle_t*)&timer);
    uv_unref((uv_handle_t*)&timer);
    CHECK_OK(uv_has_ref((uv_handle_t*)&timer));
    CHECK_OK(uv_loop_alive(&loop));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uv_ref((uv_handle_t*)&timer);
    uv_ref((uv_handle_t*)&timer);
    CHECK_NE(uv_has_ref((uv_handle_t*)&timer), 0);
    CHECK_EQ(loop.active_handles, 1);
    uv_close((uv_handle_t*)&timer, count_close);
    CHECK_NE(uv_loop_alive(&loop), 0);
    finish();
    CHECK_EQ(calls, 1);
}

TEST(active_handles_changed_by_hand_keeps_the_loop_alive) {
    CHECK_OK(uv_loop_init(&loop));
    loop.active_handles++;
    CHECK_NE(uv_loop_alive(&loop), 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    loop.active_handles--;
    finish();
}

static void stop_loop(uv_timer_t* handle) {
    calls++;
    uv_stop(handle->loop);
}

TEST(stop_ends_the_run_after_the_iteration_and_the_flag_is_cleared) {
    uv_timer_t timer;
    uv_check_t check;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_timer_start(&timer, stop_loop, 0, 1));
    CHECK_NE(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 1);
    CHECK_NE(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 2);
    uv_close((uv_handle_t*)&timer, NULL);
    uv_close((uv_handle_t*)&check, NULL);
    finish();
}

TEST(stop_before_run_returns_at_once_and_only_once) {
    uv_idle_t idle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, count_idle));
    uv_stop(&loop);
    CHECK_NE(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 1);
    uv_close((uv_handle_t*)&idle, NULL);
    finish();
}

TEST(a_loop_with_handles_can_not_be_closed) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    uv_close((uv_handle_t*)&timer, NULL);
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    finish();
}

TEST(a_loop_that_is_closed_already_is_busy) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(the_default_loop_is_one_and_can_be_closed_and_had_again) {
    uv_loop_t* first = uv_default_loop();
    CHECK(first != NULL);
    CHECK(uv_default_loop() == first);
    CHECK_OK(uv_loop_close(first));
    CHECK(uv_default_loop() != NULL);
    CHECK_OK(uv_run(uv_default_loop(), UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(uv_default_loop()));
}

TEST(init_keeps_the_callers_data_pointer) {
    int mine;
    loop.data = &mine;
    CHECK_OK(uv_loop_init(&loop));
    CHECK(uv_loop_get_data(&loop) == &mine);
    uv_loop_set_data(&loop, NULL);
    CHECK(loop.data == NULL);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(backend_timeout_is_zero_while_anything_has_to_run) {
    uv_timer_t timer;
    uv_idle_t idle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_backend_timeout(&loop), 0);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, count_timer, 1000, 0));
    CHECK_EQ(uv_backend_timeout(&loop), 1000);
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, count_idle));
    CHECK_EQ(uv_backend_timeout(&loop), 0);
    uv_idle_stop(&idle);
    CHECK_EQ(uv_backend_timeout(&loop), 1000);
    uv_stop(&loop);
    CHECK_EQ(uv_backend_timeout(&loop), 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    uv_close((uv_handle_t*)&idle, NULL);
    CHECK_EQ(uv_backend_timeout(&loop), 0);
    uv_close((uv_handle_t*)&timer, NULL);
    finish();
}

static void ignore_check(uv_check_t* handle) {
    (void)handle;
}

TEST(backend_timeout_is_infinite_without_timers_and_exact_far_away) {
    uv_check_t check;
    uv_timer_t near, far;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, ignore_check));
    CHECK_EQ(uv_backend_timeout(&loop), -1);
    CHECK_OK(uv_timer_init(&loop, &far));
    CHECK_OK(uv_timer_init(&loop, &near));
    CHECK_OK(uv_timer_start(&far, count_timer, 987654321, 0));
    CHECK_EQ(uv_backend_timeout(&loop), 987654321);
    CHECK_OK(uv_timer_start(&near, count_timer, 4321, 0));
    CHECK_EQ(uv_backend_timeout(&loop), 4321);
    CHECK_OK(uv_timer_stop(&near));
    CHECK_EQ(uv_backend_timeout(&loop), 987654321);
    CHECK_OK(uv_timer_start(&far, count_timer, UINT64_MAX / 2, 0));
    CHECK_EQ(uv_backend_timeout(&loop), 0x7fffffff);
    uv_close((uv_handle_t*)&check, NULL);
    uv_close((uv_handle_t*)&near, NULL);
    uv_close((uv_handle_t*)&far, NULL);
    finish();
}

static void count_async(uv_async_t* handle) {
    (void)handle;
    calls++;
}

static int backend_readable(void) {
    struct pollfd pfd = {.fd = uv_backend_fd(&loop), .events = POLLIN};
    return poll(&pfd, 1, 0);
}

TEST(the_backend_descriptor_is_readable_when_a_wake_up_waits) {
    uv_async_t async;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, count_async));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(backend_readable(), 0);
    CHECK_OK(uv_async_send(&async));
    CHECK_EQ(backend_readable(), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 1);
    uv_close((uv_handle_t*)&async, NULL);
    finish();
}

static void send_again(uv_async_t* handle) {
    calls++;
    CHECK_OK(uv_async_send(handle));
}

TEST(a_wake_up_sent_during_run_leaves_the_backend_descriptor_readable) {
    uv_async_t async;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, send_again));
    CHECK_OK(uv_async_send(&async));
    for (int i = 1; i < 4; i++) {
        CHECK_EQ(backend_readable(), 1);
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
        CHECK_EQ(calls, i);
    }
    uv_close((uv_handle_t*)&async, NULL);
    finish();
}

TEST(configure_takes_the_known_options_and_refuses_the_rest) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_LOOP_BLOCK_SIGNAL, SIGPROF));
    CHECK_EQ(uv_loop_configure(&loop, UV_LOOP_BLOCK_SIGNAL, SIGINT), UV_EINVAL);
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    CHECK_EQ(uv_loop_configure(&loop, (uv_loop_option)99), UV_ENOSYS);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(idle_time_counts_only_the_time_blocked_in_poll) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    CHECK_EQ(uv_metrics_idle_time(&loop), 0);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, count_timer, 200, 0));
    uint64_t start = uv_hrtime();
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uint64_t elapsed = uv_hrtime() - start;
    CHECK_GT(uv_metrics_idle_time(&loop), 100000000);
    CHECK_LE(uv_metrics_idle_time(&loop), elapsed);
    uv_close((uv_handle_t*)&timer, NULL);
    finish();
}

static uint64_t idle_begun;
static uint64_t idle_seen;
static uv_async_t idle_was_seen;

/* From another thread, while the loop sleeps. */
static void look_at_idle_time(void* nothing) {
    (void)nothing;
    do {
        uv_sleep(1);
        idle_seen = uv_metrics_idle_time(&loop);
    } while (idle_seen == 0);
    CHECK_LE(idle_seen, uv_hrtime() - idle_begun);
    CHECK_OK(uv_async_send(&idle_was_seen));
}

static void close_seen(uv_async_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
}

TEST(idle_time_counts_the_wait_that_goes_on) {
    uv_thread_t other;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    CHECK_OK(uv_async_init(&loop, &idle_was_seen, close_seen));
    idle_begun = uv_hrtime();
    CHECK_OK(uv_thread_create(&other, look_at_idle_time, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_thread_join(&other));
    CHECK_GT(idle_seen, 0);
    finish();
}

static void close_after_five(uv_idle_t* handle) {
    if (++calls == 5)
        uv_close((uv_handle_t*)handle, NULL);
}

TEST(metrics_count_iterations_and_events) {
    uv_metrics_t metrics;
    uv_idle_t idle;
    uv_async_t async;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, close_after_five));
    CHECK_OK(uv_async_init(&loop, &async, count_async));
    CHECK_OK(uv_async_send(&async));
    uv_unref((uv_handle_t*)&async);
    calls = -1;
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    CHECK_EQ(metrics.loop_count, 5);
    CHECK_EQ(metrics.events, 1);
    CHECK_EQ(metrics.events_waiting, 0);
    uv_close((uv_handle_t*)&async, NULL);
    finish();
}

static void count_signal(uv_signal_t* handle, int signum) {
    (void)handle;
    (void)signum;
    calls++;
}

static void check_events(uint64_t events, uint64_t waiting) {
    uv_metrics_t metrics;
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    CHECK_EQ(metrics.events, events);
    CHECK_EQ(metrics.events_waiting, waiting);
}

TEST(metrics_count_all_signals_of_a_turn_as_one_event) {
    uv_signal_t handles[2];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_signal_init(&loop, &handles[i]));
        CHECK_OK(uv_signal_start(&handles[i], count_signal, SIGUSR1));
    }
    raise(SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 4);
    check_events(1, 1);
    uv_run(&loop, UV_RUN_NOWAIT);
    check_events(1, 1);
    raise(SIGUSR1);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t*)&handles[i], NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 4);
    check_events(2, 2);
    finish();
}

static uv_sem_t arrived, gate;

static void run_at_once(uv_work_t* req) {
    (void)req;
}

static void wait_at_gate(uv_work_t* req) {
    (void)req;
    uv_sem_post(&arrived);
    uv_sem_wait(&gate);
}

/* The only thread has told the loop of the first two pieces when it begins the third. */
TEST(metrics_count_finished_work_and_a_wake_up_that_comes_with_it_by_the_work) {
    uv_work_t works[3];
    uv_async_t async;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    CHECK_OK(uv_sem_init(&arrived, 0));
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_async_init(&loop, &async, count_async));
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_queue_work(&loop, &works[i], i < 2 ? run_at_once : wait_at_gate, NULL));
    uv_sem_wait(&arrived);
    CHECK_OK(uv_async_send(&async));
    uv_run(&loop, UV_RUN_NOWAIT);
    check_events(2, 2);
    uv_sem_post(&gate);
    uv_close((uv_handle_t*)&async, NULL);
    finish();
    uv_sem_destroy(&arrived);
    uv_sem_destroy(&gate);
}

static void do_nothing(uv_idle_t* handle) {
    (void)handle;
}

static void look_at_count(uv_check_t* handle) {
    uv_metrics_t metrics;
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    CHECK_EQ(metrics.loop_count, ++calls);
    if (calls == 3)
        uv_close((uv_handle_t*)handle, NULL);
}

TEST(an_iteration_is_counted_before_it_polls) {
    uv_check_t check;
    uv_idle_t idle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, look_at_count));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, do_nothing));
    for (int i = 0; i < 3; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 3);
    uv_close((uv_handle_t*)&idle, NULL);
    finish();
}

static void end_wait(uv_async_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
}

/* The loop may block, and would have found that it need not. */
TEST(events_that_were_there_before_the_loop_could_sleep_are_counted_as_waiting) {
    uv_metrics_t metrics;
    uv_async_t asyncs[2];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_async_init(&loop, &asyncs[i], end_wait));
        CHECK_OK(uv_async_send(&asyncs[i]));
    }
    CHECK_OK(uv_run(&loop, UV_RUN_ONCE));
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    CHECK_EQ(metrics.events, 1);
    CHECK_EQ(metrics.events_waiting, 1);
    finish();
}

static void end_poll(uv_poll_t* handle, int status, int events) {
    CHECK_OK(status);
    CHECK_EQ(events, UV_READABLE);
    uv_close((uv_handle_t*)handle, NULL);
}

TEST(descriptors_that_were_ready_before_the_loop_could_sleep_are_counted_as_waiting) {
    uv_metrics_t metrics;
    uv_poll_t handle;
    int fds[2];
    CHECK_OK(pipe(fds));
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, end_poll));
    CHECK_OK(uv_run(&loop, UV_RUN_ONCE));
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    CHECK_EQ(metrics.events, 1);
    CHECK_EQ(metrics.events_waiting, 1);
    finish();
    close(fds[0]);
    close(fds[1]);
}

TEST(new_and_delete_manage_a_loop_on_the_heap) {
    uv_loop_t* heap = uv_loop_new();
    CHECK(heap != NULL);
    CHECK_OK(uv_run(heap, UV_RUN_DEFAULT));
    uv_loop_delete(heap);
}

TEST(init_reports_emfile_and_leaves_nothing_open) {
    struct rlimit limit;
    int lowest_free = dup(0);
    close(lowest_free);
    CHECK_OK(getrlimit(RLIMIT_NOFILE, &limit));
    limit.rlim_cur = (rlim_t)lowest_free;
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
    CHECK_EQ(uv_loop_init(&loop), UV_EMFILE);
    limit.rlim_cur++;
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
    CHECK_EQ(uv_loop_init(&loop), UV_EMFILE);
    limit.rlim_cur += 20;
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_blocked_loop_uses_no_cpu) {
    uv_timer_t timer;
    struct rusage before, after;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, count_timer, 500, 0));
    CHECK_OK(getrusage(RUSAGE_SELF, &before));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(getrusage(RUSAGE_SELF, &after));
    long used = (after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 +
                after.ru_utime.tv_usec - before.ru_utime.tv_usec +
                (after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000 +
                after.ru_stime.tv_usec - before.ru_stime.tv_usec;
    CHECK_LT(used, 50000);
    uv_close((uv_handle_t*)&timer, NULL);
    finish();
}
