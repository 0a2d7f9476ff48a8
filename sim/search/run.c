/* One world from its making to its end. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "search/look.h"
#include "search/program.h"
#include "search/sim.h"
#include "search/start.h"
#include "world/faults.h"
#include "world/sight.h"

static uint64_t real_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * PH_S + (uint64_t)now.tv_nsec;
}

static bool make_lock(pthread_mutex_t* lock) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    bool made = pthread_mutex_init(lock, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
    return made;
}

static void add_host(struct ph_world* world, const char* name) {
    uint32_t number = world->host_count++;
    struct ph_host* host = &world->hosts[number];
    host->used = true;
    host->up = true;
    host->address = PH_NETWORK + number + 1;
    snprintf(host->name, sizeof(host->name), "%s", name);
}

static int host_number(const struct ph_world* world, const char* name) {
    for (uint32_t i = 0; i < world->host_count; i++)
        if (strcmp(world->hosts[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void set_links(struct ph_world* world, const struct sim_plan* plan) {
    for (unsigned i = 0; i < plan->link_count; i++) {
        int from = host_number(world, plan->links[i].from);
        int to = host_number(world, plan->links[i].to);
        if (from < 0 || to < 0)
            continue;
        world->links[from][to] = plan->links[i].link;
        world->links[to][from] = plan->links[i].link;
    }
}

/* After a branch a world of the swarm is as unkind as one of that seed. */
static void make_branches(const struct sim_plan* plan, struct ph_world* world) {
    static struct ph_settings other;
    world->branches_have_kinds = plan->swarm;
    for (uint32_t i = 0; i < plan->settings.branch_count; i++) {
        other = plan->settings;
        other.seed = plan->settings.branches[i].seed;
        sim_make_unkind(plan, &other);
        memcpy(world->branch_kinds[i], other.unkind, sizeof(other.unkind));
        world->branch_call_rates[i] = other.fault_rate[PH_FAULT_CALL];
    }
}

/* Without the room for more faults and delays, most of which is never used: a page of the world
 * that nobody has written costs nothing. */
static void copy_settings(struct ph_settings* to, const struct ph_settings* from) {
    memcpy(to, from, offsetof(struct ph_settings, planned));
    memcpy(to->planned, from->planned, from->planned_count * sizeof(from->planned[0]));
    to->mask_delays = from->mask_delays;
    to->kept_count = from->kept_count;
    memcpy(to->kept_delays, from->kept_delays, from->kept_count * sizeof(from->kept_delays[0]));
}

/* At the address that every process of the world maps it at: the lists in it are pointers. */
static struct ph_world* make_world(const struct sim_plan* plan, int* fd) {
    *fd = memfd_create("phasor-world", MFD_CLOEXEC);
    if (*fd == -1 || ftruncate(*fd, (off_t)PH_WORLD_SIZE) != 0)
        return NULL;
    void* memory = mmap((void*)PH_WORLD_ADDRESS, PH_WORLD_SIZE, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, *fd, 0);
    if (memory == MAP_FAILED)
        return NULL;
    struct ph_world* world = memory;
    world->size_of_world = sizeof(*world);
    copy_settings(&world->settings, &plan->settings);
    world->chance_seed = plan->settings.seed;
    sim_make_unkind(plan, &world->settings);
    make_branches(plan, world);
    if (!make_lock(&world->lock))
        return NULL;
    ph_queue_init(&world->sleepers);
    ph_queue_init(&world->sockets);
    ph_queue_init(&world->unsynced);
    ph_queue_init(&world->files);
    struct timespec outside;
    clock_gettime(CLOCK_REALTIME, &outside);
    world->real_began = (uint64_t)outside.tv_sec * PH_S;
    world->wall = PH_FIRST_DAY + plan->settings.seed * 7919 % 1000000 * PH_US;
    world->arena_next = PH_WORLD_ADDRESS + ((sizeof(*world) + 4095) & ~(uintptr_t)4095);
    world->arena_end = PH_WORLD_ADDRESS + PH_WORLD_SIZE;
    for (unsigned i = 0; i < plan->host_count; i++)
        add_host(world, plan->hosts[i].name);
    set_links(world, plan);
    if (plan->page != NULL) {
        world->sights = (struct ph_sight*)world->arena_next;
        world->arena_next += PH_SIGHTS_MAX * sizeof(struct ph_sight);
    }
    memcpy(world->happenings, plan->happenings, sizeof(plan->happenings));
    world->happening_count = plan->happening_count;
    world->magic = PH_WORLD_MAGIC;
    return world;
}

static void judge(struct sim_result* result, const struct sim_host* host, int status) {
    if (result->failed || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return;
    result->failed = true;
    if (WIFSIGNALED(status)) {
        result->status = 128 + WTERMSIG(status);
        snprintf(result->why, sizeof(result->why), "%s was ended by signal %d (%s)", host->name,
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        result->status = WEXITSTATUS(status);
        snprintf(result->why, sizeof(result->why), "%s ended with status %d", host->name,
                 WEXITSTATUS(status));
    }
}

/* The processes of one run. */
struct run {
    struct sim_look look;
    const struct sim_plan* plan;
    struct sim_result* result;
    struct ph_world* world;
    int world_fd;
    int errors;                /* what quiet programs write to standard error; -1: nowhere */
    pid_t pids[SIM_HOSTS_MAX]; /* 0: has ended */
    uint32_t crashes[SIM_HOSTS_MAX];
    uint64_t done; /* bits of hosts whose programs have ended of themselves */
    unsigned left;
};

static bool is_over(const struct run* run) {
    return run->plan->done != 0 && (run->plan->done & ~run->done) == 0;
}

static bool start(struct run* run, unsigned number) {
    pid_t pid = sim_start(run->plan, number, run->world, run->world_fd, run->errors);
    if (pid == -1) {
        snprintf(run->world->ended, sizeof(run->world->ended), "no process can be made: %s",
                 strerror(errno));
        run->world->not_started = true;
        return false;
    }
    run->pids[number] = pid;
    run->crashes[number] = run->world->hosts[number].crashes;
    run->left++;
    return true;
}

static bool has_entered(const struct ph_world* world, pid_t pid) {
    for (uint32_t i = 0; i < world->entered && i < PH_PROCESSES_MAX; i++)
        if (world->entered_pids[i] == pid)
            return true;
    return false;
}

/* Whose end is then not judged. */
static void end_all(struct run* run) {
    for (unsigned i = 0; i < run->plan->host_count; i++)
        if (run->pids[i] > 0) {
            run->crashes[i] = UINT32_MAX;
            kill(run->pids[i], SIGKILL);
        }
}

/* A host that crashed was meant to; another's end is judged. */
static void reap(struct run* run) {
    for (unsigned i = 0; i < run->plan->host_count; i++) {
        int status;
        if (run->pids[i] <= 0 || waitpid(run->pids[i], &status, WNOHANG) != run->pids[i])
            continue;
        pid_t pid = run->pids[i];
        run->pids[i] = 0;
        run->left--;
        if (run->world->hosts[i].crashes == run->crashes[i]) {
            judge(run->result, &run->plan->hosts[i], status);
            run->done |= UINT64_C(1) << i;
        }
        /* Before the others see that it is gone, and find nothing that could still happen. */
        if (run->result->failed || is_over(run))
            end_all(run);
        sim_forget_process(run->world, pid, has_entered(run->world, pid));
    }
}

static void start_again(struct run* run) {
    for (unsigned i = 0; i < run->plan->host_count; i++)
        if (run->pids[i] == 0 && sim_take_restart(run->world, i))
            start(run, i);
}

/* Whether somebody lives, or will again because a host that has crashed starts again. */
static bool goes_on(struct run* run) {
    if (run->left > 0 || run->result->failed || run->world->ended[0] != '\0' || is_over(run))
        return run->left > 0;
    int host = sim_pass_to_restart(run->world);
    return host >= 0 && start(run, (unsigned)host);
}

/* Somebody looks at the world where it stands: with gdb if there is a terminal, else by what is
 * told. True: it goes on. */
static bool show_stop(struct run* run) {
    struct ph_world* world = run->world;
    int pid = sim_tell_stop(world);
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    pid_t child = terminal ? fork() : -1;
    char text[16];
    snprintf(text, sizeof(text), "%d", pid);
    if (child == 0) {
        execlp("gdb", "gdb", "-q", "-p", text, (char*)NULL);
        _exit(STATUS_NOT_FOUND);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) == -1 && errno == EINTR)
        continue;
    __atomic_store_n(&world->stopped, 0, __ATOMIC_SEQ_CST);
    sim_wake(&world->stopped);
    return child > 0 && status == 0;
}

/* Until all have ended; one failure, or too much real time, ends the others. */
static void wait_for_all(struct run* run) {
    uint64_t limit = run->plan->real_limit;
    uint64_t end = limit > 0 ? real_now() + limit : PH_NEVER;
    while (goes_on(run)) {
        uint32_t summons = __atomic_load_n(&run->world->summons, __ATOMIC_SEQ_CST);
        unsigned before = run->left;
        reap(run);
        start_again(run);
        if (run->left > 0 && !run->result->failed && real_now() > end) {
            run->result->failed = true;
            run->result->status = PH_EXIT_WORLD;
            snprintf(run->result->why, sizeof(run->result->why),
                     "it took longer than %llu s of real time", (unsigned long long)(limit / PH_S));
        }
        bool ends = run->result->failed || is_over(run);
        if (__atomic_load_n(&run->world->stopped, __ATOMIC_SEQ_CST) != 0 && !show_stop(run))
            ends = run->result->stopped = true;
        if (ends)
            end_all(run);
        if (run->left != before)
            continue;
        sim_wait(run->world, summons, sim_look(&run->look, run->world));
    }
}

static void list_delays(struct sim_result* result, const struct ph_world* world) {
    for (unsigned from = 0; from < world->host_count; from++)
        for (unsigned to = 0; to < world->host_count; to++)
            for (uint32_t number = 1; number <= world->delay_counts[from][to]; number++) {
                if (result->delay_count == PH_PLAN_MAX) {
                    result->delay_count = 0;
                    return;
                }
                result->delay[result->delay_count++] =
                    (struct ph_delay){.from = (uint8_t)from, .to = (uint8_t)to, .number = number};
            }
}

static uint64_t calls_of(const struct ph_world* world, const struct ph_planned* plan) {
    int host = plan->host[0] != '\0' ? host_number(world, plan->host) : -1;
    for (size_t i = 0; i < sizeof(world->calls) / sizeof(world->calls[0]); i++)
        if (strcmp(world->calls[i].name, plan->call) == 0)
            return host >= 0 ? world->calls[i].on_host[host] : world->calls[i].in_world;
    return 0;
}

/* The first fault that was asked for and did not happen, and why. */
static void tell_what_never_happened(struct sim_result* result, const struct ph_world* world) {
    for (uint32_t i = 0; i < world->settings.planned_count; i++) {
        const struct ph_planned* plan = &world->settings.planned[i];
        if (plan->happened)
            continue;
        bool unknown = plan->host[0] != '\0' && host_number(world, plan->host) < 0;
        int used = snprintf(result->never, sizeof(result->never),
                            "the fault %s%s%s@%llu never happened: ", plan->host,
                            plan->host[0] != '\0' ? ":" : "", plan->call,
                            (unsigned long long)plan->number);
        if (unknown)
            snprintf(result->never + used, sizeof(result->never) - (size_t)used,
                     "there was no host %s", plan->host);
        else
            snprintf(result->never + used, sizeof(result->never) - (size_t)used,
                     "%s was called %llu times", plan->call,
                     (unsigned long long)calls_of(world, plan));
        return;
    }
}

static void read_result(struct sim_result* result, const struct ph_world* world) {
    if (world->ended[0] != '\0') {
        result->failed = true;
        snprintf(result->why, sizeof(result->why), "%s", world->ended);
    }
    memcpy(result->stuck, world->stuck, sizeof(result->stuck));
    result->virtual_time = world->now;
    result->steps = world->steps;
    result->faults = world->faults;
    memcpy(result->unkind, world->settings.unkind, sizeof(result->unkind));
    memcpy(result->fired, world->unkind_count, sizeof(result->fired));
    memcpy(result->leaks, world->leaks, sizeof(result->leaks));
    memcpy(result->states, world->states, sizeof(result->states));
    if (world->settings.guided && (result->edges = malloc(sizeof(world->edges))) != NULL)
        memcpy(result->edges, world->edges, sizeof(world->edges));
    result->delays = world->delays;
    list_delays(result, world);
    tell_what_never_happened(result, world);
    result->outside_time = world->outside_time;
    if (world->outside_since != 0) /* the world ended meanwhile */
        result->outside_time += real_now() - world->outside_since;
    snprintf(result->outside_why, sizeof(result->outside_why), "%s", world->outside_why);
    result->log = strndup(world->log, world->log_used);
    result->host_count = world->host_count;
    for (unsigned i = 0; i < world->host_count; i++)
        memcpy(result->hosts[i], world->hosts[i].name, PH_NAME_MAX);
    size_t room = PH_SIGHTS_MAX * sizeof(struct ph_sight);
    if (world->sights != NULL && (result->sights = malloc(room)) != NULL) {
        memcpy(result->sights, world->sights, room);
        result->sight_count = world->sight_count;
    }
}

/* The first line that names an error, else the last that is not empty, else why the world ended. */
static void find_cause(struct sim_result* result, int errors) {
    char text[16384] = "";
    ssize_t size = errors >= 0 ? pread(errors, text, sizeof(text) - 1, 0) : 0;
    const char* found = result->why;
    text[size > 0 ? size : 0] = '\0';
    char* rest;
    for (char* line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        line += strspn(line, " \t");
        size_t word = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.");
        bool named = word >= 5 && memcmp(line + word - 5, "Error", 5) == 0;
        if (*line != '\0' && line[0] != '/' && strncmp(line, "at ", 3) != 0)
            found = line;
        if (named)
            break;
    }
    snprintf(result->cause, sizeof(result->cause), "%.150s", found);
}

static bool all_fit(const struct sim_plan* plan, struct sim_result* result) {
    for (unsigned i = 0; i < plan->host_count; i++)
        if (!sim_program_fits(plan->hosts[i].arguments[0], plan->hosts[i].folder, result->why,
                              sizeof(result->why)))
            return false;
    return true;
}

bool sim_run(const struct sim_plan* plan, struct sim_result* result) {
    struct run run = {.plan = plan, .result = result, .world_fd = -1, .errors = -1};
    uint64_t began = real_now();
    memset(result, 0, sizeof(*result));
    run.world = make_world(plan, &run.world_fd);
    if (run.world == NULL) {
        snprintf(result->why, sizeof(result->why), "the world can't be made: %s", strerror(errno));
        close(run.world_fd);
        return false;
    }
    fflush(NULL);
    if (!all_fit(plan, result)) {
        munmap(run.world, PH_WORLD_SIZE);
        close(run.world_fd);
        return false;
    }
    if (plan->quiet)
        run.errors = memfd_create("phasor-errors", MFD_CLOEXEC);
    sim_watch_children(run.world);
    run.world->starting = plan->host_count;
    for (unsigned i = 0; i < plan->host_count && !run.world->not_started; i++)
        start(&run, i);
    if (run.world->not_started)
        end_all(&run);
    wait_for_all(&run);
    read_result(result, run.world);
    bool started = !run.world->not_started;
    if (started && !result->failed && !result->stopped && run.world->waits == 0) {
        snprintf(result->why, sizeof(result->why),
                 "%.200s waited neither for a descriptor nor for a time, so there is nothing to "
                 "simulate",
                 plan->hosts[0].arguments[0]);
        started = false;
    }
    if (result->failed)
        find_cause(result, run.errors);
    if (run.errors >= 0)
        close(run.errors);
    result->real_time = real_now() - began;
    sim_watch_children(NULL);
    munmap(run.world, PH_WORLD_SIZE);
    close(run.world_fd);
    return started;
}

void sim_result_free(struct sim_result* result) {
    free(result->log);
    free(result->sights);
    free(result->edges);
    result->log = NULL;
    result->edges = NULL;
    result->sights = NULL;
}
