#ifndef PH_CORE_KIND_H
#define PH_CORE_KIND_H

/* What each family gives to the table of kinds (assembly/tables.c). See struct ph_kind for the
 * meaning. */

#include <stdbool.h>

#include "uv.h"

bool ph_async_close(uv_handle_t* handle);
void ph_async_finish(uv_loop_t* loop, uv_handle_t* handle);
bool ph_hook_close(uv_handle_t* handle); /* idle, prepare and check */
bool ph_poll_close(uv_handle_t* handle);
bool ph_timer_close(uv_handle_t* handle);

bool ph_stream_close(uv_handle_t* handle);
void ph_stream_finish(uv_loop_t* loop, uv_handle_t* handle);
bool ph_pipe_close(uv_handle_t* handle);
bool ph_udp_close(uv_handle_t* handle);
void ph_udp_finish(uv_loop_t* loop, uv_handle_t* handle);
bool ph_process_close(uv_handle_t* handle);
bool ph_signal_close(uv_handle_t* handle);
void ph_signal_finish(uv_loop_t* loop, uv_handle_t* handle);
bool ph_fs_event_close(uv_handle_t* handle);
bool ph_fs_poll_close(uv_handle_t* handle);

#endif
