/* For `phasor play`: what a recording does not tell of a program, as notes in a file of their own.
 * A note is one line of JSON. The n-th note and the n-th mark named PH_PLAY_MARK in the recording
 * belong together, so that both are one row of events (play/events). */
#ifndef PH_RUNTIME_PLAY_H
#define PH_RUNTIME_PLAY_H

#include "engine/engine.h"

#define PH_PLAY_MARK "phasor play"

/* Whether somebody plays this program: PHASOR_PLAY named the file of notes when it started. */
extern bool ph_play_on;

void ph_play_init(void);
/* Text of the form of printf; what it makes is JSON. Before it, where the program is now, if that
 * was not noted yet. */
void ph_play_note(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* What is written to standard output or standard error. */
void ph_play_output(int fd, const char* text, size_t length);
/* The loop calls the program: where it was before is over. */
void ph_play_enters(void);
/* The thread's program is about to be freed. */
void ph_play_ends(void);
/* The script has returned and the loop begins; what computing took until here is chance. */
void ph_play_loop_begins(void);
/* Asked now and then while a script runs: one that takes too long ends here. */
void ph_play_look(void);

#define PH_PLAY(...)                         \
    do {                                     \
        if (__builtin_expect(ph_play_on, 0)) \
            ph_play_note(__VA_ARGS__);       \
    } while (0)

#endif
