#ifndef PH_BASE_PAUSE_H
#define PH_BASE_PAUSE_H

/* One breath in a spinning loop: spares the core's twin and its power. */
static inline void ph_pause(void) {
#if (defined(__x86_64__) || defined(__i386__)) && !defined(PHASOR_PLAIN_PROCESSOR)
    __builtin_ia32_pause();
#elif defined(__aarch64__) && !defined(PHASOR_PLAIN_PROCESSOR)
    __asm__ volatile("yield" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

#endif
