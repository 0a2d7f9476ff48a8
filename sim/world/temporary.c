/* Names of temporary files and folders: libc draws them from the outside. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world/real.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))

enum { PLACES = 6, TRIES = 1000 };

static int make_folder(char* path, int flags) {
    (void)flags;
    return __wrap_mkdir(path, 0700);
}

static int make_file(char* path, int flags) {
    return open(path, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
}

static int ask_for_name(char* path, int flags) {
    (void)flags;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    errno = EEXIST;
    return -1;
}

/* Fills in what ends the template, but for so many characters, until nobody has the name. */
static int make(char* template, int after, int flags, int (*try)(char* path, int flags)) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strlen(template);
    char* place = template + length - (size_t)after - PLACES;
    if (after < 0 || length < (size_t)after + PLACES || strncmp(place, "XXXXXX", PLACES) != 0) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < TRIES; i++) {
        unsigned char drawn[PLACES];
        if (getrandom(drawn, sizeof(drawn), 0) != sizeof(drawn))
            break;
        for (int k = 0; k < PLACES; k++)
            place[k] = letters[drawn[k] % (sizeof(letters) - 1)];
        int result = try(template, flags);
        if (result != -1 || errno != EEXIST)
            return result;
    }
    return -1;
}

EXPORT char* mkdtemp(char* template) {
    return make(template, 0, 0, make_folder) == 0 ? template : NULL;
}

EXPORT int mkostemps(char* template, int after, int flags) {
    return make(template, after, flags, make_file);
}

EXPORT int mkstemps(char* template, int after) {
    return mkostemps(template, after, 0);
}

EXPORT int mkostemp(char* template, int flags) {
    return mkostemps(template, 0, flags);
}

EXPORT int mkstemp(char* template) {
    return mkostemps(template, 0, 0);
}

EXPORT char* mktemp(char* template) {
    if (make(template, 0, 0, ask_for_name) != 0)
        *template = '\0';
    return template;
}

EXPORT char* tmpnam(char name[L_tmpnam]) {
    static char own[L_tmpnam];
    char* result = name != NULL ? name : own;
    snprintf(result, L_tmpnam, "%s/fileXXXXXX", P_tmpdir);
    return make(result, 0, 0, ask_for_name) == 0 ? result : NULL;
}

ALIAS("mkostemps") int mkostemps64(char* template, int after, int flags);
ALIAS("mkstemps") int mkstemps64(char* template, int after);
ALIAS("mkostemp") int mkostemp64(char* template, int flags);
ALIAS("mkstemp") int mkstemp64(char* template);
