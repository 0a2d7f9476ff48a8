/* Starting, joining and naming threads. */

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "uv.h"

/* The kernel's limit on a thread's name, with the NUL. */
#define NAME_SIZE 16

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Grows with the thread-local memory of the loaded libraries, so it can't be a constant. */
static size_t minimum_stack_size(void) {
    long size = sysconf(_SC_THREAD_STACK_MIN);
    return size > 8192 ? (size_t)size : 8192;
}

/* What the main thread has, where that is finite and enough. */
static size_t default_stack_size(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        size_t size = limit.rlim_cur - limit.rlim_cur % page_size();
        if (size >= minimum_stack_size())
            return size;
    }
    return 2u << 20;
}

/* Whole pages, at least the minimum. A size that can't be rounded up stays too big to be had. */
static size_t usable_stack_size(size_t wanted) {
    size_t page = page_size();
    size_t size = wanted > SIZE_MAX - (page - 1) ? wanted : wanted + (page - 1);
    size -= size % page;
    size_t minimum = minimum_stack_size();
    return size < minimum ? minimum : size;
}

int uv_thread_create_ex(uv_thread_t* tid, const uv_thread_options_t* params, uv_thread_cb entry,
                        void* arg) {
    size_t size = 0;
    if (params != NULL && (params->flags & UV_THREAD_HAS_STACK_SIZE) != 0)
        size = params->stack_size;
    size = size == 0 ? default_stack_size() : usable_stack_size(size);

    pthread_attr_t attr;
    int err = pthread_attr_init(&attr);
    if (err != 0)
        return -err;
    err = pthread_attr_setstacksize(&attr, size);
    /* The entry returns nothing and pthread's returns a pointer: in this ABI both are called the
     * same way, and nobody reads the value. */
    union {
        uv_thread_cb ours;
        void* (*theirs)(void*);
    } start = {entry};
    if (err == 0)
        err = pthread_create(tid, &attr, start.theirs, arg);
    pthread_attr_destroy(&attr);
    return -err;
}

int uv_thread_create(uv_thread_t* tid, uv_thread_cb entry, void* arg) {
    return uv_thread_create_ex(tid, NULL, entry, arg);
}

int uv_thread_detach(uv_thread_t* tid) {
    return -pthread_detach(*tid);
}

uv_thread_t uv_thread_self(void) {
    return pthread_self();
}

int uv_thread_join(uv_thread_t* tid) {
    return -pthread_join(*tid, NULL);
}

int uv_thread_equal(const uv_thread_t* t1, const uv_thread_t* t2) {
    return pthread_equal(*t1, *t2);
}

int uv_thread_setname(const char* name) {
    if (name == NULL)
        return UV_EINVAL;
    char cut[NAME_SIZE];
    size_t length = strnlen(name, sizeof(cut) - 1);
    memcpy(cut, name, length);
    cut[length] = '\0';
    return -pthread_setname_np(pthread_self(), cut);
}

int uv_thread_getname(uv_thread_t* tid, char* name, size_t size) {
    if (tid == NULL || name == NULL || size == 0)
        return UV_EINVAL;
    char whole[NAME_SIZE];
    int err = pthread_getname_np(*tid, whole, sizeof(whole));
    if (err != 0)
        return -err;
    size_t length = strnlen(whole, size - 1);
    memcpy(name, whole, length);
    name[length] = '\0';
    return 0;
}
