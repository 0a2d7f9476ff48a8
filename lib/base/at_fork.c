/*
 * The C library does not tell which fork handlers it has. But pthread_atfork is a few bytes in
 * every object that calls it, and what they call is imported from the C library. So an object that
 * does not import it has no handlers, and a look at all imports, repeated when an object has been
 * loaded, finds everyone who could have some.
 *
 * The library itself calls what pthread_atfork calls. In a program that it is a part of
 * (libuv.a), pthread_atfork is therefore there only if someone else needs it.
 */

#include "base/at_fork.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#ifdef __GLIBC__

extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                             void* object);
extern void* __dso_handle __attribute__((visibility("hidden")));
/* Not there in the shared library, nor in a program that does not call it. */
/* NOLINTNEXTLINE(readability-redundant-declaration): the weak one is not the header's */
extern int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
    __attribute__((weak, visibility("hidden")));

void ph_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    __register_atfork(prepare, parent, child, __dso_handle);
}

struct imports {
    const ElfW(Sym) * symbols;
    const char* names;
    uint32_t count; /* the undefined symbols are among the first so many */
};

/* Most objects have had their dynamic section relocated, the kernel's own has not. */
static const void* address(const struct dl_phdr_info* object, const ElfW(Dyn) * entry) {
    ElfW(Addr) value = entry->d_un.d_ptr;
    return (const void*)(value < object->dlpi_addr ? value + object->dlpi_addr : value);
}

static struct imports imports_of(const struct dl_phdr_info* object, const ElfW(Dyn) * entry) {
    struct imports imports = {0};
    for (; entry->d_tag != DT_NULL; entry++) {
        const void* at = address(object, entry);
        if (entry->d_tag == DT_SYMTAB)
            imports.symbols = at;
        else if (entry->d_tag == DT_STRTAB)
            imports.names = at;
        else if (entry->d_tag == DT_GNU_HASH || /* leaves the undefined ones out, in front */
                 (entry->d_tag == DT_HASH && imports.count == 0))
            imports.count = ((const uint32_t*)at)[1];
    }
    return imports;
}

static bool imports_it(const struct dl_phdr_info* object, const ElfW(Dyn) * dynamic) {
    struct imports imports = imports_of(object, dynamic);
    if (imports.symbols == NULL || imports.names == NULL || imports.count == 0)
        return true;
    for (uint32_t i = 1; i < imports.count; i++) {
        const ElfW(Sym)* symbol = &imports.symbols[i];
        if (symbol->st_shndx != SHN_UNDEF)
            continue;
        const char* name = imports.names + symbol->st_name;
        if (strcmp(name, "__register_atfork") == 0 || strcmp(name, "pthread_atfork") == 0)
            return true;
    }
    return false;
}

/* The first object is the program. Without an interpreter it is linked statically and imports
 * nothing, whatever it has. */
struct search {
    unsigned long long known; /* loaded objects, ever, when the last search ended */
    unsigned long long loaded;
    bool past_program;
    bool found;
};

static bool may_have_handlers(const struct dl_phdr_info* object, bool is_program) {
    const ElfW(Dyn)* dynamic = NULL;
    bool has_interpreter = false, is_own = false;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr)* part = &object->dlpi_phdr[i];
        ElfW(Addr) from = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn)*)from;
        else if (part->p_type == PT_INTERP)
            has_interpreter = true;
        else if (part->p_type == PT_LOAD)
            is_own = is_own || (uintptr_t)ph_at_fork - from < part->p_memsz;
    }
    if (dynamic == NULL || (is_program && !has_interpreter))
        return true;
    return is_own ? pthread_atfork != NULL : imports_it(object, dynamic);
}

static int look_at(struct dl_phdr_info* object, size_t size, void* arg) {
    struct search* search = arg;
    (void)size;
    search->loaded = object->dlpi_adds;
    if (search->loaded == search->known)
        return 1;
    search->found = may_have_handlers(object, !search->past_program);
    search->past_program = true;
    return search->found;
}

bool ph_others_await_forks(void) {
    /* How many objects had been loaded at the last search, and in the lowest bit what it found. */
    static unsigned long long memory;
    unsigned long long last = __atomic_load_n(&memory, __ATOMIC_RELAXED);
    struct search search = {.known = last >> 1};
    dl_iterate_phdr(look_at, &search);
    if (search.loaded == search.known)
        return last & 1;
    __atomic_store_n(&memory, search.loaded << 1 | search.found, __ATOMIC_RELAXED);
    return search.found;
}

#else

void ph_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    pthread_atfork(prepare, parent, child);
}

bool ph_others_await_forks(void) {
    return true;
}

#endif
