#include "report/quantity.h"

#include <stdlib.h>
#include <string.h>

bool quantity_time(const char* text, bool seconds, const char** end, uint64_t* ns) {
    static const struct {
        const char* name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"min", 6e10}, {"s", 1e9}};
    char* behind;
    if (*text < '0' || *text > '9')
        return false;
    double value = strtod(text, &behind);
    const char* unit = behind + strspn(behind, " ");
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strncmp(unit, units[i].name, strlen(units[i].name)) == 0) {
            value *= units[i].ns;
            *end = unit + strlen(units[i].name);
            *ns = value < 1e19 ? (uint64_t)value : UINT64_MAX;
            return value >= 0;
        }
    *end = behind;
    value *= 1e9;
    *ns = value < 1e19 ? (uint64_t)value : UINT64_MAX;
    return seconds && value >= 0;
}
