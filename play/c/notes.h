#ifndef PH_PLAY_C_NOTES_H
#define PH_PLAY_C_NOTES_H

/*
 * Included before a C program that is played: each call of the library and of stdio says where it
 * stands, and timers say when they are due. The program itself stays as it is.
 */

#include <stdio.h>
#include <uv.h>

void phasor_play_at(const char* file, int line, const char* function);
int phasor_play_timer(uv_timer_t* handle, uv_timer_cb callback, uint64_t timeout, uint64_t repeat);
int phasor_play_start(uv_handle_t* handle, const char* type, int status);
int phasor_play_stop(uv_handle_t* handle, int status);

#define PHASOR_PLAY_HERE phasor_play_at(__FILE__, __LINE__, __func__)
#define PHASOR_PLAY_CALL(name, ...) (PHASOR_PLAY_HERE, (name)(__VA_ARGS__))

#define printf(...) PHASOR_PLAY_CALL(printf, __VA_ARGS__)
#define fprintf(...) PHASOR_PLAY_CALL(fprintf, __VA_ARGS__)
#define puts(...) PHASOR_PLAY_CALL(puts, __VA_ARGS__)
#define fputs(...) PHASOR_PLAY_CALL(fputs, __VA_ARGS__)
#define uv_run(...) PHASOR_PLAY_CALL(uv_run, __VA_ARGS__)
#define uv_stop(...) PHASOR_PLAY_CALL(uv_stop, __VA_ARGS__)
#define uv_close(...) PHASOR_PLAY_CALL(uv_close, __VA_ARGS__)
#define uv_ref(...) PHASOR_PLAY_CALL(uv_ref, __VA_ARGS__)
#define uv_unref(...) PHASOR_PLAY_CALL(uv_unref, __VA_ARGS__)
#define uv_async_init(...) PHASOR_PLAY_CALL(uv_async_init, __VA_ARGS__)
#define uv_queue_work(...) PHASOR_PLAY_CALL(uv_queue_work, __VA_ARGS__)
#define uv_cancel(...) PHASOR_PLAY_CALL(uv_cancel, __VA_ARGS__)
#define uv_fs_open(...) PHASOR_PLAY_CALL(uv_fs_open, __VA_ARGS__)
#define uv_fs_read(...) PHASOR_PLAY_CALL(uv_fs_read, __VA_ARGS__)
#define uv_fs_write(...) PHASOR_PLAY_CALL(uv_fs_write, __VA_ARGS__)
#define uv_fs_close(...) PHASOR_PLAY_CALL(uv_fs_close, __VA_ARGS__)
#define uv_fs_stat(...) PHASOR_PLAY_CALL(uv_fs_stat, __VA_ARGS__)
#define uv_fs_unlink(...) PHASOR_PLAY_CALL(uv_fs_unlink, __VA_ARGS__)
#define uv_tcp_init(...) PHASOR_PLAY_CALL(uv_tcp_init, __VA_ARGS__)
#define uv_tcp_connect(...) PHASOR_PLAY_CALL(uv_tcp_connect, __VA_ARGS__)
#define uv_pipe_init(...) PHASOR_PLAY_CALL(uv_pipe_init, __VA_ARGS__)
#define uv_udp_init(...) PHASOR_PLAY_CALL(uv_udp_init, __VA_ARGS__)
#define uv_udp_send(...) PHASOR_PLAY_CALL(uv_udp_send, __VA_ARGS__)
#define uv_udp_recv_start(...) PHASOR_PLAY_CALL(uv_udp_recv_start, __VA_ARGS__)
#define uv_listen(...) PHASOR_PLAY_CALL(uv_listen, __VA_ARGS__)
#define uv_accept(...) PHASOR_PLAY_CALL(uv_accept, __VA_ARGS__)
#define uv_read_start(...) PHASOR_PLAY_CALL(uv_read_start, __VA_ARGS__)
#define uv_write(...) PHASOR_PLAY_CALL(uv_write, __VA_ARGS__)
#define uv_shutdown(...) PHASOR_PLAY_CALL(uv_shutdown, __VA_ARGS__)
#define uv_signal_init(...) PHASOR_PLAY_CALL(uv_signal_init, __VA_ARGS__)
#define uv_signal_start(...) PHASOR_PLAY_CALL(uv_signal_start, __VA_ARGS__)
#define uv_poll_init(...) PHASOR_PLAY_CALL(uv_poll_init, __VA_ARGS__)
#define uv_poll_start(...) PHASOR_PLAY_CALL(uv_poll_start, __VA_ARGS__)
#define uv_getaddrinfo(...) PHASOR_PLAY_CALL(uv_getaddrinfo, __VA_ARGS__)
#define uv_async_send(...) PHASOR_PLAY_CALL(uv_async_send, __VA_ARGS__)

#define uv_timer_start(...) (PHASOR_PLAY_HERE, phasor_play_timer(__VA_ARGS__))
#define uv_timer_stop(handle) \
    (PHASOR_PLAY_HERE, phasor_play_stop((uv_handle_t*)(handle), (uv_timer_stop)(handle)))
#define PHASOR_PLAY_STARTS(kind, handle, callback) \
    (PHASOR_PLAY_HERE,                             \
     phasor_play_start((uv_handle_t*)(handle), #kind, (uv_##kind##_start)((handle), (callback))))
#define PHASOR_PLAY_STOPS(kind, handle) \
    (PHASOR_PLAY_HERE, phasor_play_stop((uv_handle_t*)(handle), (uv_##kind##_stop)(handle)))
#define uv_idle_start(handle, callback) PHASOR_PLAY_STARTS(idle, handle, callback)
#define uv_idle_stop(handle) PHASOR_PLAY_STOPS(idle, handle)
#define uv_prepare_start(handle, callback) PHASOR_PLAY_STARTS(prepare, handle, callback)
#define uv_prepare_stop(handle) PHASOR_PLAY_STOPS(prepare, handle)
#define uv_check_start(handle, callback) PHASOR_PLAY_STARTS(check, handle, callback)
#define uv_check_stop(handle) PHASOR_PLAY_STOPS(check, handle)

#endif
