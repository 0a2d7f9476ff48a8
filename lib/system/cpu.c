/* Processors: how many to use, and what they are and have done. */

#include <ctype.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "system/cgroup.h"
#include "system/procfile.h"
#include "uv.h"

unsigned int uv_available_parallelism(void) {
    cpu_set_t set;
    long count;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        count = CPU_COUNT(&set);
    else
        count = sysconf(_SC_NPROCESSORS_ONLN);
    double quota = ph_cgroup_cpus("");
    if (quota > 0 && quota < (double)count)
        count = (long)quota;
    return count < 1 ? 1 : (unsigned int)count;
}

/* Stands behind the uv_cpu_info_t array, in the same block: one for each processor. */
struct detail {
    unsigned int number;
    char model[124];
};

static struct detail* details_of(uv_cpu_info_t* infos, int count) {
    return (struct detail*)(infos + count);
}

/* Lines "cpu0 user nice system idle iowait irq ...", in ticks, only of processors that are on. The
 * line "cpu ..." before them is their sum. */
static bool is_cpu_line(const char* line, unsigned int* number, int* end) {
    return strncmp(line, "cpu", 3) == 0 && isdigit((unsigned char)line[3]) &&
           sscanf(line, "cpu%u%n", number, end) == 1;
}

static int count_cpus(FILE* stat) {
    char line[256];
    unsigned int number;
    int count = 0, end;
    while (fgets(line, sizeof(line), stat) != NULL)
        count += is_cpu_line(line, &number, &end);
    return count;
}

/* Returns how many there were: fewer than `count` if some went off meanwhile. */
static int read_times(FILE* stat, uv_cpu_info_t* infos, struct detail* details, int count) {
    uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
    char line[256];
    int i = 0, end;
    while (i < count && fgets(line, sizeof(line), stat) != NULL) {
        uint64_t user, nice, sys, idle, iowait, irq;
        if (!is_cpu_line(line, &details[i].number, &end) ||
            sscanf(line + end, "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64,
                   &user, &nice, &sys, &idle, &iowait, &irq) != 6)
            continue;
        struct uv_cpu_times_s* times = &infos[i].cpu_times;
        times->user = user * 1000 / ticks;
        times->nice = nice * 1000 / ticks;
        times->sys = sys * 1000 / ticks;
        times->idle = idle * 1000 / ticks;
        times->irq = irq * 1000 / ticks;
        i++;
    }
    return i;
}

/* /proc/cpuinfo has a paragraph for each processor, in the order of /proc/stat. */
static void read_models(uv_cpu_info_t* infos, struct detail* details, int count) {
    char line[1024];
    int i = -1;
    FILE* file = fopen("/proc/cpuinfo", "re");
    if (file == NULL)
        return;
    while (fgets(line, sizeof(line), file) != NULL) {
        unsigned int number;
        double mhz;
        if (sscanf(line, "processor : %u", &number) == 1) {
            for (i = i < 0 ? 0 : i; i < count && details[i].number < number; i++)
                ;
        } else if (i >= 0 && i < count) {
            if (sscanf(line, "cpu MHz : %lf", &mhz) == 1)
                infos[i].speed = (int)mhz;
            else
                sscanf(line, "model name : %123[^\n]", details[i].model);
        }
    }
    fclose(file);
}

/* In MHz, where the kernel steers the frequency: more recent than what /proc/cpuinfo says. */
static void read_frequencies(uv_cpu_info_t* infos, const struct detail* details, int count) {
    for (int i = 0; i < count; i++) {
        char path[96], text[32];
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq",
                 details[i].number);
        if (ph_procfile_read(path, text, sizeof(text)) <= 0)
            continue;
        long khz = strtol(text, NULL, 10);
        if (khz > 0)
            infos[i].speed = (int)(khz / 1000);
    }
}

int uv_cpu_info(uv_cpu_info_t** cpu_infos, int* count) {
    *cpu_infos = NULL;
    *count = 0;
    FILE* stat = fopen("/proc/stat", "re");
    if (stat == NULL)
        return ph_errno();
    int capacity = count_cpus(stat);
    if (capacity == 0) {
        fclose(stat);
        return UV_EIO;
    }
    uv_cpu_info_t* infos =
        ph_calloc((size_t)capacity, sizeof(uv_cpu_info_t) + sizeof(struct detail));
    if (infos == NULL) {
        fclose(stat);
        return UV_ENOMEM;
    }
    struct detail* details = details_of(infos, capacity);
    rewind(stat);
    int found = read_times(stat, infos, details, capacity);
    fclose(stat);
    read_models(infos, details, found);
    read_frequencies(infos, details, found);
    for (int i = 0; i < found; i++) {
        if (details[i].model[0] == '\0')
            strcpy(details[i].model, "unknown");
        infos[i].model = details[i].model;
    }
    *cpu_infos = infos;
    *count = found;
    return 0;
}

void uv_free_cpu_info(uv_cpu_info_t* cpu_infos, int count) {
    (void)count;
    ph_free(cpu_infos);
}
