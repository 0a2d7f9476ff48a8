#ifndef PH_SYSTEM_PROCFILE_H
#define PH_SYSTEM_PROCFILE_H

/* Small text files of the kernel, under /proc and /sys. */

#include <stddef.h>
#include <sys/types.h>

/* Reads up to size - 1 bytes and ends them with a NUL. Returns how many, or a negative error. */
ssize_t ph_procfile_read(const char* path, char* buffer, size_t size);

#endif
