/* Starting processes, one after the other: /bin/true. */
#include "common.h"

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

static void spawn_next(void) {
    static char* arguments[] = {(char*)"/bin/true", NULL};
    uv_process_options_t options = {
        .exit_cb = exited, .file = arguments[0], .args = arguments, .flags = 0};
    MUST(uv_spawn(&loop, &process, &options) == 0);
}

/* count: MiB that the parent has touched. Small pages, so that every machine copies as many. */
static void spawn(const bench_case* c) {
    size_t bytes = (size_t)c->count << 20;
    if (bytes > 0) {
        char* memory =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MUST(memory != MAP_FAILED);
        madvise(memory, bytes, MADV_NOHUGEPAGE);
        memset(memory, 1, bytes);
    }
    MUST(uv_loop_init(&loop) == 0);
    double start = wall_seconds();
    end = start + BENCH_WINDOW;
    spawn_next();
    uv_run(&loop, UV_RUN_DEFAULT);
    report(c, "", "spawns/s", (double)spawned / (wall_seconds() - start), "higher");
}

static const bench_case cases[] = {
    {"spawn-small", spawn, NULL, 0, 0, NULL},
    {"spawn-1GiB", spawn, NULL, 1024, 0, NULL},
};
BENCH_MAIN(cases)
