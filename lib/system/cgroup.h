#ifndef PH_SYSTEM_CGROUP_H
#define PH_SYSTEM_CGROUP_H

/*
 * What the control groups of this process allow, version 1 or 2. A limit may be set at any level
 * from the process's own group up to the top, so every level is asked and the smallest answer
 * counts. `root` is put before every path: "" for the system's own, a folder for a test.
 */

#include <stdint.h>

struct ph_cgroup_memory {
    uint64_t limit; /* bytes; 0: unknown, UINT64_MAX: known to be without limit */
    uint64_t
        left; /* the least that any level with a limit still has, UINT64_MAX if there is none */
};

struct ph_cgroup_memory ph_cgroup_memory(const char* root);

/* How many processors' worth of time: a fraction, or 0 if not limited. */
double ph_cgroup_cpus(const char* root);

#endif
