/*
 * Cancel storms: groups of coroutines that wait for anything, and are cancelled, fail or run out of
 * time at random moments. Afterwards nothing may be left: no coroutine, no descriptor, no memory
 * (which the address sanitizer sees), and the shared things still work.
 */
// threaded
#include <fcntl.h>
#include <signal.h>

#include "go_test.h"

enum { STORMS = 10000, AT_ONCE = 50, MEMBERS = 8 };

struct storm {
    unsigned seed;
    uv_pipe_t a, b;
    go_channel_t *channel, *shared;
    go_mutex_t mutex;
    go_condition_t condition;
    go_semaphore_t semaphore;
    go_event_t event;
    int alive;
};

static unsigned pick(struct storm* storm, unsigned limit) {
    storm->seed = storm->seed * 1103515245u + 12345u;
    return (storm->seed >> 16) % limit;
}

static uint64_t some_deadline(struct storm* storm) {
    unsigned n = pick(storm, 4);
    return n == 0 ? GO_NEVER : n == 1 ? GO_NOW : go_after(n - 1);
}

static void do_nothing(void* arg) {
    (void)arg;
}

static go_suspends int use_streams(struct storm* storm) {
    char memory[3000];
    memset(memory, 'x', sizeof(memory));
    switch (pick(storm, 3)) {
    case 0:
        return (int)go_read((uv_stream_t*)&storm->b, memory, sizeof(memory), some_deadline(storm));
    case 1:
        return (int)go_read_exactly((uv_stream_t*)&storm->b, memory, 2000, some_deadline(storm));
    default:
        for (int i = 0; i < 200; i++) {
            int status =
                go_write((uv_stream_t*)&storm->a, memory, sizeof(memory), some_deadline(storm));
            if (status != 0)
                return status;
        }
        return 0;
    }
}

static go_suspends int use_locks(struct storm* storm) {
    int status = go_mutex_lock(&storm->mutex, some_deadline(storm));
    if (status != 0)
        return status;
    if (pick(storm, 2) == 0)
        status = go_yield();
    else
        status = go_condition_wait(&storm->condition, &storm->mutex, some_deadline(storm));
    go_condition_signal(&storm->condition);
    CHECK_OK(go_mutex_unlock(&storm->mutex));
    if (status == 0)
        status = go_semaphore_acquire(&storm->semaphore, some_deadline(storm));
    if (status == 0) {
        status = go_yield();
        go_semaphore_release(&storm->semaphore);
    }
    return status;
}

static go_suspends int use_channels(struct storm* storm) {
    int in = 0, out = 1;
    go_case_t cases[] = {GO_CASE_RECEIVE(storm->channel, &in), GO_CASE_SEND(storm->channel, &out),
                         GO_CASE_EVENT(&storm->event), GO_CASE_RECEIVE(storm->shared, &in),
                         GO_CASE_SEND(storm->shared, &out)};
    switch (pick(storm, 5)) {
    case 0:
        return go_send(storm->channel, &out, some_deadline(storm));
    case 1:
        return go_receive(storm->channel, &in, some_deadline(storm));
    case 2:
        return go_event_wait(&storm->event, some_deadline(storm));
    case 3:
        go_event_set(&storm->event, 0);
        return 0;
    default:
        return go_select(cases, 5, some_deadline(storm)) < 0 ? UV_ETIMEDOUT : 0;
    }
}

static go_suspends int use_pool(struct storm* storm) {
    struct addrinfo* found = NULL;
    uv_stat_t stat;
    int status;
    switch (pick(storm, 4)) {
    case 0:
        return go_work(do_nothing, NULL, some_deadline(storm));
    case 1:
        return go_fs_stat("/", &stat, some_deadline(storm));
    case 2:
        status = go_fs_open("/", O_RDONLY, 0, some_deadline(storm));
        if (status >= 0) {
            go_shield();
            CHECK_OK(go_fs_close(status, GO_NEVER));
            go_unshield();
        }
        return status;
    default:
        status = go_getaddrinfo("127.0.0.1", NULL, NULL, &found, some_deadline(storm));
        uv_freeaddrinfo(found);
        return status;
    }
}

static go_suspends int use_network(struct storm* storm) {
    struct sockaddr_in address;
    uv_tcp_t tcp;
    int size = sizeof(address);
    uv_tcp_t server;
    int status = go_tcp_listen(NULL, &server, "127.0.0.1", 0);
    CHECK_OK(status);
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    if (pick(storm, 2) == 0)
        status = go_accept((uv_stream_t*)&server, (uv_stream_t*)&tcp, some_deadline(storm));
    else
        status = go_tcp_connect(&tcp, (struct sockaddr*)&address, some_deadline(storm));
    CHECK_OK(go_close((uv_handle_t*)&tcp));
    CHECK_OK(go_close((uv_handle_t*)&server));
    return status;
}

static int run_member(void* arg);

static go_suspends int nest(struct storm* storm) {
    go_group_t group;
    CHECK_OK(go_group_init(&group, NULL));
    for (unsigned i = pick(storm, 3); i > 0; i--)
        go_group_start(&group, run_member, storm);
    return go_group_wait(&group, some_deadline(storm));
}

static int run_member(void* arg) {
    struct storm* storm = arg;
    int status = 0;
    storm->alive++;
    for (int i = 0; i < 10 && status != UV_ECANCELED; i++) {
        switch (pick(storm, 12)) {
        case 0:
        case 1:
            status = use_streams(storm);
            break;
        case 2:
        case 3:
            status = use_locks(storm);
            break;
        case 4:
        case 5:
            status = use_channels(storm);
            break;
        case 6:
            status = use_pool(storm);
            break;
        case 7:
            status = use_network(storm);
            break;
        case 8:
            status = pick(storm, 4) == 0 ? nest(storm) : 0;
            break;
        case 9:
            status = go_sleep(pick(storm, 2));
            break;
        default:
            status = go_yield();
        }
    }
    storm->alive--;
    return pick(storm, 8) == 0 ? UV_EIO : status == UV_ECANCELED ? status : 0;
}

static void open_pair(struct storm* storm) {
    uv_os_sock_t fds[2];
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE));
    CHECK_OK(uv_pipe_init(&loop, &storm->a, 0));
    CHECK_OK(uv_pipe_init(&loop, &storm->b, 0));
    CHECK_OK(uv_pipe_open(&storm->a, fds[0]));
    CHECK_OK(uv_pipe_open(&storm->b, fds[1]));
}

static go_suspends void run_storm(unsigned seed) {
    struct storm storm = {.seed = seed * 2654435761u + 1};
    go_group_t group;
    open_pair(&storm);
    storm.channel = go_channel_new(sizeof(int), pick(&storm, 3));
    storm.shared = go_channel_new_shared(sizeof(int), pick(&storm, 3));
    go_mutex_init(&storm.mutex);
    go_condition_init(&storm.condition);
    go_semaphore_init(&storm.semaphore, 1);
    go_event_init(&storm.event, 0);
    CHECK_OK(go_group_init(&group, NULL));
    for (int i = 0; i < MEMBERS; i++)
        go_group_start(&group, run_member, &storm);
    for (unsigned i = pick(&storm, 5); i > 0; i--)
        CHECK_OK(go_yield());
    if (pick(&storm, 2) == 0)
        go_group_cancel(&group);
    go_group_wait(&group, go_after(1 + pick(&storm, 3)));
    CHECK_EQ(storm.alive, 0);
    CHECK_OK(go_mutex_lock(&storm.mutex, GO_NOW)); /* nobody has kept it */
    CHECK_OK(go_semaphore_acquire(&storm.semaphore, GO_NOW));
    CHECK_OK(go_close((uv_handle_t*)&storm.a));
    CHECK_OK(go_close((uv_handle_t*)&storm.b));
    go_channel_free(storm.channel);
    go_channel_free(storm.shared);
}

static unsigned next_storm, last_storm;

static int run_storms(void* arg) {
    (void)arg;
    while (next_storm < last_storm)
        run_storm(next_storm++);
    return 0;
}

static int run_all(void* arg) {
    (void)arg;
    for (int i = 0; i < AT_ONCE; i++)
        CHECK_OK(go_start_with(&loop, &(go_options_t){.name = "storm"}, run_storms, NULL, NULL));
    return 0;
}

static void run_part(unsigned part) {
    signal(SIGPIPE, SIG_IGN);
    next_storm = part * (STORMS / 4);
    last_storm = next_storm + STORMS / 4;
    in_coroutine(run_all, NULL);
}

TEST(nothing_is_left_of_cancel_storms_in_the_first_quarter) {
    run_part(0);
}

TEST(nothing_is_left_of_cancel_storms_in_the_second_quarter) {
    run_part(1);
}

TEST(nothing_is_left_of_cancel_storms_in_the_third_quarter) {
    run_part(2);
}

TEST(nothing_is_left_of_cancel_storms_in_the_last_quarter) {
    run_part(3);
}
