/* HTTP requests to the program, by route: how long they took, and where that time went. */

#include "report/routes.h"

#include <inttypes.h>

#include "read/memory.h"

enum { SHOWN = 12, MOST_SAID = 3, SLOW_NS = 100000000, FAILED = 500 };

/* Of its time, while its loop was busy with something else. */
static uint64_t with_others(const struct exchange* exchange) {
    uint64_t time = exchange->ended - exchange->born;
    uint64_t rest = exchange->waited + exchange->own;
    return time > rest ? time - rest : 0;
}

static struct route_stats* find_route(struct report* report, uint32_t name) {
    uint32_t known = map_get(&report->route_index, (uint64_t)name + 1);
    if (known != 0)
        return &report->routes[known - 1];
    struct route_stats* route = APPEND(report->routes, report->route_count);
    route->name = name;
    map_put(&report->route_index, (uint64_t)name + 1, (uint32_t)report->route_count);
    return route;
}

void report_add_exchange(struct report* report, const struct exchange* exchange) {
    struct route_stats* route = find_route(report, exchange->name);
    if (exchange->ended < exchange->born || exchange->ended == 0) {
        route->unanswered++;
        return;
    }
    uint64_t time = exchange->ended - exchange->born, others = with_others(exchange);
    if (route->time.count == 0 || time > route->time.most)
        route->worst = *exchange;
    histogram_add(&route->time, time);
    route->failed += exchange->status >= FAILED;
    route->own += exchange->own < time ? exchange->own : time;
    route->waited += exchange->waited;
    route->others += others;
    route->queued += exchange->queued;
}

void report_free_routes(struct report* report) {
    for (size_t i = 0; i < report->route_count; i++)
        histogram_free(&report->routes[i].time);
    free(report->routes);
    free(report->route_index.slots);
}

const char* report_route_name(const struct report* report, uint32_t name) {
    const char* text = name < report->file->name_count ? report->file->names[name].function : NULL;
    return text != NULL ? text : "(a request)";
}

const char* report_route(const struct report* report, const struct span* span) {
    return span->route != 0 ? report_route_name(report, span->route) : "";
}

static int compare(const void* a, const void* b) {
    const struct route_stats *x = *(const struct route_stats*const*)a,
                             *y = *(const struct route_stats*const*)b;
    return (x->time.sum < y->time.sum) - (x->time.sum > y->time.sum);
}

/* By their time together; the caller frees the array. */
static const struct route_stats** sort_routes(const struct report* report) {
    const struct route_stats** sorted =
        must(calloc(report->route_count + 1, sizeof(struct route_stats*)));
    for (size_t i = 0; i < report->route_count; i++)
        sorted[i] = &report->routes[i];
    if (report->route_count > 1)
        qsort((void*)sorted, report->route_count, sizeof(*sorted), compare);
    return sorted;
}

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void write_route(const struct report* report, const struct route_stats* route, FILE* out) {
    char median[32], high[32], worst[32], queue[64] = "", wait[32];
    fputs("  ", out);
    report_print_safe(out, report_route_name(report, route->name));
    fprintf(out, ": %" PRIu64 " answered", route->time.count);
    if (route->failed > 0)
        fprintf(out, ", %" PRIu64 " with 5xx", route->failed);
    if (route->unanswered > 0)
        fprintf(out, ", %" PRIu64 " not answered", route->unanswered);
    if (route->time.count == 0) {
        fputc('\n', out);
        return;
    }
    if (route->queued > 0)
        snprintf(queue, sizeof(queue), ", %s in the pool's queue",
                 report_time(route->queued, wait, sizeof(wait)));
    fprintf(out,
            "; median %s, 99 %% under %s, worst %s; %.0f %% in its own callbacks, %.0f %% while "
            "others ran, %.0f %% waiting%s\n",
            report_time(histogram_at(&route->time, 0.5), median, sizeof(median)),
            report_time(histogram_at(&route->time, 0.99), high, sizeof(high)),
            report_time(route->time.most, worst, sizeof(worst)),
            percent(route->own, route->time.sum), percent(route->others, route->time.sum),
            percent(route->waited, route->time.sum), queue);
}

void report_write_routes(const struct report* report, FILE* out) {
    const struct route_stats** sorted = sort_routes(report);
    if (report->route_count > 0)
        fputs("\nHTTP requests, from their first byte to that of the answer\n", out);
    for (size_t i = 0; sorted[i] != NULL && i < SHOWN; i++)
        write_route(report, sorted[i], out);
    if (report->route_count > SHOWN)
        fprintf(out, "  and %zu more; --json has them all\n", report->route_count - SHOWN);
    free((void*)sorted);
}

void report_write_routes_json(const struct report* report, FILE* out) {
    const struct route_stats** sorted = sort_routes(report);
    fputs("\"http\": [", out);
    for (size_t i = 0; sorted[i] != NULL; i++) {
        const struct route_stats* route = sorted[i];
        fputs(i > 0 ? ",\n    {\"route\": " : "\n    {\"route\": ", out);
        report_print_json(out, report_route_name(report, route->name));
        fprintf(out,
                ", \"answered\": %" PRIu64 ", \"failed\": %" PRIu64 ", \"unanswered\": %" PRIu64
                ", \"total\": %" PRIu64 ", \"median\": %" PRIu64 ", \"p99\": %" PRIu64
                ", \"worst\": %" PRIu64 ", \"worstAt\": %" PRIu64 ", \"own\": %" PRIu64
                ", \"others\": %" PRIu64 ", \"waiting\": %" PRIu64 ", \"poolQueue\": %" PRIu64 "}",
                route->time.count, route->failed, route->unanswered, route->time.sum,
                histogram_at(&route->time, 0.5), histogram_at(&route->time, 0.99), route->time.most,
                route->worst.born, route->own, route->others, route->waited, route->queued);
    }
    fputc(']', out);
    free((void*)sorted);
}

/* Who was slow because of others. */
void report_say_routes(struct report* report) {
    const struct route_stats** sorted = sort_routes(report);
    int said = 0;
    for (size_t i = 0; sorted[i] != NULL && said < MOST_SAID; i++) {
        const struct exchange* worst = &sorted[i]->worst;
        uint64_t time = worst->ended - worst->born, others = with_others(worst);
        char whole[32], part[32];
        if (time < SLOW_NS || others < time / 2)
            continue;
        report_say(report, "http", NULL,
                   "%s was answered after %s at %.3f s: for %s of that its loop ran other "
                   "callbacks.",
                   report_route_name(report, sorted[i]->name),
                   report_time(time, whole, sizeof(whole)), (double)worst->born / 1e9,
                   report_time(others, part, sizeof(part)));
        said++;
    }
    free((void*)sorted);
}
