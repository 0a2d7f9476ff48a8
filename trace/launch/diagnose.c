#include "launch/diagnose.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "read/memory.h"

enum { MOST_INTERPRETERS = 4 };

struct image {
    const unsigned char* data;
    size_t size;
    struct stat info;
};

static bool map_image(const char* path, struct image* image) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd != -1 && fstat(fd, &image->info) == 0 && image->info.st_size > 0;
    if (good) {
        image->size = (size_t)image->info.st_size;
        image->data = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, fd, 0);
        good = image->data != MAP_FAILED;
    }
    if (fd != -1)
        close(fd);
    return good;
}

/* The loader that a dynamic program names; NULL if it names none, and so is static. */
static const char* find_loader(const struct image* image) {
    const Elf64_Ehdr* head = (const Elf64_Ehdr*)image->data;
    for (unsigned i = 0; i < head->e_phnum; i++) {
        uint64_t at = head->e_phoff + i * sizeof(Elf64_Phdr);
        if (at > image->size || image->size - at < sizeof(Elf64_Phdr))
            return NULL;
        const Elf64_Phdr* part = (const Elf64_Phdr*)(image->data + at);
        if (part->p_type == PT_INTERP && part->p_offset < image->size &&
            memchr(image->data + part->p_offset, '\0', image->size - part->p_offset) != NULL)
            return (const char*)image->data + part->p_offset;
    }
    return NULL;
}

static bool changes_privileges(const char* path, const struct image* image) {
    bool user = (image->info.st_mode & S_ISUID) && image->info.st_uid != geteuid();
    bool group = (image->info.st_mode & S_ISGID) && image->info.st_gid != getegid();
    return user || group || getxattr(path, "security.capability", NULL, 0) > 0;
}

static bool has_text(const struct image* image, const char* text, size_t size) {
    return memmem(image->data, image->size, text, size) != NULL;
}

/* What the loader says about the program's libraries. The caller frees it. */
static char* list_libraries(const char* loader, const char* program) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        execl(loader, loader, "--list", program, (char*)NULL);
        _exit(127);
    }
    close(ends[1]);
    char* text = must(calloc(1, 1 << 16));
    size_t length = 0;
    ssize_t n;
    while (pid > 0 && (n = read(ends[0], text + length, (1 << 16) - 1 - length)) > 0)
        length += (size_t)n;
    close(ends[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return text;
}

/* Our library looks for it beside itself. */
static bool has_recorder(const char* library) {
    char path[PATH_MAX];
    int folder = (int)(strrchr(library, '/') - library);
    return snprintf(path, sizeof(path), "%.*s/phasor/libphasor-trace.so", folder, library) <
               (int)sizeof(path) &&
           access(path, R_OK) == 0;
}

static void diagnose_libraries(const char* program, const char* loader, const char* library,
                               const struct image* image, char* out, size_t size) {
    static const char built_in[] = "\0uv_run";
    char* list = list_libraries(loader, program);
    char* line = list != NULL ? strstr(list, "libuv.so.1 => ") : NULL;
    if (line == NULL) {
        bool inside = has_text(image, built_in, sizeof(built_in));
        snprintf(out, size,
                 inside ? "%s has libuv built in, so that no other can take its place"
                        : "%s does not load libuv.so.1 at its start, and no part of it made a loop "
                          "on our library",
                 program);
    } else {
        char* path = line + strlen("libuv.so.1 => ");
        path[strcspn(path, "\n")] = '\0';
        char* address = strstr(path, " (0x"); /* a path may have spaces */
        if (address != NULL)
            *address = '\0';
        if (strcmp(path, library) == 0 && !has_recorder(library))
            snprintf(out, size, "the recorder, phasor/libphasor-trace.so beside %s, is not there",
                     library);
        else if (strcmp(path, library) == 0)
            snprintf(out, size, "%s loaded our library, but never made a loop", program);
        else
            snprintf(out, size,
                     "%s loads %s instead: a path inside the program (RPATH) comes before ours",
                     program, path);
    }
    free(list);
}

static void diagnose_elf(const char* program, const char* library, const struct image* image,
                         char* out, size_t size) {
    if (image->data[EI_CLASS] != ELFCLASS64 || image->size < sizeof(Elf64_Ehdr)) {
        snprintf(out, size, "%s is not a 64-bit program, as our library is", program);
        return;
    }
    const char* loader = find_loader(image);
    if (loader == NULL)
        snprintf(out, size, "%s is statically linked: it loads no libraries at all", program);
    else if (changes_privileges(program, image))
        snprintf(out, size,
                 "%s is set-user-id or has capabilities: the system does not let it load another "
                 "library",
                 program);
    else
        diagnose_libraries(program, loader, library, image, out, size);
}

/* "#!/usr/bin/env node" and "#!/bin/sh": what runs the script, in `out`. */
static bool find_interpreter(const struct image* image, char* out, size_t size) {
    if (image->size < 3 || memcmp(image->data, "#!", 2) != 0)
        return false;
    char line[512];
    size_t length = image->size - 2 < sizeof(line) - 1 ? image->size - 2 : sizeof(line) - 1;
    memcpy(line, image->data + 2, length);
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
    char* rest = line;
    char* word;
    while ((word = strsep(&rest, " \t")) != NULL && *word == '\0')
        continue;
    snprintf(out, size, "%s", word != NULL ? word : "");
    return word != NULL && *word == '/';
}

void trace_diagnose(const char* program, const char* library, char* out, size_t size) {
    char path[4096], next[512];
    snprintf(path, sizeof(path), "%s", program);
    for (int i = 0; i < MOST_INTERPRETERS; i++) {
        struct image image;
        if (!map_image(path, &image)) {
            snprintf(out, size, "%s can't be looked at", path);
            return;
        }
        bool script = find_interpreter(&image, next, sizeof(next));
        if (!script && image.size > EI_NIDENT && memcmp(image.data, ELFMAG, SELFMAG) == 0)
            diagnose_elf(path, library, &image, out, size);
        else if (!script)
            snprintf(out, size, "%s is not a program that the kernel can run itself", path);
        munmap((void*)image.data, image.size);
        if (!script)
            return;
        snprintf(path, sizeof(path), "%s", next);
    }
    snprintf(out, size, "%s is a script of a script of a script", program);
}
