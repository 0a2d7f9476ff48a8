/*
 * Any bytes as a host name. With libFuzzer:
 *   clang -fsanitize=fuzzer,address,undefined -Ilib/include -Isrc tests/fuzz/idna.c lib/net/idna.c
 * Without it: fuzz.h.
 */

#include "net/idna.h"
#include "fuzz.h"
#include "uv.h"

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
/* Labels of letters, other scripts, and bytes that are no characters. */
static size_t make_input(uint8_t* data, size_t room) {
    static const char* const parts[] = {"a",
                                        "xn--",
                                        "-",
                                        ".",
                                        "\xc3\xbc",
                                        "\xe3\x80\x82",
                                        "\xe4\xb8\xad\xe6\x96\x87",
                                        "\xf0\x9f\x98\x80",
                                        "\xf4\x8f\xbf\xbf",
                                        "\xed\xa0\x80",
                                        "\xff",
                                        "\x80",
                                        "0123456789012345678901234567890123456789"};
    size_t size = 0;
    for (unsigned count = chance(3) == 0 ? chance(300) : chance(20); count > 0; count--) {
        const char* part = parts[chance(sizeof(parts) / sizeof(parts[0]))];
        size_t length = strlen(part);
        if (chance(20) == 0 && length > 1)
            length--;
        if (size + length > room)
            break;
        memcpy(data + size, part, length);
        size += length;
    }
    return size;
}
#endif
