#include "read/source_maps.h"

#include <limits.h>

#include "read/mappings.h"
#include "read/memory.h"
#include "read/scripts.h"
#include "read/text_file.h"

enum { MOST_FILES = 10000 };

/* A script that names have been found in. */
struct script {
    char* path;
    struct mappings* map; /* NULL: it has none */
};

static int digit_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* found = c != '\0' ? strchr(digits, c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* Base64, in place of itself; stops at what is none. */
static void decode(char* text) {
    unsigned held = 0, bits = 0;
    char* out = text;
    for (const char* c = text; digit_of(*c) >= 0; c++) {
        held = held << 6 | (unsigned)digit_of(*c);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            *out++ = (char)(held >> bits);
        }
    }
    *out = '\0';
}

/* What is behind the last "//# sourceMappingURL=" of a line of its own; NULL: nothing is. */
static char* find_address(char* text, size_t size) {
    static const char mark[] = "sourceMappingURL=";
    char* found = NULL;
    for (char* at = text; (at = memmem(at, size - (size_t)(at - text), mark, sizeof(mark) - 1));
         at++)
        if (at - text >= 4 && memcmp(at - 4, "//# ", 4) == 0)
            found = at + sizeof(mark) - 1;
    if (found != NULL)
        found[strcspn(found, "\r\n \t")] = '\0';
    return found;
}

/* Beside `path`. */
static void resolve(const char* path, const char* relative, char* out, size_t size) {
    const char* slash = strrchr(path, '/');
    if (relative[0] == '/' || slash == NULL)
        snprintf(out, size, "%s", relative);
    else
        snprintf(out, size, "%.*s/%s", (int)(slash - path), path, relative);
}

static struct mappings* read_map(const char* path, uint64_t before) {
    static const char data[] = "data:application/json";
    char beside[PATH_MAX];
    size_t size;
    char* text = text_file_read(path, before, &size);
    char* address = text != NULL ? find_address(text, size) : NULL;
    struct mappings* map = NULL;
    if (address != NULL && strncmp(address, data, sizeof(data) - 1) == 0) {
        char* body = strstr(address, "base64,");
        if (body != NULL) {
            decode(body + 7);
            map = mappings_read(body + 7, path);
        }
    } else if (address != NULL) {
        resolve(path, address, beside, sizeof(beside));
        char* json = text_file_read(beside, UINT64_MAX, &size);
        map = json != NULL ? mappings_read(json, beside) : NULL;
        free(json);
    }
    free(text);
    return map;
}

static struct mappings* find_map(struct script** scripts, size_t* count, const char* path,
                                 uint64_t before) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*scripts)[i].path, path) == 0)
            return (*scripts)[i].map;
    if (*count == MOST_FILES)
        return NULL;
    struct script* script = APPEND(*scripts, *count);
    script->path = must(strdup(path));
    script->map = read_map(path, before);
    return script->map;
}

static bool is_script_path(const char* path) {
    const char* dot = path != NULL && path[0] == '/' ? strrchr(path, '.') : NULL;
    return dot != NULL &&
           (strcmp(dot, ".js") == 0 || strcmp(dot, ".mjs") == 0 || strcmp(dot, ".cjs") == 0);
}

void source_maps_apply(struct trace_file* file) {
    struct script* scripts = NULL;
    size_t count = 0;
    if (file->is_mapped)
        return;
    file->is_mapped = true;
    file->has_scripts = scripts_are_in(file);
    for (size_t i = 0; i < file->name_count; i++) {
        struct trace_name* name = &file->names[i];
        const char* path = name->file;
        if (path != NULL && strncmp(path, "file://", 7) == 0)
            path += 7;
        if (!is_script_path(path))
            continue;
        struct mappings* map = find_map(&scripts, &count, path, file->header.wall_clock);
        uint32_t line;
        const char* source = map != NULL ? mappings_find(map, name->line, &line) : NULL;
        if (source == NULL)
            continue;
        free(name->file);
        name->file = must(strdup(source));
        name->line = line;
    }
    for (size_t i = 0; i < count; i++) {
        free(scripts[i].path);
        mappings_free(scripts[i].map);
    }
    free(scripts);
}
