/* <phasor.h> alone declares the coroutines too. */

#include <phasor.h>

#include "harness.h"

static int first(void* arg) {
    phasor_timer_t timer;
    phasor_timer_init(go_loop(), &timer);
    CHECK(!phasor_timer_is_active(&timer));
    *(int*)arg = 1;
    return go_sleep(1);
}

TEST(one_header_declares_everything) {
    int ran = 0;
    CHECK_OK(go_main(first, &ran));
    CHECK_EQ(ran, 1);
}
