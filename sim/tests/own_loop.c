/*
 * A program with a loop of its own on epoll, without the library: a server with edges and one-shot
 * watches, clients that block in threads, timers, a counter, poll and select. Prints a line for
 * everything that happens, with the time.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS = 4, ROUNDS = 3, BIG = 300000 };

static int set, listener, timer, counter, left = CLIENTS;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t finished;
static struct sockaddr_in address;
static const char* server_name;

static void check(int result, const char* what) {
    if (result >= 0)
        return;
    perror(what);
    exit(1);
}

static void say(const char* what, long number) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%ld.%09ld %s %ld\n", (long)now.tv_sec, now.tv_nsec, what, number);
}

static void watch(int op, int fd, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    check(epoll_ctl(set, op, fd, &event), "epoll_ctl");
}

static int connect_to_server(void) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
    struct sockaddr_in to = address;
    if (server_name != NULL && getaddrinfo(server_name, NULL, &hints, &found) == 0) {
        to.sin_addr = ((struct sockaddr_in*)found->ai_addr)->sin_addr;
        freeaddrinfo(found);
    }
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    check(fd, "socket");
    check(connect(fd, (struct sockaddr*)&to, sizeof(to)), "connect");
    return fd;
}

/* Blocks in every call. */
static void* client(void* argument) {
    long number = (long)(intptr_t)argument;
    static char big[CLIENTS][BIG];
    struct timespec pause = {.tv_nsec = 1000000 * (number + 1)};
    int fd = connect_to_server();
    for (int i = 0; i < ROUNDS; i++) {
        char answer = 0;
        nanosleep(&pause, NULL);
        check(send(fd, big[number], BIG, 0) == BIG ? 0 : -1, "a part was sent");
        check(write(fd, "!", 1) == 1 ? 0 : -1, "write");
        check(recv(fd, &answer, 1, 0) == 1 && answer == '.' ? 0 : -1, "recv");
        say("answered", number);
    }
    int copy = dup(fd);
    close(fd);
    shutdown(copy, SHUT_WR);
    struct pollfd end = {.fd = copy, .events = POLLIN};
    check(poll(&end, 1, 60000) == 1 && recv(copy, big[number], 1, 0) == 0 ? 0 : -1, "no end");
    close(copy);
    pthread_mutex_lock(&lock);
    left--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void* manager(void* argument) {
    const uint64_t one = 1;
    pthread_mutex_lock(&lock);
    while (left > 0)
        pthread_cond_wait(&changed, &lock);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 3600;
    int result = pthread_cond_timedwait(&changed, &lock, &limit);
    pthread_mutex_unlock(&lock);
    say("an hour later", result == ETIMEDOUT);
    check(sem_timedwait(&finished, &limit) == -1 && errno == ETIMEDOUT ? 0 : -1, "a semaphore");
    check((int)write(counter, &one, sizeof(one)), "write to the counter");
    return argument;
}

static void serve(int fd) {
    static char bytes[65536];
    for (;;) {
        ssize_t n = read(fd, bytes, sizeof(bytes));
        if (n == -1 && errno == EAGAIN) {
            watch(EPOLL_CTL_MOD, fd, EPOLLIN | EPOLLET | EPOLLONESHOT);
            return;
        }
        check((int)n, "read");
        if (n == 0) {
            say("end of", fd >= 0);
            close(fd);
            return;
        }
        if (bytes[n - 1] == '!')
            check((int)send(fd, ".", 1, MSG_NOSIGNAL), "answer");
    }
}

static void begin(void) {
    socklen_t size = sizeof(address);
    struct itimerspec every = {.it_value = {.tv_sec = 600}, .it_interval = {.tv_sec = 1500}};
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    set = epoll_create1(EPOLL_CLOEXEC);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    check(bind(listener, (struct sockaddr*)&address, sizeof(address)), "bind");
    check(listen(listener, 16), "listen");
    check(getsockname(listener, (struct sockaddr*)&address, &size), "getsockname");
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    say("port", ntohs(address.sin_port));
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    check(timerfd_settime(timer, 0, &every, NULL), "timerfd_settime");
    counter = eventfd(0, EFD_NONBLOCK);
    watch(EPOLL_CTL_ADD, listener, EPOLLIN);
    watch(EPOLL_CTL_ADD, timer, EPOLLIN);
    watch(EPOLL_CTL_ADD, counter, EPOLLIN);
}

static void accept_all(void) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) != -1) {
        say("accepted", 1);
        watch(EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLET | EPOLLONESHOT);
    }
}

static bool turn(void) {
    struct epoll_event events[8];
    bool goes_on = true;
    int count = epoll_wait(set, events, 8, -1);
    if (count == -1 && errno == EINTR)
        return true;
    check(count, "epoll_wait");
    for (int i = 0; i < count; i++) {
        uint64_t number = 0;
        int fd = events[i].data.fd;
        if (fd == listener) {
            accept_all();
        } else if (fd == timer || fd == counter) {
            check((int)read(fd, &number, sizeof(number)), "read of a number");
            say(fd == timer ? "timer" : "counter", (long)number);
            goes_on = fd == timer;
        } else {
            serve(fd);
        }
    }
    return goes_on;
}

int main(void) {
    pthread_t clients[CLIENTS], last;
    struct timeval day = {.tv_sec = 86400};
    server_name = getenv("SERVER");
    sem_init(&finished, 0, 0);
    begin();
    for (long i = 0; i < CLIENTS; i++)
        check(-pthread_create(&clients[i], NULL, client, (void*)(intptr_t)i), "pthread_create");
    check(-pthread_create(&last, NULL, manager, NULL), "pthread_create");
    while (turn())
        continue;
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(last, NULL);
    fd_set readers;
    FD_ZERO(&readers);
    FD_SET(listener, &readers);
    check(-select(listener + 1, &readers, NULL, NULL, &day), "select");
    say("a day later", 0);
    return 0;
}
