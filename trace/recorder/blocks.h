#ifndef PH_TRACE_BLOCKS_H
#define PH_TRACE_BLOCKS_H

/* From the threads' buffers to blocks of the file. Whoever writes (writer.c) sees to it that only
 * one thread does at a time. */

#include "recorder/recorder.h"

int ph_blocks_open(const char* path, uint64_t limit, bool never_replace);
/* What is in the buffers now, and is told as it will stay; or, at the end, all of it. */
void ph_blocks_write_out(bool all);
/* All is written, and no thread is in something that goes on. */
bool ph_blocks_may_rest(void);
/* All that is in it. */
void ph_blocks_empty(struct ph_buffer* buffer);
void ph_blocks_last_loss(struct ph_buffer* buffer);
void ph_blocks_refresh_maps(void);
/* Returns the error that the recording has failed with, first or now, or 0. */
int ph_blocks_close(int error);
/* In a forked child: the file is the parent's. */
void ph_blocks_let_go(void);

#endif
