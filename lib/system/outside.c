/* The functions of phasor.h about the simulated world, in the library that has none. */

#include "phasor.h"
#include "uv.h"

int phasor_sim_active(void) {
    return 0;
}

unsigned long long phasor_sim_seed(void) {
    return 0;
}

unsigned long long phasor_sim_now(void) {
    return 0;
}

unsigned long long phasor_sim_random(unsigned long long limit) {
    (void)limit;
    return 0;
}

int phasor_sim_host(const char* name) {
    (void)name;
    return UV_ENOTSUP;
}

int phasor_sim_enter(int host) {
    (void)host;
    return UV_ENOTSUP;
}

int phasor_sim_address(int host, char* text) {
    (void)host, (void)text;
    return UV_ENOTSUP;
}

int phasor_sim_crash(int host) {
    (void)host;
    return UV_ENOTSUP;
}

int phasor_sim_restart(int host) {
    (void)host;
    return UV_ENOTSUP;
}

int phasor_sim_cut(int host, int other) {
    (void)host, (void)other;
    return UV_ENOTSUP;
}

int phasor_sim_heal(int host, int other) {
    (void)host, (void)other;
    return UV_ENOTSUP;
}

int phasor_sim_link(int host, int other, const struct phasor_sim_link* link) {
    (void)host, (void)other, (void)link;
    return UV_ENOTSUP;
}

int phasor_sim_observe(void (*call)(void* data), void* data) {
    (void)call, (void)data;
    return UV_ENOTSUP;
}

int phasor_sim_fail(const char* why) {
    (void)why;
    return UV_ENOTSUP;
}
