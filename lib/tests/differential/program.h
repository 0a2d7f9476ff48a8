#ifndef DIFFERENTIAL_PROGRAM_H
#define DIFFERENTIAL_PROGRAM_H

#include "machine.h"

/* A program as it was read. The operations of one place (the main function, or the n-th callback of
 * an object) stand together. */

enum { STEPS = 512, PLACES = 256 };

struct step {
    const struct operation* operation;
    int count;
    int arguments[ARGUMENTS + 1];
};

struct place {
    int object; /* -1: the main function */
    int callback;
    int first, end; /* its steps */
};

struct program {
    struct step steps[STEPS];
    struct place places[PLACES];
    int step_count, place_count;
};

/* Reads a program, and makes its objects known. Ends the process with a message if it can't. */
void program_read(struct program* program, char* text);
void program_run(struct program* program, const struct place* place);
const struct place* program_place(const struct program* program, int object, int callback);

/* machine.c */
void machine_run(struct program* program);
void object_declare(int id, const char* kind, int loop);

#endif
