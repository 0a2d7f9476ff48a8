/* Where and how eagerly a thread runs: affinity and priority. */

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "uv.h"

int uv_cpumask_size(void) {
    return CPU_SETSIZE;
}

int uv_thread_getcpu(void) {
    int cpu = sched_getcpu();
    return cpu < 0 ? ph_errno() : cpu;
}

int uv_thread_getaffinity(uv_thread_t* tid, char* cpumask, size_t mask_size) {
    cpu_set_t set;
    if (tid == NULL || cpumask == NULL || mask_size < CPU_SETSIZE)
        return UV_EINVAL;
    CPU_ZERO(&set);
    int err = pthread_getaffinity_np(*tid, sizeof(set), &set);
    if (err != 0)
        return -err;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        cpumask[cpu] = CPU_ISSET(cpu, &set) != 0;
    return 0;
}

int uv_thread_setaffinity(uv_thread_t* tid, char* cpumask, char* oldmask, size_t mask_size) {
    cpu_set_t set;
    if (tid == NULL || cpumask == NULL || mask_size < CPU_SETSIZE)
        return UV_EINVAL;
    if (oldmask != NULL) {
        int err = uv_thread_getaffinity(tid, oldmask, mask_size);
        if (err != 0)
            return err;
    }
    CPU_ZERO(&set);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (cpumask[cpu])
            CPU_SET(cpu, &set);
    return -pthread_setaffinity_np(*tid, sizeof(set), &set);
}

/* Spreads the five levels evenly over what the policy has. */
static int real_time_priority(int policy, int level) {
    int lowest = sched_get_priority_min(policy);
    int range = sched_get_priority_max(policy) - lowest;
    return lowest + range * (level - UV_THREAD_PRIORITY_LOWEST) /
                        (UV_THREAD_PRIORITY_HIGHEST - UV_THREAD_PRIORITY_LOWEST);
}

int uv_thread_setpriority(uv_thread_t tid, int priority) {
    struct sched_param param;
    int policy;
    if (priority < UV_THREAD_PRIORITY_LOWEST || priority > UV_THREAD_PRIORITY_HIGHEST)
        return UV_EINVAL;
    int err = pthread_getschedparam(tid, &policy, &param);
    if (err != 0)
        return -err;
    if (policy == SCHED_FIFO || policy == SCHED_RR) {
        param.sched_priority = real_time_priority(policy, priority);
        return -pthread_setschedparam(tid, policy, &param);
    }
    /* An ordinary thread has no static priority but a nice value of its own. As in libuv, that of
     * another thread stays as it is, and that is no error. */
    if (!pthread_equal(tid, pthread_self()))
        return 0;
    return setpriority(PRIO_PROCESS, (id_t)gettid(), -2 * priority) == 0 ? 0 : ph_errno();
}

/* The nice value for the calling thread if it is an ordinary one, else the static priority. */
int uv_thread_getpriority(uv_thread_t tid, int* priority) {
    struct sched_param param;
    int policy;
    if (priority == NULL)
        return UV_EINVAL;
    int err = pthread_getschedparam(tid, &policy, &param);
    if (err != 0)
        return -err;
    if (policy == SCHED_OTHER && pthread_equal(tid, pthread_self())) {
        errno = 0;
        int nice = getpriority(PRIO_PROCESS, (id_t)gettid());
        if (nice == -1 && errno != 0)
            return ph_errno();
        *priority = nice;
        return 0;
    }
    *priority = param.sched_priority;
    return 0;
}
