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

bool ph_rise(enum ph_rester who) {
    return (__atomic_fetch_and(&ph_resting, ~(int)who, __ATOMIC_SEQ_CST) & (int)who) != 0;
}

void ph_wake_one(void) {
    if (ph_rise(PH_SAMPLER_RESTS))
        ph_sampler_wake();
    else if (ph_rise(PH_WRITER_RESTS))
        ph_writer_wake();
}
