/* What happened in a world, for people. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/sim.h"

/* "2 h 3 min 4.005 s", "12.345 ms" */
void sim_print_when(FILE* out, uint64_t ns) {
    static const struct {
        uint64_t size;
        const char* name;
    } units[] = {{86400 * PH_S, "d"}, {3600 * PH_S, "h"}, {60 * PH_S, "min"}};
    bool longer = false;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        longer |= ns >= units[i].size;
        if (longer)
            fprintf(out, "%llu %s ", (unsigned long long)(ns / units[i].size), units[i].name);
        ns %= units[i].size;
    }
    if (longer || ns >= PH_S)
        fprintf(out, "%llu.%03llu s", (unsigned long long)(ns / PH_S),
                (unsigned long long)(ns % PH_S / PH_MS));
    else
        fprintf(out, "%llu.%03llu ms", (unsigned long long)(ns / PH_MS),
                (unsigned long long)(ns % PH_MS / PH_US));
}

/* Each line of the log begins with its time, in ns. */
void sim_print_log(FILE* out, const struct sim_result* result, bool all) {
    const char* line = all && result->log != NULL ? result->log : "";
    while (*line != '\0') {
        char* text;
        size_t length = strcspn(line, "\n");
        fputs("  ", out);
        sim_print_when(out, strtoull(line, &text, 10));
        fprintf(out, ": %.*s\n", (int)(line + length - text - 1), text + 1);
        line += length + (line[length] == '\n');
    }
    fputs(result->stuck, out);
}
