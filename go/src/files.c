/* File operations: each is the uv_fs_ function of its name with a request on the coroutine's stack,
 * which waits until nobody uses that any more. */
#include <limits.h>
#include <string.h>

#include "scheduler.h"

struct file_wait {
    uv_fs_t* request;
    go_t* go;
    int why;
};

static bool take_back(void* data, int why) {
    struct file_wait* wait = data;
    uv_cancel((uv_req_t*)wait->request);
    wait->why = why;
    return false;
}

static void on_done(uv_fs_t* request) {
    go_t* go = ((struct file_wait*)request->data)->go;
    go__ready(go, 0);
    go__run(go->scheduler);
}

/* Whether an operation may begin: the status if not. */
static int may_begin(struct go__scheduler* s, struct file_wait* wait, uv_fs_t* request) {
    if (s == NULL)
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    *wait = (struct file_wait){request, s->current, 0};
    request->data = wait;
    return 0;
}

/* The result of what was begun with `status`. */
static go_suspends ssize_t finish(struct go__scheduler* s, struct file_wait* wait, int status,
                                  uint64_t deadline) {
    if (status != 0)
        return status;
    go__suspend(s, "file", take_back, wait, deadline);
    ssize_t result = wait->request->result;
    return result == UV_ECANCELED && wait->why != 0 ? wait->why : result;
}

/* call(loop, request, ARGUMENTS, callback); the request is kept for what stands in `then`. */
#define OPERATION(call, then, ...)                              \
    struct go__scheduler* s = go__here();                       \
    uv_fs_t request;                                            \
    struct file_wait wait;                                      \
    ssize_t result = may_begin(s, &wait, &request);             \
    if (result != 0)                                            \
        return (int)result;                                     \
    int status = call(s->loop, &request, __VA_ARGS__, on_done); \
    result = finish(s, &wait, status, deadline);                \
    then;                                                       \
    uv_fs_req_cleanup(&request)

#define SIMPLE(call, ...)                      \
    do {                                       \
        OPERATION(call, (void)0, __VA_ARGS__); \
        return (int)result;                    \
    } while (0)

int go_fs_open(const char* path, int flags, int mode, uint64_t deadline) {
    SIMPLE(uv_fs_open, path, flags, mode);
}

int go_fs_close(uv_file file, uint64_t deadline) {
    SIMPLE(uv_fs_close, file);
}

ssize_t go_fs_read(uv_file file, void* memory, size_t size, int64_t offset, uint64_t deadline) {
    uv_buf_t buffer = uv_buf_init(memory, (unsigned)(size < INT_MAX ? size : INT_MAX));
    OPERATION(uv_fs_read, (void)0, file, &buffer, 1, offset);
    return result;
}

ssize_t go_fs_write(uv_file file, const void* memory, size_t size, int64_t offset,
                    uint64_t deadline) {
    uv_buf_t buffer = uv_buf_init((char*)memory, (unsigned)(size < INT_MAX ? size : INT_MAX));
    OPERATION(uv_fs_write, (void)0, file, &buffer, 1, offset);
    return result;
}

int go_fs_unlink(const char* path, uint64_t deadline) {
    SIMPLE(uv_fs_unlink, path);
}

int go_fs_mkdir(const char* path, int mode, uint64_t deadline) {
    SIMPLE(uv_fs_mkdir, path, mode);
}

int go_fs_rmdir(const char* path, uint64_t deadline) {
    SIMPLE(uv_fs_rmdir, path);
}

static void take_path(const uv_fs_t* request, ssize_t result, char* path_template) {
    if (result >= 0 && request->path != NULL)
        memcpy(path_template, request->path, strlen(path_template));
}

int go_fs_mkdtemp(char* path_template, uint64_t deadline) {
    OPERATION(uv_fs_mkdtemp, take_path(&request, result, path_template), path_template);
    return (int)result;
}

int go_fs_mkstemp(char* path_template, uint64_t deadline) {
    OPERATION(uv_fs_mkstemp, take_path(&request, result, path_template), path_template);
    return (int)result;
}

int go_fs_scandir(uv_fs_t* request, const char* path, int flags, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    struct file_wait wait;
    int status = may_begin(s, &wait, request);
    if (status != 0)
        return status;
    status = uv_fs_scandir(s->loop, request, path, flags, on_done);
    return (int)finish(s, &wait, status, deadline);
}

static void take_dir(const uv_fs_t* request, ssize_t result, uv_dir_t** dir) {
    *dir = result >= 0 ? request->ptr : NULL;
}

int go_fs_opendir(const char* path, uv_dir_t** dir, uint64_t deadline) {
    OPERATION(uv_fs_opendir, take_dir(&request, result, dir), path);
    return (int)result;
}

int go_fs_readdir(uv_fs_t* request, uv_dir_t* dir, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    struct file_wait wait;
    int status = may_begin(s, &wait, request);
    if (status != 0)
        return status;
    status = uv_fs_readdir(s->loop, request, dir, on_done);
    return (int)finish(s, &wait, status, deadline);
}

int go_fs_closedir(uv_dir_t* dir, uint64_t deadline) {
    SIMPLE(uv_fs_closedir, dir);
}

static void take_stat(const uv_fs_t* request, ssize_t result, uv_stat_t* stat) {
    if (result == 0)
        *stat = request->statbuf;
}

int go_fs_stat(const char* path, uv_stat_t* stat, uint64_t deadline) {
    OPERATION(uv_fs_stat, take_stat(&request, result, stat), path);
    return (int)result;
}

int go_fs_lstat(const char* path, uv_stat_t* stat, uint64_t deadline) {
    OPERATION(uv_fs_lstat, take_stat(&request, result, stat), path);
    return (int)result;
}

int go_fs_fstat(uv_file file, uv_stat_t* stat, uint64_t deadline) {
    OPERATION(uv_fs_fstat, take_stat(&request, result, stat), file);
    return (int)result;
}

static void take_statfs(const uv_fs_t* request, ssize_t result, uv_statfs_t* stat) {
    if (result == 0)
        *stat = *(const uv_statfs_t*)request->ptr;
}

int go_fs_statfs(const char* path, uv_statfs_t* stat, uint64_t deadline) {
    OPERATION(uv_fs_statfs, take_statfs(&request, result, stat), path);
    return (int)result;
}

int go_fs_rename(const char* path, const char* new_path, uint64_t deadline) {
    SIMPLE(uv_fs_rename, path, new_path);
}

int go_fs_copyfile(const char* path, const char* new_path, int flags, uint64_t deadline) {
    SIMPLE(uv_fs_copyfile, path, new_path, flags);
}

int go_fs_fsync(uv_file file, uint64_t deadline) {
    SIMPLE(uv_fs_fsync, file);
}

int go_fs_fdatasync(uv_file file, uint64_t deadline) {
    SIMPLE(uv_fs_fdatasync, file);
}

int go_fs_ftruncate(uv_file file, int64_t offset, uint64_t deadline) {
    SIMPLE(uv_fs_ftruncate, file, offset);
}

ssize_t go_fs_sendfile(uv_file out, uv_file in, int64_t in_offset, size_t size, uint64_t deadline) {
    OPERATION(uv_fs_sendfile, (void)0, out, in, in_offset, size);
    return result;
}

int go_fs_access(const char* path, int mode, uint64_t deadline) {
    SIMPLE(uv_fs_access, path, mode);
}

int go_fs_chmod(const char* path, int mode, uint64_t deadline) {
    SIMPLE(uv_fs_chmod, path, mode);
}

int go_fs_fchmod(uv_file file, int mode, uint64_t deadline) {
    SIMPLE(uv_fs_fchmod, file, mode);
}

int go_fs_utime(const char* path, double atime, double mtime, uint64_t deadline) {
    SIMPLE(uv_fs_utime, path, atime, mtime);
}

int go_fs_futime(uv_file file, double atime, double mtime, uint64_t deadline) {
    SIMPLE(uv_fs_futime, file, atime, mtime);
}

int go_fs_lutime(const char* path, double atime, double mtime, uint64_t deadline) {
    SIMPLE(uv_fs_lutime, path, atime, mtime);
}

int go_fs_link(const char* path, const char* new_path, uint64_t deadline) {
    SIMPLE(uv_fs_link, path, new_path);
}

int go_fs_symlink(const char* path, const char* new_path, int flags, uint64_t deadline) {
    SIMPLE(uv_fs_symlink, path, new_path, flags);
}

static ssize_t take_text(const uv_fs_t* request, ssize_t result, char* memory, size_t size) {
    if (result != 0)
        return result;
    size_t length = strlen(request->ptr);
    if (length >= size)
        return UV_ENOBUFS;
    memcpy(memory, request->ptr, length + 1);
    return 0;
}

int go_fs_readlink(const char* path, char* memory, size_t size, uint64_t deadline) {
    OPERATION(uv_fs_readlink, result = take_text(&request, result, memory, size), path);
    return (int)result;
}

int go_fs_realpath(const char* path, char* memory, size_t size, uint64_t deadline) {
    OPERATION(uv_fs_realpath, result = take_text(&request, result, memory, size), path);
    return (int)result;
}

int go_fs_chown(const char* path, uv_uid_t uid, uv_gid_t gid, uint64_t deadline) {
    SIMPLE(uv_fs_chown, path, uid, gid);
}

int go_fs_fchown(uv_file file, uv_uid_t uid, uv_gid_t gid, uint64_t deadline) {
    SIMPLE(uv_fs_fchown, file, uid, gid);
}

int go_fs_lchown(const char* path, uv_uid_t uid, uv_gid_t gid, uint64_t deadline) {
    SIMPLE(uv_fs_lchown, path, uid, gid);
}
