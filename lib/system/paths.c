/* Folders of the process, the user and the program. */

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/copy_out.h"
#include "base/error.h"
#include "uv.h"

static bool is_bad_buffer(const char* buffer, const size_t* size) {
    return buffer == NULL || size == NULL || *size == 0;
}

/* A path may be longer than PATH_MAX: the room is doubled until it fits. */
static int copy_long_cwd(char* buffer, size_t* size) {
    for (size_t room = (size_t)2 * PATH_MAX;; room *= 2) {
        char* path = ph_malloc(room);
        if (path == NULL)
            return UV_ENOMEM;
        int err = getcwd(path, room) != NULL ? 0 : ph_errno();
        if (err == 0)
            err = ph_copy_out(path, strlen(path), buffer, size);
        ph_free(path);
        if (err != UV_ERANGE)
            return err;
    }
}

int uv_cwd(char* buffer, size_t* size) {
    char path[PATH_MAX];
    if (is_bad_buffer(buffer, size))
        return UV_EINVAL;
    if (getcwd(path, sizeof(path)) != NULL)
        return ph_copy_out(path, strlen(path), buffer, size);
    return errno == ERANGE ? copy_long_cwd(buffer, size) : ph_errno();
}

int uv_chdir(const char* dir) {
    return chdir(dir) == 0 ? 0 : ph_errno();
}

/* A path that does not fit is cut, as callers of libuv know it. */
int uv_exepath(char* buffer, size_t* size) {
    if (is_bad_buffer(buffer, size))
        return UV_EINVAL;
    ssize_t length = 0;
    if (*size > 1)
        length = readlink("/proc/self/exe", buffer, *size - 1);
    if (length < 0)
        return ph_errno();
    buffer[length] = '\0';
    *size = (size_t)length;
    return 0;
}

/* HOME if it is set, even to nothing; else what the user database says. */
int uv_os_homedir(char* buffer, size_t* size) {
    uv_passwd_t pwd;
    int err = uv_os_getenv("HOME", buffer, size);
    if (err != UV_ENOENT)
        return err;
    err = uv_os_get_passwd(&pwd);
    if (err != 0)
        return err;
    if (pwd.homedir == NULL)
        err = UV_ENOENT;
    else
        err = ph_copy_out(pwd.homedir, strlen(pwd.homedir), buffer, size);
    uv_os_free_passwd(&pwd);
    return err;
}

int uv_os_tmpdir(char* buffer, size_t* size) {
    static const char* const names[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
    int err = UV_ENOENT;
    if (is_bad_buffer(buffer, size))
        return UV_EINVAL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && err == UV_ENOENT; i++)
        err = uv_os_getenv(names[i], buffer, size);
    if (err == UV_ENOENT)
        err = ph_copy_out("/tmp", 4, buffer, size);
    if (err == 0 && *size > 1 && buffer[*size - 1] == '/')
        buffer[--*size] = '\0';
    return err;
}
