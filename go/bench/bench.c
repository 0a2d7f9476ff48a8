/*
 * bench WHAT [COUNT]: figures of coroutines, as "name value unit" lines. Times are processor time
 * of the thread or process that does the work, so that a busy machine does not count.
 */
#include <phasor_go.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

static double cpu_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static long count;

static int yield_often(void* arg) {
    (void)arg;
    for (long i = 0; i < count; i++)
        go_yield();
    return 0;
}

/* Two coroutines that hand the processor to each other. */
static void bench_switch(void) {
    uv_loop_t* loop = uv_default_loop();
    double start = cpu_ns();
    go_start(loop, yield_often, NULL);
    go_start(loop, yield_often, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    printf("switch %.1f ns\n", (cpu_ns() - start) / (2.0 * (double)count));
}

static int do_nothing(void* arg) {
    (void)arg;
    return 0;
}

static int sleep_long(void* arg) {
    (void)arg;
    return go_sleep(1000000000);
}

static double start_and_end(uv_loop_t* loop) {
    double start = cpu_ns();
    for (long i = 0; i < count; i++)
        go_start(loop, do_nothing, NULL);
    return (cpu_ns() - start) / (double)count;
}

static void bench_start(void) {
    uv_loop_t* loop = uv_default_loop();
    start_and_end(loop);
    printf("start_and_end %.1f ns\n", start_and_end(loop));
    for (int i = 0; i < 100000; i++)
        go_start(loop, sleep_long, NULL);
    printf("start_and_end_beside_100000_sleepers %.1f ns\n", start_and_end(loop));
}

static long resident_kb(void) {
    long size = 0, resident = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2)
        abort();
    fclose(file);
    return resident * 4;
}

/* What so many coroutines take that are all asleep; with the kernel's tables for it. */
static void bench_sleepers(void) {
    uv_loop_t* loop = uv_default_loop();
    long before = resident_kb(), tables = 0;
    char line[256];
    for (long i = 0; i < count; i++) {
        int status = go_start(loop, sleep_long, NULL);
        if (status != 0) {
            fprintf(stderr, "%ld started: %s\n", i, uv_strerror(status));
            exit(1);
        }
    }
    FILE* file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, "VmPTE:", 6) == 0)
            tables = strtol(line + 6, NULL, 10);
    if (file != NULL)
        fclose(file);
    printf("%ld_sleepers %.1f MB\n", count, (double)(resident_kb() - before + tables) / 1024);
}

static go_channel_t* channel;

static int receive_all(void* arg) {
    long sum = 0, item;
    (void)arg;
    while (go_receive(channel, &item, GO_NEVER) == 0)
        sum += item;
    return sum == count * (count - 1) / 2 ? 0 : UV_EIO;
}

static int send_all(void* arg) {
    (void)arg;
    for (long i = 0; i < count; i++) {
        go_send(channel, &i, GO_NEVER);
        if (i % 64 == 63)
            go_yield(); /* an unbounded channel would hold all of them first */
    }
    go_channel_close(channel);
    return 0;
}

static void pass_items(const char* name, size_t capacity) {
    uv_loop_t* loop = uv_default_loop();
    channel = go_channel_new(sizeof(long), capacity);
    double start = cpu_ns();
    go_start(loop, receive_all, NULL);
    go_start(loop, send_all, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    printf("%s %.1f ns\n", name, (cpu_ns() - start) / (double)count);
    go_channel_free(channel);
}

static void bench_channel(void) {
    pass_items("handover_rendezvous", 0);
    pass_items("handover_bounded", 64);
    pass_items("handover_unbounded", GO_UNBOUNDED);
}

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    count = argc > 2 ? strtol(argv[2], NULL, 10) : 3000000;
    if (strcmp(what, "switch") == 0)
        bench_switch();
    else if (strcmp(what, "start") == 0)
        bench_start();
    else if (strcmp(what, "sleepers") == 0)
        bench_sleepers();
    else if (strcmp(what, "channel") == 0)
        bench_channel();
    else if (strcmp(what, "echo") == 0 && argc > 4)
        bench_echo(argv[2], atoi(argv[3]), strtol(argv[4], NULL, 10));
    else
        return fprintf(stderr, "usage: bench switch|start|sleepers|channel [COUNT]\n"
                               "       bench echo callbacks|coroutines CONNECTIONS MESSAGES\n"),
               2;
    return 0;
}
