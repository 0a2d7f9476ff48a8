/* Threads with stacks of 32 KB, as some C libraries and programs give them, may run loops. */

#include "behaviour/stream/streams.h"

#include <fcntl.h>
#include <sys/stat.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK = 256 * 1024 }; /* the sanitizers' own share is large */
#else
enum { STACK = 32 * 1024 };
#endif

static void on_small_stack(uv_thread_cb entry) {
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK};
    uv_thread_t thread;
    CHECK_OK(uv_thread_create_ex(&thread, &options, entry, NULL));
    CHECK_OK(uv_thread_join(&thread));
}

enum { MANY = 1500 };

/* More writes than one system call takes, while the peer does not read. */
static void stream_many_writes(void* arg) {
    static uv_pipe_t pipe_handle;
    static uv_write_t reqs[MANY];
    static char block[1000], got[1 << 16];
    uv_buf_t buf = uv_buf_init(block, sizeof(block));
    (void)arg;
    open_loop();
    int peer = open_pipe(&pipe_handle, 1);
    for (int i = 0; i < MANY; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, on_write));
    while (writes < MANY) {
        take(peer, got, sizeof(got));
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK_EQ(send(peer, "x", 1, 0), 1);
    while (reads == 0)
        uv_run(&loop, UV_RUN_ONCE);
    close(peer);
    close_loop();
}

TEST(streams_work_on_a_small_stack) {
    on_small_stack(stream_many_writes);
}

static int datagrams;

static void give_chunks(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    static char chunks[20 << 16];
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(chunks, sizeof(chunks));
}

static void count_datagram(uv_udp_t* handle, ssize_t size, const uv_buf_t* buf,
                           const struct sockaddr* from, unsigned flags) {
    (void)handle;
    (void)buf;
    (void)from;
    datagrams += size > 0 || (flags & UV_UDP_LINUX_RECVERR);
}

static struct sockaddr_in open_udp(uv_udp_t* udp, unsigned flags) {
    struct sockaddr_in address = localhost(0);
    int size = sizeof(address);
    CHECK_OK(uv_udp_init_ex(&loop, udp, AF_INET | flags));
    CHECK_OK(uv_udp_bind(udp, (struct sockaddr*)&address, UV_UDP_LINUX_RECVERR));
    CHECK_OK(uv_udp_getsockname(udp, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_udp_recv_start(udp, give_chunks, count_datagram));
    return address;
}

static void send_and_receive_datagrams(void* arg) {
    static uv_udp_t one, other, gone;
    static uv_udp_send_t sends[40];
    uv_buf_t buf = uv_buf_init("x", 1);
    (void)arg;
    open_loop();
    struct sockaddr_in to = open_udp(&one, UV_UDP_RECVMMSG);
    struct sockaddr_in nowhere = open_udp(&gone, 0);
    open_udp(&other, 0);
    for (int i = 0; i < 40; i++)
        CHECK_OK(uv_udp_send(&sends[i], &other, &buf, 1, (struct sockaddr*)&to, NULL));
    while (datagrams < 40)
        uv_run(&loop, UV_RUN_ONCE);
    uv_close(HANDLE(&gone), NULL);
    CHECK_EQ(uv_udp_try_send(&other, &buf, 1, (struct sockaddr*)&nowhere), 1);
    while (datagrams < 41)
        uv_run(&loop, UV_RUN_ONCE);
    close_loop();
}

TEST(datagrams_work_on_a_small_stack) {
    on_small_stack(send_and_receive_datagrams);
}

static void use_files(void* arg) {
    static uv_fs_t req;
    uv_buf_t buf = uv_buf_init("text", 4);
    (void)arg;
    CHECK_OK(uv_fs_mkdir(NULL, &req, "folder", 0700, NULL));
    int fd = uv_fs_open(NULL, &req, "folder/file", UV_FS_O_CREAT | UV_FS_O_WRONLY, 0600, NULL);
    CHECK_GE(fd, 0);
    CHECK_EQ(uv_fs_write(NULL, &req, fd, &buf, 1, 0, NULL), 4);
    CHECK_OK(uv_fs_close(NULL, &req, fd, NULL));
    CHECK_OK(uv_fs_copyfile(NULL, &req, "folder/file", "folder/copy", 0, NULL));
    CHECK_EQ(uv_fs_scandir(NULL, &req, "folder", 0, NULL), 2);
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_symlink(NULL, &req, "file", "folder/link", 0, NULL));
    CHECK_OK(uv_fs_readlink(NULL, &req, "folder/link", NULL));
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_realpath(NULL, &req, "folder/link", NULL));
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_mkdtemp(NULL, &req, "folder/XXXXXX", NULL));
    uv_fs_req_cleanup(&req);
    CHECK_OK(uv_fs_statfs(NULL, &req, ".", NULL));
    uv_fs_req_cleanup(&req);
}

TEST(files_work_on_a_small_stack) {
    on_small_stack(use_files);
}

static int changes;

static void on_change(uv_fs_event_t* handle, const char* name, int events, int status) {
    char folder[32];
    (void)handle;
    (void)name;
    (void)events;
    CHECK_OK(status);
    if (changes++ < 3) {
        snprintf(folder, sizeof(folder), "watched/a%s",
                 changes == 1   ? "/b"
                 : changes == 2 ? "/b/c"
                                : "/d");
        CHECK_OK(mkdir(folder, 0700));
    }
}

static void watch_a_tree(void* arg) {
    static uv_fs_event_t watcher;
    (void)arg;
    open_loop();
    CHECK_OK(mkdir("watched", 0700));
    CHECK_OK(uv_fs_event_init(&loop, &watcher));
    CHECK_OK(uv_fs_event_start(&watcher, on_change, "watched", UV_FS_EVENT_RECURSIVE));
    CHECK_OK(mkdir("watched/a", 0700));
    while (changes < 4)
        uv_run(&loop, UV_RUN_ONCE);
    close_loop();
}

TEST(a_tree_is_watched_on_a_small_stack) {
    on_small_stack(watch_a_tree);
}

static void ask_in_a_callback(uv_timer_t* timer) {
    char path[256];
    size_t size = sizeof(path);
    (void)timer;
    CHECK_GE(uv_available_parallelism(), 1);
    uv_get_constrained_memory();
    uv_get_available_memory();
    CHECK_GT(uv_get_total_memory(), 0);
    CHECK_OK(uv_cwd(path, &size));
}

static void ask_about_the_system(void* arg) {
    static uv_timer_t timer;
    (void)arg;
    open_loop();
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, ask_in_a_callback, 1, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    close_loop();
}

TEST(the_system_can_be_asked_on_a_small_stack) {
    on_small_stack(ask_about_the_system);
}
