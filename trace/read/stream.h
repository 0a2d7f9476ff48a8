#ifndef PH_TOOLS_TRACE_STREAM_H
#define PH_TOOLS_TRACE_STREAM_H

/* The events of a file, by time. Each thread has its blocks, and its time never goes back. */

#include "read/cursor.h"
#include "read/file.h"

/* The events of one block. */
struct decoder {
    struct cursor from;
    uint64_t time, loop, subject, details[PH_EV_COUNT];
    uint16_t thread;
};

/* The thread that a block begins with, and the time of the first event, which is the decoder's.
 * The name may be NULL. */
int decoder_begin(struct decoder* decoder, const unsigned char* data, size_t size, char name[17]);
/* False: that was the last, or the rest is damaged (`from.bad`). */
bool decoder_next(struct decoder* decoder, struct trace_event* event);

struct trace_stream;
struct trace_stream* trace_stream_open(struct trace_file* file);
/* The next event; NULL: there are no more. Good until the next call. */
const struct trace_event* trace_stream_next(struct trace_stream* stream);
void trace_stream_close(struct trace_stream* stream);

#endif
