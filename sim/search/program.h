#ifndef PH_SIM_PROGRAM_H
#define PH_SIM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the world can be loaded into the program, as far as its file tells; else `why` is a
 * sentence. What can't be read or started fits: starting it says what is wrong. */
bool sim_program_fits(const char* program, const char* folder, char* why, size_t room);

#endif
