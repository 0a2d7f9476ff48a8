#ifndef PH_BASE_AT_FORK_H
#define PH_BASE_AT_FORK_H

#include <stdbool.h>

/* pthread_atfork for the library's own handlers. */
void ph_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* Whether anyone but the library may have handlers that wait for a fork: false only if that is
 * certain. */
bool ph_others_await_forks(void);

#endif
