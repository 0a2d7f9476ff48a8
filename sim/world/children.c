#include "world/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/real.h"
#include "world/world.h"

enum { MOST = 256, PATIENCE_MS = 2000, TEXT_ROOM = 4096 };

/* Of this process, by host; a number that was used again is none of ours, see is_child_of. */
static struct {
    int pid;
    int host;
} made[MOST];
static unsigned made_count;

void ph_children_made(int child, int host) {
    ph_process_here()->has_forked = true;
    made[made_count % MOST].pid = child;
    made[made_count++ % MOST].host = host;
}

static ssize_t read_text(const char* path, char* text, size_t room) {
    int fd = ph_raw_open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return -1;
    ssize_t size = ph_raw_read(fd, text, room - 1);
    __real_close(fd);
    text[size > 0 ? size : 0] = '\0';
    return size;
}

static bool is_child_of(int child, int parent) {
    char path[48];
    char text[512];
    snprintf(path, sizeof(path), "/proc/%d/stat", child);
    const char* after_name = read_text(path, text, sizeof(text)) > 0 ? strrchr(text, ')') : NULL;
    return after_name != NULL && strlen(after_name) > 4 && atoi(after_name + 4) == parent;
}

static void wait_for_end(int pid) {
    int fd = (int)ph_raw_call(SYS_pidfd_open, pid, 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    if (fd == -1)
        return;
    struct timespec limit = {.tv_sec = PATIENCE_MS / 1000};
    ph_raw_call(SYS_ppoll, &end, 1, &limit, NULL, 0);
    __real_close(fd);
}

/* Stopped before its children are looked for, so that it makes no more meanwhile. */
static void end_tree(int pid) {
    ph_raw_kill(pid, SIGSTOP);
    ph_children_end(pid, -1);
    ph_raw_kill(pid, SIGKILL);
    wait_for_end(pid);
}

static bool is_chosen(int child, int host) {
    for (unsigned i = 0; i < made_count && i < MOST; i++)
        if (made[i].pid == child)
            return host < 0 || made[i].host == host;
    return host < 0;
}

static void end_children_of_thread(int pid, const char* thread, int host) {
    char path[64];
    char text[TEXT_ROOM];
    snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", pid, thread);
    if (read_text(path, text, sizeof(text)) <= 0)
        return;
    char* rest;
    for (char* word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        int child = atoi(word);
        if (child > 1 && is_chosen(child, host) && is_child_of(child, pid))
            end_tree(child);
    }
}

/* A child of a child that has ended has another parent now, but still the environment in which its
 * host was started. */
static void end_orphans(int pid) {
    char path[48];
    static char text[64 * 1024];
    DIR* folder = opendir("/proc");
    const struct dirent* entry;
    while (folder != NULL && (entry = ph_raw_readdir(folder)) != NULL) {
        int other = atoi(entry->d_name);
        snprintf(path, sizeof(path), "/proc/%.16s/environ", entry->d_name);
        ssize_t size = other > 1 && other != pid ? read_text(path, text, sizeof(text)) : 0;
        for (ssize_t at = 0; at < size; at += (ssize_t)strlen(text + at) + 1)
            if (strncmp(text + at, "PHASOR_SIM=", 11) == 0 && atoi(text + at + 11) == pid)
                end_tree(other);
    }
    if (folder != NULL)
        ph_raw_closedir(folder);
}

void ph_children_end(int pid, int host) {
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    DIR* folder = opendir(path);
    const struct dirent* entry;
    while (folder != NULL && (entry = ph_raw_readdir(folder)) != NULL)
        if (atoi(entry->d_name) > 0)
            end_children_of_thread(pid, entry->d_name, host);
    if (folder != NULL)
        ph_raw_closedir(folder);
}

void ph_process_end(const struct ph_process* process) {
    int pid = process->pid;
    if (pid == ph_raw_pid())
        ph_children_end(pid, -1);
    else
        end_tree(pid);
    if (process->has_forked)
        end_orphans(pid);
    if (pid != ph_raw_pid())
        return;
    ph_raw_kill(pid, SIGKILL); /* the world's lock is taken over by the next who asks for it */
    for (;;)
        pause();
}

static bool has_live_child(int pid, const char* thread) {
    char path[64];
    char text[TEXT_ROOM];
    char state[512];
    snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", pid, thread);
    if (read_text(path, text, sizeof(text)) <= 0)
        return false;
    char* rest;
    for (char* word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        snprintf(path, sizeof(path), "/proc/%.16s/stat", word);
        const char* after = read_text(path, state, sizeof(state)) > 0 ? strrchr(state, ')') : NULL;
        if (after != NULL && strncmp(after, ") Z", 3) != 0)
            return true;
    }
    return false;
}

bool ph_children_live(const struct ph_process* process) {
    char path[32];
    bool found = false;
    if (!process->has_forked)
        return false;
    snprintf(path, sizeof(path), "/proc/%d/task", process->pid);
    DIR* folder = opendir(path);
    const struct dirent* entry;
    while (folder != NULL && !found && (entry = ph_raw_readdir(folder)) != NULL)
        found = atoi(entry->d_name) > 0 && has_live_child(process->pid, entry->d_name);
    if (folder != NULL)
        ph_raw_closedir(folder);
    return found;
}
