#ifndef PH_PLAY_NOTES_H
#define PH_PLAY_NOTES_H

/* The file of notes: lines of a number, a blank and JSON. */

#include <stdbool.h>
#include <stddef.h>

struct notes {
    char* text;
    const char** lines; /* by number; NULL: there is none */
    size_t count;
};

/* False: it can't be read. */
bool notes_open(struct notes* notes, const char* path);
/* The JSON of a note, NULL if there is none of that number. */
const char* notes_line(const struct notes* notes, size_t number);
void notes_close(struct notes* notes);

#endif
