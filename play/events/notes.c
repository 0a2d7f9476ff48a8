#include "events/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

static char* read_whole(const char* path) {
    FILE* file = fopen(path, "re");
    if (file == NULL)
        return NULL;
    size_t size = 0, room = 1 << 16;
    char* text = malloc(room);
    while (text != NULL && size < MOST_BYTES) {
        size += fread(text + size, 1, room - size - 1, file);
        if (size + 1 < room)
            break;
        char* larger = realloc(text, room *= 2);
        if (larger == NULL)
            free(text);
        text = larger;
    }
    fclose(file);
    if (text != NULL)
        text[size] = '\0';
    return text;
}

static bool put(struct notes* notes, size_t number, const char* line) {
    if (number == 0 || number > MOST_BYTES / sizeof(*notes->lines))
        return true;
    if (number >= notes->count) {
        size_t count = number + 1 + number / 2;
        const char** larger = realloc(notes->lines, count * sizeof(*larger));
        if (larger == NULL)
            return false;
        memset(larger + notes->count, 0, (count - notes->count) * sizeof(*larger));
        notes->lines = larger;
        notes->count = count;
    }
    notes->lines[number] = line;
    return true;
}

bool notes_open(struct notes* notes, const char* path) {
    *notes = (struct notes){.text = read_whole(path)};
    if (notes->text == NULL)
        return false;
    for (char *line = notes->text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char* json;
        *end = '\0';
        size_t number = strtoul(line, &json, 10);
        if (strncmp(json, " [\"", 3) == 0 && end[-1] == ']' && !put(notes, number, json + 1))
            return false;
    }
    return true;
}

const char* notes_line(const struct notes* notes, size_t number) {
    return number < notes->count ? notes->lines[number] : NULL;
}

void notes_close(struct notes* notes) {
    free(notes->lines);
    free(notes->text);
    *notes = (struct notes){0};
}
