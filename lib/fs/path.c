/* Operations whose result is a path. */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/operations.h"
#include "os/fd.h"
#include "os/refusal.h"

/* The kernel does not say how long a link is, and it may change: a buffer that was filled to the
 * end may be too small. */
ssize_t ph_fs_readlink(uv_fs_t* req) {
    for (size_t size = 256;; size *= 2) {
        char* target = ph_malloc(size);
        if (target == NULL)
            return UV_ENOMEM;
        ssize_t length = readlink(req->path, target, size);
        if (length >= 0 && (size_t)length < size) {
            target[length] = '\0';
            req->ptr = target;
            return 0;
        }
        ph_free(target);
        if (length == -1)
            return ph_errno();
    }
}

/* The C library asks with a newer call whether a folder is one, and gives up where a sandbox
 * refuses that. What is open has a name too. Leaves errno if there is none. */
static char* name_by_opening(const char* path) {
    int saved = errno;
    char link[32], name[PATH_MAX];
    ssize_t length = -1;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd != -1) {
        snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
        length = readlink(link, name, sizeof(name) - 1);
        ph_fd_close(fd);
    }
    errno = saved;
    if (length <= 0)
        return NULL;
    name[length] = '\0';
    return strdup(name);
}

/* The C library allocates as much as it takes, but with its own malloc. */
ssize_t ph_fs_realpath(uv_fs_t* req) {
    char* found = realpath(req->path, NULL);
    if (found == NULL && ph_is_refusal(errno))
        found = name_by_opening(req->path);
    if (found == NULL)
        return ph_errno();
    req->ptr = ph_strdup(found);
    free(found);
    return req->ptr != NULL ? 0 : UV_ENOMEM;
}

/* A template that could not be used is made empty: it names nothing. */
static ssize_t made(uv_fs_t* req, ssize_t result) {
    if (result < 0)
        *(char*)req->path = '\0';
    return result;
}

ssize_t ph_fs_mkdtemp(uv_fs_t* req) {
    return mkdtemp((char*)req->path) != NULL ? 0 : ph_errno();
}

ssize_t ph_fs_mkstemp(uv_fs_t* req) {
    return made(req, ph_fs_checked(mkostemp((char*)req->path, O_CLOEXEC)));
}
