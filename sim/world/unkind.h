#ifndef PH_SIM_UNKIND_H
#define PH_SIM_UNKIND_H

/*
 * How the world is unkind. Each kind has a strength from 0 (never) to 1, drawn for each seed by the
 * launcher or asked for. What is done once and for some time (a pause, a cut, a reset) is a fault
 * with a name and a number (faults.h), so that it can be left out or asked for alone; what is
 * everywhere (costs, tails) follows from the seed, the host and a number of its own.
 */

#include <stdbool.h>
#include <stdint.h>

enum ph_unkindness {
    PH_UNKIND_COST,     /* callbacks and the pool's work take time */
    PH_UNKIND_PAUSE,    /* a host stands still */
    PH_UNKIND_LATE,     /* timers come late */
    PH_UNKIND_SLOW,     /* some hosts have slow processors */
    PH_UNKIND_TAIL,     /* some packets take much longer than others, also inside of a host */
    PH_UNKIND_CALL,     /* interrupted, short and blocked calls */
    PH_UNKIND_TORN,     /* a crash tears what was not synced */
    PH_UNKIND_FULL,     /* disks are full for some time */
    PH_UNKIND_FLIP,     /* bits of what is read from a disk are wrong; only on request */
    PH_UNKIND_CUT,      /* ways between hosts are cut, in one direction or both, for some time */
    PH_UNKIND_RESET,    /* connections between hosts are reset in the middle */
    PH_UNKIND_HALF,     /* connections between hosts are dead, and nobody is told */
    PH_UNKIND_DATAGRAM, /* datagrams between hosts are lost, doubled, overtaken */
    PH_UNKIND_SKEW,     /* clocks of hosts differ, drift and are set */
    PH_UNKIND_THREAD,   /* threads are interrupted in the middle of their work */
    PH_UNKINDS
};

/* The strength, in the world or on a host: the host that runs a test of others is spared. */
double ph_unkind(enum ph_unkindness kind);
double ph_unkind_on(int host, enum ph_unkindness kind);
/* For the report. */
void ph_unkind_did(enum ph_unkindness kind);
/* `unit` or twice, four times, ... as much, each half as likely as the one before, at most
 * `unit << most`: for the number-th time of this kind on the host. */
uint64_t ph_unkind_tail(int host, enum ph_unkindness kind, uint64_t number, uint64_t unit,
                        unsigned most);

/* Before a loop waits: how long it, or the whole host, is held. Moves the deadline of a timer. */
uint64_t ph_unkind_before_wait(uint64_t* deadline);
/* How long a piece of the pool's work takes that would take `ns`. */
uint64_t ph_unkind_work(uint64_t ns);
/* Of a packet, beyond its way's latency and jitter. */
uint64_t ph_unkind_delay(int from, int to, uint64_t number, uint64_t latency);
/* Whether nothing can be written to the host's disk now. */
bool ph_unkind_disk_is_full(int host);

/* A host's clocks: what they show, and when they show it, in ns of the world. */
uint64_t ph_clock_of(int host, uint64_t now);
uint64_t ph_clock_reached(int host, uint64_t shown);
int64_t ph_calendar_of(int host);

#endif
