/* What this phasor is made of. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"

extern const char phasor_licenses_text[]; /* made by phasor/licenses.cmake */

static int print(const char* text) {
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "phasor: standard output could not be written: %s\n", strerror(errno));
    return 1;
}

int phasor_version(int argc, char** argv) {
    (void)argc;
    (void)argv;
    return print("phasor " PHASOR_VERSION "\nlibuv interface " PHASOR_LIBUV_VERSION "\n");
}

int phasor_licenses(int argc, char** argv) {
    (void)argc;
    (void)argv;
    return print(phasor_licenses_text);
}
