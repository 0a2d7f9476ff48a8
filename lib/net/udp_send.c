/*
 * Sending datagrams. The first send on an idle handle leaves at once; those that follow in the same
 * iteration are queued and leave together, with few system calls. Callbacks always run later, from
 * the loop.
 *
 * A request is in the handle's write_queue until the kernel has taken it or refused it, then in
 * write_completed_queue until its callback. send_queue_size and send_queue_count tell of both.
 */

#include <limits.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/un.h>

#include "base/bufs.h"
#include "base/error.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/request.h"
#include "net/udp.h"
#include "net/udp_many.h"
#include "os/poller.h"

enum {
    BATCH = 32,          /* messages in one sendmmsg */
    BATCH_IOVS = 256,    /* buffers of datagrams that were joined into segmented messages */
    SEGMENTS = 64,       /* what every kernel with segmentation takes */
    SEGMENT_SIZE = 1472, /* longer datagrams would have to be fragmented: not with segmentation */
    SEGMENTED_SIZE = 65000, /* of one message, all segments: fits an IP packet of either version */
    INLINE_BUFS = 4
};

_Static_assert(sizeof(uv_buf_t) == sizeof(struct iovec), "buffers are given to the kernel");

struct datagram {
    const uv_buf_t* bufs;
    unsigned int nbufs;
    const struct sockaddr* addr; /* NULL: connected */
    size_t size;
};

/* What one sendmmsg sends. A message may carry several datagrams of one size to one address. */
struct batch {
    struct mmsghdr messages[BATCH];
    unsigned int datagrams[BATCH]; /* per message */
    unsigned int count;
    bool may_segment;
    /* Of the last message. */
    size_t segment_size;
    size_t total_size;
    bool is_open;          /* more datagrams may join */
    unsigned int iov_used; /* of iovs */
    struct iovec iovs[BATCH_IOVS];
    struct {
        _Alignas(struct cmsghdr) char bytes[CMSG_SPACE(sizeof(uint16_t))];
    } control[BATCH];
};

static socklen_t size_of_address(const struct sockaddr* addr) {
    return addr != NULL ? ph_udp_address_size(addr) : 0;
}

static void fill_message(struct msghdr* message, const struct datagram* datagram) {
    memset(message, 0, sizeof(*message));
    message->msg_name = (void*)datagram->addr;
    message->msg_namelen = size_of_address(datagram->addr);
    message->msg_iov = (struct iovec*)datagram->bufs;
    message->msg_iovlen = datagram->nbufs;
}

static void batch_begin(struct batch* batch, bool may_segment) {
    batch->count = 0;
    batch->iov_used = 0;
    batch->may_segment = may_segment;
}

static bool goes_to(const struct msghdr* message, const struct sockaddr* addr) {
    if (message->msg_name == NULL || addr == NULL)
        return message->msg_name == NULL && addr == NULL;
    return message->msg_namelen == ph_udp_address_size(addr) &&
           memcmp(message->msg_name, addr, message->msg_namelen) == 0;
}

/* Whether the datagram may share message `i`, the batch's last. */
static bool fits_into(const struct batch* batch, unsigned int i, const struct datagram* datagram) {
    const struct msghdr* last = &batch->messages[i].msg_hdr;
    size_t iovs = datagram->nbufs + (batch->datagrams[i] == 1 ? last->msg_iovlen : 0);
    return batch->is_open && datagram->size > 0 && datagram->size <= batch->segment_size &&
           batch->datagrams[i] < SEGMENTS && batch->total_size + datagram->size <= SEGMENTED_SIZE &&
           batch->iov_used + iovs <= BATCH_IOVS && goes_to(last, datagram->addr);
}

static void append_iovs(struct batch* batch, const struct iovec* iovs, size_t count) {
    memcpy(&batch->iovs[batch->iov_used], iovs, count * sizeof(*iovs));
    batch->iov_used += (unsigned int)count;
}

static void join(struct batch* batch, unsigned int i, const struct datagram* datagram) {
    struct msghdr* last = &batch->messages[i].msg_hdr;
    if (batch->datagrams[i] == 1) {
        struct iovec* own = &batch->iovs[batch->iov_used];
        append_iovs(batch, last->msg_iov, last->msg_iovlen);
        last->msg_iov = own;
        last->msg_control = &batch->control[i];
        last->msg_controllen = sizeof(batch->control[i]);
        struct cmsghdr* control = (struct cmsghdr*)batch->control[i].bytes;
        uint16_t size = (uint16_t)batch->segment_size;
        memset(&batch->control[i], 0, sizeof(batch->control[i]));
        control->cmsg_level = SOL_UDP;
        control->cmsg_type = UDP_SEGMENT;
        control->cmsg_len = CMSG_LEN(sizeof(size));
        memcpy(CMSG_DATA(control), &size, sizeof(size));
    }
    append_iovs(batch, (const struct iovec*)datagram->bufs, datagram->nbufs);
    last->msg_iovlen += datagram->nbufs;
    batch->datagrams[i]++;
    batch->total_size += datagram->size;
    /* Only the last segment may be shorter. */
    batch->is_open = datagram->size == batch->segment_size;
}

/* False: the batch is full. */
static bool batch_add(struct batch* batch, const struct datagram* datagram) {
    if (batch->count > 0 && fits_into(batch, batch->count - 1, datagram)) {
        join(batch, batch->count - 1, datagram);
        return true;
    }
    /* Without room to join many, a new batch does better than single datagrams in this one. */
    if (batch->count == BATCH || batch->iov_used + SEGMENTS > BATCH_IOVS)
        return false;
    fill_message(&batch->messages[batch->count].msg_hdr, datagram);
    batch->datagrams[batch->count++] = 1;
    batch->segment_size = datagram->size;
    batch->total_size = datagram->size;
    batch->is_open = batch->may_segment && datagram->size > 0 && datagram->size <= SEGMENT_SIZE;
    return true;
}

/* A caller that has set the option on the socket itself does its own segmentation. */
static bool may_segment(uv_udp_t* handle) {
    if (!(handle->flags & (PH_UDP_SEGMENTS | PH_UDP_NO_SEGMENTS))) {
        int value = 0;
        socklen_t size = sizeof(value);
        bool known = getsockopt(handle->io_watcher.fd, SOL_UDP, UDP_SEGMENT, &value, &size) == 0;
        handle->flags |= known && value == 0 ? PH_UDP_SEGMENTS : PH_UDP_NO_SEGMENTS;
    }
    return (handle->flags & PH_UDP_SEGMENTS) != 0;
}

/* The route or the device does not do segmentation: each datagram goes by itself from now on. */
static bool refuses_segments(uv_udp_t* handle, const struct batch* batch, int err) {
    if (batch->datagrams[0] == 1)
        return false;
    if (err != UV_EINVAL && err != UV_EIO && err != UV_EMSGSIZE && err != UV_ENOTSUP)
        return false;
    handle->flags &= ~(unsigned)PH_UDP_SEGMENTS;
    handle->flags |= PH_UDP_NO_SEGMENTS;
    return true;
}

/* How many datagrams have left: at least 1, or the error of the first. */
static int batch_send(const uv_udp_t* handle, struct batch* batch) {
    int n;
    do
        n = ph_udp_send_many(handle->io_watcher.fd, batch->messages, batch->count);
    while (n == -1 && errno == EINTR);
    if (n <= 0)
        return n == 0 || errno == ENOBUFS ? UV_EAGAIN : ph_errno();
    int datagrams = 0;
    for (int i = 0; i < n; i++)
        datagrams += (int)batch->datagrams[i];
    return datagrams;
}

static int send_one(const uv_udp_t* handle, const struct datagram* datagram) {
    struct msghdr message;
    ssize_t n;
    fill_message(&message, datagram);
    do
        n = sendmsg(handle->io_watcher.fd, &message, MSG_NOSIGNAL);
    while (n == -1 && errno == EINTR);
    if (n >= 0)
        return (int)n;
    return errno == ENOBUFS ? UV_EAGAIN : ph_errno();
}

static uv_udp_send_t* request_of(struct uv__queue* node) {
    return PH_CONTAINER_OF(node, uv_udp_send_t, internal.queue);
}

static struct datagram datagram_of(const uv_udp_send_t* req) {
    const struct sockaddr* addr = &req->internal.to.addr;
    return (struct datagram){.bufs = req->internal.bufs,
                             .nbufs = req->internal.nbufs,
                             .addr = addr->sa_family != AF_UNSPEC ? addr : NULL,
                             .size = req->room.bytes_done};
}

static void complete(uv_udp_t* handle, struct uv__queue* node, int status) {
    request_of(node)->internal.status = status;
    ph_queue_remove(node);
    ph_queue_push(&handle->write_completed_queue, node);
}

/* How many of the first queued requests are settled; UV_EAGAIN when the socket is full. */
static int send_some(uv_udp_t* handle) {
    struct uv__queue* head = &handle->write_queue;
    if (head->next->next == head) {
        struct datagram datagram = datagram_of(request_of(head->next));
        int n = send_one(handle, &datagram);
        return n >= 0 ? 1 : n;
    }
    struct batch batch;
    batch_begin(&batch, may_segment(handle));
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        struct datagram datagram = datagram_of(request_of(node));
        if (!batch_add(&batch, &datagram))
            break;
    }
    int n = batch_send(handle, &batch);
    return n < 0 && refuses_segments(handle, &batch, n) ? 0 : n;
}

/* Whoever has sent something is called again in the pending phase: also for what the callbacks of
 * these sends will send. */
void ph_udp_send_queued(uv_udp_t* handle) {
    struct uv__queue* head = &handle->write_queue;
    while (!ph_queue_empty(head)) {
        int n = send_some(handle);
        if (n == UV_EAGAIN) {
            ph_watcher_start(handle->loop, &handle->io_watcher, EPOLLOUT);
            return;
        }
        ph_watcher_feed(handle->loop, &handle->io_watcher, EPOLLOUT);
        if (n < 0)
            complete(handle, head->next, n);
        for (int i = 0; i < n; i++)
            complete(handle, head->next, 0);
    }
    ph_watcher_stop(handle->loop, &handle->io_watcher, EPOLLOUT);
}

static void free_bufs(uv_udp_send_t* req) {
    if (req->internal.bufs != req->internal.inline_bufs)
        ph_loop_free(req->handle->loop, req->internal.bufs);
}

/* What a callback sends is not in the list that is walked: it waits for the next turn. */
void ph_udp_report_sent(uv_udp_t* handle) {
    struct uv__queue completed;
    struct uv__queue* node;
    handle->flags |= PH_UDP_REPORTING;
    ph_queue_move(&completed, &handle->write_completed_queue);
    while ((node = ph_queue_pop(&completed)) != NULL) {
        uv_udp_send_t* req = request_of(node);
        handle->send_queue_size -= req->room.bytes_done;
        handle->send_queue_count--;
        free_bufs(req);
        ph_request_end(handle->loop);
        if (req->cb != NULL)
            PH_DISPATCH(handle->loop, req, req->cb, req, (int)req->internal.status);
        else
            ph_tell_request_ends(handle->loop, req);
    }
    handle->flags &= ~(unsigned)PH_UDP_REPORTING;
    ph_udp_settle(handle);
}

void ph_udp_cancel_queued(uv_udp_t* handle) {
    while (!ph_queue_empty(&handle->write_queue))
        complete(handle, handle->write_queue.next, UV_ECANCELED);
    ph_udp_report_sent(handle);
}

/* Fills in the datagram's size. */
static int check_before_send(const uv_udp_t* handle, struct datagram* datagram) {
    const uv_buf_t* bufs = datagram->bufs;
    const struct sockaddr* addr = datagram->addr;
    if (handle->type != UV_UDP || ph_is_closing(handle) || bufs == NULL || datagram->nbufs == 0)
        return UV_EINVAL;
    if (addr != NULL && (handle->flags & PH_UDP_CONNECTED))
        return UV_EISCONN;
    if (addr == NULL && !(handle->flags & PH_UDP_CONNECTED))
        return UV_EDESTADDRREQ;
    if (addr != NULL && ph_udp_address_size(addr) == 0)
        return UV_EINVAL;
    return ph_bufs_size(bufs, datagram->nbufs, &datagram->size) ? 0 : UV_EINVAL;
}

static int fill_request(uv_loop_t* loop, uv_udp_send_t* req, const struct datagram* datagram) {
    struct uv__udp_send_state* state = &req->internal;
    uv_buf_t* bufs = state->inline_bufs;
    if (datagram->nbufs > INLINE_BUFS)
        bufs = ph_loop_malloc(loop, datagram->nbufs * sizeof(*bufs));
    if (bufs == NULL)
        return UV_ENOMEM;
    memcpy(bufs, datagram->bufs, datagram->nbufs * sizeof(*bufs));
    state->bufs = bufs;
    state->nbufs = datagram->nbufs;
    state->to.addr.sa_family = AF_UNSPEC;
    if (datagram->addr != NULL)
        memcpy(&state->to, datagram->addr, ph_udp_address_size(datagram->addr));
    req->room.bytes_done = datagram->size;
    return 0;
}

int uv_udp_send(uv_udp_send_t* req, uv_udp_t* handle, const uv_buf_t* bufs, unsigned int nbufs,
                const struct sockaddr* addr, uv_udp_send_cb send_cb) {
    struct datagram datagram = {bufs, nbufs, addr, 0};
    int err = check_before_send(handle, &datagram);
    if (err == 0 && addr != NULL)
        err = ph_udp_ensure_socket(handle, addr->sa_family, 0);
    if (err != 0)
        return err;
    err = fill_request(handle->loop, req, &datagram);
    if (err != 0)
        return err;
    ph_request_init(handle->loop, req, UV_UDP_SEND);
    req->handle = handle;
    req->cb = send_cb;
    bool idle = handle->send_queue_count == 0;
    handle->send_queue_size += datagram.size;
    handle->send_queue_count++;
    ph_queue_push(&handle->write_queue, &req->internal.queue);
    ph_handle_start(handle);
    if (handle->flags & PH_UDP_REPORTING)
        ph_watcher_start(handle->loop, &handle->io_watcher, EPOLLOUT);
    else if (idle)
        ph_udp_send_queued(handle);
    if (!ph_watcher_wants(&handle->io_watcher, EPOLLOUT))
        ph_watcher_feed(handle->loop, &handle->io_watcher, EPOLLOUT);
    return 0;
}

static int ready_to_try(uv_udp_t* handle, struct datagram* datagram) {
    int err = check_before_send(handle, datagram);
    if (err != 0)
        return err;
    if (handle->send_queue_count != 0)
        return UV_EAGAIN;
    const struct sockaddr* addr = datagram->addr;
    return addr != NULL ? ph_udp_ensure_socket(handle, addr->sa_family, 0) : 0;
}

int ph_udp_ready_to_try(uv_udp_t* handle, const uv_buf_t* buf, const struct sockaddr* addr) {
    struct datagram datagram = {buf, 1, addr, 0};
    return ready_to_try(handle, &datagram);
}

int uv_udp_try_send(uv_udp_t* handle, const uv_buf_t* bufs, unsigned int nbufs,
                    const struct sockaddr* addr) {
    struct datagram datagram = {bufs, nbufs, addr, 0};
    int err = ready_to_try(handle, &datagram);
    return err != 0 ? err : send_one(handle, &datagram);
}

/* Datagram `i` of a call to uv_udp_try_send2. False: nothing that could be sent. */
static bool datagram_at(unsigned int i, uv_buf_t* bufs[], const unsigned int nbufs[],
                        struct sockaddr* addrs[], struct datagram* datagram) {
    const struct sockaddr* addr = addrs != NULL ? addrs[i] : NULL;
    *datagram = (struct datagram){bufs[i], nbufs[i], addr, 0};
    return nbufs[i] != 0 && ph_bufs_size(bufs[i], nbufs[i], &datagram->size) &&
           (addr == NULL || ph_udp_address_size(addr) != 0);
}

/* The datagrams from `first` on, as many as fit. */
static int try_batch(uv_udp_t* handle, unsigned int first, unsigned int count, uv_buf_t* bufs[],
                     const unsigned int nbufs[], struct sockaddr* addrs[]) {
    struct batch batch;
    struct datagram datagram;
    batch_begin(&batch, count - first > 1 && may_segment(handle));
    for (unsigned int i = first; i < count; i++) {
        datagram_at(i, bufs, nbufs, addrs, &datagram);
        if (!batch_add(&batch, &datagram))
            break;
    }
    int n = batch_send(handle, &batch);
    return n < 0 && refuses_segments(handle, &batch, n) ? 0 : n;
}

int uv_udp_try_send2(uv_udp_t* handle, unsigned int count, uv_buf_t* bufs[], unsigned int nbufs[],
                     struct sockaddr* addrs[], unsigned int flags) {
    struct datagram datagram;
    if (handle->type != UV_UDP || ph_is_closing(handle) || flags != 0 || count == 0)
        return UV_EINVAL;
    for (unsigned int i = 0; i < count; i++) {
        if (!datagram_at(i, bufs, nbufs, addrs, &datagram))
            return UV_EINVAL;
    }
    if (handle->send_queue_count != 0)
        return UV_EAGAIN;
    if (addrs != NULL && addrs[0] != NULL) {
        int err = ph_udp_ensure_socket(handle, addrs[0]->sa_family, 0);
        if (err != 0)
            return err;
    } else if (!(handle->flags & PH_UDP_CONNECTED)) {
        return UV_EDESTADDRREQ;
    }
    unsigned int sent = 0;
    while (sent < count && sent < INT_MAX) {
        int n = try_batch(handle, sent, count, bufs, nbufs, addrs);
        if (n < 0)
            return sent > 0 ? (int)sent : n;
        sent += (unsigned int)n;
    }
    return (int)sent;
}

size_t uv_udp_get_send_queue_size(const uv_udp_t* handle) {
    return handle->send_queue_size;
}

size_t uv_udp_get_send_queue_count(const uv_udp_t* handle) {
    return handle->send_queue_count;
}
