#ifndef PH_PLAY_EVENTS_H
#define PH_PLAY_EVENTS_H

/*
 * What happened in a played program, as one row of JSON lines in the order in which it happened:
 * the recording of its loops (trace/recorder) and the notes of its runtime (runtime/engine/play.c)
 * together. play/README.md says what the events are.
 */

#include <stdbool.h>
#include <stdio.h>

/* False: `error` says why nothing was written. */
bool play_write_events(const char* recording, const char* notes, FILE* out, char* error,
                       size_t error_size);

#endif
