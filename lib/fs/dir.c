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
    } while (entry != NULL &&
             (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry;
}

/* The entries while they are read: for each its type in one byte, then its name with the NUL. */
struct text {
    char* bytes;
    size_t length;
    size_t room;
    size_t entries;
};

static int add_entry(struct text* text, const struct dirent* entry) {
    size_t size = 1 + strlen(entry->d_name) + 1;
    if (text->room - text->length < size) {
        size_t room = (text->room + size) * 2;
        char* bytes = ph_realloc(text->bytes, room);
        if (bytes == NULL)
            return UV_ENOMEM;
        text->bytes = bytes;
        text->room = room;
    }
    text->bytes[text->length] = (char)type_of(entry);
    memcpy(text->bytes + text->length + 1, entry->d_name, size - 1);
    text->length += size;
    text->entries++;
    return 0;
}

static int read_entries(const char* path, struct text* text) {
    const struct dirent* entry;
    DIR* dir = opendir(path);
    if (dir == NULL)
        return ph_errno();
    int err = 0;
    while (err == 0 && (entry = next_entry(dir)) != NULL)
        err = add_entry(text, entry);
    if (err == 0)
        err = ph_errno();
    closedir(dir);
    return err;
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const uv_dirent_t*)a)->name, ((const uv_dirent_t*)b)->name);
}

/*
 * Names of one folder are much alike ("IMG_0001.jpg"), so most of a comparison is spent on what
 * they share. Here they are sorted by the eight bytes that follow the common beginning, as a
 * number, byte by byte from the last; only names that agree in those are compared.
 */
struct keyed {
    uint64_t key;
    uv_dirent_t entry;
};

static size_t common_length(const uv_dirent_t* list, size_t count) {
    const char* first = list[0].name;
    size_t length = strlen(first);
    for (size_t i = 1; i < count && length > 0; i++) {
        size_t same = 0;
        while (same < length && list[i].name[same] == first[same])
            same++;
        length = same;
    }
    return length;
}

/* The next eight bytes, the first of them highest; behind the end of the name there are zeros. */
static uint64_t key_of(const char* name) {
    uint64_t key = 0;
    for (int i = 0; i < 8; i++) {
        key = key << 8 | (unsigned char)*name;
        name += *name != '\0';
    }
    return key;
}

/* One stable pass over the byte at `shift`. False, and nothing moved, if all have the same there.
 */
static bool sort_by_byte(const struct keyed* from, struct keyed* to, size_t count, int shift) {
    size_t place[256] = {0};
    for (size_t i = 0; i < count; i++)
        place[from[i].key >> shift & 0xff]++;
    if (place[from[0].key >> shift & 0xff] == count)
        return false;
    size_t at = 0;
    for (int byte = 0; byte < 256; byte++) {
        size_t here = place[byte];
        place[byte] = at;
        at += here;
    }
    for (size_t i = 0; i < count; i++)
        to[place[from[i].key >> shift & 0xff]++] = from[i];
    return true;
}

static void sort_entries(uv_dirent_t* list, size_t count) {
    enum { FEW = 64 };
    struct keyed* from = count > FEW ? ph_malloc(2 * count * sizeof(*from)) : NULL;
    if (from == NULL) {
        qsort(list, count, sizeof(*list), by_name);
        return;
    }
    struct keyed* block = from;
    struct keyed* to = from + count;
    size_t common = common_length(list, count);
    for (size_t i = 0; i < count; i++)
        from[i] = (struct keyed){.key = key_of(list[i].name + common), .entry = list[i]};
    for (int shift = 0; shift < 64; shift += 8)
        if (sort_by_byte(from, to, count, shift)) {
            struct keyed* sorted = to;
            to = from;
            from = sorted;
        }
    size_t run = 0; /* where those with the same key begin */
    for (size_t i = 0; i < count; i++) {
        list[i] = from[i].entry;
        if (i + 1 < count && from[i + 1].key == from[i].key)
            continue;
        if (i > run)
            qsort(&list[run], i + 1 - run, sizeof(*list), by_name);
        run = i + 1;
    }
    ph_free(block);
}

/* One block with the entries, sorted, and behind them the text that they point into. */
static uv_dirent_t* make_list(const struct text* text) {
    size_t table = text->entries * sizeof(uv_dirent_t);
    uv_dirent_t* list = ph_malloc(table + text->length);
    if (list == NULL)
        return NULL;
    char* at = (char*)list + table;
    memcpy(at, text->bytes, text->length);
    for (size_t i = 0; i < text->entries; i++) {
        list[i] = (uv_dirent_t){.name = at + 1, .type = (uv_dirent_type_t)at[0]};
        at += 1 + strlen(at + 1) + 1;
    }
    sort_entries(list, text->entries);
    return list;
}

/* nbufs counts the entries that uv_fs_scandir_next has given out. */
ssize_t ph_fs_scandir(uv_fs_t* req) {
    struct text text = {0};
    int err = read_entries(req->path, &text);
    if (err == 0 && text.entries > 0) {
        req->ptr = make_list(&text);
        if (req->ptr == NULL)
            err = UV_ENOMEM;
    }
    ph_free(text.bytes);
    return err != 0 ? err : (ssize_t)text.entries;
}

int uv_fs_scandir_next(uv_fs_t* req, uv_dirent_t* ent) {
    if (req->result < 0)
        return (int)req->result;
    if (req->ptr == NULL)
        return UV_EOF;
    if (req->nbufs == (size_t)req->result) {
        ph_free(req->ptr);
        req->ptr = NULL;
        return UV_EOF;
    }
    *ent = ((uv_dirent_t*)req->ptr)[req->nbufs++];
    return 0;
}

ssize_t ph_fs_opendir(uv_fs_t* req) {
    uv_dir_t* dir = ph_calloc(1, sizeof(*dir));
    if (dir == NULL)
        return UV_ENOMEM;
    dir->dir = opendir(req->path);
    if (dir->dir == NULL) {
        ssize_t err = ph_errno();
        ph_free(dir);
        return err;
    }
    req->ptr = dir;
    return 0;
}

/* An error after some entries gives those back: a caller sees all of a batch or nothing. */
ssize_t ph_fs_readdir(uv_fs_t* req) {
    uv_dir_t* dir = req->ptr;
    uv_dirent_t* dirents = (uv_dirent_t*)req->bufs;
    size_t count = 0;
    ssize_t err = 0;
    while (count < dir->nentries) {
        const struct dirent* entry = next_entry(dir->dir);
        if (entry == NULL) {
            err = ph_errno();
            break;
        }
        dirents[count].name = ph_strdup(entry->d_name);
        if (dirents[count].name == NULL) {
            err = UV_ENOMEM;
            break;
        }
        dirents[count++].type = type_of(entry);
    }
    if (err == 0)
        return (ssize_t)count;
    req->result = (ssize_t)count;
    ph_fs_free_dirents(req);
    return err;
}

void ph_fs_free_dirents(uv_fs_t* req) {
    uv_dirent_t* dirents = (uv_dirent_t*)req->bufs;
    for (ssize_t i = 0; dirents != NULL && i < req->result; i++) {
        ph_free((char*)dirents[i].name);
        dirents[i].name = NULL;
    }
}

ssize_t ph_fs_closedir(uv_fs_t* req) {
    uv_dir_t* dir = req->ptr;
    closedir(dir->dir);
    ph_free(dir);
    req->ptr = NULL;
    return 0;
}
