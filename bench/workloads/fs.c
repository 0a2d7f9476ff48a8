/* File operations with a number of them in flight, each slot on a file of its own. */
#include "common.h"

enum { SLOTS_AT_MOST = 64, SIZE = 4096, ENTRIES = 10000, SCANS = 20, ENTRIES_AT_ONCE = 256 };

typedef struct {
    uv_fs_t request;
    char path[32];
    uv_file file;
    char data[SIZE];
    _Alignas(64) int is_done; /* by hand: whose turn it is */
} slot;

static uv_loop_t loop;
static slot slots[SLOTS_AT_MOST];
static long done;
static double end;
static int finished;
static char folder[4096];

/* The working directory becomes a fresh folder, which leave_folder removes. */
static void enter_folder(void) {
    const char* parent = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/bench-XXXXXX", parent ? parent : "/tmp");
    MUST(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave_folder(void) {
    DIR* dir = opendir(".");
    struct dirent* entry;
    MUST(dir != NULL);
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            unlink(entry->d_name);
    closedir(dir);
    MUST(rmdir(folder) == 0);
}

static int create_file(const char* path, size_t size) {
    static const char zeros[SIZE];
    int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    MUST(fd >= 0 && write(fd, zeros, size) == (ssize_t)size);
    return fd;
}

static int one_more(uv_fs_t* request) {
    MUST(request->result >= 0);
    uv_fs_req_cleanup(request);
    if (++done % 64 == 0 && wall_seconds() >= end)
        finished = 1;
    return !finished;
}

static void next_stat(uv_fs_t* request) {
    slot* s = (slot*)request;
    if (one_more(request))
        MUST(uv_fs_stat(&loop, request, s->path, next_stat) == 0);
}

static void next_write(uv_fs_t* request) {
    slot* s = (slot*)request;
    uv_buf_t buf = uv_buf_init(s->data, 64);
    if (one_more(request))
        MUST(uv_fs_write(&loop, request, s->file, &buf, 1, 0, next_write) == 0);
}

static void open_again(uv_fs_t* request);

static void after_read(uv_fs_t* request) {
    slot* s = (slot*)request;
    MUST(request->result == SIZE);
    uv_fs_req_cleanup(request);
    MUST(uv_fs_close(&loop, request, s->file, open_again) == 0);
}

static void after_open(uv_fs_t* request) {
    slot* s = (slot*)request;
    uv_buf_t buf = uv_buf_init(s->data, SIZE);
    MUST((s->file = (uv_file)request->result) >= 0);
    uv_fs_req_cleanup(request);
    MUST(uv_fs_read(&loop, request, s->file, &buf, 1, 0, after_read) == 0);
}

static void open_again(uv_fs_t* request) {
    slot* s = (slot*)request;
    if (one_more(request))
        MUST(uv_fs_open(&loop, request, s->path, O_RDONLY, 0, after_open) == 0);
}

/* The same operations by hand. */

static void stat_by_hand(slot* s) {
    struct statx found;
    MUST(statx(AT_FDCWD, s->path, 0, STATX_BASIC_STATS | STATX_BTIME, &found) == 0);
}

static void read_by_hand(slot* s) {
    int fd = open(s->path, O_RDONLY | O_CLOEXEC);
    MUST(fd >= 0 && pread(fd, s->data, SIZE, 0) == SIZE && close(fd) == 0);
}

static void write_by_hand(slot* s) {
    MUST(pwrite(s->file, s->data, 64, 0) == 64);
}

typedef struct {
    uv_fs_cb next; /* takes the request of a finished operation and starts another */
    void (*by_hand)(slot* s);
    const char *unit, *cpu_unit;
} operation;

static const operation stat_files = {next_stat, stat_by_hand, "stats/s", "us/stat"};
static const operation read_files = {open_again, read_by_hand, "files/s", "us/file"};
static const operation write_files = {next_write, write_by_hand, "writes/s", "us/write"};

static void create_slot(int i) {
    snprintf(slots[i].path, sizeof(slots[i].path), "file-%d", i);
    slots[i].file = create_file(slots[i].path, SIZE);
}

static void report_operations(const bench_case* c, double start, double cpu) {
    const operation* op = c->how;
    report(c, "", op->unit, (double)done / (wall_seconds() - start), "higher");
    report(c, "cpu", op->cpu_unit, (cpu_seconds() - cpu) / (double)done * 1e6, "lower");
}

static void operate(const bench_case* c) {
    const operation* op = c->how;
    enter_folder();
    MUST(uv_loop_init(&loop) == 0);
    double start = wall_seconds(), cpu = cpu_seconds();
    end = start + BENCH_WINDOW;
    for (int i = 0; i < c->count; i++) {
        create_slot(i);
        slots[i].request.result = 0;
        op->next(&slots[i].request);
    }
    done = 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    report_operations(c, start, cpu);
    leave_folder();
}

/*
 * One thread takes the results, as a loop does; each other processor has a thread that makes the
 * system calls of its own slots. Handing a slot over is one store. With many slots there is one
 * more such thread, on the processor of the first, and these two let each other run.
 */
enum { MANY = 32, TURN = 16 };

typedef struct {
    const bench_case* c;
    int first, step;
    int side;
} hand;

static void* work_by_hand(void* arg) {
    const hand* h = arg;
    const operation* op = h->c->how;
    take_side(h->side);
    while (!__atomic_load_n(&finished, __ATOMIC_RELAXED)) {
        int made = 0;
        for (int i = h->first; i < h->c->count; i += h->step) {
            if (__atomic_load_n(&slots[i].is_done, __ATOMIC_ACQUIRE))
                continue;
            op->by_hand(&slots[i]);
            __atomic_store_n(&slots[i].is_done, 1, __ATOMIC_RELEASE);
            if (h->side == 0 && ++made % TURN == 0)
                sched_yield();
        }
        if (h->side == 0)
            sched_yield();
    }
    return NULL;
}

static void take_results(int count) {
    while (wall_seconds() < end) {
        for (int i = 0; i < count; i++) {
            if (!__atomic_load_n(&slots[i].is_done, __ATOMIC_ACQUIRE))
                continue;
            done++;
            __atomic_store_n(&slots[i].is_done, 0, __ATOMIC_RELEASE);
        }
        if (count >= MANY)
            sched_yield();
    }
    __atomic_store_n(&finished, 1, __ATOMIC_RELAXED);
}

static void operate_by_hand(const bench_case* c) {
    pthread_t threads[SLOTS_AT_MOST];
    hand hands[SLOTS_AT_MOST];
    int others = CPU_COUNT(&processors) > 2 ? CPU_COUNT(&processors) - 1 : 1;
    int count = c->count >= MANY ? others + 1 : others < c->count ? others : c->count;
    take_side(0);
    enter_folder();
    for (int i = 0; i < c->count; i++)
        create_slot(i);
    double start = wall_seconds(), cpu = cpu_seconds();
    end = start + BENCH_WINDOW;
    for (int i = 0; i < count; i++) {
        hands[i] = (hand){c, i, count, i < others};
        MUST(pthread_create(&threads[i], NULL, work_by_hand, &hands[i]) == 0);
    }
    take_results(c->count);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    report_operations(c, start, cpu);
    leave_folder();
}

static void create_entries(void) {
    char name[32];
    enter_folder();
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(name, sizeof(name), "entry-%d", i);
        close(create_file(name, 0));
    }
}

static void scanned(uv_fs_t* request) {
    uv_dirent_t entry;
    int count = 0;
    while (uv_fs_scandir_next(request, &entry) != UV_EOF)
        count++;
    MUST(count == ENTRIES);
    uv_fs_req_cleanup(request);
    if (++done < SCANS)
        MUST(uv_fs_scandir(&loop, request, ".", 0, scanned) == 0);
}

static void scan(const bench_case* c) {
    create_entries();
    MUST(uv_loop_init(&loop) == 0);
    double start = wall_seconds();
    MUST(uv_fs_scandir(&loop, &slots[0].request, ".", 0, scanned) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    report(c, "", "ms/folder", (wall_seconds() - start) / SCANS * 1e3, "lower");
    leave_folder();
}

static void directory_opened(uv_fs_t* request);

static void directory_closed(uv_fs_t* request) {
    uv_fs_req_cleanup(request);
    if (++done < SCANS)
        MUST(uv_fs_opendir(&loop, request, ".", directory_opened) == 0);
}

static void entries_read(uv_fs_t* request) {
    static long count;
    uv_dir_t* dir = request->ptr;
    long found = request->result;
    MUST(found >= 0);
    uv_fs_req_cleanup(request);
    count += found;
    if (found > 0) {
        MUST(uv_fs_readdir(&loop, request, dir, entries_read) == 0);
    } else {
        MUST(count == (done + 1) * ENTRIES);
        MUST(uv_fs_closedir(&loop, request, dir, directory_closed) == 0);
    }
}

static void directory_opened(uv_fs_t* request) {
    static uv_dirent_t entries[ENTRIES_AT_ONCE];
    uv_dir_t* dir = request->ptr;
    MUST(request->result == 0);
    uv_fs_req_cleanup(request);
    dir->dirents = entries;
    dir->nentries = ENTRIES_AT_ONCE;
    MUST(uv_fs_readdir(&loop, request, dir, entries_read) == 0);
}

static void read_directory(const bench_case* c) {
    create_entries();
    MUST(uv_loop_init(&loop) == 0);
    double start = wall_seconds();
    MUST(uv_fs_opendir(&loop, &slots[0].request, ".", directory_opened) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    report(c, "", "ms/folder", (wall_seconds() - start) / SCANS * 1e3, "lower");
    leave_folder();
}

/* Reads the entries, and neither sorts nor keeps them. */
static void scan_by_hand(const bench_case* c) {
    create_entries();
    double start = wall_seconds();
    for (int i = 0; i < SCANS; i++) {
        int count = 0;
        DIR* dir = opendir(".");
        MUST(dir != NULL);
        for (struct dirent* entry; (entry = readdir(dir)) != NULL; count++)
            continue;
        MUST(count == ENTRIES + 2 && closedir(dir) == 0);
    }
    report(c, "", "ms/folder", (wall_seconds() - start) / SCANS * 1e3, "lower");
    leave_folder();
}

static const bench_case cases[] = {
    {"fs-stat-1", operate, operate_by_hand, 1, 0, &stat_files},
    {"fs-stat-8", operate, operate_by_hand, 8, 0, &stat_files},
    {"fs-stat-64", operate, operate_by_hand, 64, 0, &stat_files},
    {"fs-read-1", operate, operate_by_hand, 1, 0, &read_files},
    {"fs-read-8", operate, operate_by_hand, 8, 0, &read_files},
    {"fs-read-64", operate, operate_by_hand, 64, 0, &read_files},
    {"fs-write-1", operate, operate_by_hand, 1, 0, &write_files},
    {"fs-write-8", operate, operate_by_hand, 8, 0, &write_files},
    {"fs-write-64", operate, operate_by_hand, 64, 0, &write_files},
    {"fs-scandir-10k", scan, scan_by_hand, 1, 0, NULL},
    {"fs-readdir-10k", read_directory, scan_by_hand, 1, 0, NULL},
};
BENCH_MAIN(cases)
