/* Reading, writing, accepting, connecting: success, error, deadline, cancel. */
#include <signal.h>

#include "go_test.h"

struct pair {
    uv_pipe_t a, b;
};

static void open_pair(struct pair* pair) {
    uv_os_sock_t fds[2];
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE));
    CHECK_OK(uv_pipe_init(&loop, &pair->a, 0));
    CHECK_OK(uv_pipe_init(&loop, &pair->b, 0));
    CHECK_OK(uv_pipe_open(&pair->a, fds[0]));
    CHECK_OK(uv_pipe_open(&pair->b, fds[1]));
}

#define A(pair) ((uv_stream_t*)&(pair)->a)
#define B(pair) ((uv_stream_t*)&(pair)->b)

static go_suspends void close_pair(struct pair* pair) {
    if (!uv_is_closing((uv_handle_t*)&pair->a))
        CHECK_OK(go_close((uv_handle_t*)&pair->a));
    if (!uv_is_closing((uv_handle_t*)&pair->b))
        CHECK_OK(go_close((uv_handle_t*)&pair->b));
}

static int read_some(void* arg) {
    struct pair pair;
    char text[100];
    (void)arg;
    open_pair(&pair);
    CHECK_OK(go_write(A(&pair), "hello", 5, GO_NEVER));
    CHECK_EQ(go_read(B(&pair), text, sizeof(text), GO_NEVER), 5);
    CHECK(memcmp(text, "hello", 5) == 0);
    CHECK_EQ(go_read(B(&pair), text, 0, GO_NEVER), UV_ENOBUFS);
    CHECK_EQ(go_read(B(&pair), text, sizeof(text), go_after(2)), UV_ETIMEDOUT);
    CHECK_EQ(go_read(B(&pair), text, sizeof(text), GO_NOW), UV_ETIMEDOUT);
    CHECK_OK(go_write(A(&pair), "again", 5, GO_NEVER));
    CHECK_EQ(go_read(B(&pair), text, 2, GO_NEVER), 2);
    CHECK_EQ(go_read(B(&pair), text, 100, GO_NEVER), 3);
    CHECK_OK(go_shutdown(A(&pair), GO_NEVER));
    CHECK_EQ(go_read(B(&pair), text, 100, GO_NEVER), UV_EOF);
    CHECK_EQ(go_read(B(&pair), text, 100, GO_NEVER), UV_EOF);
    close_pair(&pair);
    CHECK_EQ(go_read(B(&pair), text, 100, GO_NEVER), UV_EINVAL);
    CHECK_EQ(go_close((uv_handle_t*)&pair.a), UV_EINVAL);
    return 0;
}

TEST(read_gives_what_there_is) {
    in_coroutine(read_some, NULL);
}

static int write_bits(void* arg) {
    for (int i = 0; i < 10; i++) {
        CHECK_OK(go_write(arg, "0123456789", 10, GO_NEVER));
        CHECK_OK(go_sleep(1));
    }
    return 0;
}

static int read_all(void* arg) {
    struct pair pair;
    char text[100];
    (void)arg;
    open_pair(&pair);
    CHECK_OK(go_start(&loop, write_bits, &pair.a));
    CHECK_EQ(go_read_exactly(B(&pair), text, 95, GO_NEVER), 95);
    CHECK(memcmp(text + 90, "01234", 5) == 0);
    CHECK_EQ(go_read_exactly(B(&pair), text, 6, go_after(10)), UV_ETIMEDOUT);
    CHECK_OK(go_shutdown(A(&pair), GO_NEVER));
    CHECK_EQ(go_read_exactly(B(&pair), text, 1, GO_NEVER), UV_EOF);
    close_pair(&pair);
    return 0;
}

TEST(read_exactly_waits_for_all_of_it) {
    in_coroutine(read_all, NULL);
}

static int read_lines(void* arg) {
    struct pair pair;
    char memory[16], rest[16], *text;
    go_reader_t reader;
    (void)arg;
    open_pair(&pair);
    go_reader_init(&reader, B(&pair), memory, sizeof(memory));
    CHECK_OK(go_write(A(&pair), "one\r\ntwo\r\nthree\r", 16, GO_NEVER));
    CHECK_EQ(go_read_until(&reader, "\r\n", 2, &text, GO_NEVER), 5);
    CHECK(memcmp(text, "one\r\n", 5) == 0);
    CHECK_EQ(go_read_until(&reader, "\r\n", 2, &text, GO_NEVER), 5);
    CHECK_EQ(go_read_until(&reader, "\r\n", 2, &text, go_after(2)), UV_ETIMEDOUT);
    CHECK_OK(go_write(A(&pair), "\nabc", 4, GO_NEVER));
    CHECK_EQ(go_read_until(&reader, "\r\n", 2, &text, GO_NEVER), 7);
    CHECK(memcmp(text, "three\r\n", 7) == 0);
    CHECK_EQ(go_reader_read(&reader, rest, 2, GO_NEVER), 2);
    CHECK_OK(go_write(A(&pair), "defg", 4, GO_NEVER));
    CHECK_EQ(go_reader_exactly(&reader, rest, 5, GO_NEVER), 5);
    CHECK(memcmp(rest, "cdefg", 5) == 0);
    CHECK_OK(go_write(A(&pair), "no end in these sixteen", 23, GO_NEVER));
    CHECK_EQ(go_read_until(&reader, "\n", 1, &text, GO_NEVER), UV_ENOBUFS);
    CHECK_EQ(go_reader_exactly(&reader, rest, 16, GO_NEVER), 16);
    CHECK_OK(go_shutdown(A(&pair), GO_NEVER));
    CHECK_EQ(go_read_until(&reader, "\n", 1, &text, GO_NEVER), UV_EOF);
    CHECK_EQ(go_reader_read(&reader, rest, 16, GO_NEVER), 7);
    CHECK_EQ(go_read_until(&reader, "", 0, &text, GO_NEVER), UV_EINVAL);
    close_pair(&pair);
    return 0;
}

TEST(read_until_keeps_what_comes_after_the_delimiter) {
    in_coroutine(read_lines, NULL);
}

static int waited;

static int read_one(void* arg) {
    char byte;
    ssize_t n = go_read(arg, &byte, 1, GO_NEVER);
    waited = waited * 10 + (n == 1 ? byte - '0' : n == UV_EOF ? 8 : n == UV_ECANCELED ? 9 : 0);
    return 0;
}

static int let_several_read(void* arg) {
    struct pair pair;
    (void)arg;
    open_pair(&pair);
    for (int i = 0; i < 4; i++)
        CHECK_OK(go_start(&loop, read_one, &pair.b));
    CHECK_OK(go_write(A(&pair), "12", 2, GO_NEVER));
    while (waited < 12)
        CHECK_OK(go_yield());
    CHECK_EQ(waited, 12);
    CHECK_OK(go_shutdown(A(&pair), GO_NEVER));
    while (waited < 1288)
        CHECK_OK(go_yield());
    CHECK_EQ(waited, 1288);
    close_pair(&pair);
    return 0;
}

TEST(several_may_read_and_each_gets_what_comes_next) {
    in_coroutine(let_several_read, NULL);
}

static int close_while_read(void* arg) {
    struct pair pair;
    (void)arg;
    open_pair(&pair);
    CHECK_OK(go_start(&loop, read_one, &pair.b));
    CHECK_OK(go_start(&loop, read_one, &pair.b));
    CHECK_OK(go_close((uv_handle_t*)&pair.b));
    CHECK_EQ(waited, 99);
    close_pair(&pair);
    return 0;
}

TEST(closing_a_stream_ends_reads_with_ecanceled) {
    in_coroutine(close_while_read, NULL);
}

enum { MUCH = 5000000 };

static int write_much(void* arg) {
    char* memory = malloc(MUCH);
    CHECK(memory != NULL);
    for (int i = 0; i < MUCH; i++)
        memory[i] = (char)(i % 251);
    uv_buf_t buffers[] = {uv_buf_init(memory, 1000), uv_buf_init(memory + 1000, 0),
                          uv_buf_init(memory + 1000, MUCH - 1000)};
    CHECK_OK(go_write_buffers(arg, buffers, 3, GO_NEVER));
    free(memory);
    return 0;
}

static int write_more_than_fits(void* arg) {
    struct pair pair;
    char text[4096];
    (void)arg;
    open_pair(&pair);
    CHECK_OK(go_start(&loop, write_much, &pair.a));
    CHECK_OK(go_start(&loop, write_much, &pair.a)); /* waits for its turn */
    for (int i = 0; i < 2 * MUCH;) {
        ssize_t n = go_read(B(&pair), text, sizeof(text), GO_NEVER);
        CHECK_GT(n, 0);
        for (int j = 0; j < n; j++, i++)
            CHECK_EQ(text[j], (char)(i % MUCH % 251));
    }
    close_pair(&pair);
    return 0;
}

TEST(writes_are_whole_however_large_and_from_several) {
    in_coroutine(write_more_than_fits, NULL);
}

static int write_without_reader(void* arg) {
    struct pair pair;
    char* memory = calloc(1, MUCH);
    (void)arg;
    open_pair(&pair);
    CHECK_EQ(go_write(A(&pair), memory, MUCH, go_after(5)), UV_ETIMEDOUT);
    free(memory); /* nobody uses it any more */
    CHECK_EQ(go_write(A(&pair), "x", 1, GO_NOW), UV_ETIMEDOUT);
    CHECK_EQ(go_write(A(&pair), "x", 1, go_after(2)), UV_ETIMEDOUT);
    CHECK_OK(go_write(A(&pair), "", 0, GO_NEVER));
    close_pair(&pair);
    CHECK_EQ(go_write(A(&pair), "x", 1, GO_NEVER), UV_EINVAL);
    return 0;
}

TEST(write_takes_a_deadline_and_leaves_no_memory_in_use) {
    in_coroutine(write_without_reader, NULL);
}

static int write_to_nobody(void* arg) {
    struct pair pair;
    (void)arg;
    open_pair(&pair);
    CHECK_OK(go_close((uv_handle_t*)&pair.b));
    CHECK_EQ(go_write(A(&pair), "x", 1, GO_NEVER), UV_EPIPE);
    close_pair(&pair);
    return 0;
}

TEST(write_to_a_closed_end_gets_epipe) {
    signal(SIGPIPE, SIG_IGN);
    in_coroutine(write_to_nobody, NULL);
}

static struct sockaddr_in address_of(uv_tcp_t* server) {
    struct sockaddr_in address;
    int size = sizeof(address);
    CHECK_OK(uv_tcp_getsockname(server, (struct sockaddr*)&address, &size));
    return address;
}

static int serve_one(void* arg) {
    uv_tcp_t client;
    char text[10];
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(go_accept(arg, (uv_stream_t*)&client, GO_NEVER));
    ssize_t n = go_read((uv_stream_t*)&client, text, sizeof(text), GO_NEVER);
    CHECK_EQ(n, 4);
    CHECK_OK(go_write((uv_stream_t*)&client, text, 4, GO_NEVER));
    CHECK_OK(go_close((uv_handle_t*)&client));
    waited++;
    return 0;
}

static int talk_tcp(void* arg) {
    uv_tcp_t server, client;
    char text[10];
    (void)arg;
    CHECK_OK(go_tcp_listen(NULL, &server, "127.0.0.1", 0));
    struct sockaddr_in address = address_of(&server);
    for (int i = 0; i < 3; i++)
        CHECK_OK(go_start(&loop, serve_one, &server));
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_tcp_init(&loop, &client));
        CHECK_OK(go_tcp_connect(&client, (struct sockaddr*)&address, GO_NEVER));
        CHECK_OK(go_write((uv_stream_t*)&client, "ping", 4, GO_NEVER));
        CHECK_EQ(go_read_exactly((uv_stream_t*)&client, text, 4, GO_NEVER), 4);
        CHECK_OK(go_close((uv_handle_t*)&client));
    }
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_EQ(go_accept((uv_stream_t*)&server, (uv_stream_t*)&client, go_after(2)), UV_ETIMEDOUT);
    CHECK_OK(go_close((uv_handle_t*)&client));
    CHECK_OK(go_close((uv_handle_t*)&server));
    CHECK_OK(go_yield());
    CHECK_EQ(waited, 3);
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_EQ(go_tcp_connect(&client, (struct sockaddr*)&address, GO_NEVER), UV_ECONNREFUSED);
    CHECK_OK(go_close((uv_handle_t*)&client));
    return 0;
}

TEST(several_may_accept_from_one_server) {
    in_coroutine(talk_tcp, NULL);
}

static int accept_cancelled(void* arg) {
    uv_tcp_t client;
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_EQ(go_accept(arg, (uv_stream_t*)&client, GO_NEVER), UV_ECANCELED);
    CHECK_EQ(go_accept(arg, (uv_stream_t*)&client, GO_NEVER), waited ? UV_ECANCELED : UV_EINVAL);
    CHECK_OK(go_close((uv_handle_t*)&client));
    return 0;
}

static int end_accepting(void* arg) {
    uv_tcp_t server;
    go_t* other;
    (void)arg;
    CHECK_OK(go_tcp_listen(NULL, &server, "127.0.0.1", 0));
    waited = 1;
    CHECK_OK(go_start_with(&loop, NULL, accept_cancelled, &server, &other));
    go_cancel(other);
    CHECK_OK(go_join(other, NULL, GO_NEVER));
    go_release(other);
    waited = 0;
    CHECK_OK(go_start(&loop, accept_cancelled, &server));
    CHECK_OK(go_close((uv_handle_t*)&server));
    return 0;
}

TEST(accept_ends_when_it_is_cancelled_or_the_server_closes) {
    in_coroutine(end_accepting, NULL);
}

static int connect_too_long(void* arg) {
    uv_tcp_t server, clients[8];
    int timed_out = 0, status[8];
    (void)arg;
    /* A full backlog: nobody accepts. */
    CHECK_OK(uv_tcp_init(&loop, &server));
    struct sockaddr_in address;
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    uv_os_fd_t fd;
    CHECK_OK(uv_fileno((uv_handle_t*)&server, &fd));
    CHECK_OK(listen(fd, 1));
    address = address_of(&server);
    for (int i = 0; i < 8; i++) {
        CHECK_OK(uv_tcp_init(&loop, &clients[i]));
        status[i] = go_tcp_connect(&clients[i], (struct sockaddr*)&address, go_after(30));
        timed_out += status[i] == UV_ETIMEDOUT;
    }
    CHECK_GT(timed_out, 0);
    for (int i = 0; i < 8; i++)
        CHECK_OK(go_close((uv_handle_t*)&clients[i]));
    CHECK_OK(go_close((uv_handle_t*)&server));
    return 0;
}

TEST(connect_takes_a_deadline) {
    in_coroutine(connect_too_long, NULL);
}

static int use_pipes(void* arg) {
    uv_pipe_t server, client, other;
    char byte;
    (void)arg;
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_init(&loop, &client, 0));
    CHECK_OK(uv_pipe_init(&loop, &other, 0));
    CHECK_EQ(go_pipe_connect(&client, "not-there", GO_NEVER), UV_ENOENT);
    CHECK_OK(uv_pipe_bind(&server, "name"));
    CHECK_OK(go_listen((uv_stream_t*)&server, 5));
    CHECK_OK(go_close((uv_handle_t*)&client));
    CHECK_OK(uv_pipe_init(&loop, &client, 0));
    CHECK_OK(go_pipe_connect(&client, "name", GO_NEVER));
    CHECK_OK(go_accept((uv_stream_t*)&server, (uv_stream_t*)&other, GO_NEVER));
    CHECK_OK(go_write((uv_stream_t*)&other, "x", 1, GO_NEVER));
    CHECK_EQ(go_read((uv_stream_t*)&client, &byte, 1, GO_NEVER), 1);
    CHECK_OK(go_close((uv_handle_t*)&client));
    CHECK_OK(go_close((uv_handle_t*)&other));
    CHECK_OK(go_close((uv_handle_t*)&server));
    return 0;
}

TEST(pipes_are_connected_by_name) {
    in_coroutine(use_pipes, NULL);
}

static int serve_dialled(void* arg) {
    uv_tcp_t client;
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(go_accept(arg, (uv_stream_t*)&client, GO_NEVER));
    CHECK_OK(go_close((uv_handle_t*)&client));
    return 0;
}

static int dial(void* arg) {
    uv_tcp_t server, client;
    char port[8];
    (void)arg;
    CHECK_OK(go_tcp_listen(NULL, &server, "127.0.0.1", 0));
    snprintf(port, sizeof(port), "%d", ntohs(address_of(&server).sin_port));
    CHECK_OK(go_start(&loop, serve_dialled, &server));
    CHECK_OK(go_dial(&client, "127.0.0.1", port, GO_NEVER));
    CHECK_EQ(go_read((uv_stream_t*)&client, port + 7, 1, GO_NEVER), UV_EOF);
    CHECK_OK(go_close((uv_handle_t*)&client));
    CHECK_OK(go_close((uv_handle_t*)&server));
    CHECK_EQ(go_dial(&client, "127.0.0.1", port, GO_NEVER), UV_ECONNREFUSED);
    CHECK_LT(go_dial(&client, "256.256.256.256", "no-such-service", GO_NEVER), 0);
    CHECK_EQ(go_tcp_listen(NULL, &server, "not an address", 0), UV_EINVAL);
    return 0;
}

TEST(dial_looks_up_and_connects) {
    in_coroutine(dial, NULL);
}

static int cancelled_before(void* arg) {
    struct pair* pair = arg;
    uv_tcp_t tcp;
    struct sockaddr_in address;
    char byte;
    CHECK_EQ(go_sleep(1000000), UV_ECANCELED);
    CHECK_EQ(go_read(B(pair), &byte, 1, GO_NEVER), UV_ECANCELED);
    CHECK_EQ(go_write(B(pair), &byte, 1, GO_NEVER), UV_ECANCELED);
    CHECK_EQ(go_shutdown(B(pair), GO_NEVER), UV_ECANCELED);
    CHECK_OK(uv_ip4_addr("127.0.0.1", 1, &address));
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(go_tcp_connect(&tcp, (struct sockaddr*)&address, GO_NEVER), UV_ECANCELED);
    CHECK_OK(go_close((uv_handle_t*)&tcp)); /* not cancelled */
    waited = 1;
    return 0;
}

static int cancel_all(void* arg) {
    struct pair pair;
    go_t* other;
    (void)arg;
    open_pair(&pair);
    CHECK_OK(go_start_with(&loop, NULL, cancelled_before, &pair, &other));
    go_cancel(other);
    CHECK_OK(go_join(other, NULL, GO_NEVER));
    go_release(other);
    CHECK_EQ(waited, 1);
    close_pair(&pair);
    return 0;
}

TEST(cancelled_coroutine_reads_and_writes_nothing) {
    in_coroutine(cancel_all, NULL);
}
