/* What concerns the loop or the process as a whole: what a loop counts, its descriptor for others,
 * priorities of threads, and the end of a process whose threads are at work. */

#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"

enum { WORKS = 16 };

/* How many turns there were is open. */
static int op_metrics(struct object* object, const int* arguments) {
    uv_metrics_t metrics;
    (void)object;
    if (uv_metrics_info(&loops[arguments[0]], &metrics) != 0)
        return SKIPPED;
    log_note(" = %d events, %d waiting", (int)metrics.events, (int)metrics.events_waiting);
    return NOTHING;
}

/* What a loop around this one would see. */
static int op_backend_ready(struct object* object, const int* arguments) {
    struct pollfd backend = {.fd = uv_backend_fd(&loops[arguments[0]]), .events = POLLIN};
    (void)object;
    if (running != NULL)
        return SKIPPED;
    log_note(" = %d", poll(&backend, 1, 0));
    return NOTHING;
}

struct sleeper {
    uv_sem_t ready;
    uv_sem_t done;
    int before;
    int after;
};

static void sleep_in_thread(void* data) {
    struct sleeper* sleeper = data;
    id_t id = (id_t)syscall(SYS_gettid);
    sleeper->before = getpriority(PRIO_PROCESS, id);
    uv_sem_post(&sleeper->ready);
    uv_sem_wait(&sleeper->done);
    sleeper->after = getpriority(PRIO_PROCESS, id);
}

static void drop_the_right_to_priorities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_NICE, &none);
    if (syscall(SYS_capget, &header, data) != 0)
        return;
    data[0].effective &= ~(1u << CAP_SYS_NICE);
    syscall(SYS_capset, &header, data);
}

/* thread_priority PRIORITY PLAIN: of another thread, without the right to it if PLAIN */
static int op_thread_priority(struct object* object, const int* arguments) {
    struct sleeper sleeper = {.before = 0};
    uv_thread_t thread;
    (void)object;
    if (arguments[1])
        drop_the_right_to_priorities();
    uv_sem_init(&sleeper.ready, 0);
    uv_sem_init(&sleeper.done, 0);
    uv_thread_create(&thread, sleep_in_thread, &sleeper);
    uv_sem_wait(&sleeper.ready);
    int result = uv_thread_setpriority(thread, arguments[0]);
    uv_sem_post(&sleeper.done);
    uv_thread_join(&thread);
    uv_sem_destroy(&sleeper.ready);
    uv_sem_destroy(&sleeper.done);
    log_note(" from %d to %d", sleeper.before, sleeper.after);
    return result;
}

static void work_for_ever(uv_work_t* work) {
    (void)work;
}

static void work_again(uv_work_t* work, int status) {
    uv_sem_t* started = work->data;
    (void)status;
    if (started != NULL)
        uv_sem_post(started);
    work->data = NULL;
    uv_queue_work(work->loop, work, work_for_ever, work_again);
}

static void turn_in_thread(void* started) {
    uv_loop_t* loop = calloc(1, sizeof(*loop));
    uv_work_t* work = calloc(WORKS, sizeof(*work));
    uv_loop_init(loop);
    work->data = started;
    for (int i = 0; i < WORKS; i++)
        uv_queue_work(loop, &work[i], work_for_ever, work_again);
    uv_run(loop, UV_RUN_DEFAULT);
}

/* Loops that come and go. */
static void close_in_thread(void* started) {
    uv_loop_t loop;
    uv_work_t work;
    for (;; started = NULL) {
        uv_loop_init(&loop);
        uv_queue_work(&loop, &work, work_for_ever, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_loop_close(&loop);
        if (started != NULL)
            uv_sem_post(started);
    }
}

/* Nothing is compared from here on, and what they do should happen at the same time. */
static void use_all_processors(void) {
    cpu_set_t set;
    memset(&set, 0xff, sizeof(set));
    sched_setaffinity(0, sizeof(set), &set);
}

static ssize_t take_time(void* cookie, const char* bytes, size_t count) {
    (void)cookie, (void)bytes;
    usleep(20000);
    return (ssize_t)count;
}

/* Streams are flushed after the destructors of libraries: the threads go on for a while then. */
static void stay_after_the_library(void) {
    FILE* stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take_time});
    fputc('.', stream);
}

/* leave THREADS: the process ends while so many threads use loops of their own and the pool. */
static int op_leave(struct object* object, const int* arguments) {
    uv_sem_t started;
    uv_thread_t thread;
    (void)object;
    if (running != NULL || is_pool_held())
        return SKIPPED;
    use_all_processors();
    setenv("UV_THREADPOOL_SIZE", "4", 1);
    uv_sem_init(&started, 0);
    for (int i = 0; i < arguments[0]; i++)
        uv_thread_create(&thread, i % 2 ? close_in_thread : turn_in_thread, &started);
    for (int i = 0; i < arguments[0]; i++)
        uv_sem_wait(&started);
    stay_after_the_library();
    exit(0);
}

const struct operation process_wide_operations[] = {
    {"metrics", 0, false, op_metrics},
    {"backend_ready", 0, false, op_backend_ready},
    {"thread_priority", 0, false, op_thread_priority},
    {"leave", 0, false, op_leave},
    {NULL, 0, false, NULL}};
