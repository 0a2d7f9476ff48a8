#include "trace_symbols.h"

#include <inttypes.h>
#include <stdio.h>

#include "trace_memory.h"

struct known {
    uint64_t address;
    char* name;
};

struct symbols {
    const struct trace_file* file;
    struct binaries* binaries;
    struct known* known; /* by hash; address 0 is free */
    size_t size;
    size_t used;
};

struct symbols* symbols_open(const struct trace_file* file) {
    struct symbols* symbols = must(calloc(1, sizeof(*symbols)));
    symbols->file = file;
    symbols->binaries = binaries_open(file);
    return symbols;
}

void symbols_close(struct symbols* symbols) {
    for (size_t i = 0; i < symbols->size; i++)
        free(symbols->known[i].name);
    free(symbols->known);
    binaries_close(symbols->binaries);
    free(symbols);
}

const char* symbols_problem(const struct symbols* symbols) {
    return binaries_problem(symbols->binaries);
}

/* "library+0x1234", as the maps of the process say. */
static char* place_of(const struct symbols* symbols, uint64_t address) {
    char name[4200], path[4096];
    uint64_t base = 0;
    char base_path[4096] = "";
    snprintf(name, sizeof(name), "0x%" PRIx64, address);
    for (const char* line = symbols->file->maps; *line != '\0';) {
        uint64_t begin, end, offset;
        size_t length = strcspn(line, "\n");
        char text[4400];
        snprintf(text, sizeof(text), "%.*s", (int)(length < 4300 ? length : 4300), line);
        if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &begin, &end,
                   &offset, path) == 4) {
            if (strcmp(path, base_path) != 0) {
                base = begin - offset;
                snprintf(base_path, sizeof(base_path), "%s", path);
            }
            const char* slash = strrchr(path, '/');
            if (address >= begin && address < end)
                snprintf(name, sizeof(name), "%s+0x%" PRIx64, slash != NULL ? slash + 1 : path,
                         address - base);
        }
        line += length + (line[length] == '\n');
    }
    return must(strdup(name));
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
