#ifndef PH_TRACE_HTTP_H
#define PH_TRACE_HTTP_H

/* Requests to a server, seen in the bytes that its streams have: the first line of a request, and
 * the status of its answer. What is not HTTP/1 in the open looks like nothing. */

#include "hooks.h"

void ph_http_received(const uv_stream_t* stream, const char* data, size_t size);
void ph_http_sent(const uv_stream_t* stream, const char* data, size_t size);

#endif
