#include "live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody else gets in: it is of the user whose process will write in it. */
static bool make_folder(struct live* live, const char* command, const char* place, pid_t pid) {
    char process[32];
    struct stat owner;
    const char* temporary = place != NULL ? place : getenv("TMPDIR");
    snprintf(process, sizeof(process), "/proc/%d", (int)pid);
    snprintf(live->folder, sizeof(live->folder), "%s/phasor-%s-XXXXXX",
             temporary != NULL && *temporary == '/' ? temporary : "/tmp", command);
    if (stat(process, &owner) != 0 || mkdtemp(live->folder) == NULL) {
        live->folder[0] = '\0';
        return false;
    }
    snprintf(live->file, sizeof(live->file), "%s/trace", live->folder);
    return owner.st_uid == geteuid() || chown(live->folder, owner.st_uid, owner.st_gid) == 0;
}

bool live_begin(struct live* live, const char* command, const char* place, pid_t pid,
                uint64_t limit, char* error, size_t size) {
    if (!target_open(&live->target, pid, error, size))
        return false;
    if (live->target.control.recording[0] != '\0') {
        snprintf(live->file, sizeof(live->file), "%s", live->target.control.recording);
        return true;
    }
    if (!make_folder(live, command, place, pid)) {
        snprintf(error, size, "no folder for the recording can be made");
        return false;
    }
    enum target_answer answer =
        target_command(&live->target, PH_COMMAND_START, live->file, limit, error, size);
    live->started = answer != TARGET_FAILED;
    if (answer == TARGET_OBEYED && live->target.control.result != 0) {
        live->started = false;
        target_say_result(&live->target, live->file, error, size);
    }
    return live->started;
}

void live_end(struct live* live) {
    char error[4400];
    if (live->started && target_refresh(&live->target, error, sizeof(error)))
        target_command(&live->target, PH_COMMAND_STOP, "", 0, error, sizeof(error));
    live->started = false;
}

void live_remove(struct live* live) {
    if (live->folder[0] == '\0')
        return;
    unlink(live->file);
    rmdir(live->folder);
}
