/*
 * cost FILE: what recording costs. An idle loop turns in bursts that fit into the recorder's
 * buffer, with pauses in which it is written out; first without recording, then with. Prints one
 * number per line: iterations recorded; ns of an iteration without and with recording, in the
 * median of the bursts; ns of CPU time of the whole process, the writing thread included, per
 * recorded iteration.
 */

#include <phasor.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uv.h>

enum { BURSTS = 21, TURNS = 2500, PAUSE_MS = 150 };

static int left;

static double ns_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void on_idle(uv_idle_t* idle) {
    if (--left == 0)
        uv_stop(idle->loop);
}

static int compare(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* ns per iteration in the median; `cpu` gets the CPU time of all of them together. */
static double turn_in_bursts(uv_loop_t* loop, double* cpu) {
    double times[BURSTS];
    double before = ns_of(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < BURSTS; i++) {
        left = TURNS;
        double begin = ns_of(CLOCK_MONOTONIC);
        uv_run(loop, UV_RUN_DEFAULT);
        times[i] = (ns_of(CLOCK_MONOTONIC) - begin) / TURNS;
        uv_sleep(PAUSE_MS);
    }
    *cpu = ns_of(CLOCK_PROCESS_CPUTIME_ID) - before;
    qsort(times, BURSTS, sizeof(times[0]), compare);
    return times[BURSTS / 2];
}

int main(int argc, char** argv) {
    uv_loop_t* loop = uv_default_loop();
    uv_idle_t idle;
    double cpu_off, cpu_on;
    uv_idle_init(loop, &idle);
    uv_idle_start(&idle, on_idle);
    double off = turn_in_bursts(loop, &cpu_off);
    if (argc != 2 || phasor_trace_start(argv[1]) != 0)
        return 1;
    double on = turn_in_bursts(loop, &cpu_on);
    phasor_trace_stop();
    printf("%d\n%f\n%f\n%f\n", BURSTS * TURNS, off, on,
           (cpu_on - cpu_off) / (BURSTS * (double)TURNS));
    return 0;
}
