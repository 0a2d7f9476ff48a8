/*
 * Making the process of a host. Our own runtime is started once for each host of a search: it
 * prepares itself (sim/world/prepared.c), and makes a process for each world.
 */

#include "search/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "world/order.h"
#include "world/prepared.h"

static void put(const char* name, const char* before, const char* value) {
    char text[PATH_MAX * 2];
    const char* old = getenv(name);
    if (old != NULL && *old != '\0' && before != NULL)
        snprintf(text, sizeof(text), "%s%s%s", value, before, old);
    else
        snprintf(text, sizeof(text), "%s", value);
    setenv(name, text, 1);
}

/* The stack lies below the environment and the arguments: they take the same room in every run,
 * whatever else is in the environment. */
static void pad_environment(char** arguments) {
    enum { ROOM = 64 * 1024, NAME = sizeof("PHASOR_SIM_PAD=") + sizeof(char*) };
    static char pad[ROOM];
    size_t used = NAME;
    for (char** word = environ; *word != NULL; word++)
        used += strlen(*word) + 1 + sizeof(char*);
    for (char** word = arguments; *word != NULL; word++)
        used += strlen(*word) + 1 + sizeof(char*);
    size_t missing = ROOM - used % ROOM;
    memset(pad, '.', missing - 1);
    setenv("PHASOR_SIM_PAD", pad, 1);
}

/* In the child: the program, with what it needs to enter a world. Addresses are not random, because
 * programs show them, in orders and in recordings. What it is when it can't be started. */
static const char* become(const struct sim_plan* plan, const struct sim_host* host) {
    if (strchr(plan->library, ':') == NULL)
        put("LD_LIBRARY_PATH", ":", plan->library);
    put("LD_PRELOAD", ":", plan->preload);
    for (char** entry = host->environment; entry != NULL && *entry != NULL; entry++)
        putenv(*entry);
    pad_environment(host->arguments);
    personality(ADDR_NO_RANDOMIZE);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (host->folder != NULL && chdir(host->folder) != 0)
        return host->folder;
    execvp(host->arguments[0], host->arguments);
    return host->arguments[0];
}

static void give_order(struct ph_order* order, const struct sim_plan* plan, unsigned number,
                       int world_fd, int errors) {
    const char* name = plan->hosts[number].name;
    bool alone = plan->host_count == 1;
    memset(order, 0, sizeof(*order));
    snprintf(order->world, sizeof(order->world), "/proc/%d/fd/%d", (int)getpid(), world_fd);
    snprintf(order->errors, sizeof(order->errors), "/proc/%d/fd/%d", (int)getpid(), errors);
    order->quiet = plan->quiet;
    snprintf(order->host, sizeof(order->host), "%s", name);
    snprintf(order->seed, sizeof(order->seed), "%u", (unsigned)(plan->settings.seed & UINT32_MAX));
    if (plan->recording != NULL)
        snprintf(order->recording, sizeof(order->recording), "%.4000s%s%.64s", plan->recording,
                 alone ? "" : ".", alone ? "" : name);
}

static pid_t start_anew(const struct sim_plan* plan, unsigned number, const struct ph_order* order,
                        struct ph_world* world) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    ph_order_obey(order);
    const char* what = become(plan, &plan->hosts[number]);
    snprintf(world->ended, sizeof(world->ended), "%.200s: %s", what, strerror(errno));
    world->not_started = true;
    _exit(STATUS_NOT_FOUND);
}

/* By host: where orders go. They end when this process does. */
static struct {
    pid_t pid; /* 0: has not been started; -1: can't prepare itself */
    int orders;
} prepared[SIM_HOSTS_MAX];

static bool has_variable(const struct sim_host* host, const char* name) {
    size_t length = strlen(name);
    for (char** entry = host->environment; entry != NULL && *entry != NULL; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return true;
    return getenv(name) != NULL;
}

/* A script without options: those can change what is to be prepared. */
static bool can_prepare(const struct sim_host* host) {
    static char self[PATH_MAX];
    if (self[0] == '\0' && readlink("/proc/self/exe", self, sizeof(self) - 1) <= 0)
        return false;
    return strcmp(host->arguments[0], self) == 0 && host->arguments[1] != NULL &&
           strchr(host->arguments[1], '.') != NULL && host->arguments[1][0] != '-' &&
           !has_variable(host, "NODE_OPTIONS") && !has_variable(host, "PHASOR_TRACE");
}

static void prepare(const struct sim_plan* plan, unsigned number) {
    const struct sim_host* host = &plan->hosts[number];
    int ends[2];
    prepared[number].pid = -1;
    if (!can_prepare(host) || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], PH_ORDERS_FD);
        setenv(PH_PREPARED_NAME, "1", 1);
        become(plan, host);
        _exit(STATUS_NOT_FOUND);
    }
    close(ends[1]);
    prepared[number].pid = pid;
    prepared[number].orders = ends[0];
}

static void forget(unsigned number) {
    kill(prepared[number].pid, SIGKILL);
    waitpid(prepared[number].pid, NULL, 0);
    close(prepared[number].orders);
    prepared[number].pid = -1;
}

pid_t sim_start(const struct sim_plan* plan, unsigned number, struct ph_world* world, int world_fd,
                int errors) {
    static struct ph_order order;
    int pid = -1;
    give_order(&order, plan, number, world_fd, errors);
    if (prepared[number].pid == 0)
        prepare(plan, number);
    if (prepared[number].pid > 0) {
        ssize_t got = -1;
        if (send(prepared[number].orders, &order, sizeof(order), MSG_NOSIGNAL) == sizeof(order))
            do
                got = recv(prepared[number].orders, &pid, sizeof(pid), 0);
            while (got == -1 && errno == EINTR);
        if (got == sizeof(pid) && pid > 0)
            return pid;
        forget(number);
    }
    return start_anew(plan, number, &order, world);
}
