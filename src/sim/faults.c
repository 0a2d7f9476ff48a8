#include "sim/faults.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "sim/world.h"

enum { SHORT = -1, CALL_NAMES = 64, CHOICES = 8 };

/* How often each name was called, in the world. */
static uint64_t count_call(const char* call) {
    for (int i = 0; i < CALL_NAMES; i++) {
        struct ph_call_count* count = &ph_world->calls[i];
        if (count->name[0] == '\0')
            strncpy(count->name, call, sizeof(count->name) - 1);
        if (strcmp(count->name, call) == 0)
            return ++count->number;
    }
    return 0;
}

/* The error that is planned for this call; 0: none. */
static int planned(const char* call, uint64_t number) {
    const struct ph_settings* settings = &ph_world->settings;
    for (uint32_t i = 0; i < settings->planned_count; i++)
        if (settings->planned[i].number == number && strcmp(settings->planned[i].call, call) == 0)
            return settings->planned[i].error;
    return 0;
}

static void note(const char* call, uint64_t number, int error) {
    ph_world->faults++;
    ph_world_log("fault %s@%llu=%s", call, (unsigned long long)number,
                 error == SHORT ? "SHORT" : strerrorname_np(error));
}

static bool drawn(enum ph_fault_class class) {
    const struct ph_settings* settings = &ph_world->settings;
    bool yes = settings->fault_rate[class] > 0 &&
               ph_draw_yes(PH_CHANCE_FAULT, settings->fault_rate[class]);
    return yes && !settings->only_planned;
}

bool ph_fault(const char* call, enum ph_fault_class class, ...) {
    int choices[CHOICES];
    int count = 0;
    va_list args;
    va_start(args, class);
    for (int error; count < CHOICES && (error = va_arg(args, int)) != 0;)
        choices[count++] = error;
    va_end(args);
    uint64_t number = count_call(call);
    int error = planned(call, number);
    if (error <= 0 && count > 0 && drawn(class))
        error = choices[ph_draw_below(PH_CHANCE_FAULT, (uint64_t)count)];
    if (error <= 0)
        return false;
    note(call, number, error);
    errno = error;
    return true;
}

size_t ph_fault_short(const char* call, enum ph_fault_class class, size_t size) {
    uint64_t number = count_call(call);
    int error = planned(call, number);
    if (size < 2 || (error != SHORT && !drawn(class)))
        return size;
    note(call, number, SHORT);
    return 1 + (size_t)ph_draw_below(PH_CHANCE_SPLIT, size - 1);
}
