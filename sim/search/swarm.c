/*
 * Which kinds of unkindness a world has, and how strong: a function of its seed, so that worlds
 * differ, and no kind hides what another one would show. Seed 1 has none: what fails there fails
 * without help.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/sim.h"
#include "world/faults.h"

/* In what share of all worlds each is. Those that many programs do not expect at all are rare: a
 * search is to find other things too. */
static const struct {
    const char* name;
    double share;
} kinds[PH_UNKINDS] = {
    [PH_UNKIND_COST] = {"cost", 0.6},         [PH_UNKIND_PAUSE] = {"pause", 0.4},
    [PH_UNKIND_LATE] = {"late", 0.4},         [PH_UNKIND_SLOW] = {"slow", 0.25},
    [PH_UNKIND_TAIL] = {"tail", 0.5},         [PH_UNKIND_CALL] = {"call", 0.3},
    [PH_UNKIND_TORN] = {"torn", 0.6},         [PH_UNKIND_FULL] = {"full", 0.06},
    [PH_UNKIND_FLIP] = {"flip", 0},           [PH_UNKIND_CUT] = {"cut", 0.25},
    [PH_UNKIND_RESET] = {"reset", 0.1},       [PH_UNKIND_HALF] = {"half", 0.06},
    [PH_UNKIND_DATAGRAM] = {"datagram", 0.3}, [PH_UNKIND_SKEW] = {"skew", 0.25},
    [PH_UNKIND_THREAD] = {"thread", 0.4},
};

static const double usual_strength = 0.5;
static const double call_rate = 0.03; /* at full strength */

const char* sim_unkind_name(int kind) {
    return kinds[kind].name;
}

/* From 0 to 1: the n-th number of the seed. */
static double draw(uint64_t seed, uint64_t number) {
    uint64_t value = seed * UINT64_C(0x9e3779b97f4a7c15) + number * UINT64_C(0xd1342543de82ef95);
    for (int round = 0; round < 3; round++) {
        value ^= value >> 31;
        value *= UINT64_C(0xbf58476d1ce4e5b9) + 2 * (uint64_t)round;
    }
    return (double)((value ^ value >> 29) >> 11) * 0x1p-53;
}

void sim_make_unkind(const struct sim_plan* plan, struct ph_settings* settings) {
    for (int i = 0; plan->swarm && i < PH_UNKINDS; i++) {
        double strength = draw(settings->seed, 2 * (uint64_t)i + 1);
        bool on = settings->seed != 1 && (plan->without >> i & 1) == 0 &&
                  draw(settings->seed, 2 * (uint64_t)i) < kinds[i].share;
        /* In steps of a hundredth, so that a command can say it; weak ones are more frequent. */
        settings->unkind[i] = on ? (1 + (int)(strength * strength * 99)) / 100.0 : 0;
    }
    if (settings->unkind[PH_UNKIND_CALL] > 0 && settings->fault_rate[PH_FAULT_CALL] == 0)
        settings->fault_rate[PH_FAULT_CALL] = settings->unkind[PH_UNKIND_CALL] * call_rate;
}

static int kind_named(const char* name, size_t length) {
    for (int i = 0; i < PH_UNKINDS; i++)
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, name, length) == 0)
            return i;
    return -1;
}

static bool no_kind(const char* text, size_t length) {
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < PH_UNKINDS && used < sizeof(list); i++)
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? ", " : "",
                                 kinds[i].name);
    return sim_complain("\"%.*s\" is no kind of unkindness (%s)", (int)length, text, list);
}

/* "pause,tail:0.3" */
bool sim_parse_unkind(const char* text, struct sim_plan* plan) {
    plan->swarm = false;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        size_t name = strcspn(text, ":,");
        int kind = kind_named(text, name);
        double strength = usual_strength;
        if (kind < 0)
            return no_kind(text, name);
        if (name < length) {
            char* end;
            strength = strtod(text + name + 1, &end);
            if (end != text + length || !(strength >= 0 && strength <= 1))
                return sim_complain("\"%.*s\" is no strength (a number from 0 to 1)",
                                    (int)(length - name - 1), text + name + 1);
        }
        plan->settings.unkind[kind] = strength;
        text += length + (text[length] == ',');
    }
    return true;
}

/* "reset,half" */
bool sim_parse_without(const char* text, struct sim_plan* plan) {
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        int kind = kind_named(text, length);
        if (kind < 0)
            return no_kind(text, length);
        plan->without |= 1U << kind;
        text += length + (text[length] == ',');
    }
    return true;
}

void sim_print_unkind(FILE* out, const double unkind[PH_UNKINDS]) {
    const char* before = "";
    for (int i = 0; i < PH_UNKINDS; i++)
        if (unkind[i] > 0) {
            fprintf(out, "%s%s:%.4g", before, kinds[i].name, unkind[i]);
            before = ",";
        }
}

/* "faults fired: 214 of 3 kinds (pause 4, tail 200, full 10)" */
void sim_print_fired(FILE* out, const uint64_t fired[PH_UNKINDS], uint64_t faults) {
    uint64_t sum = 0;
    int count = 0;
    for (int i = 0; i < PH_UNKINDS; i++) {
        sum += fired[i];
        count += fired[i] > 0;
    }
    if (sum == 0 && faults == 0) {
        fputs("no faults were on", out);
        return;
    }
    fprintf(out, "faults fired: %llu of %d kinds", (unsigned long long)sum, count);
    const char* before = " (";
    for (int i = 0; i < PH_UNKINDS; i++)
        if (fired[i] > 0) {
            fprintf(out, "%s%s %llu", before, kinds[i].name, (unsigned long long)fired[i]);
            before = ", ";
        }
    fputs(count > 0 ? ")" : "", out);
    if (faults > 0)
        fprintf(out, ", %llu calls failed", (unsigned long long)faults);
}
