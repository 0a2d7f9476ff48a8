#include "bindings/granted.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

/* Takes a part of a path that is already tidy: "", "." and ".." are no names. */
static size_t add_part(char* out, size_t length, const char* part, size_t size) {
    if (size == 0 || (size == 1 && part[0] == '.'))
        return length;
    if (size == 2 && part[0] == '.' && part[1] == '.') {
        while (length > 0 && out[--length] != '/') {
        }
        return length;
    }
    out[length] = '/';
    memcpy(out + length + 1, part, size);
    return length + 1 + size;
}

static size_t add_parts(char* out, size_t length, const char* path) {
    while (*path != '\0') {
        size_t size = strcspn(path, "/");
        length = add_part(out, length, path, size);
        path += size + (path[size] == '/');
    }
    return length;
}

/* The absolute name without ".", ".." and double slashes; from malloc. Links are not looked at. */
static char* tidy(const char* path) {
    char folder[PATH_MAX] = "";
    if (path[0] != '/' && getcwd(folder, sizeof(folder)) == NULL)
        return NULL;
    char* out = malloc(strlen(folder) + strlen(path) + 3);
    if (out == NULL)
        return NULL;
    size_t length = add_parts(out, add_parts(out, 0, folder), path);
    if (length == 0)
        out[length++] = '/';
    out[length] = '\0';
    return out;
}

bool ph_split_path(const char* path, char* folder, char* name) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    size_t size = end - start;
    if (size == 0 || size > NAME_MAX || start >= PATH_MAX)
        return false;
    memcpy(name, path + start, size);
    name[size] = '\0';
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    memcpy(folder, path, start);
    strcpy(folder + start, start == 0 ? "." : "");
    return true;
}

typedef enum { FOUND, NOWHERE, LOST } place;

static place join(char* out, const char* folder, const char* name) {
    bool is_root = strcmp(folder, "/") == 0;
    int length = snprintf(out, PATH_MAX, "%s/%s", is_root ? "" : folder, name);
    return length < PATH_MAX ? FOUND : LOST;
}

/* Where the system would end up with this path; the last name need not be there. NOWHERE: the
 * system can't get there, either. */
static place find(const char* path, bool follows, char* out) {
    char folder[PATH_MAX];
    char real[PATH_MAX];
    char name[NAME_MAX + 1];
    char link[PATH_MAX];
    char next[PATH_MAX];
    for (int links = 0; links < MOST_LINKS; links++) {
        bool has_name = ph_split_path(path, folder, name);
        if ((follows || !has_name) && realpath(path, out) != NULL)
            return FOUND;
        if (!has_name || realpath(folder, real) == NULL)
            return NOWHERE;
        if (join(out, real, name) != FOUND)
            return LOST;
        ssize_t length = follows ? readlink(out, link, sizeof(link) - 1) : -1;
        if (length < 0)
            return FOUND;
        /* A link to what is not there: the system would make the file that it names. */
        link[length] = '\0';
        if (link[0] != '/') {
            if (join(out, real, link) != FOUND)
                return LOST;
            strcpy(link, out);
        }
        path = strcpy(next, link);
    }
    return NOWHERE;
}

char* ph_granted_absolute(const char* path) {
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof(folder)) == NULL)
        return NULL;
    char* out = malloc(strlen(folder) + strlen(path) + 2);
    if (out != NULL)
        sprintf(out, "%s/%s", folder, path);
    return out;
}

static bool matches(const ph_pattern* pattern, const char* path, size_t length) {
    const char* text = pattern->text;
    if (!pattern->is_prefix)
        return length == pattern->length && memcmp(text, path, length) == 0;
    if (length >= pattern->length)
        return memcmp(text, path, pattern->length) == 0;
    /* A pattern for all that is in a folder covers the folder, too. */
    return length + 1 == pattern->length && text[length] == '/' && memcmp(text, path, length) == 0;
}

static bool any_matches(const ph_patterns* patterns, const char* path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < patterns->count; i++)
        if (matches(&patterns->items[i], path, length))
            return true;
    return false;
}

bool ph_granted_has_place(const ph_granted* list, const char* place) {
    return list->all || any_matches(&list->places, place);
}

bool ph_find_place(const char* path, char* out) {
    return find(path, true, out) == FOUND;
}

bool ph_granted_covers(const ph_granted* list, const char* path, bool follows) {
    if (list->all)
        return true;
    char* name = tidy(path);
    bool covered = name != NULL && any_matches(&list->names, name);
    free(name);
    if (!covered)
        return false;
    char out[PATH_MAX];
    place found = find(path, follows, out);
    return found == NOWHERE || (found == FOUND && any_matches(&list->places, out));
}

/* What stands before the last slash is a folder, what follows begins a name. */
static char* place_of_prefix(const char* prefix) {
    char* last = strrchr(prefix, '/');
    char folder[PATH_MAX];
    char real[PATH_MAX];
    char out[PATH_MAX];
    size_t length = (size_t)(last - prefix);
    if (length >= sizeof(folder))
        return NULL;
    memcpy(folder, prefix, length);
    strcpy(folder + length, length == 0 ? "/" : "");
    if (realpath(folder, real) == NULL || join(out, real, last + 1) != FOUND)
        return strdup(prefix);
    return strdup(out);
}

static bool add_pattern(ph_patterns* patterns, char* text_owned, bool is_prefix) {
    size_t size = (patterns->count + 1) * sizeof(*patterns->items);
    ph_pattern* grown = text_owned == NULL ? NULL : realloc(patterns->items, size);
    if (grown == NULL) {
        free(text_owned);
        return false;
    }
    grown[patterns->count++] = (ph_pattern){text_owned, strlen(text_owned), is_prefix};
    patterns->items = grown;
    return true;
}

/* The name with a slash at its end; takes the name. */
static char* as_folder(char* name_owned) {
    size_t length = name_owned == NULL ? 0 : strlen(name_owned);
    char* grown = name_owned == NULL ? NULL : realloc(name_owned, length + 2);
    if (grown == NULL) {
        free(name_owned);
        return NULL;
    }
    if (grown[length - 1] != '/')
        strcpy(grown + length, "/");
    return grown;
}

static bool add_prefix(ph_granted* list, const char* given, size_t length) {
    char* text = malloc(length + 1);
    if (text == NULL)
        return false;
    memcpy(text, given, length);
    text[length] = '\0';
    bool is_folder = length == 0 || text[length - 1] == '/';
    char* name = tidy(text);
    free(text);
    if (is_folder)
        name = as_folder(name);
    return add_pattern(&list->names, name, true) &&
           add_pattern(&list->places, place_of_prefix(name), true);
}

static bool add_path(ph_granted* list, const char* given) {
    char* name = tidy(given);
    struct stat found;
    if (name == NULL)
        return false;
    if (stat(given, &found) == 0 && S_ISDIR(found.st_mode)) {
        char* place = as_folder(realpath(given, NULL));
        bool added = add_pattern(&list->names, as_folder(name), true);
        return add_pattern(&list->places, place, true) && added;
    }
    char out[PATH_MAX];
    char* itself = strdup(find(given, false, out) == FOUND ? out : name);
    char* target = strdup(find(given, true, out) == FOUND ? out : name);
    bool added = add_pattern(&list->names, name, false);
    added = add_pattern(&list->places, itself, false) && added;
    return add_pattern(&list->places, target, false) && added;
}

bool ph_granted_add(ph_granted* list, const char* given) {
    if (strcmp(given, "*") == 0) {
        list->all = true;
        return true;
    }
    const char* star = strchr(given, '*');
    return star == NULL ? add_path(list, given) : add_prefix(list, given, (size_t)(star - given));
}
