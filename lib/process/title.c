/*
 * The process title: what ps shows. The kernel shows the memory that argv came in, so the title is
 * written over it, and the program goes on with a copy of its arguments.
 */

#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/alloc.h"
#include "core/parts.h"
#include "uv.h"

/* A copy that uv_setup_args returned. Earlier ones stay: a program may still use them. */
struct arguments {
    struct arguments* earlier;
    char* argv[]; /* then the strings */
};

static struct {
    pthread_mutex_t lock;
    char* text;      /* the original argv[0] and what follows it; NULL before uv_setup_args */
    size_t capacity; /* with the NUL */
    size_t length;
    struct arguments* copies;
} title = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct arguments* copy_arguments(int argc, char** argv) {
    size_t bytes = 0;
    for (int i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1;
    struct arguments* copy =
        ph_malloc(sizeof(*copy) + ((size_t)argc + 1) * sizeof(copy->argv[0]) + bytes);
    if (copy == NULL)
        return NULL;
    char* text = (char*)(copy->argv + argc + 1);
    for (int i = 0; i < argc; i++) {
        size_t size = strlen(argv[i]) + 1;
        copy->argv[i] = memcpy(text, argv[i], size);
        text += size;
    }
    copy->argv[argc] = NULL;
    return copy;
}

/* The arguments lie one after the other when they come from the kernel; a caller's own need not. */
static size_t contiguous_size(int argc, char** argv) {
    size_t size = 0;
    for (int i = 0; i < argc && argv[i] == argv[0] + size; i++)
        size += strlen(argv[i]) + 1;
    return size;
}

/* The first call finds the memory that the kernel shows; a later one only copies. */
char** uv_setup_args(int argc, char** argv) {
    if (argc <= 0 || argv == NULL)
        return argv;
    struct arguments* copy = copy_arguments(argc, argv);
    if (copy == NULL)
        return argv;
    pthread_mutex_lock(&title.lock);
    if (title.text == NULL) {
        title.text = argv[0];
        title.capacity = contiguous_size(argc, argv);
        title.length = strlen(argv[0]);
    }
    copy->earlier = title.copies;
    title.copies = copy;
    pthread_mutex_unlock(&title.lock);
    return copy->argv;
}

/* What is too long is cut. The thread's name follows, where the kernel keeps 15 bytes. */
int uv_set_process_title(const char* new_title) {
    if (new_title == NULL)
        return UV_EINVAL;
    pthread_mutex_lock(&title.lock);
    if (title.text == NULL) {
        pthread_mutex_unlock(&title.lock);
        return UV_ENOBUFS;
    }
    size_t length = strnlen(new_title, title.capacity - 1);
    memmove(title.text, new_title, length);
    memset(title.text + length, 0, title.capacity - length);
    title.length = length;
    prctl(PR_SET_NAME, title.text);
    pthread_mutex_unlock(&title.lock);
    return 0;
}

int uv_get_process_title(char* buffer, size_t size) {
    if (buffer == NULL || size == 0)
        return UV_EINVAL;
    int err = UV_ENOBUFS;
    pthread_mutex_lock(&title.lock);
    if (title.text != NULL && size > title.length) {
        memcpy(buffer, title.text, title.length + 1);
        err = 0;
    }
    pthread_mutex_unlock(&title.lock);
    return err;
}

/* Afterwards there is no title, as before uv_setup_args. */
void ph_title_shutdown(void) {
    pthread_mutex_lock(&title.lock);
    while (title.copies != NULL) {
        struct arguments* earlier = title.copies->earlier;
        ph_free(title.copies);
        title.copies = earlier;
    }
    title.text = NULL;
    pthread_mutex_unlock(&title.lock);
}
