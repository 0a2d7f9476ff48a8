/* Functions of libc behind those that the library exports: see real.h. */

#include <string.h>

#include "world/real.h"

/* Where libc has kept an old form of a function beside the new one, the new one has this version on
 * x86-64. */
#define CONDITIONS "GLIBC_2.3.2"

#define NEXT(type, name, version, parameters, arguments)         \
    type ph_next_##name parameters {                             \
        static void* found;                                      \
        void* place = __atomic_load_n(&found, __ATOMIC_RELAXED); \
        type(*call) parameters;                                  \
        if (place == NULL) {                                     \
            place = ph_raw_next(#name, version);                 \
            __atomic_store_n(&found, place, __ATOMIC_RELAXED);   \
        }                                                        \
        memcpy(&call, &place, sizeof(call));                     \
        return call arguments;                                   \
    }

NEXT(int, getaddrinfo, NULL,
     (const char* name, const char* service, const struct addrinfo* hints,
      struct addrinfo** found_at),
     (name, service, hints, found_at))
NEXT(int, getnameinfo, NULL,
     (const struct sockaddr* address, socklen_t size, char* name, socklen_t name_size,
      char* service, socklen_t service_size, int flags),
     (address, size, name, name_size, service, service_size, flags))
NEXT(int, pthread_create, NULL,
     (pthread_t * thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument),
     (thread, attributes, run, argument))
NEXT(int, pthread_join, NULL, (pthread_t thread, void** result), (thread, result))
NEXT(int, pthread_mutex_lock, NULL, (pthread_mutex_t * mutex), (mutex))
NEXT(int, pthread_mutex_unlock, NULL, (pthread_mutex_t * mutex), (mutex))
NEXT(int, pthread_mutex_trylock, NULL, (pthread_mutex_t * mutex), (mutex))
NEXT(int, pthread_mutex_clocklock, NULL,
     (pthread_mutex_t * mutex, clockid_t clock, const struct timespec* limit),
     (mutex, clock, limit))
NEXT(int, pthread_rwlock_rdlock, NULL, (pthread_rwlock_t * lock), (lock))
NEXT(int, pthread_rwlock_wrlock, NULL, (pthread_rwlock_t * lock), (lock))
NEXT(int, pthread_rwlock_tryrdlock, NULL, (pthread_rwlock_t * lock), (lock))
NEXT(int, pthread_rwlock_trywrlock, NULL, (pthread_rwlock_t * lock), (lock))
NEXT(int, pthread_rwlock_clockrdlock, NULL,
     (pthread_rwlock_t * lock, clockid_t clock, const struct timespec* limit), (lock, clock, limit))
NEXT(int, pthread_rwlock_clockwrlock, NULL,
     (pthread_rwlock_t * lock, clockid_t clock, const struct timespec* limit), (lock, clock, limit))
NEXT(int, pthread_rwlock_unlock, NULL, (pthread_rwlock_t * lock), (lock))
NEXT(int, pthread_spin_lock, NULL, (pthread_spinlock_t * lock), (lock))
NEXT(int, pthread_spin_trylock, NULL, (pthread_spinlock_t * lock), (lock))
NEXT(int, pthread_spin_unlock, NULL, (pthread_spinlock_t * lock), (lock))
NEXT(int, pthread_barrier_init, NULL,
     (pthread_barrier_t * barrier, const pthread_barrierattr_t* kind, unsigned count),
     (barrier, kind, count))
NEXT(int, pthread_barrier_wait, NULL, (pthread_barrier_t * barrier), (barrier))
NEXT(int, pthread_barrier_destroy, NULL, (pthread_barrier_t * barrier), (barrier))
NEXT(int, pthread_cond_wait, CONDITIONS, (pthread_cond_t * condition, pthread_mutex_t* mutex),
     (condition, mutex))
NEXT(int, pthread_cond_timedwait, CONDITIONS,
     (pthread_cond_t * condition, pthread_mutex_t* mutex, const struct timespec* limit),
     (condition, mutex, limit))
NEXT(int, pthread_cond_signal, CONDITIONS, (pthread_cond_t * condition), (condition))
NEXT(int, pthread_cond_broadcast, CONDITIONS, (pthread_cond_t * condition), (condition))
NEXT(int, sigaction, NULL, (int signal, const struct sigaction* action, struct sigaction* old),
     (signal, action, old))
NEXT(int, pthread_sigmask, NULL, (int how, const sigset_t* set, sigset_t* old), (how, set, old))
NEXT(int, sem_wait, NULL, (sem_t * semaphore), (semaphore))
NEXT(int, sem_post, NULL, (sem_t * semaphore), (semaphore))
