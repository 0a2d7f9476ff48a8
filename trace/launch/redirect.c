#include "launch/redirect.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/preload.h"
#include "read/memory.h"

enum { MOST_INTERPRETERS = 4 };

/* Whether the table of symbols, in this section, has it. */
static bool defines(const unsigned char* data, size_t size, const Elf64_Shdr* section,
                    const Elf64_Shdr* names, const char* wanted) {
    if (section->sh_offset > size || section->sh_size > size - section->sh_offset ||
        names->sh_offset > size || names->sh_size > size - names->sh_offset)
        return false;
    const char* text = (const char*)data + names->sh_offset;
    size_t length = strlen(wanted) + 1;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, data + section->sh_offset + at, sizeof(symbol));
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < names->sh_size &&
            names->sh_size - symbol.st_name >= length &&
            memcmp(text + symbol.st_name, wanted, length) == 0)
            return true;
    }
    return false;
}

static bool exports(const unsigned char* data, size_t size, const char* wanted) {
    Elf64_Ehdr head;
    if (size < sizeof(head) || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_CLASS] != ELFCLASS64)
        return false;
    memcpy(&head, data, sizeof(head));
    if (head.e_shoff > size || head.e_shnum > (size - head.e_shoff) / sizeof(Elf64_Shdr))
        return false;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr section, names;
        memcpy(&section, data + head.e_shoff + i * sizeof(section), sizeof(section));
        if (section.sh_type != SHT_DYNSYM || section.sh_link >= head.e_shnum)
            continue;
        memcpy(&names, data + head.e_shoff + section.sh_link * sizeof(names), sizeof(names));
        return defines(data, size, &section, &names, wanted);
    }
    return false;
}

/* As the shell does: in the folders of PATH. */
static bool find_in_path(const char* name, char* out, size_t size) {
    const char* path = getenv("PATH");
    char* folders = must(strdup(path != NULL ? path : ""));
    char* rest = folders;
    char* folder;
    bool found = false;
    while (!found && (folder = strsep(&rest, ":")) != NULL)
        found = snprintf(out, size, "%s/%s", *folder != '\0' ? folder : ".", name) < (int)size &&
                access(out, X_OK) == 0;
    free(folders);
    return found;
}

/* What runs the script: "#!/usr/bin/node", "#!/usr/bin/env -S node --flag". */
static bool find_interpreter(const char* data, size_t size, char* out, size_t room) {
    char line[512];
    if (size < 3 || memcmp(data, "#!", 2) != 0)
        return false;
    snprintf(line, sizeof(line), "%.*s", (int)(size - 2 < 500 ? size - 2 : 500), data + 2);
    line[strcspn(line, "\n")] = '\0';
    char* rest = line;
    char* word;
    while ((word = strsep(&rest, " \t")) != NULL && *word == '\0')
        continue;
    if (word == NULL)
        return false;
    const char* slash = strrchr(word, '/');
    if (strcmp(slash != NULL ? slash + 1 : word, "env") != 0)
        return snprintf(out, room, "%s", word) < (int)room;
    while ((word = strsep(&rest, " \t")) != NULL)
        if (*word != '\0' && *word != '-' && strchr(word, '=') == NULL)
            return find_in_path(word, out, room);
    return false;
}

/* What is there to start other programs, which may have libuv inside. Others are left as they are:
 * what is preloaded for nothing may disturb. A sanitizer in our library can't be in them. */
static bool starts_others(const char* path) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return path == NULL;
#else
    static const char* const names[] = {
        "sh",   "bash",      "dash",    "ash",     "zsh",    "ksh",    "fish",
        "env",  "nice",      "nohup",   "timeout", "setsid", "stdbuf", "ionice",
        "tini", "dumb-init", "busybox", "taskset", "chrt",   "gosu",   "make"};
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
#endif
}

/* It, or the interpreter of the script that it is, or what may be started by that. */
static bool may_have_libuv_inside(const char* program) {
    char path[PATH_MAX], next[PATH_MAX];
    bool inside = false, script = true;
    snprintf(path, sizeof(path), "%s", program);
    for (int i = 0; i < MOST_INTERPRETERS && script; i++) {
        struct stat info;
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd == -1)
            return false;
        size_t size = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
        void* data = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
        close(fd);
        if (data == MAP_FAILED)
            return false;
        script = find_interpreter(data, size, next, sizeof(next));
        inside = !script && (exports(data, size, "uv_run") || starts_others(path));
        munmap(data, size);
        snprintf(path, sizeof(path), "%s", next);
    }
    return inside;
}

void trace_redirect(const char* program, const char* library) {
    if (may_have_libuv_inside(program))
        trace_preload(library, "libphasor-redirect.so");
}

bool trace_redirect_failed(const char* recording, const char* program, char* out, size_t size) {
    char path[PATH_MAX + 8], text[PATH_MAX + 700] = "";
    snprintf(path, sizeof(path), "%s.why", recording);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd == -1)
        return false;
    ssize_t n = read(fd, text, sizeof(text) - 1);
    close(fd);
    unlink(path);
    char* why = strchr(text, '\n');
    if (n <= 0 || why == NULL)
        return false;
    *why++ = '\0';
    /* It may be what runs the program, a script. */
    char* real = realpath(program, NULL);
    bool itself = real != NULL && strcmp(real, text) == 0;
    free(real);
    snprintf(out, size,
             "%s has libuv built in, and %s: run the program with a node that loads libuv.so.1, "
             "such as Debian's nodejs",
             itself ? program : text, why);
    return true;
}
