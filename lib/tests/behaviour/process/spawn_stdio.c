#include "spawn.h"

#include <fcntl.h>
#include <sys/socket.h>

TEST(spawn_ignored_standard_streams_are_dev_null) {
    struct child c;
    loop_open();
    child_shell(&c, "[ /proc/self/fd/0 -ef /dev/null ] && [ /proc/self/fd/1 -ef /dev/null ] && "
                    "[ /proc/self/fd/2 -ef /dev/null ] && ! read line");
    c.options.stdio_count = 0;
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.status, 0);
}

TEST(spawn_inherited_descriptor_is_shared) {
    struct child c;
    char text[16];
    loop_open();
    int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    child_shell(&c, "echo one >&5; echo two >&1");
    child_fd(&c, 1, fd);
    child_fd(&c, 5, fd);
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(pread(fd, text, sizeof(text), 0), 8);
    CHECK_OK(memcmp(text, "one\ntwo\n", 8));
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    close(fd);
}

TEST(spawn_inherited_descriptor_may_keep_its_own_number) {
    struct child c;
    char script[64];
    int fds[2];
    char byte;
    loop_open();
    CHECK_OK(pipe2(fds, O_CLOEXEC));
    snprintf(script, sizeof(script), "printf x >/proc/self/fd/%d", fds[1]);
    child_shell(&c, script);
    child_fd(&c, fds[1], fds[1]);
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.status, 0);
    CHECK_EQ(read(fds[0], &byte, 1), 1);
    CHECK(fcntl(fds[1], F_GETFD) & FD_CLOEXEC);
    close(fds[0]);
    close(fds[1]);
}

/* Prints which of 20 to 22, not close-on-exec in the parent, the child has. */
static const char* open_ones(struct child* c) {
    int fds[3];
    for (int i = 0; i < 3; i++)
        fds[i] = fcntl(2, F_DUPFD, 20 + i);
    const char* output = child_output(c);
    for (int i = 0; i < 3; i++)
        close(fds[i]);
    return output;
}

static const char list_open[] =
    "for i in 20 21 22; do [ -e /proc/self/fd/$i ] && echo $i; done; exit 0";

TEST(spawn_source_of_an_inherited_descriptor_is_closed_in_the_child) {
    struct child c;
    child_shell(&c, list_open);
    child_fd(&c, 3, 20);
    child_fd(&c, 4, 20);
    child_fd(&c, 0, 22);
    CHECK_STR(open_ones(&c), "21\n");
}

TEST(spawn_source_among_the_numbers_of_the_child_stays_open) {
    struct child c;
    child_shell(&c, list_open);
    child_fd(&c, 3, 20);
    c.options.stdio_count = 22;
    CHECK_STR(open_ones(&c), "20\n21\n22\n");
}

TEST(spawn_with_a_user_leaves_the_source_of_an_inherited_descriptor_open) {
    struct child c;
    child_shell(&c, list_open);
    child_fd(&c, 3, 20);
    c.options.flags = UV_PROCESS_SETUID;
    c.options.uid = getuid();
    CHECK_STR(open_ones(&c), "20\n21\n22\n");
}

TEST(spawn_ignored_number_above_two_is_left_alone) {
    struct child c;
    child_shell(&c, "[ -e /proc/self/fd/9 ] && echo open; [ -e /proc/self/fd/8 ] || echo closed");
    int open_one = fcntl(2, F_DUPFD, 9);
    int closed_one = fcntl(2, F_DUPFD_CLOEXEC, 8);
    c.options.stdio_count = 10;
    CHECK_STR(child_output(&c), "open\nclosed\n");
    close(open_one);
    close(closed_one);
}

static void write_number(const char* name, int number) {
    FILE* file = fopen(name, "w");
    fprintf(file, "%d\n", number);
    fclose(file);
}

/* The parent's numbers 30 to 49 are open on files that name them; the child's 30 to 49 are the same
 * ones in another order, in which every cycle is longer than one or two. */
TEST(spawn_hands_over_twenty_descriptors_with_permuted_numbers) {
    struct child c;
    uv_stdio_container_t stdio[50];
    memset(stdio, 0, sizeof(stdio));
    child_shell(&c, "i=0; while [ $i -lt 20 ]; do eval \"read line <&$((30 + i))\"; "
                    "[ \"$line\" = $((30 + (i * 7 + 5) % 20)) ] || exit 1; "
                    "i=$((i + 1)); done; exit 33");
    c.options.file = "/bin/bash";
    if (access(c.options.file, X_OK) != 0)
        test_skip("needs bash for descriptors over 9");
    loop_open();
    for (int i = 30; i < 50; i++) {
        write_number("number", i);
        int fd = open("number", O_RDONLY | O_CLOEXEC);
        CHECK_EQ(dup3(fd, i, O_CLOEXEC), i);
        close(fd);
        CHECK_OK(unlink("number"));
        stdio[i].flags = UV_INHERIT_FD;
        stdio[i].data.fd = 30 + ((i - 30) * 7 + 5) % 20;
    }
    stdio[2] = c.stdio[2];
    c.options.stdio = stdio;
    c.options.stdio_count = 50;
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.status, 33);
    for (int i = 30; i < 50; i++)
        close(i);
}

TEST(spawn_swaps_standard_output_and_error) {
    struct child c;
    char text[8];
    int out[2], err[2];
    loop_open();
    CHECK_OK(pipe(out));
    CHECK_OK(pipe(err));
    int saved_out = fcntl(1, F_DUPFD_CLOEXEC, 50), saved_err = fcntl(2, F_DUPFD_CLOEXEC, 50);
    CHECK_EQ(dup2(out[1], 1), 1);
    CHECK_EQ(dup2(err[1], 2), 2);
    child_shell(&c, "printf o; printf e >&2");
    child_fd(&c, 1, 2);
    child_fd(&c, 2, 1);
    int result = child_spawn(&c);
    dup2(saved_out, 1);
    dup2(saved_err, 2);
    CHECK_OK(result);
    loop_finish();
    CHECK_EQ(read(out[0], text, sizeof(text)), 1);
    CHECK_EQ(text[0], 'e');
    CHECK_EQ(read(err[0], text, sizeof(text)), 1);
    CHECK_EQ(text[0], 'o');
    int all[] = {out[0], out[1], err[0], err[1], saved_out, saved_err};
    for (int i = 0; i < 6; i++)
        close(all[i]);
}

static void check_with_closed_streams(int mask) {
    struct child c;
    uv_pipe_t pipe_handle;
    int saved[3];
    for (int i = 0; i < 3; i++)
        saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 50);
    for (int i = 0; i < 3; i++)
        if (mask & 1 << i)
            close(i);
    loop_open();
    uv_pipe_init(&loop, &pipe_handle, 0);
    child_shell(&c, "for i in 0 1 2; do [ -e /proc/$$/fd/$i ] || exit 10; done; "
                    "[ /proc/$$/fd/1 -ef /dev/null ] || exit 11; read line && exit 12; exit 0");
    c.stdio[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
    c.stdio[0].data.stream = (uv_stream_t*)&pipe_handle;
    c.stdio[2].flags = UV_IGNORE;
    int result = child_spawn(&c);
    uv_close((uv_handle_t*)&pipe_handle, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    for (int i = 0; i < 3; i++) {
        dup2(saved[i], i);
        close(saved[i]);
    }
    CHECK_OK(result);
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 0);
}

TEST(spawn_works_with_standard_streams_closed_in_the_parent) {
    for (int mask = 1; mask < 8; mask++)
        check_with_closed_streams(mask);
}

TEST(spawn_makes_inherited_standard_streams_blocking) {
    struct child c;
    int fds[2];
    loop_open();
    CHECK_OK(pipe2(fds, O_NONBLOCK | O_CLOEXEC));
    child_shell(&c, "exit 0");
    child_fd(&c, 1, fds[1]);
    child_fd(&c, 3, fds[0]);
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK(!(fcntl(fds[1], F_GETFL) & O_NONBLOCK));
    CHECK(fcntl(fds[0], F_GETFL) & O_NONBLOCK);
    close(fds[0]);
    close(fds[1]);
}

TEST(spawn_keeps_the_descriptors_of_the_loop_from_the_child) {
    struct child c;
    child_shell(&c, "");
    c.options.file = "/bin/ls";
    c.args[1] = (char*)"/proc/self/fd";
    c.args[2] = NULL;
    uv_disable_stdio_inheritance();
    CHECK_STR(child_output(&c), "0\n1\n2\n3\n"); /* 3 is the listing's own */
}

static char received[65536];
static size_t received_length;
static int reads_ended;

static void give_room(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    (void)handle, (void)size;
    *buf = uv_buf_init(received + received_length, (unsigned)(sizeof(received) - received_length));
}

static void receive(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf) {
    (void)buf;
    if (n >= 0) {
        received_length += (size_t)n;
        return;
    }
    CHECK_EQ(n, UV_EOF);
    reads_ended++;
    uv_close((uv_handle_t*)stream, NULL);
}

static void written(uv_write_t* req, int status) {
    CHECK_OK(status);
    uv_close((uv_handle_t*)req->handle, NULL);
}

TEST(spawn_pipes_carry_input_and_output) {
    struct child c;
    uv_pipe_t in, out;
    uv_write_t write_req;
    uv_buf_t buf = uv_buf_init((char*)"hello\n", 6);
    loop_open();
    CHECK_OK(uv_pipe_init(&loop, &in, 0));
    CHECK_OK(uv_pipe_init(&loop, &out, 0));
    child_shell(&c, "cat");
    c.stdio[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
    c.stdio[0].data.stream = (uv_stream_t*)&in;
    c.stdio[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE | UV_NONBLOCK_PIPE;
    c.stdio[1].data.stream = (uv_stream_t*)&out;
    CHECK_OK(child_spawn(&c));
    CHECK(uv_is_writable((uv_stream_t*)&in));
    CHECK(!uv_is_readable((uv_stream_t*)&in));
    CHECK(uv_is_readable((uv_stream_t*)&out));
    CHECK(!uv_is_writable((uv_stream_t*)&out));
    CHECK_OK(uv_write(&write_req, (uv_stream_t*)&in, &buf, 1, written));
    CHECK_OK(uv_read_start((uv_stream_t*)&out, give_room, receive));
    loop_finish();
    CHECK_EQ(received_length, 6);
    CHECK_OK(memcmp(received, "hello\n", 6));
    CHECK_EQ(reads_ended, 1);
}

TEST(spawn_pipe_with_both_directions_is_duplex) {
    struct child c;
    uv_pipe_t both;
    uv_write_t write_req;
    uv_buf_t buf = uv_buf_init((char*)"ping\n", 5);
    loop_open();
    CHECK_OK(uv_pipe_init(&loop, &both, 0));
    child_shell(&c, "read line <&3; echo \"pong for $line\" >&3");
    c.stdio[3].flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE;
    c.stdio[3].data.stream = (uv_stream_t*)&both;
    c.options.stdio_count = 4;
    CHECK_OK(child_spawn(&c));
    CHECK(uv_is_writable((uv_stream_t*)&both));
    CHECK(uv_is_readable((uv_stream_t*)&both));
    CHECK_OK(uv_write(&write_req, (uv_stream_t*)&both, &buf, 1, NULL));
    CHECK_OK(uv_read_start((uv_stream_t*)&both, give_room, receive));
    loop_finish();
    CHECK_EQ(received_length, 14);
    CHECK_OK(memcmp(received, "pong for ping\n", 14));
}

TEST(spawn_many_pipes_above_the_standard_streams_work) {
    struct child c;
    uv_pipe_t pipes[12];
    loop_open();
    child_shell(&c, "for i in 3 4 5 6 7 8 9 10 11 12 13 14; do eval \"printf x >&$i\"; done");
    c.options.file = "/bin/bash";
    if (access(c.options.file, X_OK) != 0)
        test_skip("needs bash for descriptors over 9");
    for (int i = 0; i < 12; i++) {
        CHECK_OK(uv_pipe_init(&loop, &pipes[i], 0));
        c.stdio[3 + i].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
        c.stdio[3 + i].data.stream = (uv_stream_t*)&pipes[i];
    }
    c.options.stdio_count = 15;
    CHECK_OK(child_spawn(&c));
    for (int i = 0; i < 12; i++)
        CHECK_OK(uv_read_start((uv_stream_t*)&pipes[i], give_room, receive));
    loop_finish();
    CHECK_EQ(received_length, 12);
    CHECK_EQ(reads_ended, 12);
}

TEST(spawn_inherits_the_descriptor_of_a_stream) {
    struct child c;
    uv_pipe_t stream;
    int fds[2];
    char text[8];
    loop_open();
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    CHECK_OK(uv_pipe_init(&loop, &stream, 0));
    CHECK_OK(uv_pipe_open(&stream, fds[0]));
    child_shell(&c, "printf hi");
    c.stdio[1].flags = UV_INHERIT_STREAM;
    c.stdio[1].data.stream = (uv_stream_t*)&stream;
    CHECK_OK(child_spawn(&c));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(read(fds[1], text, sizeof(text)), 2);
    uv_close((uv_handle_t*)&stream, NULL);
    loop_finish();
    close(fds[1]);
}
