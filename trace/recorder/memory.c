#include "recorder/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_MEMORY = 128 << 20 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static struct ph_memory* memory; /* NULL: there is none */
static char path[sizeof(PH_MEMORY_FOLDER) + PH_MEMORY_NAME];

/* Nobody can guess it, and nobody's file is opened in its place. */
static int open_file(void) {
    unsigned char random[16];
    char digits[2 * sizeof(random) + 1];
    struct rlimit limit;
    /* Where files must stay small the kernel would send a signal. */
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < MOST_MEMORY ||
        getrandom(random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
        return -1;
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(digits + 2 * i, 3, "%02x", random[i]);
    snprintf(path, sizeof(path), "%s%s%s", PH_MEMORY_FOLDER, PH_MEMORY_PREFIX, digits);
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* A page that can't be had would be a signal for whoever writes to it first: so it is asked for. */
static bool populate(void* from, size_t size) {
    uintptr_t begin = (uintptr_t)from & ~(uintptr_t)(PH_MEMORY_PAGE - 1);
    return madvise((void*)begin, (uintptr_t)from + size - begin, MADV_POPULATE_WRITE) == 0;
}

static struct ph_memory* map(int fd) {
    if (ftruncate(fd, MOST_MEMORY) != 0)
        return NULL;
    void* mapped = mmap(NULL, MOST_MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    if (populate(mapped, PH_MEMORY_HEAD))
        return mapped;
    munmap(mapped, MOST_MEMORY);
    return NULL;
}

void ph_memory_open(void) {
    int fd = open_file();
    if (fd == -1)
        return;
    struct ph_memory* fresh = map(fd);
    close(fd);
    if (fresh == NULL) {
        unlink(path);
        return;
    }
    memcpy(fresh->magic, PH_MEMORY_MAGIC, sizeof(fresh->magic));
    fresh->buffer_size = sizeof(struct ph_buffer);
    fresh->record_size = sizeof(struct ph_record);
    fresh->pid = (uint32_t)getpid();
    fresh->surroundings = ph_surroundings();
    fresh->size = MOST_MEMORY;
    fresh->taken = PH_MEMORY_HEAD + PH_MEMORY_NAMES;
    __atomic_store_n(&memory, fresh, __ATOMIC_RELEASE);
}

/* Threads may still be about to write to it, so it stays mapped; its pages go. */
void ph_memory_close(void) {
    struct ph_memory* old = __atomic_exchange_n(&memory, NULL, __ATOMIC_ACQ_REL);
    if (old == NULL)
        return;
    unlink(path);
    for (uint32_t i = 0; i < old->buffer_count && i < PH_MOST_BUFFERS; i++) {
        char* buffer = (char*)old + (uint64_t)old->buffers[i] * PH_MEMORY_PAGE;
        size_t size = ((struct ph_buffer*)buffer)->capacity * sizeof(struct ph_record);
        if (old->buffers[i] != 0 && size > PH_MEMORY_PAGE)
            madvise(buffer + PH_MEMORY_PAGE, size - PH_MEMORY_PAGE, MADV_REMOVE);
    }
    if (old->stacks != 0)
        madvise((char*)old + old->stacks * PH_MEMORY_PAGE, PH_MEMORY_STACKS, MADV_REMOVE);
    madvise((char*)old + PH_MEMORY_HEAD, PH_MEMORY_NAMES, MADV_REMOVE);
}

void ph_memory_forget(void) {
    if (memory != NULL)
        munmap(memory, MOST_MEMORY);
    memory = NULL;
}

const char* ph_memory_name(void) {
    return memory != NULL ? path + sizeof(PH_MEMORY_FOLDER) - 1 : "";
}

/* 0: none is left. */
static uint64_t take(struct ph_memory* from, size_t size) {
    size = (size + PH_MEMORY_PAGE - 1) & ~(size_t)(PH_MEMORY_PAGE - 1);
    uint64_t at = __atomic_fetch_add(&from->taken, size, __ATOMIC_RELAXED);
    return at + size <= MOST_MEMORY && populate((char*)from + at, size) ? at : 0;
}

struct ph_stack_queue* ph_memory_take_stacks(void) {
    struct ph_memory* from = __atomic_load_n(&memory, __ATOMIC_ACQUIRE);
    uint64_t at = from != NULL ? take(from, sizeof(struct ph_stack_queue)) : 0;
    if (at == 0)
        return NULL;
    __atomic_store_n(&from->stacks, at / PH_MEMORY_PAGE, __ATOMIC_RELEASE);
    return (struct ph_stack_queue*)((char*)from + at);
}

void* ph_memory_take(size_t size) {
    struct ph_memory* from = __atomic_load_n(&memory, __ATOMIC_ACQUIRE);
    if (from == NULL)
        return NULL;
    uint64_t at = take(from, size);
    uint32_t number = at != 0 ? __atomic_fetch_add(&from->buffer_count, 1, __ATOMIC_RELAXED) : 0;
    if (at == 0 || number >= PH_MOST_BUFFERS) {
        __atomic_store_n(&from->incomplete, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    __atomic_store_n(&from->buffers[number], (uint32_t)(at / PH_MEMORY_PAGE), __ATOMIC_RELEASE);
    return (char*)from + at;
}

void ph_memory_note_file(const struct ph_trace_file* file) {
    if (memory == NULL)
        return;
    memory->clock = file->header.clock;
    if (memory->path[0] == '\0') {
        memory->device = file->device;
        memory->inode = file->inode;
        snprintf(memory->path, sizeof(memory->path), "%s", file->path);
    }
    memory->segment = file->segment;
    memory->limit = file->limit;
    memory->sequence = file->sequence;
    memory->offset = file->offset;
}

void ph_memory_note_name(const unsigned char* data, size_t size) {
    struct ph_memory* to = memory;
    if (to == NULL || to->names + size > PH_MEMORY_NAMES)
        return;
    char* at = (char*)to + PH_MEMORY_HEAD + to->names;
    if (!populate(at, size))
        return;
    memcpy(at, data, size);
    __atomic_store_n(&to->names, to->names + size, __ATOMIC_RELEASE);
}
