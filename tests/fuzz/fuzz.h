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
/* Called once before, where a target has it. */
__attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);

#define require(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

#ifdef PLAIN_MAIN
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t make_input(uint8_t* data, size_t room);

static uint8_t fuzz_input[MOST_INPUT];
static uint64_t chance_state;

/* 0 to below - 1 */
static unsigned chance(unsigned below) {
    chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance_state >> 33) % below;
}

static void try_one(size_t size) {
    alarm(TIME_LIMIT);
    LLVMFuzzerTestOneInput(fuzz_input, size);
    alarm(0);
}

/* In a child, so that whatever ends it, its number can be told. */
static int try_many(uint64_t count, uint64_t first) {
    int status = 0;
    uint64_t* number =
        mmap(NULL, sizeof(*number), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(number != MAP_FAILED);
    pid_t pid = fork();
    require(pid != -1);
    if (pid != 0) {
        require(waitpid(pid, &status, 0) == pid);
        if (status != 0)
            fprintf(stderr, "input %llu ended with status 0x%x\n", (unsigned long long)*number,
                    (unsigned)status);
        return status != 0;
    }
    for (*number = first; *number - first < count; ++*number) {
        chance_state = *number * 0x9e3779b97f4a7c15u;
        try_one(make_input(fuzz_input, sizeof(fuzz_input)));
    }
    return 0;
}

static int try_file(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size_t size = fread(fuzz_input, 1, sizeof(fuzz_input), file);
    fclose(file);
    try_one(size);
    return 0;
}

int main(int argc, char** argv) {
    int status = 0;
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize(&argc, &argv);
    if (argc >= 2 && isdigit((unsigned char)argv[1][0]))
        return try_many(strtoull(argv[1], NULL, 10), argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    for (int i = 1; i < argc; i++)
        status |= try_file(argv[i]);
    return status;
}
#endif

#endif
