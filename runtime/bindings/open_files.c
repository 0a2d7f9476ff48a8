#include "bindings/open_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bindings/world.h"

/* One byte for each descriptor number. */
struct ph_open_files {
    uint8_t* is_open;
    size_t size;
};

void ph_open_files_add(ph_env* env, int fd) {
    if (ph_world_of(env)->worker == NULL || ph_world_of(env)->keeps_files || fd < 0)
        return;
    if (ph_world_of(env)->open_files == NULL)
        ph_world_of(env)->open_files = calloc(1, sizeof(*ph_world_of(env)->open_files));
    struct ph_open_files* files = ph_world_of(env)->open_files;
    if (files == NULL)
        return;
    if ((size_t)fd >= files->size) {
        size_t size = ((size_t)fd + 1) * 2;
        uint8_t* bigger = realloc(files->is_open, size);
        if (bigger == NULL)
            return;
        memset(bigger + files->size, 0, size - files->size);
        files->is_open = bigger;
        files->size = size;
    }
    files->is_open[fd] = 1;
}

void ph_open_files_remove(ph_env* env, int fd) {
    struct ph_open_files* files = ph_world_of(env)->open_files;
    if (files != NULL && fd >= 0 && (size_t)fd < files->size)
        files->is_open[fd] = 0;
}

void ph_open_files_close(ph_env* env) {
    struct ph_open_files* files = ph_world_of(env)->open_files;
    if (files == NULL)
        return;
    for (size_t fd = 0; fd < files->size; fd++)
        if (files->is_open[fd])
            close((int)fd);
    free(files->is_open);
    free(files);
    ph_world_of(env)->open_files = NULL;
}
