#ifndef PH_SIM_PREEMPT_H
#define PH_SIM_PREEMPT_H

/*
 * Threads that are interrupted in the middle of their work. Where the world is unkind to threads,
 * some pieces of work that a program gives to the pool, and some threads that it makes, are run
 * step by step for so many instructions as chance says; then others go on for a while. The number
 * of instructions follows from the seed, so the place does too.
 */

#include <stdbool.h>
#include <stdint.h>

/* Around the code of the program, without the lock. */
void ph_preempt_begin(void);
void ph_preempt_end(void);
/* A thread of a program that makes threads itself has waited for something past the library, and
 * goes on; without the lock. */
void ph_preempt_after_wait(void);
/* Where it has threads of its own, and is interrupted. */
bool ph_preempts_here(void);
/* The thread leaves its own code for the world's, and comes back. */
void ph_preempt_pause(void);
void ph_preempt_go_on(void);
/* The program is no engine, whose threads run very much of its own code. */
bool ph_preempts_program(void);
/* A call of the library at which a thread may be interrupted. */
void ph_preempt_here(void);
/* Whether threads are interrupted in this world at all. */
bool ph_preempts(void);

#endif
