/*
 * Who called native code inside V8: an engine in native code does not answer until it is back, and
 * then the caller may have ended. The frames are read where V8's own symbols for debuggers of dead
 * processes (v8dbg_) say that they are, while the thread stands still. Memory that is not there is
 * not looked into, and every object is known by its type before it is believed.
 */

#include <stdio.h>
#include <string.h>

#include "recorder/find.h"
#include "recorder/peek.h"
#include "recorder/sampler.h"

enum {
    MOST_STEPS = 512,
    ISOLATE_BYTES = 32 << 10, /* in which the isolate says where its native code was called */
    STACK_BYTES = 64 << 20,   /* of a thread, at most */
    ENTRY_WORDS = 24,         /* below the frame of an entry, in which it keeps the one before */
    MOST_TEXT = 400,
    MOST_DEPTH = 4,   /* of texts that consist of others */
    MOST_INLINE = 75, /* local names that a scope holds itself */
    MOST_LOCALS = 10000,
    LINES = 64 /* that are remembered */
};

/* From the frame of a function; the pointer before it is its context. */
enum { FRAME_MARK = -8, FRAME_FUNCTION = -16 };

/* Offsets and numbers of this V8. */
static struct {
    int map_type, function_shared;
    int shared_name, shared_script, script_name, script_source;
    int text_length, one_byte, two_byte, thin, first, second, parent, offset;
    int form_mask, is_one_byte, not_text;
    int type_shared, type_scope, type_script;
    int entry, construct_entry, exit, builtin_exit;
    int locals;
} v8;

static int api_exits[4];   /* 0: none such */
static uint64_t top_frame; /* offset in an isolate; 0: not known yet */
static bool complete;

static const struct {
    int* place;
    const char* names[3]; /* one of them; after "v8dbg_" */
} wanted[] = {
    {&v8.map_type, {"class_Map__instance_type__uint16_t"}},
    {&v8.function_shared, {"class_JSFunction__shared__SharedFunctionInfo"}},
    {&v8.shared_name,
     {"class_SharedFunctionInfo__name_or_scope_info__Object",
      "class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_",
      "class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_"}},
    {&v8.shared_script,
     {"class_SharedFunctionInfo__script_or_debug_info__HeapObject",
      "class_SharedFunctionInfo__raw_script__Tagged_Object_",
      "class_SharedFunctionInfo__script__Tagged_HeapObject_"}},
    {&v8.script_name, {"class_Script__name__Object"}},
    {&v8.script_source, {"class_Script__source__Object"}},
    {&v8.text_length, {"class_String__length__int32_t"}},
    {&v8.one_byte, {"class_SeqOneByteString__chars__char"}},
    {&v8.two_byte, {"class_SeqTwoByteString__chars__char"}},
    {&v8.thin, {"class_ThinString__actual__String"}},
    {&v8.first, {"class_ConsString__first__String"}},
    {&v8.second, {"class_ConsString__second__String"}},
    {&v8.parent, {"class_SlicedString__parent__String"}},
    {&v8.offset, {"class_SlicedString__offset__SMI"}},
    {&v8.form_mask, {"StringRepresentationMask"}},
    {&v8.is_one_byte, {"OneByteStringTag"}},
    {&v8.not_text, {"FirstNonstringType"}},
    {&v8.type_shared, {"type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE"}},
    {&v8.type_scope, {"type_ScopeInfo__SCOPE_INFO_TYPE"}},
    {&v8.type_script, {"type_Script__SCRIPT_TYPE"}},
    {&v8.entry, {"frametype_EntryFrame"}},
    {&v8.construct_entry, {"frametype_ConstructEntryFrame"}},
    {&v8.exit, {"frametype_ExitFrame"}},
    {&v8.builtin_exit, {"frametype_BuiltinExitFrame"}},
    {&v8.locals, {"scopeinfo_idx_ncontextlocals"}},
};

static const char* const api_names[] = {"ApiCallbackExitFrame", "ApiAccessorExitFrame",
                                        "ApiConstructExitFrame", "ApiNamedAccessorExitFrame"};

/* Representations of texts, the same in all versions that have the rest. */
enum { SEQUENTIAL = 0, PAIR = 1, SLICED = 3, THIN = 5 };

static bool find_number(const char* name, int* out) {
    char symbol[128];
    snprintf(symbol, sizeof(symbol), "v8dbg_%s", name);
    const int* found = ph_find_symbol(symbol);
    if (found != NULL)
        *out = *found;
    return found != NULL;
}

void ph_v8_frames_find(void) {
    if (complete)
        return;
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        bool found = false;
        for (size_t k = 0; k < 3 && wanted[i].names[k] != NULL && !found; k++)
            found = find_number(wanted[i].names[k], wanted[i].place);
        if (!found)
            return;
    }
    for (size_t i = 0; i < sizeof(api_names) / sizeof(api_names[0]); i++) {
        char name[64];
        snprintf(name, sizeof(name), "frametype_%s", api_names[i]);
        find_number(name, &api_exits[i]);
    }
    complete = true;
}

/* Objects. A pointer to one has the lowest bit set, a small number is in the upper half. */

static uint64_t peek_word(uint64_t at) {
    uint64_t word = 0;
    return ph_peek(at, &word, sizeof(word)) ? word : 0;
}

static bool is_object(uint64_t word) {
    return (word & 3) == 1;
}

static bool is_number(uint64_t word) {
    return (word & UINT32_MAX) == 0;
}

static uint64_t field(uint64_t object, int offset) {
    return is_object(object) ? peek_word(object - 1 + (uint64_t)offset) : 0;
}

/* -1: it is none. */
static int type_of(uint64_t object) {
    uint64_t map = field(object, 0);
    uint16_t type;
    return is_object(map) && ph_peek(map - 1 + (uint64_t)v8.map_type, &type, sizeof(type)) ? type
                                                                                           : -1;
}

static bool is_text(uint64_t object) {
    int type = type_of(object);
    return type >= 0 && type < v8.not_text;
}

/* A part of a text that lies in one piece. */
struct piece {
    uint64_t at; /* 0: it does not */
    uint32_t length;
    unsigned width;
};

static struct piece find_piece(uint64_t text) {
    uint64_t skipped = 0;
    struct piece piece = {0};
    uint32_t length = (uint32_t)field(text, v8.text_length);
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        int type = type_of(text), form = type & v8.form_mask;
        if (type < 0 || type >= v8.not_text)
            return piece;
        if (form == SEQUENTIAL) {
            piece.width = (type & v8.is_one_byte) != 0 ? 1 : 2;
            piece.length = length;
            piece.at = text - 1 + (uint64_t)(piece.width == 1 ? v8.one_byte : v8.two_byte) +
                       skipped * piece.width;
            return piece;
        }
        if (form == THIN)
            text = field(text, v8.thin);
        else if (form == SLICED) {
            skipped += field(text, v8.offset) >> 32;
            text = field(text, v8.parent);
        } else if (form == PAIR && (uint32_t)field(field(text, v8.second), v8.text_length) == 0)
            text = field(text, v8.first);
        else
            return piece;
    }
    return piece;
}

static size_t put_letter(char* out, size_t room, unsigned letter) {
    if (letter < 0x80 && room >= 1) {
        out[0] = (char)letter;
        return 1;
    }
    if (letter >= 0x80 && letter < 0x800 && room >= 2) {
        out[0] = (char)(0xc0 | letter >> 6);
        out[1] = (char)(0x80 | (letter & 0x3f));
        return 2;
    }
    if (letter >= 0x800 && room >= 3) {
        /* Halves of what needs two are not put together. */
        letter = letter >= 0xd800 && letter < 0xe000 ? 0xfffd : letter;
        out[0] = (char)(0xe0 | letter >> 12);
        out[1] = (char)(0x80 | (letter >> 6 & 0x3f));
        out[2] = (char)(0x80 | (letter & 0x3f));
        return 3;
    }
    return 0;
}

/* The end of one that is too long: of a path, that matters more. */
static void copy_piece(struct piece piece, char* out, size_t size) {
    enum { MOST_LETTERS = MOST_TEXT / 3 };
    unsigned char bytes[2 * MOST_LETTERS];
    size_t used = 0;
    if (piece.length > MOST_LETTERS) {
        piece.at += (uint64_t)(piece.length - MOST_LETTERS) * piece.width;
        piece.length = MOST_LETTERS;
    }
    if (piece.at == 0 || !ph_peek(piece.at, bytes, (size_t)piece.length * piece.width))
        piece.length = 0;
    for (size_t i = 0; i < piece.length; i++) {
        unsigned letter =
            piece.width == 1 ? bytes[i] : (unsigned)(bytes[2 * i] | bytes[2 * i + 1] << 8);
        size_t length = put_letter(out + used, size - 1 - used, letter);
        if (length == 0)
            break;
        used += length;
    }
    out[used] = '\0';
}

/* Of two parts, where it has them. */
static void peek_text(uint64_t text, char* out, size_t size) {
    struct piece piece = is_text(text) ? find_piece(text) : (struct piece){0};
    out[0] = '\0';
    if (piece.at != 0) {
        copy_piece(piece, out, size);
    } else if (is_text(text) && (type_of(text) & v8.form_mask) == PAIR) {
        copy_piece(find_piece(field(text, v8.first)), out, size);
        size_t used = strlen(out);
        copy_piece(find_piece(field(text, v8.second)), out + used, size - used);
    }
}

/* Functions */

/* Since lines are counted from the beginning of a script, those of some functions are kept. */
static unsigned line_at(uint64_t source, uint32_t position) {
    static struct known {
        uint64_t at;
        uint32_t length, position, line;
    } known[LINES];
    static unsigned char bytes[4096];
    struct piece piece = find_piece(source);
    if (piece.at == 0 || position > piece.length)
        return 0;
    struct known* mine = &known[(position ^ piece.length) % LINES];
    if (mine->at == piece.at && mine->length == piece.length && mine->position == position)
        return mine->line;
    uint32_t line = 1, most = sizeof(bytes) / piece.width;
    for (uint32_t done = 0; done < position; done += most) {
        uint32_t count = position - done < most ? position - done : most;
        if (!ph_peek(piece.at + (uint64_t)done * piece.width, bytes, (size_t)count * piece.width))
            return 0;
        for (uint32_t i = 0; i < count; i++)
            line += bytes[i * piece.width] == '\n' && (piece.width == 1 || bytes[2 * i + 1] == 0);
    }
    *mine = (struct known){piece.at, piece.length, position, line};
    return line;
}

/* Two numbers in a row are where a function begins and ends, the last two if there are more. */
static bool find_place(uint64_t at, unsigned words, uint32_t* place) {
    unsigned row = 0;
    uint64_t before = 0, last = 0;
    for (unsigned i = 0; i <= words; i++) {
        uint64_t word = i < words ? peek_word(at + 8ull * i) : 1;
        if (is_number(word)) {
            before = last;
            last = word;
            row++;
            continue;
        }
        if (row >= 2 && before < last) {
            *place = (uint32_t)(before >> 32);
            return true;
        }
        row = 0;
    }
    return false;
}

/* What a scope knows of its function: flags, numbers of arguments and of local names, in newer
 * versions its place, the local names and as many numbers, its name, in older versions its place.
 */
static void describe_scope(uint64_t scope, char* name, size_t size, bool* found, uint32_t* place) {
    uint64_t first = scope - 1 + 8, count = field(scope, 8 + 8 * v8.locals);
    uint64_t at = first + 8ull * (unsigned)(v8.locals + 1);
    *found = find_place(at, 2, place);
    if (!is_number(count) || count >> 32 > MOST_LOCALS)
        return;
    count >>= 32;
    at += *found ? 16 : 0;
    at += 8 * (count <= MOST_INLINE ? 2 * count : 1 + count);
    /* The first text that is not empty; what comes then is another scope. */
    for (unsigned i = 0; i < 4 && name[0] == '\0'; i++) {
        uint64_t word = peek_word(at + 8ull * i);
        if (is_text(word))
            peek_text(word, name, size);
        else if (!is_number(word))
            break;
    }
    if (!*found)
        *found = find_place(at, 8, place);
}

static void describe(uint64_t shared, uint64_t script, char* name, size_t size, unsigned* line) {
    uint64_t about = field(shared, v8.shared_name);
    uint32_t place;
    bool found = false;
    name[0] = '\0';
    if (is_text(about))
        peek_text(about, name, size);
    else if (type_of(about) == v8.type_scope)
        describe_scope(about, name, size, &found, &place);
    *line = found ? line_at(field(script, v8.script_source), place) : 0;
}

/* Whether it is a function that has a script; V8's own have not. */
static bool tell(uint64_t function, struct ph_stack* stack) {
    char name[MOST_TEXT], file[MOST_TEXT] = "";
    unsigned line;
    uint64_t shared = field(function, v8.function_shared);
    if (type_of(shared) != v8.type_shared)
        return false;
    uint64_t script = field(shared, v8.shared_script);
    bool has_script = type_of(script) == v8.type_script;
    if (has_script)
        peek_text(field(script, v8.script_name), file, sizeof(file));
    describe(shared, script, name, sizeof(name), &line);
    if (has_script || name[0] != '\0')
        ph_stack_frame(stack, name, file, 0, line);
    return has_script;
}

/* Frames: each begins with where the one around it is, and below that a mark or a context. */

static bool is_mark(uint64_t word, int type) {
    return type != 0 && word == (uint64_t)type << 1;
}

static bool is_exit(uint64_t frame, uint64_t from) {
    if (frame <= from || frame - from > STACK_BYTES || (frame & 7) != 0)
        return false;
    uint64_t mark = peek_word(frame + (uint64_t)FRAME_MARK);
    bool found = is_mark(mark, v8.exit) || is_mark(mark, v8.builtin_exit);
    for (size_t i = 0; i < sizeof(api_exits) / sizeof(api_exits[0]); i++)
        found |= is_mark(mark, api_exits[i]);
    return found;
}

/* An entry from native code keeps where that had been called. */
static uint64_t before_entry(uint64_t frame) {
    for (unsigned i = 2; i < ENTRY_WORDS; i++) {
        uint64_t word = peek_word(frame - 8ull * i);
        if (is_exit(word, frame))
            return word;
    }
    return 0;
}

static unsigned walk(uint64_t frame, struct ph_stack* stack) {
    unsigned count = 0;
    for (unsigned i = 0; i < MOST_STEPS && count < PH_STACK_FRAMES && frame != 0; i++) {
        uint64_t mark = peek_word(frame + (uint64_t)FRAME_MARK);
        if (is_mark(mark, v8.entry) || is_mark(mark, v8.construct_entry)) {
            frame = before_entry(frame);
            continue;
        }
        if (is_object(mark))
            count += tell(peek_word(frame + (uint64_t)FRAME_FUNCTION), stack);
        uint64_t next = peek_word(frame);
        if (next <= frame || next - frame > STACK_BYTES || (next & 7) != 0)
            break;
        frame = next;
    }
    return count;
}

/* Where an isolate keeps its innermost frame before native code is not known from outside: it is
 * the word that points to such a frame. Its offset; 0: native code has not been called. */
static uint64_t find_top(uint64_t isolate, uint64_t stack_pointer) {
    static uint64_t words[ISOLATE_BYTES / 8];
    uint64_t found = 0;
    memset(words, 0, sizeof(words));
    for (size_t at = 0; at < sizeof(words); at += 4096)
        ph_peek(isolate + at, (char*)words + at, 4096);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (is_exit(words[i], stack_pointer) && (found == 0 || words[i] < words[found]))
            found = i;
    return found * sizeof(words[0]);
}

bool ph_v8_frames(void* isolate, uint64_t stack_pointer, uint64_t frame, struct ph_stack* stack) {
    size_t before = stack->size;
    uint64_t offset = top_frame;
    if (!complete)
        return false;
    if (offset == 0)
        offset = find_top((uintptr_t)isolate, stack_pointer);
    uint64_t top = offset != 0 ? peek_word((uintptr_t)isolate + offset) : 0;
    if (is_exit(top, stack_pointer) && walk(top, stack) > 0) {
        top_frame = offset;
        return true;
    }
    /* Not in C++, but in code that V8 has made or brought: that has frames of the same form. */
    stack->size = before;
    return frame >= stack_pointer && frame - stack_pointer < STACK_BYTES && (frame & 7) == 0 &&
           top == 0 && walk(frame, stack) > 0;
}
