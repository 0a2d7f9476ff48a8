/*
 * Any bytes as a host name. With libFuzzer:
 *   clang -fsanitize=fuzzer,address,undefined -Iinclude -Isrc tests/fuzz/idna.c src/net/idna.c
 * Without it (-DPLAIN_MAIN) each argument is a file with one input.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/idna.h"
#include "uv.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void require(int condition) {
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    /* Exact allocations, so that a read or write past either end is seen. */
    char* name = malloc(size + 1);
    char* ascii = malloc(PH_HOST_NAME_SIZE);
    memcpy(name, data, size);
    name[size] = '\0';
    int result = ph_idna_to_ascii(name, ascii, PH_HOST_NAME_SIZE);
    if (result >= 0) {
        require(result > 0 && result < PH_HOST_NAME_SIZE);
        require(strlen(ascii) == (size_t)result);
        for (int i = 0; i < result; i++)
            require((unsigned char)ascii[i] < 0x80);
    } else {
        require(result == UV_EINVAL || result == UV_ENAMETOOLONG);
    }
    free(ascii);
    free(name);
    return 0;
}

#ifdef PLAIN_MAIN
int main(int argc, char** argv) {
    static uint8_t data[1 << 20];
    for (int i = 1; i < argc; i++) {
        FILE* file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(data, 1, sizeof(data), file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
    }
    return 0;
}
#endif
