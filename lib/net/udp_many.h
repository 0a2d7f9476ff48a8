#ifndef PH_NET_UDP_MANY_H
#define PH_NET_UDP_MANY_H

/* Several messages in one call, like recvmmsg and sendmmsg without flags of the caller's; message
 * by message where these are refused. -1 with errno: none. */

#include <sys/socket.h>

int ph_udp_receive_many(int fd, struct mmsghdr* messages, unsigned int count);
int ph_udp_send_many(int fd, struct mmsghdr* messages, unsigned int count);

#endif
