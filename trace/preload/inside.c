#include "preload/inside.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__
enum { JUMP = 5, NEAR = 1 << 30 };
#else
enum { JUMP = 4, NEAR = 96 << 20 };
#endif
enum { FAR_JUMP = 16, MOST_FUNCTIONS = 1024, MOST_TYPES = 32 };

/* The program's own table of symbols. */
struct program {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char* names;
    size_t count;
};

struct function {
    const char* name;
    unsigned char* theirs;
    void* ours;
    size_t size;
};

static struct function functions[MOST_FUNCTIONS];
static size_t function_count;

static bool refuse(struct ph_inside_answer* answer, const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(answer->why, sizeof(answer->why), format, args);
    va_end(args);
    return false;
}

/* How many symbols there are only the table of hashes tells: the last one in the last chain. */
static size_t count_symbols(const uint32_t* hashes) {
    uint32_t buckets = hashes[0], first = hashes[1], words = hashes[2], last = 0;
    const uint32_t* bucket = hashes + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t* chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; i++)
        if (bucket[i] > last)
            last = bucket[i];
    if (last < first)
        return 0;
    while ((chain[last - first] & 1) == 0)
        last++;
    return last + 1;
}

/* The first object is the program itself. */
static int read_program(struct dl_phdr_info* info, size_t size, void* data) {
    struct program* program = data;
    const ElfW(Dyn)* entry = NULL;
    (void)size;
    program->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn)*)(program->base + info->dlpi_phdr[i].p_vaddr); /* NOLINT */
    for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        const void* place = (const void*)entry->d_un.d_ptr; /* NOLINT */
        if (entry->d_tag == DT_SYMTAB)
            program->symbols = place;
        else if (entry->d_tag == DT_STRTAB)
            program->names = place;
        else if (entry->d_tag == DT_GNU_HASH)
            program->count = count_symbols(place);
    }
    return 1;
}

/* Of Node's own making: whether the loop uses io_uring. Ours does not. */
static int says_no(void) {
    return 0;
}

/* There are tens of thousands to compare. */
static bool is_named(const char* name, const char* other) {
    return name[0] == other[0] && strcmp(name, other) == 0;
}

static bool is_one_of(const char* const* names, const char* name) {
    while (*names != NULL && !is_named(*names, name))
        names++;
    return *names != NULL;
}

static bool collect(const struct program* program, void* library, const char* const* also,
                    struct ph_inside_answer* answer) {
    function_count = 0;
    for (size_t i = 0; i < program->count; i++) {
        const ElfW(Sym)* symbol = &program->symbols[i];
        const char* name = program->names + symbol->st_name;
        if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC ||
            ((name[0] != 'u' || strncmp(name, "uv_", 3) != 0) && !is_one_of(also, name)))
            continue;
        void* ours = strcmp(name, "uv__node_patch_is_using_io_uring") == 0 ? (void*)says_no
                                                                           : dlsym(library, name);
        if (ours == NULL || function_count == MOST_FUNCTIONS)
            return refuse(answer, "its libuv has %s, which ours has not", name);
        unsigned char* theirs = (unsigned char*)(program->base + symbol->st_value); /* NOLINT */
        functions[function_count++] =
            (struct function){name, theirs, ours, (size_t)symbol->st_size};
    }
    return true;
}

static const struct function* find(const char* name) {
    for (size_t i = 0; i < function_count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

static unsigned long ask(const void* function, int argument) {
    unsigned long (*call)(int);
    memcpy(&call, &function, sizeof(call));
    return call(argument);
}

/* Both libraries are asked while they still are two. */
static bool fits(struct ph_inside_answer* answer) {
    static const char* const sizes[] = {"uv_handle_size", "uv_req_size"};
    const struct function* version = find("uv_version");
    const struct function* loop = find("uv_loop_size");
    if (version == NULL || loop == NULL)
        return refuse(answer, "it does not say which version of libuv it has");
    unsigned theirs = (unsigned)ask(version->theirs, 0), ours = (unsigned)ask(version->ours, 0);
    if (theirs > ours || theirs >> 16 != ours >> 16)
        return refuse(answer, "its libuv is version %u.%u, newer than ours", theirs >> 16,
                      theirs >> 8 & 0xff);
    bool same = ask(loop->theirs, 0) == ask(loop->ours, 0);
    for (size_t i = 0; i < 2; i++) {
        const struct function* size = find(sizes[i]);
        for (int type = 1; size != NULL && type < MOST_TYPES; type++)
            same = same && ask(size->theirs, type) == ask(size->ours, type);
    }
    return same || refuse(answer, "its libuv has handles or requests of other sizes than ours");
}

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(PHASOR_PLAIN_PROCESSOR)

/* Memory that a short jump from the functions reaches. */
static unsigned char* find_room(uintptr_t near, size_t size) {
    const uintptr_t step = NEAR / 64;
    for (uintptr_t distance = step; distance < NEAR; distance += step)
        for (int side = 0; side < 2; side++) {
            uintptr_t place = (side == 0 ? near + distance : near - distance) & ~(uintptr_t)0xffff;
            if (side == 1 && near < distance + 0x10000)
                continue;
            void* room = mmap((void*)place, size, PROT_READ | PROT_WRITE, /* NOLINT */
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            if (room != MAP_FAILED)
                return room;
        }
    return NULL;
}

#ifdef __x86_64__
static void write_jump(unsigned char* entry, unsigned char* room, const void* target) {
    static const unsigned char far[6] = {0xff, 0x25}; /* to the address that follows */
    int32_t distance = (int32_t)(room - (entry + JUMP));
    memcpy(room, far, sizeof(far));
    memcpy(room + sizeof(far), &target, sizeof(target));
    entry[0] = 0xe9;
    memcpy(entry + 1, &distance, sizeof(distance));
}
#else
/* x16 is the register that whoever stands between two functions may change. */
static void write_jump(unsigned char* entry, unsigned char* room, const void* target) {
    static const uint32_t far[2] = {0x58000050, 0xd61f0200}; /* ldr x16, .+8; br x16 */
    uint32_t branch = 0x14000000 | ((uint32_t)((room - entry) / 4) & 0x03ffffff);
    memcpy(room, far, sizeof(far));
    memcpy(room + sizeof(far), &target, sizeof(target));
    memcpy(entry, &branch, sizeof(branch));
}
#endif

static void write_jumps(unsigned char* room) {
    for (size_t i = 0; i < function_count; i++, room += FAR_JUMP)
        write_jump(functions[i].theirs, room, functions[i].ours);
}

/* Processors may have read the old instructions ahead. */
static void forget_instructions(unsigned char* from, unsigned char* to) {
    __builtin___clear_cache((char*)from, (char*)to);
}

static bool protect(unsigned char* begin, unsigned char* end, int protection) {
    uintptr_t first = (uintptr_t)begin & -(uintptr_t)sysconf(_SC_PAGESIZE);
    return mprotect((void*)first, (uintptr_t)end - first, protection) == 0; /* NOLINT */
}

static int compare_places(const void* a, const void* b) {
    const struct function *x = a, *y = b;
    return (x->theirs > y->theirs) - (x->theirs < y->theirs);
}

/* By place. Two names of one function are fine; two functions that lie closer than a jump are not.
 * After a shorter one nothing else begins if functions begin at multiples of 16. */
static bool have_room(void) {
    for (size_t i = 0; i < function_count; i++)
        if (functions[i].size < JUMP && ((uintptr_t)functions[i].theirs & 15) != 0)
            return false;
    for (size_t i = 1; i < function_count; i++) {
        long distance = functions[i].theirs - functions[i - 1].theirs;
        if ((distance > 0 && distance < JUMP) ||
            (distance == 0 && functions[i].ours != functions[i - 1].ours))
            return false;
    }
    return true;
}

static bool redirect(struct ph_inside_answer* answer) {
    qsort(functions, function_count, sizeof(functions[0]), compare_places);
    unsigned char* first = functions[0].theirs;
    unsigned char* last = functions[function_count - 1].theirs + JUMP;
    unsigned char* room =
        have_room() ? find_room((uintptr_t)first, function_count * FAR_JUMP) : NULL;
    if (room == NULL || !protect(first, last, PROT_READ | PROT_WRITE | PROT_EXEC))
        return refuse(answer, "its functions can't be redirected");
    write_jumps(room);
    forget_instructions(first, last);
    forget_instructions(room, room + function_count * FAR_JUMP);
    protect(first, last, PROT_READ | PROT_EXEC);
    protect(room, room + function_count * FAR_JUMP, PROT_READ | PROT_EXEC);
    return true;
}

#else

static bool redirect(struct ph_inside_answer* answer) {
    return refuse(answer, "its functions can't be redirected on this kind of machine");
}

#endif

bool ph_inside_is_there(void) {
    struct program program = {0};
    dl_iterate_phdr(read_program, &program);
    for (size_t i = 0; i < program.count; i++)
        if (program.symbols[i].st_shndx != SHN_UNDEF &&
            is_named(program.names + program.symbols[i].st_name, "uv_run"))
            return true;
    return false;
}

bool ph_inside_redirect(void* library, const char* const* also, struct ph_inside_answer* answer) {
    struct program program = {0};
    dl_iterate_phdr(read_program, &program);
    return collect(&program, library, also, answer) && fits(answer) && redirect(answer);
}
