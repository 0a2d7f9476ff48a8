/* What a library needs of V8's or Node's C++ interface, read from its table of symbols before it is
 * loaded: loading would end the process, if one of its constructors calls what is not there. */
#include "plugins/napi/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const uint8_t* bytes;
    size_t size;
} file;

static const void* at(const file* library, uint64_t offset, uint64_t size) {
    if (offset > library->size || size > library->size - offset)
        return NULL;
    return library->bytes + offset;
}

static bool is_of_v8(const char* name) {
    return strncmp(name, "_ZN2v8", 6) == 0 || strncmp(name, "_ZNK2v8", 7) == 0 ||
           strncmp(name, "_ZN4node", 8) == 0 || strcmp(name, "node_module_register") == 0;
}

static const char* search(const file* library, const Elf64_Shdr* section, const Elf64_Shdr* names) {
    const Elf64_Sym* symbols = at(library, section->sh_offset, section->sh_size);
    const char* text = at(library, names->sh_offset, names->sh_size);
    if (symbols == NULL || text == NULL || names->sh_size == 0 || text[names->sh_size - 1] != '\0')
        return NULL;
    for (size_t i = 0; i < section->sh_size / sizeof(*symbols); i++)
        if (symbols[i].st_shndx == SHN_UNDEF && symbols[i].st_name < names->sh_size &&
            ELF64_ST_BIND(symbols[i].st_info) == STB_GLOBAL && is_of_v8(text + symbols[i].st_name))
            return text + symbols[i].st_name;
    return NULL;
}

static const char* search_all(const file* library) {
    const Elf64_Ehdr* head = at(library, 0, sizeof(*head));
    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr))
        return NULL;
    const Elf64_Shdr* sections =
        at(library, head->e_shoff, (uint64_t)head->e_shnum * sizeof(*sections));
    for (size_t i = 0; sections != NULL && i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= head->e_shnum)
            continue;
        return search(library, &sections[i], &sections[sections[i].sh_link]);
    }
    return NULL;
}

char* napi_needs_v8(const char* path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    char* found = NULL;
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        file library = {.size = (size_t)status.st_size};
        void* mapped = mmap(NULL, library.size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (mapped != MAP_FAILED) {
            library.bytes = mapped;
            const char* name = search_all(&library);
            found = name == NULL ? NULL : strdup(name);
            munmap(mapped, library.size);
        }
    }
    close(descriptor);
    return found;
}
