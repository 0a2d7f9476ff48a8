#include "search/program.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 4096, MOST_INTERPRETERS = 4 };

/* As execvp finds it. */
static bool find(const char* program, const char* folder, char path[PATH_MAX]) {
    const char* places = getenv("PATH");
    if (strchr(program, '/') != NULL || places == NULL) {
        bool below = program[0] != '/' && folder != NULL;
        return snprintf(path, PATH_MAX, "%s%s%s", below ? folder : "", below ? "/" : "", program) <
               PATH_MAX;
    }
    for (size_t length; *places != '\0'; places += length + (places[length] == ':')) {
        length = strcspn(places, ":");
        if (snprintf(path, PATH_MAX, "%.*s/%s", (int)length, places, program) < PATH_MAX &&
            access(path, X_OK) == 0)
            return true;
    }
    return false;
}

struct image {
    bool is_elf;
    bool has_linker; /* the dynamic linker loads it, and with it the world */
    bool is_go;
};

static void read_notes(int fd, const Elf64_Phdr* part, struct image* image) {
    char text[1024];
    size_t align = part->p_align > 4 ? 8 : 4;
    size_t size = part->p_filesz < sizeof(text) ? part->p_filesz : sizeof(text);
    ssize_t got = pread(fd, text, size, (off_t)part->p_offset);
    Elf64_Nhdr note;
    for (size_t at = 0; got > 0 && at + sizeof(note) + 4 <= (size_t)got;) {
        memcpy(&note, text + at, sizeof(note));
        if (note.n_namesz == 4 && memcmp(text + at + sizeof(note), "Go\0\0", 4) == 0)
            image->is_go = true;
        at += sizeof(note) + (((uint64_t)note.n_namesz + 3) & ~UINT64_C(3)) + note.n_descsz;
        at = (at + align - 1) & ~(align - 1);
    }
}

static struct image read_image(int fd, const char* head, ssize_t size) {
    struct image image = {0};
    Elf64_Ehdr header;
    if (size < (ssize_t)sizeof(header) || memcmp(head, ELFMAG, SELFMAG) != 0)
        return image;
    memcpy(&header, head, sizeof(header));
    image.is_elf = header.e_ident[EI_CLASS] == ELFCLASS64;
    for (int i = 0; image.is_elf && i < header.e_phnum; i++) {
        Elf64_Phdr part;
        off_t place = (off_t)(header.e_phoff + (uint64_t)i * header.e_phentsize);
        if (pread(fd, &part, sizeof(part), place) != (ssize_t)sizeof(part))
            break;
        image.has_linker |= part.p_type == PT_INTERP;
        if (part.p_type == PT_NOTE)
            read_notes(fd, &part, &image);
    }
    return image;
}

/* "#! /usr/bin/env node" begins as its first word does; what env starts is found later. */
static bool read_interpreter(const char* head, char path[PATH_MAX]) {
    if (strncmp(head, "#!", 2) != 0)
        return false;
    const char* word = head + 2 + strspn(head + 2, " \t");
    size_t length = strcspn(word, " \t\r\n");
    return length > 0 && snprintf(path, PATH_MAX, "%.*s", (int)length, word) < PATH_MAX;
}

static bool judge(const char* path, const struct stat* info, struct image image, char* why,
                  size_t room) {
    const char* reason = NULL;
    if (!image.is_elf)
        return true;
    if ((info->st_mode & S_ISUID && info->st_uid != geteuid()) ||
        (info->st_mode & S_ISGID && info->st_gid != getegid()))
        reason = "it runs with the rights of another user (setuid)";
    else if (!image.has_linker)
        reason = "it is linked statically";
    else if (image.is_go)
        reason = "programs in Go make their own system calls and threads";
    if (reason != NULL)
        snprintf(why, room, "%.200s can't be simulated: %s", path, reason);
    return reason == NULL;
}

bool sim_program_fits(const char* program, const char* folder, char* why, size_t room) {
    char path[PATH_MAX];
    char head[HEAD + 1];
    struct stat info;
    if (!find(program, folder, path))
        return true;
    for (int i = 0; i < MOST_INTERPRETERS; i++) {
        int fd = access(path, X_OK) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        ssize_t size = fd != -1 && fstat(fd, &info) == 0 ? read(fd, head, HEAD) : -1;
        struct image image = {0};
        head[size > 0 ? size : 0] = '\0';
        if (size > 0)
            image = read_image(fd, head, size);
        if (fd != -1)
            close(fd);
        if (size <= 0 || !judge(path, &info, image, why, room))
            return size <= 0;
        if (!read_interpreter(head, path))
            return true;
    }
    return true;
}
