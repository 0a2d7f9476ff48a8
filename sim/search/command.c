/* The command that makes a world again. */

#include <stdio.h>
#include <string.h>

#include "search/errors.h"
#include "search/guide.h"
#include "search/search.h"

static void print_word(FILE* out, const char* word) {
    if (*word != '\0' &&
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                     "-_./=,:@%+") == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    fputc('\'', out);
}

static void print_command(FILE* out, const struct sim_search* search, const struct sim_plan* plan) {
    const struct ph_settings* settings = &plan->settings;
    fprintf(out, "phasor sim --seed %llu", (unsigned long long)settings->seed);
    if (settings->branch_count > 0) {
        fputs(" --branch ", out);
        sim_print_branches(out, settings->branches, settings->branch_count);
    }
    if (!settings->only_planned)
        for (int i = 1; i < search->command_options; i++)
            if (strncmp(search->command[i], "--faults", 8) == 0) {
                fputc(' ', out);
                print_word(out, search->command[i]);
                if (search->command[i][8] == '\0')
                    fprintf(out, " %s", search->command[i + 1]);
            }
    bool unkind = false;
    for (int i = 0; i < PH_UNKINDS; i++)
        unkind |= settings->unkind[i] > 0;
    if (!plan->swarm)
        fputs(unkind ? " --unkind " : " --kind", out);
    if (!plan->swarm && unkind)
        sim_print_unkind(out, settings->unkind);
    const char* before = " --without ";
    for (int i = 0; plan->swarm && i < PH_UNKINDS; i++)
        if (plan->without >> i & 1) {
            fprintf(out, "%s%s", before, sim_unkind_name(i));
            before = ",";
        }
    for (uint32_t i = 0; i < settings->planned_count; i++) {
        const struct ph_planned* planned = &settings->planned[i];
        char word[160];
        snprintf(word, sizeof(word), "%s%s%s@%llu=%s", planned->host,
                 planned->host[0] != '\0' ? ":" : "", planned->call,
                 (unsigned long long)planned->number,
                 planned->error < 0 ? "SHORT" : sim_error_name(planned->error));
        fputs(" --fault ", out);
        print_word(out, word);
    }
    if (settings->mask_delays) {
        fputs(" --delays ", out);
        if (settings->kept_count == 0)
            fputs("''", out);
        for (uint32_t i = 0; i < settings->kept_count; i++) {
            const struct ph_delay* delay = &settings->kept_delays[i];
            fprintf(out, "%s%u-%u@%u", i > 0 ? "," : "", delay->from, delay->to, delay->number);
        }
    }
    if (settings->time_limit != SIM_USUAL_LIMIT)
        fprintf(out, " --limit %.9gs", (double)settings->time_limit / 1e9);
    if (search->real_limit_given)
        fprintf(out, " --real-limit %.9gs", (double)plan->real_limit / 1e9);
    for (char** word = search->command + search->command_options; *word != NULL; word++) {
        fputc(' ', out);
        print_word(out, *word);
    }
}

char* sim_command(const struct sim_search* search, const struct sim_plan* plan) {
    char* command = NULL;
    size_t size = 0;
    FILE* text = open_memstream(&command, &size);
    print_command(text, search, plan);
    fclose(text);
    return command;
}
