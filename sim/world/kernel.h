#ifndef PH_SIM_KERNEL_H
#define PH_SIM_KERNEL_H

/* System calls by number, as programs make them past libc's functions. */

#include <stdbool.h>

/* As syscall(2) answers: -1 and errno, or the result. `simulated`: whether the world has answered;
 * else the kernel has. */
long ph_kernel_call(long number, const long values[6], bool* simulated);

#endif
