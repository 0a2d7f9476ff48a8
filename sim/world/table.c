#include "world/table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    enum ph_fd_kind kind;
    void* object;
};

enum { PAGE = 1024, PAGES = 1024 };

/* Pages, so that readers in signal handlers never see an entry move. */
static struct entry* pages[PAGES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry* find(int fd) {
    if (fd < 0 || fd >= PAGE * PAGES)
        return NULL;
    struct entry* page = __atomic_load_n(&pages[fd / PAGE], __ATOMIC_ACQUIRE);
    return page != NULL ? &page[fd % PAGE] : NULL;
}

enum ph_fd_kind ph_fd_kind(int fd) {
    const struct entry* entry = find(fd);
    return entry != NULL ? __atomic_load_n(&entry->kind, __ATOMIC_ACQUIRE) : PH_FD_REAL;
}

void* ph_fd_object(int fd) {
    const struct entry* entry = find(fd);
    return entry != NULL && entry->kind != PH_FD_REAL ? entry->object : NULL;
}

bool ph_fd_set(int fd, enum ph_fd_kind kind, void* object) {
    if (fd < 0 || fd >= PAGE * PAGES)
        return false;
    pthread_mutex_lock(&lock);
    if (pages[fd / PAGE] == NULL)
        __atomic_store_n(&pages[fd / PAGE], calloc(PAGE, sizeof(struct entry)), __ATOMIC_RELEASE);
    struct entry* entry = find(fd);
    if (entry != NULL) {
        entry->object = object;
        __atomic_store_n(&entry->kind, kind, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return entry != NULL;
}

void ph_fd_forget(int fd) {
    struct entry* entry = find(fd);
    if (entry == NULL)
        return;
    __atomic_store_n(&entry->kind, PH_FD_REAL, __ATOMIC_RELEASE);
    entry->object = NULL;
}
