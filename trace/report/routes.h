#ifndef PH_TOOLS_ROUTES_H
#define PH_TOOLS_ROUTES_H

#include "report/report.h"

void report_add_exchange(struct report* report, const struct exchange* exchange);
void report_free_routes(struct report* report);
/* "GET /users/:id", of the request that led to the span; "": none did. */
const char* report_route(const struct report* report, const struct span* span);
const char* report_route_name(const struct report* report, uint32_t name);
void report_write_routes(const struct report* report, FILE* out);
/* "http": [...] */
void report_write_routes_json(const struct report* report, FILE* out);
void report_say_routes(struct report* report);

#endif
