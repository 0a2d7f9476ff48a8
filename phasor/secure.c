#include "secure.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Names, or with a star at the end their beginnings. */
static const char* const unsafe[] = {
    "NODE_*",       "PHASOR_*", "OPENSSL_*",     "SSL_CERT_*",  "SSLKEYLOGFILE",
    "DEBUGINFOD_*", "ICU_DATA", "SQLITE_TMPDIR", "CARES_HOSTS", "WATCH_REPORT_DEPENDENCIES",
};

/* The program's own, and those by which a process of ours talks to the children that it forks: a
 * server with the right to open port 80 starts itself again for each processor. */
static const char* const safe[] = {"NODE_ENV", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE",
                                   "NODE_UNIQUE_ID"};

static bool is_named(const char* variable, size_t length, const char* pattern) {
    size_t size = strlen(pattern);
    if (size > 0 && pattern[size - 1] == '*')
        return length >= size - 1 && strncmp(variable, pattern, size - 1) == 0;
    return length == size && strncmp(variable, pattern, size) == 0;
}

static bool is_in(const char* variable, size_t length, const char* const* list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_named(variable, length, list[i]))
            return true;
    return false;
}

void forget_unsafe_environment(void) {
    if (getauxval(AT_SECURE) == 0 || environ == NULL)
        return;
    char** kept = environ;
    for (char** entry = environ; *entry != NULL; entry++) {
        size_t length = strcspn(*entry, "=");
        if (!is_in(*entry, length, unsafe, sizeof(unsafe) / sizeof(unsafe[0])) ||
            is_in(*entry, length, safe, sizeof(safe) / sizeof(safe[0])))
            *kept++ = *entry;
    }
    *kept = NULL;
}

FILE* open_private(const char* path, bool only_new) {
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (only_new ? O_EXCL | O_NOFOLLOW : O_TRUNC);
    int fd = open(path, flags, 0600);
    FILE* file = fd != -1 ? fdopen(fd, "w") : NULL;
    if (file == NULL && fd != -1)
        close(fd);
    return file;
}
