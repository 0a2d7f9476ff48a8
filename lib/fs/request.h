#ifndef PH_FS_REQUEST_H
#define PH_FS_REQUEST_H

/*
 * The life of a file request: an entry point begins it, notes its arguments in it and starts it.
 *
 * A request owns, until uv_fs_req_cleanup: its copies of paths (with a callback, and always for the
 * templates, which change), its list of buffers if it has more than fit inside, and what `ptr`
 * points to, unless that is its own statbuf or an open directory.
 */

#include "uv.h"

/* Each returns 0 or an error, and then uv_fs_req_cleanup is harmless. */
int ph_fs_begin(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, uv_fs_cb cb);
int ph_fs_begin_file(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, uv_file file, uv_fs_cb cb);
int ph_fs_begin_path(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, const char* path, uv_fs_cb cb);
int ph_fs_begin_two_paths(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, const char* path,
                          const char* new_path, uv_fs_cb cb);
int ph_fs_begin_template(uv_loop_t* loop, uv_fs_t* req, uv_fs_type type, const char* tpl,
                         uv_fs_cb cb);
int ph_fs_set_bufs(uv_fs_t* req, const uv_buf_t* bufs, unsigned int nbufs);

/* Without a callback: performs the operation and returns its result. With one: 0, or the error that
 * kept it from starting. */
int ph_fs_start(uv_fs_t* req);

#endif
