#ifndef PH_TRACE_INSIDE_H
#define PH_TRACE_INSIDE_H

/*
 * A libuv that is built into the program and exported by it, as in the official builds of Node.
 * Before any of its functions has run they can be made ours: the entry of each becomes a jump. Only
 * where everything fits: every function that it has is one of ours, its version is not newer, and
 * loops, handles and requests have the same sizes.
 */

#include <stdbool.h>

struct ph_inside_answer {
    char why[160]; /* what does not fit, as the end of a sentence that begins with the program */
};

bool ph_inside_is_there(void);
/* `library`: ours, as dlopen knows it. `also`: names of more functions that become ours where the
 * program exports them, ended by NULL. False: everything is as it was. */
bool ph_inside_redirect(void* library, const char* const* also, struct ph_inside_answer* answer);

#endif
