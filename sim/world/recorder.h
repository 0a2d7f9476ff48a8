#ifndef PH_SIM_RECORDER_H
#define PH_SIM_RECORDER_H

/* What the calling thread is called from now on, in recordings too. */
void ph_recorder_name(const char* name);

/* What trace/recorder calls in this build in place of the functions without the prefix. */

#include <time.h>

int ph_recorder_pid(void);
int ph_recorder_parent(void);
int ph_recorder_tid(void);
int ph_recorder_open(const char* path, int flags, ...);
long ph_recorder_sysconf(int name);
int ph_recorder_clock(clockid_t clock, struct timespec* now);

#endif
