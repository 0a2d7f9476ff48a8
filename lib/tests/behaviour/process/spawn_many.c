// threaded
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { MANY = 1000, THREADS = 4, EACH = 60 };

struct child {
    uv_process_t process;
    int expected;
    int* left;
};

static void child_ended(uv_process_t* process, int64_t status, int signal) {
    struct child* child = (struct child*)process;
    CHECK_EQ(status, child->expected);
    CHECK_EQ(signal, 0);
    --*child->left;
    uv_close((uv_handle_t*)process, NULL);
}

static void spawn(uv_loop_t* loop, struct child* child, const char* script) {
    char* args[] = {(char*)"sh", (char*)"-c", (char*)script, NULL};
    uv_process_options_t options = {.file = "/bin/sh", .args = args, .exit_cb = child_ended};
    CHECK_OK(uv_spawn(loop, &child->process, &options));
}

TEST(spawn_thousand_children_at_once_are_all_reported_and_reaped) {
    uv_loop_t loop;
    struct child* children = calloc(MANY, sizeof(*children));
    int left = MANY;
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < MANY; i++) {
        char script[32];
        children[i].left = &left;
        children[i].expected = i % 200;
        snprintf(script, sizeof(script), "exit %d", i % 200);
        spawn(&loop, &children[i], script);
    }
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(left, 0);
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
    CHECK_OK(uv_loop_close(&loop));
    free(children);
}

static void spawn_in_thread(void* arg) {
    uv_loop_t loop;
    struct child* children = calloc(EACH, sizeof(*children));
    int left = EACH;
    int offset = *(int*)arg;
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < EACH; i++) {
        char script[32];
        children[i].left = &left;
        children[i].expected = offset + i;
        snprintf(script, sizeof(script), "exit %d", offset + i);
        spawn(&loop, &children[i], script);
        if (i % 10 == 0)
            uv_run(&loop, UV_RUN_NOWAIT);
    }
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(left, 0);
    CHECK_OK(uv_loop_close(&loop));
    free(children);
}

TEST(spawn_from_four_loops_in_four_threads_reports_to_the_right_one) {
    uv_thread_t threads[THREADS];
    int offsets[THREADS];
    for (int i = 0; i < THREADS; i++) {
        offsets[i] = i * EACH;
        CHECK_OK(uv_thread_create(&threads[i], spawn_in_thread, &offsets[i]));
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
}

static int running = 1;
static int caught;

static void count_signal(uv_signal_t* handle, int signum) {
    (void)handle, (void)signum;
    caught++;
}

static void send_signals(void* arg) {
    (void)arg;
    while (__atomic_load_n(&running, __ATOMIC_RELAXED)) {
        kill(getpid(), SIGUSR1);
        usleep(20);
    }
}

TEST(spawn_while_signals_pour_in_disturbs_neither_side) {
    uv_loop_t loop;
    uv_signal_t handle;
    uv_thread_t thread;
    struct child children[50];
    int left = 50;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, count_signal, SIGUSR1));
    uv_unref((uv_handle_t*)&handle);
    CHECK_OK(uv_thread_create(&thread, send_signals, NULL));
    for (int i = 0; i < 50; i++) {
        children[i].left = &left;
        children[i].expected = 3;
        spawn(&loop, &children[i], "exit 3");
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(left, 0);
    CHECK_GT(caught, 0);
    __atomic_store_n(&running, 0, __ATOMIC_RELAXED);
    CHECK_OK(uv_thread_join(&thread));
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
