/* Entering the world, its memory, its lock, its hosts. */

#include "world/world.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "phasor.h"

#include "base/at_fork.h"
#include "preload/inside.h"
#include "world/preempt.h"
#include "world/prepared.h"
#include "world/raw.h"
#include "world/sight.h"
#include "world/trap.h"
#include "world/waits.h"

enum { RANDOM_BYTES = 16, ROW_OF_RANDOM = 1 << 22 /* for ph_draw_of_world */ };

struct ph_world* ph_world;

static struct ph_process entering; /* until there is a place in the world */
static struct ph_process* own_process = &entering;

/* A forked child is outside: its parent's sockets are not its own. */
static void leave_after_fork(void) {
    ph_world = NULL;
    ph_trap_leave();
}

static void note_fork(void) {
    own_process->has_forked = true;
}

/* Of what this process was before it became another program. */
static void forget_sleepers(struct ph_world* world) {
    for (struct uv__queue *next, *node = world->sleepers.next; node != &world->sleepers;
         node = next) {
        next = node->next;
        if (PH_CONTAINER_OF(node, struct ph_sleeper, node)->pid == ph_raw_pid())
            ph_queue_remove(node);
    }
    if (world->waking != NULL && world->waking->pid == ph_raw_pid())
        world->waking = NULL;
}

static void take_place(struct ph_world* world, int host) {
    struct ph_process* place = world->processes;
    forget_sleepers(world);
    const struct ph_process* end = place + PH_PROCESSES_MAX;
    while (place < end && place->pid > 0 && place->pid != ph_raw_pid())
        place++;
    if (place == end)
        ph_world_end("more than %d processes in one world", PH_PROCESSES_MAX);
    *place = (struct ph_process){
        .pid = ph_raw_pid(), .host = host, .strangers = true, .next_thread = (uint64_t)host << 32};
    own_process = place;
}

/* Of what this process was before it became another program: that it waits for the world's lock is
 * counted there, else the launcher would take it for asleep. */
static void find_old_place(struct ph_world* world) {
    for (int i = 0; i < PH_PROCESSES_MAX; i++)
        if (world->processes[i].pid == ph_raw_pid())
            own_process = &world->processes[i];
}

static void join(struct ph_world* world) {
    const char* host = secure_getenv("PHASOR_SIM_HOST");
    int found = host != NULL ? ph_host_named(host) : 0;
    int number = found >= 0 ? found : 0;
    ph_host_of_process(number);
    take_place(world, number);
    for (uint32_t i = 0; i < world->entered && i < PH_PROCESSES_MAX; i++)
        if (world->entered_pids[i] == ph_raw_pid())
            return; /* it has become another program */
    world->entered_pids[world->entered % PH_PROCESSES_MAX] = ph_raw_pid();
    if (world->entered++ == 0)
        for (uint32_t i = 0; i < world->happening_count; i++)
            ph_event_at(&world->happenings[i].event, PH_EVENT_HAPPENING, world->happenings[i].time);
}

/* Processes begin one after the other, each when the others sleep. One that the launcher has made
 * for a restart begins with that. */
static void wait_for_turn(void) {
    struct ph_sleeper* self = ph_sleeper_own();
    while (ph_world->hosts[ph_host_here()].made_early && ph_event_next() <= ph_world->now)
        ph_event_run_next();
    self->counts = true;
    self->first = true;
    ph_sleep(ph_world->now, NULL);
    self->first = false;
}

/* OpenSSL stirs the processor's counters into its bytes; a program that has it inside and exports
 * it gets ours, as those do that load it (see libc.c). */
static const char* const chance_of_openssl[] = {"RAND_bytes", "RAND_priv_bytes", "RAND_bytes_ex",
                                                "RAND_priv_bytes_ex", NULL};

/* The official Node has a libuv of its own inside, which would never see the world: it gets this
 * one. False: it can't, and the world can't begin. */
static bool takes_libuv_inside(struct ph_world* world) {
    struct ph_inside_answer answer = {""};
    Dl_info self;
    if (!ph_inside_is_there())
        return true;
    void* library = dladdr((void*)&ph_world, &self) != 0
                        ? dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                        : NULL;
    if (library != NULL && ph_inside_redirect(library, chance_of_openssl, &answer))
        return true;
    snprintf(world->ended, sizeof(world->ended), "%.60s has libuv built in, and %s",
             program_invocation_short_name,
             answer.why[0] != '\0' ? answer.why : "ours can't be found");
    world->not_started = true;
    return false;
}

/* The kernel has given every program some bytes of chance. */
static void settle_random_bytes(void) {
    unsigned char* bytes = (unsigned char*)getauxval(AT_RANDOM); /* NOLINT */
    for (int i = 0; bytes != NULL && i < RANDOM_BYTES; i++)
        bytes[i] = (unsigned char)ph_draw_of_world(ROW_OF_RANDOM, (uint64_t)i);
}

/* PHASOR_SIM is "PID:FILE": the process that the launcher made is in the world, also after it has
 * become another program; what it starts itself is outside. */
void ph_world_enter(void) {
    const char* where = secure_getenv("PHASOR_SIM");
    const char* file = where != NULL ? strchr(where, ':') : NULL;
    struct stat info;
    if (file == NULL || atoi(where) != ph_raw_pid())
        return;
    int fd = open(file + 1, O_RDWR | O_CLOEXEC);
    if (fd == -1 || ph_raw_fstat(fd, &info) != 0)
        return;
    void* memory = mmap((void*)PH_WORLD_ADDRESS, (size_t)info.st_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    close(fd);
    struct ph_world* world = memory;
    if (memory == MAP_FAILED || world->magic != PH_WORLD_MAGIC ||
        world->size_of_world != sizeof(*world)) {
        fprintf(stderr, "phasor sim: this program can't enter the world: %s\n",
                memory == MAP_FAILED ? strerror(errno) : "another version of Phasor made it");
        _exit(PH_EXIT_WORLD);
    }
    if (!takes_libuv_inside(world))
        _exit(PH_EXIT_WORLD);
    ph_world = world;
    /* One thread runs at a time: with one heap for all, addresses follow from the seed too. */
    mallopt(M_ARENA_MAX, 1);
    find_old_place(world);
    ph_world_lock();
    join(world);
    wait_for_turn();
    ph_world_unlock();
    settle_random_bytes();
    ph_trap_begin();
    ph_at_fork(NULL, note_fork, leave_after_fork);
}

__attribute__((constructor(101))) static void begin(void) {
    if (!ph_prepared_expected())
        ph_world_enter();
}

enum { MOST_POSTPONED = 4 }; /* more at a time are the same few again */

static _Thread_local bool inside; /* this thread holds the lock, or soon will */
static _Thread_local struct {     /* by handlers meanwhile */
    void (*call)(const void* what);
    const void* what;
} postponed[MOST_POSTPONED];
static _Thread_local volatile unsigned postponed_count;

bool ph_world_postpone(void (*call)(const void* what), const void* what) {
    for (unsigned i = 0; i < postponed_count; i++)
        if (postponed[i].what == what)
            return true;
    if (inside && postponed_count < MOST_POSTPONED) {
        postponed[postponed_count].call = call;
        postponed[postponed_count].what = what;
        postponed_count = postponed_count + 1;
    }
    return inside;
}

/* A process that died with the lock leaves the world as it is: the launcher ends it. */
void ph_world_lock(void) {
    ph_preempt_pause();
    inside = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    int result = pthread_mutex_trylock(&ph_world->lock);
    if (result == EBUSY) {
        __atomic_add_fetch(&own_process->lock_waiters, 1, __ATOMIC_SEQ_CST);
        result = pthread_mutex_lock(&ph_world->lock);
        __atomic_sub_fetch(&own_process->lock_waiters, 1, __ATOMIC_SEQ_CST);
    }
    if (result == EOWNERDEAD)
        pthread_mutex_consistent(&ph_world->lock);
}

struct ph_process* ph_process_here(void) {
    return own_process;
}

void ph_world_unlock(void) {
    pthread_mutex_unlock(&ph_world->lock);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    inside = false;
    while (postponed_count > 0) {
        unsigned last = postponed_count - 1;
        void (*call)(const void*) = postponed[last].call;
        const void* what = postponed[last].what;
        postponed_count = last;
        call(what);
    }
    ph_preempt_go_on();
}

/* Sizes go up by half powers of two. */
static unsigned class_of(size_t* size) {
    unsigned class = 0;
    size_t room = 32;
    while (room < *size) {
        room = class % 2 == 0 ? room + room / 2 : room / 3 * 4;
        class ++;
    }
    *size = room;
    return class;
}

void* ph_world_alloc(size_t size) {
    unsigned class = class_of(&size);
    void* memory = ph_world->free_lists[class];
    if (memory != NULL) {
        memcpy(&ph_world->free_lists[class], memory, sizeof(void*));
    } else {
        if (ph_world->arena_end - ph_world->arena_next < size)
            return NULL;
        memory = (void*)ph_world->arena_next;
        ph_world->arena_next += size;
    }
    memset(memory, 0, size);
    return memory;
}

void ph_world_free(void* memory, size_t size) {
    if (memory == NULL)
        return;
    unsigned class = class_of(&size);
    memcpy(memory, &ph_world->free_lists[class], sizeof(void*));
    ph_world->free_lists[class] = memory;
}

void ph_world_log(const char* format, ...) {
    char line[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof(line) - 1, format, args);
    va_end(args);
    if (length < 0)
        return;
    if (phasor_trace_active()) {
        phasor_trace_begin(PHASOR_SPAN_MARK, phasor_trace_name(line, "", 0));
        phasor_trace_end(PHASOR_SPAN_MARK);
    }
    size_t size = (size_t)length < sizeof(line) - 1 ? (size_t)length : sizeof(line) - 2;
    ph_see_text(PH_SIGHT_LOG, ph_host_here(), line, size);
    if (ph_world->log_used + (uint32_t)length + 32 > PH_LOG_SIZE)
        return;
    ph_world->log_used +=
        (uint32_t)snprintf(ph_world->log + ph_world->log_used, PH_LOG_SIZE - ph_world->log_used,
                           "%llu %s\n", (unsigned long long)ph_world->now, line);
}

void ph_leak(const char* what, const void* address) {
    char where[sizeof(ph_world->leaks[0].where)] = "";
    Dl_info code;
    if (address != NULL && dladdr(address, &code) != 0 && code.dli_fname != NULL) {
        const char* slash = strrchr(code.dli_fname, '/');
        const char* object = slash != NULL ? slash + 1 : code.dli_fname;
        bool named = code.dli_sname != NULL;
        const char* base = named ? code.dli_saddr : code.dli_fbase;
        snprintf(where, sizeof(where), "%.60s%s%.40s+%#lx", object, named ? ": " : "",
                 named ? code.dli_sname : "", (unsigned long)((const char*)address - base));
    }
    for (int i = 0; i < PH_LEAKS_MAX; i++) {
        struct ph_leak* leak = &ph_world->leaks[i];
        if (leak->what[0] == '\0') {
            snprintf(leak->what, sizeof(leak->what), "%s", what);
            memcpy(leak->where, where, sizeof(where));
        }
        if (strcmp(leak->what, what) == 0 && strcmp(leak->where, where) == 0)
            return;
    }
}

void ph_world_end(const char* format, ...) {
    va_list args;
    va_start(args, format);
    if (ph_world->ended[0] == '\0')
        vsnprintf(ph_world->ended, sizeof(ph_world->ended), format, args);
    va_end(args);
    ph_world_unlock();
    phasor_trace_stop();
    fflush(NULL);
    _exit(PH_EXIT_WORLD);
}
