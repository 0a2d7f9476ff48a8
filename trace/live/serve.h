#ifndef PH_TOOLS_SERVE_H
#define PH_TOOLS_SERVE_H

/* A page over HTTP, for the browser on this machine: only on loopback, below a random path, and
 * only for those who ask for it by a name of this machine (another page that got hold of a name for
 * 127.0.0.1 can't read it). Or figures as text, which whoever may reach them may read. */

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

struct server;

/* Writes the page, or only its data; false: there is none now. */
typedef bool (*serve_write)(void* context, bool only_data, FILE* out);

/* NULL: errno says why. */
struct server* server_open(serve_write write, void* context);
/* One text for everybody who can reach the address, "PORT" or "HOST:PORT" (127.0.0.1 if no host is
 * said; PORT 0: one that is free), below `path` alone. NULL: errno says why; EINVAL: that is no
 * address. */
struct server* server_open_text(const char* where, const char* path, serve_write write,
                                void* context);
/* "http://127.0.0.1:41234/5f..c2/" */
const char* server_address(const struct server* server);
/* Answers for so many seconds, or until *stop is set. */
void server_run(struct server* server, double seconds, const volatile sig_atomic_t* stop);
void server_close(struct server* server);

#endif
