/*
 * Clocks, sleeps and random bytes, for the library and, because it is preloaded, for everything in
 * the process that asks libc or OpenSSL itself.
 */

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "world/faults.h"
#include "world/preempt.h"
#include "world/prepared.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define LARGEST_STEP (3600 * PH_S)
#define TIME_OF_A_STEP (10 * PH_US) /* of the processor */

static int real_clock(clockid_t clock, struct timespec* now) {
    return (int)ph_raw_call(SYS_clock_gettime, clock, now);
}

static bool is_calendar(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static bool is_of_the_processor(clockid_t clock) {
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

static bool is_of_the_world(clockid_t clock) {
    return is_calendar(clock) || is_of_the_processor(clock) || clock == CLOCK_MONOTONIC ||
           clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
           clock == CLOCK_BOOTTIME;
}

/* A fault of the calendar: it steps, by up to an hour to either side. */
static void step_calendar(void) {
    const struct ph_settings* settings = &ph_world->settings;
    int saved = errno;
    if (settings->fault_rate[PH_FAULT_CLOCK] == 0 && settings->planned_count == 0)
        return;
    ph_world_lock();
    if (ph_fault("clock", PH_FAULT_CLOCK, ETIME, 0))
        ph_world->wall += ph_draw_below(PH_CHANCE_FAULT, 2 * LARGEST_STEP) - LARGEST_STEP;
    ph_world_unlock();
    errno = saved;
}

/* As the clocks of the host show it. The processor's count steps, and what passes while a program
 * waits by looking at a clock. */
static uint64_t world_clock(clockid_t clock) {
    int host = ph_host_here();
    uint64_t now = ph_clock_of(host, ph_thread_counts() ? ph_world_now() : ph_world->now);
    if (is_of_the_processor(clock))
        return ph_world->steps * TIME_OF_A_STEP + ph_world->spun;
    return is_calendar(clock) ? ph_world->wall + now + (uint64_t)ph_calendar_of(host)
                              : PH_BOOTED + now;
}

/* Before the world. */
static uint64_t first_look(clockid_t clock) {
    return is_of_the_processor(clock) ? 0 : is_calendar(clock) ? PH_FIRST_DAY : PH_BOOTED;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec* now) {
    if ((ph_world == NULL && !ph_prepares()) || !is_of_the_world(clock))
        return real_clock(clock, now);
    if (ph_world != NULL && is_calendar(clock) && ph_thread_counts())
        step_calendar();
    uint64_t ns = ph_world != NULL ? world_clock(clock) : first_look(clock);
    now->tv_sec = (time_t)(ns / PH_S);
    now->tv_nsec = (long)(ns % PH_S);
    return 0;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec* now) {
    return __wrap_clock_gettime(clock, now);
}

EXPORT int gettimeofday(struct timeval* restrict now, void* restrict zone) {
    struct timespec precise;
    (void)zone;
    __wrap_clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

EXPORT time_t time(time_t* now) {
    struct timespec precise;
    __wrap_clock_gettime(CLOCK_REALTIME, &precise);
    if (now != NULL)
        *now = precise.tv_sec;
    return precise.tv_sec;
}

/* With the lock held, which is left. What the thread did before takes time as the callbacks of a
 * loop do, and the sleep ends as late as a timer. */
static void sleep_till(uint64_t deadline) {
    uint64_t hold = 0;
    ph_world->waits++;
    ph_process_here()->has_waited = true;
    if (ph_thread_counts())
        hold = ph_unkind_before_wait(&deadline);
    do {
        ph_sleep_holds(hold);
        ph_sleep(deadline, NULL);
    } while (ph_world->now < deadline);
    ph_world_unlock();
    ph_preempt_after_wait();
}

/* Sleeps until the host's clock shows this, ns since the world began. */
static void sleep_until(uint64_t shown) {
    ph_world_lock();
    sleep_till(ph_clock_reached(ph_host_here(), shown));
}

int __wrap_nanosleep(const struct timespec* time, struct timespec* left) {
    if (ph_world == NULL)
        return (int)ph_raw_call(SYS_nanosleep, time, left);
    sleep_until(ph_clock_of(ph_host_here(), ph_world->now) + (uint64_t)time->tv_sec * PH_S +
                (uint64_t)time->tv_nsec);
    return 0;
}

EXPORT int nanosleep(const struct timespec* time, struct timespec* left) {
    return __wrap_nanosleep(time, left);
}

uint64_t ph_clock_deadline(clockid_t clock, bool absolute, uint64_t ns) {
    int host = ph_host_here();
    uint64_t base = is_calendar(clock)           ? ph_world->wall + (uint64_t)ph_calendar_of(host)
                    : is_of_the_processor(clock) ? 0
                                                 : PH_BOOTED;
    if (!absolute)
        return ph_clock_reached(host, ph_clock_of(host, ph_world->now) + ns);
    return ph_clock_reached(host, ns > base ? ns - base : 0);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time,
                           struct timespec* left) {
    if (ph_world == NULL || !is_of_the_world(clock))
        return ph_raw_call(SYS_clock_nanosleep, clock, flags, time, left) == 0 ? 0 : errno;
    uint64_t ns = (uint64_t)time->tv_sec * PH_S + (uint64_t)time->tv_nsec;
    ph_world_lock();
    sleep_till(ph_clock_deadline(clock, flags & TIMER_ABSTIME, ns));
    return 0;
}

EXPORT int usleep(useconds_t us) {
    struct timespec time = {.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000};
    return __wrap_nanosleep(&time, NULL);
}

EXPORT unsigned sleep(unsigned seconds) {
    struct timespec time = {.tv_sec = seconds};
    __wrap_nanosleep(&time, NULL);
    return 0;
}

static void fill(void* memory, size_t size) {
    unsigned char* bytes = memory;
    ph_world_lock();
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t drawn = ph_draw(PH_CHANCE_BYTES);
        memcpy(bytes + i, &drawn, size - i < sizeof(drawn) ? size - i : sizeof(drawn));
    }
    ph_world_unlock();
}

ssize_t __wrap_getrandom(void* bytes, size_t size, unsigned flags) {
    if (ph_prepares()) {
        memset(bytes, 0, size);
        return (ssize_t)size;
    }
    if (ph_world == NULL)
        return ph_raw_call(SYS_getrandom, bytes, size, flags);
    fill(bytes, size);
    return (ssize_t)size;
}

EXPORT ssize_t getrandom(void* bytes, size_t size, unsigned flags) {
    return __wrap_getrandom(bytes, size, flags);
}

EXPORT int getentropy(void* bytes, size_t size) {
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    return __wrap_getrandom(bytes, size, 0) == (ssize_t)size ? 0 : -1;
}

EXPORT uint32_t arc4random(void) {
    uint32_t drawn = 0;
    __wrap_getrandom(&drawn, sizeof(drawn), 0);
    return drawn;
}

EXPORT void arc4random_buf(void* bytes, size_t size) {
    __wrap_getrandom(bytes, size, 0);
}

EXPORT uint32_t arc4random_uniform(uint32_t limit) {
    return limit < 2 ? 0 : (uint32_t)(((uint64_t)arc4random() * limit) >> 32);
}

/* OpenSSL stirs the processor's counters into its bytes: its functions are replaced whole. */
typedef int (*openssl_bytes)(unsigned char* bytes, int size);

static int openssl(const char* name, unsigned char* bytes, int size) {
    if (ph_world == NULL) {
        openssl_bytes real = (openssl_bytes)dlsym(RTLD_NEXT, name);
        return real != NULL ? real(bytes, size) : 0;
    }
    fill(bytes, size > 0 ? (size_t)size : 0);
    return 1;
}

EXPORT int RAND_bytes(unsigned char* bytes, int size);
EXPORT int RAND_priv_bytes(unsigned char* bytes, int size);
EXPORT int RAND_bytes_ex(void* context, unsigned char* bytes, size_t size, unsigned strength);
EXPORT int RAND_priv_bytes_ex(void* context, unsigned char* bytes, size_t size, unsigned strength);

int RAND_bytes(unsigned char* bytes, int size) {
    return openssl("RAND_bytes", bytes, size);
}

int RAND_priv_bytes(unsigned char* bytes, int size) {
    return openssl("RAND_priv_bytes", bytes, size);
}

typedef int (*openssl_bytes_ex)(void* context, unsigned char* bytes, size_t size,
                                unsigned strength);

static int openssl_ex(const char* name, void* context, unsigned char* bytes, size_t size,
                      unsigned strength) {
    if (ph_world == NULL) {
        openssl_bytes_ex real = (openssl_bytes_ex)dlsym(RTLD_NEXT, name);
        return real != NULL ? real(context, bytes, size, strength) : 0;
    }
    fill(bytes, size);
    return 1;
}

int RAND_bytes_ex(void* context, unsigned char* bytes, size_t size, unsigned strength) {
    return openssl_ex("RAND_bytes_ex", context, bytes, size, strength);
}

int RAND_priv_bytes_ex(void* context, unsigned char* bytes, size_t size, unsigned strength) {
    return openssl_ex("RAND_priv_bytes_ex", context, bytes, size, strength);
}
