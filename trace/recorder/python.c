/*
 * Who runs inside Python: the interpreter's frames are read where its headers say that they are.
 * The thread is stopped meanwhile, in the handler of a signal or in a system call (native.c). The
 * layout belongs to one version; others are not looked into, and neither is memory that is not
 * there.
 */

#include <string.h>

#include "recorder/find.h"
#include "recorder/peek.h"
#include "recorder/sampler.h"

/* Where things are, as the headers of each version have it. */
static const struct layout {
    char version[8];
    bool has_cframe; /* between the thread's state and its frame */
    uint8_t state_frame;
    uint8_t cframe_frame;
    uint8_t frame_code, frame_previous;
    uint8_t code_line, code_file;
    uint8_t code_name; /* with those of its class and of the functions around it */
    uint8_t text_ascii;
} layouts[] = {
    {"3.11.", true, 56, 8, 32, 48, 72, 112, 128, 48},
    {"3.13.", false, 72, 0, 0, 8, 68, 112, 128, 40},
};

/* The same in all of them. */
enum {
    OBJECT_TYPE = 8,
    TEXT_LENGTH = 16,
    TEXT_KIND = 32,
    TEXT_IS_ASCII = 0x60 /* of the kind, both bits */
};

static const struct layout* layout;
static uint64_t code_type; /* frames of C have none */
static void* (*current_state)(void);

static uint64_t peek_word(uint64_t at) {
    uint64_t word = 0;
    return at != 0 && ph_peek(at, &word, sizeof(word)) ? word : 0;
}

static const struct layout* layout_of(const char* version) {
    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
        if (strncmp(version, layouts[i].version, strlen(layouts[i].version)) == 0)
            return &layouts[i];
    return NULL;
}

void ph_python_find(void) {
    const char* (*version)(void);
    void* found = ph_find_symbol("Py_GetVersion");
    memcpy(&version, &found, sizeof(found));
    if (current_state != NULL || found == NULL || (layout = layout_of(version())) == NULL)
        return;
    code_type = (uintptr_t)ph_find_symbol("PyCode_Type");
    found = ph_find_symbol("PyGILState_GetThisThreadState");
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
    /* Else its length in UTF-8 and a pointer to that, NULL until somebody wanted it. */
    uint64_t after = text + layout->text_ascii;
    uint64_t data = ascii ? after : peek_word(after + sizeof(uint64_t));
    if (!ascii && data != 0)
        length = peek_word(after);
    if (length >= size) {
        data += length - (size - 1);
        length = size - 1;
    }
    if (data == 0 || !ph_peek(data, out, length))
        length = 0;
    out[length] = '\0';
}

static uint64_t first_frame(uint64_t state) {
    uint64_t at = peek_word(state + layout->state_frame);
    return layout->has_cframe ? peek_word(at + layout->cframe_frame) : at;
}

bool ph_python_frames(void* state, struct ph_stack* stack) {
    unsigned count = 0;
    for (uint64_t frame = first_frame((uintptr_t)state); frame != 0 && count < PH_STACK_FRAMES;
         frame = peek_word(frame + layout->frame_previous)) {
        char function[200], file[400];
        uint64_t code = peek_word(frame + layout->frame_code);
        if (code == 0)
            break;
        if (peek_word(code + OBJECT_TYPE) != code_type)
            continue;
        unsigned line = (unsigned)peek_word(code + layout->code_line);
        peek_text(peek_word(code + layout->code_name), function, sizeof(function));
        peek_text(peek_word(code + layout->code_file), file, sizeof(file));
        ph_stack_frame(stack, function, file, line, line);
        count++;
    }
    return count > 0;
}
