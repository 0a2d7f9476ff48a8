/*
 * Who runs inside Lua. Its state is nowhere to be found, so the calls of C into Lua are noted on
 * their way. It is asked as the interpreters of Lua's authors ask it to stop: a signal's handler,
 * on its own thread, sets a hook that Lua calls before its next instruction. Code that LuaJIT has
 * compiled looks for no hooks: then it answers when it is back in its interpreter, which is in the
 * same function. A program that has a hook of its own is not asked.
 */

#include <stdio.h>
#include <string.h>

#include "recorder/find.h"
#include "recorder/sampler.h"
#include "slots/slots.h"

enum { CALLS = 1, RETURNS = 2, COUNT = 8 }; /* of what a hook is told */
enum { CALL, RETURN };                      /* and what it is told then */

struct description { /* lua_Debug, of which each version says more */
    _Alignas(8) unsigned char bytes[512];
};

/* Where in it things are, as the headers of each version have it. The names come first in all. */
enum { NAME = 8, WHAT = 24, SOURCE = 32 };
struct layout {
    uint8_t running;
    uint8_t line;
};

typedef void (*hook)(void* state, void* description);

static struct {
    struct layout layout;
    int (*call)(void* state, int arguments, int results, int handler);
    int (*call_k)(void* state, int arguments, int results, int handler, intptr_t context,
                  void* next);
    int (*set_hook)(void* state, hook called, int mask, int count);
    hook (*get_hook)(void* state);
    int (*enter)(void* state, int level, struct description* description);
    int (*describe)(void* state, const char* what, struct description* description);
} lua;

static bool find(void* function, const char* name) {
    void* found = ph_find_symbol(name);
    memcpy(function, &found, sizeof(found));
    return found != NULL;
}

/* The state in which the calling thread runs Lua from now on; which that was. */
static void* note(void* state) {
    struct ph_buffer* buffer = ph_own_buffer();
    if (buffer == NULL)
        return NULL;
    void* before = buffer->lua;
    __atomic_store_n(&buffer->lua, state, __ATOMIC_RELAXED);
    return before;
}

/* Protected calls alone always come back here, so that what is noted is never of a state that is
 * gone. */
static int call(void* state, int arguments, int results, int handler) {
    void* before = note(state);
    int status = lua.call(state, arguments, results, handler);
    note(before);
    return status;
}

/* From 5.2 on. One that may be left for a while, to go on in `next`, need not come back. */
static int call_k(void* state, int arguments, int results, int handler, intptr_t context,
                  void* next) {
    if (next != NULL)
        return lua.call_k(state, arguments, results, handler, context, next);
    void* before = note(state);
    int status = lua.call_k(state, arguments, results, handler, context, next);
    note(before);
    return status;
}

static const char* text_at(const struct description* from, size_t at) {
    const char* text;
    memcpy(&text, from->bytes + at, sizeof(text)); /* NOLINT: its size is that of a pointer */
    return text != NULL ? text : "";
}

static unsigned number_at(const struct description* from, size_t at) {
    int number;
    memcpy(&number, from->bytes + at, sizeof(number));
    return number > 0 ? (unsigned)number : 0;
}

/* A source is a file after '@', what its maker calls it after '=', or else its own text, of which
 * the beginning is shown as Lua does it. */
static const char* name_source(const char* source, char* text, size_t size) {
    enum { MOST = 40 };
    size_t line = strcspn(source, "\r\n");
    if (*source == '@' || *source == '=')
        return source + 1;
    snprintf(text, size, "[string \"%.*s\"]", line < MOST ? (int)line : MOST, source);
    return text;
}

/* Code of C has no file and no line. */
static void tell_frame(struct ph_stack* stack, const struct description* frame) {
    const char *name = text_at(frame, NAME), *what = text_at(frame, WHAT);
    char text[64];
    if (strcmp(what, "C") == 0) {
        if (*name != '\0')
            ph_stack_frame(stack, name, "", 0, 0);
        return;
    }
    if (strcmp(what, "tail") == 0)
        return;
    if (strcmp(what, "main") == 0)
        name = "(script)";
    ph_stack_frame(stack, name, name_source(text_at(frame, SOURCE), text, sizeof(text)),
                   number_at(frame, lua.layout.line), number_at(frame, lua.layout.running));
}

static bool is_of_c(const struct description* frame) {
    return strcmp(text_at(frame, WHAT), "C") == 0;
}

/* One that is about to be called has done nothing yet. One that returns has taken the time. */
static void on_hook(void* state, void* description) {
    struct description frame;
    struct ph_stack stack;
    int level = 0, event;
    memcpy(&event, description, sizeof(event));
    lua.set_hook(state, NULL, 0, 0);
    if (lua.enter(state, 0, &frame) != 1 || lua.describe(state, "nSl", &frame) == 0)
        return;
    level += event == CALL && is_of_c(&frame);
    if (!ph_stack_begin(&stack,
                        event == RETURN && is_of_c(&frame) ? PH_STACK_AFTER : PH_STACK_COMPILED))
        return;
    size_t head = stack.size;
    for (; level < PH_STACK_FRAMES && lua.enter(state, level, &frame) == 1; level++)
        if (lua.describe(state, "nSl", &frame) != 0)
            tell_frame(&stack, &frame);
    if (stack.size > head)
        ph_stack_end(&stack);
}

void ph_lua_ask(void) {
    struct ph_buffer* buffer = ph_own_buffer();
    void* state = buffer != NULL ? buffer->lua : NULL;
    if (state != NULL && lua.get_hook(state) == NULL)
        lua.set_hook(state, on_hook, CALLS | RETURNS | COUNT, 1);
}

void ph_lua_find(void) {
    const struct slot_wish wishes[] = {{"lua_pcall", (void*)call},     /* NOLINT */
                                       {"lua_pcallk", (void*)call_k}}; /* NOLINT */
    bool is_5_1 = find(&lua.call, "lua_pcall"), is_later = find(&lua.call_k, "lua_pcallk");
    bool is_5_4 = ph_find_symbol("lua_closeslot") != NULL;
    if (is_5_1 == is_later || !find(&lua.set_hook, "lua_sethook") ||
        !find(&lua.get_hook, "lua_gethook") || !find(&lua.enter, "lua_getstack") ||
        !find(&lua.describe, "lua_getinfo"))
        return;
    lua.layout = is_5_1   ? (struct layout){.running = 40, .line = 48}
                 : is_5_4 ? (struct layout){.running = 48, .line = 52}
                          : (struct layout){.running = 40, .line = 44};
    slots_take(is_5_1 ? &wishes[0] : &wishes[1], 1, NULL);
}

void ph_lua_leave(void) {
    slots_give_back();
}
