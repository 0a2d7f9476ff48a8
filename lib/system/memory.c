/* Memory: the machine's, what this process may have, and what it has. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "system/cgroup.h"
#include "system/procfile.h"
#include "uv.h"

/* A line of /proc/meminfo, in bytes, or 0. */
static uint64_t meminfo(const char* name) {
    char text[4096];
    uint64_t kilobytes;
    if (ph_procfile_read("/proc/meminfo", text, sizeof(text)) <= 0)
        return 0;
    const char* line = strstr(text, name);
    if (line == NULL || sscanf(line + strlen(name), "%" SCNu64 " kB", &kilobytes) != 1)
        return 0;
    return kilobytes * 1024;
}

/* What could be had without swapping: more than the pages that happen to lie idle. */
uint64_t uv_get_free_memory(void) {
    struct sysinfo info;
    uint64_t bytes = meminfo("MemAvailable:");
    if (bytes == 0 && sysinfo(&info) == 0)
        bytes = (uint64_t)info.freeram * info.mem_unit;
    return bytes;
}

uint64_t uv_get_total_memory(void) {
    struct sysinfo info;
    uint64_t bytes = meminfo("MemTotal:");
    if (bytes == 0 && sysinfo(&info) == 0)
        bytes = (uint64_t)info.totalram * info.mem_unit;
    return bytes;
}

/* 0 if unknown, UINT64_MAX if there are control groups but none sets a limit. */
uint64_t uv_get_constrained_memory(void) {
    return ph_cgroup_memory("").limit;
}

uint64_t uv_get_available_memory(void) {
    uint64_t left = ph_cgroup_memory("").left;
    uint64_t free_memory = uv_get_free_memory();
    return left < free_memory ? left : free_memory;
}

int uv_resident_set_memory(size_t* rss) {
    char text[256];
    size_t pages;
    if (rss == NULL)
        return UV_EINVAL;
    ssize_t n = ph_procfile_read("/proc/self/statm", text, sizeof(text));
    if (n < 0)
        return (int)n;
    if (sscanf(text, "%*s %zu", &pages) != 1)
        return UV_EINVAL;
    *rss = pages * (size_t)sysconf(_SC_PAGESIZE);
    return 0;
}
