#include "read/lua_names.h"

#include <ctype.h>
#include <limits.h>

#include "read/map.h"
#include "read/memory.h"
#include "read/text_file.h"

static const char word[] = "function";
enum { WORD = sizeof(word) - 1 };

static bool is_part(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

static const char* skip_blanks(const char* at, const char* end) {
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The only "function" of a line; NULL: there is none, or another one. */
static const char* find_only(const char* line, const char* end) {
    const char* found = NULL;
    for (const char* at = line; (at = memmem(at, (size_t)(end - at), word, WORD)) != NULL;
         at += WORD) {
        if ((at > line && is_part(at[-1])) || (at + WORD < end && is_part(at[WORD])))
            continue;
        if (found != NULL)
            return NULL;
        found = at;
    }
    return found;
}

/* What is assigned at `at`: before " = ". */
static const char* find_assigned(const char* line, const char* at, const char** end) {
    while (at > line && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    if (at == line || at[-1] != '=')
        return NULL;
    at--;
    while (at > line && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    *end = at;
    while (at > line && is_part(at[-1]))
        at--;
    return at;
}

/* The name of the function that a line begins, NULL: none is there. */
static char* read_name(const char* line, const char* end) {
    const char* at = find_only(line, end);
    if (at == NULL)
        return NULL;
    const char *name = skip_blanks(at + WORD, end), *last = name;
    while (last < end && is_part(*last))
        last++;
    if (last == name)
        name = find_assigned(line, at, &last);
    return name != NULL && last > name ? must(strndup(name, (size_t)(last - name))) : NULL;
}

static const char* find_line(const char* text, uint32_t number) {
    while (--number > 0 && text != NULL) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text;
}

static bool is_lua(const struct trace_name* name) {
    size_t size = name->file != NULL ? strlen(name->file) : 0;
    return size > 4 && name->line > 0 && strcmp(name->file + size - 4, ".lua") == 0 &&
           name->function != NULL && strcmp(name->function, "(script)") != 0;
}

/* All names of one file, from number `first` on. */
static void apply(struct trace_file* file, size_t first, const char* folder) {
    char path[PATH_MAX], *of = file->names[first].file;
    size_t size;
    snprintf(path, sizeof(path), "%s%s%s", of[0] != '/' ? folder : "", of[0] != '/' ? "/" : "", of);
    char* text = text_file_read(path, file->header.wall_clock, &size);
    for (size_t i = first; text != NULL && i < file->name_count; i++) {
        struct trace_name* name = &file->names[i];
        if (!is_lua(name) || strcmp(name->file, of) != 0)
            continue;
        const char* line = find_line(text, name->line);
        char* found = line != NULL ? read_name(line, line + strcspn(line, "\r\n")) : NULL;
        if (found == NULL)
            continue;
        free(name->function);
        name->function = found;
    }
    free(text);
}

void lua_names_apply(struct trace_file* file) {
    struct map seen = {0}; /* by the checksum of the path */
    char* folder = trace_file_info(file, "folder");
    for (size_t i = 0; i < file->name_count; i++) {
        const struct trace_name* name = &file->names[i];
        uint64_t key =
            is_lua(name) ? ph_trace_checksum(name->file, strlen(name->file)) | 1ull << 32 : 0;
        if (key == 0 || map_get(&seen, key) != 0)
            continue;
        map_put(&seen, key, 1);
        apply(file, i, folder != NULL ? folder : "");
    }
    free(seen.slots);
    free(folder);
}
