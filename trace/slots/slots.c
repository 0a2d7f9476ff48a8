#include "slots/slots.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_SLOTS = 64 };

struct slot {
    void** place;
    void* before;
    bool is_read_only; /* once the loader is done with it */
};

static struct slot slots[MOST_SLOTS];
static size_t slot_count;

/* An object, as far as its slots are concerned. */
struct object {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char* names;
    const ElfW(Rela) * tables[2];
    size_t sizes[2]; /* bytes */
    uintptr_t read_only_from;
    uintptr_t read_only_to;
    bool is_owner;
};

struct search {
    const struct slot_wish* wishes;
    size_t count;
    const void* owner;
};

static bool set_slot(const struct slot* slot, void* value) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void* begin = (void*)((uintptr_t)slot->place & ~(page - 1)); /* NOLINT */
    if (slot->is_read_only && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n(slot->place, value, __ATOMIC_SEQ_CST);
    if (slot->is_read_only)
        mprotect(begin, page, PROT_READ);
    return true;
}

static bool is_a_slot(unsigned type) {
#if defined(__x86_64__) && !defined(PHASOR_PLAIN_PROCESSOR)
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__) && !defined(PHASOR_PLAIN_PROCESSOR)
    return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#else
    (void)type;
    return false;
#endif
}

static void take(const struct object* object, uintptr_t place, const struct slot_wish* wish) {
    struct slot slot = {.place = (void**)place, /* NOLINT */
                        .is_read_only =
                            place >= object->read_only_from && place < object->read_only_to};
    slot.before = *slot.place;
    if (slot_count == MOST_SLOTS || slot.before == wish->ours || !set_slot(&slot, wish->ours))
        return;
    slots[slot_count++] = slot;
}

static void look_at(const struct object* object, const struct search* search) {
    for (int table = 0; table < 2; table++) {
        const ElfW(Rela)* at = object->tables[table];
        for (size_t i = 0; at != NULL && i < object->sizes[table] / sizeof(*at); i++) {
            const ElfW(Sym)* symbol = &object->symbols[ELF64_R_SYM(at[i].r_info)];
            if (!is_a_slot(ELF64_R_TYPE(at[i].r_info)))
                continue;
            for (size_t k = 0; k < search->count; k++)
                if (strcmp(object->names + symbol->st_name, search->wishes[k].name) == 0)
                    take(object, object->base + at[i].r_offset, &search->wishes[k]);
        }
    }
}

/* The loader has added the base to addresses, or not. */
static const void* absolute(const struct object* object, uintptr_t address) {
    return (const void*)(address < object->base ? object->base + address : address); /* NOLINT */
}

static void read_dynamic(struct object* object, const ElfW(Dyn) * entry) {
    for (; entry->d_tag != DT_NULL; entry++) {
        const void* place = absolute(object, entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB)
            object->symbols = place;
        else if (entry->d_tag == DT_STRTAB)
            object->names = place;
        else if (entry->d_tag == DT_JMPREL)
            object->tables[0] = place;
        else if (entry->d_tag == DT_PLTRELSZ)
            object->sizes[0] = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELA)
            object->tables[1] = place;
        else if (entry->d_tag == DT_RELASZ)
            object->sizes[1] = entry->d_un.d_val;
    }
}

static int on_object(struct dl_phdr_info* info, size_t size, void* data) {
    const struct search* search = data;
    struct object object = {.base = info->dlpi_addr};
    uintptr_t self = (uintptr_t)on_object, owner = (uintptr_t)search->owner;
    bool is_ours = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)* part = &info->dlpi_phdr[i];
        uintptr_t begin = object.base + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_DYNAMIC)
            read_dynamic(&object, (const ElfW(Dyn)*)begin); /* NOLINT */
        if (part->p_type == PT_GNU_RELRO) {
            object.read_only_from = begin;
            object.read_only_to = end;
        }
        if (part->p_type != PT_LOAD)
            continue;
        is_ours |= self >= begin && self < end;
        object.is_owner |= owner >= begin && owner < end;
    }
    if (!is_ours && object.symbols != NULL && object.names != NULL &&
        (owner == 0 || object.is_owner))
        look_at(&object, search);
    return 0;
}

bool slots_take(const struct slot_wish* wishes, size_t count, const void* owner) {
    struct search search = {wishes, count, owner};
    dl_iterate_phdr(on_object, &search);
    return slot_count > 0;
}

void slots_give_back(void) {
    while (slot_count > 0) {
        slot_count--;
        set_slot(&slots[slot_count], slots[slot_count].before);
    }
}
