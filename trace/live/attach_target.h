#ifndef PH_TOOLS_ATTACH_TARGET_H
#define PH_TOOLS_ATTACH_TARGET_H

/* A running process that has our library, or is joined: its control object (struct
 * ph_trace_control) is read and written from here, with the rights of a debugger. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recording.h"

struct target {
    pid_t pid;
    uint64_t address; /* of the control object, there */
    bool is_joined;   /* it runs on a libuv that is not ours: see trace/join */
    struct ph_trace_control control;
};

/* Finds the control object and reads it. False: `error` has a sentence without its full stop. */
bool target_find(struct target* target, pid_t pid, char* error, size_t size);
/* The same; where another libuv than ours is there, it is joined. */
bool target_open(struct target* target, pid_t pid, char* error, size_t size);
bool target_refresh(struct target* target, char* error, size_t size);

enum target_answer { TARGET_OBEYED, TARGET_NOT_YET, TARGET_FAILED };

/* Gives the command and waits a moment for a loop to obey. Obeyed: control.result is the outcome.
 */
enum target_answer target_command(struct target* target, enum ph_trace_command command,
                                  const char* file, uint64_t limit, char* error, size_t size);

/* Why nothing is recorded in the file, where control.result is not 0. */
void target_say_result(const struct target* target, const char* file, char* error, size_t size);

#endif
