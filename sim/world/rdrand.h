#ifndef PH_SIM_RDRAND_H
#define PH_SIM_RDRAND_H

/* The processor's own chance: its instructions are made illegal in the program and the libraries
 * that it was started with, and answered from the seed. */

#include <stdbool.h>
#include <ucontext.h>

void ph_rdrand_begin(void);
/* After SIGILL; true: it was one of them. */
bool ph_rdrand_answer(greg_t* registers);

#endif
