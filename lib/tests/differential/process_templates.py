"""C for the operations that concern the loop or the process as a whole."""

HELPERS = """
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const int numbers[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGWINCH, SIGCHLD};

/* Cut into so many pieces. */
static uv_buf_t* pieces(size_t size, unsigned count) {
    uv_buf_t* found = calloc(count, sizeof(*found));
    char* memory = calloc(1, size + 1);
    for (unsigned i = 0; i < count; i++)
        found[i] = uv_buf_init(memory + size * i / count,
                               (unsigned)(size * (i + 1) / count - size * i / count));
    return found;
}

static int is_ready(uv_loop_t* loop) {
    struct pollfd backend = {.fd = uv_backend_fd(loop), .events = POLLIN};
    return poll(&backend, 1, 0);
}

static uv_sem_t asked;

static void tell_priority(void* data) {
    (void)data;
    uv_sem_wait(&asked);
    LOG("priority %d", getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid)));
}

static int set_priority(int priority) {
    uv_thread_t thread;
    uv_sem_init(&asked, 0);
    uv_thread_create(&thread, tell_priority, NULL);
    int result = uv_thread_setpriority(thread, priority);
    uv_sem_post(&asked);
    uv_thread_join(&thread);
    return result;
}

static void no_work(uv_work_t* work) {
    (void)work;
}

static void work_again(uv_work_t* work, int status) {
    (void)status;
    uv_queue_work(work->loop, work, no_work, work_again);
}

static void turn_in_thread(void* data) {
    uv_loop_t* loop = calloc(1, sizeof(*loop));
    (void)data;
    uv_loop_init(loop);
    uv_queue_work(loop, calloc(1, sizeof(uv_work_t)), no_work, work_again);
    uv_run(loop, UV_RUN_DEFAULT);
}
"""

OPERATIONS = {
    "reap": 'LOG("{text} = %d", {x}.pid > 0 && waitpid({x}.pid, NULL, WNOHANG) > 0);',
    "metrics": '{{\n    uv_metrics_t metrics;\n    uv_metrics_info(&loops[{a}], &metrics);\n'
               '    LOG("{text} = %d events", (int)metrics.events);\n}}',
    "backend_ready": 'LOG("{text} = %d", is_ready(&loops[{a}]));',
    "thread_priority": 'LOG("{text} = %s", name_of(set_priority({a})));',
    "leave": "for (int i = 0; i < {a}; i++)\n    uv_thread_create(&(uv_thread_t){{0}}, "
             "turn_in_thread, NULL);\nusleep(20000);\nexit(0);",
}
