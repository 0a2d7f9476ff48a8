#include "read/mappings.h"

#include <limits.h>
#include <stdbool.h>

#include "read/memory.h"

enum { MOST_DEPTH = 64, NO_SOURCE = -1, MIXED = -2, MOST_SPREAD = 10 };

struct place {
    int32_t source; /* NO_SOURCE: none; MIXED: it is from several places */
    int32_t line;   /* from 0 */
};

struct mappings {
    char** sources; /* paths */
    size_t source_count;
    struct place* lines; /* what comes first on each */
    size_t line_count;
};

/* JSON: as much of it as is needed. Each function is given the place of a value, and returns what
 * is behind it, or NULL. */

static const char* skip_blanks(const char* at) {
    return at + strspn(at, " \t\r\n");
}

/* Behind the closing quote. */
static const char* skip_text(const char* at) {
    for (at++; *at != '"' && *at != '\0'; at++)
        at += *at == '\\' && at[1] != '\0';
    return *at == '"' ? at + 1 : NULL;
}

/* The text in `out`, which the caller frees; escapes other than of one character become '?'. */
static const char* read_text(const char* at, char** out) {
    const char* end = *at == '"' ? skip_text(at) : NULL;
    if (end == NULL)
        return NULL;
    size_t length = 0;
    char* text = must(malloc((size_t)(end - at)));
    for (at++; at < end - 1; at++) {
        char c = *at;
        if (c == '\\')
            c = *++at == 'u' ? '?' : *at == 'n' || *at == 't' || *at == 'r' ? ' ' : *at;
        text[length++] = c;
    }
    text[length] = '\0';
    *out = text;
    return end;
}

static const char* skip_value(const char* at, int depth) {
    at = skip_blanks(at);
    if (*at == '"')
        return skip_text(at);
    if (*at != '[' && *at != '{') {
        size_t length = strcspn(at, ",]} \t\r\n");
        return length > 0 ? at + length : NULL;
    }
    char end = *at == '[' ? ']' : '}';
    at = skip_blanks(at + 1);
    while (*at != end) {
        at = depth < MOST_DEPTH ? skip_value(at, depth + 1) : NULL;
        if (at == NULL)
            return NULL;
        at = skip_blanks(at);
        if (*at == ',' || *at == ':')
            at = skip_blanks(at + 1);
        else if (*at != end)
            return NULL;
    }
    return at + 1;
}

/* The value of a key of the object; NULL: it has none. */
static const char* find_value(const char* object, const char* key) {
    const char* at = skip_blanks(object);
    if (*at != '{')
        return NULL;
    at = skip_blanks(at + 1);
    while (*at == '"') {
        size_t length = strlen(key);
        bool is_key = strncmp(at + 1, key, length) == 0 && at[1 + length] == '"';
        at = skip_value(at, 0);
        at = at != NULL ? skip_blanks(at) : NULL;
        if (at == NULL || *at != ':')
            return NULL;
        at = skip_blanks(at + 1);
        if (is_key)
            return at;
        at = skip_value(at, 0);
        at = at != NULL ? skip_blanks(at) : "";
        if (*at == ',')
            at = skip_blanks(at + 1);
    }
    return NULL;
}

/* Paths */

/* "/a/b/../c/./d" becomes "/a/c/d". */
static void tidy_path(char* path) {
    char* out = path;
    for (const char* at = path; *at != '\0';) {
        size_t length = strcspn(at + 1, "/") + 1;
        if (strncmp(at, "/..", length) == 0 && length == 3) {
            while (out > path && *--out != '/')
                continue;
        } else if (!(length == 2 && at[1] == '.') && length > 1) {
            memmove(out, at, length);
            out += length;
        }
        at += length;
    }
    *out = '\0';
}

static char* make_path(const char* beside, const char* root, const char* source) {
    const char* slash = strrchr(beside, '/');
    const char* blank = *root != '\0' && root[strlen(root) - 1] != '/' ? "/" : "";
    char* path;
    if (strncmp(source, "file://", 7) == 0)
        source += 7;
    if (source[0] == '/' || slash == NULL || strstr(source, "://") != NULL)
        return must(strdup(source));
    if (asprintf(&path, "%.*s/%s%s%s", root[0] == '/' ? 0 : (int)(slash - beside), beside, root,
                 blank, source) < 0)
        must(NULL);
    tidy_path(path);
    return path;
}

static void read_sources(struct mappings* mappings, const char* json, const char* path) {
    const char* at = find_value(json, "sources");
    const char* root_at = find_value(json, "sourceRoot");
    char *root = NULL, *source;
    if (root_at == NULL || read_text(root_at, &root) == NULL)
        root = must(strdup(""));
    at = at != NULL && *at == '[' ? skip_blanks(at + 1) : "";
    while ((at = read_text(at, &source)) != NULL) {
        *APPEND(mappings->sources, mappings->source_count) = make_path(path, root, source);
        free(source);
        at = skip_blanks(at);
        at = *at == ',' ? skip_blanks(at + 1) : at;
    }
    free(root);
}

/* Mappings: lines are separated by ';', segments by ','; a segment is a row of numbers, differences
 * from the last, in digits of base 64 with five bits each and one that says that more follow. */

static bool read_number(const char** at, int64_t* value) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint64_t sum = 0;
    for (unsigned shift = 0; shift < 60; shift += 5) {
        const char* digit = **at != '\0' && **at != '"' ? strchr(digits, **at) : NULL;
        if (digit == NULL)
            return false;
        (*at)++;
        uint64_t bits = (uint64_t)(digit - digits);
        sum |= (bits & 31) << shift;
        if (bits < 32) {
            *value = sum & 1 ? -(int64_t)(sum >> 1) : (int64_t)(sum >> 1);
            return true;
        }
    }
    return false;
}

/* One segment: only what it says of source and line counts. False: it is not sound. */
static bool read_segment(const char** at, int64_t* source, int64_t* line, bool* has_source) {
    int64_t column, value = 0;
    *has_source = false;
    if (!read_number(at, &column))
        return false;
    if (**at == ',' || **at == ';' || **at == '"')
        return true;
    *has_source = read_number(at, &value);
    *source = (int64_t)((uint64_t)*source + (uint64_t)value); /* a damaged one may overflow */
    if (!*has_source || !read_number(at, &value))
        return false;
    *line = (int64_t)((uint64_t)*line + (uint64_t)value);
    *at += strcspn(*at, ",;\"");
    return true;
}

/* What comes first on a line stands for it, unless other parts are from elsewhere, as where a whole
 * program is one line. */
static void note_place(struct place* first, int64_t source, int64_t line) {
    if (source < 0 || source >= INT32_MAX || line < 0 || line >= INT32_MAX)
        return;
    if (first->source == NO_SOURCE)
        *first = (struct place){(int32_t)source, (int32_t)line};
    else if (first->source != source || line - first->line > MOST_SPREAD ||
             first->line - line > MOST_SPREAD)
        first->source = MIXED;
}

static bool read_lines(struct mappings* mappings, const char* at) {
    int64_t source = 0, line = 0;
    struct place* first = APPEND(mappings->lines, mappings->line_count);
    first->source = NO_SOURCE;
    while (*at != '"') {
        bool has_source;
        if (*at == ';') {
            first = APPEND(mappings->lines, mappings->line_count);
            first->source = NO_SOURCE;
            at++;
        } else if (*at == ',') {
            at++;
        } else if (!read_segment(&at, &source, &line, &has_source)) {
            return false;
        } else if (has_source) {
            note_place(first, source, line);
        }
    }
    return true;
}

struct mappings* mappings_read(const char* json, const char* path) {
    const char* at = find_value(json, "mappings");
    if (at == NULL || *at != '"')
        return NULL;
    struct mappings* mappings = must(calloc(1, sizeof(*mappings)));
    read_sources(mappings, json, path);
    if (read_lines(mappings, at + 1))
        return mappings;
    mappings_free(mappings);
    return NULL;
}

const char* mappings_find(const struct mappings* mappings, uint32_t line, uint32_t* source_line) {
    if (line == 0 || line > mappings->line_count)
        return NULL;
    const struct place* place = &mappings->lines[line - 1];
    if (place->source < 0 || (size_t)place->source >= mappings->source_count)
        return NULL;
    *source_line = (uint32_t)place->line + 1;
    return mappings->sources[place->source];
}

void mappings_free(struct mappings* mappings) {
    if (mappings == NULL)
        return;
    for (size_t i = 0; i < mappings->source_count; i++)
        free(mappings->sources[i]);
    free(mappings->sources);
    free(mappings->lines);
    free(mappings);
}
