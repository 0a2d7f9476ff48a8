#ifndef PH_SIM_TIMES_H
#define PH_SIM_TIMES_H

/* What programs see of the machine: times of files, and files of the system that tell how the
 * machine is (its memory, its load, chance). */

/* The file was changed now, by the world's calendar. */
void ph_times_set(int fd);
/* A descriptor of what stands in the world for this file of the system; -1: nothing does. */
int ph_stand_in(const char* path, int flags);

#endif
