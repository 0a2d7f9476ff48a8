/* UDP. */

#include <netinet/in.h>
#include <stdlib.h>

#include "machine.h"

struct send {
    uv_udp_send_t request;
    char* bytes;
};

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    (void)suggested;
    size_t wanted = object_of(handle)->wanted;
    *buffer = uv_buf_init(wanted == 0 ? NULL : malloc(wanted), (unsigned)wanted);
}

static void on_datagram(uv_udp_t* udp, ssize_t count, const uv_buf_t* buffer,
                        const struct sockaddr* from, unsigned flags) {
    if (count > 0)
        called(object_of(udp), "datagram", "%d sum %x from %d flags %u", (int)count,
               sum_of(buffer->base, (size_t)count), from != NULL, flags);
    else
        called(object_of(udp), "datagram", "%s from %d flags %u",
               count == 0 ? "nothing" : result_text(count), from != NULL, flags);
    free(buffer->base);
}

static void on_send(uv_udp_send_t* request, int status) {
    struct send* send = (struct send*)request;
    called(object_of(request->handle), "sent", "%s queue %d", result_text(status),
           (int)uv_udp_get_send_queue_count(request->handle));
    free(send->bytes);
    free(send);
}

/* Where the other is bound; false if it is not. */
static bool address_of(struct object* other, struct sockaddr_in* address) {
    int length = sizeof(*address);
    return is_live(other, 1 << UDP) &&
           uv_udp_getsockname(other->udp, (struct sockaddr*)address, &length) == 0 &&
           address->sin_port != 0;
}

static int op_udp_bind(struct object* object, const int* arguments) {
    struct sockaddr_in address;
    (void)arguments;
    uv_ip4_addr("127.0.0.1", 0, &address);
    return uv_udp_bind(object->udp, (const struct sockaddr*)&address, 0);
}

/* udp_connect A B; a number that is no object: disconnects. */
static int op_udp_connect(struct object* object, const int* arguments) {
    struct sockaddr_in address;
    if (object_at(arguments[0]) == NULL)
        return uv_udp_connect(object->udp, NULL);
    if (!address_of(object_at(arguments[0]), &address))
        return SKIPPED;
    return uv_udp_connect(object->udp, (const struct sockaddr*)&address);
}

static void fill(struct object* object, char* bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (char)('A' + object->sent++ % 26);
}

/* udp_send A B SIZE; a number that is no object: to where it is connected. */
static int op_udp_send(struct object* object, const int* arguments) {
    struct sockaddr_in address;
    bool to_peer = object_at(arguments[0]) == NULL;
    if (!to_peer && !address_of(object_at(arguments[0]), &address))
        return SKIPPED;
    struct send* send = calloc(1, sizeof(*send));
    send->bytes = malloc((size_t)arguments[1] + 1);
    fill(object, send->bytes, (size_t)arguments[1]);
    uv_buf_t buffer = uv_buf_init(send->bytes, (unsigned)arguments[1]);
    int result = uv_udp_send(&send->request, object->udp, &buffer, 1,
                             to_peer ? NULL : (const struct sockaddr*)&address, on_send);
    log_note(" queue %d", (int)uv_udp_get_send_queue_count(object->udp));
    if (result != 0) {
        free(send->bytes);
        free(send);
    }
    return result;
}

static int op_udp_try_send(struct object* object, const int* arguments) {
    struct sockaddr_in address;
    bool to_peer = object_at(arguments[0]) == NULL;
    if (!to_peer && !address_of(object_at(arguments[0]), &address))
        return SKIPPED;
    char* bytes = malloc((size_t)arguments[1] + 1);
    fill(object, bytes, (size_t)arguments[1]);
    uv_buf_t buffer = uv_buf_init(bytes, (unsigned)arguments[1]);
    int result =
        uv_udp_try_send(object->udp, &buffer, 1, to_peer ? NULL : (const struct sockaddr*)&address);
    free(bytes);
    return result;
}

static int op_udp_recv_start(struct object* object, const int* arguments) {
    object->wanted = (size_t)arguments[0];
    return uv_udp_recv_start(object->udp, on_alloc, on_datagram);
}

static int op_udp_recv_stop(struct object* object, const int* arguments) {
    (void)arguments;
    return uv_udp_recv_stop(object->udp);
}

const struct operation socket_operations[] = {
    {"udp_bind", 1 << UDP, false, op_udp_bind},
    {"udp_connect", 1 << UDP, false, op_udp_connect},
    {"udp_send", 1 << UDP, false, op_udp_send},
    {"udp_try_send", 1 << UDP, false, op_udp_try_send},
    {"udp_recv_start", 1 << UDP, false, op_udp_recv_start},
    {"udp_recv_stop", 1 << UDP, false, op_udp_recv_stop},
    {NULL, 0, false, NULL}};
