/* Listing directories. */

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fs/operations.h"

static uv_dirent_type_t type_of(const struct dirent* entry) {
    switch (entry->d_type) {
    case DT_REG:
        return UV_DIRENT_FILE;
    case DT_DIR:
        return UV_DIRENT_DIR;
    case DT_LNK:
        return UV_DIRENT_LINK;
    case DT_FIFO:
        return UV_DIRENT_FIFO;
    case DT_SOCK:
        return UV_DIRENT_SOCKET;
    case DT_CHR:
        return UV_DIRENT_CHAR;
    case DT_BLK:
        return UV_DIRENT_BLOCK;
    default:
        return UV_DIRENT_UNKNOWN;
    }
}

/* The next entry that is not the directory itself or its parent. NULL with errno 0 at the end. */
static const struct dirent* next_entry(DIR* dir) {
    const struct dirent* entry;
    do {
        errno = 0;
        entry = readdir(dir);
    } while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry;
}

/* What uv_fs_scandir leaves in req->ptr. */
struct listing {
    size_t count;
    size_t room;
    uv_dirent_t entries[];
};

static void free_listing(struct listing* list) {
    for (size_t i = 0; i < list->count; i++)
        ph_free((char*)list->entries[i].name);
    ph_free(list);
}

/* NULL when there is no memory: the list is then as it was. */
static struct listing* add(struct listing* list, const struct dirent* entry) {
    if (list->count == list->room) {
        size_t room = list->room * 2;
        struct listing* bigger =
            ph_realloc(list, sizeof(*list) + room * sizeof(list->entries[0]));
        if (bigger == NULL)
            return NULL;
        list = bigger;
        list->room = room;
    }
    return list;
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const uv_dirent_t*)a)->name, ((const uv_dirent_t*)b)->name);
}
