/* Channels between loops and threads. */
// threaded
#include "go_test.h"

enum { ITEMS = 3000 };

static go_channel_t *there, *back;

static int echo(void* arg) {
    int number;
    (void)arg;
    while (go_receive(there, &number, GO_NEVER) == 0) {
        number++;
        CHECK_OK(go_send(back, &number, GO_NEVER));
    }
    return 0;
}

static void run_loop(void* arg) {
    uv_loop_t own;
    CHECK_OK(uv_loop_init(&own));
    for (int i = 0; i < *(int*)arg; i++)
        CHECK_OK(go_start(&own, echo, NULL));
    CHECK_OK(uv_run(&own, UV_RUN_DEFAULT));
    CHECK_OK(go_loop_close(&own));
    CHECK_OK(uv_loop_close(&own));
}

static int send_all(void* arg) {
    (void)arg;
    for (int i = 0; i < ITEMS; i++)
        CHECK_OK(go_send(there, &i, GO_NEVER));
    return 0;
}

static int talk(void* arg) {
    int number = 0;
    long sum = 0;
    (void)arg;
    CHECK_OK(go_start(&loop, send_all, NULL));
    for (int i = 0; i < ITEMS; i++) {
        CHECK_OK(go_receive(back, &number, GO_NEVER));
        sum += number;
    }
    CHECK_EQ(sum, (long)ITEMS * (ITEMS + 1) / 2);
    go_channel_close(there);
    return 0;
}

static void talk_to_loops(size_t capacity) {
    uv_thread_t threads[2];
    int coroutines = 3;
    there = go_channel_new_shared(sizeof(int), capacity);
    back = go_channel_new_shared(sizeof(int), capacity);
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_thread_create(&threads[i], run_loop, &coroutines));
    in_coroutine(talk, NULL);
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    go_channel_free(there);
    go_channel_free(back);
}

TEST(loops_talk_over_a_rendezvous_channel) {
    talk_to_loops(0);
}

TEST(loops_talk_over_a_bounded_channel) {
    talk_to_loops(10);
}

TEST(loops_talk_over_an_unbounded_channel) {
    talk_to_loops(GO_UNBOUNDED);
}

static go_suspends void echo_on_thread(void* arg) {
    int number;
    CHECK_EQ(go_receive(arg, &number, go_after(2)), UV_ETIMEDOUT);
    CHECK_EQ(go_receive(arg, &number, GO_NOW), UV_ETIMEDOUT);
    while (go_receive(there, &number, GO_NEVER) == 0) {
        number++;
        CHECK_OK(go_send(back, &number, GO_NEVER));
    }
}

TEST(threads_without_a_loop_take_part) {
    uv_thread_t threads[2];
    go_channel_t* unused = go_channel_new_shared(sizeof(int), 0);
    there = go_channel_new_shared(sizeof(int), 0);
    back = go_channel_new_shared(sizeof(int), 0);
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_thread_create(&threads[i], echo_on_thread, unused));
    in_coroutine(talk, NULL);
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    go_channel_free(unused);
    go_channel_free(there);
    go_channel_free(back);
}

/* Everybody selects on both channels, to send and to receive, with deadlines that pass now and
 * then; nothing is lost and nothing comes twice. */
static _Atomic long sent, received;

static go_suspends void exchange(unsigned seed, bool waits) {
    for (int i = 0; i < ITEMS; i++) {
        int out = (int)(seed = seed * 1103515245 + 12345) >> 8 & 0xffff, in = 0;
        go_case_t cases[] = {GO_CASE_SEND(there, &out), GO_CASE_RECEIVE(there, &in),
                             GO_CASE_SEND(back, &out), GO_CASE_RECEIVE(back, &in)};
        int index = go_select(cases, 4, waits && seed % 8 != 0 ? go_after(50) : go_after(1));
        if (index == UV_ETIMEDOUT)
            continue;
        CHECK_GE(index, 0);
        CHECK_EQ(cases[index].status, 0);
        if (index % 2 == 0)
            sent += out;
        else
            received += in;
    }
}

static int exchange_in_coroutine(void* arg) {
    exchange((unsigned)(uintptr_t)arg, false);
    return 0;
}

static void exchange_on_loop(void* arg) {
    uv_loop_t own;
    CHECK_OK(uv_loop_init(&own));
    for (uintptr_t i = 0; i < 3; i++)
        CHECK_OK(go_start(&own, exchange_in_coroutine, (char*)arg + i));
    CHECK_OK(uv_run(&own, UV_RUN_DEFAULT));
    CHECK_OK(go_loop_close(&own));
    CHECK_OK(uv_loop_close(&own));
}

static go_suspends void exchange_on_thread(void* arg) {
    exchange((unsigned)(uintptr_t)arg, false);
}

TEST(selects_of_many_threads_lose_nothing) {
    uv_thread_t threads[4];
    there = go_channel_new_shared(sizeof(int), 0);
    back = go_channel_new_shared(sizeof(int), 3);
    for (uintptr_t i = 0; i < 2; i++) {
        CHECK_OK(uv_thread_create(&threads[i], exchange_on_loop, (void*)(i * 1000 + 1)));
        CHECK_OK(uv_thread_create(&threads[i + 2], exchange_on_thread, (void*)(i * 1000 + 77)));
    }
    for (int i = 0; i < 4; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    for (int left; go_receive(back, &left, GO_NOW) == 0;)
        received += left;
    CHECK_EQ(sent, received);
    CHECK_GT(sent, 0);
    go_channel_free(there);
    go_channel_free(back);
}
