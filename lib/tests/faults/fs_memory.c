/* Every allocation of every file operation fails in turn, and nothing of it is kept. */

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static int allocations_left = -1; /* -1: no limit */

static bool is_out(void) {
    if (__atomic_load_n(&allocations_left, __ATOMIC_SEQ_CST) == -1)
        return false;
    return __atomic_sub_fetch(&allocations_left, 1, __ATOMIC_SEQ_CST) < 0;
}

static void set_left(int count) {
    __atomic_store_n(&allocations_left, count, __ATOMIC_SEQ_CST);
}

static int held; /* blocks */

static void* counted(void* block) {
    __atomic_add_fetch(&held, block != NULL, __ATOMIC_SEQ_CST);
    return block;
}

static void* allocate(size_t size) {
    return is_out() ? NULL : counted(malloc(size));
}

static void* allocate_again(void* ptr, size_t size) {
    if (is_out())
        return NULL;
    return ptr == NULL ? counted(malloc(size)) : realloc(ptr, size);
}

static void* allocate_clear(size_t count, size_t size) {
    return is_out() ? NULL : counted(calloc(count, size));
}

static void release(void* block) {
    __atomic_sub_fetch(&held, block != NULL, __ATOMIC_SEQ_CST);
    free(block);
}

static uv_loop_t loop;
static uv_fs_t req;
static uv_fs_cb cb;
static uv_dir_t* dir;
static int file;
static uv_dirent_t entries[4];

static void on_fs(uv_fs_t* done) {
    (void)done;
}

static int do_open(void) {
    return uv_fs_open(&loop, &req, "file", O_RDONLY, 0, cb);
}

static int do_write(void) {
    static char byte;
    uv_buf_t bufs[5];
    for (int i = 0; i < 5; i++)
        bufs[i] = (uv_buf_t){.base = &byte, .len = 0};
    return uv_fs_write(&loop, &req, file, bufs, 5, 0, cb);
}

static int do_rename(void) {
    return uv_fs_rename(&loop, &req, "file", "file", cb);
}

static int do_readlink(void) {
    return uv_fs_readlink(&loop, &req, "link", cb);
}

static int do_long_readlink(void) {
    return uv_fs_readlink(&loop, &req, "long", cb);
}

static int do_realpath(void) {
    return uv_fs_realpath(&loop, &req, "link", cb);
}

static int do_scandir(void) {
    return uv_fs_scandir(&loop, &req, ".", 0, cb);
}

static int do_statfs(void) {
    return uv_fs_statfs(&loop, &req, ".", cb);
}

static int do_mkdtemp(void) {
    return uv_fs_mkdtemp(&loop, &req, "XXXXXX", cb);
}

static int do_mkstemp(void) {
    return uv_fs_mkstemp(&loop, &req, "XXXXXX", cb);
}

static int do_copyfile(void) {
    return uv_fs_copyfile(&loop, &req, "empty", "copy", 0, cb);
}

static int do_opendir(void) {
    return uv_fs_opendir(&loop, &req, ".", cb);
}

static int do_readdir(void) {
    return uv_fs_readdir(&loop, &req, dir, cb);
}

static const struct {
    int (*run)(void);
    bool gives_file;
} operations[] = {{do_open, true},      {do_write, false},         {do_rename, false},
                  {do_readlink, false}, {do_long_readlink, false}, {do_realpath, false},
                  {do_scandir, false},  {do_statfs, false},        {do_mkdtemp, false},
                  {do_mkstemp, true},   {do_copyfile, false},      {do_opendir, false},
                  {do_readdir, false}};

static void put(const char* path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    CHECK_GE(fd, 0);
    close(fd);
}

static void close_dir(uv_dir_t* which) {
    uv_fs_t close_req;
    CHECK_OK(uv_fs_closedir(NULL, &close_req, which, NULL));
}

static void open_dir(void) {
    CHECK_OK(uv_fs_opendir(NULL, &req, ".", NULL));
    dir = req.ptr;
    dir->dirents = entries;
    dir->nentries = 4;
}

static ssize_t run_with(int (*run)(void), int allocations) {
    int before = held;
    open_dir();
    set_left(allocations);
    ssize_t result = run();
    if (cb != NULL && result == 0) {
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        result = req.result;
    }
    if (result >= 0 && allocations != -1)
        CHECK_NE(allocations_left, -1); /* so nothing was refused */
    set_left(-1);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    if (result >= 0 && run == do_opendir)
        close_dir(req.ptr);
    uv_fs_req_cleanup(&req);
    uv_fs_req_cleanup(&req);
    close_dir(dir);
    if (allocations != -1)
        CHECK_EQ(held, before);
    return result;
}

static void fail_in_turn(void) {
    char target[600] = "";
    CHECK_OK(uv_loop_init(&loop));
    put("empty");
    file = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    CHECK_OK(symlink("file", "link"));
    memset(target, 't', sizeof(target) - 1);
    CHECK_OK(symlink(target, "long"));
    CHECK_OK(run_with(do_statfs, -1)); /* what is allocated once is there from now on */
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        int allowed = 0;
        ssize_t result;
        while ((result = run_with(operations[i].run, allowed)) < 0) {
            CHECK_EQ(result, UV_ENOMEM);
            CHECK_LT(allowed++, 100);
        }
        if (operations[i].gives_file)
            close((int)result);
    }
    close(file);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(request_that_fails_keeps_nothing) {
    uv_fs_t failed;
    CHECK_OK(uv_replace_allocator(allocate, allocate_again, allocate_clear, release));
    CHECK_EQ(uv_fs_opendir(NULL, &failed, "missing", NULL), UV_ENOENT);
    CHECK_EQ(held, 0);
    CHECK_EQ(uv_fs_readlink(NULL, &failed, "missing", NULL), UV_ENOENT);
    CHECK_EQ(held, 0);
    CHECK_EQ(uv_fs_scandir(NULL, &failed, "missing", 0, NULL), UV_ENOENT);
    CHECK_EQ(held, 0);
    CHECK_EQ(uv_fs_mkdtemp(NULL, &failed, "bad", NULL), UV_EINVAL);
    uv_fs_req_cleanup(&failed);
    CHECK_EQ(held, 0);
}

TEST(names_of_a_folder_are_taken_back_by_the_cleanup) {
    put("file");
    open_dir();
    CHECK_EQ(uv_fs_readdir(NULL, &req, dir, NULL), 1);
    CHECK_STR(entries[0].name, "file");
    uv_fs_req_cleanup(&req);
    CHECK(entries[0].name == NULL);
    close_dir(dir);
}

TEST(fs_without_memory_gets_enomem_when_run_at_once) {
    CHECK_OK(uv_replace_allocator(allocate, allocate_again, allocate_clear, release));
    fail_in_turn();
}

TEST(fs_without_memory_gets_enomem_in_the_callback) {
    CHECK_OK(uv_replace_allocator(allocate, allocate_again, allocate_clear, release));
    cb = on_fs;
    fail_in_turn();
}
