#include "fs/watch_tree.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop_alloc.h"
#include "base/queue.h"

enum {
    FIRST_BUCKETS = 16,
    EVENTS = IN_ATTRIB | IN_CREATE | IN_MODIFY | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF |
             IN_MOVED_FROM | IN_MOVED_TO
};

static struct watch** bucket_of(struct uv__inotify* inotify, int wd) {
    return &inotify->buckets[(unsigned)wd & (inotify->bucket_count - 1)];
}

struct watch* ph_watch_find(struct uv__inotify* inotify, int wd) {
    if (inotify->bucket_count == 0)
        return NULL;
    struct watch* watch = *bucket_of(inotify, wd);
    while (watch != NULL && watch->wd != wd)
        watch = watch->next;
    return watch;
}

/* Without memory the buckets stay as they are and only get slower, unless there are none at all. */
static int grow(struct uv__inotify* inotify) {
    if (inotify->watch_count < inotify->bucket_count)
        return 0;
    unsigned old_count = inotify->bucket_count;
    unsigned count = old_count > 0 ? old_count * 2 : FIRST_BUCKETS;
    struct watch** old = inotify->buckets;
    struct watch** buckets = ph_loop_calloc(inotify->loop, count, sizeof(void*));
    if (buckets == NULL)
        return old_count > 0 ? 0 : UV_ENOMEM;
    inotify->buckets = buckets;
    inotify->bucket_count = count;
    for (unsigned i = 0; i < old_count; i++) {
        for (struct watch* watch = old[i]; watch != NULL;) {
            struct watch* next = watch->next;
            struct watch** bucket = bucket_of(inotify, watch->wd);
            watch->next = *bucket;
            *bucket = watch;
            watch = next;
        }
    }
    ph_loop_free(inotify->loop, old);
    return 0;
}

void ph_watch_gone(struct uv__inotify* inotify, struct watch* watch) {
    if (watch->wd == -1)
        return;
    struct watch** link = bucket_of(inotify, watch->wd);
    while (*link != watch)
        link = &(*link)->next;
    *link = watch->next;
    watch->wd = -1;
    inotify->watch_count--;
}

void ph_watch_release(struct uv__inotify* inotify, struct watch* watch) {
    if (watch->pins > 0 || !ph_queue_empty(&watch->places))
        return;
    if (watch->wd != -1)
        inotify_rm_watch(inotify->watcher.fd, watch->wd);
    ph_watch_gone(inotify, watch);
    ph_loop_free(inotify->loop, watch);
}

/* Joins the place to the watch of `path`. */
static int join(struct uv__inotify* inotify, struct uv__watched* place, const char* path,
                unsigned flags) {
    int err = grow(inotify);
    if (err != 0)
        return err;
    int wd = inotify_add_watch(inotify->watcher.fd, path, EVENTS | flags);
    if (wd == -1)
        return ph_errno();
    struct watch* watch = ph_watch_find(inotify, wd);
    if (watch == NULL) {
        watch = ph_loop_malloc(inotify->loop, sizeof(*watch));
        if (watch == NULL) {
            inotify_rm_watch(inotify->watcher.fd, wd);
            return UV_ENOMEM;
        }
        struct watch** bucket = bucket_of(inotify, wd);
        *watch = (struct watch){.next = *bucket, .wd = wd};
        ph_queue_init(&watch->places);
        *bucket = watch;
        inotify->watch_count++;
    }
    place->watch = watch;
    ph_queue_push(&watch->places, &place->of_watch);
    return 0;
}

static void leave(struct uv__inotify* inotify, struct uv__watched* place) {
    struct watch* watch = place->watch;
    place->watch = NULL;
    ph_queue_remove(&place->of_watch);
    if (watch != NULL)
        ph_watch_release(inotify, watch);
}

static struct uv__watched* new_place(uv_fs_event_t* handle, struct uv__watched* parent,
                                     const char* folder, const char* name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    struct uv__watched* place = ph_loop_calloc(handle->loop, 1, sizeof(*place) + size);
    if (place == NULL)
        return NULL;
    place->handle = handle;
    place->parent = parent;
    ph_queue_init(&place->children);
    ph_queue_init(&place->sibling);
    ph_queue_init(&place->of_watch);
    ph_queue_init(&place->to_scan);
    snprintf(place->path, size, "%s%s%s", folder, *folder != '\0' ? "/" : "", name);
    return place;
}

static void drop_one(struct uv__inotify* inotify, struct uv__watched* place) {
    leave(inotify, place);
    ph_queue_remove(&place->sibling);
    ph_queue_remove(&place->to_scan);
    ph_loop_free(inotify->loop, place);
}

void ph_watch_drop(struct uv__inotify* inotify, struct uv__watched* place) {
    struct uv__watched* p = place;
    for (;;) {
        if (!ph_queue_empty(&p->children)) {
            p = PH_CONTAINER_OF(p->children.next, struct uv__watched, sibling);
            continue;
        }
        struct uv__watched* parent = p->parent;
        drop_one(inotify, p);
        if (p == place)
            return;
        p = parent;
    }
}

static void drop_children(struct uv__inotify* inotify, struct uv__watched* place) {
    while (!ph_queue_empty(&place->children))
        ph_watch_drop(inotify, PH_CONTAINER_OF(place->children.next, struct uv__watched, sibling));
}

struct uv__watched* ph_watch_child(struct uv__watched* parent, const char* name) {
    size_t skipped = parent->parent != NULL ? strlen(parent->path) + 1 : 0;
    struct uv__queue* head = &parent->children;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        struct uv__watched* child = PH_CONTAINER_OF(node, struct uv__watched, sibling);
        if (strcmp(child->path + skipped, name) == 0)
            return child;
    }
    return NULL;
}

/* A folder that can't be entered, or that went away again: there is nothing in it to be told. */
static bool is_passed_over(int err) {
    return err == UV_ENOENT || err == UV_ENOTDIR || err == UV_EACCES || err == UV_EPERM ||
           err == UV_ELOOP || err == UV_ENAMETOOLONG;
}

static int full_path(struct uv__watched* place, char path[PATH_MAX]) {
    struct uv__watched* root = place->handle->fs_event.root;
    int length = place == root ? snprintf(path, PATH_MAX, "%s", root->path)
                               : snprintf(path, PATH_MAX, "%s/%s", root->path, place->path);
    return length < PATH_MAX ? 0 : UV_ENAMETOOLONG;
}

/* Makes the place of a folder below `parent`, watched but not scanned yet; it joins `to_scan`. */
static int add_place(struct uv__inotify* inotify, struct uv__watched* parent, const char* name,
                     struct uv__queue* to_scan) {
    char path[PATH_MAX];
    struct uv__watched* place =
        new_place(parent->handle, parent, parent->parent != NULL ? parent->path : "", name);
    if (place == NULL)
        return UV_ENOMEM;
    int err = full_path(place, path);
    if (err == 0)
        err = join(inotify, place, path, IN_ONLYDIR | IN_DONT_FOLLOW);
    if (err != 0) {
        ph_loop_free(inotify->loop, place);
        return is_passed_over(err) ? 0 : err;
    }
    ph_queue_push(&parent->children, &place->sibling);
    ph_queue_push(to_scan, &place->to_scan);
    return 0;
}

static int note_found(struct uv__queue* found, struct uv__watched* folder, const char* name) {
    const char* prefix = folder->parent != NULL ? folder->path : "";
    size_t size = strlen(prefix) + strlen(name) + 2;
    struct ph_found* item = ph_loop_malloc(folder->handle->loop, sizeof(*item) + size);
    if (item == NULL)
        return UV_ENOMEM;
    snprintf(item->path, size, "%s%s%s", prefix, *prefix != '\0' ? "/" : "", name);
    ph_queue_push(found, &item->node);
    return 0;
}

static bool is_folder(DIR* dir, const struct dirent* entry) {
    struct stat st;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

static int scan_one(struct uv__inotify* inotify, struct uv__watched* folder,
                    struct uv__queue* to_scan, struct uv__queue* found) {
    char path[PATH_MAX];
    struct dirent* entry;
    int err = full_path(folder, path);
    if (err != 0)
        return err;
    DIR* dir = opendir(path);
    if (dir == NULL)
        return is_passed_over(ph_errno()) ? 0 : ph_errno();
    while (err == 0 && (entry = readdir(dir)) != NULL) {
        const char* name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (found != NULL)
            err = note_found(found, folder, name);
        if (err == 0 && is_folder(dir, entry))
            err = add_place(inotify, folder, name, to_scan);
    }
    closedir(dir);
    return err;
}

/* Each folder is watched before it is read, so that no name can slip through in between. */
static int scan(struct uv__inotify* inotify, struct uv__queue* to_scan, struct uv__queue* found) {
    struct uv__queue* node;
    int err = 0;
    while ((node = ph_queue_pop(to_scan)) != NULL) {
        struct uv__watched* folder = PH_CONTAINER_OF(node, struct uv__watched, to_scan);
        if (err == 0)
            err = scan_one(inotify, folder, to_scan, found);
    }
    return err;
}

int ph_watch_add(struct uv__inotify* inotify, struct uv__watched* parent, const char* name,
                 struct uv__queue* found) {
    struct uv__queue to_scan;
    ph_queue_init(&to_scan);
    int err = add_place(inotify, parent, name, &to_scan);
    if (err != 0)
        return err;
    return scan(inotify, &to_scan, found);
}

static int scan_root(struct uv__inotify* inotify, struct uv__watched* root) {
    struct uv__queue to_scan;
    if (!root->handle->fs_event.recursive)
        return 0;
    ph_queue_init(&to_scan);
    ph_queue_push(&to_scan, &root->to_scan);
    return scan(inotify, &to_scan, NULL);
}

/* The program may change its working directory later. */
static int absolute(const char* path, char folder[PATH_MAX]) {
    folder[0] = '\0';
    if (path[0] == '/')
        return 0;
    return getcwd(folder, PATH_MAX) != NULL ? 0 : ph_errno();
}

int ph_watch_root(struct uv__inotify* inotify, uv_fs_event_t* handle) {
    char folder[PATH_MAX];
    const char* path = handle->fs_event.path;
    int err = absolute(path, folder);
    if (err != 0)
        return err;
    struct uv__watched* root = new_place(handle, NULL, folder, path);
    if (root == NULL)
        return UV_ENOMEM;
    err = join(inotify, root, path, 0);
    if (err != 0) {
        ph_loop_free(inotify->loop, root);
        return err;
    }
    ph_queue_push(&inotify->roots, &root->sibling);
    handle->fs_event.root = root;
    err = scan_root(inotify, root);
    if (err != 0) {
        ph_watch_drop(inotify, root);
        handle->fs_event.root = NULL;
    }
    return err;
}

int ph_watch_renew(struct uv__inotify* inotify, struct uv__watched* root) {
    drop_children(inotify, root);
    if (root->watch == NULL) {
        int err = join(inotify, root, root->path, 0);
        if (err != 0)
            return is_passed_over(err) ? 0 : err;
    }
    return scan_root(inotify, root);
}
