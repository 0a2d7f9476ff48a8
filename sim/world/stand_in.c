/*
 * Files of the system that tell how the machine is, another in every run: programs of the world get
 * files that are always the same, and chance from the seed.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/machine.h"
#include "world/raw.h"
#include "world/times.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

enum { CHANCE_ROOM = 64 * 1024, TEXT_ROOM = 512 };

static int hold(const void* bytes, size_t size) {
    int fd = memfd_create("stand-in", MFD_CLOEXEC);
    if (fd == -1)
        return -1;
    if (ph_raw_pwrite(fd, bytes, size, 0) == (ssize_t)size)
        return fd;
    ph_raw_close(fd);
    return -1;
}

static int hold_chance(void) {
    uint64_t* drawn = malloc(CHANCE_ROOM);
    if (drawn == NULL)
        return -1;
    ph_world_lock();
    for (size_t i = 0; i < CHANCE_ROOM / sizeof(*drawn); i++)
        drawn[i] = ph_draw(PH_CHANCE_BYTES);
    ph_world_unlock();
    int fd = hold(drawn, CHANCE_ROOM);
    free(drawn);
    return fd;
}

static int hold_uuid(void) {
    char text[64];
    ph_world_lock();
    uint64_t one = ph_draw(PH_CHANCE_BYTES), two = ph_draw(PH_CHANCE_BYTES);
    ph_world_unlock();
    int length = snprintf(text, sizeof(text), "%08x-%04x-4%03x-%04x-%012llx\n",
                          (unsigned)(one >> 32), (unsigned)(one >> 16 & 0xffff),
                          (unsigned)(one & 0xfff), (unsigned)(two >> 48 & 0x3fff) | 0x8000,
                          (unsigned long long)(two & 0xffffffffffff));
    return hold(text, (size_t)length);
}

/* Texts without anything that changes. */
static const struct {
    const char* path;
    const char* text;
} fixed[] = {
    {"/proc/meminfo", "MemTotal:        8388608 kB\nMemFree:         4194304 kB\n"
                      "MemAvailable:    4194304 kB\nBuffers:               0 kB\n"
                      "Cached:                0 kB\nSwapTotal:             0 kB\n"
                      "SwapFree:              0 kB\n"},
    {"/proc/loadavg", "0.00 0.00 0.00 1/100 1000\n"},
    {"/proc/self/stat",
     "1000 (program) R 1 1000 1000 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 0 163840000 16384\n"},
    {"/proc/self/statm", "40000 16384 8192 1 0 20000 0\n"},
    {"/proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n"
                   "btime 1893455000\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n"},
};

/* These tell another thing in every run, and the world has nothing in their place. */
static void name_if_it_changes(const char* path) {
    static const char* const changing[] = {
        "/proc/self/status", "/proc/self/io",   "/proc/self/sched", "/proc/self/smaps",
        "/proc/self/net/",   "/proc/net/",      "/proc/vmstat",     "/proc/interrupts",
        "/proc/diskstats",   "/proc/pressure/", "/proc/sys/fs/",    "/proc/sys/kernel/ns_last_pid",
        "/proc/zoneinfo",    "/proc/buddyinfo", "/proc/softirqs",   "/proc/schedstat",
    };
    for (size_t i = 0; i < sizeof(changing) / sizeof(changing[0]); i++)
        if (strncmp(path, changing[i], strlen(changing[i])) == 0) {
            char what[96];
            snprintf(what, sizeof(what), "the file %.80s", path);
            ph_world_lock();
            ph_leak(what, NULL);
            ph_world_unlock();
        }
}

/* A program finds itself and its threads under the numbers that it knows of them. */
static bool own_path(const char* path, char own[TEXT_ROOM]) {
    int pid, tid, task = 0, length = 0;
    if (strncmp(path, "/proc/", 6) != 0)
        return false;
    if (sscanf(path, "/proc/%d%n", &pid, &length) != 1 || pid != ph_seen_pid()) {
        if (strncmp(path, "/proc/self", 10) != 0)
            return false;
        length = 10;
    }
    const char* rest = path + length;
    bool is_thread = sscanf(rest, "/task/%d%n", &tid, &task) == 1;
    if (is_thread)
        snprintf(own, TEXT_ROOM, "/proc/self/task/%d%.400s", ph_thread_seen_as(tid), rest + task);
    else
        snprintf(own, TEXT_ROOM, "/proc/self%.400s", rest);
    return is_thread || path[6] != 's';
}

int ph_stand_in(const char* path, int flags) {
    char own[TEXT_ROOM];
    if (strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/dev/", 5) != 0)
        return -1;
    if (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0)
        return hold_chance();
    if (strcmp(path, "/proc/sys/kernel/random/uuid") == 0)
        return hold_uuid();
    if (strcmp(path, "/proc/uptime") == 0) {
        uint64_t ns = PH_BOOTED + ph_clock_of(ph_host_here(), ph_world->now);
        int length =
            snprintf(own, sizeof(own), "%llu.%02llu 0.00\n", (unsigned long long)(ns / PH_S),
                     (unsigned long long)(ns % PH_S / 10000000));
        return hold(own, (size_t)length);
    }
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        if (strcmp(fixed[i].path, path) == 0)
            return hold(fixed[i].text, strlen(fixed[i].text));
    if (own_path(path, own))
        return ph_raw_open(own, flags);
    name_if_it_changes(path);
    return -1;
}

EXPORT int access(const char* path, int mode) {
    char own[TEXT_ROOM];
    bool found = ph_world != NULL && own_path(path, own);
    return (int)ph_raw_call(SYS_faccessat, AT_FDCWD, found ? own : path, mode, 0);
}
