/*
 * Stacks, in slabs of one mapping each. The lowest page of a stack is its guard: the first so many
 * of a process can't be touched there; for others, which the kernel would need too many mappings
 * for, the page is there and must stay empty, which is looked at whenever the coroutine stops.
 * Nobody else of the loop runs before that, so damage does not spread unnoticed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scheduler.h"

#ifdef __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef VALGRIND_STACK_REGISTER
#define VALGRIND_STACK_REGISTER(low, high) 0
#define VALGRIND_STACK_DEREGISTER(id) (void)(id)
#endif

enum { SLAB_BYTES = 4 << 20, CANARY = 64, PAGES_LEAST = 4 };
enum { ADVICE_GUARD = 102 }; /* MADV_GUARD_INSTALL, which older headers lack */

struct go__slab {
    struct go__slab* next;
    struct go__class* class;
    char* memory;
    size_t stack_size; /* with the guard */
    size_t count, used, clean;
    unsigned* valgrind_ids;
    go_t goes[];
};

size_t go__page;
static _Atomic long guards_left = GO_GUARDS_DEFAULT;

void go_set_guards(unsigned count) {
    atomic_store(&guards_left, (long)count);
}

/* Whether the kernel can write there. Neither valgrind nor the simulated world answers this call
 * in its place, which would end the process at a guard. */
static bool is_refused(char* page) {
    unsigned* cpu = (unsigned*)page;
    bool refused = syscall(SYS_getcpu, cpu, NULL, NULL) < 0 && errno == EFAULT;
    if (!refused)
        *cpu = 0;
    return refused;
}

/* Linux 6.13 can guard a page without a mapping of its own, which costs a fourth of mprotect, and
 * less with every fault. Emulators say yes to every advice, so the first page is tried. */
static bool guard_lightly(char* page) {
    enum { UNKNOWN, YES, NO };
    static atomic_int known;
    int now = atomic_load_explicit(&known, memory_order_relaxed);
    if (now == NO || madvise(page, go__page, ADVICE_GUARD) != 0)
        return false;
    if (now == UNKNOWN) {
        now = is_refused(page) ? YES : NO;
        atomic_store_explicit(&known, now, memory_order_relaxed);
    }
    return now == YES;
}

static bool guard(go_t* go) {
    if (atomic_fetch_sub(&guards_left, 1) > 0 &&
        (guard_lightly(go->low) || mprotect(go->low, go__page, PROT_NONE) == 0))
        return true;
    atomic_fetch_add(&guards_left, 1);
    return false;
}

static struct go__slab* slab_new(struct go__scheduler* s, struct go__class* class,
                                 size_t stack_size) {
    size_t count = stack_size < SLAB_BYTES ? SLAB_BYTES / stack_size : 1;
    struct go__slab* slab = aligned_alloc(64, sizeof(*slab) + count * sizeof(go_t));
    if (slab == NULL)
        return NULL;
    memset(slab, 0, sizeof(*slab) + count * sizeof(go_t));
    slab->valgrind_ids = calloc(count, sizeof(unsigned));
    slab->memory = mmap(NULL, count * stack_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (slab->valgrind_ids == NULL || slab->memory == MAP_FAILED ||
        go__due_reserve(s, s->stacks + count) != 0) {
        if (slab->memory != MAP_FAILED)
            munmap(slab->memory, count * stack_size);
        free(slab->valgrind_ids);
        free(slab);
        return NULL;
    }
    /* A stack of one used page must not become one of 2 MB. */
    madvise(slab->memory, count * stack_size, MADV_NOHUGEPAGE);
    slab->class = class;
    slab->stack_size = stack_size;
    slab->count = slab->clean = count;
    slab->next = class->slabs;
    class->slabs = slab;
    for (size_t i = count; i-- > 0;) {
        go_t* go = &slab->goes[i];
        go->context.exceptions = &go->exceptions;
        go->scheduler = s;
        go->slab = slab;
        go->size = stack_size;
        /* Stacks lie a power of two apart: without this all would use the same few lines of the
         * processor's caches. Less than half a page, so that a sleeper still needs but one. */
        go->shift = (uint16_t)(i % 32 * 64);
        go->clean = 1;
        go->low = slab->memory + i * stack_size;
        go__list_init(&go->joiners);
        go->next = class->free;
        class->free = go;
        slab->valgrind_ids[i] = VALGRIND_STACK_REGISTER(go->low, go->low + stack_size);
    }
    class->free_count += count;
    s->stacks += count;
    return slab;
}

static void slab_free(struct go__scheduler* s, struct go__slab* slab) {
    for (size_t i = 0; i < slab->count; i++) {
        if (slab->goes[i].guarded)
            atomic_fetch_add(&guards_left, 1);
        go__context_drop(&slab->goes[i].context);
        VALGRIND_STACK_DEREGISTER(slab->valgrind_ids[i]);
    }
    s->stacks -= slab->count;
    munmap(slab->memory, slab->count * slab->stack_size);
    free(slab->valgrind_ids);
    free(slab);
}

go_t* go__stack_take(struct go__scheduler* s, size_t size) {
    int class_number = 0;
    if (size == 0)
        size = GO_STACK_DEFAULT;
    if (size < PAGES_LEAST * go__page)
        size = PAGES_LEAST * go__page;
    while (class_number < GO__CLASSES && ((size_t)1 << (class_number + GO__CLASS_FIRST)) < size)
        class_number++;
    if (class_number == GO__CLASSES)
        return NULL;
    struct go__class* class = &s->classes[class_number];
    if (class->free == NULL &&
        slab_new(s, class, (size_t)1 << (class_number + GO__CLASS_FIRST)) == NULL)
        return NULL;
    go_t* go = class->free;
    class->free = go->next;
    if (--class->free_count < class->low_count)
        class->low_count = class->free_count;
    if (!go->used) {
        go->used = 1;
        go->guarded = guard(go);
        go__overflow_watch();
    }
    go->slab->used++;
    go->slab->clean -= go->clean;
    go->clean = 0;
    return go;
}

void go__stack_give(go_t* go) {
    struct go__class* class = go->slab->class;
    go->state = GO__FREE;
    go->slab->used--;
    go->next = class->free;
    class->free = go;
    class->free_count++;
}

/* On the stack that is looked at: frames without data leave that page as it was. */
void go__stack_look(const go_t* go) {
    const char* end = go->low + go__page;
    const uint64_t* canary = (const uint64_t*)(end - CANARY);
    uint64_t found = (const char*)__builtin_frame_address(0) < end;
    for (unsigned i = 0; i < CANARY / sizeof(uint64_t); i++)
        found |= canary[i];
    if (found != 0)
        go__overflow_report(go);
}

/* Slabs nobody uses and nothing is left in go back whole. */
static void free_slabs(struct go__scheduler* s, struct go__class* class) {
    go_t** link = &class->free;
    bool any = false;
    for (struct go__slab* slab = class->slabs; slab != NULL; slab = slab->next)
        any = any || (slab->used == 0 && slab->clean == slab->count);
    if (!any)
        return;
    while (*link != NULL) {
        const struct go__slab* slab = (*link)->slab;
        if (slab->used == 0 && slab->clean == slab->count) {
            *link = (*link)->next;
            class->free_count--;
        } else {
            link = &(*link)->next;
        }
    }
    for (struct go__slab **place = &class->slabs, *slab; (slab = *place) != NULL;) {
        if (slab->used == 0 && slab->clean == slab->count) {
            *place = slab->next;
            slab_free(s, slab);
        } else {
            place = &slab->next;
        }
    }
}

/* Gives back the memory of at most so many of the free stacks of a class, those that have not been
 * used for longest. Says how many free ones still have memory. */
static size_t trim_class(struct go__scheduler* s, struct go__class* class, size_t most) {
    size_t skip = class->free_count > most ? class->free_count - most : 0;
    size_t left = 0;
    bool any = false;
    for (go_t* go = class->free; go != NULL; go = go->next) {
        if (go->clean)
            continue;
        if (skip > 0) {
            skip--;
            left++;
            continue;
        }
        madvise(go->low + go__page, go->size - go__page, MADV_DONTNEED);
        go->clean = 1;
        go->slab->clean++;
        any = true;
    }
    if (any)
        free_slabs(s, class);
    class->low_count = class->free_count;
    return left;
}

size_t go__stack_trim(struct go__scheduler* s, bool all) {
    size_t left = 0;
    for (int i = 0; i < GO__CLASSES; i++) {
        struct go__class* class = &s->classes[i];
        left += trim_class(s, class, all ? SIZE_MAX : (class->low_count + 1) / 2);
    }
    return left;
}

void go__stacks_free(struct go__scheduler* s) {
    for (int i = 0; i < GO__CLASSES; i++) {
        for (struct go__slab *slab = s->classes[i].slabs, *next; slab != NULL; slab = next) {
            next = slab->next;
            slab_free(s, slab);
        }
        memset(&s->classes[i], 0, sizeof(s->classes[i]));
    }
}

void go__stacks_each(struct go__scheduler* s, void (*visit)(go_t* go, void* arg), void* arg) {
    for (int i = 0; i < GO__CLASSES; i++)
        for (struct go__slab* slab = s->classes[i].slabs; slab != NULL; slab = slab->next)
            for (size_t j = 0; j < slab->count; j++)
                if (slab->goes[j].state != GO__FREE)
                    visit(&slab->goes[j], arg);
}
