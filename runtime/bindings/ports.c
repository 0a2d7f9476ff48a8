#include "bindings/ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/mail.h"
#include "bindings/worker.h"
#include "bindings/world.h"
#include "engine/gate.h"

typedef struct port {
    struct port* next;
    int id;
    int peer;
    char* group;   /* of a broadcast channel, which has no peer */
    ph_env* owner; /* NULL while it travels */
    ph_mail* head;
    ph_mail* tail;
} port;

/* One lock for all ports of the process: messages are few against what they carry. */
static uv_once_t once = UV_ONCE_INIT;
static uv_mutex_t lock;
static port* ports;
static int last_id;

static void init(void) {
    uv_mutex_init(&lock);
}

static port* find(int id) {
    port* one = ports;
    while (one != NULL && one->id != id)
        one = one->next;
    return one;
}

/* In the order of their making, in which they get their messages. */
static void append(port* made) {
    port** link = &ports;
    while (*link != NULL)
        link = &(*link)->next;
    made->id = ++last_id;
    *link = made;
}

static void wake(ph_env* env) {
    if (env != NULL && ph_world_of(env)->mailbox != NULL)
        uv_async_send(ph_world_of(env)->mailbox);
}

void ph_ports_wake(ph_env* env) {
    uv_mutex_lock(&lock);
    wake(env);
    uv_mutex_unlock(&lock);
}

/* The next message for this world, taken out; false if there is none. */
static bool take(ph_env* env, int* id, ph_mail** taken) {
    bool found = false;
    uv_mutex_lock(&lock);
    for (port* one = ports; one != NULL && !found; one = one->next) {
        if (one->owner != env || one->head == NULL)
            continue;
        *id = one->id;
        *taken = one->head;
        one->head = one->head->next;
        if (one->head == NULL)
            one->tail = NULL;
        found = true;
    }
    uv_mutex_unlock(&lock);
    return found;
}

static size_t waiting(ph_env* env) {
    size_t count = 0;
    uv_mutex_lock(&lock);
    for (port* one = ports; one != NULL; one = one->next)
        for (ph_mail* next = one->owner == env ? one->head : NULL; next != NULL; next = next->next)
            count++;
    uv_mutex_unlock(&lock);
    return count;
}

enum { MOST_AT_ONCE = 1000 };
enum { UNREADABLE = PH_MAIL_PACKED + 1 };

/* The hook gets the port, what came, and what kind of message it is. */
static int tell(ph_env* env, int id, ph_mail* taken) {
    JSContext* ctx = env->ctx;
    int kind = taken->kind;
    JSValue value = kind == PH_MAIL_GONE ? JS_UNDEFINED : ph_mail_read(ctx, taken);
    ph_mail_free(taken);
    if (JS_IsException(value)) {
        value = JS_GetException(ctx);
        kind = UNREADABLE;
    }
    JSValue args[3] = {JS_NewInt32(ctx, id), value, JS_NewInt32(ctx, kind)};
    return ph_gate_call_in(env, JS_UNDEFINED, env->hooks[PH_HOOK_MESSAGE], JS_UNDEFINED, 3, args);
}

static void on_mail(uv_async_t* async) {
    ph_env* env = async->loop->data;
    ph_mail* taken;
    int id;
    if (ph_worker_should_stop(env)) {
        env->stopping = true;
        uv_stop(env->loop);
        return;
    }
    /* As many as wait now, and a good deal of what they bring; the rest lets others have their
     * turn. */
    size_t left = waiting(env);
    if (left < MOST_AT_ONCE)
        left = MOST_AT_ONCE;
    for (; left > 0 && !env->stopping && take(env, &id, &taken); left--) {
        int status = tell(env, id, taken);
        /* After an exception, what it left in the queues comes before the next message. */
        if (status != 0 || env->gate.drain_failed)
            left = 1;
    }
    if (left == 0)
        uv_async_send(async);
    ph_worker_reap(env);
}

static void on_closed(uv_handle_t* handle) {
    free(handle);
}

int ph_ports_open(ph_env* env) {
    uv_once(&once, init);
    if (ph_world_of(env)->mailbox != NULL)
        return 0;
    uv_async_t* mailbox = calloc(1, sizeof(*mailbox));
    if (mailbox == NULL)
        return UV_ENOMEM;
    int status = uv_async_init(env->loop, mailbox, on_mail);
    if (status != 0) {
        free(mailbox);
        return status;
    }
    uv_unref((uv_handle_t*)mailbox);
    ph_world_of(env)->mailbox = mailbox;
    return 0;
}

static void drop(port* one) {
    while (one->head != NULL) {
        ph_mail* next = one->head->next;
        ph_mail_free(one->head);
        one->head = next;
    }
    port** link = &ports;
    while (*link != one)
        link = &(*link)->next;
    *link = one->next;
    free(one->group);
    free(one);
}

/* Puts a message into the port's own box. */
static void deliver(port* to, ph_mail* made) {
    if (made == NULL)
        return;
    if (to->tail == NULL)
        to->head = made;
    else
        to->tail->next = made;
    to->tail = made;
    wake(to->owner);
}

static void close_port(port* one) {
    port* peer = one->group != NULL ? NULL : find(one->peer);
    if (peer != NULL)
        deliver(peer, ph_mail_gone());
    drop(one);
}

void ph_ports_close(ph_env* env) {
    if (ph_world_of(env)->mailbox == NULL)
        return;
    uv_mutex_lock(&lock);
    for (port* one = ports; one != NULL;) {
        port* next = one->next;
        if (one->owner == env) {
            close_port(one);
            next = ports; /* the list may have changed anywhere */
        }
        one = next;
    }
    uv_close((uv_handle_t*)ph_world_of(env)->mailbox, on_closed);
    ph_world_of(env)->mailbox = NULL;
    uv_mutex_unlock(&lock);
}

/* pair(): [id, id] */
static JSValue new_pair(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    port* made[2] = {calloc(1, sizeof(port)), calloc(1, sizeof(port))};
    if (made[0] == NULL || made[1] == NULL || ph_ports_open(env) != 0) {
        free(made[0]);
        free(made[1]);
        return JS_ThrowOutOfMemory(ctx);
    }
    uv_mutex_lock(&lock);
    for (int i = 0; i < 2; i++) {
        made[i]->owner = env;
        append(made[i]);
    }
    made[0]->peer = made[1]->id;
    made[1]->peer = made[0]->id;
    uv_mutex_unlock(&lock);
    JSValue ids[2] = {JS_NewInt32(ctx, made[0]->id), JS_NewInt32(ctx, made[1]->id)};
    return JS_NewArrayFrom(ctx, 2, ids);
}

/* join(name): the id of a port that all others of that name hear, in all threads. */
static JSValue join(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    port* made = calloc(1, sizeof(*made));
    char* group = strdup(name);
    JS_FreeCString(ctx, name);
    if (made == NULL || group == NULL || ph_ports_open(env) != 0) {
        free(made);
        free(group);
        return JS_ThrowOutOfMemory(ctx);
    }
    made->group = group;
    made->owner = env;
    uv_mutex_lock(&lock);
    append(made);
    uv_mutex_unlock(&lock);
    return JS_NewInt32(ctx, made->id);
}

/* To all of the group but the sender. */
static void broadcast(const port* from, const ph_mail* made) {
    for (port* one = ports; one != NULL; one = one->next)
        if (one != from && one->group != NULL && strcmp(one->group, from->group) == 0)
            deliver(one, ph_mail_copy(made));
}

/* hasGroup(name): whether somebody has joined it */
static JSValue has_group(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_ports_open(ph_env_of(ctx));
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    uv_mutex_lock(&lock);
    const port* one = ports;
    while (one != NULL && (one->group == NULL || strcmp(one->group, name) != 0))
        one = one->next;
    uv_mutex_unlock(&lock);
    JS_FreeCString(ctx, name);
    return JS_NewBool(ctx, one != NULL);
}

int ph_ports_make_box(int thread) {
    char name[32];
    snprintf(name, sizeof(name), "\x01thread:%d", thread);
    port* made = calloc(1, sizeof(*made));
    char* group = strdup(name);
    if (made == NULL || group == NULL) {
        free(made);
        free(group);
        return 0;
    }
    made->group = group;
    uv_mutex_lock(&lock);
    append(made);
    int id = made->id;
    uv_mutex_unlock(&lock);
    return id;
}

void ph_ports_drop_box(int id) {
    uv_mutex_lock(&lock);
    port* one = find(id);
    if (one != NULL)
        drop(one);
    uv_mutex_unlock(&lock);
}

/* arePeers(id, id) */
static JSValue are_peers(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_ports_open(ph_env_of(ctx));
    uv_mutex_lock(&lock);
    const port* one = find(ph_int(ctx, argv[0], 0));
    bool are = one != NULL && one->peer != 0 && one->peer == ph_int(ctx, argv[1], -1);
    uv_mutex_unlock(&lock);
    return JS_NewBool(ctx, are);
}

enum { PLAIN, PACKED };

/* post(id, value), postPacked(id, value, buffers): to the other side, or to all of the group. False
 * if there is nobody; undefined if a value that is not packed has to be. */
static JSValue post(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    ph_mail* made =
        magic == PLAIN ? ph_mail_plain(ctx, argv[1]) : ph_mail_packed(ctx, argv[1], argv[2]);
    if (made == NULL)
        return magic == PLAIN ? JS_UNDEFINED : JS_EXCEPTION;
    uv_mutex_lock(&lock);
    port* from = find(ph_int(ctx, argv[0], 0));
    port* to = from == NULL || from->group != NULL ? NULL : find(from->peer);
    if (to != NULL)
        deliver(to, made);
    bool in_group = from != NULL && from->group != NULL;
    if (in_group)
        broadcast(from, made);
    uv_mutex_unlock(&lock);
    if (to == NULL)
        ph_mail_free(made);
    return JS_NewBool(ctx, to != NULL || in_group);
}

/* canMove(): whether postPacked takes buffers */
static JSValue can_move(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewBool(ctx, ph_mail_can_move());
}

enum { CLOSE, RELEASE, ADOPT };

/* close(id); release(id): the port travels; adopt(id): it has arrived here */
static JSValue change(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    if (ph_ports_open(env) != 0)
        return JS_ThrowOutOfMemory(ctx);
    uv_mutex_lock(&lock);
    port* one = find(ph_int(ctx, argv[0], 0));
    if (one != NULL && magic == CLOSE) {
        close_port(one);
    } else if (one != NULL) {
        one->owner = magic == ADOPT ? env : NULL;
        if (one->head != NULL)
            wake(one->owner);
    }
    uv_mutex_unlock(&lock);
    return JS_UNDEFINED;
}

/* receive(id): [value, kind] or undefined, without waiting */
static JSValue receive(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_mutex_lock(&lock);
    port* one = find(ph_int(ctx, argv[0], 0));
    ph_mail* taken = one == NULL ? NULL : one->head;
    if (taken != NULL && taken->kind != PH_MAIL_GONE) {
        one->head = taken->next;
        if (one->head == NULL)
            one->tail = NULL;
    } else {
        taken = NULL;
    }
    uv_mutex_unlock(&lock);
    if (taken == NULL)
        return JS_UNDEFINED;
    JSValue got[2] = {ph_mail_read(ctx, taken), JS_NewInt32(ctx, taken->kind)};
    ph_mail_free(taken);
    return JS_IsException(got[0]) ? got[0] : JS_NewArrayFrom(ctx, 2, got);
}

static JSValue hold(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    if (ph_world_of(env)->mailbox == NULL)
        return JS_UNDEFINED;
    if (ph_flag(ctx, argv[0]))
        uv_ref((uv_handle_t*)ph_world_of(env)->mailbox);
    else
        uv_unref((uv_handle_t*)ph_world_of(env)->mailbox);
    return JS_UNDEFINED;
}

JSValue ph_ports_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("pair", 0, new_pair),
        JS_CFUNC_DEF("join", 1, join),
        JS_CFUNC_DEF("hasGroup", 1, has_group),
        JS_CFUNC_DEF("arePeers", 2, are_peers),
        JS_CFUNC_MAGIC_DEF("post", 2, post, PLAIN),
        JS_CFUNC_MAGIC_DEF("postPacked", 3, post, PACKED),
        JS_CFUNC_DEF("canMove", 0, can_move),
        JS_CFUNC_MAGIC_DEF("close", 1, change, CLOSE),
        JS_CFUNC_MAGIC_DEF("release", 1, change, RELEASE),
        JS_CFUNC_MAGIC_DEF("adopt", 1, change, ADOPT),
        JS_CFUNC_DEF("receive", 1, receive),
        JS_CFUNC_DEF("hold", 1, hold),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_worker_export(ctx, binding);
    return binding;
}
