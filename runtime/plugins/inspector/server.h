/* The inspector's server: a thread with a loop of its own, so that a script that is busy can be
 * reached. */
#ifndef PH_INSPECTOR_SERVER_H
#define PH_INSPECTOR_SERVER_H

#include "mail.h"

typedef struct ph_server ph_server;

typedef struct {
    const char* host;
    int port;         /* 0: any */
    const char* id;   /* the path, which only those know who may get in */
    const char* list; /* JSON of the target without its addresses, for /json */
    const char* version;
    bool is_listed; /* in /json */
} ph_server_settings;

/* 0 and the server, whose events go to the mailbox, or an error. */
int ph_server_start(const ph_server_settings* settings, ph_mailbox* box, ph_server** made);
int ph_server_port(const ph_server* server);
/* From the world's thread. An empty text ends the connection. */
void ph_server_send(ph_server* server, int connection, const char* text, size_t length);
/* Stops listening; connections go on if they may. */
void ph_server_refuse(ph_server* server);
/* Sends what is waiting, ends all connections and the thread. */
void ph_server_stop(ph_server* server);

#endif
