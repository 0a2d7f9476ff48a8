#ifndef PH_SIM_WAITS_H
#define PH_SIM_WAITS_H

/* Threads that wait for each other. */

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

struct ph_sleeper;

/* The library's locks. */
int ph_mutex_lock(pthread_mutex_t* mutex);
int ph_mutex_unlock(pthread_mutex_t* mutex);

/* With the lock held: whoever joins the thread goes on. */
void ph_waits_thread_ended(const struct ph_sleeper* sleeper);
/* Without it: the semaphore was posted in a signal handler meanwhile. */
void ph_waits_posted(const void* semaphore);
/* sem_timedwait(3), by whichever clock the limit is of. */
int ph_semaphore_wait(sem_t* semaphore, const struct timespec* limit);

#endif
