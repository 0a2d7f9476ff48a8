/* The functions of phasor.h about the simulated world. Without a world they say so. */

#include <stdio.h>
#include <string.h>

#include "phasor.h"
#include "uv.h"
#include "world/link.h"
#include "world/preempt.h"
#include "world/prepared.h"
#include "world/recorder.h"
#include "world/world.h"

static bool is_host(int host) {
    return host >= 0 && (uint32_t)host < ph_world->host_count;
}

/* 0 with the lock held, or the error. */
static int enter_world(int host, int other) {
    if (ph_world == NULL)
        return UV_ENOTSUP;
    ph_world_lock();
    if (is_host(host) && is_host(other))
        return 0;
    ph_world_unlock();
    return UV_EINVAL;
}

int phasor_sim_active(void) {
    return ph_world != NULL;
}

unsigned long long phasor_sim_seed(void) {
    return ph_world != NULL ? ph_world->settings.seed : 0;
}

unsigned long long phasor_sim_now(void) {
    return ph_world != NULL ? ph_world->now : 0;
}

unsigned long long phasor_sim_random(unsigned long long limit) {
    if (enter_world(0, 0) != 0)
        return 0;
    unsigned long long drawn = ph_draw_below(PH_CHANCE_PROGRAM, limit);
    ph_world_unlock();
    return drawn;
}

int phasor_sim_host(const char* name) {
    if (name == NULL || *name == '\0')
        return UV_EINVAL;
    int err = enter_world(0, 0);
    if (err != 0)
        return err;
    uint32_t before = ph_world->host_count;
    int host = ph_host_add(name);
    if (ph_world->host_count != before)
        ph_world->hosts[ph_host_here()].tests = true;
    ph_world_unlock();
    return host < 0 ? UV_ENOBUFS : host;
}

int phasor_sim_enter(int host) {
    int err = enter_world(host, host);
    if (err != 0)
        return err;
    ph_host_enter(host);
    ph_sleeper_own()->counts = true;
    ph_recorder_name(ph_world->hosts[host].name);
    ph_world_unlock();
    return 0;
}

int phasor_sim_address(int host, char* text) {
    int err = enter_world(host, host);
    if (err != 0)
        return err;
    uint32_t address = ph_world->hosts[host].address;
    ph_world_unlock();
    sprintf(text, "%u.%u.%u.%u", address >> 24, address >> 16 & 255, address >> 8 & 255,
            address & 255);
    return 0;
}

int phasor_sim_crash(int host) {
    int err = enter_world(host, host);
    if (err != 0)
        return err;
    ph_host_crash(host);
    ph_world_unlock();
    return 0;
}

int phasor_sim_restart(int host) {
    int err = enter_world(host, host);
    if (err != 0)
        return err;
    ph_host_restart(host);
    ph_world_unlock();
    return 0;
}

int phasor_sim_cut(int host, int other) {
    int err = enter_world(host, other);
    if (err != 0)
        return err;
    ph_hosts_cut(host, other, true);
    ph_world_unlock();
    return 0;
}

int phasor_sim_heal(int host, int other) {
    int err = enter_world(host, other);
    if (err != 0)
        return err;
    ph_hosts_cut(host, other, false);
    ph_world_unlock();
    return 0;
}

static bool is_share(double value) {
    return value >= 0 && value <= 1;
}

int phasor_sim_link(int host, int other, const struct phasor_sim_link* link) {
    int err = enter_world(host, other);
    if (err != 0)
        return err;
    if (!is_share(link->loss) || !is_share(link->duplicate) || !is_share(link->reorder)) {
        ph_world_unlock();
        return UV_EINVAL;
    }
    struct ph_link made = {.latency = link->latency_ns,
                           .jitter = link->jitter_ns,
                           .bandwidth = link->bandwidth,
                           .loss = link->loss,
                           .duplicate = link->duplicate,
                           .reorder = link->reorder,
                           .known = true};
    made.cut = ph_link_between(host, other)->cut;
    ph_world->links[host][other] = made;
    ph_world->links[other][host] = made;
    ph_world_unlock();
    return 0;
}

int phasor_sim_observe(void (*call)(void* data), void* data) {
    int err = enter_world(0, 0);
    if (err != 0)
        return err;
    ph_observe(call, data);
    ph_world_unlock();
    return 0;
}

int phasor_sim_fail(const char* why) {
    int err = enter_world(0, 0);
    if (err != 0)
        return err;
    ph_world_end("%s", why != NULL ? why : "the program says so");
}

void ph_edge(uint32_t edge) {
    uint32_t* step = &ph_world->edges[edge % PH_EDGES];
    if (*step == 0)
        *step = (uint32_t)ph_world->steps + 1;
}

static uint32_t edge_of_state(const char* name) {
    uint32_t hash = 2166136261U;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619U;
    return hash ^ hash >> 16;
}

/* Its name is told to the launcher, which sees all worlds. With the lock held. */
static int note_state(const char* name, bool held, bool must_hold) {
    size_t length = strlen(name);
    for (int i = 0; i < PH_STATES_MAX && length < PH_NAME_MAX; i++) {
        struct ph_state* state = &ph_world->states[i];
        if (state->name[0] == '\0')
            memcpy(state->name, name, length + 1);
        if (strcmp(state->name, name) != 0)
            continue;
        state->held += held;
        if (held)
            ph_edge(edge_of_state(name));
        state->must_hold |= must_hold;
        return 0;
    }
    return UV_ENOBUFS;
}

/* Without the lock: one thread of the world runs at a time, and these are many. */
static int note_edge(uint32_t edge) {
    if (ph_world == NULL)
        return UV_ENOTSUP;
    if (!ph_world->settings.guided)
        return 0;
    ph_edge(edge);
    return 1;
}

enum { MOST_INTERRUPTIONS = 20000 /* of one process: each takes some microseconds */ };

/* Threads share memory here; a program that spins on it is left alone after a while. */
static int interrupt(void) {
    static unsigned asked;
    if (ph_world != NULL && ph_preempts() && asked < MOST_INTERRUPTIONS) {
        asked++;
        ph_preempt_here();
    }
    return 0;
}

int phasor_sim_ask(const char* what, const char* name, int one, int two) {
    if (what[0] == 'e' && strcmp(what, "edge") == 0)
        return note_edge((uint32_t)one);
    if (strcmp(what, "interrupt") == 0)
        return interrupt();
    if (strcmp(what, "prepare") == 0)
        return ph_prepares();
    if (strcmp(what, "begin") == 0)
        return ph_prepared_begin();
    bool way = strcmp(what, "cut") == 0 || strcmp(what, "heal") == 0;
    if (!way && (name == NULL || *name == '\0'))
        return UV_EINVAL;
    int err = way ? enter_world(one, two) : enter_world(0, 0);
    if (err != 0)
        return err;
    int answer = UV_EINVAL;
    if (way) {
        ph_way_cut(one, two, what[0] == 'c');
        answer = 0;
    } else if (strcmp(what, "host") == 0) {
        int host = ph_host_named(name);
        answer = host >= 0 ? host : UV_ENOENT;
    } else if (strcmp(what, "reached") == 0) {
        answer = note_state(name, true, false);
    } else if (strcmp(what, "sometimes") == 0) {
        answer = note_state(name, one != 0, true);
    }
    ph_world_unlock();
    return answer;
}
