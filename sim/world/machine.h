#ifndef PH_SIM_MACHINE_H
#define PH_SIM_MACHINE_H

#include <stdint.h>

/* The number that the process has in the world: larger than any that the kernel gives. */
int ph_seen_pid(void);
/* A thread of this process has the system's number now; 0: it has ended. */
void ph_thread_numbered(uint64_t number, int tid);
/* The system's number of a thread by that which programs see; 0: there is none. */
int ph_thread_seen_as(int seen);

#endif
