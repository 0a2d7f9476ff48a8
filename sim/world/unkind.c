#include "world/unkind.h"

#include <errno.h>

#include "world/faults.h"
#include "world/world.h"

enum { ROW_OF_KINDS = 1 << 24 }; /* for ph_draw_of: a row per kind and host from here on */

/* Rates of what happens once, at full strength: per wait of a loop, per packet, per write. */
static const double pause_rate = 0.01;
static const double step_rate = 0.005;
static const double full_rate = 0.05;

#define COST_UNIT (50 * PH_US)
#define LATE_UNIT (100 * PH_US)
#define PAUSE_UNIT (5 * PH_MS)
#define FULL_UNIT (20 * PH_MS)
#define STEP_UNIT (2 * PH_MS)
#define LOOPBACK_TAIL (100 * PH_US)

double ph_unkind(enum ph_unkindness kind) {
    return ph_world->settings.unkind[kind];
}

double ph_unkind_on(int host, enum ph_unkindness kind) {
    return ph_world->hosts[host].tests ? 0 : ph_unkind(kind);
}

void ph_unkind_did(enum ph_unkindness kind) {
    ph_world->unkind_count[kind]++;
}

static uint64_t row_of(int host, enum ph_unkindness kind) {
    return ROW_OF_KINDS + (uint64_t)kind * PH_HOSTS_MAX + (uint64_t)host;
}

static uint64_t draw(int host, enum ph_unkindness kind, uint64_t number) {
    return ph_draw_of(row_of(host, kind), number);
}

uint64_t ph_unkind_tail(int host, enum ph_unkindness kind, uint64_t number, uint64_t unit,
                        unsigned most) {
    uint64_t drawn = draw(host, kind, number);
    unsigned doublings = (unsigned)__builtin_ctzll(drawn | UINT64_C(1) << most);
    /* Between half of it and all of it, so that no two are alike. */
    uint64_t whole = unit << doublings;
    return whole / 2 + (drawn >> 32) * (whole / 2) / UINT32_MAX;
}

static uint64_t scaled(uint64_t ns, double strength) {
    return (uint64_t)((double)ns * strength);
}

static bool is_slow(int host) {
    return ph_unkind_on(host, PH_UNKIND_SLOW) > 0 &&
           ph_draw_of_world(row_of(host, PH_UNKIND_SLOW), 0) % 2 == 0;
}

static uint64_t slowed(int host, uint64_t ns) {
    return is_slow(host) ? ns + scaled(ns * 30, ph_unkind(PH_UNKIND_SLOW)) : ns;
}

/* What the callbacks since the last wait have cost. */
static uint64_t cost(struct ph_host* host, int number) {
    double strength = ph_unkind_on(number, PH_UNKIND_COST);
    uint64_t ns = 0;
    if (strength > 0)
        ns = scaled(ph_unkind_tail(number, PH_UNKIND_COST, host->waits, COST_UNIT, 8), strength);
    else if (is_slow(number))
        ns = COST_UNIT / 4;
    if (strength > 0)
        ph_unkind_did(PH_UNKIND_COST);
    if (is_slow(number))
        ph_unkind_did(PH_UNKIND_SLOW);
    return slowed(number, ns);
}

static void maybe_pause(struct ph_host* host, int number) {
    double rate = ph_unkind_on(number, PH_UNKIND_PAUSE) * pause_rate;
    if (!ph_fault_rate(number, "pause", rate, ETIME))
        return;
    uint64_t ns = ph_unkind_tail(number, PH_UNKIND_PAUSE, host->waits, PAUSE_UNIT, 9);
    host->stands_until = ph_world->now + ns;
    ph_unkind_did(PH_UNKIND_PAUSE);
    ph_world_log("pause %s for %.3g ms", host->name, (double)ns / 1e6);
}

/* Somebody sets the calendar: by milliseconds or a second, to either side. */
static void maybe_step(struct ph_host* host, int number) {
    double rate = ph_unkind_on(number, PH_UNKIND_SKEW) * step_rate;
    if (!ph_fault_rate(number, "step", rate, ETIME))
        return;
    int64_t ns = (int64_t)ph_unkind_tail(number, PH_UNKIND_SKEW, host->waits, STEP_UNIT, 9);
    if (draw(number, PH_UNKIND_SKEW, ~host->waits) % 2 == 0)
        ns = -ns;
    host->calendar += ns;
    ph_unkind_did(PH_UNKIND_SKEW);
    ph_world_log("step %s by %.3g ms", host->name, (double)ns / 1e6);
}

uint64_t ph_unkind_before_wait(uint64_t* deadline) {
    int number = ph_host_here();
    struct ph_host* host = &ph_world->hosts[number];
    host->waits++;
    maybe_pause(host, number);
    maybe_step(host, number);
    double late = ph_unkind_on(number, PH_UNKIND_LATE);
    if (late > 0 && *deadline != PH_NEVER && *deadline > ph_world->now) {
        *deadline +=
            scaled(ph_unkind_tail(number, PH_UNKIND_LATE, host->waits, LATE_UNIT, 9), late);
        ph_unkind_did(PH_UNKIND_LATE);
    }
    return ph_world->now + cost(host, number);
}

uint64_t ph_unkind_work(uint64_t ns) {
    int number = ph_host_here();
    double strength = ph_unkind_on(number, PH_UNKIND_COST);
    uint64_t pieces = ++ph_world->hosts[number].works;
    if (strength > 0) {
        ns += scaled(ph_unkind_tail(number, PH_UNKIND_COST, ~pieces, COST_UNIT, 10), strength);
        ph_unkind_did(PH_UNKIND_COST);
    }
    return slowed(number, ns);
}

uint64_t ph_unkind_delay(int from, int to, uint64_t number, uint64_t latency) {
    double strength = ph_unkind_on(from, PH_UNKIND_TAIL);
    uint64_t key = number << 8 | (uint64_t)to;
    if (strength == 0 || (draw(from, PH_UNKIND_TAIL, ~key) >> 11) * 0x1p-53 > strength / 4)
        return 0;
    ph_unkind_did(PH_UNKIND_TAIL);
    return ph_unkind_tail(from, PH_UNKIND_TAIL, key, from == to ? LOOPBACK_TAIL : latency, 8);
}

bool ph_unkind_disk_is_full(int number) {
    struct ph_host* host = &ph_world->hosts[number];
    double rate = ph_unkind_on(number, PH_UNKIND_FULL) * full_rate;
    if (ph_world->now >= host->full_until && ph_fault_rate(number, "full", rate, ENOSPC)) {
        uint64_t ns = ph_unkind_tail(number, PH_UNKIND_FULL, host->waits, FULL_UNIT, 10);
        host->full_until = ph_world->now + ns;
        ph_unkind_did(PH_UNKIND_FULL);
        ph_world_log("full %s for %.3g ms", host->name, (double)ns / 1e6);
    }
    return ph_world->now < host->full_until;
}

/* From -1 to 1, the same at all times. */
static double place_of(int host, uint64_t what) {
    return (double)(int64_t)ph_draw_of_world(row_of(host, PH_UNKIND_SKEW), what) * 0x1p-63;
}

/* How much faster its quartz is: at most 0.2 %. */
static double drift_of(int host) {
    return ph_unkind_on(host, PH_UNKIND_SKEW) * 0.002 * place_of(host, 1);
}

uint64_t ph_clock_of(int host, uint64_t now) {
    double drift = drift_of(host);
    return drift == 0 ? now : now + (uint64_t)(int64_t)((double)now * drift);
}

/* The first time at which the clock shows it. */
uint64_t ph_clock_reached(int host, uint64_t shown) {
    double drift = drift_of(host);
    if (drift == 0 || shown == PH_NEVER)
        return shown;
    uint64_t now = (uint64_t)((double)shown / (1 + drift));
    while (ph_clock_of(host, now) < shown)
        now += 1 + (shown - ph_clock_of(host, now)) / 2;
    return now;
}

int64_t ph_calendar_of(int host) {
    double strength = ph_unkind_on(host, PH_UNKIND_SKEW);
    int64_t apart = (int64_t)(strength * 2e9 * place_of(host, 2));
    return apart + ph_world->hosts[host].calendar;
}
