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
NEXT(int, pthread_cond_wait, CONDITIONS, (pthread_cond_t * condition, pthread_mutex_t* mutex),
     (condition, mutex))
NEXT(int, pthread_cond_timedwait, CONDITIONS,
     (pthread_cond_t * condition, pthread_mutex_t* mutex, const struct timespec* limit),
     (condition, mutex, limit))
NEXT(int, pthread_cond_signal, CONDITIONS, (pthread_cond_t * condition), (condition))
NEXT(int, pthread_cond_broadcast, CONDITIONS, (pthread_cond_t * condition), (condition))
NEXT(int, sigaction, NULL, (int signal, const struct sigaction* action, struct sigaction* old),
     (signal, action, old))
NEXT(int, sem_wait, NULL, (sem_t * semaphore), (semaphore))
NEXT(int, sem_post, NULL, (sem_t * semaphore), (semaphore))
