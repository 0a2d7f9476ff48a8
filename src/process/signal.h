#ifndef PH_PROCESS_SIGNAL_H
#define PH_PROCESS_SIGNAL_H

#include "uv.h"

/* As if the handle's signal had just been caught. */
void ph_signal_deliver(uv_signal_t* handle);

#endif
