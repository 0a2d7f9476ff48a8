/* Hosts: who is where, and what happens to them. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "world/children.h"
#include "world/journal.h"
#include "world/link.h"
#include "world/raw.h"
#include "world/socket.h"
#include "world/world.h"

static _Thread_local int own_host = -1;
static int process_host;

int ph_host_here(void) {
    return own_host >= 0 ? own_host : process_host;
}

void ph_host_enter(int host) {
    own_host = host;
}

int ph_host_named(const char* name) {
    for (uint32_t i = 0; i < ph_world->host_count; i++)
        if (ph_world->hosts[i].used && strcmp(ph_world->hosts[i].name, name) == 0)
            return (int)i;
    return -1;
}

int ph_host_add(const char* name) {
    int found = ph_host_named(name);
    if (found >= 0)
        return found;
    if (ph_world->host_count == PH_HOSTS_MAX || strlen(name) >= PH_NAME_MAX)
        return -1;
    uint32_t number = ph_world->host_count++;
    struct ph_host* host = &ph_world->hosts[number];
    *host = (struct ph_host){.used = true, .up = true, .address = PH_NETWORK + number + 1};
    snprintf(host->name, sizeof(host->name), "%s", name);
    return (int)number;
}

void ph_host_of_process(int host) {
    process_host = host;
}

/* Processes of the host are ended, with all that they have started; its threads in this process are
 * ended by whoever has made them. */
static void silence(int host) {
    ph_children_end(ph_raw_pid(), host);
    for (int i = 0; i < PH_PROCESSES_MAX; i++) {
        struct ph_process* process = &ph_world->processes[i];
        if (process->pid <= 0 || process->host != host || process->pid == ph_raw_pid())
            continue;
        ph_process_end(process);
        for (struct uv__queue *next, *node = ph_world->sleepers.next; node != &ph_world->sleepers;
             node = next) {
            next = node->next;
            if (PH_CONTAINER_OF(node, struct ph_sleeper, node)->pid == process->pid)
                ph_queue_remove(node);
        }
        process->pid = -1;
    }
}

void ph_host_crash(int host) {
    if (!ph_world->hosts[host].up)
        return;
    ph_world_log("crash %s", ph_world->hosts[host].name);
    ph_world->hosts[host].up = false;
    ph_world->hosts[host].crashes++;
    ph_sockets_vanish(host);
    silence(host);
    ph_journal_undo(host); /* when nobody is left who could write */
    if (host == process_host)
        ph_process_end(ph_process_here());
}

void ph_host_restart(int host) {
    if (ph_world->hosts[host].up)
        return;
    ph_world_log("restart %s", ph_world->hosts[host].name);
    ph_world->hosts[host].up = true;
    if (ph_world->hosts[host].made_early) {
        ph_world->hosts[host].made_early = false;
        return;
    }
    ph_world->hosts[host].start_again = true;
    ph_summon_launcher();
}

void ph_hosts_cut(int one, int other, bool cut) {
    ph_link_between(one, other)->cut = cut;
    ph_link_between(other, one)->cut = cut;
    ph_world_log("%s %s %s", cut ? "cut" : "heal", ph_world->hosts[one].name,
                 ph_world->hosts[other].name);
}

void ph_way_cut(int from, int to, bool cut) {
    ph_link_between(from, to)->cut = cut;
    ph_world_log("%s %s to %s", cut ? "cut" : "heal", ph_world->hosts[from].name,
                 ph_world->hosts[to].name);
}

void ph_run_happening(struct ph_event* event) {
    struct ph_happening* happening = PH_CONTAINER_OF(event, struct ph_happening, event);
    switch (happening->what) {
    case PH_CUT:
    case PH_HEAL:
        if (happening->one_way)
            ph_way_cut(happening->host, happening->other, happening->what == PH_CUT);
        else
            ph_hosts_cut(happening->host, happening->other, happening->what == PH_CUT);
        break;
    case PH_CRASH:
        ph_host_crash(happening->host);
        break;
    default:
        ph_host_restart(happening->host);
        /* Nothing moves until the launcher has made the process and it has entered. */
        if (ph_world->hosts[happening->host].start_again)
            ph_world->starting++;
    }
}
