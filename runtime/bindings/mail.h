/* What a message port carries: a value as bytes that belong to no thread. */
#ifndef PH_RUNTIME_MAIL_H
#define PH_RUNTIME_MAIL_H

#include "engine/engine.h"

/* Lies in one block, so that a thread hands it to another by its address. */
typedef struct ph_mail ph_mail;
typedef struct {
    void* block; /* js_take_block */
    size_t length;
} ph_moved;
struct ph_mail {
    ph_mail* next;
    JSSABTab shared; /* memory that the message holds until it is read */
    ph_moved* moved; /* memory of ArrayBuffers that travel */
    size_t moved_count;
    size_t length;
    enum { PH_MAIL_GONE, PH_MAIL_PLAIN, PH_MAIL_PACKED } kind; /* GONE: the other side is closed */
    uint8_t bytes[];
};

/* Lets SharedArrayBuffers travel in messages; before the first one is made. */
void ph_mail_share_memory(ph_env* env);

ph_mail* ph_mail_gone(void);
/* A value as it is. NULL without an exception: it can't be written without asking the program. */
ph_mail* ph_mail_plain(JSContext* ctx, JSValueConst value);
/* Whether ArrayBuffers may travel in a packed value. */
bool ph_mail_can_move(void);
/* A value that JavaScript has made fit for the engine's own copy, and a list of ArrayBuffers that
 * travel: they are detached when nothing can fail any more. NULL and an exception. */
ph_mail* ph_mail_packed(JSContext* ctx, JSValueConst value, JSValueConst buffers);
/* For the others of a group, to whom no memory travels. */
ph_mail* ph_mail_copy(const ph_mail* mail);
/* The property `b` of a packed value is the list of ArrayBuffers that came with it. */
JSValue ph_mail_read(JSContext* ctx, ph_mail* mail);
void ph_mail_free(ph_mail* mail);

#endif
