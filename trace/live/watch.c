#include "live/watch.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live/watch_inside.h"
#include "read/drain.h"
#include "read/file.h"
#include "read/memory.h"

#define SEND_NS 10000000000ull
/* A stall that goes on is kept when it has lasted so long, in case that it never ends. */
#define ENDLESS_NS 2000000000ull

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t watch_clock(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t watch_wall_clock(void) {
    return read_clock(CLOCK_REALTIME);
}

/* Files */

static bool is_followed(const struct watch* watch, const char* path) {
    for (size_t i = 0; i < watch->count; i++)
        if (strcmp(watch->all[i]->path, path) == 0)
            return true;
    return false;
}

/* The file is one of those, of the process, that are read once: follow.context is the watch's. */
struct listener {
    struct watch* watch;
    struct watched* watched;
};

static void on_stall(void* context, const struct stall* stall) {
    struct listener* listener = context;
    struct watch* watch = listener->watch;
    const struct ph_trace_header* header = &listener->watched->follow.header;
    struct kept* next = &watch->next;
    /* The end of one that was kept before it had ended takes its place. */
    bool again = stall->from == watch->last_from;
    if (!again && next->lag >= stall->lag)
        return;
    *next = (struct kept){.pid = header->pid,
                          .from = stall->from,
                          .to = stall->to,
                          .lag = stall->lag,
                          .wall = header->wall_clock + (stall->from - header->clock),
                          .goes_on = stall->goes_on};
    snprintf(next->path, sizeof(next->path), "%s", listener->watched->path);
    snprintf(next->loop, sizeof(next->loop), "%s", stall->loop->name);
}

static void follow_file(struct watch* watch, const char* path) {
    const struct watch_options* options = watch->options;
    uint64_t endless = options->limit > ENDLESS_NS ? options->limit : ENDLESS_NS;
    struct watched watched;
    if (strlen(path) >= sizeof(watched.path) || is_followed(watch, path) ||
        !follow_open(&watched.follow, path, options->limit, endless))
        return;
    strcpy(watched.path, path); /* NOLINT: there is room for it */
    struct trace_file file;
    char error[4400];
    watched.program = watched.command = NULL;
    if (trace_file_open(&file, path, UINT64_MAX, error, sizeof(error))) {
        watched.program = trace_file_info(&file, "executable");
        watched.command = trace_file_command(&file);
        trace_file_close(&file);
    }
    struct watched* kept = must(malloc(sizeof(*kept)));
    *kept = watched;
    kept->follow.on_stall = on_stall;
    *APPEND(watch->all, watch->count) = kept;
}

/* The program's own, and those of its children. */
static void find_files(struct watch* watch) {
    char pattern[PATH_MAX + 16];
    glob_t found;
    follow_file(watch, watch->recording);
    snprintf(pattern, sizeof(pattern), "%s.[0-9]*", watch->recording);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            follow_file(watch, found.gl_pathv[i]);
        globfree(&found);
    }
}

static void forget(struct watched* watched) {
    follow_close(&watched->follow);
    free(watched->program);
    free(watched->command);
    free(watched);
}

/* A child that has ended: its ring is needed no more, once nothing of it is waiting to be kept. */
static void forget_ended(struct watch* watch) {
    size_t left = 0;
    for (size_t i = 0; i < watch->count; i++) {
        struct watched* watched = watch->all[i];
        bool gone = kill((pid_t)watched->follow.header.pid, 0) != 0 && errno == ESRCH;
        if (!gone || watch->next.lag != 0 || watch->writer != 0 ||
            strcmp(watched->path, watch->recording) == 0) {
            watch->all[left++] = watched;
            continue;
        }
        unlink(watched->path);
        forget(watched);
    }
    watch->count = left;
}

static void read_all(struct watch* watch) {
    for (size_t i = 0; i < watch->count; i++) {
        struct listener listener = {watch, watch->all[i]};
        watch->all[i]->follow.context = &listener;
        follow_read(&watch->all[i]->follow);
    }
}

/* Children of this process */

static pid_t in_child(const struct watch* watch, void (*run)(const struct watch* watch)) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0)
        return pid > 0 ? pid : 0;
    /* What the terminal sends is for the program; this is over soon. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    run(watch);
    fflush(NULL);
    _exit(0);
}

static void keep_next(const struct watch* watch) {
    watch_keep(watch->options, &watch->next);
}

static void keep_if_allowed(struct watch* watch, bool at_once) {
    uint64_t now = watch_clock();
    bool again = watch->next.from == watch->last_from;
    if (watch->next.lag == 0 || watch->writer != 0)
        return;
    if (!at_once && !again && watch->last_kept != 0 &&
        now - watch->last_kept < watch->options->pause)
        return;
    watch->writer = in_child(watch, keep_next);
    watch->moments += !again;
    watch->last_from = watch->next.from;
    watch->last_kept = now;
    watch->next.lag = 0;
}

static void send_if_due(struct watch* watch) {
    uint64_t now = watch_clock();
    if (watch->options->otlp == NULL || watch->sender != 0 || now - watch->last_sent < SEND_NS)
        return;
    watch->last_sent = now;
    watch->sender = in_child(watch, watch_send_metrics);
}

void watch_child_ended(struct watch* watch, pid_t pid) {
    if (pid == watch->writer)
        watch->writer = 0;
    if (pid == watch->sender)
        watch->sender = 0;
}

/* From outside */

struct watch* watch_open(const struct watch_options* options, const char* recording) {
    struct watch* watch = must(calloc(1, sizeof(*watch)));
    watch->options = options;
    watch->began = watch_wall_clock();
    watch->last_sent = watch_clock();
    snprintf(watch->recording, sizeof(watch->recording), "%s", recording);
    return watch;
}

void watch_look(struct watch* watch) {
    find_files(watch);
    read_all(watch);
    keep_if_allowed(watch, false);
    send_if_due(watch);
    forget_ended(watch);
}

bool watch_has_seen(const struct watch* watch) {
    return watch->count > 0;
}

static void wait_for(pid_t* child) {
    while (*child != 0 && waitpid(*child, NULL, 0) == -1 && errno == EINTR)
        continue;
    *child = 0;
}

void watch_close(struct watch* watch) {
    find_files(watch);
    for (size_t i = 0; i < watch->count; i++) {
        trace_drain(watch->all[i]->path, NULL);
        watch->all[i]->follow.told_limit = watch->options->limit;
    }
    read_all(watch);
    wait_for(&watch->writer);
    keep_if_allowed(watch, true);
    if (watch->options->otlp != NULL) {
        wait_for(&watch->sender);
        watch->sender = in_child(watch, watch_send_metrics);
    }
    wait_for(&watch->writer);
    wait_for(&watch->sender);
    for (size_t i = 0; i < watch->count; i++)
        forget(watch->all[i]);
    free(watch->all);
    free(watch);
}
