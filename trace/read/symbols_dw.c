/* Names from symbol tables and debug information, found by elfutils: beside the binary, by its
 * build id below /usr/lib/debug, or by its debug link. */

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <sys/auxv.h>

#include "read/memory.h"
#include "read/symbols.h"
#include "read/symbols_dw.h"

struct binaries {
    const struct trace_file* file;
    Dwfl* dwfl;
    char* executable;
    void* cxx; /* the C++ library, for its demangler */
    char* (*demangle)(const char* name, char* out, size_t* size, int* status);
    char problem[300];
};

/* What the kernel puts into each process is in no file: that of this process is taken. */
static const char vdso[] = "[vdso]";

static int find_elf(Dwfl_Module* module, void** userdata, const char* name, Dwarf_Addr base,
                    char** file, Elf** elf) {
    if (strcmp(name, vdso) != 0)
        return dwfl_linux_proc_find_elf(module, userdata, name, base, file, elf);
    ElfW(Ehdr)* own = (ElfW(Ehdr)*)getauxval(AT_SYSINFO_EHDR); /* NOLINT */
    if (own != NULL)
        *elf = elf_memory((char*)own, own->e_shoff + (size_t)own->e_shnum * own->e_shentsize);
    return -1;
}

static char* debug_path = "+:.debug:/usr/lib/debug";
static const Dwfl_Callbacks callbacks = {
    .find_elf = find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .debuginfo_path = &debug_path,
};

static void report_vdso(struct binaries* binaries) {
    const char* maps = binaries->file->maps;
    const char* at = strstr(maps, vdso);
    uint64_t begin, end;
    while (at != NULL && at > maps && at[-1] != '\n')
        at--;
    if (at != NULL && sscanf(at, "%" SCNx64 "-%" SCNx64, &begin, &end) == 2 && begin < end)
        dwfl_report_module(binaries->dwfl, vdso, begin, end);
}

static void report_maps(struct binaries* binaries) {
    char* maps = binaries->file->maps;
    if (*maps == '\0')
        return;
    FILE* text = fmemopen(maps, strlen(maps), "r");
    if (text == NULL)
        return;
    dwfl_report_begin(binaries->dwfl);
    dwfl_linux_proc_maps_report(binaries->dwfl, text);
    report_vdso(binaries);
    dwfl_report_end(binaries->dwfl, NULL, NULL);
    fclose(text);
}

static void find_demangler(struct binaries* binaries) {
    binaries->cxx = dlopen("libstdc++.so.6", RTLD_LAZY);
    if (binaries->cxx == NULL)
        return;
    void* found = dlsym(binaries->cxx, "__cxa_demangle");
    memcpy(&binaries->demangle, &found, sizeof(found));
}

struct binaries* binaries_dw_open(const struct trace_file* file, char* executable) {
    struct binaries* binaries = must(calloc(1, sizeof(*binaries)));
    binaries->file = file;
    binaries->executable = executable;
    /* Names are taken from this machine; nothing is fetched from the network. */
    unsetenv("DEBUGINFOD_URLS");
    binaries->dwfl = dwfl_begin(&callbacks);
    if (binaries->dwfl != NULL)
        report_maps(binaries);
    return binaries;
}

void binaries_dw_close(struct binaries* binaries) {
    if (binaries->dwfl != NULL)
        dwfl_end(binaries->dwfl);
    if (binaries->cxx != NULL)
        dlclose(binaries->cxx);
    free(binaries->executable);
    free(binaries);
}

const char* binaries_dw_problem(const struct binaries* binaries) {
    return binaries->problem[0] != '\0' ? binaries->problem : NULL;
}

/* The build id that the recording has for this path, as text; NULL if it has none. */
static char* recorded_build(const struct binaries* binaries, const char* path) {
    for (const char* line = binaries->file->builds; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        char id[160] = "";
        int name_at = 0;
        char* text = must(strndup(line, length));
        if (sscanf(text, "%*x %159[0-9a-f] %n", id, &name_at) == 1 && name_at > 0) {
            const char* name = text + name_at;
            if (*name == '\0')
                name = binaries->executable != NULL ? binaries->executable : "";
            char* real = realpath(name, NULL);
            bool same = strcmp(name, path) == 0 || (real != NULL && strcmp(real, path) == 0);
            free(real);
            if (same) {
                free(text);
                return must(strdup(id));
            }
        }
        free(text);
        line += length + (line[length] == '\n');
    }
    return NULL;
}

/* A binary that was replaced since the recording has other functions at the same addresses; another
 * kernel has its own. */
static bool has_changed(struct binaries* binaries, Dwfl_Module* module, const char* path) {
    const unsigned char* bits;
    GElf_Addr address;
    bool is_kernels = strcmp(path, vdso) == 0;
    char* recorded = recorded_build(binaries, is_kernels ? "linux-vdso.so.1" : path);
    char now[160] = "";
    if (recorded == NULL)
        return is_kernels;
    int size = dwfl_module_build_id(module, &bits, &address);
    for (int i = 0; i < size && i < 64; i++)
        snprintf(&now[2 * (size_t)i], 3, "%02x", bits[i]);
    bool changed = size > 0 && strcmp(now, recorded) != 0;
    free(recorded);
    if (changed && !is_kernels)
        snprintf(binaries->problem, sizeof(binaries->problem),
                 "%.200s is not the file of the recording any more: its functions have no names",
                 path);
    return changed;
}

/* Once per module; the answer is kept with it. */
static bool is_trusted(struct binaries* binaries, Dwfl_Module* module) {
    static char yes, no;
    void** mark;
    GElf_Addr bias;
    const char* path = dwfl_module_info(module, &mark, NULL, NULL, NULL, NULL, NULL, NULL);
    if (*mark == NULL) {
        bool sound = dwfl_module_getelf(module, &bias) != NULL;
        *mark = sound && !has_changed(binaries, module, path) ? &yes : &no;
    }
    return *mark == &yes;
}

static char* plain_name(struct binaries* binaries, const char* symbol) {
    int status = -1;
    if (strncmp(symbol, "_Z", 2) != 0)
        return must(strdup(symbol));
    if (binaries->cxx == NULL)
        find_demangler(binaries);
    char* name =
        binaries->demangle != NULL ? binaries->demangle(symbol, NULL, NULL, &status) : NULL;
    return name != NULL ? name : must(strdup(symbol));
}

Dwfl* binaries_dwfl(struct binaries* binaries) {
    return binaries->dwfl;
}

Dwfl_Module* binaries_module(struct binaries* binaries, uint64_t address) {
    Dwfl_Module* module = binaries->dwfl != NULL ? dwfl_addrmodule(binaries->dwfl, address) : NULL;
    return module != NULL && is_trusted(binaries, module) ? module : NULL;
}

uint64_t binaries_dw_start(struct binaries* binaries, uint64_t address) {
    Dwfl_Module* module = binaries_module(binaries, address);
    GElf_Off offset;
    GElf_Sym symbol;
    if (module == NULL ||
        dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) == NULL ||
        (symbol.st_size != 0 && offset >= symbol.st_size))
        return 0;
    return address - offset;
}

char* binaries_dw_function(struct binaries* binaries, uint64_t address) {
    Dwfl_Module* module = binaries_module(binaries, address);
    if (module == NULL)
        return NULL;
    GElf_Off offset;
    GElf_Sym symbol;
    const char* name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    /* Outside of the symbol's size it is only the nearest one that was kept when others were not.
     */
    if (name == NULL || (symbol.st_size != 0 ? offset >= symbol.st_size : offset != 0))
        return NULL;
    char* plain = plain_name(binaries, name);
    Dwfl_Line* line = dwfl_module_getsrc(module, address);
    int number = 0;
    const char* file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file == NULL || number <= 0)
        return plain;
    const char* slash = strrchr(file, '/');
    size_t size = strlen(plain) + strlen(file) + 32;
    char* full = must(malloc(size));
    snprintf(full, size, "%s (%s:%d)", plain, slash != NULL ? slash + 1 : file, number);
    free(plain);
    return full;
}
