#include "fs/ring.h"

#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/queue.h"
#include "core/loop.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "fs/request.h"
#include "os/poller.h"
#include "thread/pool.h"
#include "trace/trace.h"

/*
 * One ring per loop, opened on its first read if the environment asks for it. It takes reads, where
 * a deep queue lets the disk work on more at once than the pool has threads. Everything else goes
 * to the pool: the kernel would only pass it on to threads of its own.
 *
 * Requests are submitted together, by the loop's next pending round; until then they can be
 * cancelled. The ring's descriptor is watched while something is in flight, but only to end the
 * wait: what has finished by then is taken with the mail, as work of the pool is. There are never
 * more requests in flight than the completion queue holds.
 *
 * The kernel's interface is used directly: two mapped arrays and three system calls are less than
 * another library to build with.
 */

enum {
    SUBMISSIONS = 256,
    COMPLETIONS = 1024,
    MOST_BYTES = 64 << 10, /* a larger read would keep the loop from its other work */
    SQPOLL_IDLE = 50       /* ms */
};

struct uv__ring {
    uv__io_t watcher; /* its fd is the ring's */
    unsigned in_flight;
    bool sqpoll;
    unsigned tail;    /* ours; the kernel's follows when we submit */
    uintptr_t number; /* no other ring of the process has it */

    unsigned* sq_head;
    unsigned* sq_tail;
    unsigned* sq_flags;
    unsigned sq_entries;
    struct io_uring_sqe* sqes;
    unsigned* cq_head;
    unsigned* cq_tail;
    unsigned cq_mask;
    struct io_uring_cqe* cqes;
    void* rings;
    size_t rings_size;
    size_t sqes_size;
};

/* A loop whose ring could not be had. */
static struct uv__ring refused;
static uintptr_t rings_opened;

/* Where a request is, in req->room; then its place in the queue, and the number of its ring. */
enum place { NOT_HERE, QUEUED, SUBMITTED, CANCELLED };

static void set_place(uv_fs_t* req, enum place place) {
    req->room.reserved[0] = (void*)place;
}

static enum place place_of(const uv_fs_t* req) {
    return (enum place)(uintptr_t)req->room.reserved[0];
}

static uv_fs_t* request_at(const struct uv__ring* ring, unsigned index) {
    return (uv_fs_t*)(uintptr_t)ring->sqes[index & (ring->sq_entries - 1)].user_data;
}

/* Opening and closing */

/* With one thread in the pool, one thing is to happen after the other: the ring would overtake. */
static bool is_asked_for(void) {
    const char* value = getenv("UV_USE_IO_URING");
    const char* threads = getenv("UV_THREADPOOL_SIZE");
    return value != NULL && atoi(value) != 0 && (threads == NULL || atoi(threads) > 1);
}

static bool supports_operations(int fd) {
    static const int needed[] = {IORING_OP_NOP, IORING_OP_READV, IORING_OP_READ};
    enum { ASKED = 64 };
    _Alignas(struct io_uring_probe) char
        room[sizeof(struct io_uring_probe) + ASKED * sizeof(struct io_uring_probe_op)] = {0};
    struct io_uring_probe* probe = (struct io_uring_probe*)room;
    if (syscall(SYS_io_uring_register, fd, IORING_REGISTER_PROBE, probe, ASKED) != 0)
        return false;
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
        if (needed[i] > probe->last_op || !(probe->ops[needed[i]].flags & IO_URING_OP_SUPPORTED))
            return false;
    return true;
}

static bool map_ring(struct uv__ring* ring, int fd, const struct io_uring_params* params) {
    const int protection = PROT_READ | PROT_WRITE;
    size_t sq_size = params->sq_off.array + params->sq_entries * sizeof(unsigned);
    size_t cq_size = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);
    ring->rings_size = sq_size > cq_size ? sq_size : cq_size;
    ring->sqes_size = params->sq_entries * sizeof(struct io_uring_sqe);
    ring->rings =
        mmap(NULL, ring->rings_size, protection, MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_SQ_RING);
    if (ring->rings == MAP_FAILED)
        return false;
    ring->sqes =
        mmap(NULL, ring->sqes_size, protection, MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_SQES);
    if (ring->sqes == MAP_FAILED) {
        munmap(ring->rings, ring->rings_size);
        return false;
    }
    char* base = ring->rings;
    ring->sq_head = (unsigned*)(base + params->sq_off.head);
    ring->sq_tail = (unsigned*)(base + params->sq_off.tail);
    ring->sq_flags = (unsigned*)(base + params->sq_off.flags);
    ring->sq_entries = params->sq_entries;
    ring->cq_head = (unsigned*)(base + params->cq_off.head);
    ring->cq_tail = (unsigned*)(base + params->cq_off.tail);
    ring->cq_mask = params->cq_entries - 1;
    ring->cqes = (struct io_uring_cqe*)(base + params->cq_off.cqes);
    unsigned* order = (unsigned*)(base + params->sq_off.array);
    for (unsigned i = 0; i < params->sq_entries; i++)
        order[i] = i;
    return true;
}

static void on_ring(uv_loop_t* loop, uv__io_t* watcher, unsigned int events);

/* Kernels before 5.19 have the operations too, but with bugs in closing and cancelling. */
static struct uv__ring* open_ring(uv_loop_t* loop) {
    struct io_uring_params params = {.flags = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP,
                                     .cq_entries = COMPLETIONS,
                                     .sq_thread_idle = SQPOLL_IDLE};
    if (loop->internal.options & PH_LOOP_SQPOLL)
        params.flags |= IORING_SETUP_SQPOLL;
    struct uv__ring* ring = ph_calloc(1, sizeof(*ring));
    if (ring == NULL)
        return NULL;
    int fd = (int)syscall(SYS_io_uring_setup, SUBMISSIONS, &params);
    if (fd != -1 && (params.features & IORING_FEAT_LINKED_FILE) &&
        (params.features & IORING_FEAT_SINGLE_MMAP) && supports_operations(fd) &&
        ph_poller_reserve(loop, fd) == 0 && map_ring(ring, fd, &params)) {
        ring->sqpoll = (params.flags & IORING_SETUP_SQPOLL) != 0;
        ring->number = __atomic_add_fetch(&rings_opened, 1, __ATOMIC_RELAXED);
        ph_watcher_init(&ring->watcher, on_ring, fd);
        return ring;
    }
    if (fd != -1)
        close(fd);
    ph_free(ring);
    return NULL;
}

static void unmap_and_close(struct uv__ring* ring) {
    munmap(ring->sqes, ring->sqes_size);
    munmap(ring->rings, ring->rings_size);
    close(ring->watcher.fd);
    ph_free(ring);
}

static struct uv__ring* ring_of(uv_loop_t* loop) {
    if (loop->internal.ring == NULL) {
        struct uv__ring* ring = is_asked_for() ? open_ring(loop) : NULL;
        loop->internal.ring = ring != NULL ? ring : &refused;
    }
    return loop->internal.ring != &refused ? loop->internal.ring : NULL;
}

void ph_ring_close(uv_loop_t* loop) {
    struct uv__ring* ring = loop->internal.ring;
    loop->internal.ring = NULL;
    if (ring == NULL || ring == &refused)
        return;
    ph_watcher_close(loop, &ring->watcher);
    unmap_and_close(ring);
}

/* What is in flight is the parent's: the child only lets go of it. */
int ph_ring_fork(uv_loop_t* loop) {
    ph_ring_close(loop);
    return 0;
}

/* Submitting */

static unsigned queued(const struct uv__ring* ring) {
    return ring->tail - __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
}

/* Seekable means that the offset counts, as it does for pread. */
static bool is_small(const uv_fs_t* req) {
    size_t total = 0;
    if (req->nbufs > 16)
        return false;
    for (unsigned i = 0; i < req->nbufs; i++)
        if ((total += req->bufs[i].len) > MOST_BYTES)
            return false;
    return lseek(req->file, 0, SEEK_CUR) != -1;
}

static void prepare(struct io_uring_sqe* sqe, uv_fs_t* req) {
    bool one = req->nbufs == 1;
    memset(sqe, 0, sizeof(*sqe));
    sqe->user_data = (uintptr_t)req;
    sqe->fd = req->file;
    sqe->opcode = one ? IORING_OP_READ : IORING_OP_READV;
    sqe->addr = one ? (uintptr_t)req->bufs->base : (uintptr_t)req->bufs;
    sqe->len = one ? (unsigned)req->bufs->len : req->nbufs;
    sqe->off = req->off < 0 ? (uint64_t)-1 : (uint64_t)req->off;
}

/* Marks as gone what the kernel is about to take: from then on it can't be cancelled. */
static void publish(struct uv__ring* ring) {
    for (unsigned i = *ring->sq_tail; i != ring->tail; i++) {
        uv_fs_t* req = request_at(ring, i);
        if (place_of(req) == QUEUED)
            set_place(req, SUBMITTED);
    }
    __atomic_exchange_n(ring->sq_tail, ring->tail, __ATOMIC_SEQ_CST);
}

/* False: the kernel does not take them. */
static bool submit(struct uv__ring* ring) {
    unsigned flags = 0;
    publish(ring);
    if (ring->sqpoll) {
        if (!(__atomic_load_n(ring->sq_flags, __ATOMIC_SEQ_CST) & IORING_SQ_NEED_WAKEUP))
            return true;
        flags = IORING_ENTER_SQ_WAKEUP;
    }
    unsigned count;
    while ((count = queued(ring)) > 0) {
        long n = syscall(SYS_io_uring_enter, ring->watcher.fd, count, 0, flags, NULL, 0);
        if (n == -1 && errno != EINTR)
            return false;
        if (ring->sqpoll)
            return true;
    }
    return true;
}

/* Finishing: nothing here runs a callback, so nothing is queued meanwhile. */

/* A list of requests that have ended, oldest first. */
struct ended {
    struct uv__work* first;
    struct uv__work** end;
};

static void add(struct ended* list, uv_fs_t* req, ssize_t result) {
    struct uv__work* work = &req->work_req;
    set_place(req, NOT_HERE);
    req->result = result;
    work->done = ph_fs_end;
    work->state = 0;
    work->next = NULL;
    *list->end = work;
    list->end = &work->next;
}

/* Results that say something about the ring, not about the file: the pool finds the real one. */
static bool is_of_the_ring(int result) {
    return result == -ECANCELED || result == -EINTR || result == -EAGAIN || result == -EINVAL ||
           result == -EOPNOTSUPP || result == -ENOSYS;
}

static void complete(struct ended* list, uv_fs_t* req, int result) {
    if (place_of(req) == CANCELLED) {
        add(list, req, UV_ECANCELED);
    } else if (is_of_the_ring(result)) {
        set_place(req, NOT_HERE);
        int err = ph_fs_start_in_pool(req);
        if (err != 0)
            add(list, req, err);
    } else {
        add(list, req, result);
    }
}

/* What the kernel did not take. */
static void give_to_pool(uv_loop_t* loop, struct uv__ring* ring) {
    struct ended list = {.end = &list.first};
    unsigned head = __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
    unsigned end = ring->tail;
    ring->tail = head;
    *ring->sq_tail = head;
    for (; head != end; head++) {
        ring->in_flight--;
        complete(&list, request_at(ring, head), -EAGAIN);
    }
    ph_take_work(loop, list.first);
}

static void watch(uv_loop_t* loop, struct uv__ring* ring) {
    if (ring->in_flight > 0)
        ph_watcher_start(loop, &ring->watcher, EPOLLIN);
    else
        ph_watcher_stop(loop, &ring->watcher, EPOLLIN);
}

void ph_ring_take(uv_loop_t* loop) {
    struct uv__ring* ring = loop->internal.ring;
    struct ended list = {.end = &list.first};
    if (ring == &refused || ring->in_flight == 0)
        return;
    unsigned end = __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE);
    while ((int)(end - *ring->cq_head) > 0) {
        struct io_uring_cqe cqe = ring->cqes[*ring->cq_head & ring->cq_mask];
        uv_fs_t* req = (uv_fs_t*)(uintptr_t)cqe.user_data;
        __atomic_store_n(ring->cq_head, *ring->cq_head + 1, __ATOMIC_RELEASE);
        ring->in_flight--;
        ph_trace_work(PH_EV_RING_DONE, loop, req);
        complete(&list, req, cqe.res);
    }
    ph_take_work(loop, list.first);
    watch(loop, ring);
}

/* In a pending round: requests were queued. In poll there is nothing to do, see ph_ring_take. */
static void on_ring(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    struct uv__ring* ring = PH_CONTAINER_OF(watcher, struct uv__ring, watcher);
    (void)events;
    if (queued(ring) > 0 && !submit(ring)) {
        if (ring->sqpoll)
            ph_watcher_feed(loop, watcher, EPOLLIN); /* its thread may be at them: try again */
        else
            give_to_pool(loop, ring);
    }
    watch(loop, ring);
}

/* For fs/request.c */

void ph_ring_forget(uv_fs_t* req) {
    set_place(req, NOT_HERE);
}

bool ph_ring_owns(const uv_fs_t* req) {
    return place_of(req) != NOT_HERE;
}

bool ph_ring_start(uv_fs_t* req) {
    uv_loop_t* loop = req->loop;
    struct uv__ring* ring;
    if (req->fs_type != UV_FS_READ || !is_small(req) || (ring = ring_of(loop)) == NULL ||
        ring->in_flight == ring->cq_mask + 1 || queued(ring) == ring->sq_entries)
        return false;
    unsigned index = ring->tail++ & (ring->sq_entries - 1);
    prepare(&ring->sqes[index], req);
    set_place(req, QUEUED);
    req->room.reserved[1] = &ring->sqes[index];
    req->room.reserved[2] = (void*)ring->number;
    ring->in_flight++;
    ph_trace_work(PH_EV_RING_SUBMIT, loop, req);
    ph_watcher_feed(loop, &ring->watcher, EPOLLIN);
    return true;
}

/* A request that the kernel has not seen yet becomes one that does nothing. After a fork the child
 * has other rings, or none. */
int ph_ring_cancel(uv_fs_t* req) {
    const struct uv__ring* ring = req->loop->internal.ring;
    struct io_uring_sqe* sqe = req->room.reserved[1];
    if (ring == NULL || ring->number != (uintptr_t)req->room.reserved[2] ||
        place_of(req) == SUBMITTED)
        return UV_EBUSY;
    memset(sqe, 0, sizeof(*sqe));
    sqe->opcode = IORING_OP_NOP;
    sqe->user_data = (uintptr_t)req;
    set_place(req, CANCELLED);
    return 0;
}
