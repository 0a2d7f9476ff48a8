/* Starting processes, one after the other: /bin/true. */
#include "common.h"

#include <spawn.h>

static uv_loop_t loop;
static uv_process_t process;
static long spawned;
static double end;

static void spawn_next(void);

static void closed(uv_handle_t* handle) {
    (void)handle;
    spawned++;
    if (wall_seconds() < end)
        spawn_next();
}

static void exited(uv_process_t* p, int64_t status, int signal) {
    MUST(status == 0 && signal == 0);
    uv_close((uv_handle_t*)p, closed);
}

static char* arguments[] = {(char*)"/bin/true", NULL};

static void spawn_next(void) {
    uv_process_options_t options = {
        .exit_cb = exited, .file = arguments[0], .args = arguments, .flags = 0};
    MUST(uv_spawn(&loop, &process, &options) == 0);
}

/* MiB that the parent has touched. Small pages, so that every machine copies as many. */
static void touch_memory(int megabytes) {
    size_t bytes = (size_t)megabytes << 20;
    if (bytes == 0)
        return;
    char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(memory != MAP_FAILED);
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    memset(memory, 1, bytes);
}

/* No loop: the C library's spawn, and a wait that blocks. */
static void spawn_by_hand(const bench_case* c) {
    touch_memory(c->count);
    double start = wall_seconds();
    for (end = start + BENCH_WINDOW; wall_seconds() < end; spawned++) {
        pid_t pid;
        int status;
        MUST(posix_spawn(&pid, arguments[0], NULL, NULL, arguments, environ) == 0);
        MUST(waitpid(pid, &status, 0) == pid && status == 0);
    }
    report(c, "", "spawns/s", (double)spawned / (wall_seconds() - start), "higher");
}

/* count: see touch_memory. */
static void spawn(const bench_case* c) {
    touch_memory(c->count);
    MUST(uv_loop_init(&loop) == 0);
    double start = wall_seconds();
    end = start + BENCH_WINDOW;
    spawn_next();
    uv_run(&loop, UV_RUN_DEFAULT);
    report(c, "", "spawns/s", (double)spawned / (wall_seconds() - start), "higher");
}

static const bench_case cases[] = {
    {"spawn-small", spawn, spawn_by_hand, 0, 0, NULL},
    {"spawn-1GiB", spawn, spawn_by_hand, 1024, 0, NULL},
};
BENCH_MAIN(cases)
