#ifndef PH_SIM_TRAP_H
#define PH_SIM_TRAP_H

/*
 * What a program asks the machine by an instruction of its own, past libc: the processor's counter
 * (rdtsc) and system calls. Both are made to raise a signal; the world answers what it simulates,
 * and names what it does not (ph_leak).
 */

/* For the process, once, and then for each thread that the world knows, from within. */
void ph_trap_begin(void);
void ph_trap_thread(void);
/* The calling thread, or what it becomes or starts, is outside; and it is in the world again. */
void ph_trap_leave(void);
void ph_trap_return(void);

#endif
