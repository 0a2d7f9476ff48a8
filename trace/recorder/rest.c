#include "recorder/rest.h"

#include "recorder/recorder.h"
#include "recorder/sampler.h"

int ph_resting;

void ph_rest(enum ph_rester who) {
    __atomic_fetch_or(&ph_resting, (int)who, __ATOMIC_SEQ_CST);
}

bool ph_is_awake(enum ph_rester who) {
    return (__atomic_load_n(&ph_resting, __ATOMIC_RELAXED) & (int)who) == 0;
}

void ph_wake_all(void) {
    int who = __atomic_exchange_n(&ph_resting, 0, __ATOMIC_SEQ_CST);
    if (who & PH_SAMPLER_RESTS)
        ph_sampler_wake();
    if (who & PH_WRITER_RESTS)
        ph_writer_wake();
}
