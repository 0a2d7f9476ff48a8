#include "bindings/pinned.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bindings/granted.h"

/* The descriptors that the program has opened, one bit each, and the standard streams. Higher ones
 * are never held. */
enum { MOST_DESCRIPTORS = 1 << 16, BITS = 32 };

static _Atomic uint32_t programs[MOST_DESCRIPTORS / BITS] = {7};

void ph_descriptor_is_programs(int fd) {
    if (fd >= 0 && fd < MOST_DESCRIPTORS)
        programs[fd / BITS] |= (uint32_t)1 << (fd % BITS);
}

bool ph_may_close(int fd) {
    if (fd < 0 || fd >= MOST_DESCRIPTORS || ph_has_all_files())
        return true;
    uint32_t bit = (uint32_t)1 << (fd % BITS);
    return (atomic_fetch_and(&programs[fd / BITS], ~bit) & bit) != 0;
}

static int hold(const char* path, int flags) {
    int fd = open(path, O_PATH | O_CLOEXEC | flags);
    if (fd < MOST_DESCRIPTORS)
        return fd < 0 ? -errno : fd;
    close(fd);
    return -EMFILE;
}

/* Where the descriptor leads, and with a name, what that is called there. Pipes and sockets have no
 * place; the program has them open already. */
static bool is_granted(int fd, const char* name, unsigned access) {
    char link[64];
    char place[PATH_MAX + NAME_MAX + 2];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, place, PATH_MAX);
    if (length <= 0 || length >= PATH_MAX)
        return false;
    place[length] = '\0';
    if (place[0] != '/')
        return name == NULL && strchr(place, '/') == NULL;
    if (name != NULL)
        sprintf(place + (length == 1 ? 0 : length), "/%s", name);
    return ph_may_use_place(place, access);
}

static int finish(int fd, const char* name, const char* rest, unsigned access, ph_pinned* out) {
    size_t size = 64 + (name == NULL ? 0 : strlen(name));
    char* path = is_granted(fd, name, access) ? malloc(size) : NULL;
    if (path == NULL) {
        close(fd);
        return PH_PIN_DENIED;
    }
    snprintf(path, size, "/proc/self/fd/%d%s%s%s", fd, name == NULL ? "" : "/",
             name == NULL ? "" : name, rest);
    out->path = path;
    out->fd = fd;
    out->is_name = name != NULL;
    return 0;
}

/* A link at the end is not followed. */
static int pin_name(const char* path, unsigned access, ph_pinned* out) {
    char folder[PATH_MAX];
    char name[NAME_MAX + 1];
    size_t length = strlen(path);
    if (length >= PATH_MAX)
        return -ENAMETOOLONG;
    bool has_name = ph_split_path(path, folder, name);
    int fd = hold(has_name ? folder : path, O_DIRECTORY);
    if (fd < 0)
        return fd;
    if (!has_name)
        return finish(fd, NULL, "/.", access, out);
    return finish(fd, name, path[length - 1] == '/' ? "/" : "", access, out);
}

int ph_pin(const char* path, unsigned access, int flags, ph_pinned* out) {
    memset(out, 0, sizeof(*out));
    if (path[0] == '\0' || ph_has_all_of(access))
        return 0;
    bool makes_only = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0;
    if ((access & PH_ITSELF) != 0 || makes_only || (flags & O_NOFOLLOW) != 0)
        return pin_name(path, access, out);
    int fd = hold(path, 0);
    /* Behind a slash is a folder, also for calls that would not follow the name of the descriptor.
     */
    if (fd >= 0)
        return finish(fd, NULL, path[strlen(path) - 1] == '/' ? "/." : "", access, out);
    char place[PATH_MAX];
    if (fd != -ENOENT || (flags & O_CREAT) == 0 || !ph_find_place(path, place))
        return fd;
    out->is_new = true;
    return pin_name(place, access, out);
}

void ph_unpin(ph_pinned* pinned) {
    if (pinned->path == NULL)
        return;
    close(pinned->fd);
    free(pinned->path);
    pinned->path = NULL;
}

const char* ph_pinned_path(const ph_pinned* pinned, const char* given) {
    return pinned->path == NULL ? given : pinned->path;
}

int ph_pinned_flags(const ph_pinned* pinned, int flags) {
    return pinned->path != NULL && pinned->is_name ? flags | O_NOFOLLOW : flags;
}
