#ifndef PH_TOOLS_TRACE_OPTIONS_H
#define PH_TOOLS_TRACE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_LEAST_LIMIT = 256 << 10 };

/* "64M" */
static inline bool trace_parse_limit(const char* text, uint64_t* limit) {
    static const char units[] = "KMG";
    char* end;
    if (*text < '0' || *text > '9')
        return false;
    unsigned long long value = strtoull(text, &end, 10);
    const char* unit = *end != '\0' ? strchr(units, *end & ~0x20) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    if (end[*end != '\0'] != '\0' || (*end != '\0' && unit == NULL) || value > UINT64_MAX >> 31)
        return false;
    *limit = value << shift;
    return *limit >= TRACE_LEAST_LIMIT;
}

#endif
