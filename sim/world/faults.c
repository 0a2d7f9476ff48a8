#include "world/faults.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "world/world.h"

enum { SHORT = -1, ONE_PACKET = 1448, CALL_NAMES = 64, CHOICES = 8 };

/* One call that could fail: its name, its host, and its number there and in the world. */
struct call {
    const char* name;
    int host;
    uint64_t number;
    uint64_t in_world;
};

static struct call count_call(const char* name, int host) {
    struct call call = {.name = name, .host = host};
    for (int i = 0; i < CALL_NAMES; i++) {
        struct ph_call_count* count = &ph_world->calls[i];
        if (count->name[0] == '\0')
            strncpy(count->name, name, sizeof(count->name) - 1);
        if (strcmp(count->name, name) != 0)
            continue;
        call.in_world = ++count->in_world;
        call.number = ++count->on_host[host];
        break;
    }
    return call;
}

/* What is planned for this call; NULL: nothing. */
static struct ph_planned* planned(const struct call* call) {
    struct ph_settings* settings = &ph_world->settings;
    for (uint32_t i = 0; i < settings->planned_count; i++) {
        struct ph_planned* plan = &settings->planned[i];
        bool any = plan->host[0] == '\0';
        if (plan->number == (any ? call->in_world : call->number) &&
            strcmp(plan->call, call->name) == 0 &&
            (any || strcmp(plan->host, ph_world->hosts[call->host].name) == 0))
            return plan;
    }
    return NULL;
}

static void note(const struct call* call, int error) {
    const char* what = error == SHORT ? "SHORT" : strerrorname_np(error);
    ph_world->faults++;
    if (ph_world->host_count == 1)
        ph_world_log("fault %s@%llu=%s", call->name, (unsigned long long)call->in_world, what);
    else
        ph_world_log("fault %s:%s@%llu=%s", ph_world->hosts[call->host].name, call->name,
                     (unsigned long long)call->number, what);
}

/* A function of the seed and the call alone: that another call fails, or no longer does, changes
 * nothing about this one. */
static uint64_t draw(const struct call* call, uint64_t which) {
    uint64_t key = which << 8 | (uint64_t)call->host;
    for (const char* c = call->name; *c != '\0'; c++)
        key = (key ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return ph_draw_of(key, call->number);
}

/* A program that could not even be loaded would show nothing. */
static bool is_too_early(enum ph_fault_class class) {
    return (class == PH_FAULT_DISK || class == PH_FAULT_MEMORY) && !ph_process_here()->has_waited;
}

static bool is_hit(const struct call* call, double rate) {
    return !ph_world->settings.only_planned && rate > 0 &&
           (double)(draw(call, 0) >> 11) * 0x1p-53 < rate;
}

static bool drawn(const struct call* call, enum ph_fault_class class) {
    return !is_too_early(class) && is_hit(call, ph_world->settings.fault_rate[class]);
}

static bool fault(int host, const char* name, enum ph_fault_class class, va_list errors) {
    int choices[CHOICES];
    int count = 0;
    for (int error; count < CHOICES && (error = va_arg(errors, int)) != 0;)
        choices[count++] = error;
    struct call call = count_call(name, host);
    struct ph_planned* plan = planned(&call);
    int error = plan != NULL && plan->error > 0 ? plan->error : 0;
    if (error > 0)
        plan->happened = true;
    else if (count > 0 && drawn(&call, class))
        error = choices[draw(&call, 1) % (uint64_t)count];
    if (error == 0)
        return false;
    note(&call, error);
    errno = error;
    return true;
}

bool ph_fault(const char* name, enum ph_fault_class class, ...) {
    va_list errors;
    va_start(errors, class);
    bool fails = fault(ph_host_here(), name, class, errors);
    va_end(errors);
    return fails;
}

bool ph_fault_on(int host, const char* name, enum ph_fault_class class, ...) {
    va_list errors;
    va_start(errors, class);
    bool fails = fault(host, name, class, errors);
    va_end(errors);
    return fails;
}

bool ph_fault_rate(int host, const char* name, double rate, int error) {
    if (rate == 0 && ph_world->settings.planned_count == 0)
        return false;
    struct call call = count_call(name, host);
    struct ph_planned* plan = planned(&call);
    if (plan == NULL && !is_hit(&call, rate))
        return false;
    if (plan != NULL)
        plan->happened = true;
    note(&call, error);
    return true;
}

size_t ph_fault_short(const char* name, enum ph_fault_class class, size_t size) {
    struct call call = count_call(name, ph_host_here());
    struct ph_planned* plan = planned(&call);
    bool wanted = plan != NULL && plan->error == SHORT;
    bool one_packet = class == PH_FAULT_CALL && size <= ONE_PACKET &&
                      ph_world->settings.unkind[PH_UNKIND_CALL] > 0;
    if (!wanted && one_packet)
        return size; /* networks do not part what fits into one packet, unless that is asked for */
    if (size < 2 || (!wanted && !drawn(&call, class)))
        return size;
    if (wanted)
        plan->happened = true;
    note(&call, SHORT);
    return 1 + (size_t)(draw(&call, 1) % (size - 1));
}
