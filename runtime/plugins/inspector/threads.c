/* The inspectors of all threads: each can write to any other. */
#include "inspector.h"

static uv_once_t once = UV_ONCE_INIT;
static uv_mutex_t lock;
static ph_inspector* first;

static void prepare(void) {
    uv_mutex_init(&lock);
}

void ph_threads_add(ph_inspector* in) {
    uv_once(&once, prepare);
    uv_mutex_lock(&lock);
    in->thread = ph_worker_id(in->env);
    in->next = first;
    first = in;
    uv_mutex_unlock(&lock);
}

static bool post(int thread, ph_mail_kind kind, int connection, const char* text, size_t length) {
    for (ph_inspector* in = first; in != NULL; in = in->next) {
        if (in->thread == thread) {
            ph_mailbox_put(&in->box, kind, connection, text, length);
            return true;
        }
    }
    return false;
}

void ph_threads_remove(ph_inspector* in) {
    uv_mutex_lock(&lock);
    for (ph_inspector** link = &first; *link != NULL; link = &(*link)->next) {
        if (*link == in) {
            *link = in->next;
            break;
        }
    }
    post(0, PH_MAIL_GONE, in->thread, NULL, 0);
    uv_mutex_unlock(&lock);
}

/* post(thread, kind, connection, text): whether there is such a thread, and it is inspected */
static JSValue post_text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    size_t length;
    int thread = ph_int(ctx, argv[0], -1);
    int kind = ph_int(ctx, argv[1], PH_MAIL_TEXT);
    int connection = ph_int(ctx, argv[2], 0);
    const char* text = ph_text(ctx, argv[3], &length);
    if (text == NULL)
        return JS_EXCEPTION;
    uv_mutex_lock(&lock);
    bool found = kind >= PH_MAIL_OPENED && kind <= PH_MAIL_GONE &&
                 post(thread, (ph_mail_kind)kind, connection, text, length);
    uv_mutex_unlock(&lock);
    JS_FreeCString(ctx, text);
    return JS_NewBool(ctx, found);
}

void ph_threads_export(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {JS_CFUNC_DEF("post", 4, post_text)};
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
