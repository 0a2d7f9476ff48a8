/* File operations. */
// threaded
#include <fcntl.h>
#include <unistd.h>

#include "go_test.h"

static int use_file(void* arg) {
    char text[20] = "", link[20];
    uv_stat_t stat;
    uv_statfs_t system;
    (void)arg;
    int file = go_fs_open("a", O_CREAT | O_RDWR, 0644, GO_NEVER);
    CHECK_GE(file, 0);
    CHECK_EQ(go_fs_write(file, "hello world", 11, -1, GO_NEVER), 11);
    CHECK_EQ(go_fs_read(file, text, sizeof(text), 6, GO_NEVER), 5);
    CHECK_STR(text, "world");
    CHECK_EQ(go_fs_read(file, text, sizeof(text), 11, GO_NEVER), 0);
    CHECK_OK(go_fs_fsync(file, GO_NEVER));
    CHECK_OK(go_fs_fdatasync(file, GO_NEVER));
    CHECK_OK(go_fs_ftruncate(file, 5, GO_NEVER));
    CHECK_OK(go_fs_fstat(file, &stat, GO_NEVER));
    CHECK_EQ(stat.st_size, 5);
    CHECK_OK(go_fs_fchmod(file, 0600, GO_NEVER));
    CHECK_OK(go_fs_futime(file, 1, 2, GO_NEVER));
    CHECK_OK(go_fs_fchown(file, getuid(), getgid(), GO_NEVER));
    int other = go_fs_open("b", O_CREAT | O_WRONLY, 0644, GO_NEVER);
    CHECK_EQ(go_fs_sendfile(other, file, 0, 5, GO_NEVER), 5);
    CHECK_OK(go_fs_close(other, GO_NEVER));
    CHECK_OK(go_fs_close(file, GO_NEVER));
    CHECK_OK(go_fs_stat("a", &stat, GO_NEVER));
    CHECK_EQ(stat.st_mtim.tv_sec, 2);
    CHECK_OK(go_fs_utime("a", 3, 4, GO_NEVER));
    CHECK_OK(go_fs_chmod("a", 0644, GO_NEVER));
    CHECK_OK(go_fs_chown("a", getuid(), getgid(), GO_NEVER));
    CHECK_OK(go_fs_access("a", R_OK, GO_NEVER));
    CHECK_OK(go_fs_rename("a", "c", GO_NEVER));
    CHECK_OK(go_fs_copyfile("c", "d", 0, GO_NEVER));
    CHECK_OK(go_fs_link("c", "e", GO_NEVER));
    CHECK_OK(go_fs_symlink("c", "f", 0, GO_NEVER));
    CHECK_OK(go_fs_lstat("f", &stat, GO_NEVER));
    CHECK_OK(go_fs_lutime("f", 5, 6, GO_NEVER));
    CHECK_OK(go_fs_lchown("f", getuid(), getgid(), GO_NEVER));
    CHECK_OK(go_fs_readlink("f", link, sizeof(link), GO_NEVER));
    CHECK_STR(link, "c");
    CHECK_EQ(go_fs_readlink("f", link, 1, GO_NEVER), UV_ENOBUFS);
    CHECK_OK(go_fs_realpath("/", link, sizeof(link), GO_NEVER));
    CHECK_OK(go_fs_statfs(".", &system, GO_NEVER));
    CHECK_GT(system.f_bsize, 0);
    CHECK_OK(go_fs_unlink("c", GO_NEVER));
    return 0;
}

TEST(files_are_opened_written_read_and_changed) {
    in_coroutine(use_file, NULL);
}

static int use_folders(void* arg) {
    char folder[] = "dir-XXXXXX", path[] = "file-XXXXXX";
    uv_fs_t request;
    uv_dirent_t entry, entries[4];
    uv_dir_t* dir;
    (void)arg;
    CHECK_OK(go_fs_mkdtemp(folder, GO_NEVER));
    CHECK(strcmp(folder, "dir-XXXXXX") != 0);
    int file = go_fs_mkstemp(path, GO_NEVER);
    CHECK_GE(file, 0);
    CHECK_OK(go_fs_close(file, GO_NEVER));
    CHECK_OK(go_fs_access(path, F_OK, GO_NEVER));
    CHECK_OK(go_fs_mkdir("new", 0755, GO_NEVER));
    CHECK_EQ(go_fs_mkdir("new", 0755, GO_NEVER), UV_EEXIST);
    CHECK_EQ(go_fs_scandir(&request, ".", 0, GO_NEVER), 3);
    CHECK_OK(uv_fs_scandir_next(&request, &entry));
    CHECK_STR(entry.name, folder);
    uv_fs_req_cleanup(&request);
    CHECK_OK(go_fs_opendir(".", &dir, GO_NEVER));
    dir->dirents = entries;
    dir->nentries = 4;
    CHECK_EQ(go_fs_readdir(&request, dir, GO_NEVER), 3);
    uv_fs_req_cleanup(&request);
    CHECK_OK(go_fs_closedir(dir, GO_NEVER));
    CHECK_OK(go_fs_rmdir("new", GO_NEVER));
    CHECK_EQ(go_fs_opendir("new", &dir, GO_NEVER), UV_ENOENT);
    CHECK(dir == NULL);
    CHECK_EQ(go_fs_scandir(&request, "new", 0, GO_NEVER), UV_ENOENT);
    uv_fs_req_cleanup(&request);
    CHECK_EQ(go_fs_open("new", O_RDONLY, 0, GO_NEVER), UV_ENOENT);
    CHECK_EQ(go_fs_unlink("new", GO_NEVER), UV_ENOENT);
    CHECK_EQ(go_fs_close(-1, GO_NEVER), UV_EBADF);
    return 0;
}

TEST(folders_are_made_listed_and_removed) {
    in_coroutine(use_folders, NULL);
}

static uv_sem_t may_end;

static void wait_on_pool(void* arg) {
    (void)arg;
    uv_sem_wait(&may_end);
}

static int keep_pool_busy(void* arg) {
    (void)arg;
    CHECK_OK(go_work(wait_on_pool, NULL, GO_NEVER));
    return 0;
}

static int cancelled_in_line(void* arg) {
    uv_stat_t stat;
    (void)arg;
    CHECK_EQ(go_fs_stat("/", &stat, GO_NEVER), UV_ECANCELED);
    CHECK_EQ(go_fs_stat("/", &stat, GO_NEVER), UV_ECANCELED);
    CHECK_EQ(go_fs_scandir(&(uv_fs_t){0}, "/", 0, GO_NEVER), UV_ECANCELED);
    return 7;
}

static int wait_in_line(void* arg) {
    uv_stat_t stat;
    go_t* other;
    int result = 0;
    (void)arg;
    CHECK_OK(uv_sem_init(&may_end, 0));
    CHECK_OK(go_start(&loop, keep_pool_busy, NULL));
    CHECK_OK(go_sleep(50)); /* the pool has one thread, and it has begun */
    CHECK_EQ(go_fs_stat("/", &stat, go_after(2)), UV_ETIMEDOUT);
    CHECK_EQ(go_fs_open("/", O_RDONLY, 0, GO_NOW), UV_ETIMEDOUT);
    CHECK_OK(go_start_with(&loop, NULL, cancelled_in_line, NULL, &other));
    go_cancel(other);
    CHECK_OK(go_join(other, &result, GO_NEVER));
    go_release(other);
    CHECK_EQ(result, 7);
    uv_sem_post(&may_end);
    CHECK_OK(go_fs_stat("/", &stat, GO_NEVER));
    uv_sem_destroy(&may_end);
    return 0;
}

TEST(operations_that_have_not_begun_are_taken_back) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    in_coroutine(wait_in_line, NULL);
}

TEST(file_operations_outside_of_a_coroutine_get_einval) {
    uv_stat_t stat;
    CHECK_EQ(go_fs_stat("/", &stat, GO_NEVER), UV_EINVAL);
    CHECK_EQ(go_fs_readdir(&(uv_fs_t){0}, NULL, GO_NEVER), UV_EINVAL);
    CHECK_EQ(go_fs_scandir(&(uv_fs_t){0}, "/", 0, GO_NEVER), UV_EINVAL);
}
