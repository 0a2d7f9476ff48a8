/*
 * Preloaded by `phasor trace` and `phasor run`: in a program that has libuv built in, its functions
 * become ours (inside.h). Where that can't be, the program runs as it is, and FILE.why says which
 * program it is and why; under `phasor run`, standard error does. In programs without libuv inside
 * nothing happens.
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/inside.h"

static void leave_word(const char* why) {
    char path[4096], text[4700] = "";
    const char* recording = secure_getenv("PHASOR_TRACE");
    ssize_t program = readlink("/proc/self/exe", text, 4096);
    size_t size = program > 0 ? (size_t)program : 0;
    if (recording == NULL) {
        dprintf(STDERR_FILENO, "phasor run: %s has libuv built in, and %s: it runs on its own\n",
                text, why);
        return;
    }
    if (snprintf(path, sizeof(path), "%s.why", recording) >= (int)sizeof(path))
        return;
    snprintf(text + size, sizeof(text) - size, "\n%s", why);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd == -1)
        return;
    if (write(fd, text, strlen(text)) < 0)
        unlink(path);
    close(fd);
}

/* Our library lies beside this one. */
static void* open_library(void) {
    Dl_info self;
    char path[4096];
    if (dladdr((void*)open_library, &self) == 0)
        return NULL;
    const char* slash = strrchr(self.dli_fname, '/');
    int folder = slash != NULL ? (int)(slash - self.dli_fname) : 0;
    if (snprintf(path, sizeof(path), "%.*s/libuv.so.1", folder, self.dli_fname) >=
        (int)sizeof(path))
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Before the program's own constructors. */
__attribute__((constructor)) static void begin(void) {
    static const char* const nothing_more[] = {NULL};
    struct ph_inside_answer answer = {""};
    if (secure_getenv("PHASOR_TRACE") == NULL && secure_getenv("PHASOR_RUN") == NULL)
        return;
    if (!ph_inside_is_there())
        return;
    void* library = open_library();
    if (library != NULL && !ph_inside_redirect(library, nothing_more, &answer))
        leave_word(answer.why);
}
