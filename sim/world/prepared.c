#include "world/prepared.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recording.h"
#include "world/order.h"
#include "world/raw.h"
#include "world/recorder.h"

enum { PR_TID_ADDRESS = 40 };

static bool prepares;

bool ph_prepares(void) {
    return prepares;
}

bool ph_prepared_expected(void) {
    const char* name = secure_getenv(PH_PREPARED_NAME);
    if (name == NULL)
        return false;
    unsetenv(PH_PREPARED_NAME);
    unsetenv("PHASOR_SIM_PAD"); /* has done its part; each worker would copy it */
    prepares = true;
    return true;
}

/* A fork whose parent is the launcher. libc keeps the number of the thread, where the kernel writes
 * it again, and a list of the locks that it would leave behind. */
static long fork_for_launcher(void) {
    void *place = NULL, *locks = NULL;
    size_t size = 0;
    if (ph_raw_call(SYS_prctl, PR_TID_ADDRESS, &place) != 0 || place == NULL ||
        ph_raw_call(SYS_get_robust_list, 0, &locks, &size) != 0)
        return -1;
    struct clone_args how = {.flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
                             .child_tid = (uintptr_t)place};
    long child = ph_raw_call(SYS_clone3, &how, sizeof(how));
    if (child == 0)
        ph_raw_call(SYS_set_robust_list, locks, size);
    return child;
}

/* True in the process that has an order. Nobody who could give one is left: the end. */
static bool take_order(struct ph_order* order) {
    for (;;) {
        ssize_t got = ph_raw_recv(PH_ORDERS_FD, order, sizeof(*order), 0);
        if (got == -1 && errno == EINTR)
            continue;
        if (got != (ssize_t)sizeof(*order))
            return false;
        long child = fork_for_launcher();
        if (child == 0)
            return true;
        int answer = child > 0 ? (int)child : -errno;
        ph_raw_send(PH_ORDERS_FD, &answer, sizeof(answer), MSG_NOSIGNAL);
    }
}

int ph_prepared_begin(void) {
    static struct ph_order order;
    if (!prepares)
        return UV_EINVAL;
    if (!take_order(&order))
        _exit(0);
    ph_raw_close(PH_ORDERS_FD);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    ph_order_obey(&order);
    prepares = false;
    ph_world_enter();
    if (order.recording[0] != '\0' && ph_recorder() != NULL)
        ph_recorder()->start_from_environment();
    return 0;
}
