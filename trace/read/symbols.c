#include "read/symbols.h"

#include <inttypes.h>
#include <stdio.h>

#include "read/memory.h"

struct known {
    uint64_t address;
    char* name;
};

/* A line of the maps. */
struct region {
    uint64_t begin, end;
    uint64_t base;    /* where the file's first byte would be */
    const char* name; /* of the file without its folders, in the maps; ends with the line */
    int name_size;
};

struct symbols {
    const struct trace_file* file;
    struct binaries* binaries;
    struct region* regions; /* by address */
    size_t region_count;
    struct known* known; /* by hash; address 0 is free */
    size_t size;
    size_t used;
};

static int compare_regions(const void* a, const void* b) {
    uint64_t x = ((const struct region*)a)->begin, y = ((const struct region*)b)->begin;
    return (x > y) - (x < y);
}

/* Lines of the same file that follow each other have the base of the first. */
static void read_regions(struct symbols* symbols) {
    const char* last = "";
    size_t last_size = 0;
    uint64_t base = 0;
    for (const char* line = symbols->file->maps; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        uint64_t begin, end, offset;
        int at = 0;
        char text[128];
        snprintf(text, sizeof(text), "%.*s", (int)(length < 127 ? length : 127), line);
        if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &begin, &end,
                   &offset, &at) == 3 &&
            at > 0 && (size_t)at < length) {
            const char* path = line + at;
            size_t size = length - (size_t)at;
            if (size != last_size || memcmp(path, last, size) != 0)
                base = begin - offset;
            last = path;
            last_size = size;
            const char* slash = memrchr(path, '/', size);
            const char* name = slash != NULL ? slash + 1 : path;
            *APPEND(symbols->regions, symbols->region_count) =
                (struct region){begin, end, base, name, (int)(line + length - name)};
        }
        line += length + (line[length] == '\n');
    }
    if (symbols->region_count > 1)
        qsort(symbols->regions, symbols->region_count, sizeof(*symbols->regions), compare_regions);
}

struct symbols* symbols_open(const struct trace_file* file) {
    struct symbols* symbols = must(calloc(1, sizeof(*symbols)));
    symbols->file = file;
    symbols->binaries = binaries_open(file);
    read_regions(symbols);
    return symbols;
}

void symbols_close(struct symbols* symbols) {
    for (size_t i = 0; i < symbols->size; i++)
        free(symbols->known[i].name);
    free(symbols->known);
    free(symbols->regions);
    binaries_close(symbols->binaries);
    free(symbols);
}

const char* symbols_problem(const struct symbols* symbols) {
    return binaries_problem(symbols->binaries);
}

static const struct region* region_of(const struct symbols* symbols, uint64_t address) {
    size_t low = 0, high = symbols->region_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->regions[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct region* region = low > 0 ? &symbols->regions[low - 1] : NULL;
    return region != NULL && address < region->end ? region : NULL;
}

/* "library+0x1234", as the maps of the process say. */
static char* place_of(const struct symbols* symbols, uint64_t address) {
    const struct region* region = region_of(symbols, address);
    char* name;
    int made = region != NULL ? asprintf(&name, "%.*s+0x%" PRIx64, region->name_size, region->name,
                                         address - region->base)
                              : asprintf(&name, "0x%" PRIx64, address);
    return made >= 0 ? name : must(NULL);
}

static struct known* slot_of(struct known* known, size_t size, uint64_t address) {
    size_t at = (size_t)(address * 0x9e3779b97f4a7c15u >> 24) & (size - 1);
    while (known[at].address != 0 && known[at].address != address)
        at = (at + 1) & (size - 1);
    return &known[at];
}

static void grow(struct symbols* symbols) {
    size_t size = symbols->size == 0 ? 64 : symbols->size * 2;
    struct known* known = must(calloc(size, sizeof(*known)));
    for (size_t i = 0; i < symbols->size; i++)
        if (symbols->known[i].address != 0)
            *slot_of(known, size, symbols->known[i].address) = symbols->known[i];
    free(symbols->known);
    symbols->known = known;
    symbols->size = size;
}

const char* symbols_name(struct symbols* symbols, uint64_t address) {
    if (address == 0)
        return "";
    if (symbols->used * 2 >= symbols->size)
        grow(symbols);
    struct known* known = slot_of(symbols->known, symbols->size, address);
    if (known->address == 0) {
        char* name = binaries_function(symbols->binaries, address);
        known->address = address;
        known->name = name != NULL ? name : place_of(symbols, address);
        symbols->used++;
    }
    return known->name;
}

bool symbols_module(const struct symbols* symbols, uint64_t address, char* out, size_t size) {
    const struct region* region = region_of(symbols, address);
    if (region == NULL)
        out[0] = '\0';
    else
        snprintf(out, size, "%.*s", region->name_size, region->name);
    return region != NULL;
}

void symbols_frame(struct symbols* symbols, uint64_t address, char* out, size_t size) {
    char module[256];
    uint64_t start = binaries_start(symbols->binaries, address);
    if (start != 0)
        snprintf(out, size, "%s", symbols_name(symbols, start));
    else if (symbols_module(symbols, address, module, sizeof(module)))
        snprintf(out, size, "(%s)", module);
    else
        snprintf(out, size, "(unknown)");
}

size_t symbols_unwind(struct symbols* symbols, const struct raw_stack* raw, uint64_t* addresses,
                      size_t most) {
    return binaries_unwind(symbols->binaries, raw, addresses, most);
}
