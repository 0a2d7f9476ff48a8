#include "live/remote.h"

#include <elf.h>
#include <inttypes.h>
#include <sys/uio.h>

#include "read/memory.h"

enum { MOST_SYMBOLS = 1 << 20, MOST_TEXT = 64 << 20 };

bool remote_transfer(pid_t pid, uint64_t address, void* data, size_t size, bool out) {
    struct iovec here = {data, size}, there = {(void*)(uintptr_t)address, size};
    ssize_t n = out ? process_vm_writev(pid, &here, 1, &there, 1, 0)
                    : process_vm_readv(pid, &here, 1, &there, 1, 0);
    return n == (ssize_t)size;
}

/* One library in the process's memory. */
struct library {
    pid_t pid;
    uint64_t base;
    uint64_t symbols, texts, texts_size;
};

/* The loader may have added the base to the addresses, or not. */
static uint64_t absolute(const struct library* library, uint64_t address) {
    return address < library->base ? address + library->base : address;
}

static bool read_dynamic(struct library* library, uint64_t address) {
    Elf64_Dyn entry;
    for (int i = 0; i < 200; i++) {
        if (!remote_transfer(library->pid, address + (uint64_t)i * sizeof(entry), &entry,
                             sizeof(entry), false) ||
            entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_SYMTAB)
            library->symbols = absolute(library, entry.d_un.d_ptr);
        else if (entry.d_tag == DT_STRTAB)
            library->texts = absolute(library, entry.d_un.d_ptr);
        else if (entry.d_tag == DT_STRSZ)
            library->texts_size = entry.d_un.d_val;
    }
    return library->symbols != 0 && library->texts > library->symbols && library->texts_size > 0 &&
           library->texts_size < MOST_TEXT;
}

static bool read_headers(struct library* library) {
    Elf64_Ehdr head;
    Elf64_Phdr part;
    if (!remote_transfer(library->pid, library->base, &head, sizeof(head), false) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        uint64_t at = library->base + head.e_phoff + i * sizeof(part);
        if (remote_transfer(library->pid, at, &part, sizeof(part), false) &&
            part.p_type == PT_DYNAMIC)
            return read_dynamic(library, absolute(library, part.p_vaddr));
    }
    return false;
}

/* The table of texts follows that of symbols, at some distance: what is between is looked at too,
 * and does no harm. */
static uint64_t find_symbol(struct library* library, const char* name) {
    size_t count = (library->texts - library->symbols) / sizeof(Elf64_Sym);
    uint64_t found = 0;
    if (count > MOST_SYMBOLS)
        return 0;
    Elf64_Sym* symbols = must(malloc(count * sizeof(*symbols) + 1));
    char* texts = must(calloc(1, library->texts_size + 1));
    if (remote_transfer(library->pid, library->symbols, symbols, count * sizeof(*symbols), false) &&
        remote_transfer(library->pid, library->texts, texts, library->texts_size, false))
        for (size_t i = 0; i < count && found == 0; i++)
            if (symbols[i].st_name < library->texts_size && symbols[i].st_value != 0 &&
                symbols[i].st_shndx != SHN_UNDEF && strcmp(texts + symbols[i].st_name, name) == 0)
                found = library->base + symbols[i].st_value;
    free(symbols);
    free(texts);
    return found;
}

/* The first mapping of each file is its beginning. */
uint64_t remote_find(pid_t pid, const char* const* files, const char* symbol, char* found,
                     size_t size) {
    char line[4400], path[4200];
    uint64_t begin, offset, address = 0;
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    FILE* maps = fopen(path, "re");
    while (maps != NULL && address == 0 && fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*s %4199[^\n]", &begin, &offset,
                   path) != 3 ||
            offset != 0 || path[0] != '/')
            continue;
        bool wanted = files == NULL;
        for (size_t i = 0; files != NULL && files[i] != NULL; i++)
            wanted |= strstr(path, files[i]) != NULL;
        struct library library = {.pid = pid, .base = begin};
        if (wanted && found != NULL)
            snprintf(found, size, "%s", path);
        if (wanted && read_headers(&library))
            address = find_symbol(&library, symbol);
    }
    if (maps != NULL)
        fclose(maps);
    return address;
}

bool remote_has_ended(pid_t pid) {
    char path[64], line[600] = "";
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE* stat = fopen(path, "re");
    if (stat == NULL)
        return false;
    const char* state = fgets(line, sizeof(line), stat) != NULL ? strrchr(line, ')') : NULL;
    fclose(stat);
    return state != NULL && (strncmp(state, ") Z", 3) == 0 || strncmp(state, ") X", 3) == 0);
}
