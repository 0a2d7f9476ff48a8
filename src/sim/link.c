#include "sim/link.h"

enum {
    LOOPBACK_US = 20,
    NEAREST_US = 200, /* between two hosts, one way */
    FARTHEST_US = 5000
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
    return ph_world->links[from][to].cut || !ph_world->hosts[from].up || !ph_world->hosts[to].up;
}

/* Each delay has a number. When a failing world is made smaller, only those that it needs stay. */
static uint64_t draw_delay(uint64_t most) {
    const struct ph_settings* settings = &ph_world->settings;
    uint64_t number = ph_world->draws[PH_CHANCE_DELAY];
    uint64_t delay = ph_draw_below(PH_CHANCE_DELAY, most + 1);
    if (settings->mask_delays) {
        bool kept = false;
        for (uint32_t i = 0; i < settings->kept_count && !kept; i++)
            kept = settings->kept_delays[i] == number;
        if (!kept)
            return 0;
    }
    ph_world->delays++;
    return delay;
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
    return leaves + link->latency + draw_delay(link->jitter);
}
