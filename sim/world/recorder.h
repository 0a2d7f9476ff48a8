#ifndef PH_SIM_RECORDER_H
#define PH_SIM_RECORDER_H

/* What the calling thread is called from now on, in recordings too. */
void ph_recorder_name(const char* name);

/* What trace/recorder calls in this build in place of the functions without the prefix. */

#include <stddef.h>
#include <time.h>

int ph_recorder_pid(void);
int ph_recorder_parent(void);
int ph_recorder_tid(void);
long ph_recorder_sysconf(int name);
int ph_recorder_clock(clockid_t clock, struct timespec* now);
void* ph_recorder_malloc(size_t size);
void* ph_recorder_calloc(size_t count, size_t size);
void* ph_recorder_realloc(void* memory, size_t size);
void ph_recorder_free(void* memory);

#endif
