/* Children that programs make past the library, and what they become: they are outside, so nothing
 * of the world's traps may follow them there. */

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/trap.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

typedef int (*spawner)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                       const posix_spawnattr_t*, char* const[], char* const[]);

static int spawn(const char* name, pid_t* pid, const char* path,
                 const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                 char* const arguments[], char* const environment[]) {
    spawner real = (spawner)ph_raw_next(name, NULL);
    if (ph_world != NULL)
        ph_process_here()->has_forked = true;
    ph_trap_leave();
    int result = real(pid, path, actions, attributes, arguments, environment);
    ph_trap_return();
    return result;
}

EXPORT int posix_spawn(pid_t* restrict pid, const char* restrict path,
                       const posix_spawn_file_actions_t* restrict actions,
                       const posix_spawnattr_t* restrict attributes, char* const arguments[],
                       char* const environment[]) {
    return spawn("posix_spawn", pid, path, actions, attributes, arguments, environment);
}

EXPORT int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                        const posix_spawnattr_t* attributes, char* const arguments[],
                        char* const environment[]) {
    return spawn("posix_spawnp", pid, file, actions, attributes, arguments, environment);
}

EXPORT int system(const char* command) {
    int (*real)(const char*) = (int (*)(const char*))ph_raw_next("system", NULL);
    ph_trap_leave();
    int result = real(command);
    ph_trap_return();
    return result;
}

EXPORT FILE* popen(const char* command, const char* mode) {
    FILE* (*real)(const char*, const char*) =
        (FILE * (*)(const char*, const char*)) ph_raw_next("popen", NULL);
    if (ph_world != NULL)
        ph_process_here()->has_forked = true;
    ph_trap_leave();
    FILE* result = real(command, mode);
    ph_trap_return();
    return result;
}

/* A child that borrows our memory would leave the world for us too. */
EXPORT pid_t vfork(void) {
    return fork();
}

EXPORT int execve(const char* path, char* const arguments[], char* const environment[]) {
    ph_trap_leave();
    int result = (int)ph_raw_call(SYS_execve, path, arguments, environment);
    ph_trap_return();
    return result;
}

EXPORT int execv(const char* path, char* const arguments[]) {
    return execve(path, arguments, environ);
}

EXPORT int execvpe(const char* file, char* const arguments[], char* const environment[]) {
    int (*real)(const char*, char* const[], char* const[]) =
        (int (*)(const char*, char* const[], char* const[]))ph_raw_next("execvpe", NULL);
    ph_trap_leave();
    int result = real(file, arguments, environment);
    ph_trap_return();
    return result;
}

EXPORT int execvp(const char* file, char* const arguments[]) {
    return execvpe(file, arguments, environ);
}
