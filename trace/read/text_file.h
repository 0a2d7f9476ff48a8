#ifndef PH_TOOLS_TRACE_TEXT_FILE_H
#define PH_TOOLS_TRACE_TEXT_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A whole file, with a zero behind it; NULL: it can't be read, or is younger than that (ns). */
char* text_file_read(const char* path, uint64_t before, size_t* size);

#endif
