/* What the program may do: the permission model of --experimental-permission.
 *
 * The command line sets it once, before any JavaScript of the program runs; from then on nothing
 * changes it, so that every thread may look at it. Without it, everything may be done. */
#ifndef PH_RUNTIME_PERMISSION_H
#define PH_RUNTIME_PERMISSION_H

#include "engine/engine.h"

typedef enum {
    PH_MAY_CHILD,
    PH_MAY_WORKER,
    PH_MAY_WASI,
    PH_MAY_ADDONS,
    PH_MAY_INSPECT, /* never granted */
} ph_may_do;

/* What is wanted of a path. Without PH_ITSELF a link at its end is followed. */
enum { PH_LOOK_UP = 0, PH_READ = 1, PH_WRITE = 2, PH_ITSELF = 4 };

bool ph_is_permission_on(void);
/* Nothing of the file system is held back. */
bool ph_has_all_files(void);
/* Nothing of what is wanted is. */
bool ph_has_all_of(unsigned access);
/* Is this place granted, whatever name led to it? It has no links. */
bool ph_may_use_place(const char* place, unsigned access);
/* Without an exception. */
bool ph_may_use(const char* path, unsigned access);
/* The path, or NULL and an exception: ERR_ACCESS_DENIED. What is used through it is to be pinned
 * (pinned.h), or else bound. */
char* ph_permitted(JSContext* ctx, char* path_owned, unsigned access);
/* The path, independent of the working directory, which the program may change before the path is
 * used; or NULL and an exception. */
char* ph_bound(JSContext* ctx, char* path_owned);
/* That exception; of PH_READ or PH_WRITE, the one that is refused. */
JSValue ph_denied(JSContext* ctx, const char* path, unsigned access);
/* False comes with such an exception. */
bool ph_demand(JSContext* ctx, ph_may_do what, const char* resource);
/* For what is refused altogether; the words of the error. */
bool ph_demand_off(JSContext* ctx, const char* name);
bool ph_demand_links(JSContext* ctx);
/* What opening with these flags needs. */
unsigned ph_access_of_flags(int flags);

#endif
