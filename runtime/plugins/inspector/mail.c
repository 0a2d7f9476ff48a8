#include "mail.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 100 * 1000 * 1000 }; /* ns */

int ph_mailbox_open(ph_mailbox* box) {
    memset(box, 0, sizeof(*box));
    box->last = &box->first;
    int status = uv_mutex_init(&box->lock);
    if (status != 0)
        return status;
    status = uv_cond_init(&box->came);
    if (status != 0)
        uv_mutex_destroy(&box->lock);
    return status;
}

void ph_mailbox_close(ph_mailbox* box) {
    for (ph_mail* one; (one = ph_mailbox_take(box, false)) != NULL;)
        free(one);
    uv_cond_destroy(&box->came);
    uv_mutex_destroy(&box->lock);
}

void ph_mailbox_put(ph_mailbox* box, ph_mail_kind kind, int connection, const char* text,
                    size_t length) {
    ph_mail* mail = malloc(sizeof(*mail) + length + 1);
    if (mail == NULL)
        return;
    mail->next = NULL;
    mail->kind = kind;
    mail->connection = connection;
    mail->length = length;
    if (length > 0)
        memcpy(mail->text, text, length);
    mail->text[length] = '\0';
    uv_mutex_lock(&box->lock);
    *box->last = mail;
    box->last = &mail->next;
    atomic_store(&box->is_waiting, true);
    uv_cond_signal(&box->came);
    if (box->knock != NULL)
        uv_async_send(box->knock);
    uv_mutex_unlock(&box->lock);
}

ph_mail* ph_mailbox_take(ph_mailbox* box, bool waits) {
    uv_mutex_lock(&box->lock);
    if (waits && box->first == NULL)
        uv_cond_timedwait(&box->came, &box->lock, PATIENCE);
    ph_mail* mail = box->first;
    if (mail != NULL) {
        box->first = mail->next;
        if (box->first == NULL) {
            box->last = &box->first;
            atomic_store(&box->is_waiting, false);
        }
    }
    uv_mutex_unlock(&box->lock);
    return mail;
}
