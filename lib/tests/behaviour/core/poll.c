#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static int calls;
static int last_events;
static int last_status;

static void finish(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void note(uv_poll_t* handle, int status, int events) {
    (void)handle;
    calls++;
    last_status = status;
    last_events = events;
}

static void socket_pair(int fds[2]) {
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
}

static void close_pair(int fds[2]) {
    close(fds[0]);
    close(fds[1]);
}

TEST(poll_tells_only_the_events_that_were_asked_for) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 0);
    CHECK_OK(uv_poll_start(&handle, UV_READABLE | UV_WRITABLE, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(last_events, UV_WRITABLE);
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(last_events, UV_READABLE | UV_WRITABLE);
    CHECK_OK(uv_poll_start(&handle, UV_WRITABLE, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(last_events, UV_WRITABLE);
    CHECK_EQ(calls, 3);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

TEST(poll_that_wants_less_is_still_told_the_rest) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE | UV_WRITABLE, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
    for (int i = 0; i < 3; i++)
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 1);
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 2);
    CHECK_EQ(last_events, UV_READABLE);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

static void ask_for_more_after_an_error(uv_poll_t* handle, int status, int events) {
    CHECK_OK(status);
    calls++;
    last_events = events;
    CHECK_OK(uv_poll_start(handle, UV_READABLE | UV_WRITABLE, ask_for_more_after_an_error));
    errno = ENOENT;
}

TEST(an_error_that_a_callback_has_left_does_not_disturb_a_change) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_WRITABLE, ask_for_more_after_an_error));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 2);
    CHECK_EQ(last_events, UV_READABLE | UV_WRITABLE);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

TEST(poll_is_level_triggered) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
    CHECK_EQ(write(fds[1], "x", 1), 1);
    for (int i = 1; i <= 3; i++) {
        CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
        CHECK_EQ(calls, i);
    }
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

TEST(a_half_closed_peer_shows_as_disconnect) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_DISCONNECT, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 0);
    CHECK_OK(shutdown(fds[1], SHUT_WR));
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_EQ(last_events, UV_DISCONNECT);
    CHECK_OK(last_status);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

static void tcp_pair(int fds[2]) {
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(addr);
    int server = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_OK(bind(server, (struct sockaddr*)&addr, length));
    CHECK_OK(listen(server, 1));
    CHECK_OK(getsockname(server, (struct sockaddr*)&addr, &length));
    fds[1] = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_OK(connect(fds[1], (struct sockaddr*)&addr, length));
    fds[0] = accept(server, NULL, NULL);
    CHECK_GE(fds[0], 0);
    close(server);
}

TEST(urgent_data_shows_as_prioritized) {
    uv_poll_t handle;
    int fds[2];
    tcp_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init_socket(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_PRIORITIZED, note));
    CHECK_EQ(send(fds[1], "!", 1, MSG_OOB), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_EQ(last_events, UV_PRIORITIZED);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

TEST(a_hang_up_arrives_as_the_readiness_asked_for) {
    uv_poll_t handle;
    int fds[2];
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
    close(fds[1]);
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_EQ(last_status, 0);
    CHECK_EQ(last_events, UV_READABLE);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close(fds[0]);
}

TEST(a_descriptor_error_is_reported_once_and_stops_the_handle) {
    uv_poll_t handle;
    int fds[2];
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[1]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
    close(fds[0]);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_EQ(last_status, UV_EBADF);
    CHECK_OK(uv_is_active((uv_handle_t*)&handle));
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close(fds[1]);
}

TEST(a_regular_file_and_a_closed_descriptor_can_not_be_polled) {
    uv_poll_t handle;
    int fd = open("file", O_CREAT | O_RDWR, 0600);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_poll_init(&loop, &handle, fd), UV_EPERM);
    close(fd);
    CHECK_EQ(uv_poll_init(&loop, &handle, fd), UV_EBADF);
    CHECK_EQ(uv_poll_init(&loop, &handle, -1), UV_EBADF);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_descriptor_has_one_started_handle_at_a_time) {
    uv_poll_t first, second, third;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &first, fds[0]));
    CHECK_OK(uv_poll_init(&loop, &second, fds[0]));
    CHECK_OK(uv_poll_start(&first, UV_READABLE, note));
    CHECK_EQ(uv_poll_start(&second, UV_READABLE, note), UV_EEXIST);
    CHECK_OK(uv_is_active((uv_handle_t*)&second));
    CHECK_EQ(uv_poll_init(&loop, &third, fds[0]), UV_EEXIST);
    CHECK_OK(uv_poll_stop(&first));
    CHECK_OK(uv_poll_start(&second, UV_WRITABLE, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(last_events, UV_WRITABLE);
    uv_close((uv_handle_t*)&first, NULL);
    uv_close((uv_handle_t*)&second, NULL);
    finish();
    close_pair(fds);
}

TEST(starting_with_unknown_events_or_while_closing_is_refused) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_EQ(uv_poll_start(&handle, UV_READABLE, note), UV_EINVAL);
    finish();
    close_pair(fds);
}

TEST(starting_with_no_events_stops_the_handle) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_WRITABLE, note));
    CHECK_OK(uv_poll_start(&handle, 0, note));
    CHECK_OK(uv_is_active((uv_handle_t*)&handle));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 0);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

TEST(init_makes_the_descriptor_non_blocking) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_NE(fcntl(fds[0], F_GETFL) & O_NONBLOCK, 0);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

enum { PAIRS = 40 };
static uv_poll_t handles[PAIRS];
static int pairs[PAIRS][2];

static void stop_all_others(uv_poll_t* handle, int status, int events) {
    note(handle, status, events);
    for (int i = 0; i < PAIRS; i++)
        if (&handles[i] != handle)
            CHECK_OK(uv_poll_stop(&handles[i]));
}

TEST(no_event_reaches_a_handle_stopped_in_the_same_batch) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < PAIRS; i++) {
        socket_pair(pairs[i]);
        CHECK_OK(uv_poll_init(&loop, &handles[i], pairs[i][0]));
        CHECK_OK(uv_poll_start(&handles[i], UV_WRITABLE, stop_all_others));
    }
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_EQ(calls, 1);
    for (int i = 0; i < PAIRS; i++) {
        uv_close((uv_handle_t*)&handles[i], NULL);
        close_pair(pairs[i]);
    }
    finish();
}

static uv_poll_t replacements[PAIRS];

static void must_not_run(uv_poll_t* handle, int status, int events) {
    (void)handle, (void)status, (void)events;
    test_fail(__FILE__, __LINE__, "an event reached the new owner of a descriptor number");
}

/* Closes the other descriptors and opens fresh ones, which take the same numbers, watched for what
 * is not there. */
static void replace_all_others(uv_poll_t* handle, int status, int events) {
    note(handle, status, events);
    for (int i = 0; i < PAIRS; i++) {
        if (&handles[i] == handle)
            continue;
        uv_close((uv_handle_t*)&handles[i], NULL);
        close_pair(pairs[i]);
    }
    for (int i = 0; i < PAIRS; i++) {
        if (&handles[i] == handle)
            continue;
        socket_pair(pairs[i]);
        CHECK_OK(uv_poll_init(&loop, &replacements[i], pairs[i][0]));
        CHECK_OK(uv_poll_start(&replacements[i], UV_READABLE, must_not_run));
    }
    uv_close((uv_handle_t*)handle, NULL);
}

TEST(no_event_reaches_the_new_owner_of_a_reused_descriptor) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < PAIRS; i++) {
        socket_pair(pairs[i]);
        CHECK_EQ(write(pairs[i][1], "x", 1), 1);
        CHECK_OK(uv_poll_init(&loop, &handles[i], pairs[i][0]));
        CHECK_OK(uv_poll_start(&handles[i], UV_READABLE, replace_all_others));
    }
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 1);
    for (int i = 0; i < PAIRS; i++) {
        if (replacements[i].loop != NULL)
            uv_close((uv_handle_t*)&replacements[i], NULL);
        close_pair(pairs[i]);
    }
    finish();
}

TEST(descriptors_above_65535_can_be_watched) {
    uv_poll_t handle;
    int fds[2];
    test_need_fds(70001);
    socket_pair(fds);
    CHECK_EQ(dup2(fds[0], 70000), 70000);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, 70000));
    CHECK_OK(uv_poll_start(&handle, UV_WRITABLE, note));
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_EQ(last_events, UV_WRITABLE);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
    close(70000);
}

TEST(more_ready_descriptors_than_a_batch_are_all_delivered_in_one_iteration) {
    enum { MANY = 3000 };
    static uv_poll_t many[MANY];
    static int ends[MANY][2];
    test_need_fds(2 * MANY + 100);
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < MANY; i++) {
        CHECK_OK(pipe(ends[i]));
        CHECK_EQ(write(ends[i][1], "x", 1), 1);
        CHECK_OK(uv_poll_init(&loop, &many[i], ends[i][0]));
        CHECK_OK(uv_poll_start(&many[i], UV_READABLE, note));
    }
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    /* Ready ones are delivered again in the same iteration, as they stay ready: at least one each,
     * and never more than 48 batches. */
    CHECK_GE(calls, MANY);
    CHECK_LE(calls, 48 * 1024);
    for (int i = 0; i < MANY; i++) {
        uv_close((uv_handle_t*)&many[i], NULL);
        close_pair(ends[i]);
    }
    finish();
}

TEST(a_shared_description_stopped_and_closed_does_not_keep_the_loop_busy) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    int copy = dup(fds[0]);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_WRITABLE, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_OK(uv_poll_stop(&handle));
    close(fds[0]);
    struct pollfd pfd = {.fd = uv_backend_fd(&loop), .events = POLLIN};
    CHECK_EQ(poll(&pfd, 1, 20), 0);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close(copy);
    close(fds[1]);
}

static uv_poll_t two[2];

static void start_the_other_again(uv_poll_t* handle, int status, int events) {
    note(handle, status, events);
    if (calls == 1)
        CHECK_OK(uv_poll_start(&two[handle == two], UV_READABLE, note));
}

TEST(poll_started_again_in_a_turn_is_called_back_in_the_next) {
    int fds[2][2];
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 2; i++) {
        socket_pair(fds[i]);
        CHECK_OK(uv_poll_init(&loop, &two[i], fds[i][0]));
        CHECK_OK(uv_poll_start(&two[i], UV_READABLE, start_the_other_again));
        CHECK_EQ(write(fds[i][1], "x", 1), 1);
    }
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 3);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t*)&two[i], NULL);
    finish();
    for (int i = 0; i < 2; i++)
        close_pair(fds[i]);
}

TEST(poll_started_again_before_a_turn_is_called_back_in_it) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_EQ(write(fds[1], "x", 1), 1);
    for (int turn = 1; turn <= 3; turn++) {
        CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
        CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
        CHECK_EQ(calls, turn);
    }
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close_pair(fds);
}

TEST(poll_tells_a_hang_up_as_urgent_too_if_that_was_asked_for) {
    uv_poll_t handle;
    int fds[2];
    socket_pair(fds);
    close(fds[1]);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE | UV_PRIORITIZED, note));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(last_events, UV_READABLE | UV_PRIORITIZED);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close(fds[0]);
}

TEST(poll_tells_a_terminal_that_hung_up_all_that_was_asked_for) {
    uv_poll_t handle;
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master == -1 || unlockpt(master) != 0)
        test_skip("there are no terminals");
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK_GE(terminal, 0);
    close(terminal);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, master));
    for (int asked = 1; asked < 16; asked++) {
        CHECK_OK(uv_poll_start(&handle, asked, note));
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(last_status, 0);
        CHECK_EQ(last_events, asked);
        CHECK_OK(uv_poll_stop(&handle));
    }
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close(master);
}

TEST(poll_tells_an_error_as_such_also_to_those_who_wait_for_urgent_data) {
    for (int asked = 1; asked < 16; asked++) {
        uv_poll_t handle;
        int fds[2];
        CHECK_OK(pipe(fds));
        close(fds[0]);
        CHECK_OK(uv_loop_init(&loop));
        CHECK_OK(uv_poll_init(&loop, &handle, fds[1]));
        CHECK_OK(uv_poll_start(&handle, asked & ~UV_WRITABLE, note));
        last_status = 0;
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(last_status, (asked & ~UV_WRITABLE) != 0 ? UV_EBADF : 0);
        uv_close((uv_handle_t*)&handle, NULL);
        finish();
        close(fds[1]);
    }
}
