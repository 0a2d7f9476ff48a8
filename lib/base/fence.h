#ifndef PH_BASE_FENCE_H
#define PH_BASE_FENCE_H

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define PH_FENCES_ARE_UNKNOWN
#endif
#elif defined(__SANITIZE_THREAD__)
#define PH_FENCES_ARE_UNKNOWN
#endif

/* What this thread has written is there for others before it reads anything else. */
static inline void ph_full_fence(void) {
#ifdef PH_FENCES_ARE_UNKNOWN
    int word = 0;
    __atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif
