/* Cancelling file requests. */

#include "each_way.h"

/* Keeps the pool's one thread busy. */
static uv_sem_t gate, arrived;

static void wait_at_gate(uv_work_t* work) {
    (void)work;
    uv_sem_post(&arrived);
    uv_sem_wait(&gate);
}

static void nothing(uv_work_t* work, int status) {
    (void)work, (void)status;
}

enum { COUNT = 29 };

static uv_fs_t reqs[COUNT];
static int cancelled;

static void on_cancelled(uv_fs_t* done) {
    CHECK_EQ(done->result, UV_ECANCELED);
    CHECK(done->ptr == NULL || done->fs_type == UV_FS_READDIR);
    uv_fs_req_cleanup(done);
    uv_fs_req_cleanup(done);
    cancelled++;
}

static void start_one_of_each(void) {
    static char byte;
    uv_buf_t buf = {.base = &byte, .len = 1};
    uv_fs_cb cb = on_cancelled;
    uv_fs_t* r = reqs;
    CHECK_OK(uv_fs_open(&loop, r++, "made", O_RDWR | O_CREAT, 0644, cb));
    CHECK_OK(uv_fs_open(&loop, r++, ".", O_RDONLY, 0, cb));
    CHECK_OK(uv_fs_close(&loop, r++, 0, cb));
    CHECK_OK(uv_fs_read(&loop, r++, 0, &buf, 1, 0, cb));
    CHECK_OK(uv_fs_write(&loop, r++, 0, &buf, 1, 0, cb));
    CHECK_OK(uv_fs_sendfile(&loop, r++, 0, 0, 0, 0, cb));
    CHECK_OK(uv_fs_stat(&loop, r++, ".", cb));
    CHECK_OK(uv_fs_lstat(&loop, r++, ".", cb));
    CHECK_OK(uv_fs_fstat(&loop, r++, 0, cb));
    CHECK_OK(uv_fs_statfs(&loop, r++, ".", cb));
    CHECK_OK(uv_fs_ftruncate(&loop, r++, 0, 0, cb));
    CHECK_OK(uv_fs_fsync(&loop, r++, 0, cb));
    CHECK_OK(uv_fs_fdatasync(&loop, r++, 0, cb));
    CHECK_OK(uv_fs_utime(&loop, r++, ".", 0, 0, cb));
    CHECK_OK(uv_fs_futime(&loop, r++, 0, 0, 0, cb));
    CHECK_OK(uv_fs_access(&loop, r++, ".", 0, cb));
    CHECK_OK(uv_fs_chmod(&loop, r++, ".", 0, cb));
    CHECK_OK(uv_fs_fchmod(&loop, r++, 0, 0, cb));
    CHECK_OK(uv_fs_chown(&loop, r++, ".", 0, 0, cb));
    CHECK_OK(uv_fs_fchown(&loop, r++, 0, 0, 0, cb));
    CHECK_OK(uv_fs_unlink(&loop, r++, ".", cb));
    CHECK_OK(uv_fs_rmdir(&loop, r++, ".", cb));
    CHECK_OK(uv_fs_mkdir(&loop, r++, "made", 0, cb));
    CHECK_OK(uv_fs_mkdtemp(&loop, r++, "XXXXXX", cb));
    CHECK_OK(uv_fs_rename(&loop, r++, ".", "made", cb));
    CHECK_OK(uv_fs_scandir(&loop, r++, ".", 0, cb));
    CHECK_OK(uv_fs_symlink(&loop, r++, ".", "made", 0, cb));
    CHECK_OK(uv_fs_readlink(&loop, r++, ".", cb));
    CHECK_OK(uv_fs_realpath(&loop, r++, ".", cb));
    CHECK_EQ(r - reqs, COUNT);
}

static void cancels_each(void) {
    uv_work_t work;
    if (!with_callback)
        return;
    cancelled = 0;
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_sem_init(&arrived, 0));
    CHECK_OK(uv_queue_work(&loop, &work, wait_at_gate, nothing));
    uv_sem_wait(&arrived);
    start_one_of_each();
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(uv_cancel((uv_req_t*)&reqs[i]));
    CHECK_EQ(cancelled, 0);
    while (cancelled < COUNT)
        uv_run(&loop, UV_RUN_ONCE);
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(cancelled, COUNT);
    CHECK(!exists("made"));
    uv_sem_destroy(&gate);
    uv_sem_destroy(&arrived);
}

TEST(fs_requests_that_have_not_started_are_cancelled) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    EACH_WAY(cancels_each);
}

static void refuses_finished(void) {
    CHECK_EQ(FS(stat, "."), 0);
    CHECK_EQ(uv_cancel((uv_req_t*)&req), UV_EBUSY);
    int fd = (int)FS(open, ".", UV_FS_O_RDONLY, 0);
    CHECK_EQ(uv_cancel((uv_req_t*)&req), UV_EBUSY);
    close(fd);
}

TEST(fs_requests_that_are_done_can_not_be_cancelled) {
    EACH_WAY(refuses_finished);
}
