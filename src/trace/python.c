/*
 * Who runs inside Python: the interpreter's frames are read where its headers say that they are.
 * The thread is stopped meanwhile, in the handler of a signal or in a system call (native.c). The
 * layout belongs to one version; others are not looked into, and neither is memory that is not
 * there.
 */

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trace/sampler.h"

/* Python 3.11 */
enum {
    STATE_CFRAME = 56,
    CFRAME_FRAME = 8,
    FRAME_CODE = 32,
    FRAME_PREVIOUS = 48,
    CODE_LINE = 72,
    CODE_FILE = 112,
    CODE_NAME = 128, /* with those of its class and of the functions around it */
    TEXT_LENGTH = 16,
    TEXT_KIND = 32,
    TEXT_IS_ASCII = 0x60, /* of the kind, both bits */
    TEXT_ASCII = 48,
    TEXT_UTF8 = 56 /* a pointer, NULL until somebody wanted it */
};

static void* (*current_state)(void);

static bool peek(uint64_t at, void* out, size_t size) {
    struct iovec here = {out, size}, there = {(void*)(uintptr_t)at, size}; /* NOLINT */
    return syscall(SYS_process_vm_readv, syscall(SYS_getpid), &here, 1, &there, 1, 0) == (long)size;
}

static uint64_t peek_word(uint64_t at) {
    uint64_t word = 0;
    return at != 0 && peek(at, &word, sizeof(word)) ? word : 0;
}

void ph_python_find(void) {
    const char* (*version)(void);
    void* found = dlsym(RTLD_DEFAULT, "Py_GetVersion");
    memcpy(&version, &found, sizeof(found));
    if (current_state != NULL || found == NULL || strncmp(version(), "3.11.", 5) != 0)
        return;
    found = dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
    memcpy(&current_state, &found, sizeof(found));
}

void* ph_python_here(void) {
    return current_state != NULL ? current_state() : NULL;
}

/* The end of a text that is too long: of a path, that matters more. */
static void peek_text(uint64_t text, char* out, size_t size) {
    uint64_t length = peek_word(text + TEXT_LENGTH);
    uint32_t kind = (uint32_t)peek_word(text + TEXT_KIND);
    bool ascii = (kind & TEXT_IS_ASCII) == TEXT_IS_ASCII;
    uint64_t data = ascii ? text + TEXT_ASCII : peek_word(text + TEXT_UTF8);
    if (!ascii && data != 0)
        length = peek_word(text + TEXT_ASCII);
    if (length >= size) {
        data += length - (size - 1);
        length = size - 1;
    }
    if (data == 0 || !peek(data, out, length))
        length = 0;
    out[length] = '\0';
}

bool ph_python_frames(void* state, struct ph_stack* stack) {
    uint64_t frame = peek_word(peek_word((uintptr_t)state + STATE_CFRAME) + CFRAME_FRAME);
    unsigned count = 0;
    for (; frame != 0 && count < PH_STACK_FRAMES; count++) {
        char function[200], file[400];
        uint64_t code = peek_word(frame + FRAME_CODE);
        if (code == 0)
            break;
        unsigned line = (unsigned)peek_word(code + CODE_LINE);
        peek_text(peek_word(code + CODE_NAME), function, sizeof(function));
        peek_text(peek_word(code + CODE_FILE), file, sizeof(file));
        ph_stack_frame(stack, function, file, line, line);
        frame = peek_word(frame + FRAME_PREVIOUS);
    }
    return count > 0;
}
