#ifndef PH_SLOTS_SLOTS_H
#define PH_SLOTS_SLOTS_H

/* The places through which objects call functions of others, as the loader has linked them: for a
 * while they lead to us. */

#include <stdbool.h>
#include <stddef.h>

struct slot_wish {
    const char* name;
    void* ours;
};

/* In the object that has the function `owner`; where none is seen, in all of them. False: nothing
 * calls any of these. Those that are taken already stay so. */
bool slots_take(const struct slot_wish* wishes, size_t count, const void* owner);
/* As they were. */
void slots_give_back(void);

#endif
