#ifndef PH_SIM_WAITS_H
#define PH_SIM_WAITS_H

/* Threads that wait for each other: waits.c, and locks.c for locks and barriers. */

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "world/world.h"

/* Sleeps until `what` is roused, having left the mutex if there is one; false: the time has come.
 * With the lock held. */
bool ph_wait_for(enum ph_waiting kind, const void* what, uint64_t deadline, pthread_mutex_t* mutex);
/* One of those that wait for it, by chance; all of them. With the lock held. */
void ph_rouse_one(const void* what);
void ph_rouse_all(const void* what);
/* Leaves the lock. Whoever has roused another may now wait for it in a way that the world does not
 * see. */
void ph_let_go(void);
/* Those that wait for the mutex are told who holds it now, by the system's number of the thread.
 * With the lock held. */
void ph_note_holder(const void* mutex, int holder);
/* In this process; without the lock, by a thread that is awake. */
bool ph_somebody_waits(void);
/* When the limit of a timed wait has come, by whichever clock it is of. With the lock held. */
uint64_t ph_wait_deadline(const struct timespec* limit);

/* An engine's threads run much of its own code; its locks are real. */
bool ph_is_engine(void);
/* As pthread_mutex_lock and unlock; release is without a chance for others to interrupt. */
int ph_mutex_lock(pthread_mutex_t* mutex);
int ph_mutex_unlock(pthread_mutex_t* mutex);
void ph_mutex_release(pthread_mutex_t* mutex);
int ph_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* limit);
/* Barriers, known by where they are. */
void ph_barrier_made(const pthread_barrier_t* place, unsigned count);
void ph_barrier_forget(const pthread_barrier_t* place);
int ph_barrier_wait(pthread_barrier_t* place);
/* A lock of any kind, by the function that tries to take it; `limit` may be NULL. */
int ph_lock(void* lock, int (*take)(void* lock), enum ph_waiting kind,
            const struct timespec* limit);
/* After it was left. */
void ph_unlocked(const void* lock, bool for_all);

/* With the lock held: whoever joins the thread goes on. */
void ph_waits_thread_ended(const struct ph_sleeper* sleeper);
/* Without it: the semaphore was posted in a signal handler meanwhile. */
void ph_waits_posted(const void* semaphore);
/* sem_timedwait(3), by whichever clock the limit is of. */
int ph_semaphore_wait(sem_t* semaphore, const struct timespec* limit);

#endif
