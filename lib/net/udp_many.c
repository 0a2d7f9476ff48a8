#include "net/udp_many.h"

#include <errno.h>
#include <stddef.h>

#include "os/refusal.h"

static int no_receiving; /* a sandbox refuses recvmmsg */
static int no_sending;

/* A filter of packets refuses a datagram with the same errors as a sandbox refuses the call. On no
 * descriptor at all the kernel says EBADF. */
static bool receiving_is_refused(void) {
    return recvmmsg(-1, NULL, 0, 0, NULL) == -1 && ph_is_refusal(errno);
}

static bool sending_is_refused(void) {
    return sendmmsg(-1, NULL, 0, 0) == -1 && ph_is_refusal(errno);
}

/* Whether the call that has failed is refused, which is remembered; keeps errno if not. */
static bool learn(int* refused, bool (*is_refused)(void)) {
    int error = errno;
    if (!ph_is_refusal(error))
        return false;
    bool answer = is_refused();
    __atomic_store_n(refused, answer, __ATOMIC_RELAXED);
    errno = error;
    return answer;
}

/* The first message may find an error; a later one leaves it for the next call. */
static int receive_singly(int fd, struct mmsghdr* messages, unsigned int count) {
    unsigned int i = 0;
    for (; i < count; i++) {
        ssize_t n = recvmsg(fd, &messages[i].msg_hdr, i > 0 ? MSG_DONTWAIT : 0);
        if (n == -1)
            break;
        messages[i].msg_len = (unsigned int)n;
    }
    return i > 0 ? (int)i : -1;
}

static int send_singly(int fd, struct mmsghdr* messages, unsigned int count) {
    unsigned int i = 0;
    for (; i < count; i++) {
        if (sendmsg(fd, &messages[i].msg_hdr, MSG_NOSIGNAL) == -1)
            break;
    }
    return i > 0 ? (int)i : -1;
}

int ph_udp_receive_many(int fd, struct mmsghdr* messages, unsigned int count) {
    if (!__atomic_load_n(&no_receiving, __ATOMIC_RELAXED)) {
        int n = recvmmsg(fd, messages, count, 0, NULL);
        if (n != -1 || !learn(&no_receiving, receiving_is_refused))
            return n;
    }
    return receive_singly(fd, messages, count);
}

int ph_udp_send_many(int fd, struct mmsghdr* messages, unsigned int count) {
    if (!__atomic_load_n(&no_sending, __ATOMIC_RELAXED)) {
        int n = sendmmsg(fd, messages, count, MSG_NOSIGNAL);
        if (n != -1 || !learn(&no_sending, sending_is_refused))
            return n;
    }
    return send_singly(fd, messages, count);
}
