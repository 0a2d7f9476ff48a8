/* Threads of the program: they run for real, and the world waits until they sleep (sleep.c). */

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sim/faults.h"
#include "sim/real.h"
#include "sim/world.h"

enum { LOOK_NS = 200000 };

/* A wait with a limit ends when the world's time has come; an event sees that it can come. */
int __wrap_pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                  const struct timespec* limit) {
    if (ph_world == NULL || !ph_thread_counts())
        return __real_pthread_cond_timedwait(condition, mutex, limit);
    uint64_t due = (uint64_t)limit->tv_sec * PH_S + (uint64_t)limit->tv_nsec;
    due = due > PH_BOOTED ? due - PH_BOOTED : 0;
    ph_world_lock();
    ph_world->look = true;
    ph_summon_launcher();
    struct ph_event* alarm = ph_world_alloc(sizeof(*alarm));
    if (alarm != NULL)
        ph_event_at(alarm, PH_EVENT_ALARM, due);
    ph_world_unlock();
    int result = ETIMEDOUT;
    while (result == ETIMEDOUT && ph_world->now < due) {
        uint64_t real = ph_real_now() + LOOK_NS;
        struct timespec until = {.tv_sec = (time_t)(real / PH_S), .tv_nsec = (long)(real % PH_S)};
        result = __real_pthread_cond_timedwait(condition, mutex, &until);
    }
    ph_world_lock();
    if (alarm != NULL)
        ph_event_cancel(alarm);
    ph_world_free(alarm, sizeof(*alarm));
    ph_world_unlock();
    return result;
}

/* Waits for another thread: they are real, and the world is told of them. */
int __wrap_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    ph_may_block();
    return __real_pthread_cond_wait(condition, mutex);
}

int __wrap_pthread_barrier_wait(pthread_barrier_t* barrier) {
    ph_may_block();
    return __real_pthread_barrier_wait(barrier);
}

int __wrap_pthread_join(pthread_t thread, void** result) {
    ph_may_block();
    return __real_pthread_join(thread, result);
}

int __wrap_sem_wait(sem_t* semaphore) {
    if (ph_world != NULL && sem_trywait(semaphore) == 0)
        return 0;
    ph_may_block();
    return __real_sem_wait(semaphore);
}

struct start {
    void* (*run)(void*);
    void* argument;
    int host;
    struct ph_sleeper* sleeper;
    sem_t asleep; /* its maker goes on when it is, so that never two threads run at once */
};

static void* begin(void* argument) {
    struct start* start = argument;
    struct ph_sleeper* self = start->sleeper;
    ph_host_enter(start->host);
    ph_world_lock();
    ph_sleeper_become(self);
    self->first = true; /* in the order of their making, whatever else is due */
    self->begins = true;
    sem_post(&start->asleep);
    ph_sleep(ph_world->now, NULL);
    self->first = false;
    self->begins = false;
    ph_world_unlock();
    struct start copy = *start;
    free(start);
    return copy.run(copy.argument);
}

int ph_thread_start(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                    void* argument) {
    struct start* start = __real_malloc(sizeof(*start));
    if (start == NULL)
        return EAGAIN;
    ph_world_lock();
    bool failed = ph_fault("pthread_create", PH_FAULT_THREAD, EAGAIN, 0);
    if (!failed)
        *start = (struct start){
            .run = run, .argument = argument, .host = ph_host_here(), .sleeper = ph_sleeper_new()};
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
    return ph_world != NULL ? ph_thread_start(thread, attributes, run, argument)
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

/* Children are made so; one that sends no signal is only a trial. */
int __wrap_clone(int (*run)(void*), void* stack, int flags, void* argument, ...) {
    va_list more;
    va_start(more, argument);
    int* first = flags & CLONE_PIDFD ? va_arg(more, int*) : NULL;
    va_end(more);
    if ((flags & SIGCHLD) == SIGCHLD && no_child())
        return -1;
    return __real_clone(run, stack, flags, argument, first, NULL, NULL);
}

pid_t __wrap_fork(void) {
    return no_child() ? -1 : __real_fork();
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
