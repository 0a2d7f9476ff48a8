#ifndef PH_TOOLS_TRACE_MEMORY_H
#define PH_TOOLS_TRACE_MEMORY_H

/* Memory for a program that can only give up when there is none. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void* must(void* memory) {
    if (memory == NULL) {
        fputs("phasor: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* Room for one more in an array whose size doubles. */
static inline void* grown(void* array, size_t count, size_t size) {
    if (count != 0 && (count & (count - 1)) != 0)
        return array;
    return must(reallocarray(array, count == 0 ? 1 : count * 2, size));
}

#define APPEND(array, count)                              \
    ((array) = grown((array), (count), sizeof(*(array))), \
     memset(&(array)[count], 0, sizeof(*(array))), &(array)[(count)++])

#endif
