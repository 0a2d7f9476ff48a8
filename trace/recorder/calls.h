#ifndef PH_TRACE_CALLS_H
#define PH_TRACE_CALLS_H

/* System calls that a signal of the recorder's cut short begin again: the program sees nothing. */

#include <stdbool.h>
#include <ucontext.h>

/* From the handler of the signal. */
void ph_call_begin_again(mcontext_t* machine);

/* Whether calls of this C library can be begun again. On a thread that holds the signal back and
 * whose handler calls the function above. */
bool ph_calls_learn(int signal_number);

#endif
