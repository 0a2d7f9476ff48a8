#ifndef PH_TOOLS_PROFILE_H
#define PH_TOOLS_PROFILE_H

#include "report/report.h"

/* One line for each stack: "main loop;outer;inner 1200", in µs, as flame graphs are made of. */
void report_write_folded(const struct report* report, FILE* out);
/* For Chrome DevTools, speedscope and others: the main loop's thread. */
void report_write_cpuprofile(const struct report* report, FILE* out);
/* For how long each function was on a thread's stack, what is inside before what is around it;
 * times are ns since the beginning. */
typedef void stack_slice(void* context, int tid, const char* function, uint64_t start,
                         uint64_t end);
void report_give_stack_slices(const struct report* report, stack_slice* give, void* context);

#endif
