/* A program that closed its standard input: the next descriptor that is opened is 0. */

#include "behaviour/stream/streams.h"

#include <sys/wait.h>

static void free_zero(void) {
    open_loop();
    close(0);
}

static void check_has_zero(const void* handle) {
    uv_os_fd_t fd = -1;
    CHECK_OK(uv_fileno((const uv_handle_t*)handle, &fd));
    CHECK_EQ(fd, 0);
}

TEST(pipe_connects_with_descriptor_zero) {
    uv_pipe_t server, client;
    uv_connect_t req;
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_OK(uv_listen(STREAM(&server), 8, NULL));
    close(0);
    CHECK_OK(uv_pipe_init(&loop, &client, 0));
    CHECK_OK(uv_pipe_connect2(&req, &client, "socket", 6, 0, NULL));
    check_has_zero(&client);
    int value = 0;
    CHECK_OK(uv_send_buffer_size(HANDLE(&client), &value));
    CHECK_GT(value, 0);
    uv_buf_t buf = text_buf("x");
    run_some(2);
    CHECK_EQ(uv_try_write(STREAM(&client), &buf, 1), 1);
    close_loop();
}

TEST(pipe_listens_at_descriptor_zero) {
    uv_pipe_t server;
    free_zero();
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_OK(uv_listen(STREAM(&server), 8, NULL));
    check_has_zero(&server);
    close_loop();
}

TEST(pipe_opened_from_descriptor_zero_is_read) {
    uv_pipe_t reader;
    int ends[2];
    free_zero();
    CHECK_OK(pipe(ends));
    CHECK_EQ(ends[0], 0);
    CHECK_OK(uv_pipe_init(&loop, &reader, 0));
    CHECK_OK(uv_pipe_open(&reader, 0));
    check_has_zero(&reader);
    CHECK(uv_is_readable(STREAM(&reader)));
    close(ends[1]);
    close_loop();
}

TEST(handle_at_descriptor_zero_is_passed_on) {
    uv_pipe_t ipc;
    uv_tcp_t server;
    uv_write_t req;
    uv_buf_t buf = text_buf("x");
    open_loop();
    int peer = open_pipe(&ipc, 1);
    close(0);
    CHECK_OK(uv_tcp_init_ex(&loop, &server, AF_INET));
    check_has_zero(&server);
    CHECK_OK(uv_write2(&req, STREAM(&ipc), &buf, 1, STREAM(&server), on_write));
    run_some(2);
    CHECK_EQ(writes, 1);
    CHECK_EQ(write_status, 0);
    expect_bytes(peer, "x");
    close_loop();
    close(peer);
}

TEST(tcp_socket_may_be_descriptor_zero) {
    uv_tcp_t server;
    struct sockaddr_in address = localhost(0), bound;
    int size = sizeof(bound);
    free_zero();
    CHECK_OK(uv_tcp_init_ex(&loop, &server, AF_INET));
    check_has_zero(&server);
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_listen(STREAM(&server), 8, NULL));
    CHECK_OK(uv_tcp_nodelay(&server, 1));
    CHECK_OK(uv_tcp_keepalive(&server, 1, 60));
    CHECK_OK(uv_tcp_simultaneous_accepts(&server, 1));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&bound, &size));
    CHECK_NE(bound.sin_port, 0);
    close_loop();
}

TEST(udp_socket_may_be_descriptor_zero) {
    uv_udp_t socket;
    struct sockaddr_in address = localhost(0), bound;
    int size = sizeof(bound);
    free_zero();
    CHECK_OK(uv_udp_init_ex(&loop, &socket, AF_INET));
    check_has_zero(&socket);
    CHECK_OK(uv_udp_bind(&socket, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_getsockname(&socket, (struct sockaddr*)&bound, &size));
    CHECK_OK(uv_udp_set_broadcast(&socket, 1));
    CHECK_OK(uv_udp_set_ttl(&socket, 9));
    CHECK_OK(uv_udp_set_multicast_loop(&socket, 1));
    CHECK_OK(uv_udp_set_multicast_ttl(&socket, 9));
    CHECK_OK(uv_udp_connect(&socket, (struct sockaddr*)&bound));
    close_loop();
}

TEST(poll_may_watch_descriptor_zero) {
    uv_poll_t handle;
    int ends[2];
    free_zero();
    CHECK_OK(pipe(ends));
    CHECK_OK(uv_poll_init(&loop, &handle, ends[0]));
    check_has_zero(&handle);
    close_loop();
    close(ends[0]);
    close(ends[1]);
}

TEST(file_may_be_descriptor_zero) {
    uv_fs_t req;
    char byte = 0;
    uv_buf_t buf = uv_buf_init(&byte, 1);
    free_zero();
    CHECK_EQ(uv_fs_open(NULL, &req, "file", UV_FS_O_RDWR | UV_FS_O_CREAT, 0600, NULL), 0);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(uv_guess_handle(0), UV_FILE);
    CHECK_EQ(uv_fs_write(NULL, &req, 0, &(uv_buf_t){"x", 1}, 1, 0, NULL), 1);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(uv_fs_read(NULL, &req, 0, &buf, 1, 0, NULL), 1);
    CHECK_EQ(byte, 'x');
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_copyfile(NULL, &req, "file", "copy", 0, NULL));
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_close(NULL, &req, 0, NULL));
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_copyfile(NULL, &req, "file", "other", 0, NULL));
    uv_fs_req_cleanup(&req);
    close_loop();
}

TEST(system_files_are_read_through_descriptor_zero) {
    uv_cpu_info_t* cpus;
    int count;
    double up, average[3];
    size_t resident;
    free_zero();
    CHECK_OK(uv_cpu_info(&cpus, &count));
    uv_free_cpu_info(cpus, count);
    CHECK_OK(uv_uptime(&up));
    CHECK_OK(uv_resident_set_memory(&resident));
    uv_loadavg(average);
    CHECK_GT(resident, 0);
    CHECK_GT(uv_get_total_memory(), 0);
    close_loop();
}

static int accepted;

static void accept_it(uv_stream_t* server, int status) {
    static uv_pipe_t peer;
    CHECK_OK(status);
    CHECK_OK(uv_pipe_init(&loop, &peer, 0));
    CHECK_OK(uv_accept(server, STREAM(&peer)));
    check_has_zero(&peer);
    accepted++;
    uv_stop(&loop);
}

TEST(connection_may_be_descriptor_zero) {
    uv_pipe_t server, client;
    uv_connect_t req;
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_OK(uv_listen(STREAM(&server), 8, accept_it));
    CHECK_OK(uv_pipe_init(&loop, &client, 0));
    CHECK_OK(uv_pipe_connect2(&req, &client, "socket", 6, 0, NULL));
    close(0);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(accepted, 1);
    close_loop();
}

TEST(child_gets_descriptor_zero_of_its_parent) {
    uv_process_t process;
    uv_process_options_t options = {0};
    uv_stdio_container_t stdio[2] = {{.flags = UV_INHERIT_FD, .data.fd = 0}, {.flags = UV_IGNORE}};
    char* args[] = {"sh", "-c", "read line; test \"$line\" = word", NULL};
    free_zero();
    int fd = open("file", O_RDWR | O_CREAT, 0600);
    CHECK_EQ(fd, 0);
    CHECK_EQ(write(fd, "word\n", 5), 5);
    CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
    options.file = "/bin/sh";
    options.args = args;
    options.stdio = stdio;
    options.stdio_count = 2;
    CHECK_OK(uv_spawn(&loop, &process, &options));
    int status;
    CHECK_EQ(waitpid(process.pid, &status, 0), process.pid);
    CHECK_EQ(status, 0);
    close_loop();
    close(fd);
}

TEST(files_of_the_kernel_are_read_at_descriptor_zero) {
    size_t bytes = 0;
    close(0);
    errno = EIO;
    CHECK_OK(uv_resident_set_memory(&bytes));
    CHECK_GT(bytes, 0);
}

TEST(temporary_file_at_descriptor_zero_keeps_its_name) {
    uv_fs_t req;
    free_zero();
    CHECK_EQ(uv_fs_mkstemp(NULL, &req, "XXXXXX", NULL), 0);
    CHECK_EQ(strlen(req.path), 6);
    CHECK_OK(access(req.path, F_OK));
    uv_fs_req_cleanup(&req);
    close_loop();
}
