#ifndef PH_SIM_WAITS_H
#define PH_SIM_WAITS_H

/* Threads that wait for each other. */

struct ph_sleeper;

/* With the lock held: whoever joins the thread goes on. */
void ph_waits_thread_ended(const struct ph_sleeper* sleeper);
/* Without it: the semaphore was posted in a signal handler meanwhile. */
void ph_waits_posted(const void* semaphore);

#endif
