/* Paths that the permission model has let through, held by descriptors until they are used.
 *
 * Between the check of a path and its use in the thread pool the program can put a link into its
 * place. So what was checked is opened (O_PATH) when it is checked, its place is asked of the
 * system and checked again, and the system call gets a name below /proc/self/fd that leads to
 * exactly that: the object itself, or the folder of a name that is to be made, changed or removed.
 */
#ifndef PH_RUNTIME_PINNED_H
#define PH_RUNTIME_PINNED_H

#include "bindings/permission.h"

/* All zeros: nothing is held, and the path is used as it is. */
typedef struct {
    char* path;   /* for the system; NULL: as given */
    int fd;       /* while there is such a path */
    bool is_name; /* in the folder that is held; else the object itself is held */
    bool is_new;  /* nothing was there: what is there when it is used is not what was checked */
} ph_pinned;

enum { PH_PIN_DENIED = 1 };

/* The flags are those of an open, or O_CREAT for what makes a file in another way, or 0. Gives 0,
 * PH_PIN_DENIED, or the error of the system with which the call has to fail. */
int ph_pin(const char* path, unsigned access, int flags, ph_pinned* out);
void ph_unpin(ph_pinned* pinned);
/* What the system is given. */
const char* ph_pinned_path(const ph_pinned* pinned, const char* given);
/* The flags of an open, so that they mean the same for what is held. */
int ph_pinned_flags(const ph_pinned* pinned, int flags);

/* The program must not close descriptors that are held, to give another object their number. So,
 * while files are held back, it closes only what it has opened, and that once. */
void ph_descriptor_is_programs(int fd);
bool ph_may_close(int fd);

#endif
