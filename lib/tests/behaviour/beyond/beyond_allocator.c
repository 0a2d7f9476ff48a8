/* A loop with an allocator of its own, as phasor.h describes it. */

#include <fcntl.h>
#include <phasor.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

struct account {
    uv_thread_t thread;
    int blocks, calls;
    bool full;
};

static void note(struct account* account, int change) {
    uv_thread_t self = uv_thread_self();
    CHECK(uv_thread_equal(&self, &account->thread));
    account->blocks += change;
    account->calls++;
}

static void* my_malloc(void* context, size_t size) {
    struct account* account = context;
    note(account, !account->full);
    return account->full ? NULL : malloc(size);
}

static void* my_calloc(void* context, size_t count, size_t size) {
    struct account* account = context;
    note(account, !account->full);
    return account->full ? NULL : calloc(count, size);
}

static void* my_realloc(void* context, void* memory, size_t size) {
    struct account* account = context;
    note(account, !account->full && memory == NULL);
    return account->full ? NULL : realloc(memory, size);
}

static void my_free(void* context, void* memory) {
    CHECK(memory != NULL);
    note(context, -1);
    free(memory);
}

static struct account account;
static const struct phasor_allocator allocator = {my_malloc, my_calloc, my_realloc, my_free,
                                                  &account};
static uv_loop_t loop;
static int calls;

static void open_loop(void) {
    account = (struct account){.thread = uv_thread_self()};
    CHECK_OK(phasor_loop_init(&loop, &allocator));
    CHECK_GT(account.blocks, 0);
}

static void close_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(account.blocks, 0);
}

TEST(a_loop_takes_from_its_allocator_and_gives_everything_back) {
    open_loop();
    close_loop();
}

TEST(two_loops_keep_their_accounts_apart) {
    struct account other = {.thread = uv_thread_self()};
    struct phasor_allocator its = allocator;
    uv_loop_t another;
    its.context = &other;
    open_loop();
    int before = account.calls;
    CHECK_OK(phasor_loop_init(&another, &its));
    CHECK_EQ(account.calls, before);
    CHECK_GT(other.blocks, 0);
    CHECK_OK(uv_loop_close(&another));
    CHECK_EQ(other.blocks, 0);
    close_loop();
}

static void on_close(uv_handle_t* handle) {
    (void)handle;
    calls++;
}

static void on_sent(uv_udp_send_t* req, int status) {
    (void)req;
    CHECK_EQ(status, 0);
    calls++;
}

static void on_written(uv_write_t* req, int status) {
    (void)req;
    CHECK_EQ(status, 0);
    calls++;
}

TEST(streams_and_datagrams_keep_their_lists_of_buffers_there) {
    static char byte[] = "x";
    uv_udp_t udp;
    uv_udp_send_t send;
    uv_pipe_t pipe;
    uv_write_t write;
    uv_buf_t bufs[64];
    uv_os_sock_t pair[2];
    struct sockaddr_in to;
    open_loop();
    for (int i = 0; i < 64; i++)
        bufs[i] = uv_buf_init(byte, 1);
    CHECK_OK(uv_ip4_addr("127.0.0.1", 9, &to));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_send(&send, &udp, bufs, 64, (struct sockaddr*)&to, on_sent));
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, pair, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe, 0));
    CHECK_OK(uv_pipe_open(&pipe, pair[0]));
    CHECK_OK(uv_write(&write, (uv_stream_t*)&pipe, bufs, 64, on_written));
    int before = account.blocks;
    CHECK_GE(before, 3);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 2);
    CHECK_LT(account.blocks, before);
    uv_close((uv_handle_t*)&udp, on_close);
    uv_close((uv_handle_t*)&pipe, on_close);
    close_loop();
    close(pair[1]);
}

static void on_connection(uv_stream_t* server, int status) {
    (void)server, (void)status;
}

static void on_event(uv_fs_event_t* handle, const char* name, int events, int status) {
    (void)handle, (void)name, (void)events, (void)status;
}

static void on_poll(uv_fs_poll_t* handle, int status, const uv_stat_t* a, const uv_stat_t* b) {
    (void)handle, (void)status, (void)a, (void)b;
}

static void on_ns(phasor_timer_t* timer) {
    (void)timer;
    calls++;
}

static void on_removed(uv_fs_event_t* handle, const char* name, int events, int status) {
    (void)events, (void)status;
    if (strcmp(name, "last") == 0)
        uv_close((uv_handle_t*)handle, on_close);
}

TEST(folders_that_are_gone_leave_nothing_there) {
    uv_fs_event_t event;
    open_loop();
    CHECK_EQ(system("mkdir -p root/a/b root/c"), 0);
    CHECK_OK(uv_fs_event_init(&loop, &event));
    CHECK_OK(uv_fs_event_start(&event, on_removed, "root", UV_FS_EVENT_RECURSIVE));
    int before = account.blocks;
    CHECK_EQ(system("rm -r root/a && mkdir root/a"), 0);
    for (int i = 0; i < 10; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_LT(account.blocks, before);
    CHECK_EQ(system("rm -r root/c && mkdir root/last"), 0);
    close_loop();
}

TEST(handles_of_many_kinds_leave_nothing_there) {
    uv_pipe_t server;
    uv_fs_event_t event;
    uv_fs_poll_t poll;
    phasor_timer_t timer;
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_OK(uv_listen((uv_stream_t*)&server, 1, on_connection));
    CHECK_OK(uv_fs_event_init(&loop, &event));
    CHECK_OK(uv_fs_event_start(&event, on_event, ".", UV_FS_EVENT_RECURSIVE));
    CHECK_OK(uv_fs_poll_init(&loop, &poll));
    CHECK_OK(uv_fs_poll_start(&poll, on_poll, ".", 1000));
    phasor_timer_init(&loop, &timer);
    CHECK_OK(phasor_timer_start(&timer, on_ns, 0, 0));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 1);
    uv_close((uv_handle_t*)&server, on_close);
    uv_close((uv_handle_t*)&event, on_close);
    uv_close((uv_handle_t*)&poll, on_close);
    close_loop();
}

static void on_name(uv_getaddrinfo_t* req, int status, struct addrinfo* found) {
    (void)req;
    CHECK_EQ(status, 0);
    uv_freeaddrinfo(found);
    calls++;
}

static void on_open(uv_fs_t* req) {
    CHECK_GE(req->result, 0);
    close((int)req->result);
    calls++;
}

static void on_exit_cb(uv_process_t* process, int64_t status, int signal) {
    (void)signal;
    CHECK_EQ(status, 0);
    uv_close((uv_handle_t*)process, on_close);
}

TEST(names_files_and_children_work_and_a_file_request_may_outlive_its_loop) {
    uv_getaddrinfo_t name;
    uv_fs_t fs;
    uv_process_t process;
    char* args[] = {(char*)"true", NULL};
    uv_process_options_t options = {.file = "true", .args = args, .exit_cb = on_exit_cb};
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    open_loop();
    CHECK_OK(uv_getaddrinfo(&loop, &name, on_name, "127.0.0.1", "80", &hints));
    CHECK_OK(uv_fs_open(&loop, &fs, "/dev/null", O_RDONLY, 0, on_open));
    CHECK_OK(uv_spawn(&loop, &process, &options));
    close_loop();
    CHECK_EQ(calls, 3);
    memset(&loop, 0xa5, sizeof(loop));
    uv_fs_req_cleanup(&fs);
}

TEST(an_allocator_that_has_nothing_left_is_an_error_of_the_call) {
    phasor_timer_t timer;
    uv_fs_event_t event;
    open_loop();
    CHECK_OK(uv_fs_event_init(&loop, &event));
    account.full = true;
    phasor_timer_init(&loop, &timer);
    CHECK_EQ(phasor_timer_start(&timer, on_ns, 0, 0), UV_ENOMEM);
    CHECK_EQ(uv_fs_event_start(&event, on_event, ".", 0), UV_ENOMEM);
    uv_close((uv_handle_t*)&event, on_close);
    account.full = false;
    close_loop();
    account = (struct account){.thread = uv_thread_self(), .full = true};
    CHECK_EQ(phasor_loop_init(&loop, &allocator), UV_ENOMEM);
    CHECK_EQ(account.blocks, 0);
}

TEST(an_allocator_without_all_its_functions_is_refused) {
    struct phasor_allocator incomplete = allocator;
    incomplete.free = NULL;
    CHECK_EQ(phasor_loop_init(&loop, &incomplete), UV_EINVAL);
    CHECK_EQ(phasor_loop_init(&loop, NULL), UV_EINVAL);
}
