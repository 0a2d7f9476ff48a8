#ifndef PHASOR_GO_H
#define PHASOR_GO_H

/*
 * Coroutines on the loop of a libuv program: straight-line code that waits, beside callbacks. Needs
 * <uv.h> alone, ours or libuv's. docs/COROUTINES.md explains it.
 *
 * Everything here belongs to a loop and is called on its thread, except what says otherwise.
 * Results are 0 or a count, or libuv's negative error codes. Calls that may suspend the coroutine
 * are marked go_suspends; outside of a coroutine, or with a handle of another loop, they return
 * UV_EINVAL. They take a deadline: UV_ETIMEDOUT when it passes. A cancelled coroutine gets
 * UV_ECANCELED from them.
 */

#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef GO_EXTERN
#define GO_EXTERN __attribute__((visibility("default")))
#endif

/* Marks a function that may suspend the coroutine that calls it. Whoever calls one is marked too:
 * go/scripts/suspends.py checks it. */
#ifdef __clang__
#define go_suspends __attribute__((annotate("suspends")))
#else
#define go_suspends
#endif

/* Deadlines: milliseconds on the clock of uv_now. go_after gives the one so many ms from now. */
#define GO_NEVER UINT64_MAX /* no deadline */
#define GO_NOW 0            /* what can be had without waiting */
GO_EXTERN uint64_t go_after(uint64_t ms);

/* Private parts. */
struct go_link;
struct go__list {
    void *next, *prev;
};

/* ---- Coroutines ---- */

typedef struct go_s go_t;
typedef int (*go_fn)(void* arg);

#define GO_NAME_SIZE 24
#define GO_STACK_SMALLEST 16384
#define GO_GUARDS_DEFAULT 10000

typedef struct go_options {
    const char* name; /* GO_NAME_SIZE - 1 bytes of it are kept */
    size_t stack;     /* bytes, rounded up to a power of two; 0: GO_STACK_DEFAULT */
} go_options_t;
/* 64 KB; four times that with a sanitizer. Only what is used takes memory. */
GO_EXTERN extern const size_t GO_STACK_DEFAULT;

/* Starts fn(arg) on the loop. It runs at once, until it waits first. UV_ENOMEM: no stack. */
GO_EXTERN int go_start(uv_loop_t* loop, go_fn fn, void* arg);
/* With options (may be NULL) and, if `handle` is not NULL, a handle for go_join and go_cancel,
 * which is valid until go_release, also after the coroutine's end. */
GO_EXTERN int go_start_with(uv_loop_t* loop, const go_options_t* options, go_fn fn, void* arg,
                            go_t** handle);
GO_EXTERN void go_release(go_t* handle);
/* Waits for the end of the coroutine; *result (may be NULL) is what its function returned. */
GO_EXTERN go_suspends int go_join(go_t* handle, int* result, uint64_t deadline);
/* Ends what it waits for with UV_ECANCELED, and everything that it begins to wait for after that.
 */
GO_EXTERN void go_cancel(go_t* handle);
/* Between go_shield and go_unshield the running coroutine is not cancelled. They nest. */
GO_EXTERN void go_shield(void);
GO_EXTERN void go_unshield(void);
/* 1 if the running coroutine was cancelled. */
GO_EXTERN int go_is_cancelled(void);

GO_EXTERN go_suspends int go_sleep(uint64_t ms);
/* Lets all run that are ready; if nobody is, the loop has one turn. */
GO_EXTERN go_suspends int go_yield(void);

/* The running coroutine; NULL outside. */
GO_EXTERN go_t* go_self(void);
GO_EXTERN const char* go_name(const go_t* go);
GO_EXTERN void go_set_name(const char* name);
/* The loop of the running coroutine; NULL outside. */
GO_EXTERN uv_loop_t* go_loop(void);

/* How many coroutines of the loop have not ended, and each of them with what it waits for ("read",
 * NULL while it is ready or runs). */
GO_EXTERN size_t go_count(uv_loop_t* loop);
GO_EXTERN void go_each(uv_loop_t* loop, void (*visit)(go_t* go, const char* waits_for, void* arg),
                       void* arg);

/* How many stacks of the process have a guard page; further ones are checked when they stop. For
 * stacks not used yet. */
GO_EXTERN void go_set_guards(unsigned count);
/* Gives back the memory of all free stacks now; otherwise that happens bit by bit. */
GO_EXTERN void go_trim(uv_loop_t* loop);
/* Before uv_loop_close, outside of uv_run: frees what this library has on the loop. Lets the loop
 * turn until its handles are closed. UV_EBUSY while there are coroutines. */
GO_EXTERN int go_loop_close(uv_loop_t* loop);
/* A loop, fn(arg) as the first coroutine on it, uv_run until nothing is left; returns what fn
 * returned. When coroutines wait and nothing can wake them, it says on standard error who waits for
 * what, cancels them, and returns UV_ECANCELED. */
GO_EXTERN int go_main(go_fn fn, void* arg);

/* ---- Events, and waiting for any callback ---- */

/*
 * An event is set, with a status, by a callback or a coroutine, and waited for by any number of
 * coroutines. A lasting one stays set until go_event_reset. Others wake those who wait; if nobody
 * does, the next one who asks has it at once.
 *
 * A request of the program's own: its data points to a lasting event, its callback is one of the
 * go_on_... below, and go_event_wait waits for it.
 */
typedef struct go_event {
    struct go__list waiters;
    const uv_handle_t* handle; /* whose event it is; NULL: the program's */
    int status;
    unsigned char lasting, set;
} go_event_t;

GO_EXTERN void go_event_init(go_event_t* event, int lasting);
/* Outside of a coroutine, those who waited run before it returns. */
GO_EXTERN void go_event_set(go_event_t* event, int status);
GO_EXTERN void go_event_reset(go_event_t* event);
/* The status that it was set with. */
GO_EXTERN go_suspends int go_event_wait(go_event_t* event, uint64_t deadline);
/* Waits for the request whose data points to the event. When the deadline passes or the coroutine
 * is cancelled, uv_cancel is tried and its callback waited for: afterwards nobody uses the request.
 * The status of a request that ended after all is returned. */
GO_EXTERN go_suspends int go_request_wait(uv_req_t* request, go_event_t* event, uint64_t deadline);
/* Callbacks that set the event that the request's data points to. */
GO_EXTERN void go_on_write(uv_write_t* request, int status);
GO_EXTERN void go_on_connect(uv_connect_t* request, int status);
GO_EXTERN void go_on_shutdown(uv_shutdown_t* request, int status);
GO_EXTERN void go_on_udp_send(uv_udp_send_t* request, int status);
GO_EXTERN void go_on_fs(uv_fs_t* request); /* the status is the result, or INT_MAX if larger */
GO_EXTERN void go_on_work(uv_work_t* request, int status);
GO_EXTERN void go_on_random(uv_random_t* request, int status, void* buffer, size_t size);

/* Closes a handle and waits until it is closed; this is not cancelled and has no deadline. What
 * others wait for on the handle ends with UV_ECANCELED. The handle may live on the coroutine's
 * stack. A handle that coroutines wait for must be closed with this, not with uv_close. */
GO_EXTERN go_suspends int go_close(uv_handle_t* handle);

/* ---- Streams ---- */

/* What there is, at least one byte and at most `size`. UV_EOF at the end. Several may wait: each
 * gets what comes next, in the order in which they asked. */
GO_EXTERN go_suspends ssize_t go_read(uv_stream_t* stream, void* memory, size_t size,
                                      uint64_t deadline);
/* All of `size` bytes, which it returns, or an error; UV_EOF also if the end comes in between. */
GO_EXTERN go_suspends ssize_t go_read_exactly(uv_stream_t* stream, void* memory, size_t size,
                                              uint64_t deadline);
/* Reading up to a delimiter takes more from the stream than it gives: the reader keeps it, in
 * memory of the program, and is asked from then on. */
typedef struct go_reader {
    uv_stream_t* stream;
    char* memory;
    size_t size, start, end;
} go_reader_t;
GO_EXTERN void go_reader_init(go_reader_t* reader, uv_stream_t* stream, void* memory, size_t size);
GO_EXTERN go_suspends ssize_t go_reader_read(go_reader_t* reader, void* memory, size_t size,
                                             uint64_t deadline);
GO_EXTERN go_suspends ssize_t go_reader_exactly(go_reader_t* reader, void* memory, size_t size,
                                                uint64_t deadline);
/* Up to and with the delimiter: its size, and in *text where it is in the reader's memory, until
 * the next call. UV_ENOBUFS: the memory is full without one. With UV_EOF and UV_ENOBUFS,
 * go_reader_read has what is there. */
GO_EXTERN go_suspends ssize_t go_read_until(go_reader_t* reader, const void* delimiter,
                                            size_t delimiter_size, char** text, uint64_t deadline);

/* All of it: 0, or an error, after which part of it may have been sent and the stream is of no use
 * but to be closed. Several may write: one after the other. */
GO_EXTERN go_suspends int go_write(uv_stream_t* stream, const void* memory, size_t size,
                                   uint64_t deadline);
GO_EXTERN go_suspends int go_write_buffers(uv_stream_t* stream, const uv_buf_t* buffers,
                                           unsigned count, uint64_t deadline);
GO_EXTERN go_suspends int go_shutdown(uv_stream_t* stream, uint64_t deadline);

/* Instead of uv_listen. */
GO_EXTERN int go_listen(uv_stream_t* server, int backlog);
/* Init, bind and listen in one: on the loop, or the coroutine's if it is NULL. After an error the
 * handle is closed, in a coroutine, or being closed. */
GO_EXTERN go_suspends int go_tcp_listen(uv_loop_t* loop, uv_tcp_t* server, const char* ip,
                                        int port);
/* The client is initialized and of the same loop. */
GO_EXTERN go_suspends int go_accept(uv_stream_t* server, uv_stream_t* client, uint64_t deadline);

/* After an error the handle can only be closed. */
GO_EXTERN go_suspends int go_tcp_connect(uv_tcp_t* tcp, const struct sockaddr* address,
                                         uint64_t deadline);
GO_EXTERN go_suspends int go_pipe_connect(uv_pipe_t* pipe, const char* name, uint64_t deadline);
/* Looks the host up, initializes the handle and connects it, to one address after the other. After
 * an error the handle is closed. */
GO_EXTERN go_suspends int go_dial(uv_tcp_t* tcp, const char* host, const char* service,
                                  uint64_t deadline);

/* ---- Datagrams ---- */

GO_EXTERN go_suspends int go_udp_send(uv_udp_t* udp, const void* memory, size_t size,
                                      const struct sockaddr* to, uint64_t deadline);
/* The size of one datagram. `from` and `flags` (UV_UDP_PARTIAL) may be NULL. */
GO_EXTERN go_suspends ssize_t go_udp_receive(uv_udp_t* udp, void* memory, size_t size,
                                             struct sockaddr_storage* from, unsigned* flags,
                                             uint64_t deadline);

/* ---- Names, work on the pool, processes, signals, timers, other threads ---- */

/* *found is freed with uv_freeaddrinfo. */
GO_EXTERN go_suspends int go_getaddrinfo(const char* node, const char* service,
                                         const struct addrinfo* hints, struct addrinfo** found,
                                         uint64_t deadline);
GO_EXTERN go_suspends int go_getnameinfo(const struct sockaddr* address, int flags, char* host,
                                         size_t host_size, char* service, size_t service_size,
                                         uint64_t deadline);
/* fn(arg) on a thread of the pool. Work that has begun is waited for, whatever the deadline says;
 * what has not is taken back: UV_ETIMEDOUT or UV_ECANCELED, and fn is not called. */
GO_EXTERN go_suspends int go_work(void (*fn)(void* arg), void* arg, uint64_t deadline);

/* A child. uv is a handle like any other, and closed with go_close. The exit callback of the
 * options is replaced. */
typedef struct go_process {
    uv_process_t uv;
    go_event_t ended; /* lasting */
    int64_t exit_status;
    int term_signal;
} go_process_t;
GO_EXTERN int go_spawn(uv_loop_t* loop, go_process_t* process, const uv_process_options_t* options);
/* exit_status and term_signal may be NULL. */
GO_EXTERN go_suspends int go_process_wait(go_process_t* process, int64_t* exit_status,
                                          int* term_signal, uint64_t deadline);

/* Signals, ticks of a timer and wake-ups from other threads. One that comes while nobody waits is
 * had by the next who does; more of them count once. The event can be selected on. */
typedef struct go_signal {
    uv_signal_t uv;
    go_event_t caught;
} go_signal_t;
GO_EXTERN int go_signal_start(uv_loop_t* loop, go_signal_t* signal, int number);
GO_EXTERN go_suspends int go_signal_wait(go_signal_t* signal, uint64_t deadline);

typedef struct go_timer {
    uv_timer_t uv;
    go_event_t ticked;
} go_timer_t;
GO_EXTERN int go_timer_start(uv_loop_t* loop, go_timer_t* timer, uint64_t ms, uint64_t repeat_ms);
GO_EXTERN go_suspends int go_timer_wait(go_timer_t* timer, uint64_t deadline);

typedef struct go_async {
    uv_async_t uv; /* uv_async_send(&async.uv) from any thread */
    go_event_t sent;
} go_async_t;
GO_EXTERN int go_async_start(uv_loop_t* loop, go_async_t* async);
GO_EXTERN go_suspends int go_async_wait(go_async_t* async, uint64_t deadline);

/* ---- Files ---- */

/*
 * As uv_fs_... of the same name, on the pool. An operation that a thread has begun is waited for,
 * whatever the deadline says, and its result returned; one that has not begun is taken back.
 */
GO_EXTERN go_suspends int go_fs_open(const char* path, int flags, int mode, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_close(uv_file file, uint64_t deadline);
GO_EXTERN go_suspends ssize_t go_fs_read(uv_file file, void* memory, size_t size, int64_t offset,
                                         uint64_t deadline);
GO_EXTERN go_suspends ssize_t go_fs_write(uv_file file, const void* memory, size_t size,
                                          int64_t offset, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_unlink(const char* path, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_mkdir(const char* path, int mode, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_rmdir(const char* path, uint64_t deadline);
/* The six X at the end of the template are replaced. */
GO_EXTERN go_suspends int go_fs_mkdtemp(char* path_template, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_mkstemp(char* path_template, uint64_t deadline);
/* Calls uv_fs_scandir_next on *request, then uv_fs_req_cleanup. */
GO_EXTERN go_suspends int go_fs_scandir(uv_fs_t* request, const char* path, int flags,
                                        uint64_t deadline);
GO_EXTERN go_suspends int go_fs_opendir(const char* path, uv_dir_t** dir, uint64_t deadline);
/* How many entries there are in dir->dirents now. Their names, which *request keeps, are freed with
 * uv_fs_req_cleanup. */
GO_EXTERN go_suspends int go_fs_readdir(uv_fs_t* request, uv_dir_t* dir, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_closedir(uv_dir_t* dir, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_stat(const char* path, uv_stat_t* stat, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_lstat(const char* path, uv_stat_t* stat, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_fstat(uv_file file, uv_stat_t* stat, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_statfs(const char* path, uv_statfs_t* stat, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_rename(const char* path, const char* new_path, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_copyfile(const char* path, const char* new_path, int flags,
                                         uint64_t deadline);
GO_EXTERN go_suspends int go_fs_fsync(uv_file file, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_fdatasync(uv_file file, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_ftruncate(uv_file file, int64_t offset, uint64_t deadline);
GO_EXTERN go_suspends ssize_t go_fs_sendfile(uv_file out, uv_file in, int64_t in_offset,
                                             size_t size, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_access(const char* path, int mode, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_chmod(const char* path, int mode, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_fchmod(uv_file file, int mode, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_utime(const char* path, double atime, double mtime,
                                      uint64_t deadline);
GO_EXTERN go_suspends int go_fs_futime(uv_file file, double atime, double mtime, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_lutime(const char* path, double atime, double mtime,
                                       uint64_t deadline);
GO_EXTERN go_suspends int go_fs_link(const char* path, const char* new_path, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_symlink(const char* path, const char* new_path, int flags,
                                        uint64_t deadline);
/* Into memory of the program, with an end; UV_ENOBUFS if it is too small. */
GO_EXTERN go_suspends int go_fs_readlink(const char* path, char* memory, size_t size,
                                         uint64_t deadline);
GO_EXTERN go_suspends int go_fs_realpath(const char* path, char* memory, size_t size,
                                         uint64_t deadline);
GO_EXTERN go_suspends int go_fs_chown(const char* path, uv_uid_t uid, uv_gid_t gid,
                                      uint64_t deadline);
GO_EXTERN go_suspends int go_fs_fchown(uv_file file, uv_uid_t uid, uv_gid_t gid, uint64_t deadline);
GO_EXTERN go_suspends int go_fs_lchown(const char* path, uv_uid_t uid, uv_gid_t gid,
                                       uint64_t deadline);

/* ---- Groups ---- */

/*
 * Coroutines that end together. When one returns a negative result, or the deadline of
 * go_group_wait passes, or the one who waits is cancelled, all others are cancelled. go_group_wait
 * must be called, in the coroutine that began the group: it returns when all have ended. A
 * coroutine that ends without it ends the process, with a message.
 */
typedef struct go_group {
    struct go__list members;
    uv_loop_t* loop;
    go_t* owner;
    go_t* waiter;
    int error;
    unsigned char cancelled;
} go_group_t;

/* On the loop, or the coroutine's if it is NULL. */
GO_EXTERN int go_group_init(go_group_t* group, uv_loop_t* loop);
/* UV_ECANCELED if the group is cancelled already: fn is not called. */
GO_EXTERN int go_group_start(go_group_t* group, go_fn fn, void* arg);
GO_EXTERN int go_group_start_with(go_group_t* group, const go_options_t* options, go_fn fn,
                                  void* arg);
GO_EXTERN void go_group_cancel(go_group_t* group);
/* 0, or why the group was cancelled: the first negative result of a member, UV_ETIMEDOUT or
 * UV_ECANCELED. */
GO_EXTERN go_suspends int go_group_wait(go_group_t* group, uint64_t deadline);

/* ---- Channels ---- */

/*
 * Items of one size, first in, first out. With capacity 0 a sender waits for its receiver, with
 * GO_UNBOUNDED it never waits. A channel belongs to the coroutines and callbacks of one loop; a
 * shared one to all loops and threads: there, whoever calls outside of a coroutine blocks its
 * thread. Callbacks use go_try_send
 * and go_try_receive.
 */
typedef struct go_channel go_channel_t;
#define GO_UNBOUNDED SIZE_MAX
/* NULL: no memory. */
GO_EXTERN go_channel_t* go_channel_new(size_t item_size, size_t capacity);
GO_EXTERN go_channel_t* go_channel_new_shared(size_t item_size, size_t capacity);
/* Nobody uses it any more. */
GO_EXTERN void go_channel_free(go_channel_t* channel);
/* UV_EPIPE if the channel is closed. */
GO_EXTERN go_suspends int go_send(go_channel_t* channel, const void* item, uint64_t deadline);
/* UV_EOF if the channel is closed and nothing is left in it. */
GO_EXTERN go_suspends int go_receive(go_channel_t* channel, void* item, uint64_t deadline);
/* The same without waiting: UV_EAGAIN if that is not possible now. Anywhere, also if cancelled. */
GO_EXTERN int go_try_send(go_channel_t* channel, const void* item);
GO_EXTERN int go_try_receive(go_channel_t* channel, void* item);
/* Those who wait are told. */
GO_EXTERN void go_channel_close(go_channel_t* channel);
GO_EXTERN size_t go_channel_count(go_channel_t* channel);

/* Waits until one of several cases can go on, and does that one: its number, and in its status what
 * go_send, go_receive or go_event_wait would have returned. If more can, they take turns. Without
 * cases it waits for the deadline. */
typedef struct go_case {
    int kind;
    void* thing; /* the channel or the event */
    void* item;
    int status;
} go_case_t;
#define GO_CASE_RECEIVE(channel, item) \
    { 0, (channel), (item), 0 }
#define GO_CASE_SEND(channel, item) \
    { 1, (channel), (void*)(item), 0 }
#define GO_CASE_EVENT(event) \
    { 2, (event), NULL, 0 }
#define GO_CASES_MOST 256
GO_EXTERN go_suspends int go_select(go_case_t* cases, unsigned count, uint64_t deadline);

/* ---- Locks, for the coroutines of one loop ---- */

/* Whoever asks first gets it first. All zero is not enough: initialize them. */
typedef struct go_mutex {
    struct go__list waiters;
    go_t* owner;
} go_mutex_t;
GO_EXTERN void go_mutex_init(go_mutex_t* mutex);
/* UV_EINVAL if the coroutine has it already. */
GO_EXTERN go_suspends int go_mutex_lock(go_mutex_t* mutex, uint64_t deadline);
/* UV_EPERM if another one has it. */
GO_EXTERN int go_mutex_unlock(go_mutex_t* mutex);

typedef struct go_condition {
    struct go__list waiters;
} go_condition_t;
GO_EXTERN void go_condition_init(go_condition_t* condition);
/* Gives the mutex up while it waits, and has it again when it returns, whatever it returns. */
GO_EXTERN go_suspends int go_condition_wait(go_condition_t* condition, go_mutex_t* mutex,
                                            uint64_t deadline);
GO_EXTERN void go_condition_signal(go_condition_t* condition);
GO_EXTERN void go_condition_broadcast(go_condition_t* condition);

typedef struct go_semaphore {
    struct go__list waiters;
    unsigned count;
} go_semaphore_t;
GO_EXTERN void go_semaphore_init(go_semaphore_t* semaphore, unsigned count);
GO_EXTERN go_suspends int go_semaphore_acquire(go_semaphore_t* semaphore, uint64_t deadline);
GO_EXTERN void go_semaphore_release(go_semaphore_t* semaphore);

/* ---- Generators ---- */

/*
 * A coroutine that gives one item after the other to whoever asks. It begins with the first
 * go_next, and goes on from go_give with each further one.
 */
typedef struct go_generator {
    void (*fn)(struct go_generator* generator, void* arg);
    void* arg;
    void* item; /* where the next one goes */
    go_t *producer, *consumer;
    unsigned char started, ended;
} go_generator_t;
GO_EXTERN void go_generator_init(go_generator_t* generator,
                                 void (*fn)(go_generator_t* generator, void* arg), void* arg);
/* 1 and the item, 0 when the function has ended, or an error. */
GO_EXTERN go_suspends int go_next(go_generator_t* generator, void* item);
/* In the generator: UV_ECANCELED means that nobody wants more, and the function returns. */
GO_EXTERN go_suspends int go_give(go_generator_t* generator, const void* item, size_t size);
/* Ends it if it has not ended. To be called in any case. */
GO_EXTERN go_suspends void go_generator_end(go_generator_t* generator);

/* ---- Workers: several loops with a thread each. From any thread. ---- */

typedef struct go_workers go_workers_t;
#define GO_ANY UINT32_MAX /* the next one in turn */
/* `count` of them; 0: as many as there are processors. */
GO_EXTERN int go_workers_start(go_workers_t** workers, unsigned count);
GO_EXTERN unsigned go_workers_count(const go_workers_t* workers);
/* Starts fn(arg) on the loop of that number, or GO_ANY. UV_ECANCELED when they are stopped. */
GO_EXTERN int go_workers_go(go_workers_t* workers, unsigned number, const go_options_t* options,
                            go_fn fn, void* arg);
/* Listens at the address on every loop (SO_REUSEPORT); the kernel spreads the connections. Each is
 * served by a coroutine, serve(client, arg), and closed when that returns. *port is given, or, if
 * it is 0, set. */
GO_EXTERN int go_workers_serve(go_workers_t* workers, const char* ip, int* port,
                               int (*serve)(uv_stream_t* client, void* arg), void* arg);
/* Waits until all their coroutines have ended, and frees them; go_workers_stop cancels them first.
 * Both block the thread, which must not be one of theirs. Coroutines that nothing can wake any more
 * are told of and cancelled, as in go_main. */
GO_EXTERN void go_workers_join(go_workers_t* workers);
GO_EXTERN void go_workers_stop(go_workers_t* workers);

/* ---- Actors: from any thread, except what says "in the actor" ---- */

typedef struct go_actor go_actor_t;

/*
 * An actor has a state and a mailbox, and takes one message at a time, in a coroutine on one of the
 * workers' loops: its functions may wait. When begin or receive returns a negative number it has
 * failed: end is called, and after a pause it begins again with a state of zeros and what is left
 * in its mailbox. After more than `restarts` failures within `within_ms` it gives up and ends for
 * good.
 */
typedef struct go_actor_options {
    const char* name;                          /* for go_actor_find; NULL: none */
    int (*begin)(go_actor_t* self, void* arg); /* may be NULL, as may end */
    int (*receive)(go_actor_t* self, const void* message, size_t size);
    void (*end)(go_actor_t* self, int why); /* 0: it was stopped */
    /* A linked actor has ended. Without this function, one that failed takes this one along. */
    int (*linked_ended)(go_actor_t* self, go_actor_t* other, int why);
    void* arg;
    size_t state_size;
    size_t mailbox;         /* how many messages may wait; 0: any number */
    unsigned restarts;      /* 0: it ends with its first failure */
    uint64_t within_ms;     /* 0: ever */
    uint64_t pause_ms;      /* before the first restart; doubled for each further one, */
    uint64_t pause_most_ms; /* up to this; 0: without limit */
    unsigned worker;        /* its number plus 1; 0: the next one in turn */
    size_t stack;
} go_actor_options_t;

/* UV_EEXIST: another one has the name. *actor may be NULL; otherwise go_actor_release is due. */
GO_EXTERN int go_actor_start(go_workers_t* workers, const go_actor_options_t* options,
                             go_actor_t** actor);
/* NULL: there is none. go_actor_release is due. */
GO_EXTERN go_actor_t* go_actor_find(const char* name);
GO_EXTERN go_actor_t* go_actor_retain(go_actor_t* actor);
GO_EXTERN void go_actor_release(go_actor_t* actor);
/* Copies the message into the mailbox; never waits. UV_EAGAIN: it is full. UV_EPIPE: the actor has
 * ended. */
GO_EXTERN int go_actor_send(go_actor_t* actor, const void* message, size_t size);
/* Ends it when it has done the message that it is at, whose waits end with UV_ECANCELED. */
GO_EXTERN void go_actor_stop(go_actor_t* actor);
/* Waits for its end; in a coroutine, or blocking the thread. *why (may be NULL): 0, or its failure.
 */
GO_EXTERN go_suspends int go_actor_wait(go_actor_t* actor, int* why, uint64_t deadline);
/* When one of the two fails for good, the other is told or ends too. */
GO_EXTERN int go_actor_link(go_actor_t* actor, go_actor_t* other);
/* In the actor. */
GO_EXTERN void* go_actor_state(go_actor_t* self);
GO_EXTERN void* go_actor_arg(go_actor_t* self);
GO_EXTERN const char* go_actor_name(const go_actor_t* actor);

#ifdef __cplusplus
}
#endif

#endif
