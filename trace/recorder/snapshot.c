/* What a trace file says about its process, so that addresses can be named later, elsewhere. */

#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder/memory.h"
#include "recorder/recorder.h"
#include "recorder/sampler.h"
#include "recorder/services.h"

void ph_text_add(struct ph_text* text, const void* data, size_t size) {
    if (size > text->room - text->size) {
        size_t room = (text->size + size) * 2;
        char* larger = ph_recorder_realloc(text->data, room);
        if (larger == NULL) {
            text->failed = true;
            return;
        }
        text->data = larger;
        text->room = room;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
}

void ph_text_print(struct ph_text* text, const char* format, ...) {
    char line[4400];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    if (size > 0)
        ph_text_add(text, line, (size_t)size < sizeof(line) ? (size_t)size : sizeof(line) - 1);
}

void ph_text_free(struct ph_text* text) {
    ph_recorder_free(text->data);
    *text = (struct ph_text){0};
}

static void add_file(struct ph_text* text, const char* path) {
    char part[4096];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return;
    while ((n = read(fd, part, sizeof(part))) > 0)
        ph_text_add(text, part, (size_t)n);
    close(fd);
}

/* One value on one line. */
static void add_line(struct ph_text* text, const char* key, const char* value, size_t size) {
    ph_text_print(text, "%s=", key);
    for (size_t i = 0; i < size; i++)
        ph_text_add(text, value[i] == '\n' ? " " : &value[i], 1);
    ph_text_add(text, "\n", 1);
}

static void add_link(struct ph_text* text, const char* key, const char* link) {
    char target[4096];
    ssize_t n = readlink(link, target, sizeof(target));
    if (n > 0)
        add_line(text, key, target, (size_t)n);
}

/* When the process began, on the clock of the events: the kernel counts ticks since the machine
 * started. 0: not known. */
static uint64_t process_began(void) {
    enum { STARTED = 22 }; /* the field; the second one, in parentheses, may have blanks */
    struct ph_text stat = {0};
    struct timespec boot, now;
    unsigned long long ticks = 0;
    add_file(&stat, "/proc/self/stat");
    ph_text_add(&stat, "", 1);
    const char* at = stat.failed ? NULL : strrchr(stat.data, ')');
    for (int field = 2; at != NULL && field < STARTED; field++)
        at = strchr(at + 1, ' ');
    if (at != NULL)
        ticks = strtoull(at, NULL, 10);
    ph_text_free(&stat);
    clock_gettime(CLOCK_MONOTONIC, &now);
    clock_gettime(CLOCK_BOOTTIME, &boot);
    int64_t asleep = (boot.tv_sec - now.tv_sec) * 1000000000 + boot.tv_nsec - now.tv_nsec;
    int64_t began = (int64_t)ticks * (1000000000 / sysconf(_SC_CLK_TCK)) - asleep;
    return ticks > 0 && began > 0 ? (uint64_t)began : 0;
}

void ph_snapshot_info(struct ph_text* text) {
    struct ph_text arguments = {0};
    char why[200];
    add_link(text, "executable", "/proc/self/exe");
    add_link(text, "folder", "/proc/self/cwd");
    add_file(&arguments, "/proc/self/cmdline");
    for (size_t i = 0; i < arguments.size;) {
        size_t length = strnlen(arguments.data + i, arguments.size - i);
        add_line(text, "argument", arguments.data + i, length);
        i += length + 1;
    }
    ph_text_free(&arguments);
    ph_text_print(text, "version=%s\n", ph_services->version());
    ph_text_print(text, "main_thread=%d\n", (int)getpid());
    if (*ph_memory_name() != '\0')
        ph_text_print(text, "memory=%s\n", ph_memory_name());
    ph_text_print(text, "processors=%ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    if (ph_recorder_began_with_process())
        ph_text_print(text, "began=%llu\n", (unsigned long long)process_began());
    /* Its timers and immediates are told one by one: see trace/async. */
    const char* options = getenv("NODE_OPTIONS");
    if (options != NULL && strstr(options, "/phasor/async.js") != NULL && ph_v8_find() &&
        ph_v8_is_node())
        ph_text_print(text, "async=1\n");
    if (ph_v8_is_unknown(why, sizeof(why)))
        ph_text_print(text, "nameless=%s\n", why);
}

/* Memory that has a name but no file has nothing to tell either, other than the kernel's code, in
 * which threads that look at the clock are. */
static bool is_of_a_file(const char* line, size_t size) {
    return (memchr(line, '/', size) != NULL && memmem(line, size, "/memfd:", 7) == NULL) ||
           memmem(line, size, "[vdso]", 6) != NULL;
}

void ph_snapshot_maps(struct ph_text* text) {
    struct ph_text maps = {0};
    add_file(&maps, "/proc/self/maps");
    char* end = maps.data + maps.size;
    for (char *line = maps.data, *next; line != NULL && line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next != NULL ? next + 1 : end;
        if (is_of_a_file(line, (size_t)(next - line)))
            ph_text_add(text, line, (size_t)(next - line));
    }
    text->failed |= maps.failed;
    ph_text_free(&maps);
}

/* The next note of a segment; NULL after the last. */
static const ElfW(Nhdr) * next_note(const ElfW(Nhdr) * note, const char* end) {
    size_t size = sizeof(*note) + ((note->n_namesz + 3) & ~3u) + ((note->n_descsz + 3) & ~3u);
    const char* next = (const char*)note + size;
    return next + sizeof(*note) <= end ? (const ElfW(Nhdr)*)next : NULL;
}

static void add_build(struct ph_text* text, const struct dl_phdr_info* info,
                      const ElfW(Nhdr) * note) {
    const unsigned char* id = (const unsigned char*)(note + 1) + ((note->n_namesz + 3) & ~3u);
    ph_text_print(text, "%lx ", (unsigned long)info->dlpi_addr);
    for (unsigned i = 0; i < note->n_descsz && i < 64; i++)
        ph_text_print(text, "%02x", id[i]);
    ph_text_print(text, " %s\n", info->dlpi_name);
}

static int visit_object(struct dl_phdr_info* info, size_t size, void* text) {
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE || segment->p_memsz < sizeof(ElfW(Nhdr)))
            continue;
        const char* begin = (const char*)(info->dlpi_addr + segment->p_vaddr);
        for (const ElfW(Nhdr)* note = (const ElfW(Nhdr)*)begin; note != NULL;
             note = next_note(note, begin + segment->p_memsz))
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp(note + 1, "GNU", 4) == 0) {
                add_build(text, info, note);
                return 0;
            }
    }
    return 0;
}

void ph_snapshot_builds(struct ph_text* text) {
    dl_iterate_phdr(visit_object, text);
}

static int read_generation(struct dl_phdr_info* info, size_t size, void* generation) {
    (void)size;
    *(uint64_t*)generation = info->dlpi_adds;
    return 1;
}

uint64_t ph_snapshot_generation(void) {
    uint64_t generation = 0;
    dl_iterate_phdr(read_generation, &generation);
    return generation;
}
