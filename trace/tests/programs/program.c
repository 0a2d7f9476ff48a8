/* What the tests record: program MODE [ARGUMENT]. */

#include <fcntl.h>
#include <phasor.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum { COUNTED = 32 };

/* How often each kind of callback was called. */
static struct {
    const char* kind;
    unsigned count;
} counts[COUNTED];

/* On any thread. */
static void count(const char* kind) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int i = 0;
    pthread_mutex_lock(&lock);
    while (counts[i].kind != NULL && strcmp(counts[i].kind, kind) != 0)
        i++;
    counts[i].kind = kind;
    counts[i].count++;
    pthread_mutex_unlock(&lock);
}

static uint64_t processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* On a processor: waiting for one does not count. */
static void spin(unsigned ms) {
    uint64_t end = processor_time() + ms * 1000000ull;
    while (processor_time() < end)
        continue;
}

static void on_close(uv_handle_t* handle) {
    (void)handle;
    count("close_cb");
}

/* Everything once or a few times, counted. */

static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_timer_t timer;
static uv_async_t async;
static uv_pipe_t ends[2];
static uv_write_t write_request;
static uv_work_t works[10];
static uv_fs_t file_request;
static uv_thread_t sender;

static void on_idle(uv_idle_t* handle) {
    static int left = 5;
    count("idle_cb");
    if (--left == 0)
        uv_close((uv_handle_t*)handle, on_close);
}

static void on_prepare(uv_prepare_t* handle) {
    (void)handle;
    count("prepare_cb");
}

static void on_check(uv_check_t* handle) {
    (void)handle;
    count("check_cb");
}

static void on_timer(uv_timer_t* handle) {
    static int left = 8;
    count("timer_cb");
    if (--left > 0)
        return;
    uv_close((uv_handle_t*)handle, on_close);
    uv_close((uv_handle_t*)&prepare, on_close);
    uv_close((uv_handle_t*)&check, on_close);
}

static void on_async(uv_async_t* handle) {
    count("async_cb");
    uv_close((uv_handle_t*)handle, on_close);
}

static void send_from_thread(void* unused) {
    (void)unused;
    uv_async_send(&async);
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    static char memory[64];
    (void)handle;
    (void)size;
    count("alloc_cb");
    *buf = uv_buf_init(memory, sizeof(memory));
}

static void on_read(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf) {
    (void)stream;
    (void)n;
    (void)buf;
    count("read_cb");
    uv_close((uv_handle_t*)&ends[0], on_close);
    uv_close((uv_handle_t*)&ends[1], on_close);
}

static void on_write(uv_write_t* request, int status) {
    (void)request;
    (void)status;
    count("write_cb");
}

static void on_work(uv_work_t* request) {
    (void)request;
    count("work_cb");
}

static void after_work(uv_work_t* request, int status) {
    (void)request;
    (void)status;
    count("after_work_cb");
}

static void on_stat(uv_fs_t* request) {
    count("fs_cb");
    uv_fs_req_cleanup(request);
}

static int run_all(uv_loop_t* loop) {
    uv_file fds[2];
    uv_buf_t text = uv_buf_init("hello", 5);
    uv_idle_init(loop, &idle);
    uv_prepare_init(loop, &prepare);
    uv_check_init(loop, &check);
    uv_timer_init(loop, &timer);
    uv_async_init(loop, &async, on_async);
    uv_pipe(fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
    for (int i = 0; i < 2; i++) {
        uv_pipe_init(loop, &ends[i], 0);
        uv_pipe_open(&ends[i], fds[i]);
    }
    uv_idle_start(&idle, on_idle);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    uv_timer_start(&timer, on_timer, 1, 2);
    uv_read_start((uv_stream_t*)&ends[0], on_alloc, on_read);
    uv_write(&write_request, (uv_stream_t*)&ends[1], &text, 1, on_write);
    for (int i = 0; i < 10; i++)
        uv_queue_work(loop, &works[i], on_work, after_work);
    uv_fs_stat(loop, &file_request, "/", on_stat);
    uv_thread_create(&sender, send_from_thread, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_thread_join(&sender);
    uv_metrics_t metrics;
    uv_metrics_info(loop, &metrics);
    printf("iterations %llu\n", (unsigned long long)metrics.loop_count);
    for (int i = 0; i < COUNTED && counts[i].kind != NULL; i++)
        printf("%s %u\n", counts[i].kind, counts[i].count);
    return 0;
}

/* Requests without callbacks: some that succeed, some that fail, some that a close ends. */

static int run_quiet(uv_loop_t* loop) {
    static uv_write_t writes[3];
    static uv_shutdown_t shutdown_request;
    static uv_udp_send_t sends[2];
    static uv_connect_t connects[2];
    static uv_pipe_t missing;
    static uv_tcp_t tcp;
    static uv_udp_t udp;
    struct sockaddr_in here;
    uv_os_sock_t pair[2];
    uv_buf_t text = uv_buf_init("hello", 5);
    uv_ip4_addr("127.0.0.1", 9, &here);
    if (uv_socketpair(SOCK_STREAM, 0, pair, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) != 0)
        return 1;
    uv_pipe_init(loop, &ends[0], 0);
    uv_pipe_open(&ends[0], pair[0]);
    for (int i = 0; i < 3; i++)
        uv_write(&writes[i], (uv_stream_t*)&ends[0], &text, 1, NULL);
    uv_shutdown(&shutdown_request, (uv_stream_t*)&ends[0], NULL);
    uv_udp_init(loop, &udp);
    for (int i = 0; i < 2; i++)
        uv_udp_send(&sends[i], &udp, &text, 1, (struct sockaddr*)&here, NULL);
    uv_pipe_init(loop, &missing, 0);
    uv_pipe_connect(&connects[0], &missing, "no such socket", NULL);
    uv_tcp_init(loop, &tcp);
    uv_tcp_connect(&connects[1], &tcp, (struct sockaddr*)&here, NULL);
    uv_close((uv_handle_t*)&tcp, NULL);
    uv_queue_work(loop, &works[0], on_work, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t*)&ends[0], NULL);
    uv_close((uv_handle_t*)&udp, NULL);
    uv_close((uv_handle_t*)&missing, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    return close(pair[1]);
}

/* A clock that ticks until it is stopped from outside, or `left` times. */

static long left;

static void on_tick(uv_timer_t* handle) {
    static int said;
    if (!said++) {
        puts("ticking");
        fflush(stdout);
    }
    if (left > 0 && --left == 0)
        uv_stop(handle->loop);
}

static void on_stop(uv_signal_t* handle, int signum) {
    (void)signum;
    uv_stop(handle->loop);
}

static int run_clock(uv_loop_t* loop, const char* times) {
    uv_signal_t stop;
    left = times != NULL ? atol(times) : 0;
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_tick, 0, 1);
    uv_signal_init(loop, &stop);
    uv_signal_start(&stop, on_stop, SIGTERM);
    uv_run(loop, UV_RUN_DEFAULT);
    return 0;
}

static void on_crash(uv_timer_t* handle) {
    (void)handle;
    spin(400);
    abort();
}

static int run_crash(uv_loop_t* loop) {
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_crash, 1, 0);
    return uv_run(loop, UV_RUN_DEFAULT);
}

/* One long callback while other timers come due. */

static void on_late(uv_timer_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
}

static void parse_config(uv_fs_t* request) {
    static uv_timer_t timers[14];
    for (int i = 0; i < 14; i++) {
        uv_timer_init(request->loop, &timers[i]);
        uv_timer_start(&timers[i], on_late, 40, 0);
    }
    spin(80);
    uv_fs_req_cleanup(request);
}

static int run_blocked(uv_loop_t* loop) {
    uv_fs_stat(loop, &file_request, "/", parse_config);
    return uv_run(loop, UV_RUN_DEFAULT);
}

/* Many iterations, as fast as they go. */

static void on_turn(uv_idle_t* handle) {
    if (--left <= 0)
        uv_close((uv_handle_t*)handle, NULL);
}

static int run_turns(uv_loop_t* loop, const char* times) {
    left = atol(times);
    uv_idle_init(loop, &idle);
    uv_idle_start(&idle, on_turn);
    return uv_run(loop, UV_RUN_DEFAULT);
}

/* Without the usual steps. */
static int leave(uv_loop_t* loop) {
    run_turns(loop, "6");
    _exit(0);
}

/* Children */

static int run_fork(uv_loop_t* loop) {
    int status;
    run_turns(loop, "3");
    pid_t pid = fork();
    if (pid == 0) {
        uv_loop_fork(loop);
        return run_turns(loop, "5");
    }
    waitpid(pid, &status, 0);
    return run_turns(loop, "4") != 0 || status != 0;
}

static void on_exit_of_child(uv_process_t* process, int64_t status, int signum) {
    printf("child ended with %d, %d\n", (int)status, signum);
    uv_close((uv_handle_t*)process, NULL);
}

static int run_spawn(uv_loop_t* loop, const char* self) {
    uv_process_t process;
    char* arguments[] = {(char*)self, "turns", "7", NULL};
    uv_process_options_t options = {.exit_cb = on_exit_of_child, .file = self, .args = arguments};
    if (uv_spawn(loop, &process, &options) != 0)
        return 1;
    return uv_run(loop, UV_RUN_DEFAULT);
}

/* What a runtime does inside a callback. */

static void on_named(uv_timer_t* handle) {
    unsigned function = phasor_trace_name("parse", "config.js", 12);
    phasor_trace_begin(PHASOR_SPAN_FUNCTION, function);
    spin(20);
    phasor_trace_end(PHASOR_SPAN_FUNCTION);
    phasor_trace_begin(PHASOR_SPAN_TICK, phasor_trace_name("a <b> \"tick\"\n", NULL, 0));
    phasor_trace_end(PHASOR_SPAN_TICK);
    phasor_trace_begin(PHASOR_SPAN_MICROTASK, phasor_trace_name("caf\xc3\xa9 \xff", "x.js", 1));
    phasor_trace_end(PHASOR_SPAN_MICROTASK);
    uv_close((uv_handle_t*)handle, NULL);
}

static int run_names(uv_loop_t* loop) {
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_named, 1, 0);
    return uv_run(loop, UV_RUN_DEFAULT);
}

/* On and off by the program itself. */
static int run_switched(uv_loop_t* loop) {
    run_turns(loop, "3");
    int started = phasor_trace_start("one");
    int again = phasor_trace_start("two");
    printf("start %d, again %d\n", started, again);
    run_turns(loop, "5");
    int stopped = phasor_trace_stop();
    again = phasor_trace_stop();
    printf("stop %d, again %d\n", stopped, again);
    run_turns(loop, "7");
    int nowhere = phasor_trace_start("/no/such/folder/file");
    int none = phasor_trace_start(NULL);
    printf("nowhere %d, none %d, active %d\n", nowhere, none, phasor_trace_active());
    started = phasor_trace_start("two");
    printf("start %d, active %d\n", started, phasor_trace_active());
    run_turns(loop, "9");
    return 0;
}

/* Threads with loops of their own, and a signal handler that sends. */

static void turn_in_thread(void* unused) {
    uv_loop_t loop;
    uv_idle_t mine;
    uv_timer_t tick;
    (void)unused;
    uv_loop_init(&loop);
    uv_idle_init(&loop, &mine);
    uv_timer_init(&loop, &tick);
    uv_timer_start(&tick, on_late, 20, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t*)&mine, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
}

static void send_in_handler(int signum) {
    (void)signum;
    uv_async_send(&async);
}

static void run_eight_threads(uv_loop_t* loop) {
    uv_thread_t threads[8];
    uv_async_init(loop, &async, on_async);
    for (int i = 0; i < 8; i++)
        uv_thread_create(&threads[i], turn_in_thread, NULL);
    raise(SIGUSR1);
    uv_run(loop, UV_RUN_DEFAULT);
    for (int i = 0; i < 8; i++)
        uv_thread_join(&threads[i]);
}

/* After a while the recorder knows that the threads have ended: others get their buffers. */
static int run_threads(uv_loop_t* loop, const char* rounds) {
    signal(SIGUSR1, send_in_handler);
    run_eight_threads(loop);
    for (int left = atoi(rounds) - 1; left > 0; left--) {
        usleep(1500000);
        run_eight_threads(loop);
    }
    return 0;
}

/* Daemons close everything, and then open files of their own. */
static int run_closing(uv_loop_t* loop) {
    struct stat info;
    run_turns(loop, "3");
    usleep(250000);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    int mine = open("mine", O_RDWR | O_CREAT, 0600);
    for (int fd = mine + 1; fd < 1024; fd++)
        dup2(mine, fd);
    uv_loop_t fresh;
    uv_loop_init(&fresh);
    run_turns(&fresh, "1000");
    usleep(250000);
    phasor_trace_stop();
    fstat(mine, &info);
    printf("first descriptor %d, %lld bytes of ours\n", mine, (long long)info.st_size);
    fflush(stdout);
    _exit(0);
}

/* ns per event, while the buffer has room for all of them, and ns that reading the clock takes. */
static int run_cost(void) {
    enum { EVENTS = 10000, ROUNDS = 20 };
    double best = 1e9, clock = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t began = uv_hrtime();
        for (int i = 0; i < EVENTS; i++)
            phasor_trace_begin(PHASOR_SPAN_MARK, 0);
        uint64_t recorded = uv_hrtime();
        for (int i = 0; i < EVENTS; i++)
            uv_hrtime();
        double cost = (double)(recorded - began) / EVENTS;
        double reading = (double)(uv_hrtime() - recorded) / EVENTS;
        best = cost < best ? cost : best;
        clock = reading < clock ? reading : clock;
        usleep(150000);
    }
    printf("%.1f %.1f\n", best, clock);
    return 0;
}

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "";
    const char* argument = argc > 2 ? argv[2] : "1";
    if (strcmp(mode, "nothing") == 0)
        return 0;
    uv_loop_t* loop = uv_default_loop();
    int status = strcmp(mode, "all") == 0        ? run_all(loop)
                 : strcmp(mode, "quiet") == 0    ? run_quiet(loop)
                 : strcmp(mode, "clock") == 0    ? run_clock(loop, argc > 2 ? argument : NULL)
                 : strcmp(mode, "crash") == 0    ? run_crash(loop)
                 : strcmp(mode, "blocked") == 0  ? run_blocked(loop)
                 : strcmp(mode, "turns") == 0    ? run_turns(loop, argument)
                 : strcmp(mode, "leave") == 0    ? leave(loop)
                 : strcmp(mode, "fork") == 0     ? run_fork(loop)
                 : strcmp(mode, "spawn") == 0    ? run_spawn(loop, argv[0])
                 : strcmp(mode, "names") == 0    ? run_names(loop)
                 : strcmp(mode, "switched") == 0 ? run_switched(loop)
                 : strcmp(mode, "threads") == 0  ? run_threads(loop, argument)
                 : strcmp(mode, "closing") == 0  ? run_closing(loop)
                 : strcmp(mode, "cost") == 0     ? run_cost()
                 : strcmp(mode, "exit") == 0     ? atoi(argument)
                                                 : 2;
    uv_loop_close(loop);
    /* And becomes another program. */
    if (argc > 3)
        execv(argv[3], argv + 3);
    return status;
}
