#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

/*
 * What every workload shares. A workload is a table of cases and BENCH_MAIN; the runner talks to
 * the program like this:
 *   PROGRAM --list        one line per case: its name, then "limit" and "rounds=N" where they apply
 *   PROGRAM --library     the version and the path of the libuv.so.1 in use
 *   PROGRAM CASE [limit]  one line per row: name, unit, value, "higher" or "lower" (is better);
 *                         "limit" runs the hand-written version that uses no library
 */

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

typedef struct bench_case {
    const char* name;
    void (*run)(const struct bench_case* self);
    void (*limit)(const struct bench_case* self);
    int count;  /* connections, threads, timers: the case's size */
    int rounds; /* at most so many rounds, because one is slow; 0 is the runner's choice */
    const void* how;
} bench_case;

#define BENCH_MAIN(cases)                                                       \
    int main(int argc, char** argv) {                                           \
        return bench_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0])); \
    }

#define MUST(condition)                                                                       \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
            exit(1);                                                                          \
        }                                                                                     \
    } while (0)

enum { BENCH_SECONDS_AT_MOST = 100 };
#define BENCH_WINDOW 0.5 /* seconds that a rate is measured over */

static inline double seconds_on(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double wall_seconds(void) {
    return seconds_on(CLOCK_MONOTONIC);
}

/* Of all threads. Where nothing waits this is steadier than the wall clock. */
static inline double cpu_seconds(void) {
    return seconds_on(CLOCK_PROCESS_CPUTIME_ID);
}

static inline uint32_t next_random(void) {
    static uint64_t state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

/*
 * Random choices, each with two parts, drawn before the clock starts: a generator between the calls
 * to be measured makes each of them wait for the memory that the one before touches.
 */
typedef struct {
    uint32_t which;
    uint32_t how;
} choice;

static inline choice* draw_choices(int count, uint32_t which, uint32_t how) {
    choice* choices = malloc((size_t)count * sizeof(*choices));
    MUST(choices != NULL);
    for (int i = 0; i < count; i++)
        choices[i] = (choice){next_random() % which, next_random() % how};
    return choices;
}

/* detail distinguishes the rows of one case and may be empty. */
static inline void report(const bench_case* c, const char* detail, const char* unit, double value,
                          const char* better) {
    printf("%s%s%s\t%s\t%.9g\t%s\n", c->name, *detail ? " " : "", detail, unit, value, better);
    fflush(stdout);
}

static inline int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static inline void report_latency(const bench_case* c, double* samples, size_t count) {
    qsort(samples, count, sizeof(*samples), compare_doubles);
    report(c, "median", "us", samples[count / 2] * 1e6, "lower");
    report(c, "p99", "us", samples[count * 99 / 100] * 1e6, "lower");
}

/*
 * Two parties that wake each other run either on one processor or on two, as the scheduler likes,
 * and that changes the result more than the library does. So they get fixed places: side 0 is the
 * first processor, side 1 all the others.
 */
static cpu_set_t processors; /* as the program found them: threads inherit what take_side sets */

static inline void take_side(int side) {
    cpu_set_t mine = processors;
    int first = 0;
    if (CPU_COUNT(&processors) < 2)
        return;
    while (!CPU_ISSET(first, &processors))
        first++;
    if (side == 0) {
        CPU_ZERO(&mine);
        CPU_SET(first, &mine);
    } else {
        CPU_CLR(first, &mine);
    }
    sched_setaffinity(0, sizeof(mine), &mine);
}

static inline void watch(int epoll, int fd, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    MUST(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
}

static inline size_t resident_bytes(void) {
    long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    MUST(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static inline int print_library(void) {
    char line[4352], *path;
    FILE* maps = fopen("/proc/self/maps", "r");
    MUST(maps != NULL);
    while (fgets(line, sizeof(line), maps)) {
        path = strchr(line, '/');
        if (path != NULL && strstr(path, "/libuv.so") != NULL) {
            printf("%s\t%s", uv_version_string(), path);
            fclose(maps);
            return 0;
        }
    }
    fclose(maps);
    return 1;
}

static inline int list_cases(const bench_case* cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        printf("%s", cases[i].name);
        if (cases[i].limit != NULL)
            printf("\tlimit");
        if (cases[i].rounds > 0)
            printf("\trounds=%d", cases[i].rounds);
        printf("\n");
    }
    return 0;
}

static inline int bench_main(int argc, char** argv, const bench_case* cases, size_t count) {
    struct rlimit files;
    alarm(BENCH_SECONDS_AT_MOST);
    sched_getaffinity(0, sizeof(processors), &processors);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list_cases(cases, count);
    if (argc == 2 && strcmp(argv[1], "--library") == 0)
        return print_library();
    for (size_t i = 0; argc >= 2 && i < count; i++) {
        if (strcmp(cases[i].name, argv[1]) == 0) {
            (argc == 3 && cases[i].limit != NULL ? cases[i].limit : cases[i].run)(&cases[i]);
            _exit(0); /* threads of a case may still wait for something */
        }
    }
    fprintf(stderr, "usage: %s --list | --library | CASE [limit]\n", argv[0]);
    return 2;
}

#endif
