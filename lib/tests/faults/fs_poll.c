// wrap: statx
/* uv_fs_poll_t: which changes it tells of, and what it does without memory. */

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

int __wrap_statx(int dir, const char* path, int flags, unsigned mask, struct statx* info);

/* What a stat gives: everything is 1000 but for one field. */
static size_t changed_field;
static int stats, calls;

#define FIELD(name) offsetof(struct statx, name), sizeof(((struct statx*)0)->name)

static const struct {
    size_t offset, size;
} fields[] = {{FIELD(stx_ctime.tv_sec)},  {FIELD(stx_ctime.tv_nsec)}, {FIELD(stx_mtime.tv_sec)},
              {FIELD(stx_mtime.tv_nsec)}, {FIELD(stx_btime.tv_sec)},  {FIELD(stx_btime.tv_nsec)},
              {FIELD(stx_size)},          {FIELD(stx_mode)},          {FIELD(stx_uid)},
              {FIELD(stx_gid)},           {FIELD(stx_ino)},           {FIELD(stx_dev_minor)}};
enum { FIELDS = sizeof(fields) / sizeof(*fields) };

int __wrap_statx(int dir, const char* path, int flags, unsigned mask, struct statx* info) {
    (void)dir, (void)path, (void)flags;
    memset(info, 0, sizeof(*info));
    info->stx_mask = mask;
    size_t field = __atomic_load_n(&changed_field, __ATOMIC_SEQ_CST);
    if (field < FIELDS)
        ((char*)info)[fields[field].offset] = 7;
    else /* reading a file is no change */
        info->stx_atime.tv_sec = stats;
    __atomic_add_fetch(&stats, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void on_change(uv_fs_poll_t* handle, int status, const uv_stat_t* prev,
                      const uv_stat_t* curr) {
    (void)handle, (void)prev, (void)curr;
    CHECK_OK(status);
    calls++;
}

static void run_until(uv_loop_t* loop, const int* counter, int value) {
    while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) < value)
        uv_run(loop, UV_RUN_ONCE);
}

TEST(poll_tells_of_a_change_in_each_field_but_the_access_time) {
    uv_loop_t loop;
    uv_fs_poll_t poll;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &poll));
    changed_field = FIELDS;
    CHECK_OK(uv_fs_poll_start(&poll, on_change, "file", 1));
    run_until(&loop, &stats, 4);
    CHECK_EQ(calls, 0);
    for (size_t i = 0; i < FIELDS; i++) {
        /* From nothing to this field, and back to nothing. */
        __atomic_store_n(&changed_field, i, __ATOMIC_SEQ_CST);
        run_until(&loop, &calls, (int)(2 * i + 1));
        __atomic_store_n(&changed_field, FIELDS, __ATOMIC_SEQ_CST);
        run_until(&loop, &calls, (int)(2 * i + 2));
    }
    uv_close((uv_handle_t*)&poll, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 2 * FIELDS);
    CHECK_OK(uv_loop_close(&loop));
}

static int allowed = -1; /* allocations that still succeed; -1: all */
static long live;

static bool is_out(void) {
    return allowed != -1 && allowed-- <= 0 ? (allowed = 0, true) : false;
}

static void* my_malloc(size_t size) {
    void* p = is_out() ? NULL : malloc(size);
    live += p != NULL;
    return p;
}

static void* my_calloc(size_t count, size_t size) {
    void* p = is_out() ? NULL : calloc(count, size);
    live += p != NULL;
    return p;
}

static void* my_realloc(void* old, size_t size) {
    void* p = is_out() ? NULL : realloc(old, size);
    live += p != NULL && old == NULL;
    return p;
}

static void my_free(void* p) {
    live -= p != NULL;
    free(p);
}

TEST(poll_without_memory_does_not_start_and_leaves_nothing) {
    uv_loop_t loop;
    uv_fs_poll_t poll;
    changed_field = FIELDS;
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, my_free));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &poll));
    long before = live;
    for (int count = 0; count < 2; count++) {
        allowed = count;
        CHECK_EQ(uv_fs_poll_start(&poll, on_change, "file", 1), UV_ENOMEM);
        allowed = -1;
        CHECK(!uv_is_active((uv_handle_t*)&poll));
        CHECK_EQ(live, before);
    }
    uv_close((uv_handle_t*)&poll, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(poll_goes_on_after_an_interval_without_memory) {
    uv_loop_t loop;
    uv_fs_poll_t poll;
    changed_field = FIELDS;
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, my_free));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &poll));
    CHECK_OK(uv_fs_poll_start(&poll, on_change, "file", 1));
    run_until(&loop, &stats, 2);
    allowed = 0;
    for (int i = 0; i < 20; i++)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_LE(stats, 3);
    allowed = -1;
    run_until(&loop, &stats, 5);
    uv_close((uv_handle_t*)&poll, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(calls, 0);
}

/* Each start has memory of its own, which goes when its stat is back and its timer closed. */
TEST(poll_started_and_stopped_many_times_keeps_no_memory) {
    uv_loop_t loop;
    uv_fs_poll_t poll;
    changed_field = FIELDS;
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, my_free));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_fs_poll_init(&loop, &poll));
    long before = live;
    for (int i = 0; i < 10; i++) {
        CHECK_OK(uv_fs_poll_start(&poll, on_change, "file", 1));
        CHECK_OK(uv_fs_poll_stop(&poll));
    }
    uv_close((uv_handle_t*)&poll, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_LE(live, before + 3); /* the pool's own, which stays */
    CHECK_OK(uv_loop_close(&loop));
}
