/* Workers and actors. */
// threaded
#include <stdatomic.h>
#include <unistd.h>

#include "go_test.h"

static atomic_int counted, begun, ended, told;

static int count_one(void* arg) {
    (void)arg;
    CHECK_OK(go_sleep(1));
    counted++;
    return 0;
}

TEST(workers_run_coroutines_on_all_loops) {
    go_workers_t* workers;
    CHECK_OK(go_workers_start(&workers, 3));
    CHECK_EQ(go_workers_count(workers), 3);
    for (unsigned i = 0; i < 300; i++)
        CHECK_OK(go_workers_go(workers, i < 3 ? i : GO_ANY, &(go_options_t){.name = "counter"},
                               count_one, NULL));
    CHECK_EQ(go_workers_go(workers, 3, NULL, count_one, NULL), UV_EINVAL);
    go_workers_join(workers);
    CHECK_EQ(counted, 300);
}

static int sleep_long(void* arg) {
    (void)arg;
    CHECK_EQ(go_sleep(1000000), UV_ECANCELED);
    counted++;
    return 0;
}

static int wait_for_nobody(void* arg) {
    go_event_t event;
    (void)arg;
    go_event_init(&event, 0);
    CHECK_EQ(go_event_wait(&event, GO_NEVER), UV_ECANCELED);
    return 0;
}

static void join_a_deadlock(void) {
    go_workers_t* workers;
    CHECK_OK(go_workers_start(&workers, 2));
    CHECK_OK(go_workers_go(workers, 1, &(go_options_t){.name = "lonely"}, wait_for_nobody, NULL));
    go_workers_join(workers);
    _exit(0);
}

TEST(joining_workers_says_who_waits_when_nothing_can_come) {
    test_child_dies(join_a_deadlock, 0, "coroutine \"lonely\" waits for event");
}

TEST(stopping_workers_cancels_their_coroutines) {
    go_workers_t* workers;
    CHECK_OK(go_workers_start(&workers, 2));
    for (unsigned i = 0; i < 20; i++)
        CHECK_OK(go_workers_go(workers, GO_ANY, NULL, sleep_long, NULL));
    go_workers_stop(workers);
    CHECK_EQ(counted, 20);
}

static go_suspends int echo(uv_stream_t* client, void* arg) {
    char memory[100];
    ssize_t n;
    while ((n = go_read(client, memory, sizeof(memory), GO_NEVER)) > 0)
        CHECK_OK(go_write(client, memory, (size_t)n, GO_NEVER));
    counted++;
    CHECK_STR(arg, "arg");
    return -1; /* the server goes on */
}

static int talk_to_server(void* arg) {
    struct sockaddr_in address;
    uv_tcp_t tcp;
    char text[5] = "";
    CHECK_OK(uv_ip4_addr("127.0.0.1", *(int*)arg, &address));
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(go_tcp_connect(&tcp, (struct sockaddr*)&address, GO_NEVER));
    CHECK_OK(go_write((uv_stream_t*)&tcp, "ping", 4, GO_NEVER));
    CHECK_EQ(go_read_exactly((uv_stream_t*)&tcp, text, 4, GO_NEVER), 4);
    CHECK_STR(text, "ping");
    CHECK_OK(go_close((uv_handle_t*)&tcp));
    return 0;
}

static int talk_often(void* arg) {
    go_group_t group;
    CHECK_OK(go_group_init(&group, NULL));
    for (int i = 0; i < 50; i++)
        CHECK_OK(go_group_start(&group, talk_to_server, arg));
    return go_group_wait(&group, GO_NEVER);
}

TEST(server_on_all_loops_serves_connections) {
    go_workers_t* workers;
    int port = 0, same;
    CHECK_OK(go_workers_start(&workers, 3));
    CHECK_OK(go_workers_serve(workers, "127.0.0.1", &port, echo, "arg"));
    CHECK_GT(port, 0);
    CHECK_EQ(go_workers_serve(workers, "nowhere", &port, echo, NULL), UV_EINVAL);
    same = 0;
    CHECK_EQ(go_workers_serve(workers, "192.0.2.1", &same, echo, NULL), UV_EADDRNOTAVAIL);
    in_coroutine(talk_often, &port);
    go_workers_stop(workers);
    CHECK_EQ(counted, 50);
}

struct counter {
    int sum;
};

static int begin_counting(go_actor_t* self, void* arg) {
    struct counter* state = go_actor_state(self);
    CHECK_EQ(state->sum, 0);
    CHECK(arg == go_actor_arg(self));
    begun++;
    return 0;
}

static go_suspends int count(go_actor_t* self, const void* message, size_t size) {
    struct counter* state = go_actor_state(self);
    int number;
    CHECK_EQ(size, sizeof(number));
    memcpy(&number, message, sizeof(number));
    if (number < 0)
        return number;
    int before = state->sum;
    go_yield(); /* one message at a time, also if it waits */
    CHECK_EQ(state->sum, before);
    state->sum += number;
    counted = state->sum;
    return 0;
}

static void end_counting(go_actor_t* self, int why) {
    (void)self;
    ended++;
    told = why;
}

static const go_actor_options_t counting = {.name = "counter",
                                            .begin = begin_counting,
                                            .receive = count,
                                            .end = end_counting,
                                            .arg = &counted,
                                            .state_size = sizeof(struct counter)};

static void wait_until(atomic_int* value, int expected) {
    while (*value != expected)
        uv_sleep(1);
}

static go_suspends void wait_for_end(go_actor_t* actor, int expected) {
    int why = 1;
    CHECK_OK(go_actor_wait(actor, &why, GO_NEVER));
    CHECK_EQ(why, expected);
    CHECK_EQ(go_actor_send(actor, &why, sizeof(why)), UV_EPIPE);
    go_actor_stop(actor);
    go_actor_release(actor);
}

TEST(actor_takes_one_message_at_a_time) {
    go_workers_t* workers;
    go_actor_t *actor, *found;
    CHECK_OK(go_workers_start(&workers, 2));
    CHECK_OK(go_actor_start(workers, &counting, &actor));
    CHECK_EQ(go_actor_start(workers, &counting, NULL), UV_EEXIST);
    CHECK_EQ(go_actor_start(workers, &(go_actor_options_t){.name = "x"}, NULL), UV_EINVAL);
    found = go_actor_find("counter");
    CHECK(found == actor);
    CHECK_STR(go_actor_name(found), "counter");
    CHECK(go_actor_find("nobody") == NULL);
    for (int i = 0; i <= 1000; i++)
        CHECK_OK(go_actor_send(found, &i, sizeof(i)));
    wait_until(&counted, 500500);
    CHECK_EQ(go_actor_wait(actor, NULL, go_after(2)), UV_ETIMEDOUT);
    go_actor_release(found);
    go_actor_stop(actor);
    wait_for_end(actor, 0);
    CHECK(go_actor_find("counter") == NULL);
    CHECK_EQ(begun, 1);
    CHECK_EQ(ended, 1);
    go_workers_stop(workers);
}

TEST(actor_that_fails_begins_again_and_gives_up_after_so_many) {
    go_workers_t* workers;
    go_actor_t* actor;
    go_actor_options_t options = counting;
    int failure = UV_EIO, five = 5;
    options.restarts = 2;
    options.pause_ms = 1;
    options.pause_most_ms = 3;
    CHECK_OK(go_workers_start(&workers, 1));
    CHECK_OK(go_actor_start(workers, &options, &actor));
    for (int i = 1; i <= 2; i++) {
        CHECK_OK(go_actor_send(actor, &five, sizeof(five)));
        wait_until(&counted, 5);
        CHECK_OK(go_actor_send(actor, &failure, sizeof(failure)));
        wait_until(&begun, i + 1);
        counted = 0;
    }
    CHECK_OK(go_actor_send(actor, &five, sizeof(five))); /* the state is new */
    wait_until(&counted, 5);
    CHECK_OK(go_actor_send(actor, &failure, sizeof(failure)));
    wait_for_end(actor, UV_EIO);
    CHECK_EQ(begun, 3);
    CHECK_EQ(ended, 3);
    CHECK_EQ(told, UV_EIO);
    go_workers_stop(workers);
}

/* Three pauses of 20, 40 and 80 ms. A timer is never early. */
TEST(pauses_double_without_limit_when_none_is_given) {
    go_workers_t* workers;
    go_actor_t* actor;
    go_actor_options_t options = counting;
    int failure = UV_EIO;
    options.restarts = 3;
    options.pause_ms = 20;
    CHECK_OK(go_workers_start(&workers, 1));
    uint64_t start = uv_hrtime();
    CHECK_OK(go_actor_start(workers, &options, &actor));
    for (int i = 0; i < 4; i++)
        CHECK_OK(go_actor_send(actor, &failure, sizeof(failure)));
    wait_for_end(actor, UV_EIO);
    CHECK((uv_hrtime() - start) / 1000000 >= 130);
    go_workers_stop(workers);
}

static go_suspends int wait_for_ever(go_actor_t* self, const void* message, size_t size) {
    (void)self, (void)message, (void)size;
    counted++;
    return go_sleep(1000000);
}

TEST(stopping_an_actor_ends_what_it_waits_for) {
    go_workers_t* workers;
    go_actor_t* actor;
    go_actor_options_t options = {.receive = wait_for_ever, .mailbox = 2, .restarts = 100};
    CHECK_OK(go_workers_start(&workers, 1));
    CHECK_OK(go_actor_start(workers, &options, &actor));
    CHECK_OK(go_actor_send(actor, "a", 1));
    wait_until(&counted, 1);
    CHECK_OK(go_actor_send(actor, "b", 1));
    CHECK_OK(go_actor_send(actor, NULL, 0));
    CHECK_EQ(go_actor_send(actor, "d", 1), UV_EAGAIN); /* the mailbox is full */
    go_actor_stop(actor);
    wait_for_end(actor, 0);
    CHECK_EQ(counted, 1);
    go_workers_stop(workers);
}

TEST(actor_that_is_stopped_while_it_pauses_has_not_failed) {
    go_workers_t* workers;
    go_actor_t* actor;
    go_actor_options_t options = counting;
    int failure = UV_EIO;
    options.restarts = 5;
    options.pause_ms = 1000000;
    CHECK_OK(go_workers_start(&workers, 1));
    CHECK_OK(go_actor_start(workers, &options, &actor));
    CHECK_OK(go_actor_send(actor, &failure, sizeof(failure)));
    wait_until(&ended, 1);
    go_actor_stop(actor);
    wait_for_end(actor, 0);
    go_workers_stop(workers);
}

static go_actor_t* bounded;
static atomic_int taken;
static uv_barrier_t all_are_there;

static void fill(void* arg) {
    (void)arg;
    uv_barrier_wait(&all_are_there);
    for (int i = 0; i < 20; i++)
        taken += go_actor_send(bounded, NULL, 0) == 0;
}

TEST(mailbox_never_has_more_than_its_bound_however_many_send) {
    go_workers_t* workers;
    uv_thread_t threads[4];
    go_actor_options_t options = {.receive = wait_for_ever, .mailbox = 10};
    CHECK_OK(go_workers_start(&workers, 1));
    for (int round = 1; round <= 300; round++) {
        CHECK_OK(go_actor_start(workers, &options, &bounded));
        CHECK_OK(go_actor_send(bounded, NULL, 0));
        wait_until(&counted, round);
        taken = 0;
        CHECK_OK(uv_barrier_init(&all_are_there, 4));
        for (int i = 0; i < 4; i++)
            CHECK_OK(uv_thread_create(&threads[i], fill, NULL));
        for (int i = 0; i < 4; i++)
            CHECK_OK(uv_thread_join(&threads[i]));
        uv_barrier_destroy(&all_are_there);
        CHECK_EQ(taken, 10);
        go_actor_stop(bounded);
        wait_for_end(bounded, 0);
    }
    go_workers_stop(workers);
}

static int note_end(go_actor_t* self, go_actor_t* other, int why) {
    (void)self;
    CHECK_STR(go_actor_name(other), "counter");
    told = why;
    return 0;
}

TEST(linked_actors_end_together_or_are_told) {
    go_workers_t* workers;
    go_actor_t *first, *second, *third;
    go_actor_options_t options = {.receive = wait_for_ever};
    int failure = UV_EIO;
    CHECK_OK(go_workers_start(&workers, 2));
    CHECK_OK(go_actor_start(workers, &counting, &first));
    CHECK_OK(go_actor_start(workers, &options, &second));
    options.linked_ended = note_end;
    CHECK_OK(go_actor_start(workers, &options, &third));
    CHECK_OK(go_actor_link(first, second));
    CHECK_OK(go_actor_link(third, first));
    CHECK_EQ(go_actor_link(first, first), UV_EINVAL);
    CHECK_OK(go_actor_send(first, &failure, sizeof(failure)));
    CHECK_OK(go_actor_wait(first, NULL, GO_NEVER));
    CHECK_EQ(go_actor_link(second, first), UV_EPIPE);
    wait_for_end(first, UV_EIO);
    wait_for_end(second, UV_EIO);
    wait_until(&told, UV_EIO);
    go_actor_stop(third);
    wait_for_end(third, 0);
    go_workers_stop(workers);
}

TEST(stopping_the_workers_ends_actors) {
    go_workers_t* workers;
    go_actor_t* actor;
    int number = 1;
    CHECK_OK(go_workers_start(&workers, 2));
    CHECK_OK(go_actor_start(workers, &counting, &actor));
    CHECK_OK(go_actor_send(actor, &number, sizeof(number)));
    wait_until(&counted, 1);
    go_workers_stop(workers);
    wait_for_end(actor, 0);
}

enum { RING = 20, ROUNDS = 50 };

static go_actor_t* ring[RING];

static int pass_on(go_actor_t* self, const void* message, size_t size) {
    int number;
    CHECK_EQ(size, sizeof(number));
    memcpy(&number, message, sizeof(number));
    int position = (int)(intptr_t)go_actor_arg(self);
    if (number == 0) {
        counted++;
        return 0;
    }
    number--;
    return go_actor_send(ring[(position + 1) % RING], &number, sizeof(number));
}

TEST(actors_on_several_loops_talk_to_each_other) {
    go_workers_t* workers;
    CHECK_OK(go_workers_start(&workers, 4));
    for (intptr_t i = 0; i < RING; i++) {
        go_actor_options_t options = {.receive = pass_on, .arg = (void*)i};
        CHECK_OK(go_actor_start(workers, &options, &ring[i]));
    }
    for (int i = 0; i < RING; i++)
        CHECK_OK(go_actor_send(ring[i], &(int){RING * ROUNDS}, sizeof(int)));
    wait_until(&counted, RING);
    go_workers_stop(workers);
    for (int i = 0; i < RING; i++)
        go_actor_release(ring[i]);
}
