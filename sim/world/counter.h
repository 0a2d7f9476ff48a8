#ifndef PH_SIM_COUNTER_H
#define PH_SIM_COUNTER_H

/* eventfd and timerfd of programs. Both are a number that is read, and watched as a socket is. */

#include <stddef.h>
#include <sys/types.h>

struct ph_event;

/* As read(2) and write(2) of the descriptor. */
ssize_t ph_counter_read(int fd, void* bytes, size_t size);
ssize_t ph_counter_write(int fd, const void* bytes, size_t size);
void ph_run_expiry(struct ph_event* event);

#endif
