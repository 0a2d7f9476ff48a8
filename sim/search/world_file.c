/* The file that describes a world of several programs. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/json.h"
#include "search/search.h"
#include "search/sim.h"

static const char* world_name;

static bool wrong(const struct json* value, const char* what, const char* why) {
    return sim_complain("%s:%d: %s %s", world_name, value->line, what, why);
}

static bool take_text(const struct json* value, const char** text) {
    if (value->kind != JSON_TEXT)
        return wrong(value, value->name, "is no text");
    *text = value->text;
    return true;
}

static bool take_time(const struct json* value, uint64_t* ns) {
    if (value->kind == JSON_NUMBER && value->number >= 0) {
        *ns = (uint64_t)(value->number * 1e9);
        return true;
    }
    if (value->kind != JSON_TEXT)
        return wrong(value, value->name, "is no time (\"20ms\", \"2h\")");
    if (sim_read_time(value->text, ns))
        return true;
    return wrong(value, value->name, "is no time (\"20ms\", \"2h\")");
}

static bool take_share(const struct json* value, double* share) {
    if (value->kind != JSON_NUMBER || !(value->number >= 0 && value->number <= 1))
        return wrong(value, value->name, "is no number from 0 to 1");
    *share = value->number;
    return true;
}

/* A list of texts as a program's arguments; the file's memory stays as long as we run. */
static char** take_list(const struct json* value) {
    size_t count = 0;
    for (const struct json* one = value->first; one != NULL; one = one->next)
        count++;
    char** list = calloc(count + 1, sizeof(*list));
    if (list == NULL || value->kind != JSON_LIST || count == 0) {
        free(list);
        wrong(value, value->name, "is no list of texts");
        return NULL;
    }
    count = 0;
    for (const struct json* one = value->first; one != NULL; one = one->next) {
        if (one->kind != JSON_TEXT) {
            free(list);
            wrong(value, value->name, "is no list of texts");
            return NULL;
        }
        list[count++] = one->text;
    }
    return list;
}

static char** take_environment(const struct json* value) {
    size_t count = 0;
    for (const struct json* one = value->first; one != NULL; one = one->next)
        count++;
    char** list = calloc(count + 1, sizeof(*list));
    count = 0;
    for (const struct json* one = value->first; list != NULL && one != NULL; one = one->next) {
        if (value->kind != JSON_OBJECT || one->kind != JSON_TEXT) {
            wrong(value, value->name, "is no object of texts");
            free(list);
            return NULL;
        }
        size_t size = strlen(one->name) + strlen(one->text) + 2;
        list[count] = malloc(size);
        if (list[count] == NULL)
            abort();
        snprintf(list[count++], size, "%s=%s", one->name, one->text);
    }
    return list;
}

static bool take_host(const struct json* value, struct sim_plan* plan) {
    const char* name = NULL;
    if (value->kind != JSON_OBJECT)
        return wrong(value, "a host", "is no object");
    if (plan->host_count == SIM_HOSTS_MAX)
        return wrong(value, "hosts", "are too many");
    struct sim_host* host = &plan->hosts[plan->host_count];
    for (const struct json* one = value->first; one != NULL; one = one->next) {
        if (strcmp(one->name, "name") == 0) {
            if (!take_text(one, &name))
                return false;
        } else if (strcmp(one->name, "program") == 0) {
            char** list = take_list(one);
            if (list == NULL)
                return false;
            host->arguments = sim_program(list);
        } else if (strcmp(one->name, "environment") == 0) {
            if ((host->environment = take_environment(one)) == NULL)
                return false;
        } else if (strcmp(one->name, "folder") == 0) {
            if (!take_text(one, &host->folder))
                return false;
        } else {
            return wrong(one, one->name, "is unknown (name, program, environment, folder)");
        }
    }
    if (name == NULL || *name == '\0' || strlen(name) >= PH_NAME_MAX)
        return wrong(value, "a host", "has no name, or a long one");
    if (host->arguments == NULL)
        return wrong(value, name, "has no program");
    for (unsigned i = 0; i < plan->host_count; i++)
        if (strcmp(plan->hosts[i].name, name) == 0)
            return wrong(value, name, "is there twice");
    snprintf(host->name, sizeof(host->name), "%s", name);
    plan->host_count++;
    return true;
}

static int host_named(const struct sim_plan* plan, const struct json* value) {
    for (unsigned i = 0; value->kind == JSON_TEXT && i < plan->host_count; i++)
        if (strcmp(plan->hosts[i].name, value->text) == 0)
            return (int)i;
    wrong(value, value->kind == JSON_TEXT ? value->text : "this", "is no host");
    return -1;
}

/* ["a", "b"] */
static bool take_pair(const struct sim_plan* plan, const struct json* value, int* one, int* other) {
    const struct json* first = value->first;
    if (value->kind != JSON_LIST || first == NULL || first->next == NULL ||
        first->next->next != NULL)
        return wrong(value, value->name, "is no list of two hosts");
    *one = host_named(plan, first);
    *other = *one >= 0 ? host_named(plan, first->next) : -1;
    return *other >= 0;
}

static bool take_link(const struct json* value, struct sim_plan* plan) {
    struct ph_link link = {.latency = PH_MS, .known = true};
    int one = -1, other = -1;
    if (value->kind != JSON_OBJECT || plan->link_count == SIM_HOSTS_MAX * 2)
        return wrong(value, "a link", "is no object, or one too many");
    for (const struct json* field = value->first; field != NULL; field = field->next) {
        bool good;
        if (strcmp(field->name, "between") == 0) {
            good = take_pair(plan, field, &one, &other);
        } else if (strcmp(field->name, "latency") == 0) {
            good = take_time(field, &link.latency);
        } else if (strcmp(field->name, "jitter") == 0) {
            good = take_time(field, &link.jitter);
        } else if (strcmp(field->name, "bandwidth") == 0) {
            good = field->kind == JSON_NUMBER && field->number >= 0;
            link.bandwidth = good ? (uint64_t)field->number : 0;
            good = good || wrong(field, field->name, "is no number of bytes a second");
        } else if (strcmp(field->name, "loss") == 0) {
            good = take_share(field, &link.loss);
        } else if (strcmp(field->name, "duplicate") == 0) {
            good = take_share(field, &link.duplicate);
        } else if (strcmp(field->name, "reorder") == 0) {
            good = take_share(field, &link.reorder);
        } else {
            return wrong(field, field->name,
                         "is unknown (between, latency, jitter, bandwidth, loss, duplicate, "
                         "reorder)");
        }
        if (!good)
            return false;
    }
    if (other < 0)
        return wrong(value, "a link", "is between nobody");
    struct sim_link* made = &plan->links[plan->link_count++];
    memcpy(made->from, plan->hosts[one].name, sizeof(made->from));
    memcpy(made->to, plan->hosts[other].name, sizeof(made->to));
    made->link = link;
    return true;
}

static bool take_happening(const struct json* value, struct sim_plan* plan) {
    static const struct {
        const char* name;
        enum ph_what what;
    } kinds[] = {{"cut", PH_CUT}, {"heal", PH_HEAL}, {"crash", PH_CRASH}, {"restart", PH_RESTART}};
    struct ph_happening happening = {.host = -1, .time = PH_NEVER};
    if (value->kind != JSON_OBJECT || plan->happening_count == SIM_HAPPENINGS_MAX)
        return wrong(value, "a happening", "is no object, or one too many");
    for (const struct json* field = value->first; field != NULL; field = field->next) {
        size_t kind = 0;
        if (strcmp(field->name, "at") == 0) {
            if (!take_time(field, &happening.time))
                return false;
            continue;
        }
        if (strcmp(field->name, "oneWay") == 0) {
            happening.one_way = field->kind == JSON_BOOL && field->number != 0;
            if (field->kind != JSON_BOOL)
                return wrong(field, field->name, "is neither true nor false");
            continue;
        }
        while (kind < 4 && strcmp(kinds[kind].name, field->name) != 0)
            kind++;
        if (kind == 4)
            return wrong(field, field->name, "is unknown (at, cut, heal, oneWay, crash, restart)");
        happening.what = kinds[kind].what;
        if (kind < 2) {
            if (!take_pair(plan, field, &happening.host, &happening.other))
                return false;
        } else if ((happening.host = host_named(plan, field)) < 0) {
            return false;
        }
    }
    if (happening.host < 0 || happening.time == PH_NEVER)
        return wrong(value, "a happening", "needs \"at\" and what happens");
    plan->happenings[plan->happening_count++] = happening;
    return true;
}

static bool take_each(const struct json* value, struct sim_plan* plan,
                      bool (*take)(const struct json*, struct sim_plan*)) {
    if (value->kind != JSON_LIST)
        return wrong(value, value->name, "is no list");
    for (const struct json* one = value->first; one != NULL; one = one->next)
        if (!take(one, plan))
            return false;
    return true;
}

static const struct json* field_named(const struct json* world, const char* name) {
    const struct json* field = world->first;
    while (field != NULL && strcmp(field->name, name) != 0)
        field = field->next;
    return field;
}

/* What the command says about a kind comes first. */
static bool take_rates(const char* text, struct ph_settings* settings) {
    struct ph_settings* file = calloc(1, sizeof(*file));
    bool good = file != NULL && sim_parse_faults(text, file);
    for (size_t i = 0; good && i < sizeof(file->fault_rate) / sizeof(file->fault_rate[0]); i++)
        if (settings->fault_rate[i] == 0)
            settings->fault_rate[i] = file->fault_rate[i];
    free(file);
    return good;
}

/* The world is over when these hosts are. */
static bool take_done(const struct json* value, struct sim_plan* plan) {
    if (value->kind != JSON_LIST)
        return wrong(value, value->name, "is no list of hosts");
    for (const struct json* one = value->first; one != NULL; one = one->next) {
        int host = host_named(plan, one);
        if (host < 0)
            return false;
        plan->done |= UINT64_C(1) << host;
    }
    return true;
}

/* Hosts first: the others name them. */
static bool take_world(const struct json* world, struct sim_plan* plan) {
    static const char* const known[] = {"hosts", "links", "happenings", "faults", "limit", "done"};
    const size_t count = sizeof(known) / sizeof(known[0]);
    if (world->kind != JSON_OBJECT)
        return wrong(world, "a world", "is an object");
    for (const struct json* field = world->first; field != NULL; field = field->next) {
        size_t i = 0;
        while (i < count && strcmp(known[i], field->name) != 0)
            i++;
        if (i == count)
            return wrong(field, field->name,
                         "is unknown (hosts, links, happenings, faults, limit, done)");
    }
    const struct json* hosts = field_named(world, "hosts");
    const struct json* links = field_named(world, "links");
    const struct json* happenings = field_named(world, "happenings");
    const struct json* faults = field_named(world, "faults");
    const struct json* limit = field_named(world, "limit");
    const struct json* done = field_named(world, "done");
    const char* text = NULL;
    if (hosts == NULL || !take_each(hosts, plan, take_host))
        return hosts == NULL ? wrong(world, "a world", "needs hosts") : false;
    if (plan->host_count == 0)
        return wrong(hosts, "a world", "needs a host");
    if ((links != NULL && !take_each(links, plan, take_link)) ||
        (happenings != NULL && !take_each(happenings, plan, take_happening)))
        return false;
    if (faults != NULL && (!take_text(faults, &text) || !take_rates(text, &plan->settings)))
        return false;
    if (done != NULL && !take_done(done, plan))
        return false;
    uint64_t time = 0;
    if (limit != NULL && !take_time(limit, &time))
        return false;
    if (plan->settings.time_limit == 0) /* the command's comes first */
        plan->settings.time_limit = time;
    return true;
}

static char* read_file(const char* path) {
    FILE* file = fopen(path, "re");
    char* text = NULL;
    size_t size = 0, room = 0;
    while (file != NULL && !feof(file) && !ferror(file)) {
        if (size + 4096 > room) {
            room = room == 0 ? 65536 : room * 2;
            text = realloc(text, room);
            if (text == NULL)
                abort();
        }
        size += fread(text + size, 1, 4095, file);
    }
    if (file == NULL || ferror(file))
        sim_complain("%s: %s", path, strerror(errno));
    if (file != NULL)
        fclose(file);
    if (text != NULL)
        text[size] = '\0';
    return text;
}

/* The tree stays: the plan points into it. */
bool sim_read_world(const char* file, struct sim_plan* plan) {
    static struct json* kept;
    char* text = read_file(file);
    int line;
    const char* why;
    world_name = file;
    if (text == NULL)
        return false;
    struct json* world = json_read(text, &line, &why);
    free(text);
    if (world == NULL)
        return sim_complain("%s:%d: %s", file, line, why);
    kept = world;
    return take_world(kept, plan);
}
