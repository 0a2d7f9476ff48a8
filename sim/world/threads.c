/* Threads and children that the library makes. */

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "world/children.h"
#include "world/faults.h"
#include "world/preempt.h"
#include "world/real.h"
#include "world/trap.h"
#include "world/world.h"

struct start {
    void* (*run)(void*);
    void* argument;
    int host;
    bool counts;
    struct ph_sleeper* sleeper;
    sem_t asleep; /* its maker goes on when it is, so that never two threads run at once */
};

static void* begin(void* argument) {
    struct start* start = argument;
    struct ph_sleeper* self = start->sleeper;
    ph_host_enter(start->host);
    ph_world_lock();
    ph_sleeper_become(self);
    self->counts = start->counts;
    self->first = true; /* in the order of their making, whatever else is due */
    self->begins = true;
    __real_sem_post(&start->asleep);
    ph_sleep(ph_world->now, NULL);
    self->first = false;
    self->begins = false;
    ph_world_unlock();
    struct start copy = *start;
    free(start);
    ph_trap_thread();
    if (ph_preempts() && ph_preempts_program())
        ph_preempt_begin();
    void* result = copy.run(copy.argument);
    ph_preempt_end();
    return result;
}

int ph_thread_start(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                    void* argument, bool counts) {
    struct start* start = __real_malloc(sizeof(*start));
    if (start == NULL)
        return EAGAIN;
    ph_world_lock();
    ph_world->waits++; /* threads are something to simulate */
    bool failed = ph_fault("pthread_create", PH_FAULT_THREAD, EAGAIN, 0);
    if (!failed)
        *start = (struct start){.run = run,
                                .argument = argument,
                                .host = ph_host_here(),
                                .counts = counts,
                                .sleeper = ph_sleeper_new()};
    ph_world_unlock();
    sem_init(&start->asleep, 0, 0);
    int err = failed ? EAGAIN : __real_pthread_create(thread, attributes, begin, start);
    if (err == 0) {
        while (__real_sem_wait(&start->asleep) != 0)
            continue;
        return 0;
    }
    ph_world_lock();
    if (!failed)
        ph_sleeper_free(start->sleeper);
    ph_world_unlock();
    free(start);
    return err;
}

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                          void* argument) {
    return ph_world != NULL ? ph_thread_start(thread, attributes, run, argument, false)
                            : __real_pthread_create(thread, attributes, run, argument);
}

static bool no_child(void) {
    if (ph_world == NULL)
        return false;
    ph_world_lock();
    bool failed = ph_fault("fork", PH_FAULT_THREAD, EAGAIN, ENOMEM, 0);
    int error = errno;
    ph_world_unlock();
    errno = error;
    return failed;
}

static void note_child(int child) {
    int saved = errno;
    if (ph_world != NULL && child > 0) {
        ph_world_lock();
        ph_children_made(child, ph_host_here());
        ph_world_unlock();
    }
    errno = saved;
}

struct child {
    int (*run)(void*);
    void* argument;
};

static int begin_child(void* argument) {
    const struct child* child = argument;
    ph_trap_leave();
    return child->run(child->argument);
}

/* Children are made so; one that sends no signal is only a trial. */
int __wrap_clone(int (*run)(void*), void* stack, int flags, void* argument, ...) {
    va_list more;
    va_start(more, argument);
    int* first = flags & CLONE_PIDFD ? va_arg(more, int*) : NULL;
    va_end(more);
    bool makes = (flags & SIGCHLD) == SIGCHLD;
    if (makes && no_child())
        return -1;
    struct child begins = {.run = run, .argument = argument};
    int child = __real_clone(begin_child, stack, flags, &begins, first, NULL, NULL);
    if (makes)
        note_child(child);
    return child;
}

pid_t __wrap_fork(void) {
    if (no_child())
        return -1;
    pid_t child = __real_fork();
    note_child(child);
    return child;
}

/* Looking out for mail by spinning would never end where time stands. */
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t* set) {
    int result = __real_sched_getaffinity(pid, size, set);
    if (ph_world != NULL && result == 0) {
        CPU_ZERO_S(size, set);
        CPU_SET_S(0, size, set);
    }
    return result;
}

static bool memory_is_short(const char* call) {
    if (ph_world == NULL || !ph_thread_counts() ||
        (ph_world->settings.fault_rate[PH_FAULT_MEMORY] == 0 &&
         ph_world->settings.planned_count == 0))
        return false;
    ph_world_lock();
    bool failed = ph_fault(call, PH_FAULT_MEMORY, ENOMEM, 0);
    ph_world_unlock();
    if (failed)
        errno = ENOMEM;
    return failed;
}

void* __wrap_malloc(size_t size) {
    return memory_is_short("malloc") ? NULL : __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size) {
    return memory_is_short("malloc") ? NULL : __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t size) {
    return memory_is_short("malloc") ? NULL : __real_realloc(memory, size);
}
