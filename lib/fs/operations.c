#include "fs/operations.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t access_path(uv_fs_t* req) {
    return ph_fs_checked(access(req->path, req->flags));
}

static ssize_t change_mode(uv_fs_t* req) {
    return ph_fs_checked(chmod(req->path, req->mode));
}

static ssize_t change_file_mode(uv_fs_t* req) {
    return ph_fs_checked(fchmod(req->file, req->mode));
}

static ssize_t change_owner(uv_fs_t* req) {
    return ph_fs_checked(chown(req->path, req->uid, req->gid));
}

static ssize_t change_file_owner(uv_fs_t* req) {
    return ph_fs_checked(fchown(req->file, req->uid, req->gid));
}

static ssize_t change_link_owner(uv_fs_t* req) {
    return ph_fs_checked(lchown(req->path, req->uid, req->gid));
}

/* After EINTR the descriptor is gone all the same: trying again could close somebody else's. */
static ssize_t close_file(uv_fs_t* req) {
    if (close(req->file) == 0 || errno == EINTR || errno == EINPROGRESS)
        return 0;
    return ph_errno();
}

static ssize_t sync_file(uv_fs_t* req) {
    return ph_fs_checked(fsync(req->file));
}

static ssize_t sync_data(uv_fs_t* req) {
    return ph_fs_checked(fdatasync(req->file));
}

static ssize_t truncate_file(uv_fs_t* req) {
    return ph_fs_checked(ftruncate(req->file, req->off));
}

static ssize_t link_path(uv_fs_t* req) {
    return ph_fs_checked(link(req->path, req->new_path));
}

static ssize_t symlink_path(uv_fs_t* req) {
    return ph_fs_checked(symlink(req->path, req->new_path));
}

static ssize_t rename_path(uv_fs_t* req) {
    return ph_fs_checked(rename(req->path, req->new_path));
}

static ssize_t unlink_path(uv_fs_t* req) {
    return ph_fs_checked(unlink(req->path));
}

static ssize_t make_directory(uv_fs_t* req) {
    return ph_fs_checked(mkdir(req->path, req->mode));
}

static ssize_t remove_directory(uv_fs_t* req) {
    return ph_fs_checked(rmdir(req->path));
}

static ssize_t open_file(uv_fs_t* req) {
    return ph_fs_checked(open(req->path, req->flags | O_CLOEXEC, req->mode));
}

/* One call, like read(2): it may bring less than asked for, and of very many buffers it fills the
 * first IOV_MAX. */
static ssize_t read_file(uv_fs_t* req) {
    const struct iovec* vectors = (const struct iovec*)req->bufs;
    int count = req->nbufs < IOV_MAX ? (int)req->nbufs : IOV_MAX;
    ssize_t n;
    if (req->off < 0)
        n = count == 1 ? read(req->file, vectors->iov_base, vectors->iov_len)
                       : readv(req->file, vectors, count);
    else
        n = count == 1 ? pread(req->file, vectors->iov_base, vectors->iov_len, req->off)
                       : preadv(req->file, vectors, count, req->off);
    return ph_fs_checked(n);
}

static ssize_t write_some(uv_file file, const uv_buf_t* bufs, unsigned int nbufs, off_t off) {
    const struct iovec* vectors = (const struct iovec*)bufs;
    int count = nbufs < IOV_MAX ? (int)nbufs : IOV_MAX;
    if (off < 0)
        return count == 1 ? write(file, vectors->iov_base, vectors->iov_len)
                          : writev(file, vectors, count);
    return count == 1 ? pwrite(file, vectors->iov_base, vectors->iov_len, off)
                      : pwritev(file, vectors, count, off);
}

/* Writes everything. An error after some bytes have been written says how many: the next write
 * meets it again. Moves through the request's own copy of the buffer list. */
static ssize_t write_file(uv_fs_t* req) {
    uv_buf_t* bufs = req->bufs;
    unsigned int nbufs = req->nbufs;
    off_t off = req->off;
    ssize_t total = 0;
    do {
        ssize_t n = write_some(req->file, bufs, nbufs, off);
        if (n == -1 && errno == EINTR)
            continue;
        if (n <= 0)
            return total > 0 || n == 0 ? total : ph_errno();
        total += n;
        if (off >= 0)
            off += n;
        while (nbufs > 0 && (size_t)n >= bufs->len) {
            n -= (ssize_t)bufs->len;
            bufs++;
            nbufs--;
        }
        if (n > 0) {
            bufs->base += n;
            bufs->len -= (size_t)n;
        }
    } while (nbufs > 0);
    return total;
}

static const struct operation {
    ssize_t (*run)(uv_fs_t* req);
    bool once; /* not repeated after EINTR */
} operations[] = {
    [UV_FS_OPEN] = {open_file, false},
    [UV_FS_CLOSE] = {close_file, true},
    [UV_FS_READ] = {read_file, true},
    [UV_FS_WRITE] = {write_file, false},
    [UV_FS_SENDFILE] = {ph_fs_sendfile, false},
    [UV_FS_STAT] = {ph_fs_stat, false},
    [UV_FS_LSTAT] = {ph_fs_lstat, false},
    [UV_FS_FSTAT] = {ph_fs_fstat, false},
    [UV_FS_FTRUNCATE] = {truncate_file, false},
    [UV_FS_UTIME] = {ph_fs_utime, false},
    [UV_FS_FUTIME] = {ph_fs_futime, false},
    [UV_FS_ACCESS] = {access_path, false},
    [UV_FS_CHMOD] = {change_mode, false},
    [UV_FS_FCHMOD] = {change_file_mode, false},
    [UV_FS_FSYNC] = {sync_file, false},
    [UV_FS_FDATASYNC] = {sync_data, false},
    [UV_FS_UNLINK] = {unlink_path, false},
    [UV_FS_RMDIR] = {remove_directory, false},
    [UV_FS_MKDIR] = {make_directory, false},
    [UV_FS_MKDTEMP] = {ph_fs_mkdtemp, false},
    [UV_FS_RENAME] = {rename_path, false},
    [UV_FS_SCANDIR] = {ph_fs_scandir, false},
    [UV_FS_LINK] = {link_path, false},
    [UV_FS_SYMLINK] = {symlink_path, false},
    [UV_FS_READLINK] = {ph_fs_readlink, false},
    [UV_FS_CHOWN] = {change_owner, false},
    [UV_FS_FCHOWN] = {change_file_owner, false},
    [UV_FS_REALPATH] = {ph_fs_realpath, false},
    [UV_FS_COPYFILE] = {ph_fs_copyfile, false},
    [UV_FS_LCHOWN] = {change_link_owner, false},
    [UV_FS_OPENDIR] = {ph_fs_opendir, false},
    [UV_FS_READDIR] = {ph_fs_readdir, false},
    [UV_FS_CLOSEDIR] = {ph_fs_closedir, true},
    [UV_FS_STATFS] = {ph_fs_statfs, false},
    [UV_FS_MKSTEMP] = {ph_fs_mkstemp, false},
    [UV_FS_LUTIME] = {ph_fs_lutime, false},
};

void ph_fs_perform(uv_fs_t* req) {
    const struct operation* operation = &operations[req->fs_type];
    do
        req->result = operation->run(req);
    while (req->result == UV_EINTR && !operation->once);
}
