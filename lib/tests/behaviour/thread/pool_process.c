/* The pool when the process forks or ends. */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static int ran, after;

static void count_run(uv_work_t* req) {
    (void)req;
    __atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);
}

static void count_after(uv_work_t* req, int status) {
    (void)req;
    CHECK_EQ(status, 0);
    after++;
}

static void use_pool(uv_loop_t* use) {
    uv_work_t reqs[20];
    int before = after;
    for (int i = 0; i < 20; i++)
        CHECK_OK(uv_queue_work(use, &reqs[i], count_run, count_after));
    CHECK_OK(uv_run(use, UV_RUN_DEFAULT));
    CHECK_EQ(after, before + 20);
}

static void check_child(pid_t pid) {
    int status;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
}

static void meet(uv_work_t* req) {
    uv_barrier_wait(req->data);
}

/* Every thread of the pool has begun and is past its start. A thread that is inside the address
 * sanitizer's allocator at the moment of a fork leaves the child a lock that nobody opens. */
static void use_every_thread(uv_loop_t* use) {
    enum { THREADS = 4 };
    uv_work_t reqs[THREADS];
    uv_barrier_t all;
    CHECK_OK(uv_barrier_init(&all, THREADS));
    for (int i = 0; i < THREADS; i++) {
        reqs[i].data = &all;
        CHECK_OK(uv_queue_work(use, &reqs[i], meet, count_after));
    }
    CHECK_OK(uv_run(use, UV_RUN_DEFAULT));
    uv_barrier_destroy(&all);
}

TEST(pool_in_a_forked_child_starts_afresh) {
    CHECK_OK(uv_loop_init(&loop));
    use_every_thread(&loop);
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        uv_loop_t own;
        alarm(30);
        CHECK_OK(uv_loop_init(&own));
        use_pool(&own);
        use_every_thread(&own);
        CHECK_OK(uv_loop_close(&own));
        CHECK_OK(uv_loop_fork(&loop));
        use_pool(&loop);
        _exit(0);
    }
    check_child(pid);
    use_pool(&loop);
    CHECK_OK(uv_loop_close(&loop));
}

static uv_sem_t gate, arrived;

static void wait_at_gate(uv_work_t* req) {
    (void)req;
    uv_sem_post(&arrived);
    uv_sem_wait(&gate);
}

/* Until the gate is opened for each of them. */
static void open_loop_with_busy_pool(uv_work_t busy[4]) {
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_sem_init(&arrived, 0));
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 4; i++)
        CHECK_OK(uv_queue_work(&loop, &busy[i], wait_at_gate, count_after));
    for (int i = 0; i < 4; i++)
        uv_sem_wait(&arrived);
}

TEST(pool_busy_at_a_fork_leaves_the_child_free) {
    uv_work_t busy[4], waiting;
    open_loop_with_busy_pool(busy);
    CHECK_OK(uv_queue_work(&loop, &waiting, count_run, count_after));
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        uv_loop_t own;
        alarm(30);
        CHECK_OK(uv_loop_init(&own));
        use_pool(&own);
        CHECK_EQ(ran, 20);
        CHECK_OK(uv_loop_close(&own));
        _exit(0);
    }
    check_child(pid);
    for (int i = 0; i < 4; i++)
        uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(after, 5);
    CHECK_OK(uv_loop_close(&loop));
    uv_sem_destroy(&gate);
    uv_sem_destroy(&arrived);
}

static int cancelled;

static void count_cancelled(uv_work_t* req, int status) {
    (void)req;
    cancelled += status == UV_ECANCELED;
}

static void count_cancelled_file(uv_fs_t* req) {
    cancelled += req->result == UV_ECANCELED;
    uv_fs_req_cleanup(req);
}

static void count_cancelled_name(uv_getaddrinfo_t* req, int status, struct addrinfo* found) {
    (void)req;
    uv_freeaddrinfo(found);
    cancelled += status == UV_EAI_CANCELED;
}

TEST(pool_work_of_the_parent_can_be_cancelled_in_the_child) {
    uv_work_t busy[4], waiting;
    uv_fs_t file;
    uv_getaddrinfo_t name;
    open_loop_with_busy_pool(busy);
    CHECK_OK(uv_queue_work(&loop, &waiting, count_run, count_cancelled));
    CHECK_OK(uv_getaddrinfo(&loop, &name, count_cancelled_name, "127.0.0.1", NULL, NULL));
    CHECK_OK(uv_fs_stat(&loop, &file, ".", count_cancelled_file));
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_OK(uv_cancel((uv_req_t*)&waiting));
        CHECK_OK(uv_cancel((uv_req_t*)&name));
        CHECK_OK(uv_cancel((uv_req_t*)&file));
        while (cancelled < 3)
            uv_run(&loop, UV_RUN_ONCE);
        _exit(0);
    }
    check_child(pid);
    for (int i = 0; i < 4; i++)
        uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(cancelled, 0);
    CHECK_OK(uv_loop_close(&loop));
    uv_sem_destroy(&gate);
    uv_sem_destroy(&arrived);
}

static int pipe_out;

static void write_a_byte(uv_work_t* req) {
    (void)req;
    usleep(2000);
    CHECK_EQ(write(pipe_out, "x", 1), 1);
}

TEST(pool_finishes_what_was_queued_when_the_process_exits) {
    static uv_work_t reqs[20];
    int fds[2];
    char bytes[64];
    CHECK_OK(pipe(fds));
    fflush(NULL);
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        pipe_out = fds[1];
        alarm(30);
        CHECK_OK(uv_loop_init(&loop));
        for (int i = 0; i < 20; i++)
            CHECK_OK(uv_queue_work(&loop, &reqs[i], write_a_byte, count_after));
        exit(0);
    }
    close(fds[1]);
    check_child(pid);
    CHECK_EQ(read(fds[0], bytes, sizeof(bytes)), 20);
    close(fds[0]);
}

TEST(pool_shut_down_twice_is_harmless) {
    CHECK_OK(uv_loop_init(&loop));
    use_pool(&loop);
    CHECK_OK(uv_loop_close(&loop));
    uv_library_shutdown();
    uv_library_shutdown();
}
