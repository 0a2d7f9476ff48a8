/* Datagrams, names, the pool, processes, signals, timers, asyncs, requests of the program's own:
 * success, error, deadline, cancel. */
// threaded
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "go_test.h"

static int waited;

/* Starts fn, cancels it and waits for its end. */
static go_suspends void cancel(go_fn fn, void* arg) {
    go_t* other;
    int before = waited;
    CHECK_OK(go_start_with(&loop, NULL, fn, arg, &other));
    CHECK_EQ(waited, before);
    go_cancel(other);
    CHECK_OK(go_join(other, NULL, GO_NEVER));
    go_release(other);
    CHECK_EQ(waited, before + 1);
}

static struct sockaddr_in bind_udp(uv_udp_t* udp) {
    struct sockaddr_in address;
    int size = sizeof(address);
    CHECK_OK(uv_udp_init(&loop, udp));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address));
    CHECK_OK(uv_udp_bind(udp, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_getsockname(udp, (struct sockaddr*)&address, &size));
    return address;
}

static int receive_cancelled(void* arg) {
    char byte;
    CHECK_EQ(go_udp_receive(arg, &byte, 1, NULL, NULL, GO_NEVER), UV_ECANCELED);
    CHECK_EQ(go_udp_send(arg, &byte, 1, NULL, GO_NEVER), UV_ECANCELED);
    waited++;
    return 0;
}

static int use_udp(void* arg) {
    uv_udp_t a, b;
    struct sockaddr_storage from;
    char text[10];
    unsigned flags = 0;
    (void)arg;
    struct sockaddr_in to_a = bind_udp(&a), to_b = bind_udp(&b);
    CHECK_OK(go_udp_send(&a, "hello", 5, (struct sockaddr*)&to_b, GO_NEVER));
    CHECK_EQ(go_udp_receive(&b, text, sizeof(text), &from, &flags, GO_NEVER), 5);
    CHECK_EQ(((struct sockaddr_in*)&from)->sin_port, to_a.sin_port);
    CHECK_EQ(flags, 0);
    CHECK_OK(go_udp_send(&a, "hello", 5, (struct sockaddr*)&to_b, GO_NEVER));
    CHECK_EQ(go_udp_receive(&b, text, 2, NULL, &flags, GO_NEVER), 2);
    CHECK_EQ(flags, UV_UDP_PARTIAL);
    CHECK_OK(go_udp_send(&a, "", 0, (struct sockaddr*)&to_b, GO_NEVER));
    CHECK_EQ(go_udp_receive(&b, text, 2, NULL, NULL, GO_NEVER), 0);
    CHECK_EQ(go_udp_receive(&b, text, 2, NULL, NULL, go_after(2)), UV_ETIMEDOUT);
    CHECK_EQ(go_udp_receive(&b, text, 0, NULL, NULL, GO_NEVER), UV_ENOBUFS);
    CHECK_EQ(go_udp_send(&a, text, 5, NULL, GO_NEVER), UV_EDESTADDRREQ);
    cancel(receive_cancelled, &b);
    CHECK_OK(go_close((uv_handle_t*)&a));
    CHECK_OK(go_close((uv_handle_t*)&b));
    CHECK_EQ(go_udp_receive(&b, text, 2, NULL, NULL, GO_NEVER), UV_EINVAL);
    return 0;
}

TEST(datagrams_are_sent_and_received) {
    in_coroutine(use_udp, NULL);
}

static int lookup_cancelled(void* arg) {
    struct addrinfo* found;
    (void)arg;
    CHECK_EQ(go_getaddrinfo("127.0.0.1", NULL, NULL, &found, GO_NEVER), UV_ECANCELED);
    CHECK(found == NULL);
    CHECK_EQ(go_getaddrinfo("127.0.0.1", NULL, NULL, &found, GO_NEVER), UV_ECANCELED);
    waited++;
    return 0;
}

static int look_up(void* arg) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *found;
    struct sockaddr_in address;
    char host[NI_MAXHOST], service[NI_MAXSERV];
    (void)arg;
    CHECK_OK(go_getaddrinfo("127.0.0.1", "80", &hints, &found, GO_NEVER));
    CHECK_EQ(((struct sockaddr_in*)found->ai_addr)->sin_port, htons(80));
    uv_freeaddrinfo(found);
    CHECK_EQ(go_getaddrinfo("no number", NULL, &hints, &found, GO_NEVER), UV_EAI_NONAME);
    CHECK_EQ(go_getaddrinfo(NULL, NULL, &hints, &found, GO_NEVER), UV_EINVAL);
    CHECK_EQ(go_getaddrinfo("127.0.0.1", NULL, &hints, &found, GO_NOW), UV_ETIMEDOUT);
    CHECK_OK(uv_ip4_addr("127.0.0.1", 81, &address));
    CHECK_OK(go_getnameinfo((struct sockaddr*)&address, NI_NUMERICHOST | NI_NUMERICSERV, host,
                            sizeof(host), service, sizeof(service), GO_NEVER));
    CHECK_STR(host, "127.0.0.1");
    CHECK_STR(service, "81");
    CHECK_EQ(go_getnameinfo((struct sockaddr*)&address, NI_NUMERICHOST, host, 3, NULL, 0, GO_NEVER),
             UV_ENOBUFS);
    CHECK_EQ(go_getnameinfo((struct sockaddr*)&address, 0, host, 3, NULL, 0, GO_NOW), UV_ETIMEDOUT);
    cancel(lookup_cancelled, NULL);
    return 0;
}

static void open_unix(uv_udp_t* udp, const char* name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    strcpy(address.sun_path, name);
    CHECK_OK(bind(fd, (struct sockaddr*)&address, sizeof(address)));
    CHECK_OK(uv_udp_init(&loop, udp));
    CHECK_OK(uv_udp_open(udp, fd));
}

static int use_unix_datagrams(void* arg) {
    static const char name[] = "a name that is longer than an address of the Internet";
    struct sockaddr_storage from;
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "receiver"};
    uv_udp_t sender, receiver;
    char text[10];
    (void)arg;
    open_unix(&sender, name);
    open_unix(&receiver, to.sun_path);
    uv_os_fd_t fd;
    CHECK_OK(uv_fileno((uv_handle_t*)&sender, &fd));
    CHECK_EQ(sendto(fd, "hello", 5, 0, (struct sockaddr*)&to, sizeof(to)), 5);
    CHECK_EQ(go_udp_receive(&receiver, text, sizeof(text), &from, NULL, GO_NEVER), 5);
    CHECK_STR(((struct sockaddr_un*)&from)->sun_path, name);
    CHECK_OK(go_close((uv_handle_t*)&sender));
    CHECK_OK(go_close((uv_handle_t*)&receiver));
    return 0;
}

TEST(unix_datagrams_tell_the_whole_name_of_their_sender) {
    in_coroutine(use_unix_datagrams, NULL);
}

static uv_udp_t* arg_udp;
static char halves[2][4 * 65536];

static int receive_into(void* half) {
    CHECK_EQ(go_udp_receive(arg_udp, half, sizeof(halves[0]), NULL, NULL, GO_NEVER), 3);
    return 0;
}

static int receive_several_at_once(void* arg) {
    uv_udp_t udp;
    struct sockaddr_in address;
    int size = sizeof(address);
    (void)arg;
    CHECK_OK(uv_udp_init_ex(&loop, &udp, AF_INET | UV_UDP_RECVMMSG));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address));
    CHECK_OK(uv_udp_bind(&udp, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_getsockname(&udp, (struct sockaddr*)&address, &size));
    arg_udp = &udp;
    CHECK_OK(go_start(&loop, receive_into, halves[0]));
    CHECK_OK(go_start(&loop, receive_into, halves[1]));
    CHECK_OK(go_udp_send(&udp, "one", 3, (struct sockaddr*)&address, GO_NEVER));
    CHECK_OK(go_udp_send(&udp, "two", 3, (struct sockaddr*)&address, GO_NEVER));
    while (go_count(&loop) > 1)
        CHECK_OK(go_sleep(1));
    CHECK_OK(memcmp(halves[0], "one", 3));
    CHECK_OK(memcmp(halves[1], "two", 3));
    CHECK_OK(go_close((uv_handle_t*)&udp));
    return 0;
}

TEST(each_who_waits_gets_a_datagram_also_where_the_kernel_gives_several) {
    in_coroutine(receive_several_at_once, NULL);
}

TEST(names_are_looked_up) {
    in_coroutine(look_up, NULL);
}

static uv_sem_t has_begun, may_end;
static int worked; /* on the pool, read after it has ended */

static void wait_on_pool(void* arg) {
    uv_sem_post(&has_begun);
    uv_sem_wait(&may_end);
    *(int*)arg += 1;
}

static void work_briefly(void* arg) {
    *(int*)arg += 1;
}

static int work_that_began(void* arg) {
    int status = go_work(wait_on_pool, &worked, GO_NEVER);
    (void)arg;
    CHECK_OK(status); /* a thread had begun: it was waited for */
    waited++;
    return 0;
}

static int work_in_line(void* arg) {
    CHECK_EQ(go_work(work_briefly, arg, GO_NEVER), UV_ECANCELED);
    waited++;
    return 0;
}

static int use_pool(void* arg) {
    int count = 0;
    go_t* began;
    (void)arg;
    CHECK_OK(uv_sem_init(&has_begun, 0));
    CHECK_OK(uv_sem_init(&may_end, 0));
    CHECK_OK(go_work(work_briefly, &count, GO_NEVER));
    CHECK_EQ(count, 1);
    CHECK_OK(go_start_with(&loop, NULL, work_that_began, NULL, &began));
    while (uv_sem_trywait(&has_begun) != 0) /* the pool's one thread */
        CHECK_OK(go_sleep(1));
    CHECK_EQ(go_work(work_briefly, &count, go_after(2)), UV_ETIMEDOUT);
    cancel(work_in_line, &count);
    CHECK_EQ(count, 1);
    go_cancel(began);
    uv_sem_post(&may_end);
    CHECK_OK(go_join(began, NULL, GO_NEVER));
    go_release(began);
    CHECK_EQ(worked, 1);
    CHECK_EQ(go_work(NULL, NULL, GO_NEVER), UV_EINVAL);
    uv_sem_destroy(&may_end);
    uv_sem_destroy(&has_begun);
    return 0;
}

TEST(work_on_the_pool_is_waited_for_or_taken_back) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    in_coroutine(use_pool, NULL);
}

static int wait_for_child(void* arg) {
    int64_t status = 0;
    CHECK_OK(go_process_wait(arg, &status, NULL, GO_NEVER));
    CHECK_EQ(status, 3);
    waited++;
    return 0;
}

static int run_children(void* arg) {
    go_process_t child;
    int64_t status = 0;
    int number = 0;
    char* args[] = {"sh", "-c", "read x; exit 3", NULL};
    uv_pipe_t in;
    uv_stdio_container_t stdio = {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE,
                                  .data.stream = (uv_stream_t*)&in};
    uv_process_options_t options = {.file = "sh", .args = args, .stdio = &stdio, .stdio_count = 1};
    (void)arg;
    CHECK_OK(uv_pipe_init(&loop, &in, 0));
    CHECK_OK(go_spawn(&loop, &child, &options));
    CHECK_EQ(go_process_wait(&child, NULL, NULL, go_after(2)), UV_ETIMEDOUT);
    CHECK_OK(go_start(&loop, wait_for_child, &child));
    CHECK_OK(go_start(&loop, wait_for_child, &child));
    CHECK_OK(go_write((uv_stream_t*)&in, "\n", 1, GO_NEVER));
    CHECK_OK(go_process_wait(&child, &status, &number, GO_NEVER));
    CHECK_EQ(status, 3);
    CHECK_EQ(number, 0);
    CHECK_OK(go_process_wait(&child, &status, &number, GO_NOW)); /* it has ended */
    CHECK_OK(go_close((uv_handle_t*)&child.uv));
    CHECK_OK(go_close((uv_handle_t*)&in));
    options.file = "/not/there";
    options.stdio_count = 0;
    CHECK_EQ(go_spawn(&loop, &child, &options), UV_ENOENT);
    CHECK_OK(go_close((uv_handle_t*)&child.uv));
    CHECK_EQ(waited, 2);
    return 0;
}

TEST(children_are_waited_for_by_several) {
    in_coroutine(run_children, NULL);
}

static int signal_cancelled(void* arg) {
    CHECK_EQ(go_signal_wait(arg, GO_NEVER), UV_ECANCELED);
    waited++;
    return 0;
}

static int wait_for_signals(void* arg) {
    go_signal_t caught;
    (void)arg;
    CHECK_OK(go_signal_start(&loop, &caught, SIGUSR1));
    CHECK_EQ(go_signal_wait(&caught, go_after(2)), UV_ETIMEDOUT);
    cancel(signal_cancelled, &caught);
    CHECK_OK(raise(SIGUSR1));
    CHECK_OK(go_signal_wait(&caught, GO_NEVER));
    CHECK_OK(raise(SIGUSR1)); /* while nobody waits: the next who does has it */
    while (!caught.caught.set)
        CHECK_OK(go_sleep(1));
    CHECK_OK(go_signal_wait(&caught, GO_NOW));
    CHECK_EQ(go_signal_wait(&caught, GO_NOW), UV_ETIMEDOUT);
    CHECK_OK(go_close((uv_handle_t*)&caught.uv));
    CHECK_EQ(go_signal_start(&loop, &caught, -1), UV_EINVAL);
    CHECK_OK(go_close((uv_handle_t*)&caught.uv));
    return 0;
}

TEST(signals_are_waited_for) {
    in_coroutine(wait_for_signals, NULL);
}

static int tick_cancelled(void* arg) {
    CHECK_EQ(go_timer_wait(arg, GO_NEVER), UV_ECANCELED);
    waited++;
    return 0;
}

static int wait_for_ticks(void* arg) {
    go_timer_t timer;
    uint64_t start = uv_now(&loop);
    (void)arg;
    CHECK_OK(go_timer_start(&loop, &timer, 5, 5));
    cancel(tick_cancelled, &timer);
    CHECK_OK(go_timer_wait(&timer, GO_NEVER));
    CHECK_OK(go_timer_wait(&timer, GO_NEVER));
    CHECK_GE(uv_now(&loop), start + 10);
    CHECK_OK(uv_timer_stop(&timer.uv));
    go_event_reset(&timer.ticked);
    CHECK_EQ(go_timer_wait(&timer, go_after(10)), UV_ETIMEDOUT);
    CHECK_OK(go_close((uv_handle_t*)&timer.uv));
    return 0;
}

TEST(timers_tick_for_those_who_wait) {
    in_coroutine(wait_for_ticks, NULL);
}

static int async_cancelled(void* arg) {
    CHECK_EQ(go_async_wait(arg, GO_NEVER), UV_ECANCELED);
    waited++;
    return 0;
}

static void send_from_thread(void* arg) {
    CHECK_OK(uv_async_send(arg));
}

static int wait_for_thread(void* arg) {
    go_async_t async;
    uv_thread_t thread;
    (void)arg;
    CHECK_OK(go_async_start(&loop, &async));
    cancel(async_cancelled, &async);
    CHECK_EQ(go_async_wait(&async, go_after(2)), UV_ETIMEDOUT);
    CHECK_OK(uv_thread_create(&thread, send_from_thread, &async.uv));
    CHECK_OK(go_async_wait(&async, GO_NEVER));
    CHECK_OK(uv_thread_join(&thread));
    CHECK_OK(go_close((uv_handle_t*)&async.uv));
    return 0;
}

TEST(asyncs_of_other_threads_are_waited_for) {
    in_coroutine(wait_for_thread, NULL);
}

static go_timer_t never;
static go_signal_t unsent;
static go_async_t silent;
static go_process_t child;

static int wait_for_closing_timer(void* arg) {
    (void)arg;
    waited += go_timer_wait(&never, GO_NEVER) == UV_ECANCELED;
    return 0;
}

static int wait_for_closing_signal(void* arg) {
    (void)arg;
    waited += go_signal_wait(&unsent, GO_NEVER) == UV_ECANCELED;
    return 0;
}

static int wait_for_closing_async(void* arg) {
    (void)arg;
    waited += go_async_wait(&silent, GO_NEVER) == UV_ECANCELED;
    return 0;
}

static int wait_for_closing_child(void* arg) {
    (void)arg;
    waited += go_process_wait(&child, NULL, NULL, GO_NEVER) == UV_ECANCELED;
    return 0;
}

static int select_on_closing(void* arg) {
    go_case_t cases[] = {GO_CASE_EVENT(arg), GO_CASE_EVENT(&never.ticked)};
    CHECK_EQ(go_select(cases, 2, GO_NEVER), 1);
    waited += cases[1].status == UV_ECANCELED;
    return 0;
}

static int close_what_others_wait_for(void* arg) {
    const go_fn who[] = {wait_for_closing_timer, wait_for_closing_signal, wait_for_closing_async,
                         wait_for_closing_child, select_on_closing};
    char* arguments[] = {"sleep", "1000", NULL};
    go_event_t other;
    (void)arg;
    go_event_init(&other, 0);
    CHECK_OK(go_timer_start(&loop, &never, 1000000, 0));
    CHECK_OK(go_signal_start(&loop, &unsent, SIGUSR1));
    CHECK_OK(go_async_start(&loop, &silent));
    CHECK_OK(go_spawn(&loop, &child, &(uv_process_options_t){.file = "sleep", .args = arguments}));
    cancel(tick_cancelled, &never);
    CHECK_EQ(go_timer_wait(&never, go_after(1)), UV_ETIMEDOUT);
    int before = waited;
    for (size_t i = 0; i < sizeof(who) / sizeof(who[0]); i++)
        CHECK_OK(go_start(&loop, who[i], &other));
    CHECK_OK(go_close((uv_handle_t*)&child.uv));
    CHECK_OK(kill(child.uv.pid, SIGKILL));
    waitpid(child.uv.pid, NULL, 0);
    CHECK_OK(go_close((uv_handle_t*)&never.uv));
    CHECK_OK(go_close((uv_handle_t*)&unsent.uv));
    CHECK_OK(go_close((uv_handle_t*)&silent.uv));
    CHECK_EQ(waited - before, 5);
    CHECK_EQ(go_timer_wait(&never, GO_NEVER), UV_EINVAL);
    go_case_t closed[] = {GO_CASE_EVENT(&other), GO_CASE_EVENT(&never.ticked)};
    CHECK_EQ(go_select(closed, 2, GO_NEVER), UV_EINVAL);
    return 0;
}

TEST(closing_a_handle_ends_all_waits_for_its_event) {
    in_coroutine(close_what_others_wait_for, NULL);
}

static int wait_for_event(void* arg) {
    waited += go_event_wait(arg, GO_NEVER);
    return 0;
}

static int use_events(void* arg) {
    go_event_t event;
    (void)arg;
    go_event_init(&event, 0);
    for (int i = 0; i < 3; i++)
        CHECK_OK(go_start(&loop, wait_for_event, &event));
    go_event_set(&event, 2);
    CHECK_OK(go_yield());
    CHECK_EQ(waited, 6);
    CHECK_EQ(go_event_wait(&event, GO_NOW), UV_ETIMEDOUT); /* those who waited had it */
    go_event_set(&event, 3);
    CHECK_EQ(go_event_wait(&event, GO_NOW), 3);
    CHECK_EQ(go_event_wait(&event, GO_NOW), UV_ETIMEDOUT);
    go_event_init(&event, 1);
    go_event_set(&event, 4);
    CHECK_EQ(go_event_wait(&event, GO_NOW), 4);
    CHECK_EQ(go_event_wait(&event, GO_NOW), 4);
    go_event_reset(&event);
    CHECK_EQ(go_event_wait(&event, GO_NOW), UV_ETIMEDOUT);
    return 0;
}

TEST(events_wake_all_who_wait) {
    in_coroutine(use_events, NULL);
}

static int random_cancelled(void* arg) {
    uv_random_t request;
    go_event_t event;
    int number;
    (void)arg;
    go_event_init(&event, 1);
    request.data = &event;
    CHECK_OK(uv_random(&loop, &request, &number, sizeof(number), 0, go_on_random));
    int status = go_request_wait((uv_req_t*)&request, &event, GO_NEVER);
    CHECK(status == 0 || status == UV_ECANCELED);
    waited++;
    return 0;
}

static int use_requests(void* arg) {
    uv_fs_t file;
    uv_work_t work;
    go_event_t event;
    (void)arg;
    go_event_init(&event, 1);
    file.data = work.data = &event;
    CHECK_OK(uv_fs_stat(&loop, &file, "/", go_on_fs));
    CHECK_OK(go_request_wait((uv_req_t*)&file, &event, GO_NEVER));
    CHECK_OK(go_request_wait((uv_req_t*)&file, &event, GO_NEVER));
    uv_fs_req_cleanup(&file);
    go_event_reset(&event);
    CHECK_OK(uv_fs_stat(&loop, &file, "/not/there", go_on_fs));
    CHECK_EQ(go_event_wait(&event, GO_NEVER), UV_ENOENT);
    uv_fs_req_cleanup(&file);
    cancel(random_cancelled, NULL);
    return 0;
}

TEST(requests_of_the_program_are_waited_for) {
    in_coroutine(use_requests, NULL);
}
