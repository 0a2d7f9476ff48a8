#ifndef FUZZ_H
#define FUZZ_H

/*
 * What the fuzz targets share. A target defines LLVMFuzzerTestOneInput, which libFuzzer calls, and
 * make_input, which makes an input by chance. With PLAIN_MAIN it is a program of its own:
 *   target COUNT [FIRST]   so many inputs made by chance, the same ones each time, from a number on
 *   target FILE...         the inputs in these files
 * Each input has TIME_LIMIT seconds. An input that fails is repeated with: target 1 ITS_NUMBER.
 */

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIME_LIMIT = 30, MOST_INPUT = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define require(condition)                                                         \
    do {                                                                           \
        if (!(condition)) {                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                               \
        }                                                                          \
    } while (0)

#ifdef PLAIN_MAIN
#include <unistd.h>

static size_t make_input(uint8_t* data, size_t room);

static uint64_t chance_state;

/* 0 to below - 1 */
static unsigned chance(unsigned below) {
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance_state >> 33) % below;
}

static void try_one(const uint8_t* data, size_t size) {
    alarm(TIME_LIMIT);
    LLVMFuzzerTestOneInput(data, size);
    alarm(0);
}

int main(int argc, char** argv) {
    static uint8_t data[MOST_INPUT];
    if (argc >= 2 && isdigit((unsigned char)argv[1][0])) {
        uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
        for (uint64_t number = first; number - first < strtoull(argv[1], NULL, 10); number++) {
            char line[64];
            /* Seen only if the input ends the program. */
            int length = snprintf(line, sizeof(line), "input %llu\r", (unsigned long long)number);
            if (number % 100 == 0 && write(STDERR_FILENO, line, (size_t)length) < 0)
                return 1;
            chance_state = number * 0x9e3779b97f4a7c15u;
            try_one(data, make_input(data, sizeof(data)));
        }
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        FILE* file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(data, 1, sizeof(data), file);
        fclose(file);
        try_one(data, size);
    }
    return 0;
}
#endif

#endif
