/* Channels between coroutines of one loop, select, locks, generators. */
#include "go_test.h"

static go_channel_t* channel;
static char order[64];

static void note(char what) {
    size_t length = strlen(order);
    CHECK_LT(length, sizeof(order) - 1);
    order[length] = what;
}

static int send_numbers(void* arg) {
    int count = *(int*)arg;
    for (int i = 0; i < count; i++)
        CHECK_OK(go_send(channel, &i, GO_NEVER));
    go_channel_close(channel);
    CHECK_EQ(go_send(channel, &count, GO_NEVER), UV_EPIPE);
    return 0;
}

static int receive_numbers(void* arg) {
    int number, expected = 0, count = 1000;
    (void)arg;
    CHECK_OK(go_start(&loop, send_numbers, &count));
    while (go_receive(channel, &number, GO_NEVER) == 0)
        CHECK_EQ(number, expected++);
    CHECK_EQ(expected, 1000);
    CHECK_EQ(go_receive(channel, &number, GO_NEVER), UV_EOF);
    return 0;
}

static void pass_numbers(size_t capacity) {
    channel = go_channel_new(sizeof(int), capacity);
    CHECK(channel != NULL);
    in_coroutine(receive_numbers, NULL);
    go_channel_free(channel);
}

TEST(rendezvous_channel_passes_items_in_order) {
    pass_numbers(0);
}

TEST(bounded_channel_passes_items_in_order) {
    pass_numbers(7);
}

TEST(unbounded_channel_passes_items_in_order) {
    pass_numbers(GO_UNBOUNDED);
}

static int wait_in_vain(void* arg) {
    int number = 1;
    CHECK_EQ(arg == NULL ? go_receive(channel, &number, GO_NEVER)
                         : go_send(channel, &number, GO_NEVER),
             UV_ECANCELED);
    note('c');
    return 0;
}

static go_suspends void cancel_one(void* arg) {
    go_t* other;
    CHECK_OK(go_start_with(&loop, NULL, wait_in_vain, arg, &other));
    go_cancel(other);
    CHECK_OK(go_join(other, NULL, GO_NEVER));
    go_release(other);
}

static int use_limits(void* arg) {
    int number = 5;
    (void)arg;
    channel = go_channel_new(sizeof(int), 2);
    CHECK_EQ(go_receive(channel, &number, GO_NOW), UV_ETIMEDOUT);
    CHECK_EQ(go_receive(channel, &number, go_after(2)), UV_ETIMEDOUT);
    cancel_one(NULL);
    CHECK_OK(go_send(channel, &number, GO_NOW));
    CHECK_OK(go_send(channel, &number, GO_NEVER));
    CHECK_EQ(go_channel_count(channel), 2);
    CHECK_EQ(go_send(channel, &number, GO_NOW), UV_ETIMEDOUT);
    CHECK_EQ(go_send(channel, &number, go_after(2)), UV_ETIMEDOUT);
    cancel_one("");
    CHECK_STR(order, "cc");
    CHECK_EQ(go_channel_count(channel), 2);
    go_channel_close(channel);
    CHECK_OK(go_receive(channel, &number, GO_NEVER)); /* what is left */
    CHECK_OK(go_receive(channel, &number, GO_NEVER));
    CHECK_EQ(go_receive(channel, &number, GO_NEVER), UV_EOF);
    go_channel_free(channel);
    return 0;
}

TEST(channel_calls_take_deadlines_and_are_cancelled) {
    in_coroutine(use_limits, NULL);
}

static int receive_end(void* arg) {
    int number;
    (void)arg;
    CHECK_EQ(go_receive(channel, &number, GO_NEVER), UV_EOF);
    note('e');
    return 0;
}

static int receive_number(void* arg) {
    int number;
    (void)arg;
    CHECK_OK(go_receive(channel, &number, GO_NEVER));
    note('n');
    return 0;
}

static go_suspends void receive_from_coroutine(uv_timer_t* timer) {
    int number = 0;
    CHECK_EQ(go_receive(channel, &number, GO_NEVER), UV_EINVAL); /* a callback does not wait */
    CHECK_OK(go_try_send(channel, &number));                     /* to the one who waits first */
    CHECK_STR(order, "n");
    CHECK_EQ(go_try_receive(channel, &number), UV_EAGAIN);
    go_channel_close(channel);
    CHECK_EQ(go_try_send(channel, &number), UV_EPIPE);
    CHECK_EQ(go_try_receive(channel, &number), UV_EOF);
    CHECK_STR(order, "nee"); /* they ran before it returned */
    uv_close((uv_handle_t*)timer, NULL);
}

TEST(callbacks_use_channels_without_waiting) {
    uv_timer_t timer;
    channel = go_channel_new(sizeof(int), 0);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start(&loop, receive_number, NULL));
    CHECK_OK(go_start(&loop, receive_end, NULL));
    CHECK_OK(go_start(&loop, receive_end, NULL));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, receive_from_coroutine, 1, 0));
    finish_loop();
    go_channel_free(channel);
}

static go_channel_t* second;

static int send_later(void* arg) {
    CHECK_OK(go_sleep(1));
    CHECK_OK(go_send(arg, &(int){7}, GO_NEVER));
    return 0;
}

static int receive_later(void* arg) {
    int number;
    CHECK_OK(go_sleep(1));
    CHECK_OK(go_receive(arg, &number, GO_NEVER));
    CHECK_EQ(number, 9);
    return 0;
}

static int set_later(void* arg) {
    CHECK_OK(go_sleep(1));
    go_event_set(arg, 3);
    return 0;
}

static int select_cancelled(void* arg) {
    int number;
    (void)arg;
    go_case_t cases[] = {GO_CASE_RECEIVE(channel, &number), GO_CASE_SEND(channel, &number)};
    CHECK_EQ(go_select(cases, 2, GO_NEVER), UV_ECANCELED);
    note('s');
    return 0;
}

static int use_select(void* arg) {
    int number = 0, nine = 9;
    go_event_t event;
    go_t* other;
    (void)arg;
    go_event_init(&event, 0);
    go_case_t cases[] = {GO_CASE_RECEIVE(channel, &number), GO_CASE_SEND(second, &nine),
                         GO_CASE_EVENT(&event)};
    CHECK_EQ(go_select(cases, 3, GO_NOW), UV_ETIMEDOUT);
    CHECK_EQ(go_select(cases, 3, go_after(2)), UV_ETIMEDOUT);
    CHECK_EQ(go_select(cases, 0, go_after(2)), UV_ETIMEDOUT);
    CHECK_EQ(go_select(cases, GO_CASES_MOST + 1, GO_NOW), UV_EINVAL);
    CHECK_OK(go_start(&loop, send_later, channel));
    CHECK_EQ(go_select(cases, 3, GO_NEVER), 0);
    CHECK_EQ(number, 7);
    CHECK_OK(go_start(&loop, receive_later, second));
    CHECK_EQ(go_select(cases, 3, GO_NEVER), 1);
    CHECK_OK(go_start(&loop, set_later, &event));
    CHECK_EQ(go_select(cases, 3, GO_NEVER), 2);
    CHECK_EQ(cases[2].status, 3);
    /* Nobody is left in a queue. */
    CHECK_EQ(go_send(channel, &number, GO_NOW), UV_ETIMEDOUT);
    CHECK_EQ(go_receive(second, &number, GO_NOW), UV_ETIMEDOUT);
    CHECK_OK(go_start_with(&loop, NULL, select_cancelled, NULL, &other));
    go_cancel(other);
    CHECK_OK(go_join(other, NULL, GO_NEVER));
    go_release(other);
    CHECK_STR(order, "s");
    go_channel_close(channel);
    CHECK_EQ(go_select(cases, 3, GO_NEVER), 0);
    CHECK_EQ(cases[0].status, UV_EOF);
    return 0;
}

TEST(select_does_one_of_several) {
    channel = go_channel_new(sizeof(int), 0);
    second = go_channel_new(sizeof(int), 0);
    in_coroutine(use_select, NULL);
    go_channel_free(channel);
    go_channel_free(second);
}

static int take_turns(void* arg) {
    int number, counts[2] = {0, 0};
    (void)arg;
    go_case_t cases[] = {GO_CASE_RECEIVE(channel, &number), GO_CASE_RECEIVE(second, &number)};
    for (int i = 0; i < 100; i++) {
        CHECK_OK(go_send(channel, &i, GO_NEVER));
        CHECK_OK(go_send(second, &i, GO_NEVER));
    }
    for (int i = 0; i < 100; i++)
        counts[go_select(cases, 2, GO_NOW)]++;
    CHECK_GE(counts[0], 40);
    CHECK_GE(counts[1], 40);
    return 0;
}

TEST(cases_that_can_go_on_take_turns) {
    channel = go_channel_new(sizeof(int), GO_UNBOUNDED);
    second = go_channel_new(sizeof(int), GO_UNBOUNDED);
    in_coroutine(take_turns, NULL);
    go_channel_free(channel);
    go_channel_free(second);
}

static go_mutex_t mutex;
static go_condition_t condition;
static go_semaphore_t semaphore;
static int inside, most_inside, ready;

static int enter_and_leave(void* arg) {
    const char* name = arg;
    CHECK_OK(go_mutex_lock(&mutex, GO_NEVER));
    CHECK_EQ(go_mutex_lock(&mutex, GO_NEVER), UV_EINVAL);
    note(*name);
    CHECK_EQ(inside++, 0);
    CHECK_OK(go_sleep(1));
    inside--;
    CHECK_OK(go_mutex_unlock(&mutex));
    CHECK_EQ(go_mutex_unlock(&mutex), UV_EPERM);
    return 0;
}

static int lock_in_vain(void* arg) {
    (void)arg;
    CHECK_EQ(go_mutex_lock(&mutex, GO_NEVER), UV_ECANCELED);
    return 0;
}

static int use_mutex(void* arg) {
    go_t* other;
    (void)arg;
    go_mutex_init(&mutex);
    CHECK_OK(go_start(&loop, enter_and_leave, "a"));
    CHECK_OK(go_start(&loop, enter_and_leave, "b"));
    CHECK_OK(go_start_with(&loop, NULL, lock_in_vain, NULL, &other));
    CHECK_OK(go_start(&loop, enter_and_leave, "c"));
    CHECK_EQ(go_mutex_lock(&mutex, GO_NOW), UV_ETIMEDOUT);
    go_cancel(other);
    CHECK_OK(go_join(other, NULL, GO_NEVER));
    go_release(other);
    CHECK_OK(go_mutex_lock(&mutex, GO_NEVER));
    CHECK_STR(order, "abc");
    return go_mutex_unlock(&mutex);
}

TEST(mutex_lets_one_in_after_the_other) {
    in_coroutine(use_mutex, NULL);
}

static int wait_for_ready(void* arg) {
    uint64_t deadline = arg != NULL ? go_after(1) : GO_NEVER;
    CHECK_OK(go_mutex_lock(&mutex, GO_NEVER));
    int status = 0;
    while (!ready && status == 0)
        status = go_condition_wait(&condition, &mutex, deadline);
    CHECK_EQ(status, arg != NULL ? UV_ETIMEDOUT : 0);
    note(arg != NULL ? 't' : 'r');
    return go_mutex_unlock(&mutex);
}

static int use_condition(void* arg) {
    (void)arg;
    go_mutex_init(&mutex);
    go_condition_init(&condition);
    for (int i = 0; i < 3; i++)
        CHECK_OK(go_start(&loop, wait_for_ready, NULL));
    CHECK_OK(go_start(&loop, wait_for_ready, ""));
    CHECK_OK(go_sleep(5));
    CHECK_STR(order, "t");
    go_condition_signal(&condition); /* not yet: it waits again */
    CHECK_OK(go_yield());
    CHECK_OK(go_mutex_lock(&mutex, GO_NEVER));
    ready = 1;
    go_condition_broadcast(&condition);
    CHECK_OK(go_mutex_unlock(&mutex));
    CHECK_OK(go_sleep(1));
    CHECK_STR(order, "trrr");
    CHECK_EQ(go_condition_wait(&condition, &mutex, GO_NEVER), UV_EPERM);
    return 0;
}

TEST(condition_gives_the_mutex_up_and_has_it_again) {
    in_coroutine(use_condition, NULL);
}

static int enter_few(void* arg) {
    (void)arg;
    CHECK_OK(go_semaphore_acquire(&semaphore, GO_NEVER));
    if (++inside > most_inside)
        most_inside = inside;
    CHECK_OK(go_sleep(1));
    inside--;
    go_semaphore_release(&semaphore);
    return 0;
}

static int use_semaphore(void* arg) {
    (void)arg;
    go_semaphore_init(&semaphore, 3);
    for (int i = 0; i < 10; i++)
        CHECK_OK(go_start(&loop, enter_few, NULL));
    CHECK_EQ(go_semaphore_acquire(&semaphore, GO_NOW), UV_ETIMEDOUT);
    CHECK_OK(go_semaphore_acquire(&semaphore, GO_NEVER));
    CHECK_EQ(most_inside, 3);
    go_semaphore_release(&semaphore);
    return 0;
}

TEST(semaphore_lets_so_many_in) {
    in_coroutine(use_semaphore, NULL);
}

static go_suspends void give_squares(go_generator_t* generator, void* arg) {
    int count = *(int*)arg;
    for (int i = 0; i < count; i++) {
        int square = i * i;
        if (i == 3)
            CHECK_OK(go_sleep(1));
        if (go_give(generator, &square, sizeof(square)) != 0) {
            note('x');
            return;
        }
    }
    note('e');
}

static int use_generator(void* arg) {
    go_generator_t generator;
    int count = 5, square = 0, sum = 0;
    (void)arg;
    go_generator_init(&generator, give_squares, &count);
    while (go_next(&generator, &square) == 1)
        sum += square;
    CHECK_EQ(sum, 30);
    CHECK_EQ(go_next(&generator, &square), 0);
    go_generator_end(&generator);
    CHECK_STR(order, "e");
    go_generator_init(&generator, give_squares, &count);
    CHECK_EQ(go_next(&generator, &square), 1);
    CHECK_EQ(go_next(&generator, &square), 1);
    go_generator_end(&generator);
    CHECK_STR(order, "ex");
    CHECK_EQ(go_next(&generator, &square), 0);
    go_generator_init(&generator, give_squares, &count);
    go_generator_end(&generator); /* it never began */
    count = 0;
    go_generator_init(&generator, give_squares, &count);
    CHECK_EQ(go_next(&generator, &square), 0);
    return 0;
}

TEST(generator_gives_items_until_nobody_wants_more) {
    in_coroutine(use_generator, NULL);
}
