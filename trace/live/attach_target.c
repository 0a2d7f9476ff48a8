#include "live/attach_target.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <sys/uio.h>
#include <time.h>

#include "live/stuck.h"
#include "read/memory.h"

enum { MOST_SYMBOLS = 1 << 20, MOST_TEXT = 16 << 20, PATIENCE_MS = 500, STEP_MS = 10 };

static bool transfer(pid_t pid, uint64_t address, void* data, size_t size, bool out) {
    struct iovec here = {data, size}, there = {(void*)(uintptr_t)address, size};
    ssize_t n = out ? process_vm_writev(pid, &here, 1, &there, 1, 0)
                    : process_vm_readv(pid, &here, 1, &there, 1, 0);
    return n == (ssize_t)size;
}

static bool explain(pid_t pid, char* error, size_t size) {
    if (errno == EPERM || errno == EACCES)
        snprintf(error, size,
                 "no permission to look into process %d: it belongs to another user, or the system "
                 "forbids it (kernel.yama.ptrace_scope)",
                 (int)pid);
    else if (errno == ESRCH || errno == ENOENT)
        snprintf(error, size, "there is no process %d", (int)pid);
    else
        snprintf(error, size, "process %d can't be read: %s", (int)pid, strerror(errno));
    return false;
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
        if (!transfer(library->pid, address + (uint64_t)i * sizeof(entry), &entry, sizeof(entry),
                      false) ||
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
    if (!transfer(library->pid, library->base, &head, sizeof(head), false) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        uint64_t at = library->base + head.e_phoff + i * sizeof(part);
        if (transfer(library->pid, at, &part, sizeof(part), false) && part.p_type == PT_DYNAMIC)
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
    if (transfer(library->pid, library->symbols, symbols, count * sizeof(*symbols), false) &&
        transfer(library->pid, library->texts, texts, library->texts_size, false))
        for (size_t i = 0; i < count && found == 0; i++)
            if (symbols[i].st_name < library->texts_size && symbols[i].st_value != 0 &&
                symbols[i].st_shndx != SHN_UNDEF && strcmp(texts + symbols[i].st_name, name) == 0)
                found = library->base + symbols[i].st_value;
    free(symbols);
    free(texts);
    return found;
}

/* The first mapping of each file is its beginning. */
static bool find_control(struct target* target, FILE* maps, char* other, size_t size) {
    char line[4400], path[4200];
    uint64_t begin, offset;
    while (fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*s %4199[^\n]", &begin, &offset,
                   path) != 3 ||
            offset != 0 || strstr(path, "libuv.so") == NULL)
            continue;
        struct library library = {.pid = target->pid, .base = begin};
        snprintf(other, size, "%s", path);
        if (read_headers(&library))
            target->address = find_symbol(&library, "phasor_trace_control");
        if (target->address != 0)
            return true;
    }
    return false;
}

bool target_open(struct target* target, pid_t pid, char* error, size_t size) {
    char path[64], other[4200] = "";
    uint64_t probe;
    *target = (struct target){.pid = pid};
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    FILE* maps = fopen(path, "re");
    if (maps == NULL)
        return explain(pid, error, size);
    bool found = find_control(target, maps, other, sizeof(other));
    fclose(maps);
    if (found)
        return target_refresh(target, error, size);
    /* Without permission nothing is found either. */
    snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
    FILE* auxv = fopen(path, "re");
    if (auxv == NULL || fread(&probe, sizeof(probe), 1, auxv) != 1) {
        if (auxv != NULL)
            fclose(auxv);
        errno = errno != 0 ? errno : EPERM;
        return explain(pid, error, size);
    }
    fclose(auxv);
    if (*other != '\0')
        snprintf(error, size, "process %d runs on %s, which is not ours", (int)pid, other);
    else
        snprintf(error, size, "process %d has not loaded libuv.so.1", (int)pid);
    return false;
}

bool target_refresh(struct target* target, char* error, size_t size) {
    struct ph_trace_control* control = &target->control;
    errno = 0;
    if (!transfer(target->pid, target->address, control, sizeof(*control), false))
        return explain(target->pid, error, size);
    if (memcmp(control->magic, PH_CONTROL_MAGIC, sizeof(control->magic)) != 0 ||
        control->version != PH_CONTROL_VERSION || control->size != sizeof(*control)) {
        snprintf(error, size, "process %d has another version of our library", (int)target->pid);
        return false;
    }
    control->recording[sizeof(control->recording) - 1] = '\0';
    return true;
}

static bool write_field(struct target* target, size_t offset, const void* data, size_t size) {
    return transfer(target->pid, target->address + offset, (void*)data, size, true);
}

#define WRITE_FIELD(target, field, data, size) \
    write_field(target, offsetof(struct ph_trace_control, field), data, size)

static bool has_obeyed(struct target* target, uint32_t before) {
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    char error[4400];
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        nanosleep(&step, NULL);
        if (!target_refresh(target, error, sizeof(error)))
            return false;
        if (target->control.obeyed != before)
            return true;
    }
    return false;
}

enum target_answer target_command(struct target* target, enum ph_trace_command command,
                                  const char* file, uint64_t limit, char* error, size_t size) {
    uint32_t before = target->control.obeyed, word = command;
    uint64_t place = (uintptr_t)target->control.hooks, summons = (uintptr_t)target->control.summons;
    uint64_t hooks;
    if (!WRITE_FIELD(target, file, file, strlen(file) + 1) ||
        !WRITE_FIELD(target, limit, &limit, sizeof(limit)) ||
        !WRITE_FIELD(target, command, &word, sizeof(word)) ||
        !transfer(target->pid, place, &hooks, sizeof(hooks), false))
        return explain(target->pid, error, size), TARGET_FAILED;
    /* Who records looks for commands by itself. */
    if (hooks == 0 && !transfer(target->pid, place, &summons, sizeof(summons), true))
        return explain(target->pid, error, size), TARGET_FAILED;
    if (has_obeyed(target, before))
        return TARGET_OBEYED;
    /* All loops are asleep, or inside of callbacks. */
    stuck_wake(target->pid);
    if (has_obeyed(target, before))
        return TARGET_OBEYED;
    stuck_obey(target->pid, &target->control);
    if (has_obeyed(target, before))
        return TARGET_OBEYED;
    return target_refresh(target, error, size) ? TARGET_NOT_YET : TARGET_FAILED;
}

void target_say_result(const struct target* target, const char* file, char* error, size_t size) {
    int result = target->control.result;
    if (result == -ENOSYS)
        snprintf(error, size,
                 "process %d can't load the recorder, phasor/libphasor-trace.so beside its libuv",
                 (int)target->pid);
    else
        snprintf(error, size, "process %d can't write %s: %s", (int)target->pid, file,
                 strerror(-result));
}
