#include "search/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "world/sight.h"

/* search/page.html, made by the build. */
extern const unsigned char sim_page_text[];
extern const size_t sim_page_size;

static const char place_of_data[] = "@DATA@";

/* As JSON inside of a script: "<" would let the text end it. */
static void print_inside(FILE* out, const char* text, size_t size) {
    fputc('"', out);
    for (size_t i = 0; i < size && text[i] != '\0'; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == '"' || c == '\\' || c == '<' || c >= 0x7f)
            fprintf(out, "\\u%04x", c < 0x7f ? c : '?');
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void print_data(FILE* out, const struct sim_plan* plan, const struct sim_result* result,
                       const char* command) {
    fprintf(out, "{\"seed\":%llu,\"failed\":%s,\"now\":%llu,\"total\":%llu,\"why\":",
            (unsigned long long)plan->settings.seed, result->failed ? "true" : "false",
            (unsigned long long)result->virtual_time, (unsigned long long)result->sight_count);
    print_inside(out, result->why, sizeof(result->why));
    fputs(",\"command\":", out);
    print_inside(out, command, strlen(command));
    fputs(",\"hosts\":[", out);
    for (unsigned i = 0; i < result->host_count; i++) {
        fputs(i > 0 ? "," : "", out);
        print_inside(out, result->hosts[i], sizeof(result->hosts[i]));
    }
    fputs("],\"events\":[", out);
    uint64_t first = result->sight_count > PH_SIGHTS_MAX ? result->sight_count - PH_SIGHTS_MAX : 0;
    for (uint64_t i = first; i < result->sight_count; i++) {
        const struct ph_sight* sight = &result->sights[i % PH_SIGHTS_MAX];
        fprintf(out, "%s[%d,%d,%d,%llu,%llu,%llu,%u,", i > first ? ",\n" : "\n", sight->kind,
                sight->from, sight->to, (unsigned long long)sight->begins,
                (unsigned long long)sight->ends, (unsigned long long)sight->step, sight->size);
        print_inside(out, sight->text, sizeof(sight->text));
        fputc(']', out);
    }
    fputs("]}", out);
}

bool sim_page_write(const struct sim_plan* plan, const struct sim_result* result,
                    const char* command) {
    const char* text = (const char*)sim_page_text;
    const char* place = memmem(text, sim_page_size, place_of_data, sizeof(place_of_data) - 1);
    FILE* out = fopen(plan->page, "w");
    if (out == NULL || place == NULL || result->sights == NULL)
        return sim_complain("%s can't be written: %s", plan->page, strerror(errno));
    const char* rest = place + sizeof(place_of_data) - 1;
    fwrite(text, 1, (size_t)(place - text), out);
    print_data(out, plan, result, command);
    fwrite(rest, 1, sim_page_size - (size_t)(rest - text), out);
    bool written = ferror(out) == 0;
    written = fclose(out) == 0 && written;
    return written || sim_complain("%s can't be written: %s", plan->page, strerror(errno));
}
