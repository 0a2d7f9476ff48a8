/* phasor sim: a program in a world of virtual time, chance, a simulated network and faults. */

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "search/guide.h"
#include "search/page.h"
#include "search/search.h"
#include "search/sim.h"

static const char usage[] =
    "Usage: phasor sim [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
    "       phasor sim [OPTIONS] SCRIPT.js [ARGUMENTS]\n"
    "       phasor sim [OPTIONS] WORLD.json\n"
    "Runs a program that uses libuv, JavaScript in our runtime, or several programs as hosts of "
    "one\n"
    "world, in virtual time, with the order of things and the network made of one seed.\n"
    "  --seed N            the seed of the world (1)\n"
    "  --seeds N           tries N seeds, from --seed on, and stops at the first that fails\n"
    "  --for TIME          tries seeds for so long, of real time (10m)\n"
    "  --keep-going        does not stop at the first failure; groups them by what was said\n"
    "  --corpus FILE       tries the seeds in it first, adds those that fail, and goes on where\n"
    "                      the last search ended\n"
    "  --guided            varies worlds in which programs came to new places\n"
    "  --jobs N            so many at a time (as many as there are processors)\n"
    "  --faults KINDS      call, net, disk, memory, thread, clock; each with a rate: net:0.01\n"
    "  --fault CALL@N=ERR  one fault: the N-th call of that name in the world fails so (with\n"
    "                      HOST: before it, the N-th on that host); repeatable\n"
    "  --kind              a mild world; else the seed says which kinds of unkindness there are\n"
    "  --unkind KINDS      just these, each with a strength from 0 to 1: pause,tail:0.3\n"
    "  --without KINDS     all but these\n"
    "  --limit TIME        of virtual time (100d)\n"
    "  --real-limit TIME   of real time (60s with --seeds, none otherwise)\n"
    "  --branch S:N,...    from step S on chance is that of seed N (a varied world)\n"
    "  --delays LIST       only these delays of the network happen (from a smaller failing world)\n"
    "  --no-shrink         leaves a failing world as large as it was found\n"
    "  -o FILE             records the world\n"
    "  --page FILE         writes a page that shows the world: hosts, messages, faults\n"
    "  --until STEP        stops the world there: opens gdb, or says who waits for what\n"
    "  --json              for programs: the result as JSON\n"
    "  -v, --verbose       says what happened in the world\n";

struct request {
    struct sim_plan plan;
    struct sim_search search;
    bool json;
    bool verbose;
};

enum {
    SEEDS = 256,
    JOBS,
    FAULTS,
    FAULT,
    LIMIT,
    REAL_LIMIT,
    DELAYS,
    NO_SHRINK,
    JSON,
    KIND,
    UNKIND,
    WITHOUT,
    FOR,
    KEEP_GOING,
    CORPUS,
    PAGE,
    UNTIL,
    GUIDED,
    BRANCH
};

static bool parse_number(const char* text, uint64_t* number) {
    char* end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    if (*text == '\0' || *text == '-' || *end != '\0' || errno != 0)
        return sim_complain("\"%s\" is no number", text);
    return true;
}

static bool parse_count(const char* text, uint64_t* number) {
    return parse_number(text, number) &&
           (*number > 0 || sim_complain("\"0\" is no number of worlds"));
}

static bool parse_delays(const char* text, struct ph_settings* settings) {
    settings->mask_delays = true;
    while (*text != '\0') {
        unsigned from, to, number;
        int length = 0;
        if (sscanf(text, "%u-%u@%u%n", &from, &to, &number, &length) != 3 || from >= PH_HOSTS_MAX ||
            to >= PH_HOSTS_MAX || (text[length] != ',' && text[length] != '\0') ||
            settings->kept_count == PH_PLAN_MAX)
            return sim_complain("\"%s\" is no list of delays (FROM-TO@NUMBER, hosts by number)",
                                text);
        settings->kept_delays[settings->kept_count++] =
            (struct ph_delay){.from = (uint8_t)from, .to = (uint8_t)to, .number = number};
        text += length + (text[length] == ',');
    }
    return true;
}

static bool parse_branches(const char* text, struct ph_settings* settings) {
    return sim_read_branches(text, settings) ||
           sim_complain("\"%s\" is no list of branches (STEP:SEED,STEP:SEED, steps going up)",
                        text);
}

static bool parse_step(const char* text, struct ph_settings* settings) {
    return parse_number(text, &settings->until) &&
           (settings->until > 0 || sim_complain("\"0\" is no step (they begin with 1)"));
}

static bool take(struct request* request, int option, const char* value) {
    struct ph_settings* settings = &request->plan.settings;
    switch (option) {
    case FOR:
        return sim_parse_time(value, &request->search.time);
    case KEEP_GOING:
        request->search.keep_going = true;
        return true;
    case CORPUS:
        request->search.corpus = value;
        return true;
    case 's':
        request->search.seed_given = true;
        return parse_number(value, &settings->seed);
    case SEEDS:
        return parse_count(value, &request->search.seeds);
    case JOBS:
        return parse_count(value, &request->search.jobs);
    case FAULTS:
        return sim_parse_faults(value, settings);
    case FAULT:
        return sim_parse_fault(value, settings);
    case LIMIT:
        return sim_parse_time(value, &settings->time_limit);
    case REAL_LIMIT:
        request->search.real_limit_given = true;
        return sim_parse_time(value, &request->plan.real_limit);
    case DELAYS:
        return parse_delays(value, settings);
    case KIND:
        request->plan.swarm = false;
        return true;
    case UNKIND:
        return sim_parse_unkind(value, &request->plan);
    case WITHOUT:
        return sim_parse_without(value, &request->plan);
    case NO_SHRINK:
        request->search.no_shrink = true;
        return true;
    case 'o':
        request->plan.recording = value;
        return true;
    case PAGE:
        request->plan.page = value;
        return true;
    case GUIDED:
        request->search.guided = true;
        return true;
    case BRANCH:
        return parse_branches(value, settings);
    case UNTIL:
        return parse_step(value, settings);
    case JSON:
        request->json = true;
        return true;
    default:
        request->verbose = true;
        return true;
    }
}

/* -1: go on; else the status to leave with. */
static int parse(int argc, char** argv, struct request* request) {
    static const struct option names[] = {{"seed", required_argument, NULL, 's'},
                                          {"seeds", required_argument, NULL, SEEDS},
                                          {"jobs", required_argument, NULL, JOBS},
                                          {"faults", required_argument, NULL, FAULTS},
                                          {"fault", required_argument, NULL, FAULT},
                                          {"limit", required_argument, NULL, LIMIT},
                                          {"real-limit", required_argument, NULL, REAL_LIMIT},
                                          {"delays", required_argument, NULL, DELAYS},
                                          {"no-shrink", no_argument, NULL, NO_SHRINK},
                                          {"for", required_argument, NULL, FOR},
                                          {"keep-going", no_argument, NULL, KEEP_GOING},
                                          {"corpus", required_argument, NULL, CORPUS},
                                          {"kind", no_argument, NULL, KIND},
                                          {"unkind", required_argument, NULL, UNKIND},
                                          {"without", required_argument, NULL, WITHOUT},
                                          {"output", required_argument, NULL, 'o'},
                                          {"page", required_argument, NULL, PAGE},
                                          {"guided", no_argument, NULL, GUIDED},
                                          {"branch", required_argument, NULL, BRANCH},
                                          {"until", required_argument, NULL, UNTIL},
                                          {"json", no_argument, NULL, JSON},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    int option;
    optind = 0;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:o:v", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        if (option == '?' || option == ':') {
            sim_complain("%s %s", option == ':' ? "a value is missing after" : "unknown option",
                         argv[optind - 1]);
            return STATUS_USAGE;
        }
        if (!take(request, option, optarg))
            return STATUS_USAGE;
    }
    if (optind == argc) {
        sim_complain("no program is named (phasor sim --help)");
        return STATUS_USAGE;
    }
    request->search.command = argv;
    request->search.command_options = optind;
    return -1;
}

static bool ends_with(const char* text, const char* end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_file(const char* path, const char* end) {
    struct stat info;
    return ends_with(path, end) && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static char self[PATH_MAX];

/* JavaScript is for our own runtime, which is this program. */
char** sim_program(char** arguments) {
    if (!is_file(arguments[0], ".js") && !is_file(arguments[0], ".mjs") &&
        !is_file(arguments[0], ".cjs"))
        return arguments;
    size_t count = 0;
    while (arguments[count] != NULL)
        count++;
    char** all = calloc(count + 2, sizeof(*all));
    if (all == NULL)
        abort();
    all[0] = self;
    memcpy(all + 1, arguments, count * sizeof(*all));
    return all;
}

/* The loader divides its list at spaces and colons. This process lives as long as its worlds. */
static bool name_by_descriptor(struct sim_plan* plan) {
    int fd = open(plan->preload, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return sim_complain("%s can't be opened", plan->preload);
    snprintf(plan->preload, sizeof(plan->preload), "/proc/%d/fd/%d", (int)getpid(), fd);
    return true;
}

/* Beside the phasor command, as it is built and installed. */
static bool find_library(struct sim_plan* plan) {
    static const char* const places[] = {"../" PHASOR_LIBDIR "/phasor/sim", "../lib/phasor/sim",
                                         "../lib64/phasor/sim"};
    char path[PATH_MAX * 2];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    int folder = (int)(strrchr(self, '/') - self);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%.*s/%s/libuv.so.1", folder, self, places[i]);
        if (access(path, R_OK) != 0)
            continue;
        char* real = realpath(path, NULL);
        if (real == NULL)
            return false;
        *strrchr(real, '/') = '\0';
        snprintf(plan->library, sizeof(plan->library), "%s", real);
        snprintf(plan->preload, sizeof(plan->preload), "%s/libuv.so.1", real);
        free(real);
        return strpbrk(plan->preload, " :") == NULL || name_by_descriptor(plan);
    }
#ifdef __GLIBC__
    return sim_complain("the library of the simulated world is not beside %s", self);
#else
    return sim_complain("worlds are for programs on glibc, and this phasor was built without it");
#endif
}

static void print_seconds(FILE* out, uint64_t ns) {
    double s = (double)ns / 1e9;
    if (s >= 3600 * 48)
        fprintf(out, "%.1f days", s / 86400);
    else if (s >= 7200)
        fprintf(out, "%.1f h", s / 3600);
    else if (s >= 1)
        fprintf(out, "%.3g s", s);
    else
        fprintf(out, "%.3g ms", s * 1e3);
}

static void describe(const struct request* request, const struct sim_result* result) {
    fprintf(stderr, "phasor sim: seed %llu: ", (unsigned long long)request->plan.settings.seed);
    print_seconds(stderr, result->virtual_time);
    fputs(" of virtual time in ", stderr);
    print_seconds(stderr, result->real_time);
    fprintf(stderr, ", %llu steps, ", (unsigned long long)result->steps);
    sim_print_fired(stderr, result->fired, result->faults);
    fputs("\nphasor sim: unkind: ", stderr);
    sim_print_unkind(stderr, result->unkind);
    fputc('\n', stderr);
}

static void tell_leaks(const struct sim_result* result) {
    for (int i = 0; i < PH_LEAKS_MAX && result->leaks[i].what[0] != '\0'; i++)
        sim_complain("the world leaks: %s%s%s: another run may differ", result->leaks[i].what,
                     result->leaks[i].where[0] != '\0' ? " in " : "", result->leaks[i].where);
}

static int run_one(struct request* request) {
    struct sim_result result;
    if (!sim_run(&request->plan, &result)) {
        sim_complain("%s", result.why);
        sim_result_free(&result);
        return STATUS_USAGE;
    }
    if (request->json) {
        sim_print_json(stdout, &request->search, &request->plan, &result, 1);
    } else {
        if (result.outside_time > 0)
            fprintf(stderr,
                    "phasor sim: time ran as outside for %.3g s, while %s was awaited: another run "
                    "may differ\n",
                    (double)result.outside_time / 1e9, result.outside_why);
        tell_leaks(&result);
        if (result.never[0] != '\0')
            sim_complain("%s", result.never);
        if (result.failed && result.status == PH_EXIT_WORLD)
            sim_complain("%s", result.why);
        if (request->verbose)
            describe(request, &result);
        sim_print_log(stderr, &result, request->verbose);
    }
    if (request->plan.page != NULL) {
        char* command = sim_command(&request->search, &request->plan);
        sim_page_write(&request->plan, &result, command);
        free(command);
    }
    int status = result.failed ? (result.status != 0 ? result.status : 1) : 0;
    sim_result_free(&result);
    return status;
}

/* Known before a world is run that could then not be recorded. */
static bool can_record(const char* file) {
    const char* slash = file != NULL ? strrchr(file, '/') : NULL;
    char folder[PATH_MAX] = ".";
    struct stat info;
    if (file == NULL)
        return true;
    if (slash != NULL)
        snprintf(folder, sizeof(folder), "%.*s/", (int)(slash - file), file);
    if (access(folder, W_OK | X_OK) == 0 && (stat(file, &info) != 0 || !S_ISDIR(info.st_mode)))
        return true;
    return sim_complain("%s can't be written", *file != '\0' ? file : "\"\"");
}

/* The hosts of a world file are known before it begins. */
static bool faults_have_hosts(const struct sim_plan* plan) {
    for (uint32_t i = 0; i < plan->settings.planned_count; i++) {
        const char* name = plan->settings.planned[i].host;
        bool found = name[0] == '\0';
        for (unsigned host = 0; host < plan->host_count && !found; host++)
            found = strcmp(plan->hosts[host].name, name) == 0;
        if (!found)
            return sim_complain("\"%s\" of a --fault is no host of this world", name);
    }
    return true;
}

int phasor_sim(int argc, char** argv) {
    static struct request request = {.plan = {.settings = {.seed = 1}, .swarm = true}};
    int status = parse(argc, argv, &request);
    if (status >= 0)
        return status;
    if (!can_record(request.plan.recording) || !can_record(request.plan.page))
        return STATUS_USAGE;
    if (!find_library(&request.plan))
        return 1;
    char** arguments = argv + optind;
    if (is_file(arguments[0], ".json")) {
        if (!sim_read_world(arguments[0], &request.plan) || !faults_have_hosts(&request.plan))
            return STATUS_USAGE;
    } else {
        snprintf(request.plan.hosts[0].name, PH_NAME_MAX, "host");
        request.plan.hosts[0].arguments = sim_program(arguments);
        request.plan.host_count = 1;
    }
    if (request.plan.settings.time_limit == 0)
        request.plan.settings.time_limit = SIM_USUAL_LIMIT;
    bool searches = request.search.time > 0 || request.search.corpus != NULL ||
                    request.search.keep_going || request.search.guided;
    if (searches && request.search.seeds == 0)
        request.search.seeds = request.search.time > 0 ? UINT64_MAX : 1000;
    if (request.search.seeds > 0)
        return sim_search(&request.plan, &request.search, request.json);
    return run_one(&request);
}
