/* Moving bytes from one descriptor to another, and whole files with that. */

#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/operations.h"
#include "os/fd.h"
#include "os/refusal.h"

enum {
    MOST_AT_ONCE = 0x7ffff000, /* the kernel moves no more in one call */
    BUFFER_SIZE = 64 << 10
};

/* The state of a transfer. Its offset moves on with the bytes, and the input's own does not, unless
 * the input has no offsets. */
struct transfer {
    int out;
    int in;
    off_t offset;
    size_t left;
    size_t moved;
    bool no_offset;
};

static void advance(struct transfer* t, size_t n) {
    t->left -= n;
    t->moved += n;
}

/* Writes all of it. What was read must not be lost, so a full non-blocking output is waited for. */
static int write_out(struct transfer* t, const char* bytes, size_t length) {
    while (length > 0) {
        ssize_t n = write(t->out, bytes, length);
        if (n >= 0) {
            bytes += n;
            length -= (size_t)n;
            t->offset += n;
            advance(t, (size_t)n);
        } else if (errno == EAGAIN) {
            struct pollfd output = {.fd = t->out, .events = POLLOUT};
            if (poll(&output, 1, -1) == -1 && errno != EINTR)
                return ph_errno();
        } else if (errno != EINTR) {
            return ph_errno();
        }
    }
    return 0;
}

static ssize_t read_in(struct transfer* t, char* buffer, size_t size) {
    if (!t->no_offset) {
        ssize_t n = pread(t->in, buffer, size, t->offset);
        if (n >= 0 || errno != ESPIPE)
            return n;
        t->no_offset = true;
    }
    return read(t->in, buffer, size);
}

/* What the kernel would find wrong even where nothing is left to move. */
static bool can_read_and_write(const struct transfer* t) {
    int in = fcntl(t->in, F_GETFL);
    int out = fcntl(t->out, F_GETFL);
    return in != -1 && out != -1 && (in & O_ACCMODE) != O_WRONLY && (out & O_ACCMODE) != O_RDONLY;
}

/* The way that always works. 0 at the end of the input, or an error, for no bytes too. */
static int move_by_hand(struct transfer* t) {
    if (!can_read_and_write(t))
        return UV_EBADF;
    char* buffer = ph_malloc(BUFFER_SIZE);
    int err = buffer == NULL ? UV_ENOMEM : 0;
    while (err == 0 && t->left > 0) {
        ssize_t n = read_in(t, buffer, t->left < BUFFER_SIZE ? t->left : BUFFER_SIZE);
        if (n == 0)
            break;
        if (n > 0)
            err = write_out(t, buffer, (size_t)n);
        else if (errno != EINTR)
            err = ph_errno();
    }
    ph_free(buffer);
    return err;
}

/* The kernel can't do it with these two descriptors, but somebody else may. */
static bool is_refusal(int error) {
    return ph_is_refusal(error) || error == EINVAL || error == EXDEV || error == EOPNOTSUPP ||
           error == ENOTSOCK || error == EIO || error == EBADF || error == ETXTBSY ||
           error == EOVERFLOW || error == ESPIPE;
}

/*
 * An offset that no file has is refused by sendfile before it looks at the descriptors. What is
 * wrong, as libuv tells it, says copy_file_range; where that refuses too, reading by hand.
 */
static int explain_refused_offset(struct transfer* t) {
    ssize_t n = copy_file_range(t->in, &t->offset, t->out, NULL, t->left, 0);
    if (n >= 0)
        advance(t, (size_t)n);
    else if (errno == EOVERFLOW || errno == EBADF || errno == EISDIR)
        return ph_errno();
    return n >= 0 ? 0 : move_by_hand(t);
}

static bool offset_is_possible(const struct transfer* t) {
    return t->offset >= 0 && (uint64_t)t->offset + t->left <= INT64_MAX;
}

/* Asks at least once, for no bytes too: the kernel says what is wrong with the descriptors. */
static int move_by_sendfile(struct transfer* t) {
    bool any = false;
    do {
        size_t most = t->left < MOST_AT_ONCE ? t->left : MOST_AT_ONCE;
        ssize_t n = sendfile(t->out, t->in, &t->offset, most);
        if (n == 0)
            return 0;
        if (n > 0) {
            advance(t, (size_t)n);
            any = true;
        } else if (errno == EINVAL && !any && !offset_is_possible(t)) {
            return explain_refused_offset(t);
        } else if (errno != EINTR) {
            bool by_hand = !any && errno != EBADF && is_refusal(errno);
            return by_hand ? move_by_hand(t) : ph_errno();
        }
    } while (t->left > 0);
    return 0;
}

/* Bytes that have left count more than the error that stopped them. */
ssize_t ph_fs_sendfile(uv_fs_t* req) {
    struct transfer t = {
        .out = req->file, .in = req->flags, .offset = req->off, .left = req->inline_bufs[0].len};
    int err = move_by_sendfile(&t);
    return t.moved > 0 ? (ssize_t)t.moved : err;
}

/*
 * Up to the end of the input, not to its size: it may grow, and files of /proc have none. Such a
 * file may also look empty to copy_file_range, so an input without bytes is read once more by hand.
 */
static int copy_content(int out, int in) {
    struct transfer t = {.out = out, .in = in, .left = SSIZE_MAX};
    for (;;) {
        ssize_t n = copy_file_range(in, &t.offset, out, NULL, MOST_AT_ONCE, 0);
        if (n == 0)
            return t.moved > 0 ? 0 : move_by_hand(&t);
        if (n > 0)
            advance(&t, (size_t)n);
        else if (errno != EINTR)
            return t.moved == 0 && is_refusal(errno) ? move_by_sendfile(&t) : ph_errno();
    }
}

static int clone_or_copy(int out, int in, int flags) {
    if (flags & (UV_FS_COPYFILE_FICLONE | UV_FS_COPYFILE_FICLONE_FORCE)) {
        if (ioctl(out, FICLONE, in) == 0)
            return 0;
        if (flags & UV_FS_COPYFILE_FICLONE_FORCE)
            return ph_errno();
    }
    return copy_content(out, in);
}

/* The target exists and is open; empties it and gives it the source's mode and content. */
static int fill_target(int out, int in, const struct stat* source, int flags) {
    if (ftruncate(out, 0) != 0 && errno != EINVAL)
        return ph_errno();
    /* Refused on a target of another owner and on file systems without modes. */
    if (fchmod(out, source->st_mode & 07777) != 0 && errno != EPERM)
        return ph_errno();
    return clone_or_copy(out, in, flags);
}

static int copy_to(uv_fs_t* req, int in) {
    const char* target = req->new_path;
    int flags = req->flags;
    struct stat from, to;
    if (fstat(in, &from) != 0)
        return ph_errno();
    if (S_ISDIR(from.st_mode))
        return UV_EISDIR;
    int create = O_WRONLY | O_CREAT | O_CLOEXEC | (flags & UV_FS_COPYFILE_EXCL ? O_EXCL : 0);
    int out = open(target, create, from.st_mode & 07777);
    if (out == -1)
        return ph_errno();
    int err = fstat(out, &to) != 0 ? ph_errno() : 0;
    bool same = err == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino;
    if (err == 0 && !same)
        err = fill_target(out, in, &from, flags);
    if (close(out) != 0 && err == 0 && errno != EINTR && errno != EINPROGRESS)
        err = ph_errno();
    if (err != 0 && !same)
        unlink(target);
    return err;
}

ssize_t ph_fs_copyfile(uv_fs_t* req) {
    int in = open(req->path, O_RDONLY | O_CLOEXEC);
    if (in == -1)
        return ph_errno();
    int err = copy_to(req, in);
    ph_fd_close(in);
    return err;
}
