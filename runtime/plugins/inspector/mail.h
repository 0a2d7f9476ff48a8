/* Messages from other threads to a world that is inspected. The world is woken if it sleeps, and
 * sees a flag when it runs. */
#ifndef PH_INSPECTOR_MAIL_H
#define PH_INSPECTOR_MAIL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

typedef enum {
    PH_MAIL_OPENED,
    PH_MAIL_TEXT,
    PH_MAIL_CLOSED,
    PH_MAIL_ANNOUNCED, /* a worker can be inspected; the connection is its number */
    PH_MAIL_GONE,      /* and has ended */
} ph_mail_kind;

typedef struct ph_mail {
    struct ph_mail* next;
    ph_mail_kind kind;
    int connection;
    size_t length;
    char text[];
} ph_mail;

typedef struct {
    uv_mutex_t lock;
    uv_cond_t came;
    ph_mail* first;
    ph_mail** last;
    atomic_bool is_waiting; /* there is some */
    uv_async_t* knock;      /* NULL: the world has no loop that waits */
} ph_mailbox;

/* 0, or an error. */
int ph_mailbox_open(ph_mailbox* box);
void ph_mailbox_close(ph_mailbox* box);
/* A message that finds no memory is lost. */
void ph_mailbox_put(ph_mailbox* box, ph_mail_kind kind, int connection, const char* text,
                    size_t length);
/* The next one, to be freed; NULL: none. Who waits, waits for a moment, and looks whether its world
 * is to end. */
ph_mail* ph_mailbox_take(ph_mailbox* box, bool waits);

#endif
