#ifndef PH_SIM_MACHINE_H
#define PH_SIM_MACHINE_H

/* The number that the process has in the world: larger than any that the kernel gives. */
int ph_seen_pid(void);

#endif
