#ifndef PH_TOOLS_REMOTE_H
#define PH_TOOLS_REMOTE_H

/* The memory of another process, with the rights of a debugger. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* From there, or with `out` to there. False: errno says why. */
bool remote_transfer(pid_t pid, uint64_t address, void* data, size_t size, bool out);

/* Where a symbol is that a library or the program exports. Only files with one of these texts in
 * their path are looked at, up to a NULL; without a list, all. `found`, if it is not NULL, becomes
 * the path of the last file that was looked at. 0: there is none. */
uint64_t remote_find(pid_t pid, const char* const* files, const char* symbol, char* found,
                     size_t size);

/* Its parent has not asked for its status yet: nothing of it can be read. */
bool remote_has_ended(pid_t pid);

#endif
