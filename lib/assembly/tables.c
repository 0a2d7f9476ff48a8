/*
 * Where the rooms are put together: the tables through which core reaches what stands above it.
 * This is the only file that knows all families, and the only thing in it is data.
 */

#include "core/handle.h"
#include "core/kind.h"
#include "core/parts.h"
#include "thread/pool.h"

const struct ph_kind ph_kinds[UV_HANDLE_TYPE_MAX] = {
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

const struct ph_parts ph_parts = {
    .pool_shares_processor = ph_pool_shares_processor,
    .pool_release = ph_pool_release,
    .processes_close = ph_processes_close,
    .inotify_close = ph_inotify_close,
    .inotify_fork = ph_inotify_fork,
    .signals_fork = ph_signals_fork,
    .signals_run = ph_signals_run,
    .work_cancel = ph_work_cancel,
    .fs_cancel = ph_fs_cancel,
    .write_cancel = ph_write_cancel,
    .pool_shutdown = ph_pool_shutdown,
    .signals_shutdown = ph_signals_shutdown,
    .title_shutdown = ph_title_shutdown,
};
