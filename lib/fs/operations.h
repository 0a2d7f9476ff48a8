#ifndef PH_FS_OPERATIONS_H
#define PH_FS_OPERATIONS_H

/*
 * What the file requests do. Each operation takes its arguments from the request and returns what
 * goes to req->result: 0, a count, a descriptor, or an error. It may run on any thread and touches
 * nothing but the request.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "uv.h"

/* Runs the request's operation and sets req->result. */
void ph_fs_perform(uv_fs_t* req);

ssize_t ph_fs_copyfile(uv_fs_t* req);
ssize_t ph_fs_sendfile(uv_fs_t* req);

ssize_t ph_fs_scandir(uv_fs_t* req);
ssize_t ph_fs_opendir(uv_fs_t* req);
ssize_t ph_fs_readdir(uv_fs_t* req);
ssize_t ph_fs_closedir(uv_fs_t* req);
/* Frees the names that a finished uv_fs_readdir gave out. */
void ph_fs_free_dirents(uv_fs_t* req);

ssize_t ph_fs_stat(uv_fs_t* req);
ssize_t ph_fs_lstat(uv_fs_t* req);
ssize_t ph_fs_fstat(uv_fs_t* req);
ssize_t ph_fs_statfs(uv_fs_t* req);
ssize_t ph_fs_utime(uv_fs_t* req);
ssize_t ph_fs_futime(uv_fs_t* req);
ssize_t ph_fs_lutime(uv_fs_t* req);

ssize_t ph_fs_readlink(uv_fs_t* req);
ssize_t ph_fs_realpath(uv_fs_t* req);
ssize_t ph_fs_mkdtemp(uv_fs_t* req);
ssize_t ph_fs_mkstemp(uv_fs_t* req);

static inline ssize_t ph_fs_checked(ssize_t result) {
    return result == -1 ? ph_errno() : result;
}

#endif
