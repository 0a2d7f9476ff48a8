#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct operation* const families[] = {
    core_operations, stream_operations,  socket_operations,      file_operations,
    pool_operations, process_operations, process_wide_operations};

static const struct operation* operation_named(const char* name) {
    for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
        for (const struct operation* operation = families[i]; operation->name != NULL; operation++)
            if (strcmp(operation->name, name) == 0)
                return operation;
    fprintf(stderr, "No such operation: %s\n", name);
    exit(2);
}

static void begin_place(struct program* program, int object, int callback) {
    if (program->place_count == PLACES)
        return;
    program->places[program->place_count++] =
        (struct place){object, callback, program->step_count, program->step_count};
}

static void read_step(struct program* program, const char* name, const char* rest) {
    if (program->step_count == STEPS || program->place_count == 0)
        return;
    struct step* step = &program->steps[program->step_count++];
    step->operation = operation_named(name);
    for (char* end; step->count <= ARGUMENTS; rest = end) {
        long value = strtol(rest, &end, 10);
        if (end == rest)
            break;
        step->arguments[step->count++] = (int)value;
    }
    program->places[program->place_count - 1].end = program->step_count;
}

void program_read(struct program* program, char* text) {
    char* saved = NULL;
    for (char* line = strtok_r(text, "\n", &saved); line; line = strtok_r(NULL, "\n", &saved)) {
        char word[32], kind[32];
        int id, number, length = 0;
        if (strcmp(line, "for 1.44") == 0)
            stray_signals = false;
        if (sscanf(line, "%31s %n", word, &length) != 1 || strcmp(word, "for") == 0)
            continue;
        if (strcmp(word, "object") == 0 &&
            sscanf(line + length, "%d %31s %d", &id, kind, &number) == 3)
            object_declare(id, kind, number);
        else if (strcmp(word, "main") == 0)
            begin_place(program, -1, 0);
        else if (strcmp(word, "on") == 0 && sscanf(line + length, "%d %d", &id, &number) == 2)
            begin_place(program, id, number);
        else
            read_step(program, word, line + length);
    }
}

const struct place* program_place(const struct program* program, int object, int callback) {
    for (int i = 0; i < program->place_count; i++)
        if (program->places[i].object == object && program->places[i].callback == callback)
            return &program->places[i];
    return NULL;
}

static void run_step(const struct step* step) {
    const struct operation* operation = step->operation;
    struct object* object = NULL;
    const int* arguments = step->arguments;
    log_line("%s", operation->name);
    for (int i = 0; i < step->count; i++)
        log_note(" %d", arguments[i]);
    if (operation->kinds != 0) {
        object = object_at(*arguments++);
        if (object == NULL || (operation->kinds >> object->kind & 1) == 0 ||
            (!operation->dead && object->state != LIVE)) {
            log_note(" skipped");
            return;
        }
    }
    int result = operation->run(object, arguments);
    if (result == SKIPPED)
        log_note(" skipped");
    else if (result != NOTHING)
        log_note(" = %s", result_text(result));
}

void program_run(struct program* program, const struct place* place) {
    for (int i = place->first; i < place->end && !quiet; i++)
        run_step(&program->steps[i]);
}
