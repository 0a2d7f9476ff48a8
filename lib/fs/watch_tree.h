#ifndef PH_FS_WATCH_TREE_H
#define PH_FS_WATCH_TREE_H

/*
 * What a loop watches with inotify.
 *
 * - A watch is one watch descriptor of the kernel. Several places may share it: the kernel gives
 * the same descriptor for the same inode.
 * - A watched place belongs to one handle: its root, and with UV_FS_EVENT_RECURSIVE one per folder
 * below, in a tree. A place never moves: a renamed folder is dropped and added again.
 */

#include <stdbool.h>

#include "uv.h"

struct watch {
    struct uv__queue places;
    struct watch* next; /* in its bucket */
    int wd;             /* -1: the kernel has dropped it, and it is in no bucket */
    int pins;           /* events being delivered: not released meanwhile */
};

struct uv__watched {
    uv_fs_event_t* handle;
    struct watch* watch;        /* NULL: not watched (a root that was gone after a fork) */
    struct uv__watched* parent; /* NULL: the root */
    struct uv__queue children;  /* of those that have this parent */
    struct uv__queue sibling;   /* in the parent's children; a root is in inotify->roots */
    struct uv__queue of_watch;  /* in watch->places */
    struct uv__queue to_scan;   /* while a scan is under way */
    char path[];                /* relative to the root's; the root's own is absolute */
};

struct uv__inotify {
    uv_loop_t* loop;
    uv__io_t watcher;
    struct uv__queue roots;
    struct watch** buckets;
    unsigned bucket_count; /* a power of two */
    unsigned watch_count;
    uint64_t starts;
    unsigned forks; /* changes when a callback has forked: the events at hand are the parent's */
};

/* A name that a scan has come across. */
struct ph_found {
    struct uv__queue node;
    char path[];
};

/* Not before the first was added: no event comes without one. */
struct watch* ph_watch_find(struct uv__inotify* inotify, int wd);
/* The kernel has dropped it. */
void ph_watch_gone(struct uv__inotify* inotify, struct watch* watch);
/* Frees the watch if nobody uses it any more. */
void ph_watch_release(struct uv__inotify* inotify, struct watch* watch);

/* Watches the handle's path, and what is below if the handle is recursive. */
int ph_watch_root(struct uv__inotify* inotify, uv_fs_event_t* handle);
/* Watches again what a fork or a lost event has made doubtful. */
int ph_watch_renew(struct uv__inotify* inotify, struct uv__watched* root);
/* Adds a folder and all below it; the names found in it go to `found`. */
int ph_watch_add(struct uv__inotify* inotify, struct uv__watched* parent, const char* name,
                 struct uv__queue* found);
struct uv__watched* ph_watch_child(struct uv__watched* parent, const char* name);
/* With everything below. */
void ph_watch_drop(struct uv__inotify* inotify, struct uv__watched* place);

#endif
