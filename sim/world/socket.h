#ifndef PH_SIM_SOCKET_H
#define PH_SIM_SOCKET_H

/* Sockets of the world. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "world/world.h"

enum ph_socket_state {
    PH_SOCKET_NEW,
    PH_SOCKET_LISTENING,
    PH_SOCKET_CONNECTING,
    PH_SOCKET_CONNECTED,
    PH_SOCKET_ENDED /* reset, or refused */
};

/* An address in one form: IPv4 and IPv6 share ports, Unix sockets have a path. */
struct ph_address {
    sa_family_t family; /* 0: none */
    uint16_t port;
    int host; /* whose address it is; -1: nobody's */
    bool any; /* all addresses of the host */
    bool loopback;
    struct sockaddr_storage raw;
    socklen_t raw_size;
};

/* Bytes on their way or at their end; datagrams keep their borders. */
struct ph_packet {
    struct uv__queue node;
    struct ph_event event; /* of a datagram on its way */
    uint64_t sent;
    uint64_t arrives;
    size_t size;
    size_t used; /* read already */
    bool end;    /* the sender has shut down: no bytes */
    struct ph_address from;
    struct ph_address to;
    int host; /* of the sender */
    unsigned char bytes[];
};

enum { PH_COUNTER = 0x100 }; /* beside the types of sockets: see counter.h */

struct ph_socket {
    struct uv__queue node; /* in world.sockets */
    struct uv__queue watches;
    int type;            /* SOCK_STREAM, SOCK_DGRAM or PH_COUNTER */
    uint32_t more_names; /* descriptors beside the first: copies by dup(2) */
    int family;
    int host;
    int pid;
    bool blocking;
    enum ph_socket_state state;
    bool open; /* some descriptor names it */
    bool bound;
    bool exclusive; /* no reuse of its port was asked for */
    bool only_ipv6;
    bool end_sent;    /* shut down for writing, */
    bool end_came;    /* and by the other side */
    bool end_arrived; /* the peer has learned of the end */
    bool read_off;    /* shut down for reading */
    bool no_room;     /* a sender was told to wait */
    bool dead;        /* nothing arrives any more, and nobody is told */
    int error;        /* for SO_ERROR and the next call */
    struct ph_address local;
    struct ph_address peer_address;
    struct ph_socket* peer; /* of a stream; NULL once it is gone */

    struct uv__queue arrived; /* packets to be read */
    size_t arrived_size;
    struct uv__queue flying; /* packets to the peer, in order */
    size_t flying_size;
    struct ph_event arrival; /* of the first of them */
    uint64_t last_arrival;
    uint64_t patience; /* how long the way has been cut, for retries */
    struct ph_event room;
    size_t send_limit;

    struct uv__queue accepts; /* of a listener: sockets that nobody has accepted yet */
    struct uv__queue in_accepts;
    int backlog;
    int waiting;
    struct ph_event connect;
    uint64_t asked; /* when its connection attempt began */
    int tries;
    bool answered; /* the connection attempt is on its way back */
    struct ph_event reset;

    uint64_t count;  /* of a counter, */
    bool one_by_one; /* EFD_SEMAPHORE */
    int clock;       /* of a timer; -1: it is an eventfd */
    uint64_t interval;
    struct ph_event expiry;
    char path[sizeof(((struct sockaddr_un*)0)->sun_path) + 1];
};

/* All with the lock held; errors are positive errno values, 0 is success. */
struct ph_socket* ph_socket_new(int family, int type);
void ph_socket_close(struct ph_socket* socket, bool reset);
/* Frees a stream that is closed and whose end has arrived; others stay. */
void ph_socket_settle(struct ph_socket* socket);
void ph_socket_send_reset(struct ph_socket* socket);
uint32_t ph_socket_events(const struct ph_socket* socket);
/* Those of a process (or any: -1) on a host (or any: -1), as the kernel would when it ends. */
void ph_sockets_close_all(int pid, int host);
/* The host stops at once: nobody is told, what was on the way to it is lost. */
void ph_sockets_vanish(int host);

int ph_address_read(struct ph_address* address, int host, const struct sockaddr* raw,
                    socklen_t size);
void ph_address_write(const struct ph_address* address, struct sockaddr* raw, socklen_t* size);
void ph_address_settle(struct ph_address* own, const struct ph_address* towards);
int ph_socket_bind(struct ph_socket* socket, const struct ph_address* address);
int ph_socket_bind_any(struct ph_socket* socket);
/* The socket that gets what is sent to the address; NULL: nobody. */
struct ph_socket* ph_socket_at(int type, const struct ph_address* address);

int ph_flow_connect(struct ph_socket* socket, const struct ph_address* address);
int ph_flow_connect_path(struct ph_socket* socket, struct ph_socket* listener);
struct ph_socket* ph_flow_accept(struct ph_socket* listener);
ssize_t ph_flow_send(struct ph_socket* socket, const struct iovec* parts, size_t count);
ssize_t ph_flow_receive(struct ph_socket* socket, const struct iovec* parts, size_t count,
                        bool peek);
void ph_flow_shutdown(struct ph_socket* socket);
void ph_flow_free_packets(struct uv__queue* list);

/* Lists of buffers. */
size_t ph_parts_size(const struct iovec* parts, size_t count);
void ph_parts_read(const struct iovec* parts, size_t count, unsigned char* to, size_t size);
void ph_parts_write(const struct iovec* parts, size_t count, size_t skip, const unsigned char* from,
                    size_t size);

ssize_t ph_datagram_send(struct ph_socket* socket, const struct ph_address* to,
                         const struct iovec* parts, size_t count);
ssize_t ph_datagram_receive(struct ph_socket* socket, struct ph_address* from,
                            const struct iovec* parts, size_t count, bool peek, bool* cut);

/* For read(2) and write(2), without the lock: `ours` says whether it was a socket of the world. */
ssize_t ph_socket_read(int fd, const struct iovec* parts, int count, bool* ours);
ssize_t ph_socket_write(int fd, const struct iovec* parts, int count, bool* ours);

#endif
