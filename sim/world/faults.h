#ifndef PH_SIM_FAULTS_H
#define PH_SIM_FAULTS_H

/*
 * Faults: a call fails as the real one could at this place. Each call of a name is numbered, on
 * its host and in the whole world, so "server:write@37=ENOSPC" and "write@37=ENOSPC" say which.
 * Rates are per class; what was drawn is logged, and can be asked for again, one by one.
 */

#include <stdbool.h>
#include <stddef.h>

enum ph_fault_class {
    PH_FAULT_CALL,   /* interrupted, would block, short */
    PH_FAULT_NET,    /* resets, no buffers, no descriptors, names */
    PH_FAULT_DISK,   /* full, broken, slow */
    PH_FAULT_MEMORY, /* no memory */
    PH_FAULT_THREAD, /* threads and children that can't be made */
    PH_FAULT_CLOCK,  /* the calendar steps */
    PH_FAULT_CLASSES
};

/* True: the call fails, and errno says with what: one of the errors given, at least one, ended by
 * 0. With the lock held. */
bool ph_fault(const char* call, enum ph_fault_class class, ...);
/* The same for a call on another host than the thread's. */
bool ph_fault_on(int host, const char* call, enum ph_fault_class class, ...);
/* The same for what has a rate of its own and one error. */
bool ph_fault_rate(int host, const char* call, double rate, int error);
/* The same for what is no error but less than asked for: a size of 1 to `size`. */
size_t ph_fault_short(const char* call, enum ph_fault_class class, size_t size);

#endif
