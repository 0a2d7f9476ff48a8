#ifndef PH_TRACE_FILE_H
#define PH_TRACE_FILE_H

/* The trace file as the writer sees it: a header, then blocks. */

#include <limits.h>
#include <sys/types.h>

#include "recorder/recorder.h"

enum { PH_SEGMENTS = 8, PH_LEAST_LIMIT = 256 << 10 };

struct ph_trace_file {
    struct ph_trace_header header;
    int fd;
    dev_t device; /* of the file: the program may close our descriptor and use its number again */
    ino_t inode;
    uint64_t sequence;
    uint64_t offset;  /* of the next block */
    uint64_t segment; /* counts segments begun, from 1 */
    uint64_t limit;
    char path[PATH_MAX + 16];
};

/* Opens and locks the file, or "path.PID" if another process writes `path` (or, with
 * `never_replace`, if it is there at all), and writes the header. */
int ph_file_open(struct ph_trace_file* file, const char* path, uint64_t limit, bool never_replace);
/* The blocks before this call stay, those after it go to the segments. */
int ph_file_begin_segments(struct ph_trace_file* file);
/* Goes on in the next segment if this one has less room. True if it has changed. */
bool ph_file_need_room(struct ph_trace_file* file, size_t size);
int ph_file_write_block(struct ph_trace_file* file, enum ph_trace_block_kind kind, const void* data,
                        size_t size);
/* Notes in the file that the recording has gone on until now. */
void ph_file_is_alive(struct ph_trace_file* file);
/* Nothing more can be written. The header says so at once: nobody may be there to close the file.
 */
void ph_file_failed(struct ph_trace_file* file, int error);
/* Without a word in the header: in a forked child, whose parent goes on. */
void ph_file_let_go(struct ph_trace_file* file);
void ph_file_close(struct ph_trace_file* file, enum ph_trace_status status, int error);

#endif
