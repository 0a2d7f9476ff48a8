// What the program may do: the permission model of --experimental-permission.
//
// The command line sets it once, before any JavaScript of the program runs; from then on nothing
// changes it, so that every thread may look at it. Without it, everything may be done.
#ifndef PH_RUNTIME_PERMISSION_H
#define PH_RUNTIME_PERMISSION_H

#include "engine/engine.h"

typedef enum {
    PH_MAY_CHILD,
    PH_MAY_WORKER,
    PH_MAY_WASI,
    PH_MAY_ADDONS,
    PH_MAY_INSPECT, // never granted
} ph_may_do;

// What is wanted of a path. Without PH_ITSELF a link at its end is followed.
enum { PH_LOOK_UP = 0, PH_READ = 1, PH_WRITE = 2, PH_ITSELF = 4 };

bool ph_is_permission_on(void);
// Nothing of the file system is held back.
bool ph_has_all_files(void);
// Without an exception.
bool ph_may_use(const char* path, unsigned access);
// The path, from then on independent of the working directory, which the program may change before
// the path is used; or NULL and an exception: ERR_ACCESS_DENIED.
char* ph_permitted(JSContext* ctx, char* path_owned, unsigned access);
// False comes with such an exception.
bool ph_demand(JSContext* ctx, ph_may_do what, const char* resource);
// For what is refused altogether; the words of the error.
bool ph_demand_off(JSContext* ctx, const char* name);
bool ph_demand_links(JSContext* ctx);
// What opening with these flags needs.
unsigned ph_access_of_flags(int flags);

#endif
