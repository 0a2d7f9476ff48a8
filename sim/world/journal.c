#include "world/journal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world/real.h"
#include "world/world.h"

enum change { WRITTEN, CREATED, MOVED, REMOVED };

enum { LARGEST_KEPT = 16 * 1024 * 1024, PATH_ROOM = 512 };

struct entry {
    struct uv__queue node; /* in world.unsynced */
    enum change change;
    int host;
    dev_t device;
    ino_t inode; /* of the file; of the folder for MOVED and REMOVED */
    off_t offset;
    off_t old_size;
    mode_t mode;
    bool had_target;
    char path[PATH_ROOM];
    char target[PATH_ROOM]; /* where it was moved to */
    size_t size;            /* of the bytes that were there before */
    unsigned char bytes[];
};

static void path_of(int fd, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
}

static void absolute(const char* path, char full[PATH_MAX]) {
    char folder[PATH_MAX];
    if (path[0] == '/' || getcwd(folder, sizeof(folder)) == NULL)
        snprintf(full, PATH_MAX, "%s", path);
    else if ((size_t)snprintf(full, PATH_MAX, "%s/%s", folder, path) >= PATH_MAX)
        full[0] = '\0';
}

/* The folder that a path is in. */
static bool folder_of(const char* path, struct stat* info) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof(folder), "%s", path);
    char* slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    slash[slash == folder] = '\0';
    return stat(folder, info) == 0;
}

static void copy_path(char to[PATH_ROOM], const char* from) {
    size_t length = strlen(from);
    if (length >= PATH_ROOM)
        ph_world_end("a path is too long to be remembered: %.80s...", from);
    memcpy(to, from, length + 1);
}

static struct entry* add(enum change change, size_t size) {
    struct entry* entry = ph_world_alloc(sizeof(*entry) + size);
    if (entry == NULL)
        ph_world_end("the world has no room for what was not synced");
    entry->change = change;
    entry->host = ph_host_here();
    entry->size = size;
    ph_queue_push(&ph_world->unsynced, &entry->node);
    return entry;
}

static void drop(struct entry* entry) {
    ph_queue_remove(&entry->node);
    ph_world_free(entry, sizeof(*entry) + entry->size);
}

static void note_content(int fd, const char* path, off_t offset, size_t size) {
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    size_t there = offset < info.st_size ? (size_t)(info.st_size - offset) : 0;
    if (there > size)
        there = size;
    if (there > LARGEST_KEPT)
        return;
    ph_world_lock();
    struct entry* entry = add(WRITTEN, there);
    entry->device = info.st_dev;
    entry->inode = info.st_ino;
    entry->offset = offset;
    entry->old_size = info.st_size;
    copy_path(entry->path, path);
    int own = __real_open(path, O_RDONLY | O_CLOEXEC);
    if (own != -1) {
        if (there > 0 && __real_pread(own, entry->bytes, there, offset) != (ssize_t)there)
            memset(entry->bytes, 0, there);
        __real_close(own);
    }
    ph_world_unlock();
}

void ph_journal_write(int fd, off_t offset, size_t size) {
    char path[PATH_MAX];
    struct stat info;
    path_of(fd, path);
    if (offset < 0) {
        bool appends = fcntl(fd, F_GETFL) & O_APPEND;
        offset = appends && fstat(fd, &info) == 0 ? info.st_size : lseek(fd, 0, SEEK_CUR);
    }
    if (offset >= 0)
        note_content(fd, path, offset, size);
}

void ph_journal_truncate(int fd, off_t size) {
    char path[PATH_MAX];
    path_of(fd, path);
    note_content(fd, path, size, LARGEST_KEPT);
}

void ph_journal_truncate_path(const char* path) {
    char full[PATH_MAX];
    absolute(path, full);
    int fd = __real_open(full, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return;
    note_content(fd, full, 0, LARGEST_KEPT);
    __real_close(fd);
}

void ph_journal_created(const char* path) {
    struct stat info;
    char full[PATH_MAX];
    absolute(path, full);
    if (stat(full, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    ph_world_lock();
    struct entry* entry = add(CREATED, 0);
    entry->device = info.st_dev;
    entry->inode = info.st_ino;
    copy_path(entry->path, full);
    ph_world_unlock();
}

/* A name that goes away, with what was behind it. */
static struct entry* note_lost(enum change change, const char* path) {
    struct stat info;
    struct stat folder;
    bool there = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    size_t size = there && info.st_size <= LARGEST_KEPT ? (size_t)info.st_size : 0;
    if (!folder_of(path, &folder))
        return NULL;
    struct entry* entry = add(change, size);
    entry->device = folder.st_dev;
    entry->inode = folder.st_ino;
    entry->had_target = there;
    entry->mode = there ? info.st_mode & 07777 : 0600;
    int fd = there ? __real_open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd != -1) {
        if (size > 0 && __real_pread(fd, entry->bytes, size, 0) != (ssize_t)size)
            memset(entry->bytes, 0, size);
        __real_close(fd);
    }
    return entry;
}

void ph_journal_rename(const char* from, const char* to) {
    char full_from[PATH_MAX];
    char full_to[PATH_MAX];
    if (access(from, F_OK) != 0)
        return;
    absolute(from, full_from);
    absolute(to, full_to);
    ph_world_lock();
    struct entry* entry = note_lost(MOVED, full_to);
    if (entry != NULL) {
        copy_path(entry->path, full_from);
        copy_path(entry->target, full_to);
    }
    ph_world_unlock();
}

void ph_journal_unlink(const char* path) {
    char full[PATH_MAX];
    struct stat info;
    absolute(path, full);
    if (stat(full, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    ph_world_lock();
    struct entry* entry = note_lost(REMOVED, full);
    if (entry != NULL)
        copy_path(entry->path, full);
    ph_world_unlock();
}

/* A synced folder keeps the names in it; a synced file its content and that it was made. */
static bool lasts(const struct entry* entry, const struct stat* synced) {
    struct stat folder;
    if (S_ISDIR(synced->st_mode) && entry->change == CREATED)
        return folder_of(entry->path, &folder) && folder.st_ino == synced->st_ino &&
               folder.st_dev == synced->st_dev;
    return entry->inode == synced->st_ino && entry->device == synced->st_dev;
}

void ph_journal_synced(int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0)
        return;
    ph_world_lock();
    for (struct uv__queue *next, *node = ph_world->unsynced.next; node != &ph_world->unsynced;
         node = next) {
        struct entry* entry = PH_CONTAINER_OF(node, struct entry, node);
        next = node->next;
        if (entry->host == ph_host_here() && lasts(entry, &info))
            drop(entry);
    }
    ph_world_unlock();
}

static void put_back(const char* path, const struct entry* entry, int flags, off_t offset) {
    int fd = __real_open(path, flags | O_WRONLY | O_CLOEXEC, entry->mode);
    if (fd == -1)
        return;
    if (entry->size > 0 &&
        __real_pwrite(fd, entry->bytes, entry->size, offset) != (ssize_t)entry->size)
        ph_world_log("crash could not restore %s", path);
    if (entry->change == WRITTEN && __real_ftruncate(fd, entry->old_size) != 0)
        ph_world_log("crash could not shorten %s", path);
    __real_close(fd);
}

static void undo(const struct entry* entry) {
    switch (entry->change) {
    case WRITTEN:
        put_back(entry->path, entry, 0, entry->offset);
        break;
    case CREATED:
        __real_unlink(entry->path);
        break;
    case MOVED:
        __real_rename(entry->target, entry->path);
        if (entry->had_target)
            put_back(entry->target, entry, O_CREAT, 0);
        break;
    default:
        put_back(entry->path, entry, O_CREAT, 0);
    }
}

/* With the lock held. */
void ph_journal_undo(int host) {
    for (struct uv__queue *before, *node = ph_world->unsynced.prev; node != &ph_world->unsynced;
         node = before) {
        struct entry* entry = PH_CONTAINER_OF(node, struct entry, node);
        before = node->prev;
        if (entry->host != host)
            continue;
        undo(entry);
        drop(entry);
    }
}
