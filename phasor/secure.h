#ifndef PH_TOOLS_SECURE_H
#define PH_TOOLS_SECURE_H

#include <stdbool.h>
#include <stdio.h>

/* In a process that has more rights than who started it (set-user-id, file capabilities), takes
 * from the environment every variable by which the runtime, the tools or the libraries that they
 * load would do what that user says: code to load, files to write, certificates to trust. To be
 * called before anything reads the environment. Does nothing elsewhere. */
void forget_unsafe_environment(void);

/* For writing what was recorded, or made from it: a file that is made is for its owner alone, as
 * recordings are. `only_new`: EEXIST where there is one. */
FILE* open_private(const char* path, bool only_new);

#endif
