#include "stuck.h"

bool stuck_look(pid_t pid, pid_t tid, struct stuck_place* place) {
    (void)pid;
    *place = (struct stuck_place){.tid = tid};
    return false;
}
