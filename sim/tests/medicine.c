/*
 * A random program over the API, drawn from the world's seed, that checks what the library promises
 * while it runs: every request and every close is called back exactly once, writes in their order,
 * timers never early, no byte is lost or doubled on a stream, and in the end no memory, descriptor
 * or handle is left. Calls fail as `phasor sim --faults` says, and allocations in every other
 * world.
 */

#include <dirent.h>
#include <phasor.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    STEPS = 60,
    STREAMS = 24,
    OTHERS = 40,
    REQUESTS = 400,
    PIECE = 3000,
    POOL = 1 /* in a world its threads stay */
};

static uv_loop_t loop;
static long blocks;      /* of memory that the library has */
static int failing_rate; /* of 1000 allocations */
static uint64_t last_number;

static void wrong(const char* format, ...) {
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    fprintf(stderr, "%s\n", text);
    phasor_sim_fail(text);
    abort();
}

#define MUST(condition)                                     \
    do {                                                    \
        if (!(condition))                                   \
            wrong("line %d: not %s", __LINE__, #condition); \
    } while (0)

static unsigned draw(unsigned below) {
    return (unsigned)phasor_sim_random(below);
}

/* Memory */

static bool runs_out(void) {
    return failing_rate > 0 && draw(1000) < (unsigned)failing_rate;
}

static void* take(size_t size) {
    void* memory = runs_out() ? NULL : malloc(size);
    __atomic_add_fetch(&blocks, memory != NULL, __ATOMIC_SEQ_CST);
    return memory;
}

static void* take_cleared(size_t count, size_t size) {
    void* memory = runs_out() ? NULL : calloc(count, size);
    __atomic_add_fetch(&blocks, memory != NULL, __ATOMIC_SEQ_CST);
    return memory;
}

static void* take_more(void* old, size_t size) {
    void* memory = runs_out() ? NULL : realloc(old, size);
    __atomic_add_fetch(&blocks, memory != NULL && old == NULL, __ATOMIC_SEQ_CST);
    return memory;
}

static void give_back(void* memory) {
    __atomic_sub_fetch(&blocks, memory != NULL, __ATOMIC_SEQ_CST);
    free(memory);
}

/* Requests: each is called back once, and only while it is under way. */

struct request {
    union {
        uv_write_t write;
        uv_shutdown_t shutdown;
        uv_connect_t connect;
        uv_work_t work;
        uv_fs_t fs;
        uv_udp_send_t send;
        uv_getaddrinfo_t lookup;
        uv_req_t any;
    };
    bool under_way;
    struct stream* stream;
    uint64_t number;
    size_t size;
    char bytes[PIECE];
};

static struct request requests[REQUESTS];
static int request_count;

static struct request* new_request(void) {
    if (request_count == REQUESTS)
        return NULL;
    struct request* request = &requests[request_count++];
    request->number = ++last_number;
    return request;
}

static void begins(struct request* request, int result) {
    request->under_way = result == 0;
}

static struct request* ends(void* which) {
    struct request* request = which;
    MUST(request->under_way);
    request->under_way = false;
    return request;
}

/* Streams */

enum state { FREE, OPEN, CLOSING };

struct stream {
    union {
        uv_tcp_t tcp;
        uv_stream_t stream;
        uv_handle_t handle;
    };
    enum state state;
    bool connected, broken, shut, ended, accepted;
    struct stream* other; /* the end that it talks to, once both know */
    uint64_t sent;        /* bytes given to the library, */
    uint64_t confirmed;   /* and called back without an error */
    uint64_t received;    /* from the other end */
    uint64_t written;     /* number of the last write called back */
    char room[1024];
};

static struct stream streams[STREAMS];
static uv_tcp_t server;
static int server_port;
static bool server_open;

static unsigned char byte_at(uint64_t place) {
    return (unsigned char)(place * 7 % 251);
}

static struct stream* free_stream(void) {
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].state == FREE) {
            memset(&streams[i], 0, sizeof(streams[i]));
            return &streams[i];
        }
    return NULL;
}

static struct stream* some_stream(void) {
    for (int tries = 0; tries < 8; tries++) {
        struct stream* stream = &streams[draw(STREAMS)];
        if (stream->state == OPEN)
            return stream;
    }
    return NULL;
}

static void on_stream_closed(uv_handle_t* handle) {
    struct stream* stream = (struct stream*)handle;
    MUST(stream->state == CLOSING);
    for (int i = 0; i < request_count; i++)
        MUST(!requests[i].under_way || requests[i].stream != stream);
    if (stream->other != NULL)
        stream->other->other = NULL;
    stream->state = FREE;
}

static void close_stream(struct stream* stream) {
    if (stream->state != OPEN)
        return;
    stream->state = CLOSING;
    if (stream->other != NULL && !stream->ended)
        stream->other->broken = true; /* what it has not read may be answered with a reset */
    uv_close(&stream->handle, on_stream_closed);
}

static void give_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    struct stream* stream = (struct stream*)handle;
    (void)suggested;
    *buffer = uv_buf_init(stream->room, 1 + draw(sizeof(stream->room)));
}

static void on_read(uv_stream_t* handle, ssize_t n, const uv_buf_t* buffer) {
    struct stream* stream = (struct stream*)handle;
    MUST(stream->state == OPEN);
    MUST(!stream->ended);
    for (ssize_t i = 0; i < n; i++)
        MUST((unsigned char)buffer->base[i] == byte_at(stream->received++));
    if (n >= 0)
        return;
    stream->ended = true;
    if (n == UV_EOF && stream->other != NULL && !stream->broken && !stream->other->broken)
        MUST(stream->received == stream->other->sent);
    if (n != UV_EOF)
        stream->broken = true;
    if (draw(2) == 0)
        close_stream(stream);
}

static void on_written(uv_write_t* write, int status) {
    struct request* request = ends(write);
    struct stream* stream = request->stream;
    MUST(request->number > stream->written);
    stream->written = request->number;
    if (status == 0)
        stream->confirmed += request->size;
    else
        stream->broken = true;
    if (stream->other != NULL && status != 0)
        stream->other->broken = true;
}

static void write_some(struct stream* stream) {
    if (stream->shut || stream->broken || !stream->connected)
        return;
    struct request* request = new_request();
    if (request == NULL)
        return;
    request->stream = stream;
    request->size = 1 + draw(PIECE - 1);
    for (size_t i = 0; i < request->size; i++)
        request->bytes[i] = (char)byte_at(stream->sent + i);
    size_t half = request->size / 2;
    uv_buf_t parts[2] = {uv_buf_init(request->bytes, (unsigned)half),
                         uv_buf_init(request->bytes + half, (unsigned)(request->size - half))};
    int err = uv_write(&request->write, &stream->stream, parts, 2, on_written);
    begins(request, err);
    if (err == 0)
        stream->sent += request->size;
}

static void on_shutdown(uv_shutdown_t* shutdown, int status) {
    struct request* request = ends(shutdown);
    if (status == 0)
        MUST(request->stream->broken || request->stream->confirmed == request->stream->sent);
}

static void shut(struct stream* stream) {
    struct request* request = stream->shut || !stream->connected ? NULL : new_request();
    if (request == NULL)
        return;
    request->stream = stream;
    begins(request, uv_shutdown(&request->shutdown, &stream->stream, on_shutdown));
    stream->shut = request->under_way;
}

static int port_of(const struct stream* stream, bool own) {
    struct sockaddr_in address;
    int size = sizeof(address);
    int err = own ? uv_tcp_getsockname(&stream->tcp, (struct sockaddr*)&address, &size)
                  : uv_tcp_getpeername(&stream->tcp, (struct sockaddr*)&address, &size);
    return err == 0 ? ntohs(address.sin_port) : -1;
}

/* The accepted end looks for the one that connected, by its port. */
static void find_other(struct stream* stream) {
    int port = port_of(stream, !stream->accepted);
    for (int i = 0; i < STREAMS && port > 0; i++) {
        struct stream* other = &streams[i];
        if (other != stream && other->state == OPEN && other->accepted != stream->accepted &&
            other->other == NULL && port_of(other, !other->accepted) == port) {
            stream->other = other;
            other->other = stream;
            if (stream->broken || other->broken)
                stream->broken = other->broken = true;
        }
    }
}

static void on_connected(uv_connect_t* connect, int status) {
    struct request* request = ends(connect);
    struct stream* stream = request->stream;
    if (status != 0) {
        close_stream(stream);
        return;
    }
    stream->connected = true;
    if (uv_read_start(&stream->stream, give_room, on_read) != 0)
        close_stream(stream);
}

static void connect_one(void) {
    struct sockaddr_in address;
    struct stream* stream = server_open ? free_stream() : NULL;
    struct request* request = stream != NULL ? new_request() : NULL;
    if (request == NULL || uv_tcp_init(&loop, &stream->tcp) != 0)
        return;
    stream->state = OPEN;
    request->stream = stream;
    uv_ip4_addr("127.0.0.1", server_port, &address);
    int err =
        uv_tcp_connect(&request->connect, &stream->tcp, (struct sockaddr*)&address, on_connected);
    begins(request, err);
    if (err != 0)
        close_stream(stream);
}

static void on_connection(uv_stream_t* listener, int status) {
    struct stream* stream = status == 0 ? free_stream() : NULL;
    if (stream == NULL || uv_tcp_init(&loop, &stream->tcp) != 0)
        return;
    stream->state = OPEN;
    stream->accepted = true;
    if (uv_accept(listener, &stream->stream) != 0) {
        close_stream(stream);
        return;
    }
    stream->connected = true;
    find_other(stream);
    if (uv_read_start(&stream->stream, give_room, on_read) != 0)
        close_stream(stream);
}

static void start_server(void) {
    struct sockaddr_in address;
    int size = sizeof(address);
    uv_ip4_addr("127.0.0.1", 0, &address);
    if (uv_tcp_init(&loop, &server) != 0)
        return;
    server_open = uv_tcp_bind(&server, (struct sockaddr*)&address, 0) == 0 &&
                  uv_listen((uv_stream_t*)&server, 8, on_connection) == 0 &&
                  uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size) == 0;
    server_port = ntohs(address.sin_port);
    if (!server_open)
        uv_close((uv_handle_t*)&server, NULL);
}

/* Other handles and requests */

struct other {
    union {
        uv_timer_t timer;
        uv_async_t async;
        uv_check_t check;
        uv_prepare_t prepare;
        uv_idle_t idle;
        uv_handle_t handle;
    };
    enum state state;
    int kind;
    uint64_t due;
    int left;
};

static struct other others[OTHERS];

static void on_other_closed(uv_handle_t* handle) {
    struct other* other = (struct other*)handle;
    MUST(other->state == CLOSING);
    other->state = FREE;
}

static void close_other(struct other* other) {
    if (other->state != OPEN)
        return;
    other->state = CLOSING;
    uv_close(&other->handle, on_other_closed);
}

static void on_other(struct other* other) {
    MUST(other->state == OPEN);
    if (--other->left <= 0)
        close_other(other);
}

static void on_timer(uv_timer_t* timer) {
    struct other* other = (struct other*)timer;
    MUST(uv_now(&loop) >= other->due);
    other->due = uv_now(&loop) + uv_timer_get_repeat(timer);
    on_other(other);
}

static void on_async(uv_async_t* async) {
    on_other((struct other*)async);
}

static void on_check(uv_check_t* check) {
    on_other((struct other*)check);
}

static void on_prepare(uv_prepare_t* prepare) {
    on_other((struct other*)prepare);
}

static void on_idle(uv_idle_t* idle) {
    on_other((struct other*)idle);
}

static void open_other(void) {
    struct other* other = &others[draw(OTHERS)];
    if (other->state != FREE)
        return;
    memset(other, 0, sizeof(*other));
    other->left = 1 + (int)draw(4);
    uint64_t delay = draw(30);
    int err;
    switch (draw(5)) {
    case 0:
        uv_timer_init(&loop, &other->timer);
        other->due = uv_now(&loop) + delay;
        err = uv_timer_start(&other->timer, on_timer, delay, 1 + draw(5));
        break;
    case 1:
        err = uv_async_init(&loop, &other->async, on_async);
        other->left = 1;
        if (err == 0)
            MUST(uv_async_send(&other->async) == 0);
        break;
    case 2:
        uv_check_init(&loop, &other->check);
        err = uv_check_start(&other->check, on_check);
        break;
    case 3:
        uv_prepare_init(&loop, &other->prepare);
        err = uv_prepare_start(&other->prepare, on_prepare);
        break;
    default:
        uv_idle_init(&loop, &other->idle);
        err = uv_idle_start(&other->idle, on_idle);
    }
    other->state = err == 0 ? OPEN : FREE;
}

static void do_work(uv_work_t* work) {
    ((struct request*)work)->size = 1;
}

static void on_worked(uv_work_t* work, int status) {
    struct request* request = ends(work);
    MUST((status == 0) == (request->size == 1));
    MUST(status == 0 || status == UV_ECANCELED);
}

static void on_file(uv_fs_t* fs) {
    struct request* request = ends(fs);
    if (fs->fs_type == UV_FS_OPEN && fs->result >= 0) {
        uv_fs_t closing;
        uv_fs_close(NULL, &closing, (uv_file)fs->result, NULL);
        uv_fs_req_cleanup(&closing);
    }
    uv_fs_req_cleanup(&request->fs);
}

static void on_found(uv_getaddrinfo_t* lookup, int status, struct addrinfo* found) {
    ends(lookup);
    MUST((status == 0) == (found != NULL));
    uv_freeaddrinfo(found);
}

static void start_request(void) {
    struct request* request = new_request();
    if (request == NULL)
        return;
    request->size = 0;
    switch (draw(4)) {
    case 0:
        begins(request, uv_queue_work(&loop, &request->work, do_work, on_worked));
        break;
    case 1:
        begins(request, uv_fs_open(&loop, &request->fs, "file", UV_FS_O_RDWR | UV_FS_O_CREAT, 0600,
                                   on_file));
        break;
    case 2:
        begins(request, uv_fs_stat(&loop, &request->fs, "file", on_file));
        break;
    default:
        begins(request, uv_getaddrinfo(&loop, &request->lookup, on_found, "localhost", NULL, NULL));
    }
    if (request->under_way && draw(4) == 0)
        uv_cancel(&request->any);
}

/* The program */

static void close_everything(void) {
    for (int i = 0; i < STREAMS; i++)
        close_stream(&streams[i]);
    for (int i = 0; i < OTHERS; i++)
        close_other(&others[i]);
    if (server_open)
        uv_close((uv_handle_t*)&server, NULL);
    server_open = false;
}

static void step(void) {
    struct stream* stream = some_stream();
    switch (draw(8)) {
    case 0:
    case 1:
        connect_one();
        break;
    case 2:
        open_other();
        break;
    case 3:
        start_request();
        break;
    case 4:
        if (stream != NULL && draw(3) == 0)
            shut(stream);
        break;
    case 5:
        if (stream != NULL && draw(4) == 0)
            close_stream(stream);
        break;
    default:
        for (unsigned i = draw(4); stream != NULL && i > 0; i--)
            write_some(stream);
    }
}

static void on_step(uv_timer_t* timer) {
    static int steps;
    step();
    if (++steps < STEPS) {
        uv_timer_start(timer, on_step, draw(4), 0);
        return;
    }
    close_everything();
    uv_close((uv_handle_t*)timer, NULL);
}

static int open_descriptors(void) {
    DIR* folder = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

int main(void) {
    uv_timer_t steps;
    int descriptors = open_descriptors();
    if (!phasor_sim_active())
        return 77;
    MUST(uv_replace_allocator(take, take_more, take_cleared, give_back) == 0);
    MUST(uv_loop_init(&loop) == 0);
    failing_rate = draw(2) == 0 ? 0 : 1 + (int)draw(30);
    start_server();
    uv_timer_init(&loop, &steps);
    uv_timer_start(&steps, on_step, 0, 0);
    MUST(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    failing_rate = 0;
    for (int i = 0; i < request_count; i++)
        MUST(!requests[i].under_way);
    for (int i = 0; i < STREAMS; i++)
        MUST(streams[i].state == FREE);
    for (int i = 0; i < OTHERS; i++)
        MUST(others[i].state == FREE);
    MUST(uv_loop_close(&loop) == 0);
    uv_library_shutdown();
    if (blocks > POOL)
        wrong("%ld blocks of memory are left", blocks);
    remove("file");
    int left = open_descriptors();
    if (left != descriptors)
        wrong("%d descriptors are left", left - descriptors);
    return 0;
}
