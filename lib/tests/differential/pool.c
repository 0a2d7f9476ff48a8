/* Requests to the pool other than files. */

#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

static void do_work(uv_work_t* work) {
    object_of(work)->bytes[0]++;
}

static void on_work(uv_work_t* work, int status) {
    struct object* object = object_of(work);
    free_request(object);
    called(object, "worked", "%s after %d", result_text(status), object->bytes[0]);
}

/* The request is free to be made again from its callback on. */
static void* new_request(struct object* object, size_t size, bool slow) {
    pool_is_used(slow);
    return born(object, size);
}

static int started(struct object* object, int result) {
    if (result != 0)
        free_request(object);
    return result;
}

static int op_work(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->state == LIVE)
        return SKIPPED;
    uv_work_t* work = new_request(object, sizeof(*work), false);
    return started(object, uv_queue_work(object->loop, work, do_work, on_work));
}

static void on_random(uv_random_t* random, int status, void* bytes, size_t length) {
    struct object* object = object_of(random);
    free_request(object);
    called(object, "random", "%s %d bytes, in place: %d", result_text(status), (int)length,
           bytes == object->bytes);
}

/* random R SIZE NOW: without a callback if NOW */
static int op_random(struct object* object, const int* arguments) {
    if (object->state == LIVE)
        return SKIPPED;
    size_t size = (size_t)arguments[0];
    unsigned flags = arguments[0] > (int)sizeof(object->bytes);
    if (arguments[1])
        return uv_random(NULL, NULL, object->bytes, flags ? 0 : size, flags, NULL);
    uv_random_t* random = new_request(object, sizeof(*random), false);
    return started(
        object, uv_random(object->loop, random, object->bytes, flags ? 0 : size, flags, on_random));
}

static void on_addrinfo(uv_getaddrinfo_t* request, int status, struct addrinfo* found) {
    struct object* object = object_of(request);
    int count = 0;
    for (struct addrinfo* one = found; one != NULL; one = one->ai_next)
        count++;
    uv_freeaddrinfo(found);
    free_request(object);
    called(object, "addrinfo", "%s %d found", result_text(status), count);
}

/* Names that nobody has to be asked for. */
static int op_addrinfo(struct object* object, const int* arguments) {
    static const char* const names[] = {"127.0.0.1", "::1", "not an address", NULL};
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    if (object->state == LIVE)
        return SKIPPED;
    const char* name = names[arguments[0] & 3];
    uv_getaddrinfo_t* request = new_request(object, sizeof(*request), true);
    return started(object, uv_getaddrinfo(object->loop, request, on_addrinfo, name,
                                          arguments[1] ? "80" : NULL, &hints));
}

static void on_nameinfo(uv_getnameinfo_t* request, int status, const char* host,
                        const char* service) {
    struct object* object = object_of(request);
    char text[96] = "";
    if (status == 0) {
        strncat(text, host, 40);
        strcat(text, " ");
        strncat(text, service, 40);
    }
    free_request(object);
    called(object, "nameinfo", "%s %s", result_text(status), text);
}

static int op_nameinfo(struct object* object, const int* arguments) {
    struct sockaddr_in address;
    if (object->state == LIVE)
        return SKIPPED;
    uv_ip4_addr("127.0.0.1", arguments[0], &address);
    if (arguments[1])
        address.sin_family = 99;
    uv_getnameinfo_t* request = new_request(object, sizeof(*request), true);
    return started(object, uv_getnameinfo(object->loop, request, on_nameinfo,
                                          (const struct sockaddr*)&address,
                                          NI_NUMERICHOST | NI_NUMERICSERV));
}

/* In libuv a request that is cancelled again comes after those that have finished meanwhile. */
static int op_cancel(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->cancels++ > 0 && (!is_alone_in_flight(object) || is_mail_told()))
        return SKIPPED;
    return uv_cancel(object->request);
}

const struct operation pool_operations[] = {{"work", 1 << WORK, true, op_work},
                                            {"random", 1 << RANDOM, true, op_random},
                                            {"addrinfo", 1 << ADDRINFO, true, op_addrinfo},
                                            {"nameinfo", 1 << NAMEINFO, true, op_nameinfo},
                                            {"cancel", REQUESTS, false, op_cancel},
                                            {NULL, 0, false, NULL}};
