#include "world/journal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/times.h"
#include "world/unkind.h"
#include "world/world.h"

enum { LARGEST_KEPT = 16 * 1024 * 1024, PATH_ROOM = 512 };

/* A file, and what its host's disk has of it for certain. */
struct file {
    struct uv__queue node; /* in world.files */
    int host;
    dev_t device;
    ino_t inode; /* 0: it has lost its last name */
    char path[PATH_ROOM];
    size_t size;
    size_t room;
    unsigned char* bytes;
};

enum kind { CREATED, MOVED, REMOVED };

/* A change of names that may not last. */
struct change {
    struct uv__queue node; /* in world.unsynced */
    enum kind kind;
    int host;
    dev_t device;
    ino_t inode; /* of the file that was created; of the folder otherwise */
    mode_t mode;
    bool had_target;
    struct file* lost; /* of the file that lost its name; NULL: nothing of it was unsynced */
    char path[PATH_ROOM];
    char target[PATH_ROOM]; /* where it was moved to */
    size_t size;            /* of what the lost file held */
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
    return ph_raw_stat(folder, info) == 0;
}

static void copy_path(char to[PATH_ROOM], const char* from) {
    size_t length = strlen(from);
    if (length >= PATH_ROOM)
        ph_world_end("a path is too long to be remembered: %.80s...", from);
    memcpy(to, from, length + 1);
}

static struct file* find(const struct stat* info, int host) {
    for (struct uv__queue* node = ph_world->files.next; node != &ph_world->files;
         node = node->next) {
        struct file* file = PH_CONTAINER_OF(node, struct file, node);
        if (file->inode == info->st_ino && file->device == info->st_dev && file->host == host)
            return file;
    }
    return NULL;
}

static void make_room(struct file* file, size_t size) {
    if (size <= file->room)
        return;
    unsigned char* bytes = ph_world_alloc(size);
    if (bytes == NULL)
        ph_world_end("the world has no room for what was not synced");
    if (file->size > 0)
        memcpy(bytes, file->bytes, file->size);
    ph_world_free(file->bytes, file->room);
    file->bytes = bytes;
    file->room = size;
}

/* Reads up to `size` bytes; those that are not there are zeros. */
static void read_content(const char* path, unsigned char* bytes, size_t offset, size_t size) {
    int fd = ph_raw_open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd != -1 ? ph_raw_pread(fd, bytes, size, (off_t)offset) : 0;
    size_t there = got > 0 ? (size_t)got : 0;
    memset(bytes + there, 0, size - there);
    if (fd != -1)
        ph_raw_close(fd);
}

/* What is in the file now lasts. */
static void keep_content(struct file* file, const struct stat* info) {
    size_t size = (size_t)info->st_size;
    if (size > LARGEST_KEPT) {
        ph_leak("a file of more than 16 MB that a crash does not undo", NULL);
        size = LARGEST_KEPT;
    }
    make_room(file, size);
    if (size > 0)
        read_content(file->path, file->bytes, 0, size);
    file->size = size;
}

/* From now on, unless it is known: with the content that it has. */
static void know(const char* path, const struct stat* info, bool empty) {
    if (!S_ISREG(info->st_mode) || find(info, ph_host_here()) != NULL)
        return;
    struct file* file = ph_world_alloc(sizeof(*file));
    if (file == NULL)
        ph_world_end("the world has no room for what was not synced");
    file->host = ph_host_here();
    file->device = info->st_dev;
    file->inode = info->st_ino;
    copy_path(file->path, path);
    ph_queue_push(&ph_world->files, &file->node);
    if (!empty)
        keep_content(file, info);
}

void ph_journal_opens(const char* path) {
    char full[PATH_MAX];
    struct stat info;
    absolute(path, full);
    ph_world_lock();
    if (ph_raw_stat(full, &info) == 0)
        know(full, &info, false);
    ph_world_unlock();
}

void ph_journal_writes(int fd) {
    char path[PATH_MAX];
    struct stat info;
    if (ph_raw_fstat(fd, &info) != 0 || info.st_nlink == 0)
        return;
    ph_world_lock();
    if (find(&info, ph_host_here()) == NULL) {
        path_of(fd, path);
        know(path, &info, false);
    }
    ph_world_unlock();
}

static struct change* add(enum kind kind, size_t size) {
    struct change* change = ph_world_alloc(sizeof(*change) + size);
    if (change == NULL)
        ph_world_end("the world has no room for what was not synced");
    change->kind = kind;
    change->host = ph_host_here();
    change->size = size;
    ph_queue_push(&ph_world->unsynced, &change->node);
    return change;
}

static void forget_file(struct file* file) {
    ph_queue_remove(&file->node);
    ph_world_free(file->bytes, file->room);
    ph_world_free(file, sizeof(*file));
}

static void drop(struct change* change) {
    ph_queue_remove(&change->node);
    if (change->lost != NULL && change->lost->inode == 0)
        forget_file(change->lost);
    ph_world_free(change, sizeof(*change) + change->size);
}

static void note_name(const char* path, bool is_new_file) {
    struct stat info;
    char full[PATH_MAX];
    absolute(path, full);
    if (ph_raw_stat(full, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    ph_world_lock();
    struct change* change = add(CREATED, 0);
    change->device = info.st_dev;
    change->inode = info.st_ino;
    copy_path(change->path, full);
    if (is_new_file) {
        ph_inode_made(info.st_dev, info.st_ino);
        know(full, &info, true);
    }
    ph_world_unlock();
}

void ph_journal_created(const char* path) {
    note_name(path, true);
}

/* A second name of a file. */
void ph_journal_linked(const char* path) {
    note_name(path, false);
}

/* A name that goes away, with what was behind it. */
static struct change* note_lost(enum kind kind, const char* path) {
    struct stat info;
    struct stat folder;
    bool there = ph_raw_stat(path, &info) == 0 && S_ISREG(info.st_mode);
    size_t size = there && info.st_size <= LARGEST_KEPT ? (size_t)info.st_size : 0;
    if (!folder_of(path, &folder))
        return NULL;
    struct change* change = add(kind, size);
    change->device = folder.st_dev;
    change->inode = folder.st_ino;
    change->had_target = there;
    change->mode = there ? info.st_mode & 07777 : 0600;
    if (size > 0)
        read_content(path, change->bytes, 0, size);
    change->lost = there ? find(&info, change->host) : NULL;
    if (change->lost != NULL && info.st_nlink == 1)
        change->lost->inode = 0;
    return change;
}

static void move_path(const char* from, const char* to) {
    for (struct uv__queue* node = ph_world->files.next; node != &ph_world->files;
         node = node->next) {
        struct file* file = PH_CONTAINER_OF(node, struct file, node);
        if (file->inode != 0 && strcmp(file->path, from) == 0)
            copy_path(file->path, to);
    }
}

void ph_journal_rename(const char* from, const char* to) {
    char full_from[PATH_MAX];
    char full_to[PATH_MAX];
    if (access(from, F_OK) != 0)
        return;
    absolute(from, full_from);
    absolute(to, full_to);
    if (strcmp(full_from, full_to) == 0)
        return;
    ph_world_lock();
    struct change* change = note_lost(MOVED, full_to);
    if (change != NULL) {
        copy_path(change->path, full_from);
        copy_path(change->target, full_to);
        move_path(full_from, full_to);
    }
    ph_world_unlock();
}

void ph_journal_unlink(const char* path) {
    char full[PATH_MAX];
    struct stat info;
    absolute(path, full);
    if (ph_raw_stat(full, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    ph_world_lock();
    struct change* change = note_lost(REMOVED, full);
    if (change != NULL)
        copy_path(change->path, full);
    ph_world_unlock();
}

/* A synced folder keeps the names in it; a synced file that it was made. */
static bool lasts(const struct change* change, const struct stat* synced) {
    struct stat folder;
    if (S_ISDIR(synced->st_mode) && change->kind == CREATED)
        return folder_of(change->path, &folder) && folder.st_ino == synced->st_ino &&
               folder.st_dev == synced->st_dev;
    return change->inode == synced->st_ino && change->device == synced->st_dev;
}

static void drop_lasting(int host, const struct stat* synced) {
    for (struct uv__queue *next, *node = ph_world->unsynced.next; node != &ph_world->unsynced;
         node = next) {
        struct change* change = PH_CONTAINER_OF(node, struct change, node);
        next = node->next;
        if (change->host == host && (synced == NULL || lasts(change, synced)))
            drop(change);
    }
}

void ph_journal_synced(int fd) {
    struct stat info;
    if (ph_raw_fstat(fd, &info) != 0)
        return;
    ph_world_lock();
    struct file* file = S_ISREG(info.st_mode) ? find(&info, ph_host_here()) : NULL;
    if (file != NULL)
        keep_content(file, &info);
    drop_lasting(ph_host_here(), &info);
    ph_world_unlock();
}

void ph_journal_synced_all(void) {
    struct stat info;
    ph_world_lock();
    for (struct uv__queue* node = ph_world->files.next; node != &ph_world->files;
         node = node->next) {
        struct file* file = PH_CONTAINER_OF(node, struct file, node);
        if (file->host == ph_host_here() && file->inode != 0 && ph_raw_stat(file->path, &info) == 0)
            keep_content(file, &info);
    }
    drop_lasting(ph_host_here(), NULL);
    ph_world_unlock();
}

static void keep_part(const struct stat* info, off_t offset, size_t size) {
    size_t end = (size_t)offset + size;
    ph_world_lock();
    struct file* file = find(info, ph_host_here());
    if (file != NULL && offset >= 0 && end <= LARGEST_KEPT) {
        make_room(file, end);
        if (file->size < end) {
            memset(file->bytes + file->size, 0, end - file->size);
            file->size = end;
        }
        read_content(file->path, file->bytes + offset, (size_t)offset, size);
        drop_lasting(file->host, info);
    }
    ph_world_unlock();
}

/* With O_SYNC or O_DSYNC what was written lasts, and nothing else does. */
void ph_journal_wrote_at(int fd, off_t offset, size_t size) {
    struct stat info;
    if ((fcntl(fd, F_GETFL) & (O_SYNC | O_DSYNC)) != 0 && ph_raw_fstat(fd, &info) == 0)
        keep_part(&info, offset, size);
}

void ph_journal_mapped_synced(const char* path, off_t offset, size_t size) {
    struct stat info;
    if (ph_raw_stat(path, &info) != 0 || offset >= info.st_size)
        return;
    size_t there = (size_t)(info.st_size - offset);
    keep_part(&info, offset, size < there ? size : there);
}

void ph_journal_wrote(int fd, size_t size) {
    off_t place = lseek(fd, 0, SEEK_CUR);
    ph_journal_wrote_at(fd, place - (off_t)size, size);
}

static void put_content(const char* path, const unsigned char* bytes, size_t size) {
    int fd = ph_raw_open(path, O_WRONLY | O_CLOEXEC);
    if (fd == -1 || (size > 0 && ph_raw_pwrite(fd, bytes, size, 0) != (ssize_t)size) ||
        ph_raw_ftruncate(fd, (off_t)size) != 0)
        ph_world_log("crash could not restore %s", path);
    if (fd != -1)
        ph_raw_close(fd);
}

/* A lost file has its name again, and with it what was on its way to the disk. */
static void put_back(const char* path, const struct change* change) {
    struct stat info;
    int fd = ph_raw_open(path, O_CREAT | O_WRONLY | O_CLOEXEC, change->mode);
    if (fd == -1)
        return;
    if (change->size > 0 && ph_raw_pwrite(fd, change->bytes, change->size, 0) < 0)
        ph_world_log("crash could not restore %s", path);
    if (change->lost != NULL && ph_raw_fstat(fd, &info) == 0) {
        change->lost->inode = info.st_ino;
        copy_path(change->lost->path, path);
    }
    ph_raw_close(fd);
}

static void undo(const struct change* change) {
    switch (change->kind) {
    case CREATED:
        ph_raw_unlink(change->path);
        break;
    case MOVED:
        ph_raw_rename(change->target, change->path);
        move_path(change->target, change->path);
        if (change->had_target)
            put_back(change->target, change);
        break;
    default:
        put_back(change->path, change);
    }
}

static uint64_t count_changes(int host) {
    uint64_t count = 0;
    for (struct uv__queue* node = ph_world->unsynced.next; node != &ph_world->unsynced;
         node = node->next)
        count += PH_CONTAINER_OF(node, struct change, node)->host == host;
    return count;
}

/* The newest first; the oldest, which have reached the disk, stay. */
static void undo_names(int host, bool tears) {
    uint64_t count = count_changes(host);
    uint64_t lost = tears ? ph_draw_below(PH_CHANCE_DISK, count + 1) : count;
    for (struct uv__queue *before, *node = ph_world->unsynced.prev; node != &ph_world->unsynced;
         node = before) {
        struct change* change = PH_CONTAINER_OF(node, struct change, node);
        before = node->prev;
        if (change->host != host)
            continue;
        if (lost > 0) {
            undo(change);
            lost--;
        }
        drop(change);
    }
}

static void undo_content(const struct file* file, bool tears) {
    struct stat info;
    if (file->inode == 0 || ph_raw_stat(file->path, &info) != 0 || info.st_ino != file->inode ||
        info.st_dev != file->device || info.st_size > LARGEST_KEPT)
        return;
    size_t size = (size_t)info.st_size;
    unsigned char* now = ph_world_alloc(size + 1);
    unsigned char* mixed = tears ? ph_world_alloc(size + file->size + 1) : NULL;
    if (now == NULL || (tears && mixed == NULL))
        ph_world_end("the world has no room for a crash");
    read_content(file->path, now, 0, size);
    bool same = size == file->size && (size == 0 || memcmp(now, file->bytes, size) == 0);
    if (!same && tears) {
        size_t left = ph_torn(mixed, file->bytes, file->size, now, size);
        put_content(file->path, mixed, left);
        ph_unkind_did(PH_UNKIND_TORN);
        ph_world_log("torn %s: %zu bytes, %zu synced, %zu left", file->path, size, file->size,
                     left);
    } else if (!same) {
        put_content(file->path, file->bytes, file->size);
    }
    ph_world_free(now, size + 1);
    if (tears)
        ph_world_free(mixed, size + file->size + 1);
}

void ph_journal_undo(int host) {
    bool tears = ph_unkind(PH_UNKIND_TORN) > 0;
    undo_names(host, tears);
    for (struct uv__queue *next, *node = ph_world->files.next; node != &ph_world->files;
         node = next) {
        struct file* file = PH_CONTAINER_OF(node, struct file, node);
        next = node->next;
        if (file->host != host)
            continue;
        undo_content(file, tears);
        forget_file(file);
    }
}
