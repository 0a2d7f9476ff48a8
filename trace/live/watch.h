#ifndef PH_TOOLS_WATCH_H
#define PH_TOOLS_WATCH_H

/*
 * A program that is watched for as long as it runs: its recordings are rings in memory, which are
 * followed. When a loop was blocked, that moment is written to a folder, with a report, by a child
 * of this process: names take a while. Figures count on.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct watch_options {
    uint64_t limit;     /* ns that a loop may be blocked */
    uint64_t pause;     /* ns between two moments that are kept */
    const char* folder; /* where they are kept */
    unsigned most;      /* so many of them */
    const char* otlp;   /* a collector's address; NULL: none */
};

struct watch;

/* `recording` is where the program's recording is or will be; its children have "recording.PID".
 * The options must stay. */
struct watch* watch_open(const struct watch_options* options, const char* recording);
/* To be called a few times a second. */
void watch_look(struct watch* watch);
/* A child of this process has ended. */
void watch_child_ended(struct watch* watch, pid_t pid);
/* For Prometheus. */
void watch_write_metrics(const struct watch* watch, FILE* out);
/* Whether anything was recorded. */
bool watch_has_seen(const struct watch* watch);
/* Looks for the last time, and waits until everything is written. */
void watch_close(struct watch* watch);

#endif
