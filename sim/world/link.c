#include "world/link.h"

#include <errno.h>

#include "world/faults.h"

enum {
    LOOPBACK_US = 20,
    NEAREST_US = 200, /* between two hosts, one way */
    FARTHEST_US = 5000,
    ROW_OF_DELAYS = 1 << 20 /* for ph_draw_of: a row per way from here on */
};

/* A way that nobody has described is as chance makes it. */
struct ph_link* ph_link_between(int from, int to) {
    struct ph_link* link = &ph_world->links[from][to];
    if (link->known)
        return link;
    link->known = true;
    link->at_once = from == to;
    if (from == to)
        link->latency = LOOPBACK_US * PH_US;
    else
        link->latency =
            (NEAREST_US + ph_draw_below(PH_CHANCE_LINK, FARTHEST_US - NEAREST_US)) * PH_US;
    link->jitter = link->latency;
    return link;
}

bool ph_link_is_cut(int from, int to) {
    const struct ph_link* link = &ph_world->links[from][to];
    return link->cut || ph_world->now < link->cut_until || !ph_world->hosts[from].up ||
           !ph_world->hosts[to].up;
}

/* The host that runs the test is on nobody's network. */
double ph_link_unkind(int from, int to, enum ph_unkindness kind) {
    return from == to || ph_world->hosts[to].tests ? 0 : ph_unkind_on(from, kind);
}

/* A way between two hosts, or both ways, for some time. */
static void maybe_cut(int from, int to, struct ph_link* link) {
    double rate = ph_link_unkind(from, to, PH_UNKIND_CUT) * 0.02;
    if (from == to || !ph_fault_rate(from, "cut", rate, ENETUNREACH))
        return;
    uint64_t number = ph_world->delay_counts[from][to];
    uint64_t ns = ph_unkind_tail(from, PH_UNKIND_CUT, number, 20 * PH_MS, 9);
    bool both = ph_unkind_tail(from, PH_UNKIND_CUT, ~number, 2, 1) % 2 == 0;
    link->cut_until = ph_world->now + ns;
    if (both)
        ph_link_between(to, from)->cut_until = link->cut_until;
    ph_unkind_did(PH_UNKIND_CUT);
    ph_world_log("cut %s %s %s for %.3g ms", ph_world->hosts[from].name, both ? "and" : "to",
                 ph_world->hosts[to].name, (double)ns / 1e6);
}

/* Each delay has a number on its way, and follows from that alone: when a failing world is made
 * smaller, only those that it needs stay, and they stay what they were. */
static uint64_t draw_delay(int from, int to, const struct ph_link* link) {
    uint64_t most = link->jitter;
    const struct ph_settings* settings = &ph_world->settings;
    uint32_t number = ++ph_world->delay_counts[from][to];
    bool kept = !settings->mask_delays;
    for (uint32_t i = 0; i < settings->kept_count && !kept; i++) {
        const struct ph_delay* delay = &settings->kept_delays[i];
        kept = delay->from == from && delay->to == to && delay->number == number;
    }
    if (!kept)
        return 0;
    ph_world->delays++;
    uint64_t drawn =
        ph_draw_of(ROW_OF_DELAYS + (uint64_t)from * PH_HOSTS_MAX + (uint64_t)to, number);
    return (uint64_t)(((unsigned __int128)drawn * (most + 1)) >> 64) +
           ph_unkind_delay(from, to, number, link->latency);
}

uint64_t ph_link_arrival(int from, int to, size_t bytes) {
    struct ph_link* link = ph_link_between(from, to);
    uint64_t leaves = ph_world->now;
    if (link->bandwidth > 0) {
        if (link->busy_until > leaves)
            leaves = link->busy_until;
        leaves += (uint64_t)bytes * PH_S / link->bandwidth;
        link->busy_until = leaves;
    }
    maybe_cut(from, to, link);
    return leaves + link->latency + draw_delay(from, to, link);
}
