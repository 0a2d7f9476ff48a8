/* File requests, and the handles that watch files. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

enum { FILES = 4 };

struct name {
    char text[16];
};

static int open_files[FILES] = {-1, -1, -1, -1};

static struct name name_of(const char* prefix, int number) {
    struct name name;
    snprintf(name.text, sizeof(name.text), "%s%d", prefix, number & (FILES - 1));
    return name;
}

static void log_found(uv_fs_t* request) {
    uv_dirent_t entry;
    unsigned sum = 0;
    if (request->fs_type == UV_FS_READ && request->result > 0)
        log_note(" sum %x", sum_of(object_of(request)->bytes, (size_t)request->result));
    if (request->fs_type == UV_FS_STAT && request->result == 0)
        log_note(" size %d directory %d", (int)request->statbuf.st_size,
                 (request->statbuf.st_mode & S_IFMT) == S_IFDIR);
    if (request->fs_type == UV_FS_READLINK && request->result == 0)
        log_note(" %s", (const char*)request->ptr);
    if (request->fs_type != UV_FS_SCANDIR)
        return;
    while (uv_fs_scandir_next(request, &entry) == 0)
        sum += sum_of(entry.name, strlen(entry.name)) + (unsigned)entry.type;
    log_note(" sum %x", sum);
}

/* Notes what a finished request brought; `path` is as long as the request's path is valid. */
static void take(uv_fs_t* request) {
    struct object* object = object_of(request);
    if (request->fs_type == UV_FS_OPEN && request->result >= 0) {
        int slot = object->fd;
        if (open_files[slot] != -1)
            close(open_files[slot]);
        open_files[slot] = (int)request->result;
        request->result = 0;
    }
    log_found(request);
    uv_fs_req_cleanup(request);
    free_request(object);
}

static void on_fs(uv_fs_t* request) {
    struct object* object = object_of(request);
    long long result = request->fs_type == UV_FS_OPEN && request->result > 0 ? 0 : request->result;
    log_line("file %d type %d%s", object->id, request->fs_type,
             request->path != NULL ? " with a path" : "");
    take(request);
    called(object, "done", "%s", result_text(result));
}

static uv_fs_t* new_request(struct object* object, int now) {
    if (!now)
        pool_is_used(false);
    return born(object, sizeof(uv_fs_t));
}

/* A request without a callback is done when its function returns. */
static int started(struct object* object, int now, int result) {
    if (now)
        take(object->fs);
    else if (result != 0) {
        uv_fs_req_cleanup(object->fs);
        free_request(object);
    }
    return result;
}

/* The third argument of each: without a callback. */
#define BEGIN(object, now)                \
    uv_fs_cb done = (now) ? NULL : on_fs; \
    uv_fs_t* request = NULL;              \
    if ((object)->state == LIVE)          \
        return SKIPPED;                   \
    (object)->fd = -1;                    \
    request = new_request(object, now)

static int op_fs_open(struct object* object, const int* a) {
    static const int flags[] = {O_RDONLY, O_RDWR | O_CREAT, O_RDWR | O_CREAT | O_TRUNC,
                                O_WRONLY | O_CREAT | O_EXCL};
    BEGIN(object, a[2]);
    object->fd = a[0] & (FILES - 1);
    struct name name = name_of("file", a[0]);
    int result = uv_fs_open(object->loop, request, name.text, flags[a[1] & 3], 0600, done);
    result = started(object, a[2], result);
    return result > 0 ? 0 : result; /* which number it got is nobody's promise */
}

static int op_fs_close(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    int fd = open_files[a[0] & (FILES - 1)];
    open_files[a[0] & (FILES - 1)] = -1;
    return started(object, a[2], uv_fs_close(object->loop, request, fd, done));
}

static int op_fs_read(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    int fd = open_files[a[0] & (FILES - 1)];
    uv_buf_t buffer = uv_buf_init(object->bytes, (unsigned)a[1] % sizeof(object->bytes));
    return started(object, a[2],
                   uv_fs_read(object->loop, request, fd, &buffer, 1, a[1] % 3 - 1, done));
}

static int op_fs_write(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    int fd = open_files[a[0] & (FILES - 1)];
    memset(object->bytes, 'a' + a[1] % 26, sizeof(object->bytes));
    uv_buf_t buffer = uv_buf_init(object->bytes, (unsigned)a[1] % sizeof(object->bytes));
    return started(object, a[2],
                   uv_fs_write(object->loop, request, fd, &buffer, 1, a[1] % 3 - 1, done));
}

static int op_fs_stat(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name name = name_of(a[1] ? "folder" : "file", a[0]);
    return started(object, a[2], uv_fs_stat(object->loop, request, name.text, done));
}

static int op_fs_unlink(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name name = name_of("file", a[0]);
    return started(object, a[2], uv_fs_unlink(object->loop, request, name.text, done));
}

static int op_fs_rename(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name from = name_of("file", a[0]), to = name_of("file", a[1]);
    return started(object, a[2], uv_fs_rename(object->loop, request, from.text, to.text, done));
}

static int op_fs_copyfile(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name from = name_of("file", a[0]), to = name_of("file", a[1]);
    return started(object, a[2],
                   uv_fs_copyfile(object->loop, request, from.text, to.text, a[1] & 1, done));
}

static int op_fs_mkdir(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name name = name_of("folder", a[0]);
    return started(object, a[2], uv_fs_mkdir(object->loop, request, name.text, 0700, done));
}

static int op_fs_rmdir(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name name = name_of("folder", a[0]);
    return started(object, a[2], uv_fs_rmdir(object->loop, request, name.text, done));
}

static int op_fs_symlink(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name from = name_of("file", a[0]), to = name_of("file", a[1]);
    return started(object, a[2], uv_fs_symlink(object->loop, request, from.text, to.text, 0, done));
}

static int op_fs_readlink(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name name = name_of("file", a[0]);
    return started(object, a[2], uv_fs_readlink(object->loop, request, name.text, done));
}

static int op_fs_access(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    struct name name = name_of("file", a[0]);
    return started(object, a[2], uv_fs_access(object->loop, request, name.text, a[1] & 7, done));
}

static int op_fs_ftruncate(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    int fd = open_files[a[0] & (FILES - 1)];
    return started(object, a[2], uv_fs_ftruncate(object->loop, request, fd, a[1], done));
}

static int op_fs_scandir(struct object* object, const int* a) {
    BEGIN(object, a[2]);
    return started(object, a[2], uv_fs_scandir(object->loop, request, ".", 0, done));
}

/* Changes a file behind the library's back, for those who watch. */
static int op_touch(struct object* object, const int* a) {
    struct name name = name_of("file", a[0]);
    (void)object;
    int fd = open(name.text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd == -1 || write(fd, "touched", 7) != 7)
        log_note(" failed");
    if (fd != -1)
        close(fd);
    return NOTHING;
}

static int op_remove(struct object* object, const int* a) {
    struct name name = name_of("file", a[0]);
    (void)object;
    log_note(" %d", unlink(name.text));
    return NOTHING;
}

static void on_fs_event(uv_fs_event_t* event, const char* name, int events, int status) {
    called(object_of(event), "changed", "%s events %d %s", name != NULL ? name : "-", events,
           result_text(status));
}

static void on_fs_poll(uv_fs_poll_t* poll, int status, const uv_stat_t* before,
                       const uv_stat_t* after) {
    called(object_of(poll), "polled", "%s size %d then %d", result_text(status),
           (int)before->st_size, (int)after->st_size);
}

/* watch E FILE INTERVAL: FILE over 3 is the folder itself */
static int op_watch(struct object* object, const int* a) {
    struct name name = name_of("file", a[0]);
    const char* path = a[0] >= FILES ? "." : name.text;
    if (object->kind == FS_EVENT)
        return uv_fs_event_start(object->fs_event, on_fs_event, path, 0);
    pool_is_used(false);
    return uv_fs_poll_start(object->fs_poll, on_fs_poll, path, (unsigned)a[1]);
}

static int op_unwatch(struct object* object, const int* a) {
    (void)a;
    if (may_be_due(object))
        return SKIPPED;
    return object->kind == FS_EVENT ? uv_fs_event_stop(object->fs_event)
                                    : uv_fs_poll_stop(object->fs_poll);
}

const struct operation file_operations[] = {
    {"fs_open", 1 << FS, true, op_fs_open},
    {"fs_close", 1 << FS, true, op_fs_close},
    {"fs_read", 1 << FS, true, op_fs_read},
    {"fs_write", 1 << FS, true, op_fs_write},
    {"fs_stat", 1 << FS, true, op_fs_stat},
    {"fs_unlink", 1 << FS, true, op_fs_unlink},
    {"fs_rename", 1 << FS, true, op_fs_rename},
    {"fs_copyfile", 1 << FS, true, op_fs_copyfile},
    {"fs_mkdir", 1 << FS, true, op_fs_mkdir},
    {"fs_rmdir", 1 << FS, true, op_fs_rmdir},
    {"fs_symlink", 1 << FS, true, op_fs_symlink},
    {"fs_readlink", 1 << FS, true, op_fs_readlink},
    {"fs_access", 1 << FS, true, op_fs_access},
    {"fs_ftruncate", 1 << FS, true, op_fs_ftruncate},
    {"fs_scandir", 1 << FS, true, op_fs_scandir},
    {"touch", 0, false, op_touch},
    {"remove", 0, false, op_remove},
    {"watch", 1 << FS_EVENT | 1 << FS_POLL, false, op_watch},
    {"unwatch", 1 << FS_EVENT | 1 << FS_POLL, false, op_unwatch},
    {NULL, 0, false, NULL}};
