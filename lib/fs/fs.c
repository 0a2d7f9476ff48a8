/* The entry points of the file requests: each notes its arguments and starts the request. */

#include "base/bufs.h"
#include "fs/request.h"

int uv_fs_access(uv_loop_t* loop, uv_fs_t* req, const char* path, int flags, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_ACCESS, path, cb);
    if (err != 0)
        return err;
    req->flags = flags;
    return ph_fs_start(req);
}

int uv_fs_chmod(uv_loop_t* loop, uv_fs_t* req, const char* path, int mode, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_CHMOD, path, cb);
    if (err != 0)
        return err;
    req->mode = (mode_t)mode;
    return ph_fs_start(req);
}

int uv_fs_fchmod(uv_loop_t* loop, uv_fs_t* req, uv_file file, int mode, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_FCHMOD, file, cb);
    if (err != 0)
        return err;
    req->mode = (mode_t)mode;
    return ph_fs_start(req);
}

int uv_fs_chown(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_uid_t uid, uv_gid_t gid,
                uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_CHOWN, path, cb);
    if (err != 0)
        return err;
    req->uid = uid;
    req->gid = gid;
    return ph_fs_start(req);
}

int uv_fs_fchown(uv_loop_t* loop, uv_fs_t* req, uv_file file, uv_uid_t uid, uv_gid_t gid,
                 uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_FCHOWN, file, cb);
    if (err != 0)
        return err;
    req->uid = uid;
    req->gid = gid;
    return ph_fs_start(req);
}

int uv_fs_lchown(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_uid_t uid, uv_gid_t gid,
                 uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_LCHOWN, path, cb);
    if (err != 0)
        return err;
    req->uid = uid;
    req->gid = gid;
    return ph_fs_start(req);
}

int uv_fs_open(uv_loop_t* loop, uv_fs_t* req, const char* path, int flags, int mode, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_OPEN, path, cb);
    if (err != 0)
        return err;
    req->flags = flags;
    req->mode = (mode_t)mode;
    return ph_fs_start(req);
}

int uv_fs_close(uv_loop_t* loop, uv_fs_t* req, uv_file file, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_CLOSE, file, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_read(uv_loop_t* loop, uv_fs_t* req, uv_file file, const uv_buf_t* bufs,
               unsigned int nbufs, int64_t off, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_READ, file, cb);
    if (err == 0)
        err = ph_fs_set_bufs(req, bufs, nbufs);
    if (err != 0)
        return err;
    req->off = off;
    return ph_fs_start(req);
}

int uv_fs_write(uv_loop_t* loop, uv_fs_t* req, uv_file file, const uv_buf_t* bufs,
                unsigned int nbufs, int64_t off, uv_fs_cb cb) {
    size_t size;
    int err = ph_fs_begin_file(loop, req, UV_FS_WRITE, file, cb);
    if (err == 0 && bufs != NULL && !ph_bufs_size(bufs, nbufs, &size))
        err = UV_EINVAL;
    if (err == 0)
        err = ph_fs_set_bufs(req, bufs, nbufs);
    if (err != 0)
        return err;
    req->off = off;
    return ph_fs_start(req);
}

int uv_fs_sendfile(uv_loop_t* loop, uv_fs_t* req, uv_file out_fd, uv_file in_fd, int64_t off,
                   size_t len, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_SENDFILE, out_fd, cb);
    if (err == 0 && len > PH_MOST_BYTES)
        err = UV_EINVAL;
    if (err != 0)
        return err;
    req->flags = in_fd;
    req->off = off;
    req->inline_bufs[0].len = len;
    return ph_fs_start(req);
}

int uv_fs_fsync(uv_loop_t* loop, uv_fs_t* req, uv_file file, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_FSYNC, file, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_fdatasync(uv_loop_t* loop, uv_fs_t* req, uv_file file, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_FDATASYNC, file, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_ftruncate(uv_loop_t* loop, uv_fs_t* req, uv_file file, int64_t off, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_FTRUNCATE, file, cb);
    if (err != 0)
        return err;
    req->off = off;
    return ph_fs_start(req);
}

int uv_fs_stat(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_STAT, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_lstat(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_LSTAT, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_fstat(uv_loop_t* loop, uv_fs_t* req, uv_file file, uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_FSTAT, file, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_statfs(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_STATFS, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_utime(uv_loop_t* loop, uv_fs_t* req, const char* path, double atime, double mtime,
                uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_UTIME, path, cb);
    if (err != 0)
        return err;
    req->atime = atime;
    req->mtime = mtime;
    return ph_fs_start(req);
}

int uv_fs_futime(uv_loop_t* loop, uv_fs_t* req, uv_file file, double atime, double mtime,
                 uv_fs_cb cb) {
    int err = ph_fs_begin_file(loop, req, UV_FS_FUTIME, file, cb);
    if (err != 0)
        return err;
    req->atime = atime;
    req->mtime = mtime;
    return ph_fs_start(req);
}

int uv_fs_lutime(uv_loop_t* loop, uv_fs_t* req, const char* path, double atime, double mtime,
                 uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_LUTIME, path, cb);
    if (err != 0)
        return err;
    req->atime = atime;
    req->mtime = mtime;
    return ph_fs_start(req);
}

int uv_fs_link(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path, uv_fs_cb cb) {
    int err = ph_fs_begin_two_paths(loop, req, UV_FS_LINK, path, new_path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_symlink(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path, int flags,
                  uv_fs_cb cb) {
    (void)flags; /* of Windows */
    int err = ph_fs_begin_two_paths(loop, req, UV_FS_SYMLINK, path, new_path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_rename(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path,
                 uv_fs_cb cb) {
    int err = ph_fs_begin_two_paths(loop, req, UV_FS_RENAME, path, new_path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_unlink(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_UNLINK, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_mkdir(uv_loop_t* loop, uv_fs_t* req, const char* path, int mode, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_MKDIR, path, cb);
    if (err != 0)
        return err;
    req->mode = (mode_t)mode;
    return ph_fs_start(req);
}

int uv_fs_rmdir(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_RMDIR, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_mkdtemp(uv_loop_t* loop, uv_fs_t* req, const char* tpl, uv_fs_cb cb) {
    int err = ph_fs_begin_template(loop, req, UV_FS_MKDTEMP, tpl, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_mkstemp(uv_loop_t* loop, uv_fs_t* req, const char* tpl, uv_fs_cb cb) {
    int err = ph_fs_begin_template(loop, req, UV_FS_MKSTEMP, tpl, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_readlink(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_READLINK, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_realpath(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_REALPATH, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_scandir(uv_loop_t* loop, uv_fs_t* req, const char* path, int flags, uv_fs_cb cb) {
    (void)flags; /* there are none */
    int err = ph_fs_begin_path(loop, req, UV_FS_SCANDIR, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

int uv_fs_opendir(uv_loop_t* loop, uv_fs_t* req, const char* path, uv_fs_cb cb) {
    int err = ph_fs_begin_path(loop, req, UV_FS_OPENDIR, path, cb);
    return err != 0 ? err : ph_fs_start(req);
}

/* The request keeps the list of entries itself: the directory may be closed before the request is
 * cleaned up. */
int uv_fs_readdir(uv_loop_t* loop, uv_fs_t* req, uv_dir_t* dir, uv_fs_cb cb) {
    int err = ph_fs_begin(loop, req, UV_FS_READDIR, cb);
    if (err != 0)
        return err;
    if (dir == NULL || dir->dir == NULL || dir->dirents == NULL)
        return UV_EINVAL;
    req->ptr = dir;
    req->bufs = (uv_buf_t*)dir->dirents;
    return ph_fs_start(req);
}

int uv_fs_closedir(uv_loop_t* loop, uv_fs_t* req, uv_dir_t* dir, uv_fs_cb cb) {
    int err = ph_fs_begin(loop, req, UV_FS_CLOSEDIR, cb);
    if (err != 0)
        return err;
    if (dir == NULL)
        return UV_EINVAL;
    req->ptr = dir;
    return ph_fs_start(req);
}

int uv_fs_copyfile(uv_loop_t* loop, uv_fs_t* req, const char* path, const char* new_path, int flags,
                   uv_fs_cb cb) {
    const int known = UV_FS_COPYFILE_EXCL | UV_FS_COPYFILE_FICLONE | UV_FS_COPYFILE_FICLONE_FORCE;
    int err = ph_fs_begin(loop, req, UV_FS_COPYFILE, cb);
    if (err == 0 && (flags & ~known) != 0)
        err = UV_EINVAL;
    if (err == 0)
        err = ph_fs_begin_two_paths(loop, req, UV_FS_COPYFILE, path, new_path, cb);
    if (err != 0)
        return err;
    req->flags = flags;
    return ph_fs_start(req);
}
