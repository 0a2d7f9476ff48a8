/*
 * The order in which a folder names what is in it: on disks it follows from hashes of the names and
 * from what was there before, so here it follows from the names and the seed.
 */

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "world/raw.h"
#include "world/times.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))

enum { ROW_OF_NAMES = 1 << 23 /* for ph_draw_of_world */ };

/* All that is in an open folder. */
struct listing {
    struct uv__queue node;
    DIR* folder;
    struct dirent* entries;
    uint64_t* keys;
    size_t count;
    size_t next;
};

static struct uv__queue listings = {&listings, &listings}; /* under the world's lock */

typedef struct dirent* (*reader)(DIR* folder);
typedef int (*closer)(DIR* folder);

static uint64_t key_of(const char* name) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char* c = name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return ph_draw_of_world(ROW_OF_NAMES, hash);
}

static struct listing* find(DIR* folder) {
    for (struct uv__queue* node = listings.next; node != &listings; node = node->next) {
        struct listing* listing = PH_CONTAINER_OF(node, struct listing, node);
        if (listing->folder == folder)
            return listing;
    }
    return NULL;
}

static void drop(struct listing* listing) {
    ph_queue_remove(&listing->node);
    free(listing->entries);
    free(listing->keys);
    free(listing);
}

/* Sorted into its place. */
static bool add(struct listing* listing, const struct dirent* entry) {
    if ((listing->count & (listing->count - 1)) == 0) {
        size_t room = listing->count == 0 ? 1 : 2 * listing->count;
        struct dirent* entries = realloc(listing->entries, room * sizeof(*entries));
        if (entries != NULL)
            listing->entries = entries;
        uint64_t* keys = realloc(listing->keys, room * sizeof(*keys));
        if (keys != NULL)
            listing->keys = keys;
        if (entries == NULL || keys == NULL)
            return false;
    }
    uint64_t key = key_of(entry->d_name);
    size_t place = listing->count++;
    for (; place > 0 && listing->keys[place - 1] > key; place--) {
        listing->keys[place] = listing->keys[place - 1];
        listing->entries[place] = listing->entries[place - 1];
    }
    listing->keys[place] = key;
    memset(&listing->entries[place], 0, sizeof(*entry));
    memcpy(&listing->entries[place], entry, entry->d_reclen);
    return true;
}

struct dirent* ph_raw_readdir(DIR* folder) {
    reader real = (reader)ph_raw_next("readdir", NULL);
    return real(folder);
}

int ph_raw_closedir(DIR* folder) {
    closer real = (closer)ph_raw_next("closedir", NULL);
    return real(folder);
}

static struct listing* read_all(DIR* folder) {
    struct listing* listing = calloc(1, sizeof(*listing));
    if (listing == NULL)
        return NULL;
    listing->folder = folder;
    ph_queue_push(&listings, &listing->node);
    for (const struct dirent* entry; (entry = ph_raw_readdir(folder)) != NULL;)
        if (!add(listing, entry))
            break;
    struct stat info;
    bool known = ph_raw_fstat(dirfd(folder), &info) == 0;
    for (size_t i = 0; i < listing->count; i++) {
        struct dirent* entry = &listing->entries[i];
        entry->d_off = (off_t)i + 1;
        entry->d_ino = known ? (ino_t)ph_inode_seen(info.st_dev, entry->d_ino) : 1;
    }
    return listing;
}

EXPORT struct dirent* readdir(DIR* folder) {
    if (ph_world == NULL || !ph_thread_counts())
        return ph_raw_readdir(folder);
    ph_world_lock();
    struct listing* listing = find(folder);
    if (listing == NULL)
        listing = read_all(folder);
    struct dirent* entry = listing != NULL && listing->next < listing->count
                               ? &listing->entries[listing->next++]
                               : NULL;
    ph_world_unlock();
    return entry;
}

/* Where it goes on; true: it is a listing of ours. */
static bool move(DIR* folder, size_t next, bool again) {
    if (ph_world == NULL)
        return false;
    ph_world_lock();
    struct listing* listing = find(folder);
    if (listing != NULL && again)
        drop(listing);
    else if (listing != NULL)
        listing->next = next;
    ph_world_unlock();
    return listing != NULL;
}

EXPORT int closedir(DIR* folder) {
    move(folder, 0, true);
    return ph_raw_closedir(folder);
}

EXPORT void rewinddir(DIR* folder) {
    void (*real)(DIR*) = (void (*)(DIR*))ph_raw_next("rewinddir", NULL);
    move(folder, 0, true);
    real(folder);
}

EXPORT void seekdir(DIR* folder, long place) {
    void (*real)(DIR*, long) = (void (*)(DIR*, long))ph_raw_next("seekdir", NULL);
    if (!move(folder, (size_t)place, false))
        real(folder, place);
}

EXPORT long telldir(DIR* folder) {
    long (*real)(DIR*) = (long (*)(DIR*))ph_raw_next("telldir", NULL);
    if (ph_world == NULL)
        return real(folder);
    ph_world_lock();
    const struct listing* listing = find(folder);
    long place = listing != NULL ? (long)listing->next : 0;
    ph_world_unlock();
    return place;
}

ALIAS("readdir") struct dirent64* readdir64(DIR* folder);
