#include "live/attach_target.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "live/join_process.h"
#include "live/remote.h"
#include "live/stuck.h"
#include "read/memory.h"

enum { PATIENCE_MS = 500, STEP_MS = 10 };

static bool explain(pid_t pid, char* error, size_t size) {
    int why = errno;
    bool ended = remote_has_ended(pid);
    errno = why;
    if (ended)
        snprintf(error, size, "process %d has ended", (int)pid);
    else if (errno == EPERM || errno == EACCES)
        snprintf(error, size,
                 "no permission to look into process %d: it belongs to another user, or the system "
                 "forbids it (kernel.yama.ptrace_scope); phasor run --attachable -- PROGRAM "
                 "starts one that allows it to its user",
                 (int)pid);
    else if (errno == ESRCH || errno == ENOENT)
        snprintf(error, size, "there is no process %d", (int)pid);
    else
        snprintf(error, size, "process %d can't be read: %s", (int)pid, strerror(errno));
    return false;
}

/* Ours, or what joins one that is not. */
static bool find_control(struct target* target, char* other, size_t size) {
    static const char* const ours[] = {"libuv.so", NULL};
    static const char* const joined[] = {"/libphasor-join.so", NULL};
    static const char name[] = "phasor_trace_control";
    target->address = remote_find(target->pid, ours, name, other, size);
    if (target->address == 0) {
        target->address = remote_find(target->pid, joined, name, NULL, 0);
        target->is_joined = target->address != 0;
    }
    return target->address != 0;
}

static bool may_look(pid_t pid) {
    char path[64];
    uint64_t probe;
    snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
    errno = 0;
    FILE* auxv = fopen(path, "re");
    bool may = auxv != NULL && fread(&probe, sizeof(probe), 1, auxv) == 1;
    int error = errno != 0 ? errno : EPERM;
    if (auxv != NULL)
        fclose(auxv);
    errno = error;
    return may;
}

bool target_find(struct target* target, pid_t pid, char* error, size_t size) {
    char other[4200] = "";
    *target = (struct target){.pid = pid};
    if (find_control(target, other, sizeof(other)))
        return target_refresh(target, error, size);
    /* Without permission nothing is found either. */
    if (!may_look(pid))
        return explain(pid, error, size);
    if (*other != '\0')
        snprintf(error, size, "process %d runs on %s, which is not ours", (int)pid, other);
    else
        snprintf(error, size, "process %d has not loaded libuv.so.1", (int)pid);
    return false;
}

bool target_open(struct target* target, pid_t pid, char* error, size_t size) {
    static const char* const ours[] = {"libuv.so", NULL};
    if (target_find(target, pid, error, size))
        return true;
    /* A libuv of another make, or another version of ours, which is left alone. */
    if (target->address != 0 || !may_look(pid))
        return false;
    if (remote_find(pid, ours, "uv_run", NULL, 0) == 0 &&
        remote_find(pid, NULL, "uv_run", NULL, 0) == 0) {
        snprintf(error, size,
                 "process %d has not loaded libuv.so.1, and has none inside that "
                 "can be seen",
                 (int)pid);
        return false;
    }
    return join_process(pid, error, size) && target_find(target, pid, error, size);
}

bool target_refresh(struct target* target, char* error, size_t size) {
    struct ph_trace_control* control = &target->control;
    errno = 0;
    if (!remote_transfer(target->pid, target->address, control, sizeof(*control), false))
        return explain(target->pid, error, size);
    if (memcmp(control->magic, PH_CONTROL_MAGIC, sizeof(control->magic)) != 0 ||
        control->version != PH_CONTROL_VERSION || control->size != sizeof(*control)) {
        snprintf(error, size, "process %d has another version of our library", (int)target->pid);
        return false;
    }
    control->recording[sizeof(control->recording) - 1] = '\0';
    return true;
}

static bool write_field(struct target* target, size_t offset, const void* data, size_t size) {
    return remote_transfer(target->pid, target->address + offset, (void*)data, size, true);
}

#define WRITE_FIELD(target, field, data, size) \
    write_field(target, offsetof(struct ph_trace_control, field), data, size)

static bool has_obeyed(struct target* target, uint32_t before) {
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    char error[4400];
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        nanosleep(&step, NULL);
        if (!target_refresh(target, error, sizeof(error)))
            return false;
        if (target->control.obeyed != before)
            return true;
    }
    return false;
}

enum target_answer target_command(struct target* target, enum ph_trace_command command,
                                  const char* file, uint64_t limit, char* error, size_t size) {
    uint32_t before = target->control.obeyed, word = command;
    uint64_t place = (uintptr_t)target->control.hooks, summons = (uintptr_t)target->control.summons;
    uint64_t hooks;
    if (!WRITE_FIELD(target, file, file, strlen(file) + 1) ||
        !WRITE_FIELD(target, limit, &limit, sizeof(limit)) ||
        !WRITE_FIELD(target, command, &word, sizeof(word)) ||
        !remote_transfer(target->pid, place, &hooks, sizeof(hooks), false))
        return explain(target->pid, error, size), TARGET_FAILED;
    /* Nobody looks for commands while nothing is recorded: a thread is made to obey. */
    if (target->is_joined)
        return join_obey(target->pid, &target->control, error, size) && has_obeyed(target, before)
                   ? TARGET_OBEYED
                   : TARGET_FAILED;
    /* Who records looks for commands by itself. */
    if (hooks == 0 && !remote_transfer(target->pid, place, &summons, sizeof(summons), true))
        return explain(target->pid, error, size), TARGET_FAILED;
    if (has_obeyed(target, before))
        return TARGET_OBEYED;
    /* All loops are asleep, or inside of callbacks. */
    stuck_wake(target->pid);
    if (has_obeyed(target, before))
        return TARGET_OBEYED;
    stuck_obey(target->pid, &target->control);
    if (has_obeyed(target, before))
        return TARGET_OBEYED;
    return target_refresh(target, error, size) ? TARGET_NOT_YET : TARGET_FAILED;
}

void target_say_result(const struct target* target, const char* file, char* error, size_t size) {
    int result = target->control.result;
    if (result == -ENOSYS)
        snprintf(error, size,
                 "process %d can't load the recorder, phasor/libphasor-trace.so beside its libuv",
                 (int)target->pid);
    else if (result == -ENOTSUP)
        snprintf(error, size, "nothing in process %d waits for events by epoll", (int)target->pid);
    else
        snprintf(error, size, "process %d can't write %s: %s", (int)target->pid, file,
                 strerror(-result));
}
