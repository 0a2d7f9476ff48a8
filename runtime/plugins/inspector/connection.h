/* One client of the inspector's server, on the server's thread: first a request, then WebSocket. */
#ifndef PH_INSPECTOR_CONNECTION_H
#define PH_INSPECTOR_CONNECTION_H

#include "mail.h"
#include "server.h"
#include "websocket.h"

enum { PH_MOST_CONNECTIONS = 1024 };

typedef struct ph_connection {
    struct ph_connection* next;
    ph_server* server;
    int id;
    uv_tcp_t tcp;
    ph_ws ws; /* also holds the request's bytes until it is whole */
    bool is_websocket;
    bool is_ending;
} ph_connection;

struct ph_server {
    uv_loop_t loop;
    uv_thread_t thread;
    uv_async_t wake;
    ph_mailbox orders;
    ph_mailbox* box; /* the world's */
    uv_tcp_t* listener;
    uv_timer_t patience; /* with clients that do not take what is left for them at the end */
    ph_connection* connections;
    int connection_count;
    int last_id;
    bool is_ending;
    char* host;
    int port;
    char* id;
    char* list;
    char* version;
    bool is_listed;
    char space[65536]; /* where connections read to */
};

void ph_connection_accept(ph_server* server, uv_stream_t* listener);
ph_connection* ph_connection_find(ph_server* server, int id);
void ph_connection_send(ph_connection* connection, const char* text, size_t length);
/* With the frame that says so, if that is asked for; what was sent before goes out first. */
void ph_connection_end(ph_connection* connection, bool says_so);
void ph_connection_drop(ph_connection* connection);

#endif
