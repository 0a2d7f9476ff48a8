#include "core/kind.h"

#include "core/handle.h"

static const struct ph_kind kinds[UV_HANDLE_TYPE_MAX] = {
    [UV_ASYNC] = {"async", sizeof(uv_async_t), ph_async_close, ph_async_finish},
    [UV_CHECK] = {"check", sizeof(uv_check_t), ph_hook_close, NULL},
    [UV_FS_EVENT] = {"fs_event", sizeof(uv_fs_event_t), ph_fs_event_close, NULL},
    [UV_FS_POLL] = {"fs_poll", sizeof(uv_fs_poll_t), ph_fs_poll_close, NULL},
    [UV_HANDLE] = {"handle", sizeof(uv_handle_t), NULL, NULL},
    [UV_IDLE] = {"idle", sizeof(uv_idle_t), ph_hook_close, NULL},
    [UV_NAMED_PIPE] = {"pipe", sizeof(uv_pipe_t), ph_pipe_close, ph_stream_finish},
    [UV_POLL] = {"poll", sizeof(uv_poll_t), ph_poll_close, NULL},
    [UV_PREPARE] = {"prepare", sizeof(uv_prepare_t), ph_hook_close, NULL},
    [UV_PROCESS] = {"process", sizeof(uv_process_t), ph_process_close, NULL},
    [UV_STREAM] = {"stream", sizeof(uv_stream_t), NULL, NULL},
    [UV_TCP] = {"tcp", sizeof(uv_tcp_t), ph_stream_close, ph_stream_finish},
    [UV_TIMER] = {"timer", sizeof(uv_timer_t), ph_timer_close, NULL},
    [UV_TTY] = {"tty", sizeof(uv_tty_t), ph_stream_close, ph_stream_finish},
    [UV_UDP] = {"udp", sizeof(uv_udp_t), ph_udp_close, ph_udp_finish},
    [UV_SIGNAL] = {"signal", sizeof(uv_signal_t), ph_signal_close, ph_signal_finish},
};

const struct ph_kind* ph_kind_of(uv_handle_type type) {
    if ((unsigned)type >= UV_HANDLE_TYPE_MAX || kinds[type].name == NULL)
        return NULL;
    return &kinds[type];
}

size_t uv_handle_size(uv_handle_type type) {
    const struct ph_kind* kind = ph_kind_of(type);
    return kind != NULL ? kind->size : (size_t)-1;
}

const char* uv_handle_type_name(uv_handle_type type) {
    if (type == UV_FILE)
        return "file";
    const struct ph_kind* kind = ph_kind_of(type);
    return kind != NULL ? kind->name : NULL;
}
