/* While a function takes long, a recording wants to know who runs inside it (phasor.h). The engine
 * asks us now and then whether it should go on; that is when we look. */
#include "engine/stacks.h"

#include <string.h>

#include "engine/patched.h"
#include "engine/trace.h"

enum { MOST_FRAMES = 64 };

static int (*is_wanted)(void);
static void (*tell)(const struct phasor_frame* frames, unsigned count);

static const char script[] = "(script)";

typedef struct {
    struct phasor_frame frames[MOST_FRAMES];
    unsigned count;
} stack;

static const char* name_of(JSContext* ctx, JSValueConst function) {
    JSValue value = ph_trace_own_name(ctx, function);
    const char* text = JS_IsString(value) ? JS_ToCString(ctx, value) : NULL;
    JS_FreeValue(ctx, value);
    return text;
}

static void add_frame(void* data, JSContext* ctx, JSValueConst function, bool is_whole_text,
                      JSAtom file, int line, int column, int running) {
    stack* all = data;
    if (all->count == MOST_FRAMES)
        return;
    const char* path = file != JS_ATOM_NULL ? JS_AtomToCString(ctx, file) : NULL;
    bool is_script = path != NULL && ph_trace_is_script(path, is_whole_text, line, column);
    all->frames[all->count++] = (struct phasor_frame){is_script ? script : name_of(ctx, function),
                                                      path, line, running > 0 ? running : line};
}

void ph_stacks_look(ph_env* env) {
    stack all = {.count = 0};
    if (!ph_trace_on() || is_wanted == NULL || &js_each_frame == NULL || !is_wanted())
        return;
    js_each_frame(env->ctx, add_frame, &all);
    tell(all.frames, all.count);
    for (unsigned i = 0; i < all.count; i++) {
        if (all.frames[i].function != script)
            JS_FreeCString(env->ctx, all.frames[i].function);
        JS_FreeCString(env->ctx, all.frames[i].file);
    }
}

/* With another libuv there are no such functions. */
void ph_stacks_init(void) {
    void* found = PH_IN_LIBRARY(phasor_trace_stack);
    void* asked = PH_IN_LIBRARY(phasor_trace_stack_wanted);
    memcpy(&tell, &found, sizeof(found));
    if (found != NULL)
        memcpy(&is_wanted, &asked, sizeof(asked));
}
