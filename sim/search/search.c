#include "search/search.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "search/corpus.h"
#include "search/guide.h"
#include "search/page.h"

enum { FOUND_MAX = 256 };

/* A world that failed, and what the program said about it. */
struct found {
    struct sim_start start;
    bool shown;
    char why[sizeof(((struct sim_result*)0)->cause)];
};

/* What the workers share. */
struct board {
    uint64_t next;
    uint64_t done;
    uint64_t failing; /* the smallest seed that failed, or the first world; UINT64_MAX: none */
    struct sim_start first; /* that world */
    uint64_t broken;        /* a run could not be started: */
    char why[sizeof(((struct sim_result*)0)->why)];
    uint64_t virtual_time;
    uint64_t faults;
    uint64_t fired[PH_UNKINDS];
    struct ph_state states[PH_STATES_MAX]; /* under the lock */
    struct found found[FOUND_MAX];         /* too */
    uint32_t found_count;
    pthread_mutex_t lock;
    uint64_t began; /* real ns */
    uint64_t until; /* no world is begun after that */
    uint32_t stop;  /* somebody wants it to end */
    struct corpus corpus;
    uint64_t next_known; /* of the corpus */
    struct guide guide;
};

static uint64_t real_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * PH_S + (uint64_t)now.tv_nsec;
}

/* In a world one thread runs at a time: on one processor they take turns in half the time. */
static void stay_on_one_processor(uint64_t worker) {
    cpu_set_t allowed, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return;
    uint64_t skip = worker % (uint64_t)CPU_COUNT(&allowed);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &allowed) && skip-- == 0) {
            CPU_SET(i, &one);
            sched_setaffinity(0, sizeof(one), &one);
            return;
        }
}

static void add_state(struct board* board, const struct ph_state* state) {
    for (int i = 0; i < PH_STATES_MAX; i++) {
        struct ph_state* own = &board->states[i];
        if (own->name[0] == '\0')
            memcpy(own->name, state->name, sizeof(own->name));
        if (strcmp(own->name, state->name) != 0)
            continue;
        own->held += state->held;
        own->must_hold |= state->must_hold;
        return;
    }
}

static void add_up(struct board* board, const struct sim_result* result,
                   const struct sim_start* start, uint64_t number) {
    pthread_mutex_lock(&board->lock);
    board->faults += result->faults;
    for (int i = 0; i < PH_UNKINDS; i++)
        board->fired[i] += result->fired[i];
    for (int i = 0; i < PH_STATES_MAX && result->states[i].name[0] != '\0'; i++)
        add_state(board, &result->states[i]);
    if (result->failed && board->found_count < FOUND_MAX) {
        struct found* found = &board->found[board->found_count++];
        found->start = *start;
        memcpy(found->why, result->cause, sizeof(found->why));
    }
    if (result->failed && number < board->failing) {
        board->failing = number;
        board->first = *start;
    }
    if (result->edges != NULL)
        guide_learn(&board->guide, start, result);
    pthread_mutex_unlock(&board->lock);
}

/* The next world to try, those that have failed before first, and its number. False: there is
 * none. */
static bool next_world(struct board* board, const struct sim_search* search, uint64_t last,
                       struct sim_start* start, uint64_t* number) {
    bool goes_on = search->keep_going || board->failing == UINT64_MAX;
    if (board->broken || board->stop || real_now() > board->until)
        return false;
    uint64_t known = __atomic_fetch_add(&board->next_known, 1, __ATOMIC_SEQ_CST);
    if (known < board->corpus.count) {
        *start = board->corpus.starts[known];
        *number = start->seed;
        return goes_on;
    }
    if (search->guided) {
        pthread_mutex_lock(&board->lock);
        *number = board->guide.next;
        guide_choose(&board->guide, start);
        pthread_mutex_unlock(&board->lock);
        return *number < search->seeds && goes_on;
    }
    *number = __atomic_fetch_add(&board->next, 1, __ATOMIC_SEQ_CST);
    *start = (struct sim_start){.seed = *number};
    return *number <= last && (goes_on || *number <= board->failing);
}

static void work(const struct sim_plan* plan, const struct sim_search* search, uint64_t last,
                 struct board* board) {
    struct sim_plan own = *plan;
    uint64_t number;
    for (struct sim_start start; next_world(board, search, last, &start, &number);) {
        struct sim_result result;
        sim_start_set(&start, &own);
        if (!sim_run(&own, &result)) {
            if (__atomic_exchange_n(&board->broken, 1, __ATOMIC_SEQ_CST) == 0)
                memcpy(board->why, result.why, sizeof(board->why));
            return;
        }
        __atomic_add_fetch(&board->virtual_time, result.virtual_time, __ATOMIC_SEQ_CST);
        __atomic_add_fetch(&board->done, 1, __ATOMIC_SEQ_CST);
        add_up(board, &result, &start, number);
        sim_result_free(&result);
    }
}

static void show_progress(const struct board* board, uint64_t seeds, bool end) {
    if (!isatty(STDERR_FILENO))
        return;
    double seconds = (double)(real_now() - board->began) / 1e9;
    uint32_t reached = 0;
    while (reached < PH_STATES_MAX && board->states[reached].name[0] != '\0')
        reached++;
    fprintf(stderr, "\r%llu", (unsigned long long)board->done);
    if (seeds < UINT64_MAX)
        fprintf(stderr, " of %llu", (unsigned long long)seeds);
    fprintf(stderr, " worlds, %.3g a second, %u failed, %u states reached, %.3g h of virtual time",
            (double)board->done / (seconds > 0 ? seconds : 1), board->found_count, reached,
            (double)board->virtual_time / 3.6e12);
    if (board->guide.edges > 0)
        fprintf(stderr, ", %llu edges", (unsigned long long)board->guide.edges);
    if (end)
        fputc('\n', stderr);
}

static void print_text(FILE* out, const char* text) {
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void sim_print_json(FILE* out, const struct sim_search* search, const struct sim_plan* plan,
                    const struct sim_result* result, uint64_t tried) {
    char* command = sim_command(search, plan);
    const char* before;
    fprintf(out, "{\"failed\":%s,\"tried\":%llu,\"seed\":%llu,\"status\":%d,\"why\":",
            result->failed ? "true" : "false", (unsigned long long)tried,
            (unsigned long long)plan->settings.seed, result->status);
    print_text(out, result->why);
    fputs(",\"command\":", out);
    print_text(out, command);
    fprintf(out,
            ",\"virtualNs\":%llu,\"realNs\":%llu,\"steps\":%llu,\"faults\":%llu,\"outsideNs\":%llu,"
            "\"outside\":",
            (unsigned long long)result->virtual_time, (unsigned long long)result->real_time,
            (unsigned long long)result->steps, (unsigned long long)result->faults,
            (unsigned long long)result->outside_time);
    print_text(out, result->outside_why);
    fputs(",\"unkind\":{", out);
    before = "";
    for (int i = 0; i < PH_UNKINDS; i++)
        if (result->unkind[i] > 0 || result->fired[i] > 0) {
            fprintf(out, "%s\"%s\":{\"strength\":%.4g,\"fired\":%llu}", before, sim_unkind_name(i),
                    result->unkind[i], (unsigned long long)result->fired[i]);
            before = ",";
        }
    fputs("},\"leaks\":[", out);
    before = "";
    for (int i = 0; i < PH_LEAKS_MAX && result->leaks[i].what[0] != '\0'; i++) {
        fprintf(out, "%s{\"what\":", before);
        print_text(out, result->leaks[i].what);
        fputs(",\"where\":", out);
        print_text(out, result->leaks[i].where);
        fputc('}', out);
        before = ",";
    }
    fputs("],\"waits\":", out);
    print_text(out, result->stuck);
    fputs(",\"log\":", out);
    print_text(out, result->log != NULL ? result->log : "");
    fputs("}\n", out);
    free(command);
}

static struct board* interrupted; /* by Ctrl-C */

/* The worlds that are being run come to their end; a second one ends everything. */
static void on_interrupt(int number) {
    interrupted->stop = 1;
    signal(number, SIG_DFL);
}

static uint64_t last_seed(const struct sim_plan* plan, const struct sim_search* search) {
    return search->seeds < UINT64_MAX - plan->settings.seed
               ? plan->settings.seed + search->seeds - 1
               : UINT64_MAX - 1;
}

/* In a group of its own: Ctrl-C is for us alone, and the worlds do not see it. */
static void start_worker(const struct sim_plan* plan, const struct sim_search* search,
                         struct board* board, uint64_t number) {
    uint64_t last = last_seed(plan, search);
    pid_t parent = getpid();
    if (fork() != 0)
        return;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    signal(SIGINT, SIG_DFL);
    stay_on_one_processor(number);
    work(plan, search, last, board);
    _exit(0);
}

static uint64_t search_all(const struct sim_plan* plan, const struct sim_search* search,
                           struct board* board) {
    uint64_t jobs = search->jobs > 0 ? search->jobs : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs > 256)
        jobs = 256;
    board->next = board->guide.fresh = plan->settings.seed;
    board->failing = UINT64_MAX;
    board->began = real_now();
    board->until = search->time > 0 ? board->began + search->time : UINT64_MAX;
    interrupted = board;
    signal(SIGINT, on_interrupt);
    fflush(NULL);
    for (uint64_t i = 0; i < jobs; i++)
        start_worker(plan, search, board, i);
    while (jobs > 0) {
        if (waitpid(-1, NULL, WNOHANG) > 0) {
            jobs--;
            continue;
        }
        show_progress(board, search->seeds, false);
        usleep(20000);
    }
    show_progress(board, search->seeds, true);
    signal(SIGINT, SIG_DFL);
    return board->failing;
}

/* Failures by what the program said, the most frequent first. */
static void show_groups(struct board* board) {
    struct found* found = board->found;
    for (;;) {
        uint32_t best = 0, most = 0;
        for (uint32_t i = 0; i < board->found_count; i++) {
            uint32_t alike = 0;
            for (uint32_t j = 0; j < board->found_count; j++)
                alike +=
                    !found[i].shown && !found[j].shown && strcmp(found[i].why, found[j].why) == 0;
            if (alike > most) {
                best = i;
                most = alike;
            }
        }
        if (most == 0)
            return;
        char why[sizeof(found->why)];
        memcpy(why, found[best].why, sizeof(why));
        fprintf(stderr, "phasor sim: %u worlds: %s (seeds", most, why);
        for (uint32_t i = 0, shown = 0; i < board->found_count; i++)
            if (!found[i].shown && strcmp(found[i].why, why) == 0) {
                if (shown++ < 8)
                    fprintf(stderr, " %llu%s", (unsigned long long)found[i].start.seed,
                            found[i].start.branch_count > 0 ? " varied" : "");
                found[i].shown = true;
            }
        fputs(most > 8 ? " ...)\n" : ")\n", stderr);
    }
}

static bool keep_corpus(const struct sim_plan* plan, const struct sim_search* search,
                        const struct board* board) {
    struct sim_start starts[FOUND_MAX];
    const char* whys[FOUND_MAX];
    if (search->corpus == NULL)
        return true;
    for (uint32_t i = 0; i < board->found_count; i++) {
        starts[i] = board->found[i].start;
        whys[i] = board->found[i].why;
    }
    uint64_t last = last_seed(plan, search);
    uint64_t next = board->next <= last ? board->next : last + 1;
    if (board->failing != UINT64_MAX && !search->keep_going)
        next = board->failing + 1;
    if (search->guided)
        next = board->guide.fresh;
    return corpus_write(search->corpus, &board->corpus, next, starts, whys, board->found_count);
}

/* What was said of the failing world that is shown. */
static const char* cause_of_first(const struct board* board) {
    for (uint32_t i = 0; i < board->found_count; i++)
        if (memcmp(&board->found[i].start, &board->first, sizeof(board->first)) == 0)
            return board->found[i].why;
    return "one of many";
}

/* Runs the failing world once more, smaller if possible, with its output and its recording. */
static int show_failure(struct sim_plan* plan, const struct sim_search* search, bool json,
                        const struct board* board) {
    struct sim_result result = {0};
    if (!sim_run(plan, &result))
        return 1;
    if (!result.failed) {
        sim_complain("seed %llu failed once and passes now: something of the outside is in it; "
                     "it had failed because: %s",
                     (unsigned long long)plan->settings.seed, cause_of_first(board));
        sim_result_free(&result);
        return 1;
    }
    if (!search->no_shrink)
        sim_shrink(plan, &result);
    struct sim_plan loud = *plan;
    loud.quiet = json;
    loud.recording = plan->recording != NULL ? plan->recording : "phasor-sim.trace";
    loud.page = plan->page != NULL ? plan->page : "phasor-sim.html";
    sim_result_free(&result);
    if (!sim_run(&loud, &result))
        return 1;
    char* command = sim_command(search, plan);
    if (json) {
        sim_print_json(stdout, search, plan, &result, board->done);
    } else {
        fprintf(stderr, "phasor sim: seed %llu fails: %s\n",
                (unsigned long long)plan->settings.seed, result.why);
        sim_print_log(stderr, &result, true);
        fputs("phasor sim: ", stderr);
        sim_print_fired(stderr, result.fired, result.faults);
        fputs("\nphasor sim: again: ", stderr);
        fputs(command, stderr);
        fprintf(stderr, "\nphasor sim: recorded: %s (phasor report --html OUT %s)\n",
                loud.recording, loud.recording);
        fprintf(stderr, "phasor sim: the page of the world: %s\n", loud.page);
    }
    sim_page_write(&loud, &result, command);
    free(command);
    sim_result_free(&result);
    return 1;
}

/* Something that was to hold sometimes, and never did; NULL: nothing. */
static const char* never_held(const struct board* board) {
    for (int i = 0; i < PH_STATES_MAX && board->states[i].name[0] != '\0'; i++)
        if (board->states[i].must_hold && board->states[i].held == 0)
            return board->states[i].name;
    return NULL;
}

static void tell_guide(const struct sim_search* search, const struct guide* guide) {
    if (search->guided && guide->edges == 0)
        sim_complain("nothing told where it was, so the search was not guided");
    else if (search->guided)
        sim_complain("%llu edges, %u worlds were of use and varied",
                     (unsigned long long)guide->edges, guide->count);
}

static int show_passed(const struct sim_plan* plan, const struct sim_search* search, bool json,
                       const struct board* board) {
    const char* never = never_held(board);
    static struct sim_result passed;
    passed.virtual_time = board->virtual_time;
    passed.faults = board->faults;
    memcpy(passed.fired, board->fired, sizeof(passed.fired));
    passed.failed = never != NULL;
    passed.status = never != NULL;
    if (never != NULL)
        snprintf(passed.why, sizeof(passed.why), "in no world it held that %s", never);
    if (json) {
        sim_print_json(stdout, search, plan, &passed, board->done);
        return passed.status;
    }
    uint64_t last = last_seed(plan, search);
    uint64_t end = board->next <= last ? board->next - 1 : last;
    printf("%llu worlds, none failed (seeds %llu to %llu)\n", (unsigned long long)board->done,
           (unsigned long long)plan->settings.seed, (unsigned long long)end);
    fflush(stdout);
    fputs("phasor sim: ", stderr);
    sim_print_fired(stderr, board->fired, board->faults);
    fputc('\n', stderr);
    tell_guide(search, &board->guide);
    if (never != NULL)
        sim_complain("%s", passed.why);
    return passed.status;
}

int sim_search(struct sim_plan* plan, const struct sim_search* search, bool json) {
    struct board* board =
        mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED)
        return sim_complain("no memory"), 1;
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&board->lock, &shared);
    if (plan->real_limit == 0)
        plan->real_limit = 60 * PH_S;
    if (search->corpus != NULL && !corpus_read(search->corpus, &board->corpus))
        return STATUS_USAGE;
    if (!search->seed_given && board->corpus.next > 0)
        plan->settings.seed = board->corpus.next;
    const char *recording = plan->recording, *page = plan->page;
    plan->quiet = true;
    plan->settings.guided = search->guided;
    plan->recording = NULL;
    plan->page = NULL;
    uint64_t failing = search_all(plan, search, board);
    if (!board->broken && !keep_corpus(plan, search, board))
        return 1;
    if (search->keep_going && !json)
        show_groups(board);
    plan->recording = recording;
    plan->page = page;
    plan->settings.guided = false;
    if (board->broken)
        return sim_complain("%s", board->why), STATUS_USAGE;
    if (failing != UINT64_MAX) {
        sim_start_set(&board->first, plan);
        return show_failure(plan, search, json, board);
    }
    return show_passed(plan, search, json, board);
}
