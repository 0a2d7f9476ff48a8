/* System calls that signals interrupt all the time. */

#include "streams.h"

#include <sys/time.h>

enum { BLOCK = 100000, ROUNDS = 200 };
static uv_tcp_t server, client, accepted;
static uv_connect_t connecting;
static uv_write_t req;
static char block[BLOCK];
static char room[7000];
static volatile sig_atomic_t signals;
static size_t received;
static int sent;

static void on_alarm(int signum) {
    (void)signum;
    signals++;
}

static void start_storm(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 200}, {0, 200}};
    CHECK_OK(sigaction(SIGALRM, &action, NULL));
    CHECK_OK(setitimer(ITIMER_REAL, &often, NULL));
}

static void end_storm(void) {
    struct itimerval never = {{0, 0}, {0, 0}};
    CHECK_OK(setitimer(ITIMER_REAL, &never, NULL));
}

static void send_block(uv_write_t* write, int status) {
    uv_buf_t buf = uv_buf_init(block, BLOCK);
    CHECK_OK(status);
    if (sent++ < ROUNDS)
        CHECK_OK(uv_write(write, STREAM(&client), &buf, 1, send_block));
    else
        uv_close(HANDLE(&client), on_close);
}

static void begin_sending(uv_connect_t* connect, int status) {
    (void)connect;
    CHECK_OK(status);
    send_block(&req, 0);
}

static void give_small_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(room, sizeof(room));
}

static void count_bytes(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    for (ssize_t i = 0; i < result; i++)
        CHECK_EQ((unsigned char)buf->base[i], (received + (size_t)i) % BLOCK % 251);
    if (result >= 0) {
        received += (size_t)result;
        return;
    }
    CHECK_EQ(result, UV_EOF);
    uv_close(HANDLE(stream), on_close);
    uv_close(HANDLE(&server), on_close);
}

static void accept_sender(uv_stream_t* stream, int status) {
    CHECK_OK(status);
    CHECK_OK(uv_tcp_init(&loop, &accepted));
    CHECK_OK(uv_accept(stream, STREAM(&accepted)));
    CHECK_OK(uv_read_start(STREAM(&accepted), give_small_room, count_bytes));
}

TEST(stream_transfer_survives_a_storm_of_signals) {
    struct sockaddr_in address = localhost(0);
    int size = sizeof(address);
    for (int i = 0; i < BLOCK; i++)
        block[i] = (char)(i % 251);
    open_loop();
    start_storm();
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_listen(STREAM(&server), 1, accept_sender));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(uv_tcp_connect(&connecting, &client, (struct sockaddr*)&address, begin_sending));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    end_storm();
    CHECK_EQ(received, (size_t)BLOCK * ROUNDS);
    CHECK_EQ(closes, 3);
    CHECK_GT(signals, 0);
    close_loop();
}
