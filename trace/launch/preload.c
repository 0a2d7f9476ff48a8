#include "launch/preload.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/memory.h"

static void put_first(const char* list, const char* word) {
    const char* before = getenv(list);
    bool more = before != NULL && *before != '\0';
    char* text;
    if (asprintf(&text, "%s%s%s", word, more ? ":" : "", more ? before : "") < 0)
        must(NULL);
    setenv(list, text, 1);
    free(text);
}

/* The loader divides this list at spaces too, but not the one of folders, in which it looks for
 * names without one. */
void trace_preload(const char* library, const char* name) {
    int folder = (int)(strrchr(library, '/') - library);
    char* file;
    if (asprintf(&file, "%.*s/%s", folder, library, name) < 0)
        must(NULL);
    if (strchr(file, ' ') == NULL) {
        put_first("LD_PRELOAD", file);
    } else {
        char* last = strrchr(file, '/');
        *last = '\0';
        put_first("LD_LIBRARY_PATH", file);
        put_first("LD_PRELOAD", last + 1);
    }
    free(file);
}
