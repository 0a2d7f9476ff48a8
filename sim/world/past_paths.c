/* Names that a program changes relative to a folder, second names, space that it asks for, and
 * memory that it maps: the same disk, past the library. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/journal.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))

static bool is_inside(void) {
    return ph_world != NULL && ph_thread_counts();
}

bool ph_path_at(int dir, const char* path, char full[PATH_MAX]) {
    char link[64], folder[PATH_MAX];
    if (dir == AT_FDCWD || path[0] == '/')
        return snprintf(full, PATH_MAX, "%s", path) < PATH_MAX;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
    ssize_t length = readlink(link, folder, sizeof(folder) - 1);
    folder[length > 0 ? length : 0] = '\0';
    return folder[0] == '/' && snprintf(full, PATH_MAX, "%s/%s", folder, path) < PATH_MAX;
}

EXPORT int renameat2(int old_dir, const char* from, int new_dir, const char* to, unsigned flags) {
    char full_from[PATH_MAX], full_to[PATH_MAX];
    bool is_plain = (flags & ~(unsigned)RENAME_NOREPLACE) == 0;
    if (!is_inside() || !is_plain || !ph_path_at(old_dir, from, full_from) ||
        !ph_path_at(new_dir, to, full_to))
        return (int)ph_raw_call(SYS_renameat2, old_dir, from, new_dir, to, flags);
    if (flags != 0 && access(full_to, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return __wrap_rename(full_from, full_to);
}

EXPORT int renameat(int old_dir, const char* from, int new_dir, const char* to) {
    return renameat2(old_dir, from, new_dir, to, 0);
}

EXPORT int unlinkat(int dir, const char* path, int flags) {
    char full[PATH_MAX];
    if (!is_inside() || flags != 0 || !ph_path_at(dir, path, full))
        return (int)ph_raw_call(SYS_unlinkat, dir, path, flags);
    return __wrap_unlink(full);
}

EXPORT int linkat(int old_dir, const char* from, int new_dir, const char* to, int flags) {
    char full[PATH_MAX];
    int result = (int)ph_raw_call(SYS_linkat, old_dir, from, new_dir, to, flags);
    if (result == 0 && is_inside() && ph_path_at(new_dir, to, full))
        ph_journal_linked(full);
    return result;
}

EXPORT int link(const char* from, const char* to) {
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static bool no_space(void) {
    return is_inside() && ph_disk_is_full();
}

EXPORT int fallocate(int fd, int mode, off_t offset, off_t size) {
    if (no_space())
        return -1;
    if (is_inside())
        ph_journal_writes(fd);
    return (int)ph_raw_call(SYS_fallocate, fd, mode, offset, size);
}

typedef int (*allocator)(int fd, off_t offset, off_t size);

EXPORT int posix_fallocate(int fd, off_t offset, off_t size) {
    if (no_space())
        return ENOSPC;
    if (is_inside())
        ph_journal_writes(fd);
    allocator real = (allocator)ph_raw_next("posix_fallocate", NULL);
    return real(fd, offset, size);
}

EXPORT ssize_t copy_file_range(int from, off64_t* from_offset, int to, off64_t* to_offset,
                               size_t size, unsigned flags) {
    if (no_space())
        return -1;
    if (is_inside())
        ph_journal_writes(to);
    return ph_raw_call(SYS_copy_file_range, from, from_offset, to, to_offset, size, flags);
}

/* Which file is mapped there, and from which of its bytes on. */
static bool find_mapping(uintptr_t place, char path[PATH_MAX], size_t* offset, size_t* left) {
    char line[PATH_MAX + 128];
    FILE* maps = fopen("/proc/self/maps", "re");
    bool found = false;
    while (maps != NULL && !found && fgets(line, sizeof(line), maps) != NULL) {
        unsigned long from, to, begins;
        int name = 0;
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &from, &to, &begins, &name) < 3 ||
            place < from || place >= to || name == 0 || line[name] != '/')
            continue;
        snprintf(path, PATH_MAX, "%.*s", (int)strcspn(line + name, "\n"), line + name);
        *offset = begins + (place - from);
        *left = to - place;
        found = true;
    }
    if (maps != NULL)
        fclose(maps);
    return found;
}

EXPORT int msync(void* address, size_t size, int flags) {
    char path[PATH_MAX];
    size_t offset, left;
    int result = (int)ph_raw_call(SYS_msync, address, size, flags & ~MS_SYNC);
    uintptr_t place = (uintptr_t)address;
    while (result == 0 && (flags & MS_SYNC) && is_inside() && size > 0 &&
           find_mapping(place, path, &offset, &left)) {
        size_t some = size < left ? size : left;
        ph_journal_mapped_synced(path, (off_t)offset, some);
        place += some;
        size -= some;
    }
    return result;
}

ALIAS("fallocate") int fallocate64(int fd, int mode, off64_t offset, off64_t size);
ALIAS("posix_fallocate") int posix_fallocate64(int fd, off64_t offset, off64_t size);
