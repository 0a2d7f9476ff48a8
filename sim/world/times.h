#ifndef PH_SIM_TIMES_H
#define PH_SIM_TIMES_H

/* What programs see of the machine: times of files, and files of the system that tell how the
 * machine is (its memory, its load, chance). */

#include <stdint.h>

/* The file was changed now, by the world's calendar. */
void ph_times_set(int fd);
/* The numbers of files and devices in the world; of a file that was made anew there. With the lock
 * held. */
uint64_t ph_inode_seen(uint64_t device, uint64_t inode);
uint64_t ph_device_seen(uint64_t device);
void ph_inode_made(uint64_t device, uint64_t inode);
/* A descriptor of what stands in the world for this file of the system; -1: nothing does. */
int ph_stand_in(const char* path, int flags);

#endif
