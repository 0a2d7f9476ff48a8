/* Handles and requests by who made them: what is open at the end, and what the pool was used for.
 */

#include <inttypes.h>

#include "read/memory.h"
#include "report/report.h"

enum { MOST_KINDS = 10000, SHOWN_USERS = 3 };

static uint64_t key_of(const struct object* object) {
    uint64_t key = object->maker_name != 0 ? object->maker_name : object->maker;
    key = (key ^ (uint64_t)object->purpose << 40) * 0x9e3779b97f4a7c15u;
    key = (key ^ object->track) * 0x9e3779b97f4a7c15u + object->type * 2u + object->is_request;
    return key != 0 ? key : 1;
}

/* Those that find no room are counted with the last. */
static struct alike* find_alike(struct alikes* alikes, const struct object* object) {
    uint64_t key = key_of(object);
    uint32_t known = map_get(&alikes->index, key);
    if (known != 0)
        return &alikes->all[known - 1];
    if (alikes->count == MOST_KINDS)
        return &alikes->all[MOST_KINDS - 1];
    struct alike* alike = APPEND(alikes->all, alikes->count);
    alike->key = key;
    alike->first = *object;
    map_put(&alikes->index, key, (uint32_t)alikes->count);
    return alike;
}

void report_add_open(struct report* report, const struct object* object) {
    find_alike(&report->alive, object)->count++;
}

void report_add_pool_user(struct report* report, const struct object* object) {
    struct alike* alike = find_alike(&report->pool_users, object);
    alike->count++;
    if (object->started != 0 && object->done >= object->started)
        alike->ran += object->done - object->started;
    if (object->born != 0 && object->started >= object->born)
        alike->queued += object->started - object->born;
}

void report_free_alikes(struct alikes* alikes) {
    free(alikes->all);
    free(alikes->index.slots);
}

/* "" for what was made outside of all callbacks. */
static const char* maker_of(const struct report* report, const struct object* object, char* buffer,
                            size_t size) {
    struct span span = {.kind = SPAN_CALLBACK,
                        .function = object->maker,
                        .called = object->maker_name,
                        .callback = object->maker_kind};
    if (object->maker == 0 && object->maker_name == 0)
        return "";
    return report_function(report, &span, buffer, size);
}

static const char* type_of(const struct report* report, const struct object* object) {
    const char* purpose = object->purpose != 0 && object->purpose < report->file->name_count
                              ? report->file->names[object->purpose].function
                              : NULL;
    const char* type = object_type_name(object->type);
    return purpose != NULL ? purpose : *type != '\0' ? type : "request";
}

static int compare_ran(const void* a, const void* b) {
    const struct alike *x = *(const struct alike*const*)a, *y = *(const struct alike*const*)b;
    return (x->ran < y->ran) - (x->ran > y->ran);
}

/* By what they took; the caller frees the array. */
static const struct alike** sort_users(const struct report* report) {
    const struct alikes* users = &report->pool_users;
    const struct alike** sorted = must(calloc(users->count + 1, sizeof(struct alike*)));
    for (size_t i = 0; i < users->count; i++)
        sorted[i] = &users->all[i];
    if (users->count > 1)
        qsort((void*)sorted, users->count, sizeof(*sorted), compare_ran);
    return sorted;
}

void report_name_pool_users(const struct report* report, char* buffer, size_t size) {
    const struct alike** sorted = sort_users(report);
    char time[32], name[1200];
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; sorted[i] != NULL && i < SHOWN_USERS && used < size; i++) {
        const char* maker = maker_of(report, &sorted[i]->first, name, sizeof(name));
        /* A tenth of what the first one took is not worth a word. */
        if (sorted[i]->ran == 0 || sorted[i]->ran < sorted[0]->ran / 10)
            break;
        used += (size_t)snprintf(buffer + used, size - used,
                                 "%s%s%s%.150s (%s in %" PRIu64 " request%s)", i > 0 ? ", " : "",
                                 type_of(report, &sorted[i]->first), *maker != '\0' ? " for " : "",
                                 maker, report_time(sorted[i]->ran, time, sizeof(time)),
                                 sorted[i]->count, sorted[i]->count == 1 ? "" : "s");
    }
    free((void*)sorted);
}

static void write_one(const struct report* report, const struct alike* alike, FILE* out) {
    const struct object* object = &alike->first;
    char name[1200];
    const char* maker = maker_of(report, object, name, sizeof(name));
    fprintf(out, "  %6" PRIu64 "  ", alike->count);
    report_print_safe(out, type_of(report, object));
    if (object->is_request)
        fputs(", not done", out);
    if (object->born == 0)
        fputs(", from before the recording", out);
    else
        fprintf(out, ", %s at %.3f s", alike->count > 1 ? "the first made" : "made",
                (double)object->born / 1e9);
    if (object->born != 0)
        fputs(*maker != '\0' ? " in " : " outside of all callbacks", out);
    report_print_safe(out, object->born != 0 ? maker : "");
    fputc('\n', out);
}

void report_write_alive(const struct report* report, FILE* out) {
    char name[32];
    if (report->alive.count == 0)
        fputs("Nothing is open at the end of the recording.\n", out);
    for (size_t i = 0; i < report->loop_count; i++) {
        unsigned track = report->loops[i].track;
        bool any = false;
        for (size_t k = 0; k < report->alive.count; k++) {
            if (report->alive.all[k].first.track != track)
                continue;
            if (!any)
                fprintf(out, "%s has open at the end of the recording\n",
                        report_loop(report, track, name, sizeof(name)));
            any = true;
            write_one(report, &report->alive.all[k], out);
        }
    }
    if (report->alive.count > 0)
        fputs(
            "Handles that are not active, or not referenced, do not keep a loop alive; which ones "
            "those are is not recorded.\n",
            out);
}

static void write_alikes(const struct report* report, const struct alikes* alikes, bool of_pool,
                         FILE* out) {
    char name[1200];
    for (size_t i = 0; i < alikes->count; i++) {
        const struct alike* alike = &alikes->all[i];
        fputs(i > 0 ? ",\n    {\"type\": " : "{\"type\": ", out);
        report_print_json(out, type_of(report, &alike->first));
        fprintf(out, ", \"track\": %u, \"count\": %" PRIu64 ", \"first\": %" PRIu64 ", \"maker\": ",
                alike->first.track, alike->count, alike->first.born);
        report_print_json(out, maker_of(report, &alike->first, name, sizeof(name)));
        if (of_pool)
            fprintf(out, ", \"ran\": %" PRIu64 ", \"queued\": %" PRIu64, alike->ran, alike->queued);
        fputc('}', out);
    }
}

void report_write_alive_json(const struct report* report, FILE* out) {
    fputs("\"alive\": [", out);
    write_alikes(report, &report->alive, false, out);
    fputc(']', out);
}

void report_write_pool_users(const struct report* report, FILE* out) {
    fputs("\"users\": [", out);
    write_alikes(report, &report->pool_users, true, out);
    fputc(']', out);
}
