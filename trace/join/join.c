/*
 * For a process that runs on a libuv that is not ours: `phasor attach` loads this into it, or
 * `phasor run --attachable` before it begins. It offers what our library offers to whoever attaches
 * (recording.h). While something is recorded, that libuv's waits for events go through here: each
 * loop, by the descriptor that it waits on, has turns that begin with a wait, and one callback for
 * everything between two waits. Nothing else of it can be seen, except the handles that Node has
 * open. Afterwards the waits go where they went before.
 */

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/queue.h"
#include "recording.h"
#include "slots/slots.h"

enum {
    OUTSIDE_STACK = 256 << 10,
    MOST_LOOPS = 256,
    MOST_HANDLES = 4096,
    SIGNALS = 64 / 8 /* bytes of the kernel's set */
};

#define RECORDER_FILE "libphasor-trace.so"

static void obey(void);
static _Alignas(64) char outside_stack[OUTSIDE_STACK];
static const struct ph_hooks* hooks;
static const struct ph_hooks nobody; /* never set: there is nothing that would call it */
static int flag;
static uintptr_t ignored;
static unsigned session; /* of recordings */
static const void* run;  /* their uv_run */

PHASOR_EXTERN extern struct ph_trace_control phasor_trace_control;
struct ph_trace_control phasor_trace_control = {.magic = PH_CONTROL_LETTERS,
                                                .version = PH_CONTROL_VERSION,
                                                .size = sizeof(struct ph_trace_control),
                                                .hooks = &hooks,
                                                .summons = &nobody,
                                                .obey = obey,
                                                .stack = outside_stack + OUTSIDE_STACK};

/* Services */

static void at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    pthread_atfork(prepare, parent, child);
}

static bool ticks_are_constant(void) {
    return false;
}

/* A word after it says that this is not ours. */
static const char* version(void) {
    static char text[64];
    const char* (*ask)(void) = NULL;
    void* found = dlsym(RTLD_DEFAULT, "uv_version_string");
    memcpy(&ask, &found, sizeof(found));
    snprintf(text, sizeof(text), "%.40s joined", ask != NULL ? ask() : "?");
    return text;
}

static const struct ph_services services = {.recorder_version = PH_RECORDER_VERSION,
                                            .hooks = &hooks,
                                            .flag = &flag,
                                            .control = &phasor_trace_control,
                                            .ignored = &ignored,
                                            .malloc = malloc,
                                            .calloc = calloc,
                                            .realloc = realloc,
                                            .free = free,
                                            .at_fork = at_fork,
                                            .ticks_are_constant = ticks_are_constant,
                                            .version = version};

/* Loops */

struct joined {
    uv_loop_t loop; /* what the recorder knows; theirs is not touched */
    int descriptor;
    unsigned turn;     /* the session in which it turns, 0: none */
    unsigned waits;    /* the same of a wait that goes on */
    unsigned callback; /* and of what is between two */
    uv_handle_t* handles;
    size_t handle_count;
};

static struct joined* loops[MOST_LOOPS];

static struct joined* new_loop(int descriptor) {
    struct joined* joined = aligned_alloc(64, (sizeof(*joined) + 63) / 64 * 64);
    if (joined == NULL)
        return NULL;
    memset(joined, 0, sizeof(*joined));
    joined->descriptor = descriptor;
    ph_queue_init(&joined->loop.handle_queue);
    return joined;
}

/* Never freed: a thread may be in one at any time. NULL: there are too many. */
static struct joined* find_loop(int descriptor) {
    for (size_t i = 0; i < MOST_LOOPS; i++) {
        struct joined* found = __atomic_load_n(&loops[i], __ATOMIC_ACQUIRE);
        if (found == NULL) {
            struct joined* made = new_loop(descriptor);
            if (made == NULL || __atomic_compare_exchange_n(&loops[i], &found, made, false,
                                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                return made;
            free(made);
        }
        if (found->descriptor == descriptor)
            return found;
    }
    return NULL;
}

/* The handles of Node's own loop. For others it can't be known which loop waits here. */

static struct {
    uv_loop_t* (*default_loop)(void);
    int (*descriptor)(const uv_loop_t* loop);
    void (*walk)(uv_loop_t* loop, uv_walk_cb call, void* argument);
    uv_handle_type (*type)(const uv_handle_t* handle);
} theirs;

static bool find_theirs(void) {
    static const char* const names[] = {"uv_default_loop", "uv_backend_fd", "uv_walk",
                                        "uv_handle_get_type"};
    void* found[4];
    if (dlsym(RTLD_DEFAULT, "node_module_register") == NULL)
        return false;
    for (size_t i = 0; i < 4; i++)
        if ((found[i] = dlsym(RTLD_DEFAULT, names[i])) == NULL)
            return false;
    memcpy(&theirs, found, sizeof(found));
    return true;
}

/* Stands for theirs, by its type alone. */
static void add_handle(uv_handle_t* handle, void* argument) {
    struct joined* joined = argument;
    if (joined->handle_count == MOST_HANDLES)
        return;
    uv_handle_t* proxy = &joined->handles[joined->handle_count++];
    proxy->type = theirs.type(handle);
    proxy->loop = &joined->loop;
    ph_queue_push(&joined->loop.handle_queue, &proxy->handle_queue);
}

static void look_at_handles(struct joined* joined) {
    ph_queue_init(&joined->loop.handle_queue);
    joined->handle_count = 0;
    if (getpid() != (pid_t)syscall(SYS_gettid) || !find_theirs() ||
        theirs.descriptor(theirs.default_loop()) != joined->descriptor)
        return;
    if (joined->handles == NULL)
        joined->handles = calloc(MOST_HANDLES, sizeof(*joined->handles));
    if (joined->handles != NULL)
        theirs.walk(theirs.default_loop(), add_handle, joined);
}

/* Waits */

static const struct ph_hooks* looking(void) {
    return __atomic_load_n(&hooks, __ATOMIC_ACQUIRE);
}

static void begin_wait(struct joined* joined, int timeout) {
    const struct ph_hooks* to = looking();
    unsigned now = __atomic_load_n(&session, __ATOMIC_ACQUIRE);
    if (joined->callback == now)
        to->callback_ends();
    if (joined->turn != now)
        look_at_handles(joined);
    joined->callback = 0;
    joined->turn = now;
    joined->loop.internal.metrics.loop_count++;
    to->iteration_begins(&joined->loop, UV_RUN_DEFAULT);
    /* The recording may have ended there. */
    to = looking();
    if (to == NULL) {
        slots_give_back();
        return;
    }
    joined->waits = now;
    to->wait_begins(&joined->loop, timeout);
}

static void end_wait(struct joined* joined, int count) {
    const struct ph_hooks* to = looking();
    unsigned now = __atomic_load_n(&session, __ATOMIC_ACQUIRE);
    if (to == NULL || joined->waits != now)
        return;
    joined->waits = 0;
    to->wait_ends(&joined->loop, count, 1);
    if (to->callback_begins(&joined->loop, NULL, (uintptr_t)run, PH_CB_OTHER))
        joined->callback = now;
}

static int wait_for_events(int descriptor, struct epoll_event* events, int most, int timeout,
                           const sigset_t* mask) {
    struct joined* joined = looking() != NULL ? find_loop(descriptor) : NULL;
    if (joined != NULL)
        begin_wait(joined, timeout);
    int count =
        (int)syscall(SYS_epoll_pwait, descriptor, events, most, timeout, mask, (size_t)SIGNALS);
    int error = errno;
    if (joined != NULL)
        end_wait(joined, count);
    errno = error;
    return count;
}

static int our_epoll_wait(int descriptor, struct epoll_event* events, int most, int timeout) {
    return wait_for_events(descriptor, events, most, timeout, NULL);
}

static const struct slot_wish wishes[] = {{"epoll_wait", our_epoll_wait},
                                          {"epoll_pwait", wait_for_events}};

/* Commands */

static const struct ph_recorder* recorder;

/* Beside this library. */
static const struct ph_recorder* load(void) {
    Dl_info self;
    char path[PATH_MAX];
    const struct ph_recorder* (*entry)(const struct ph_services* services) = NULL;
    if (recorder != NULL || dladdr(&phasor_trace_control, &self) == 0)
        return recorder;
    const char* slash = strrchr(self.dli_fname, '/');
    int folder = slash != NULL ? (int)(slash - self.dli_fname) : 0;
    snprintf(path, sizeof(path), "%.*s/" RECORDER_FILE, folder, self.dli_fname);
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* found = library != NULL ? dlsym(library, "phasor_recorder") : NULL;
    memcpy(&entry, &found, sizeof(found));
    recorder = entry != NULL ? entry(&services) : NULL;
    return recorder;
}

static void refuse(int result) {
    struct ph_trace_control* control = &phasor_trace_control;
    if (__atomic_exchange_n(&control->command, PH_COMMAND_NONE, __ATOMIC_SEQ_CST) ==
        PH_COMMAND_NONE)
        return;
    control->result = result;
    __atomic_add_fetch(&control->obeyed, 1, __ATOMIC_SEQ_CST);
}

/* By a thread that was stopped and made to call it: it holds no lock that is needed here. */
static void obey(void) {
    int error = errno;
    bool starts = phasor_trace_control.command == PH_COMMAND_START;
    run = dlsym(RTLD_DEFAULT, "uv_run");
    if (load() == NULL) {
        refuse(UV_ENOSYS);
    } else if (starts && !slots_take(wishes, sizeof(wishes) / sizeof(wishes[0]), run)) {
        refuse(UV_ENOTSUP);
    } else {
        if (starts)
            __atomic_add_fetch(&session, 1, __ATOMIC_ACQ_REL);
        recorder->obey_from_outside();
        if (looking() == NULL)
            slots_give_back();
    }
    errno = error;
}

__attribute__((destructor)) static void leave(void) {
    slots_give_back();
    if (recorder != NULL)
        recorder->leave();
}

/* Whoever has the same user may attach, whatever kernel.yama.ptrace_scope says. */
__attribute__((constructor)) static void allow(void) {
    const char* wanted = secure_getenv("PHASOR_ATTACHABLE");
    if (wanted != NULL && *wanted == '1')
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}
